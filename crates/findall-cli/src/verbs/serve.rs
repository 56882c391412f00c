//! `findall serve`: the engine behind HTTP, for the browser extension, scripts and assistants. Prints where it listens and,
//! while nothing is paired, a one-time code.

mod freed;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use findall::chat::ChatModel;
use findall_library::Library;
use findall_models::places::UserFolder;
use findall_server::log::{self, LogFormat};
use findall_server::serve::{may_bind, serve, wait_for_interrupt};
use findall_server::{Access, App, Limits, ServedLibrary, ServerConfig, ServerResources};
use tokio::net::TcpListener;

use crate::args::{EngineArgs, StorePlaceArgs};
use crate::config::Config;
use crate::config::layer::Layer;
use crate::failure::{Failure, Outcome};
use crate::llm::LlmArgs;
use crate::meaning;
use crate::output::Output;
use crate::remember;

/// Where the extension looks unless it is told otherwise.
const DEFAULT_PORT: u16 = 7345;

/// Arguments of `findall serve`.
#[derive(Debug, Args)]
#[command(
    after_help = "Clients need a token: `findall serve` prints a one-time code while nothing is paired, \
`findall serve --pair` prints one later, also while a server runs. docs/guide.md shows how to use it."
)]
pub struct ServeArgs {
    /// Port to listen on; 0 takes any free one and says which [default: 7345]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,

    /// Address to listen on; beyond this machine only behind TLS and once something is paired [default: 127.0.0.1]
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<IpAddr>,

    /// Name of the host under which a proxy with TLS passes requests on
    #[arg(long, value_name = "HOST")]
    behind_tls_proxy: Option<String>,

    /// Print a one-time code for pairing a client, and end
    #[arg(long, conflicts_with = "rotate_token")]
    pair: bool,

    /// Take back the tokens of all clients, and end
    #[arg(long)]
    rotate_token: bool,

    /// Folder for the hashes of tokens [default: the user's data folder]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,

    #[command(flatten)]
    store: StorePlaceArgs,

    /// Library that /v1/like answers from (findall index makes one)
    #[arg(long, value_name = "DIR")]
    library: Option<PathBuf>,

    #[command(flatten)]
    engine: EngineArgs,

    /// Largest request, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=512))]
    max_body: u32,

    /// Memory for documents that are held, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..))]
    max_memory: u32,

    /// Longest time for one request, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    timeout: u32,

    /// Log every request to stderr, not only trouble
    #[arg(long)]
    log: bool,

    /// How the log looks
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log_format: LogFormatArg,

    /// Log what people ask, too
    #[arg(long)]
    log_content: bool,

    #[command(
        flatten,
        next_help_heading = "A larger model, asked where a request allows it and the reader is not sure"
    )]
    llm: LlmArgs,
}

/// How the log looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LogFormatArg {
    /// For people
    Text,
    /// For programs
    Json,
}

