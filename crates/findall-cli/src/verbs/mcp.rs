//! `findall mcp`: tools for an assistant over standard input and output (Model Context Protocol). The assistant's program
//! starts it; it reads files only under folders that the person named.

use std::path::PathBuf;

use clap::Args;
use findall_server::mcp::{Folders, serve_stdio};
use findall_server::{Access, App, ServerConfig, ServerResources};

use crate::args::EngineArgs;
use crate::failure::{Failure, Outcome};
use crate::meaning;

/// Arguments of `findall mcp`.
#[derive(Debug, Args)]
#[command(
    after_help = "To let an assistant use findall, have its program start: findall mcp --allow ~/Documents"
)]
pub struct McpArgs {
    /// Folder whose files the assistant may read; may be given several times [default: none, texts only]
    #[arg(long, value_name = "DIR")]
    allow: Vec<PathBuf>,

    #[command(flatten)]
    engine: EngineArgs,
}

/// Serves until the assistant's program closes the pipe.
pub fn run(args: McpArgs) -> Result<Outcome, Failure> {
    let folders = Folders::new(&args.allow).map_err(|error| Failure::Usage(error.to_string()))?;
    let config = args.engine.config()?;
    let engine = meaning::load_whole(&config)?;
    let app = App::new(ServerConfig::default(), Access::nobody());
    let base = meaning::base_of(&engine, &config);
    app.provide_resources(ServerResources::new(engine, None).with_base(base));
    let failed = |error: String| Failure::Verb(error);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| failed(error.to_string()))?;
    let done = runtime.block_on(serve_stdio(app, folders));
    runtime.shutdown_background();
    done.map_err(|error| failed(format!("the assistant's program broke off: {error}")))?;
    Ok(Outcome::Found)
}
