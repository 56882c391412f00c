//! Showing what is remembered, for people or as one JSON object a line.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use findall::encode::TextKind;
use findall_store::{
    Answer, DEFAULT_SIMILAR_QUESTION_COSINE, SimilarQuestionSearch, Store, TopQuestion, Vector,
};
use serde_json::{Value, json};

use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::meaning;
use crate::output::Output;
use crate::printer::terminal;
use crate::remember;

/// Arguments of `findall store status`.
#[derive(Debug, Args)]
pub struct StatusArgs {
    /// Read all of it and check that nothing is torn
    #[arg(long)]
    check: bool,

    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Arguments of `findall store top`.
#[derive(Debug, Args)]
pub struct TopArgs {
    /// The page: its address or its file
    page: String,

    /// At most so many
    #[arg(short = 'm', long, value_name = "N", default_value_t = 10)]
    limit: usize,

    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// Arguments of `findall store similar`.
#[derive(Debug, Args)]
pub struct SimilarArgs {
    /// What you would ask
    question: String,

    /// At most so many
    #[arg(short = 'm', long, value_name = "N", default_value_t = 10)]
    limit: usize,

    /// Lowest likeness shown, -1 to 1
    #[arg(long, default_value_t = DEFAULT_SIMILAR_QUESTION_COSINE)]
    threshold: f32,

    /// Not of this page
    #[arg(long, value_name = "PAGE")]
    except: Option<String>,

    /// Folder of the models [default: those that came with the program]
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,

    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// Where, and how much.
pub fn status(store: &dyn Store, args: &StatusArgs) -> Result<Outcome, Failure> {
    let counts = store.statistics().map_err(remember::store_failure)?;
    if args.check {
        store.verify().map_err(remember::store_failure)?;
    }
    let settings = store.settings().map_err(remember::store_failure)?;
    let mut said = String::new();
    if args.json {
        let counts = json!({
            "backend": counts.backend, "place": counts.place, "layout": counts.layout, "bytes": counts.bytes,
            "pages": counts.pages, "versions": counts.versions, "questions": counts.questions,
            "asked": counts.asked, "answers": counts.answers, "corrections": counts.corrections,
            "remember": settings.remember, "checked": args.check,
        });
        let _ = writeln!(said, "{counts}");
    } else {
        let remember = if settings.remember { "on" } else { "off" };
        let _ =
            writeln!(said, "place        {} ({}, layout {})", counts.place, counts.backend, counts.layout);
        let _ = writeln!(said, "remembering  {remember}");
        let _ = writeln!(said, "pages        {} in {} versions", counts.pages, counts.versions);
        let _ = writeln!(said, "questions    {}, asked {} times", counts.questions, counts.asked);
        let _ = writeln!(said, "answers      {}", counts.answers);
        let _ = writeln!(said, "corrections  {}", counts.corrections);
        let _ = writeln!(said, "size         {} KB", counts.bytes.div_ceil(1000));
        if args.check {
            said += "check        nothing is torn\n";
        }
    }
    Output::stdout().write(said.as_bytes())?;
    Ok(Outcome::Found)
}

/// The questions of a page.
pub fn top(store: &dyn Store, args: &TopArgs) -> Result<Outcome, Failure> {
    let found =
        store.top_questions(&remember::page_key(&args.page), args.limit).map_err(remember::store_failure)?;
    let mut said = String::new();
    for question in &found {
        if args.json {
            let _ = writeln!(said, "{}", as_json(question));
        } else {
            let _ = writeln!(said, "{:>5} × {}", question.count, terminal::to_safe_line(&question.text));
            list_answers(&mut said, &question.answers);
        }
    }
    finish(&said)
}

/// Questions of all pages.
pub fn similar(store: &dyn Store, args: &SimilarArgs, mut config: Config) -> Result<Outcome, Failure> {
    config.model = args.model.clone().or(config.model);
    let encoder = meaning::encoder(&config)?;
    let failed = |error: findall::encode::ModelError| Failure::Verb(error.to_string());
    let encoded = encoder.encode(&[args.question.as_str()], TextKind::Query).map_err(failed)?;
    let values = encoded.first().map(|one| one.pooled.as_slice()).unwrap_or_default();
    let except = args.except.as_deref().map(remember::page_key);
    let wanted = SimilarQuestionSearch {
        vector: Vector { encoder: encoder.id(), values },
        threshold: args.threshold,
        limit: args.limit,
        except_page: except.as_deref(),
        answered: true,
    };
    let mut said = String::new();
    for one in store.find_similar_questions(&wanted).map_err(remember::store_failure)? {
        if args.json {
            let mut line = as_json(&one.question);
            line["likeness"] = json!(one.likeness);
            line["page"] = json!(one.page_key);
            line["title"] = json!(one.page_title);
            let _ = writeln!(said, "{line}");
        } else {
            let page = one.page_title.as_ref().unwrap_or(&one.page_key);
            let (text, page) = (terminal::to_safe_line(&one.question.text), terminal::to_safe_line(page));
            let _ = writeln!(said, "{:>5.2}   {text} ({page})", one.likeness);
            list_answers(&mut said, &one.question.answers);
        }
    }
    finish(&said)
}

fn finish(said: &str) -> Result<Outcome, Failure> {
    Output::stdout().write(said.as_bytes())?;
    Ok(if said.is_empty() { Outcome::Nothing } else { Outcome::Found })
}

fn list_answers(said: &mut String, answers: &[Answer]) {
    for answer in answers {
        let quote = terminal::to_safe_line(&answer.selector.quote);
        let _ = writeln!(said, "        {quote} ({}, {:.2})", answer.origin.name(), answer.confidence);
    }
}

fn as_json(question: &TopQuestion) -> Value {
    let answers = question.answers.iter().map(|answer| {
        json!({
            "quote": answer.selector.quote, "prefix": answer.selector.prefix, "suffix": answer.selector.suffix,
            "start": answer.selector.start, "confidence": answer.confidence, "origin": answer.origin.name(),
            "at": answer.at,
        })
    });
    json!({
        "question": question.text, "count": question.count, "last_asked": question.last_asked,
        "answers": answers.collect::<Vec<_>>(),
    })
}
