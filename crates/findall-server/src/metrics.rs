//! What the server counts, in Prometheus' format, and the one line that it logs about each request. Neither holds text,
//! queries or addresses of pages.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use tokio::time::Instant;

use crate::app::App;
use crate::workers::Lane;
use findall_wire::WireOrigin;

/// Upper bounds of the latency buckets in seconds.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0, 120.0];

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RequestLabels {
    method: String,
    route: String,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RouteLabel {
    route: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct LaneLabel {
    lane: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OriginLabel {
    origin: &'static str,
}

type Latency = Family<RouteLabel, Histogram, fn() -> Histogram>;

/// All counters.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    latency: Latency,
    running: Family<LaneLabel, Gauge>,
    waiting: Family<LaneLabel, Gauge>,
    documents: Gauge,
    documents_bytes: Gauge,
    resident: Gauge,
    prepared: Counter,
    reused: Counter,
    answers: Family<OriginLabel, Counter>,
}

impl Metrics {
    /// All at zero.
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("findall");
        let requests = Family::default();
        let latency: Latency = Family::new_with_constructor(|| Histogram::new(BUCKETS));
        let (running, waiting) = (Family::default(), Family::default());
        let (documents, documents_bytes, resident) = (Gauge::default(), Gauge::default(), Gauge::default());
        let (prepared, reused) = (Counter::<u64, AtomicU64>::default(), Counter::default());
        registry.register("requests", "Requests by route and status", requests.clone());
        registry.register_with_unit(
            "request_duration",
            "Time until the answer or its first line",
            Unit::Seconds,
            latency.clone(),
        );
        registry.register("jobs_running", "Jobs that run, by lane", running.clone());
        registry.register("jobs_waiting", "Requests that wait for a job, by lane", waiting.clone());
        registry.register("documents", "Documents held in memory", documents.clone());
        registry.register_with_unit(
            "documents",
            "Memory of the documents held, estimated",
            Unit::Bytes,
            documents_bytes.clone(),
        );
        registry.register_with_unit("resident", "Memory of the process", Unit::Bytes, resident.clone());
        registry.register("documents_prepared", "Documents read by the models", prepared.clone());
        let answers = Family::default();
        registry.register("questions", "Questions by where the answer came from", answers.clone());
        registry.register("documents_reused", "Documents answered from memory", reused.clone());
        Self {
            registry,
            requests,
            latency,
            running,
            waiting,
            documents,
            documents_bytes,
            resident,
            prepared,
            reused,
            answers,
        }
    }

    /// A document was read by the models, or was still there.
    pub fn count_document(&self, reused: bool) {
        if reused {
            self.reused.inc()
        } else {
            self.prepared.inc()
        };
    }

    /// A question was answered, by whom; or was not.
    pub fn count_question(&self, origin: Option<WireOrigin>) {
        let origin = match origin {
            Some(WireOrigin::Remembered) => "remembered",
            Some(WireOrigin::Similar) => "similar",
            Some(WireOrigin::Reader) => "reader",
            Some(WireOrigin::Person) => "person",
            Some(WireOrigin::Llm) => "llm",
            None => "none",
        };
        self.answers.get_or_create(&OriginLabel { origin }).inc();
    }

    fn count_request(&self, method: &str, route: &str, status: u16, took: Duration) {
        let labels = RequestLabels { method: method.to_owned(), route: route.to_owned(), status };
        self.requests.get_or_create(&labels).inc();
        self.latency.get_or_create(&RouteLabel { route: route.to_owned() }).observe(took.as_secs_f64());
    }

    /// Everything, as Prometheus reads it.
    pub fn text(&self, app: &App) -> String {
        for (lane, name) in [(Lane::Long, "long"), (Lane::Short, "short"), (Lane::Memory, "memory")] {
            let (running, waiting) = app.workers.load(lane);
            let label = LaneLabel { lane: name };
            self.running.get_or_create(&label).set(running as i64);
            self.waiting.get_or_create(&label).set(waiting as i64);
        }
        let (count, bytes) = app.documents.load();
        self.documents.set(count as i64);
        self.documents_bytes.set(bytes as i64);
        self.resident.set(resident_bytes().unwrap_or(0));
        let mut text = String::new();
        // Writing into memory cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

/// Memory that the process holds, where the system tells.
fn resident_bytes() -> Option<i64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<i64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// Counts and logs every request by its route; an address that is none of ours is not repeated.
pub async fn observe(State(app): State<App>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = match request.method().as_str() {
        known @ ("GET" | "POST" | "PUT" | "OPTIONS" | "HEAD" | "DELETE" | "PATCH") => known.to_owned(),
        _ => "other".to_owned(),
    };
    let route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned();
    let response = next.run(request).await;
    let took = started.elapsed();
    let status = response.status().as_u16();
    app.metrics.count_request(&method, &route, status, took);
    tracing::info!(method, route, status, ms = took.as_millis() as u64, "request");
    response
}
