//! The service as a client reaches it, over a pipe in memory instead of a socket: what is sent as HTTP, or as an assistant's
//! messages. Whatever comes, the answer ends and the service goes on.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use findall::Engine;
use findall::testing::{BagOfWords, small_knowledge, small_reader, small_tagger};
use findall_server::mcp::{Folders, Tools};
use findall_server::{Access, App, Limits, ServerResources, ServerConfig, app};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use rmcp::ServiceExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::runtime::Runtime;

/// Longest wait for one input. The limits of the service end everything sooner.
const MAX_WAIT: Duration = Duration::from_secs(20);

struct Service {
    app: App,
    token: String,
    runtime: Runtime,
    _folder: tempfile::TempDir,
}

static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let access = Access::open(&folder.path().join("state")).expect("a private folder");
    let code = access.new_code().expect("a code");
    let token = access.redeem(&code, None, Some("fuzz")).expect("a token").expect("the code is new");
    let limits = Limits {
        body_bytes: 1 << 20,
        text_bytes: 1 << 20,
        documents_bytes: 16 << 20,
        time: Duration::from_secs(5),
        ..Limits::default()
    };
    let app = App::new(ServerConfig { limits, ..ServerConfig::default() }, access);
    let engine =
        Engine::new(Arc::new(BagOfWords), small_tagger(), small_knowledge()).with_reader(small_reader());
    let store =
        findall_store::open(folder.path().join("store.db").to_str().expect("plain")).expect("a new store");
    app.provide_resources(ServerResources::new(engine, Some(store)));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("threads");
    Service { app, token, runtime, _folder: folder }
});

/// The bytes of a connection; TOKEN in them stands for one that is good. Where they do not begin with a request, they are the
/// body of one: its first byte chooses the address.
pub fn http(bytes: &[u8]) {
    const ADDRESSES: [&str; 12] = [
        "POST /v1/find",
        "POST /v1/ask",
        "POST /v1/documents",
        "POST /v1/suggest",
        "POST /v1/feedback",
        "POST /v1/forget",
        "PUT /v1/settings",
        "POST /v1/like",
        "POST /v1/pair",
        "POST /mcp",
        "GET /v1/pages/top-questions",
        "GET /v1/questions/similar",
    ];
    let token = SERVICE.token.as_bytes();
    let sent = if bytes.iter().take(8).any(|byte| *byte == b' ') {
        replace(bytes, b"TOKEN", token)
    } else {
        let Some((first, body)) = bytes.split_first() else { return };
        let address = ADDRESSES[usize::from(*first) % ADDRESSES.len()];
        let head = format!(
            "{address} HTTP/1.1\r\nHost: 127.0.0.1:7345\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            SERVICE.token,
            body.len(),
        );
        [head.as_bytes(), body].concat()
    };
    let answer = SERVICE.runtime.block_on(async {
        let (client, server) = tokio::io::duplex(1 << 16);
        let service = TowerToHyperService::new(app(SERVICE.app.clone()));
        let connection =
            hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(server), service);
        let (_, answer) =
            tokio::time::timeout(MAX_WAIT, async { tokio::join!(connection, exchange(client, &sent)) })
                .await
                .expect("an answer in time");
        answer
    });
    let status = answer.strip_prefix(b"HTTP/1.1 ").and_then(|rest| rest.get(..3));
    assert_ne!(status, Some(&b"500"[..]), "{}", String::from_utf8_lossy(&answer));
}

/// Lines that an assistant sends after it has said hello.
pub fn mcp(bytes: &[u8]) {
    const HELLO: &str = concat!(
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"#,
        r#""clientInfo":{"name":"fuzz","version":"0"}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "\n",
    );
    let sent =
        if bytes.first() == Some(&b'!') { bytes.to_vec() } else { [HELLO.as_bytes(), bytes, b"\n"].concat() };
    SERVICE.runtime.block_on(async {
        let (client, server) = tokio::io::duplex(1 << 16);
        let tools = Tools::new(SERVICE.app.clone(), Folders::default());
        let serving = async {
            if let Ok(running) = tools.serve(tokio::io::split(server)).await {
                let _ = running.waiting().await;
            }
        };
        tokio::time::timeout(MAX_WAIT, async { tokio::join!(serving, exchange(client, &sent)) })
            .await
            .expect("an end in time");
    });
}

/// Sends everything and reads to the end.
async fn exchange(mut client: DuplexStream, sent: &[u8]) -> Vec<u8> {
    let mut answer = Vec::new();
    let (mut reading, mut writing) = tokio::io::split(&mut client);
    let _ = tokio::join!(
        async {
            let _ = writing.write_all(sent).await;
            writing.shutdown().await
        },
        reading.read_to_end(&mut answer)
    );
    answer
}

fn replace(bytes: &[u8], what: &[u8], by: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + by.len());
    let mut rest = bytes;
    while let Some(at) = rest.windows(what.len()).position(|window| window == what) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(by);
        rest = &rest[at + what.len()..];
    }
    out.extend_from_slice(rest);
    out
}
