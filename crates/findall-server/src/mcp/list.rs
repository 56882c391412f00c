//! The list tool: a subject and a relation in, every object that a long text gives out, each with the passages that say so.

use std::ops::ControlFlow;

use findall::Document;
use findall::list::{Helpers, ListOptions, ListedObject, Relation, Stage};
use findall::names::Cast;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tools::ToolSource;
use crate::app::App;
use crate::error::ApiError;
use crate::workers::Stop;
use findall_wire::convert;

/// Passages that the reader is asked about where the relation is in free words.
const MAX_READ_PASSAGES: usize = 20;

/// Whose what, and where.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListTool {
    /// Whose: any name that the text uses for a person, group or place, such as "Elizabeth Bennet".
    pub subject: String,
    /// What of: parent, child, sibling, family, friend, opponent, hasPlace, hasMember, or words of your own ("employers").
    pub relation: String,
    /// Where to look.
    #[serde(flatten)]
    pub source: ToolSource,
    /// Lowest probability of an object, 0 to 1; leave it out to let findall decide.
    #[serde(default)]
    pub threshold: Option<f32>,
}

/// A list.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListAnswer {
    /// The subject by its fullest name.
    pub subject: String,
    /// The relation.
    pub relation: String,
    /// Likeliest first; empty when the text gives none.
    pub objects: Vec<ListObject>,
    /// Candidates that were looked at and not accepted.
    pub rejected: usize,
    /// What of the document could not be read: scanned pages, fonts without a text map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
}

/// One object of a list.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListObject {
    /// Its fullest name.
    pub name: String,
    /// What else the text calls it.
    pub aliases: Vec<String>,
    /// How likely it is one, 0 to 1.
    pub score: f32,
    /// Where the text says so.
    pub support: Vec<ListSupport>,
}

/// A passage that speaks for an object.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListSupport {
    /// Its words.
    pub text: String,
    /// First character in the text.
    pub start: usize,
    /// The character after the last.
    pub end: usize,
}

/// Reads the text for one list; stops when it is told to.
pub fn list(app: &App, document: &Document, asked: &ListTool, stop: &Stop) -> Result<ListAnswer, ApiError> {
    let relation =
        Relation::read(&asked.relation).map_err(|error| ApiError::BadRequest(error.to_string()))?;
    let usual = ListOptions::default();
    let threshold = asked.threshold.unwrap_or(usual.threshold);
    if !(0.0..=1.0).contains(&threshold) {
        return Err(ApiError::BadRequest("\"threshold\" must lie between 0 and 1".into()));
    }
    let read = if matches!(relation, Relation::Free(_)) { MAX_READ_PASSAGES } else { 0 };
    let options = ListOptions { threshold, read, ..usual };
    let engine = app.resources()?.engine(true);
    let failed = |error: findall::encode::ModelError| ApiError::explain_model_failure("list", &error);
    let mut watch = |_: Stage| if stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let cast = engine.cast(document, &mut watch).map_err(failed)?;
    let subject = cast.find(&asked.subject).filter(|_| !stop.is_set());
    let Some(subject) = subject else {
        return Err(if stop.is_set() { app.explain_stop(stop) } else { unknown_name(&cast, &asked.subject) });
    };
    let book = engine.book(document, &cast, &mut watch).map_err(failed)?;
    let helpers = Helpers { reader: engine.reader(), larger: None };
    let listing = book.list(subject, &relation, &options, &helpers, &mut |_| ()).map_err(failed)?;
    if stop.is_set() {
        return Err(app.explain_stop(stop));
    }
    let (accepted, rejected): (Vec<&ListedObject>, Vec<&ListedObject>) =
        listing.objects.iter().partition(|object| object.accepted);
    Ok(ListAnswer {
        subject: cast.members[subject].name.clone(),
        relation: relation.name().to_owned(),
        objects: accepted.into_iter().map(|object| describe_object(object, &cast, document)).collect(),
        rejected: rejected.len(),
        unread: convert::describe_gaps(document),
    })
}

fn unknown_name(cast: &Cast, name: &str) -> ApiError {
    let hint = match cast.find_near(name) {
        near if near.is_empty() => "use a name as the text has it".to_owned(),
        near => format!("did you mean {}?", near.join(", ")),
    };
    ApiError::Unprocessable(format!("nobody and nothing called {name:?} is named there; {hint}"))
}

fn describe_object(object: &ListedObject, cast: &Cast, document: &Document) -> ListObject {
    let member = &cast.members[object.member];
    let positions = document.positions();
    let char_of = |byte: usize| positions.char_of(byte).unwrap_or_default();
    let support = object.support.iter().map(|support| ListSupport {
        text: support.span.slice(document.text()).unwrap_or_default().to_owned(),
        start: char_of(support.span.start),
        end: char_of(support.span.end),
    });
    ListObject {
        name: member.name.clone(),
        aliases: member
            .aliases
            .iter()
            .map(|alias| alias.text.clone())
            .filter(|it| *it != member.name)
            .collect(),
        score: object.score,
        support: support.collect(),
    }
}
