//! A service with small stand-ins for the models, a paired client, and a way to call it.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use findall::Engine;
use findall::ask::Reader;
use findall::chat::ChatModel;
use findall::encode::{Calibration, DecisionRule, Embedding, Encoder, ModelError, TextKind};
use findall::knowledge::corrections::CorrectionsFile;
use findall::mentions::MentionTagger;
use findall::testing::{BagOfWords, small_knowledge, small_reader, small_tagger};
use findall_server::{Access, App, Base, Limits, ServerConfig, ServerResources, app};
use serde_json::Value;
use tower::ServiceExt;

pub const EXTENSION: &str = "chrome-extension://abcdefghijklmnopabcdefghijklmnop";

/// The small encoder, its vectors as long as the store keeps them.
struct FoldingEncoder;

impl Encoder for FoldingEncoder {
    fn id(&self) -> &str {
        "folded-bag-of-words"
    }

    fn dims(&self) -> usize {
        findall_store::DIMENSIONS
    }

    fn encode(&self, texts: &[&str], kind: TextKind) -> Result<Vec<Embedding>, ModelError> {
        let fold = |embedding: Embedding| {
            let mut pooled = vec![0.0; self.dims()];
            for (at, value) in embedding.pooled.iter().enumerate() {
                pooled[at % self.dims()] += value;
            }
            let length = pooled.iter().map(|value| value * value).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
            pooled.iter_mut().for_each(|value| *value /= length);
            Embedding { pooled, ..embedding }
        };
        Ok(BagOfWords.encode(texts, kind)?.into_iter().map(fold).collect())
    }

    fn calibration(&self) -> Calibration {
        BagOfWords.calibration()
    }

    fn words(&self) -> Vec<&str> {
        BagOfWords.words()
    }

    fn knows_word(&self, word: &str) -> bool {
        BagOfWords.knows_word(word)
    }

    fn decision(&self) -> DecisionRule {
        BagOfWords.decision()
    }
}

pub struct Service {
    pub app: App,
    pub router: Router,
    pub token: String,
    pub folder: tempfile::TempDir,
}

#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub fn lines(&self) -> Vec<Value> {
        self.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The reply is this refusal, worded for people.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> String {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        let error = &self.json()["error"];
        assert_eq!(error["code"], code);
        let message = error["message"].as_str().unwrap().to_owned();
        assert!(message.len() > 20 && !message.contains('\n'), "{message}");
        message
    }
}

impl Service {
    pub fn new() -> Self {
        Self::with(ServerConfig::default())
    }

    pub fn limited(limits: Limits) -> Self {
        Self::with(ServerConfig { limits, ..ServerConfig::default() })
    }

    pub fn with(config: ServerConfig) -> Self {
        Self::tagged_by(config, small_tagger())
    }

    pub fn tagged_by(config: ServerConfig, tagger: Arc<dyn MentionTagger>) -> Self {
        Self::of_models(config, tagger, small_reader(), None)
    }

    pub fn of_models(
        config: ServerConfig,
        tagger: Arc<dyn MentionTagger>,
        reader: Arc<dyn Reader>,
        larger: Option<Box<dyn ChatModel>>,
    ) -> Self {
        let service = Self::loading(config);
        let engine = Engine::new(Arc::new(FoldingEncoder), tagger, small_knowledge()).with_reader(reader);
        let cache = findall::Cache::new(service.folder.path().join("cache"));
        let store = findall_store::open(service.folder.path().join("store.db").to_str().unwrap()).unwrap();
        let words = cache.base_words_path(engine.knowledge());
        let base = Base::new(Some(words), Some(CorrectionsFile::new(service.corrections())));
        let loaded =
            ServerResources::new(engine.with_cache(cache), Some(store)).with_larger(larger).with_base(base);
        service.app.provide_resources(loaded);
        service
    }

    /// A service whose models are not there yet.
    pub fn loading(config: ServerConfig) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let access = Access::open(&folder.path().join("state")).unwrap();
        let code = access.new_code().unwrap();
        let token = access.redeem(&code, Some(EXTENSION), Some("test")).unwrap().unwrap();
        let state = App::new(config, access);
        Self { router: app(state.clone()), app: state, token, folder }
    }

    /// Where it keeps corrections of its knowledge base.
    pub fn corrections(&self) -> std::path::PathBuf {
        self.folder.path().join("corrections.tsv")
    }

    /// A request as the extension sends it.
    pub fn request(&self, method: &str, path: &str) -> axum::http::request::Builder {
        Request::builder()
            .method(method)
            .uri(path)
            .header("host", "127.0.0.1:7345")
            .header("origin", EXTENSION)
            .header("authorization", format!("Bearer {}", self.token))
            .header("content-type", "application/json")
    }

    pub async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        Reply {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    pub async fn post(&self, path: &str, body: Value) -> Reply {
        self.send(self.request("POST", path).body(body.to_string().into()).unwrap()).await
    }

    pub async fn post_for_lines(&self, path: &str, body: Value) -> Reply {
        let request = self.request("POST", path).header("accept", "application/x-ndjson");
        self.send(request.body(body.to_string().into()).unwrap()).await
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send(self.request("GET", path).body(Body::empty()).unwrap()).await
    }

    /// The id of a text that is now held.
    pub async fn hold(&self, text: &str) -> String {
        let reply = self.post("/v1/documents", serde_json::json!({ "text": text })).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
        reply.json()["document"].as_str().unwrap().to_owned()
    }
}
