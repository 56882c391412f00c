//! Corrections of the knowledge base count from the next request on: a layer that looks at their file before each.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::app::App;

/// Applies new corrections before a request is answered. Documents that were made ready with what was known before are
/// let go: who asks about one is told that it is not held, and sends it again.
pub(crate) async fn refresh(State(app): State<App>, request: Request, next: Next) -> Response {
    app.refresh_corrections();
    next.run(request).await
}
