//! The contract as an OpenAPI 3.1 document, made from the wire types: a route that is added here and in `routes::all`
//! documents itself, and tests compare the two.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::stream::NDJSON;
use findall_wire::{
    AskEvent, AskRequest, AskResponse, DocumentEvent, DocumentRequest, DocumentResponse, DoneResponse,
    ErrorBody, FeedbackRequest, FindEvent, FindRequest, FindResponse, ForgetRequest, ForgetResponse,
    KbFindRequest, KbFindResponse, KbReportRequest, LikeRequest, LikeResponse, PairRequest, PairResponse,
    ReadRequest, ReadResponse, SettingsBody, SimilarQuery, SimilarResponse, StateResponse, SuggestRequest,
    SuggestResponse, TopQuestionsQuery, TopQuestionsResponse,
};

type SchemaMaker = fn(&mut SchemaGenerator) -> Schema;

fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// One address and method.
pub struct Operation {
    pub method: &'static str,
    pub path: &'static str,
    summary: &'static str,
    /// Needs no token.
    open: bool,
    /// Body of the request.
    request: Option<SchemaMaker>,
    /// Body of the answer; `None` for text.
    answer: Option<SchemaMaker>,
    /// Lines of the answer, where it can be streamed.
    lines: Option<SchemaMaker>,
    /// Parameters after the question mark.
    parameters: Option<SchemaMaker>,
    /// Refusals besides those that every address has.
    refusals: &'static [u16],
}

const GET: Operation = Operation {
    method: "get",
    path: "",
    summary: "",
    open: false,
    request: None,
    answer: None,
    lines: None,
    parameters: None,
    refusals: &[],
};

const POST: Operation = Operation { method: "post", refusals: &[400, 413, 422], ..GET };

/// Every address.
pub const OPERATIONS: &[Operation] = &[
    Operation {
        path: "/health",
        summary: "Whether the process lives",
        open: true,
        answer: Some(schema_of::<StateResponse>),
        ..GET
    },
    Operation {
        path: "/ready",
        summary: "Whether models and knowledge are loaded; 503 until then",
        open: true,
        answer: Some(schema_of::<StateResponse>),
        ..GET
    },
    Operation { path: "/metrics", summary: "Counters for Prometheus", open: true, ..GET },
    Operation {
        path: "/openapi.json",
        summary: "This document",
        open: true,
        answer: Some(schema_of::<Map<String, Value>>),
        ..GET
    },
    Operation {
        path: "/v1/pair",
        summary: "Turn the one-time code that findall serve printed into a token",
        open: true,
        request: Some(schema_of::<PairRequest>),
        answer: Some(schema_of::<PairResponse>),
        refusals: &[400, 401, 413],
        ..POST
    },
    Operation {
        path: "/v1/documents",
        summary: "Make a page ready to be asked",
        request: Some(schema_of::<DocumentRequest>),
        answer: Some(schema_of::<DocumentResponse>),
        lines: Some(schema_of::<DocumentEvent>),
        ..POST
    },
    Operation {
        path: "/v1/read",
        summary: "The text of a file, page by page",
        request: Some(schema_of::<ReadRequest>),
        answer: Some(schema_of::<ReadResponse>),
        ..POST
    },
    Operation {
        path: "/v1/find",
        summary: "Everything in a document that the query means",
        request: Some(schema_of::<FindRequest>),
        answer: Some(schema_of::<FindResponse>),
        lines: Some(schema_of::<FindEvent>),
        refusals: &[400, 404, 413, 422],
        ..POST
    },
    Operation {
        path: "/v1/ask",
        summary: "The answer to a question, from memory or by reading, or that the page does not answer",
        request: Some(schema_of::<AskRequest>),
        answer: Some(schema_of::<AskResponse>),
        lines: Some(schema_of::<AskEvent>),
        refusals: &[400, 404, 413, 422],
        ..POST
    },
    Operation {
        path: "/v1/like",
        summary: "Entities like the one shown in a sentence, in a document or in the server's library",
        request: Some(schema_of::<LikeRequest>),
        answer: Some(schema_of::<LikeResponse>),
        refusals: &[400, 404, 413, 501],
        ..POST
    },
    Operation {
        path: "/v1/kb/find",
        summary: "Entities of the knowledge base itself that satisfy a query",
        request: Some(schema_of::<KbFindRequest>),
        answer: Some(schema_of::<KbFindResponse>),
        ..POST
    },
    Operation {
        path: "/v1/kb/report",
        summary: "A person's word that an entity's text is wrong or that a name does not mean it",
        request: Some(schema_of::<KbReportRequest>),
        answer: Some(schema_of::<DoneResponse>),
        refusals: &[400, 413, 422, 501],
        ..POST
    },
    Operation {
        path: "/v1/pages/top-questions",
        summary: "Questions that were put to a page, the most asked first",
        answer: Some(schema_of::<TopQuestionsResponse>),
        parameters: Some(schema_of::<TopQuestionsQuery>),
        refusals: &[400, 404],
        ..GET
    },
    Operation {
        path: "/v1/questions/similar",
        summary: "Questions to other pages that ask something similar",
        answer: Some(schema_of::<SimilarResponse>),
        parameters: Some(schema_of::<SimilarQuery>),
        refusals: &[400, 404],
        ..GET
    },
    Operation {
        path: "/v1/feedback",
        summary: "A person's word about an answer, which holds from the next question on",
        request: Some(schema_of::<FeedbackRequest>),
        answer: Some(schema_of::<DoneResponse>),
        refusals: &[400, 404, 413, 422],
        ..POST
    },
    Operation {
        path: "/v1/forget",
        summary: "Delete what is remembered of a page, of a question, or all of it, in the library, too",
        request: Some(schema_of::<ForgetRequest>),
        answer: Some(schema_of::<ForgetResponse>),
        ..POST
    },
    Operation {
        path: "/v1/settings",
        summary: "What may be remembered",
        answer: Some(schema_of::<SettingsBody>),
        refusals: &[422],
        ..GET
    },
    Operation {
        method: "put",
        path: "/v1/settings",
        summary: "Change what may be remembered",
        request: Some(schema_of::<SettingsBody>),
        answer: Some(schema_of::<SettingsBody>),
        ..POST
    },
    Operation {
        path: "/v1/suggest",
        summary: "What may be meant by what has been typed so far",
        request: Some(schema_of::<SuggestRequest>),
        answer: Some(schema_of::<SuggestResponse>),
        refusals: &[400, 404, 413],
        ..POST
    },
];

