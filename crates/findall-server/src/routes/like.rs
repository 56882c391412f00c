//! `POST /v1/like`: from one sentence to all entities of that kind, in a page or in the server's library.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use findall::Engine;
use findall::encode::ModelError;
use findall::like::{Corpus, Example, LikeOptions, MAX_WORD_WEIGHT, Suggestions, Term};
use findall::span::Span;
use tokio::time::Instant;

use crate::app::App;
use crate::documents::HeldDocument;
use crate::error::ApiError;
use crate::extract::JsonBody;
use crate::workers::Lane;
use findall_wire::offsets::Converter;
use findall_wire::{LikeRequest, LikeResponse, WireAlike, WireBest, WireSpan, WireTerm};

/// Entities when the request does not say how many, and the most that are given.
const DEFAULT_ENTITIES: usize = 20;
const MAX_ENTITIES: usize = 1000;

/// Most words that can be weighted, and the longest example.
const MAX_TERMS: usize = 100;
const MAX_SENTENCE_BYTES: usize = 10_000;

/// Finds what is like the example.
pub async fn like(
    State(app): State<App>,
    JsonBody(request): JsonBody<LikeRequest>,
) -> Result<Json<LikeResponse>, ApiError> {
    let started = Instant::now();
    check(&request)?;
    let held = match &request.document {
        Some(id) => Some(app.documents.get(id).ok_or(ApiError::UnknownDocument)?),
        None => None,
    };
    let shared = app.clone();
    // A page is analysed when it is first asked, which takes as long as preparing it.
    let lane = if held.is_some() { Lane::Long } else { Lane::Short };
    let work = move |_: &_| {
        let mut answer = match &held {
            Some(held) => find_like_in_page(&shared, held, &request)?,
            None => find_like_in_library(&shared, &request)?,
        };
        answer.took_ms = started.elapsed().as_millis() as u64;
        Ok(Json(answer))
    };
    app.workers.run(lane, app.deadline(), work).await
}

fn check(request: &LikeRequest) -> Result<(), ApiError> {
    let bad = |message: &str| Err(ApiError::BadRequest(message.into()));
    if request.top.is_some_and(|top| !(1..=MAX_ENTITIES).contains(&top)) {
        return bad("\"top\" must be 1 to 1000");
    }
    if request.terms.len() > MAX_TERMS || request.terms.iter().any(|term| term.weight > MAX_WORD_WEIGHT) {
        return bad("at most 100 \"terms\", each with a \"weight\" from 0 to 9");
    }
    let in_page = request.document.is_some() && request.selection.is_some() && request.sentence.is_some();
    let in_words = request.document.is_none() && request.entity.is_some() && request.text.is_some();
    if !in_page && !in_words {
        return bad("send \"document\", \"selection\" and \"sentence\", or \"entity\" and \"text\"");
    }
    let longest = [&request.entity, &request.text].into_iter().flatten().map(String::len).max();
    if longest.unwrap_or(0) > MAX_SENTENCE_BYTES {
        return bad("the example is too long; send one sentence");
    }
    Ok(())
}

fn find_like_in_page(
    app: &App,
    held: &Arc<HeldDocument>,
    request: &LikeRequest,
) -> Result<LikeResponse, ApiError> {
    let engine = app.resources()?.engine(held.private);
    let document = &held.document;
    let converter = Converter::new(document.positions(), request.offsets);
    let slice = |span: Option<WireSpan>| {
        let span = converter.to_byte_span(span.unwrap_or(WireSpan { start: 0, end: 0 }), document.text())?;
        let text = span.slice(document.text()).unwrap_or_default();
        match text.len() <= MAX_SENTENCE_BYTES {
            true => Ok(text.split_whitespace().collect::<Vec<_>>().join(" ")),
            false => Err(ApiError::BadRequest("the example is too long; send one sentence".into())),
        }
    };
    let example = Example {
        entity: slice(request.selection)?,
        sentence: slice(request.sentence)?,
        terms: terms(request),
    };
    let corpus = held.corpus(engine).map_err(failed)?;
    let best = |sentence| {
        let span = *document.sentences().get(corpus.place(sentence)?.1)?;
        let text = span.slice(document.text())?.to_owned();
        Some(WireBest { text, span: Some(converter.to_wire_span(span)), path: None })
    };
    answer(engine, &corpus, &example, request, best, |span| Some(converter.to_wire_span(span)))
}

fn find_like_in_library(app: &App, request: &LikeRequest) -> Result<LikeResponse, ApiError> {
    let loaded = app.resources()?;
    let library = loaded.library().ok_or_else(|| {
        ApiError::NotBuilt("no library here; start the server with findall serve --library DIR".into())
    })?;
    let example = Example {
        entity: request.entity.clone().unwrap_or_default(),
        sentence: request.text.clone().unwrap_or_default(),
        terms: terms(request),
    };
    let best = |sentence| {
        let (document, at) = library.corpus.place(sentence)?;
        let file = *library.files.get(document)?;
        let read = library.snapshot.document(file)?;
        let text = read.sentences().get(at)?.slice(read.text())?.to_owned();
        Some(WireBest { text, span: None, path: Some(library.snapshot.files()[file].path.clone()) })
    };
    answer(loaded.engine(true), &library.corpus, &example, request, best, |_| None)
}

/// The answer, given how a sentence and a span are shown.
fn answer(
    engine: &Engine,
    corpus: &Corpus,
    example: &Example,
    request: &LikeRequest,
    best: impl Fn(usize) -> Option<WireBest>,
    wire: impl Fn(Span) -> Option<WireSpan>,
) -> Result<LikeResponse, ApiError> {
    let options = LikeOptions { top: request.top.unwrap_or(DEFAULT_ENTITIES), ..LikeOptions::default() };
    let alike = engine.like(corpus, example, &options).map_err(failed)?;
    let suggested = engine.suggest_terms(&example.entity, &example.sentence, Suggestions::default());
    let suggested = suggested.map_err(failed)?;
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

fn terms(request: &LikeRequest) -> Vec<Term> {
    let weighted = request.terms.iter().filter(|term| term.weight > 0);
    weighted.map(|term| Term { word: term.word.clone(), weight: term.weight }).collect()
}

fn failed(error: ModelError) -> ApiError {
    tracing::error!(%error, "like failed");
    ApiError::Internal("a model failed; the server's log says which".into())
}