/// Serves until Ctrl-C or SIGTERM.
pub fn run(args: ServeArgs) -> Result<Outcome, Failure> {
    let folder = state_folder(args.state)?;
    let failed = |error: &dyn std::fmt::Display| Failure::Verb(error.to_string());
    let access = Access::open(&folder).map_err(|error| failed(&error))?;
    if args.rotate_token {
        access.rotate().map_err(|error| failed(&error))?;
        Output::stdout().write(b"all tokens are taken back; pair again with findall serve --pair\n")?;
        return Ok(Outcome::Found);
    }
    if args.pair {
        let code = access.new_code().map_err(|error| failed(&error))?;
        Output::stdout().write(code_line(&code).as_bytes())?;
        return Ok(Outcome::Found);
    }
    freed::give_back_freed_memory();

    let library = args.library.as_deref().map(Library::open).transpose()?;
    let own = Layer { port: args.port, bind: args.bind, ..args.engine.layer() };
    let settings = own.or(args.store.layer());
    let config = Config::read(settings)?;
    let bind = config.bind.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    if config.offline && !bind.is_loopback() {
        let message =
            format!("offline, so it does not listen on {bind}; leave --bind out for this machine only");
        return Err(Failure::Setting { origin: "--bind".into(), message });
    }
    may_bind(bind, args.behind_tls_proxy.as_deref(), access.has_tokens())
        .map_err(|error| Failure::Setting { origin: "--bind".into(), message: error.to_string() })?;
    let code = match access.has_tokens() {
        true => None,
        false => Some(access.new_code().map_err(|error| failed(&error))?),
    };
    log::init(
        match args.log_format {
            LogFormatArg::Text => LogFormat::Text,
            LogFormatArg::Json => LogFormat::Json,
        },
        args.log || args.log_content,
    );
    const MB: usize = 1 << 20;
    let limits = Limits {
        body_bytes: args.max_body as usize * MB,
        text_bytes: (args.max_body as usize * MB).min(Limits::default().text_bytes),
        documents_bytes: args.max_memory as usize * MB,
        time: Duration::from_secs(args.timeout.into()),
        ..Limits::default()
    };
    let threads = limits.long_jobs + limits.short_jobs + limits.memory_jobs;
    let hosts = args.behind_tls_proxy.into_iter().collect();
    let app = App::new(ServerConfig { limits, hosts, log_content: args.log_content }, access);

    let larger = args.llm.model(&config)?.map(|model| Box::new(model) as Box<dyn ChatModel>);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(threads)
        .build()
        .map_err(|error| failed(&error))?;
    let address = SocketAddr::new(bind, config.port.unwrap_or(DEFAULT_PORT));
    let done = runtime.block_on(listen(app, address, code, larger, config, library));
    // A model that is in the middle of a batch is not waited for.
    runtime.shutdown_background();
    done
}

async fn listen(
    app: App,
    address: SocketAddr,
    code: Option<String>,
    larger: Option<Box<dyn ChatModel>>,
    config: Config,
    library: Option<Library>,
) -> Result<Outcome, Failure> {
    let listener = TcpListener::bind(address).await.map_err(|error| Failure::Setting {
        origin: "--port".into(),
        message: format!("cannot listen on {address}: {error}; is findall serve running already?"),
    })?;
    let address = listener.local_addr().map_err(Failure::Output)?;
    let mut said = format!("findall listens on http://{address}\n");
    said.extend(code.as_deref().map(code_line));
    Output::stdout().write(said.as_bytes())?;

    let (broken, loading) = tokio::sync::oneshot::channel();
    let loaded = app.clone();
    std::thread::spawn(move || match open(&config, library.as_ref()) {
        Ok(opened) => loaded.provide_resources(opened.with_larger(larger)),
        Err(failure) => drop(broken.send(failure)),
    });
    let broken = async {
        match loading.await {
            Ok(failure) => failure,
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        () = serve(listener, app, wait_for_interrupt()) => Ok(Outcome::Found),
        failure = broken => Err(failure),
    }
}

/// Everything that requests need.
fn open(config: &Config, library: Option<&Library>) -> Result<ServerResources, Failure> {
    let engine = meaning::load_whole(config)?;
    let base = meaning::base_of(&engine, config);
    let served = library.map(|library| ServedLibrary::read(library, &engine)).transpose()?;
    let loaded = ServerResources::new(engine, Some(remember::open(config)?)).with_base(base);
    let loaded = loaded.with_cached_library(meaning::cache_folder().map(|cache| cache.join("library")));
    Ok(match served {
        Some(served) => loaded.with_library(served),
        None => loaded,
    })
}

fn code_line(code: &str) -> String {
    format!("pairing code: {code} (for the extension; once, within 10 minutes)\n")
}

/// Where hashes of tokens lie.
fn state_folder(named: Option<PathBuf>) -> Result<PathBuf, Failure> {
    named
        .or_else(|| UserFolder::Data.locate().map(|folder| folder.join("server")))
        .ok_or_else(|| Failure::Usage("no home folder to keep tokens in; name one with --state DIR".into()))
}