/// True for an address that needs no token, because it says nothing about anyone.
pub fn is_open(address: &str) -> bool {
    OPERATIONS.iter().any(|operation| operation.open && operation.path == address)
}

/// The document.
pub fn document() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    let error = schema_of::<ErrorBody>(&mut generator);
    let mut paths: Map<String, Value> = Map::new();
    for operation in OPERATIONS {
        let described = operation.describe(&mut generator, &error);
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        if let Some(path) = path.as_object_mut() {
            path.insert(operation.method.into(), described);
        }
    }
    let schemas = generator.take_definitions(true);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "findall",
            "description": "The Ctrl+F that understands, for browsers, scripts and assistants on this machine.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
        },
        "security": [{ "token": [] }],
    })
}

impl Operation {
    fn describe(&self, generator: &mut SchemaGenerator, error: &Schema) -> Value {
        let mut content = Map::new();
        match self.answer {
            Some(answer) => content.insert("application/json".into(), json!({ "schema": answer(generator) })),
            None => content
                .insert("application/openmetrics-text".into(), json!({ "schema": { "type": "string" } })),
        };
        if let Some(lines) = self.lines {
            content.insert(NDJSON.into(), json!({ "schema": lines(generator) }));
        }
        let mut responses = Map::new();
        responses.insert("200".into(), json!({ "description": "Done.", "content": content }));
        let refused = |status: u16| {
            let content = json!({ "application/json": { "schema": error } });
            (status.to_string(), json!({ "description": describe_status(status), "content": content }))
        };
        let everywhere: &[u16] = if self.open { &[403, 503] } else { &[401, 403, 408, 429, 500, 503] };
        responses.extend(everywhere.iter().chain(self.refusals).map(|status| refused(*status)));
        if self.path == "/ready" {
            let content = responses.get("200").map(|done| done["content"].clone());
            responses.insert("503".into(), json!({ "description": "Still loading.", "content": content }));
        }
        let id = self.path.trim_start_matches("/v1").trim_matches('/').replace(['/', '-', '.'], "_");
        let mut described = json!({
            "operationId": format!("{}_{id}", self.method),
            "summary": self.summary,
            "responses": responses,
        });
        if let Some(request) = self.request {
            let content = json!({ "application/json": { "schema": request(generator) } });
            described["requestBody"] = json!({ "required": true, "content": content });
        }
        if let Some(parameters) = self.parameters {
            described["parameters"] = parameters_of(parameters(generator), generator);
        }
        if self.open {
            described["security"] = json!([]);
        }
        described
    }
}

/// The fields of a type, as parameters of an address.
fn parameters_of(schema: Schema, generator: &SchemaGenerator) -> Value {
    let reference = schema.get("$ref").and_then(Value::as_str).unwrap_or_default();
    let name = reference.rsplit('/').next().unwrap_or_default();
    let definition = generator.definitions().get(name).cloned().unwrap_or_default();
    let required: Vec<&str> =
        definition["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = definition["properties"].as_object().cloned().unwrap_or_default();
    let parameters = properties.into_iter().map(|(name, schema)| {
        json!({ "in": "query", "required": required.contains(&name.as_str()), "name": name, "schema": schema })
    });
    parameters.collect()
}

fn describe_status(status: u16) -> &'static str {
    match status {
        400 => "The request makes no sense as it stands.",
        401 => "No token, or one that is not known.",
        403 => "A page, host or origin that may not ask.",
        404 => "Nothing is held under this id.",
        408 => "It took too long and was stopped.",
        413 => "More than may be sent or held.",
        422 => "Understood, but it cannot be done.",
        429 => "Too many requests at once from one client.",
        500 => "The server's fault; its log says more.",
        501 => "Not part of this server.",
        _ => "Too busy, or still loading; Retry-After says when to come back.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect_references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                found.extend(map.get("$ref").and_then(Value::as_str).map(str::to_owned));
                map.values().for_each(|value| collect_references(value, found));
            }
            Value::Array(values) => values.iter().for_each(|value| collect_references(value, found)),
            _ => {}
        }
    }

    #[test]
    fn the_document_is_whole() {
        let document = document();
        let mut found = Vec::new();
        collect_references(&document, &mut found);
        assert!(!found.is_empty());
        for reference in found {
            let pointer = reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference} leads outside"));
            assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
        }
        let mut ids: Vec<&str> = document["paths"]
            .as_object()
            .unwrap()
            .values()
            .flat_map(|path| path.as_object().unwrap().values())
            .map(|operation| operation["operationId"].as_str().unwrap())
            .collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!((ids.len(), count), (OPERATIONS.len(), OPERATIONS.len()));
    }

    #[test]
    fn only_what_says_nothing_about_anyone_is_open() {
        let open: Vec<&str> = OPERATIONS.iter().filter(|one| one.open).map(|one| one.path).collect();
        assert_eq!(open, ["/health", "/ready", "/metrics", "/openapi.json", "/v1/pair"]);
    }
}
