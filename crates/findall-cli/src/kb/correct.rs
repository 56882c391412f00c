//! `findall kb report | add | corrections`: what a person corrects, kept in a layer of their own that wins from the next
//! query on.

use clap::Args;
use findall::knowledge::corrections::{Addition, Correction, CorrectionError, UnclearName};
use findall::knowledge::{EntityKind, KnowledgeBase};
use findall_service::base::{BaseFault, ReportError, correction_of};
use findall_wire::lines::KbCorrectionLine;

use super::show::report_nothing;
use super::{BaseArgs, open};
use crate::args::JsonArgs;
use crate::corrections;
use crate::failure::{Failure, Outcome, complain};
use crate::output::Output;
use crate::printer::{json, terminal};

/// Arguments of `findall kb report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Which entity: its title, or a name that means no other
    name: String,

    /// What is wrong, in your words
    #[arg(required_unless_present = "withdraw")]
    words: Option<String>,

    /// The entity is not what NAME means (no name at all, when none is given); its text stays
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    not_meant: Option<String>,

    /// Take back everything that was reported or added about the entity
    #[arg(long, conflicts_with = "not_meant")]
    withdraw: bool,

    #[command(flatten)]
    base: BaseArgs,
}

/// Arguments of `findall kb corrections`.
#[derive(Debug, Args)]
pub struct CorrectionsArgs {
    #[command(flatten)]
    output: JsonArgs,
}

/// Keeps a report.
pub fn report(args: &ReportArgs) -> Result<Outcome, Failure> {
    let base = open(&args.base)?;
    if args.withdraw {
        return withdraw(&base, &args.name);
    }
    let fault = match &args.not_meant {
        Some(name) => BaseFault::Link { name: Some(name.clone()) },
        None => BaseFault::Text,
    };
    let correction = match correction_of(&base, &args.name, fault, args.words.clone().unwrap_or_default()) {
        Ok(correction) => correction,
        Err(ReportError::Unclear(UnclearName::Unknown)) => return report_nothing(&base, &args.name),
        Err(ReportError::Unclear(unclear)) => {
            complain(&format!("{:?}: {unclear}", args.name));
            return Ok(Outcome::Nothing);
        }
        Err(ReportError::Base(error)) => return Err(Failure::Verb(error.to_string())),
    };
    keep(&correction)?;
    let said = match &correction {
        Correction::WrongLink { name: Some(name), .. } => format!("is no longer what {name:?} means"),
        Correction::WrongLink { name: None, .. } => "is no longer what any name means".to_owned(),
        _ => "its text is no longer used".to_owned(),
    };
    say(correction.title(), &said)
}

/// Takes back what was reported or added. It may not be found by its name any more.
fn withdraw(base: &KnowledgeBase, name: &str) -> Result<Outcome, Failure> {
    let title = match base.entity_meant(name) {
        Ok(id) => base.record(id).map_err(|error| Failure::Verb(error.to_string()))?.title,
        Err(_) => name.trim().to_owned(),
    };
    if !is_corrected(&title)? {
        complain(&format!("nothing was reported or added about {title:?}"));
        return Ok(Outcome::Nothing);
    }
    keep(&Correction::Withdraw { title: title.clone() })?;
    say(&title, "what was said about it is taken back")
}

fn say(title: &str, said: &str) -> Result<Outcome, Failure> {
    let line = format!("{}: {said}, from the next query on\n", terminal::to_safe_line(title));
    Output::stdout().write(line.as_bytes())?;
    Ok(Outcome::Found)
}

/// Keeps an addition in the layer of corrections.
pub fn add(
    title: &str,
    kind: Option<EntityKind>,
    text: &str,
    aliases: &[String],
) -> Result<Outcome, Failure> {
    let addition = Addition {
        title: title.trim().to_owned(),
        kind,
        text: text.trim().to_owned(),
        aliases: aliases.iter().map(|alias| alias.trim().to_owned()).collect(),
    };
    keep(&Correction::Add(addition))?;
    let line = format!("{}: known from the next query on\n", terminal::to_safe_line(title.trim()));
    Output::stdout().write(line.as_bytes())?;
    Ok(Outcome::Found)
}

fn keep(correction: &Correction) -> Result<(), Failure> {
    corrections::file_to_write()?.append(correction).map_err(|error| match error {
        CorrectionError::Refused(refusal) => Failure::Usage(refusal.to_string()),
        error => Failure::Verb(error.to_string()),
    })
}

fn is_corrected(title: &str) -> Result<bool, Failure> {
    let read = corrections::file_to_write()?.read().map_err(|error| Failure::Verb(error.to_string()))?;
    let key = findall::knowledge::title_key(title);
    Ok(read.corrections.iter().any(|one| findall::knowledge::title_key(one.title()) == key))
}

/// Lists what was corrected.
pub fn list(args: &CorrectionsArgs) -> Result<Outcome, Failure> {
    let file = corrections::file_to_write()?;
    let read = file.read().map_err(|error| Failure::Verb(error.to_string()))?;
    if let Some(line) = corrections::broken_lines(&file, &read) {
        complain(&line);
    }
    let mut out = String::new();
    for correction in &read.corrections {
        let line = to_correction_line(correction);
        out.push_str(&if args.output.json { json::line(&line) } else { to_text(&line) });
    }
    if read.corrections.is_empty() {
        complain("nothing was reported or added; findall kb report and findall kb add do that");
        return Ok(Outcome::Nothing);
    }
    Output::stdout().write(out.as_bytes())?;
    Ok(Outcome::Found)
}

fn to_correction_line(correction: &Correction) -> KbCorrectionLine<'_> {
    let title = correction.title();
    let plain =
        KbCorrectionLine { correction: "withdraw", title, name: None, kind: None, text: "", aliases: &[] };
    match correction {
        Correction::Add(addition) => KbCorrectionLine {
            correction: "add",
            kind: addition.kind.map(EntityKind::name),
            text: &addition.text,
            aliases: &addition.aliases,
            ..plain
        },
        Correction::WrongText { words, .. } => KbCorrectionLine { correction: "text", text: words, ..plain },
        Correction::WrongLink { name, words, .. } => {
            KbCorrectionLine { correction: "link", name: name.as_deref(), text: words, ..plain }
        }
        Correction::Withdraw { .. } => plain,
    }
}

fn to_text(line: &KbCorrectionLine<'_>) -> String {
    let what = match line.correction {
        "add" => "added",
        "text" => "text is wrong",
        "link" => "not meant",
        _ => "taken back",
    };
    let by = line.name.map(|name| format!(" by {name:?}")).unwrap_or_default();
    let colon = if line.text.is_empty() { "" } else { ": " };
    terminal::to_safe_line(&format!("{} · {what}{by}{colon}{}", line.title, line.text)) + "\n"
}

/// Lays the user's corrections over a base that a verb opened.
pub fn apply(base: KnowledgeBase) -> KnowledgeBase {
    corrections::apply(&base);
    base
}
