//! `POST /v1/like`: from one sentence to all entities of that kind, in a page or in the server's library.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use findall::Engine;
use findall::encode::ModelError;
use findall::like::{Corpus, Example, MAX_WORD_WEIGHT, Term};
use findall::span::Span;
use findall_service::like::{DEFAULT_ALIKE_ENTITIES, LikeLimit, LikeQuery, MAX_TERMS, check_example_text};
use tokio::time::Instant;

use crate::app::App;
use crate::documents::HeldDocument;
use crate::error::ApiError;
use crate::extract::JsonBody;
use crate::workers::Lane;
use findall_wire::offsets::Converter;
use findall_wire::{LikeRequest, LikeResponse, WireAlike, WireBest, WireSpan, WireTerm};

/// Finds what is like the example.
pub async fn like(
    State(app): State<App>,
    JsonBody(request): JsonBody<LikeRequest>,
) -> Result<Json<LikeResponse>, ApiError> {
    let started = Instant::now();
    let query = read_query(&request)?;
    let held = match &request.document {
        Some(id) => Some(app.documents.get(id).ok_or(ApiError::UnknownDocument)?),
        None => None,
    };
    let shared = app.clone();
    // A page is analysed when it is first asked, which takes as long as preparing it.
    let lane = if held.is_some() { Lane::Long } else { Lane::Short };
    let work = move |_: &_| {
        let mut answer = match &held {
            Some(held) => find_like_in_page(&shared, held, &request, query)?,
            None => find_like_in_library(&shared, &query)?,
        };
        answer.took_ms = started.elapsed().as_millis() as u64;
        Ok(Json(answer))
    };
    app.workers.run(lane, app.deadline(), work).await
}

/// What is asked; where the example stands in a page, its words are yet to be read there.
fn read_query(request: &LikeRequest) -> Result<LikeQuery, ApiError> {
    let terms = request.terms.iter().map(|term| Term { word: term.word.clone(), weight: term.weight });
    let query = LikeQuery {
        example: Example {
            entity: request.entity.clone().unwrap_or_default(),
            sentence: request.text.clone().unwrap_or_default(),
            terms: terms.collect(),
        },
        top: request.top.unwrap_or(DEFAULT_ALIKE_ENTITIES),
        ..LikeQuery::default()
    };
    query.check().map_err(refuse_limit)?;
    let in_page = request.document.is_some() && request.selection.is_some() && request.sentence.is_some();
    let in_words = request.document.is_none() && request.entity.is_some() && request.text.is_some();
    match in_page || in_words {
        true => Ok(query),
        false => Err(ApiError::BadRequest(
            "send \"document\", \"selection\" and \"sentence\", or \"entity\" and \"text\"".into(),
        )),
    }
}

fn refuse_limit(limit: LikeLimit) -> ApiError {
    ApiError::BadRequest(match limit {
        LikeLimit::Entities => format!("\"top\" {limit}"),
        LikeLimit::Terms => {
            format!("at most {MAX_TERMS} \"terms\", each with a \"weight\" from 0 to {MAX_WORD_WEIGHT}")
        }
        LikeLimit::Example => limit.to_string(),
    })
}

fn find_like_in_page(
    app: &App,
    held: &Arc<HeldDocument>,
    request: &LikeRequest,
    mut query: LikeQuery,
) -> Result<LikeResponse, ApiError> {
    let engine = app.resources()?.engine(held.private);
    let document = &held.document;
    let converter = Converter::new(document.positions(), request.offsets);
    let slice = |span: Option<WireSpan>| {
        let span = converter.to_byte_span(span.unwrap_or(WireSpan { start: 0, end: 0 }), document.text())?;
        let text = span.slice(document.text()).unwrap_or_default();
        check_example_text(text).map_err(refuse_limit)?;
        Ok::<_, ApiError>(text.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    query.example.entity = slice(request.selection)?;
    query.example.sentence = slice(request.sentence)?;
    let corpus = held.corpus(engine).map_err(explain_failure)?;
    let best = |sentence| {
        let span = *document.sentences().get(corpus.place(sentence)?.1)?;
        let text = span.slice(document.text())?.to_owned();
        Some(WireBest { text, span: Some(converter.to_wire_span(span)), path: None })
    };
    answer(engine, &corpus, &query, best, |span| Some(converter.to_wire_span(span)))
}

fn find_like_in_library(app: &App, query: &LikeQuery) -> Result<LikeResponse, ApiError> {
    let loaded = app.resources()?;
    let library = loaded.library().ok_or_else(|| {
        ApiError::NotBuilt("no library here; start the server with findall serve --library DIR".into())
    })?;
    let best = |sentence| {
        let found = library.sentences.sentence(sentence)?;
        Some(WireBest { text: found.text().to_owned(), span: None, path: Some(found.path) })
    };
    answer(loaded.engine(true), library.sentences.corpus(), query, best, |_| None)
}

/// The answer, given how a sentence and a span are shown.
fn answer(
    engine: &Engine,
    corpus: &Corpus,
    query: &LikeQuery,
    best: impl Fn(usize) -> Option<WireBest>,
    wire: impl Fn(Span) -> Option<WireSpan>,
) -> Result<LikeResponse, ApiError> {
    let alike = query.find(engine, corpus).map_err(explain_failure)?;
    let suggested = query.suggest_terms(engine).map_err(explain_failure)?;
    let entities = alike.entities.iter().filter_map(|entity| {
        Some(WireAlike {
            best: best(entity.best_sentence())?,
            name: entity.name.clone(),
            known: entity.known,
            kind: entity.kind.name().into(),
            score: entity.score,
            mentions: entity.mentions.iter().filter_map(|mention| wire(mention.span)).collect(),
        })
    });
    let suggested = suggested.into_iter().map(|one| WireTerm { word: one.word, weight: one.weight });
    Ok(LikeResponse {
        entities: entities.collect(),
        suggested: suggested.collect(),
        kind: alike.kind.map(|kind| kind.name().into()),
        took_ms: 0,
    })
}

fn explain_failure(error: ModelError) -> ApiError {
    ApiError::explain_model_failure("like", &error)
}
