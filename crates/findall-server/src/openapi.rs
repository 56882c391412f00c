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

const fn get(path: &'static str, summary: &'static str) -> Operation {
    Operation {
        method: "get",
        path,
        summary,
        open: false,
        request: None,
        answer: None,
        lines: None,
        parameters: None,
        refusals: &[],
    }
}

const fn post(path: &'static str, summary: &'static str) -> Operation {
    Operation { method: "post", ..get(path, summary) }.refuses(&[400, 413, 422])
}

const fn put(path: &'static str, summary: &'static str) -> Operation {
    Operation { method: "put", ..post(path, summary) }
}

impl Operation {
    const fn open(self) -> Self {
        Self { open: true, ..self }
    }

    const fn parameters<T: JsonSchema>(self) -> Self {
        Self { parameters: Some(schema_of::<T>), ..self }
    }

    const fn takes<T: JsonSchema>(self) -> Self {
        Self { request: Some(schema_of::<T>), ..self }
    }

    const fn gives<T: JsonSchema>(self) -> Self {
        Self { answer: Some(schema_of::<T>), ..self }
    }

    const fn streams<T: JsonSchema>(self) -> Self {
        Self { lines: Some(schema_of::<T>), ..self }
    }

    const fn refuses(self, refusals: &'static [u16]) -> Self {
        Self { refusals, ..self }
    }
}

/// Every address.
pub const OPERATIONS: &[Operation] = &[
    get("/health", "Whether the process lives").open().gives::<StateResponse>(),
    get("/ready", "Whether models and knowledge are loaded; 503 until then").open().gives::<StateResponse>(),
    get("/metrics", "Counters for Prometheus").open(),
    get("/openapi.json", "This document").open().gives::<Map<String, Value>>(),
    post("/v1/pair", "Turn the one-time code that findall serve printed into a token")
        .open()
        .takes::<PairRequest>()
        .gives::<PairResponse>()
        .refuses(&[400, 401, 413]),
    post("/v1/documents", "Make a page ready to be asked")
        .takes::<DocumentRequest>()
        .gives::<DocumentResponse>()
        .streams::<DocumentEvent>(),
    post("/v1/read", "The text of a file, page by page").takes::<ReadRequest>().gives::<ReadResponse>(),
    post("/v1/find", "Everything in a document that the query means")
        .takes::<FindRequest>()
        .gives::<FindResponse>()
        .streams::<FindEvent>()
        .refuses(&[400, 404, 413, 422]),
    post("/v1/ask", "The answer to a question, from memory or by reading, or that the page does not answer")
        .takes::<AskRequest>()
        .gives::<AskResponse>()
        .streams::<AskEvent>()
        .refuses(&[400, 404, 413, 422]),
    post("/v1/like", "Entities like the one shown in a sentence, in a document or in the server's library")
        .takes::<LikeRequest>()
        .gives::<LikeResponse>()
        .refuses(&[400, 404, 413, 501]),
    post("/v1/kb/find", "Entities of the knowledge base itself that satisfy a query")
        .takes::<KbFindRequest>()
        .gives::<KbFindResponse>(),
    post("/v1/kb/report", "A person's word that an entity's text is wrong or that a name does not mean it")
        .takes::<KbReportRequest>()
        .gives::<DoneResponse>()
        .refuses(&[400, 413, 422, 501]),
    get("/v1/pages/top-questions", "Questions that were put to a page, the most asked first")
        .parameters::<TopQuestionsQuery>()
        .gives::<TopQuestionsResponse>()
        .refuses(&[400, 404]),
    get("/v1/questions/similar", "Questions to other pages that ask something similar")
        .parameters::<SimilarQuery>()
        .gives::<SimilarResponse>()
        .refuses(&[400, 404]),
    post("/v1/feedback", "A person's word about an answer, which holds from the next question on")
        .takes::<FeedbackRequest>()
        .gives::<DoneResponse>()
        .refuses(&[400, 404, 413, 422]),
    post(
        "/v1/forget",
        "Delete what is remembered of a page, of a question, or all of it, in the library, too",
    )
    .takes::<ForgetRequest>()
    .gives::<ForgetResponse>(),
    get("/v1/settings", "What may be remembered").gives::<SettingsBody>().refuses(&[422]),
    put("/v1/settings", "Change what may be remembered").takes::<SettingsBody>().gives::<SettingsBody>(),
    post("/v1/suggest", "What may be meant by what has been typed so far")
        .takes::<SuggestRequest>()
        .gives::<SuggestResponse>()
        .refuses(&[400, 404, 413]),
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
