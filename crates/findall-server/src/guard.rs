//! What stands between the network and the routes. A web page must not reach this server, whatever name it gives the
//! loopback address (DNS rebinding), and a program must show a token.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::access::Grant;
use crate::app::App;
use crate::connections::Connection;
use crate::error::ApiError;
use crate::openapi;

/// Schemes of browser extensions; a page cannot have such an origin.
const EXTENSIONS: &[&str] = &["chrome-extension://", "moz-extension://", "safari-web-extension://"];

/// True for the origin of a browser extension: a scheme of theirs and an identifier, nothing after it.
pub fn is_extension(origin: &str) -> bool {
    let id = EXTENSIONS.iter().find_map(|scheme| origin.strip_prefix(scheme));
    id.is_some_and(|id| {
        (1..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    })
}

/// Refuses requests under a foreign name and requests that a web page makes.
pub async fn host_and_origin(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    if !names_this_server(&request, &app.config.hosts) {
        return Err(ApiError::ForbiddenOrigin(
            "the Host of the request is not this server's; use 127.0.0.1, or name the host with --behind-tls-proxy"
                .into(),
        ));
    }
    match origin(request.headers()) {
        Some(origin) if !is_extension(origin) => Err(ApiError::ForbiddenOrigin(
            "web pages may not ask this server; use the extension, or a program without an Origin".into(),
        )),
        _ => Ok(next.run(request).await),
    }
}

/// Whether a request says whom it is for, once, and means this server.
fn names_this_server(request: &Request, hosts: &[String]) -> bool {
    let named: Vec<&str> = request
        .headers()
        .get_all(header::HOST)
        .iter()
        .map(|host| host.to_str().unwrap_or_default())
        .collect();
    let in_line = request.uri().authority().map(|authority| authority.as_str());
    // Of two Hosts, whoever stands in between may have believed the other one.
    named.len() <= 1
        && named.len() + usize::from(in_line.is_some()) > 0
        && named.into_iter().chain(in_line).all(|host| is_own_host(host, hosts))
}

fn origin(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or_default())
}

/// Loopback by number or as `localhost`, or a host that was named; which port does not matter, only that it is one.
fn is_own_host(host: &str, named: &[String]) -> bool {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((name, port)) if name.parse::<Ipv6Addr>().is_ok() => (name, port),
            _ => return false,
        },
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let is_port =
        |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.parse::<u16>().is_ok();
    if !port.is_empty() && !port.strip_prefix(':').is_some_and(is_port) {
        return false;
    }
    let is_loopback = name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    is_loopback
        || name.eq_ignore_ascii_case("localhost")
        || named.iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// Lets the paired extension read answers, and any extension the open addresses; no page, ever.
pub fn cors(app: App) -> CorsLayer {
    let allowed = AllowOrigin::predicate(move |origin: &HeaderValue, request| {
        let Ok(origin) = origin.to_str() else { return false };
        is_extension(origin) && (openapi::is_open(request.uri.path()) || app.access.is_paired(origin))
    });
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::POST, Method::PUT])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE, header::ACCEPT])
        .expose_headers([header::RETRY_AFTER])
        .max_age(std::time::Duration::from_secs(600))
}

/// Requests under way, by client.
#[derive(Debug, Default)]
pub struct Clients(Mutex<HashMap<u64, usize>>);

/// Counts one request for as long as it is under way.
struct RequestSlot<'c>(&'c Clients, u64);

impl Clients {
    fn begin_request(&self, client: u64, most: usize) -> Option<RequestSlot<'_>> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(client).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(RequestSlot(self, client))
    }
}

impl Drop for RequestSlot<'_> {
    fn drop(&mut self) {
        let mut counts = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.1) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.1);
            }
        }
    }
}

/// Refuses requests without a token, with one that is not known, or from another origin than was paired.
pub async fn token(State(app): State<App>, request: Request, next: Next) -> Result<Response, ApiError> {
    if openapi::is_open(request.uri().path()) {
        return Ok(next.run(request).await);
    }
    let client = find_token_holder(&app, request.headers())?.number;
    let _under_way =
        app.clients.begin_request(client, app.config.limits.per_client).ok_or(ApiError::TooManyRequests)?;
    let serving = request.extensions().get::<Connection>().map(Connection::serve);
    let response = next.run(request).await;
    Ok(match serving {
        Some(serving) => serving.serve_until_read(response),
        None => response,
    })
}

fn find_token_holder(app: &App, headers: &HeaderMap) -> Result<Grant, ApiError> {
    let refused = |what: &str| {
        ApiError::NotPaired(format!("{what}; get a code with `findall serve --pair` and send it to /v1/pair"))
    };
    let value = headers.get(header::AUTHORIZATION).ok_or_else(|| refused("no token was sent"))?;
    let token = value
        .to_str()
        .ok()
        .and_then(bearer)
        .ok_or_else(|| refused("the Authorization header is no Bearer token"))?;
    let grant =
        app.access.grant(token).ok_or_else(|| refused("the token is not known, or was taken back"))?;
    match (origin(headers), &grant.origin) {
        (Some(sent), Some(paired)) if sent == paired => Ok(grant),
        (Some(_), _) => Err(ApiError::ForbiddenOrigin(
            "the token was given to another origin; pair this extension with a code of its own".into(),
        )),
        (None, _) => Ok(grant),
    }
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// Ends a request whose time is up. Streams that have begun end themselves, with a line that says so.
pub async fn time_limit(State(app): State<App>, request: Request, next: Next) -> Result<Response, ApiError> {
    let limit = app.config.limits.time;
    tokio::time::timeout(limit, next.run(request)).await.map_err(|_| ApiError::Timeout(limit.as_secs()))
}

/// Answers are data: never framed, sniffed, cached or run.
pub async fn security_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_and_named_hosts_are_ours() {
        let named = ["findall.example".to_owned()];
        for own in
            ["127.0.0.1", "127.0.0.1:7345", "localhost:1", "LOCALHOST", "[::1]:80", "[::1]", "127.8.9.1"]
        {
            assert!(is_own_host(own, &[]), "{own}");
        }
        for foreign in [
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example:7345",
            "",
            "10.0.0.1",
            "[fe80::1]",
            "[::1].evil.example",
            "[::1]evil",
            "[::1",
            "[localhost]",
            "[findall.example]:80",
            "::1",
            "127.0.0.1:evil",
            "127.0.0.1:",
            "127.0.0.1:99999",
            "127.0.0.1:+80",
            "localhost:80:80",
            "localhost@evil.example",
        ] {
            assert!(!is_own_host(foreign, &named), "{foreign}");
        }
        assert!(is_own_host("Findall.example:443", &named));
    }

    #[test]
    fn extensions_are_told_from_pages() {
        assert!(is_extension("chrome-extension://abcdefghijklmnopabcdefghijklmnop"));
        assert!(is_extension("moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc"));
        for page in [
            "null",
            "",
            "https://chrome-extension.example",
            "chrome-extension://",
            "chrome-extension://a/b",
            "file://",
        ] {
            assert!(!is_extension(page), "{page}");
        }
    }
}
