//! Showing what is remembered, for people or as one JSON object a line.

use std::fmt::Write;

use clap::Args;
use findall_service::ask::AnswerOrigin;
use findall_service::questions::{DEFAULT_SHOWN_QUESTIONS, SimilarQuestionsQuery, encode_question};
use findall_store::{Answer, DEFAULT_SIMILAR_QUESTION_COSINE, Store, TopQuestion, Vector};
use findall_wire::lines::{RememberedAnswerLine, SimilarQuestionLine, StoreStatusLine, TopQuestionLine};

use crate::args::{JsonArgs, ModelArgs, parse_cosine};
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::meaning;
use crate::output::Output;
use crate::printer::{json, terminal};
use crate::remember;

/// Arguments of `findall store status`.
#[derive(Debug, Args)]
pub struct StatusArgs {
    /// Read all of it and check that nothing is torn
    #[arg(long)]
    check: bool,

    #[command(flatten)]
    output: JsonArgs,
}

/// Arguments of `findall store top`.
#[derive(Debug, Args)]
pub struct TopArgs {
    /// The page: its address or its file
    page: String,

    /// At most so many
    #[arg(short = 'm', long, value_name = "N", default_value_t = DEFAULT_SHOWN_QUESTIONS)]
    max_count: usize,

    #[command(flatten)]
    output: JsonArgs,
}

/// Arguments of `findall store similar`.
#[derive(Debug, Args)]
pub struct SimilarArgs {
    /// What you would ask
    question: String,

    /// At most so many
    #[arg(short = 'm', long, value_name = "N", default_value_t = DEFAULT_SHOWN_QUESTIONS)]
    max_count: usize,

    /// Lowest likeness shown, -1 to 1
    #[arg(long, default_value_t = DEFAULT_SIMILAR_QUESTION_COSINE, value_parser = parse_cosine, allow_negative_numbers = true)]
    threshold: f32,

    /// Not of this page
    #[arg(long, value_name = "PAGE")]
    except: Option<String>,

    #[command(flatten)]
    pub(super) models: ModelArgs,

    #[command(flatten)]
    output: JsonArgs,
}

/// Where, and how much.
pub fn status(store: &dyn Store, args: &StatusArgs) -> Result<Outcome, Failure> {
    let counts = store.statistics().map_err(remember::store_failure)?;
    if args.check {
        store.verify().map_err(remember::store_failure)?;
    }
    let settings = store.settings().map_err(remember::store_failure)?;
    let mut said = String::new();
    if args.output.json {
        said += &json::line(&StoreStatusLine {
            answers: counts.answers,
            asked: counts.asked,
            backend: counts.backend,
            bytes: counts.bytes,
            checked: args.check,
            corrections: counts.corrections,
            layout: counts.layout,
            pages: counts.pages,
            place: &counts.place,
            questions: counts.questions,
            remember: settings.remember,
            versions: counts.versions,
        });
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
    let found = store
        .top_questions(&remember::page_key(&args.page), args.max_count)
        .map_err(remember::store_failure)?;
    let mut said = String::new();
    for question in &found {
        if args.output.json {
            said += &json::line(&TopQuestionLine {
                answers: to_answer_lines(question),
                count: question.count,
                last_asked: question.last_asked,
                question: &question.text,
            });
        } else {
            let _ = writeln!(said, "{:>5} × {}", question.count, terminal::to_safe_line(&question.text));
            list_answers(&mut said, &question.answers);
        }
    }
    finish(&said)
}

/// Questions of all pages.
pub fn similar(store: &dyn Store, args: &SimilarArgs, config: &Config) -> Result<Outcome, Failure> {
    let encoder = meaning::encoder(config)?;
    let values = encode_question(&*encoder, &args.question);
    let values = values.map_err(|error| Failure::Verb(error.to_string()))?;
    let except = args.except.as_deref().map(remember::page_key);
    let wanted = SimilarQuestionsQuery {
        vector: Vector { encoder: encoder.id(), values: &values },
        threshold: Some(args.threshold),
        limit: args.max_count,
        except_page: except.as_deref(),
    };
    let mut said = String::new();
    for one in wanted.find(store).map_err(remember::store_failure)? {
        if args.output.json {
            said += &json::line(&SimilarQuestionLine {
                answers: to_answer_lines(&one.question),
                count: one.question.count,
                last_asked: one.question.last_asked,
                likeness: f64::from(one.likeness),
                page: &one.page_key,
                question: &one.question.text,
                title: one.page_title.as_deref(),
            });
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
        let _ = writeln!(said, "        {quote} ({}, {:.2})", origin_name(answer), answer.confidence);
    }
}

fn origin_name(answer: &Answer) -> &'static str {
    AnswerOrigin::of_remembered(answer.origin).name()
}

fn to_answer_lines(question: &TopQuestion) -> Vec<RememberedAnswerLine<'_>> {
    question.answers.iter().map(to_answer_line).collect()
}

fn to_answer_line(answer: &Answer) -> RememberedAnswerLine<'_> {
    RememberedAnswerLine {
        at: answer.at,
        confidence: f64::from(answer.confidence),
        origin: origin_name(answer),
        prefix: &answer.selector.prefix,
        quote: &answer.selector.quote,
        start: answer.selector.start,
        suffix: &answer.selector.suffix,
    }
}
