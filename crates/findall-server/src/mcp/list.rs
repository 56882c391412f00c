//! The list tool: a subject and a relation in, every object that a long text gives out, each with the passages that say so.

use std::ops::ControlFlow;

use findall::Document;
use findall::list::{ListOptions, Listing, Relation, Stage};
use findall::names::Cast;
use findall_service::list::{ListChoices, ListError, ListLimit, ListRequest, ListSink, ListSource, ListTask};

use crate::app::App;
use crate::error::ApiError;
use crate::workers::Stop;
use findall_wire::lines::ListLine;
use findall_wire::{ListAnswer, ListTool, convert};

/// Reads the text for one list; stops when it is told to.
pub fn list(app: &App, document: &Document, asked: ListTool, stop: &Stop) -> Result<ListAnswer, ApiError> {
    let relation =
        Relation::read(&asked.relation).map_err(|error| ApiError::BadRequest(error.to_string()))?;
    let usual = ListOptions::default();
    let threshold = asked.threshold.unwrap_or(usual.threshold);
    let choices = ListChoices { options: ListOptions { threshold, ..usual }, ..ListChoices::default() };
    choices.options(&relation).map_err(refuse_limit)?;
    let request = ListRequest { subjects: vec![asked.subject], relations: vec![relation], choices };
    let source = ListSource { engine: app.resources()?.engine(true), document, larger: None };
    let mut sink = OneList { document, stop, list: None };
    let made = request.make_lists(&source, &mut sink);
    match (made, sink.list) {
        _ if stop.is_set() => Err(app.explain_stop(stop)),
        (Ok(()), Some(list)) => Ok(ListAnswer::of(list, convert::describe_gaps(document))),
        (Ok(()), None) | (Err(ListError::Stopped), _) => Err(app.explain_stop(stop)),
        (Err(ListError::Limit(limit)), _) => Err(refuse_limit(limit)),
        (Err(ListError::UnknownSubject(unknown)), _) => {
            let advice = "use a name as the text has it";
            Err(ApiError::Unprocessable(unknown.describe("there", advice)))
        }
        (Err(ListError::Model(error)), _) => Err(ApiError::explain_model_failure("list", &error)),
    }
}

fn refuse_limit(limit: ListLimit) -> ApiError {
    let field = match limit {
        ListLimit::Threshold => "\"threshold\"",
        ListLimit::Passages => "what is read",
    };
    ApiError::BadRequest(format!("{field} {limit}"))
}

/// Takes the one list that is asked for, until nobody waits for it.
struct OneList<'l> {
    document: &'l Document,
    stop: &'l Stop,
    list: Option<ListLine>,
}

impl ListSink for OneList<'_> {
    fn take_made(&mut self, _: &ListTask<'_>, listing: Listing, cast: &Cast) {
        self.list = Some(ListLine::of(&listing, cast, self.document, String::new()));
    }

    fn watch(&mut self, _: Stage) -> ControlFlow<()> {
        if self.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
