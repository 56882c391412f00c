//! findall as tools for assistants, by the Model Context Protocol: over standard input and output, or over HTTP behind the
//! same token as the rest. A document is given as text, or as a path under a folder that the person named.

mod folders;
mod list;
mod tools;

use std::sync::Arc;

use rmcp::ServiceExt;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService, stdio};

use crate::app::App;

pub use folders::{FolderError, Folders};
pub use tools::Tools;

/// The tools at one address. No file is reachable from there, and nothing is kept between requests.
pub fn http_service(app: App) -> StreamableHttpService<Tools, LocalSessionManager> {
    let config = StreamableHttpServerConfig::default()
        // The guard has checked host and origin before a request comes here.
        .disable_allowed_hosts()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(app.config.limits.body_bytes);
    StreamableHttpService::new(
        move || Ok(Tools::new(app.clone(), Folders::default())),
        Arc::new(LocalSessionManager::default()),
        config,
    )
}

/// Serves one assistant over standard input and output, until it closes them.
pub async fn serve_stdio(app: App, folders: Folders) -> Result<(), String> {
    let service = Tools::new(app, folders).serve(stdio()).await.map_err(|error| error.to_string())?;
    service.waiting().await.map(|_| ()).map_err(|error| error.to_string())
}
