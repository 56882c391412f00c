//! Connections: accepted up to a limit, cut off when a client dawdles over its headers or others need the place, and given
//! time to end when the server is told to.

use std::future::Future;
use std::net::IpAddr;
use std::pin::pin;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tower::util::MapRequest;

use crate::app::{App, app};
use crate::connections::Connections;

/// How long a client may take to send its headers.
const MAX_HEADERS_TIME: Duration = Duration::from_secs(15);

/// Longest line and headers of a request: what a connection may cost before anyone knows who is there.
const MAX_HEADERS_BYTES: usize = 64 * 1024;

/// How long requests that are under way may go on once the server closes.
const MAX_GRACE_TIME: Duration = Duration::from_secs(5);

/// Why the server will not listen where it is told to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BindRefusal {
    /// Nothing encrypts what goes over the network.
    #[error(
        "others could listen in on {0}; put a proxy with TLS in front and name it: --behind-tls-proxy HOST"
    )]
    NoTls(IpAddr),
    /// Nobody could use it but who guesses.
    #[error(
        "no client is paired yet, and pairing over a network is not safe; start on 127.0.0.1 and pair first"
    )]
    NoToken,
}

/// Whether the server may listen on this address.
pub fn may_bind(address: IpAddr, tls_proxy: Option<&str>, has_tokens: bool) -> Result<(), BindRefusal> {
    match (address.is_loopback(), tls_proxy, has_tokens) {
        (true, _, _) => Ok(()),
        (false, None, _) => Err(BindRefusal::NoTls(address)),
        (false, Some(_), false) => Err(BindRefusal::NoToken),
        (false, Some(_), true) => Ok(()),
    }
}

/// Serves until `shutdown` comes; then new connections are refused and those open get a few seconds to end.
pub async fn serve(listener: TcpListener, state: App, shutdown: impl Future<Output = ()>) {
    let service = app(state.clone());
    let connections = Connections::new(state.config.limits.connections);
    let graceful = GracefulShutdown::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            () = &mut shutdown => break,
            accepted = listener.accept() => accepted,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Out of file handles, most likely: wait for some to be freed.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let room = tokio::select! {
            () = &mut shutdown => break,
            room = connections.make_room() => room,
        };
        let _ = stream.set_nodelay(true);
        let one = connections.open_connection();
        let tagged = {
            let one = one.clone();
            MapRequest::new(service.clone(), move |mut request: hyper::Request<hyper::body::Incoming>| {
                request.extensions_mut().insert(one.clone());
                request
            })
        };
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(MAX_HEADERS_TIME)
            .max_buf_size(MAX_HEADERS_BYTES)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(tagged));
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            tokio::select! {
                // A client that breaks off is no event.
                _ = connection => {}
                () = one.cut_off() => {}
            }
            one.end();
            drop(room);
        });
    }
    drop(listener);
    let ended = tokio::time::timeout(MAX_GRACE_TIME, graceful.shutdown()).await;
    state.workers.close();
    if ended.is_err() {
        tracing::warn!("requests were still under way and have been stopped");
    }
}

/// Comes with Ctrl-C or SIGTERM.
pub async fn wait_for_interrupt() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_listens_beyond_this_machine_only_behind_tls_and_with_a_token() {
        let loopback: [IpAddr; 2] = ["127.0.0.1".parse().unwrap(), "::1".parse().unwrap()];
        for address in loopback {
            assert_eq!(may_bind(address, None, false), Ok(()));
        }
        for address in ["0.0.0.0", "192.168.1.5", "::"].map(|text| text.parse::<IpAddr>().unwrap()) {
            assert_eq!(may_bind(address, None, true), Err(BindRefusal::NoTls(address)));
            assert_eq!(may_bind(address, Some("findall.example"), false), Err(BindRefusal::NoToken));
            assert_eq!(may_bind(address, Some("findall.example"), true), Ok(()));
        }
    }
}
