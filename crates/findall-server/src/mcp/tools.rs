//! The tools: what an assistant can ask, and what it gets.

use std::sync::Arc;

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};
use rmcp::{ServerHandler, tool, tool_handler, tool_router};

use super::Folders;
use super::list::list;
use crate::app::App;
use crate::base::find_in_base;
use crate::error::ApiError;
use crate::question::{QuestionDocument, QuestionTask, answer_question};
use crate::search::answer_find;
use crate::sources::{Source, parse_source, read_source};
use crate::workers::{Lane, Stop};
use findall_service::base::{NameMeaning, meanings_of};
use findall_wire::{
    AskRequest, AskResponse, AskTool, FindRequest, FindResponse, FindTool, KbAnswer, KbCandidate,
    KbFindRequest, KbFindResponse, KbFindTool, KbTool, ListAnswer, ListTool, ToolSource,
};

/// Candidates of a name that are shown.
const MAX_CANDIDATES: usize = 10;

/// Matches shown unless the assistant asks for more: it has to read them.
const DEFAULT_MATCHES: usize = 100;

/// One assistant's tools.
#[derive(Clone)]
pub struct Tools {
    app: App,
    folders: Folders,
    tool_router: ToolRouter<Self>,
}

/// A refusal as the assistant reads it.
type RefusalText = String;

fn refusal_text(error: ApiError) -> RefusalText {
    error.to_string()
}

#[tool_router]
impl Tools {
    /// Tools over this service, reading files under these folders.
    pub fn new(app: App, folders: Folders) -> Self {
        Self { app, folders, tool_router: Self::tool_router() }
    }

    #[tool(
        name = "find",
        description = "Find every place in a document that a query means, using knowledge from outside the document: \
                       \"social networks of China\" finds WeChat and Weibo. Each match says where it stands \
                       (characters into the text), what it names, and why. An empty list means that nothing here is meant.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn find(&self, Parameters(asked): Parameters<FindTool>) -> Result<Json<FindResponse>, RefusalText> {
        let source = self.source(asked.source).await?;
        let entry = read_source(&self.app, source).await.map_err(refusal_text)?;
        let request = FindRequest {
            query: asked.query,
            top: Some(asked.top.unwrap_or(DEFAULT_MATCHES)),
            threshold: asked.threshold,
            guess: asked.guess,
            ..FindRequest::default()
        };
        answer_find(&self.app, entry, request).await.map(Json).map_err(refusal_text)
    }

    #[tool(
        name = "ask",
        description = "Answer a question from a document: the words that answer it, where they stand (characters into \
                       the text), in which sentence, and how sure that is; or that the document does not answer. \
                       Questions of yes or no come back with the sentences that bear on them.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn ask(&self, Parameters(asked): Parameters<AskTool>) -> Result<Json<AskResponse>, RefusalText> {
        let source = self.source(asked.source).await?;
        let parsed = parse_source(&self.app, source).await.map_err(refusal_text)?;
        let request = AskRequest { question: asked.question, top: asked.top, ..AskRequest::default() };
        let document = QuestionDocument::Parsed(Box::new(parsed.document));
        let task = QuestionTask::new(&self.app, document, request).map_err(refusal_text)?;
        answer_question(Arc::new(task)).await.map(Json).map_err(refusal_text)
    }

    #[tool(
        name = "kb",
        description = "Look a name up in the local knowledge base: what it may mean, and what is known about each.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn kb(&self, Parameters(asked): Parameters<KbTool>) -> Result<Json<KbAnswer>, RefusalText> {
        let app = self.app.clone();
        let look_up = move |_: &_| {
            let knowledge = app.resources()?.engine(true).knowledge();
            let found = meanings_of(knowledge, &asked.name).into_iter().take(MAX_CANDIDATES);
            let candidates = found.filter_map(|NameMeaning { entity, prior }| {
                let record = knowledge.record(entity).ok()?;
                Some(KbCandidate {
                    title: record.title,
                    kind: record.kind.name().to_owned(),
                    description: record.description,
                    facts: record.phrases.into_iter().map(|phrase| phrase.text).collect(),
                    // Nothing but its title is known of how it is named.
                    prior: prior.unwrap_or_default(),
                })
            });
            Ok(KbAnswer { candidates: candidates.collect() })
        };
        self.app.workers.run(Lane::Short, self.app.deadline(), look_up).await.map(Json).map_err(refusal_text)
    }

    #[tool(
        name = "kb_find",
        description = "List the things in the local knowledge base that satisfy a query, such as \"Japanese car makers\", \
                       each with its probability and what is known about it. No document is needed. An empty list \
                       means that the base knows none.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn kb_find(
        &self,
        Parameters(asked): Parameters<KbFindTool>,
    ) -> Result<Json<KbFindResponse>, RefusalText> {
        let KbFindTool { query, top, threshold } = asked;
        let request = KbFindRequest { query, top, threshold, fast: false };
        find_in_base(&self.app, request).await.map(Json).map_err(refusal_text)
    }

    #[tool(
        name = "list",
        description = "List everything that stands in a relation to a subject in a long text, such as all friends of a \
                       person in a novel, or all members of a group: each object with its probability and the passages \
                       that say so. A whole book takes a minute or two.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn list(
        &self,
        Parameters(mut asked): Parameters<ListTool>,
    ) -> Result<Json<ListAnswer>, RefusalText> {
        let source = self.source(std::mem::take(&mut asked.source)).await?;
        let document = parse_source(&self.app, source).await.map_err(refusal_text)?.document;
        let app = self.app.clone();
        let work = move |stop: &Stop| list(&app, &document, asked, stop);
        self.app.workers.run(Lane::Long, self.app.deadline(), work).await.map(Json).map_err(refusal_text)
    }

    /// The document that a tool was given.
    async fn source(&self, ToolSource { text, path }: ToolSource) -> Result<Source, RefusalText> {
        match (text, path) {
            (Some(text), None) => Ok(Source::text(text, None)),
            (None, Some(path)) => {
                let (folders, limit) = (self.folders.clone(), self.app.config.limits.body_bytes);
                let read = move |_: &_| {
                    folders.read(&path, limit).map_err(|error| ApiError::BadRequest(error.to_string()))
                };
                let (path, bytes) = self
                    .app
                    .workers
                    .run(Lane::Short, self.app.deadline(), read)
                    .await
                    .map_err(refusal_text)?;
                Ok(Source::file(bytes, path))
            }
            _ => Err("give either \"text\" or \"path\"".into()),
        }
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let files = match self.folders.is_empty() {
            true => "Give documents as text.".to_owned(),
            false => format!("Give documents as text, or as paths under: {}.", self.folders.list_paths()),
        };
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("findall", env!("CARGO_PKG_VERSION")))
            .with_instructions(format!("Searches documents by meaning, on this machine. {files}"))
    }
}
