//! `findall kb link`: the names of a file, the entity that each means, how sure that is, and why.

use std::path::{Path, PathBuf};

use clap::Args;
use findall::Document;
use findall::document::ReadOptions;
use findall::knowledge::{KnowledgeBase, NameKind, Record};
use findall::linking::{Agreement, LinkEvidence, LinkedMention, Linker};
use findall_wire::lines::KbLinkLine;

use super::{BaseArgs, open_configured};
use crate::args::{ModelArgs, parse_share};
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::meaning;
use crate::output::Output;
use crate::printer::json;
use crate::search;

/// Arguments of `findall kb link`.
#[derive(Debug, Args)]
pub struct LinkArgs {
    /// The file to read; - for standard input
    file: PathBuf,

    #[command(flatten)]
    models: ModelArgs,

    /// Leave out links less sure than this, 0 to 1; what they might be is said beside the name
    #[arg(long, value_name = "CONFIDENCE", default_value_t = 0.25, value_parser = parse_share)]
    threshold: f32,

    /// Say why each link was made
    #[arg(long)]
    explain: bool,

    #[command(flatten)]
    base: BaseArgs,
}

/// Tags, links and prints; exit 1 when the file names nothing.
pub fn run(args: &LinkArgs) -> Result<Outcome, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Verb(error.to_string());
    let config = Config::read(args.models.layer().or(args.base.knowledge.layer()))?;
    let options = ReadOptions::default();
    let document = if args.file == Path::new("-") {
        search::open_stdin(None, &options)
    } else {
        search::open(&args.file, None, &options)
    };
    let document = document.map_err(|error| failed(&format!("{}: {error}", args.file.display())))?;
    let knowledge = open_configured(&config)?;
    let tagger = meaning::tagger(&config)?;
    let mentions = tagger.tag(&[document.text()]).map_err(|error| failed(&error))?.pop().unwrap_or_default();
    let linked = Linker::new(&knowledge).link(&document, &mentions);
    let mut out = String::new();
    for linked in &linked {
        let line = to_link_line(args, &knowledge, &document, linked)?;
        out.push_str(&if args.base.output.json { json::line(&line) } else { to_text(&line) });
    }
    Output::stdout().write(out.as_bytes())?;
    Ok(if linked.is_empty() { Outcome::Nothing } else { Outcome::Found })
}

fn to_link_line<'d>(
    args: &LinkArgs,
    knowledge: &KnowledgeBase,
    document: &'d Document,
    linked: &LinkedMention,
) -> Result<KbLinkLine<'d>, Failure> {
    let span = linked.mention.span;
    let record = linked.link.as_ref().map(|link| knowledge.record(link.entity)).transpose();
    let record: Option<Record> = record.map_err(|error| Failure::Verb(error.to_string()))?;
    let sure = linked.link.as_ref().filter(|link| link.confidence >= args.threshold);
    let (record, guess) = if sure.is_some() { (record, None) } else { (None, record) };
    let why = match sure {
        Some(link) if args.explain => {
            link.evidence.iter().map(|evidence| explain_evidence(evidence, knowledge, document)).collect()
        }
        _ => Vec::new(),
    };
    Ok(KbLinkLine {
        text: span.slice(document.text()).unwrap_or_default(),
        start: span.start,
        end: span.end,
        cluster: linked.cluster,
        confidence: linked.link.as_ref().map(|link| link.confidence),
        perhaps: guess.map(|record| record.title),
        key: record.as_ref().map(|record| record.key.clone()).filter(|key| !key.is_empty()),
        description: record.as_ref().map(|record| record.description.clone()),
        entity: record.map(|record| record.title),
        why,
    })
}

fn to_text(line: &KbLinkLine<'_>) -> String {
    let surface: String = line.text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut out = match (&line.entity, line.confidence) {
        (Some(entity), Some(confidence)) => {
            let description = line.description.as_deref().filter(|text| !text.is_empty());
            let description = description.map_or_else(String::new, |text| format!(": {text}"));
            format!("{surface} → {entity} ({confidence:.2}){description}\n")
        }
        (None, Some(confidence)) => {
            let guess = line.perhaps.as_deref().unwrap_or_default();
            format!("{surface} → not sure, perhaps {guess} ({confidence:.2})\n")
        }
        _ => format!("{surface} → not in the knowledge base\n"),
    };
    for why in &line.why {
        out.push_str(&format!("    {why}\n"));
    }
    out
}

fn explain_evidence(evidence: &LinkEvidence, knowledge: &KnowledgeBase, document: &Document) -> String {
    match evidence {
        LinkEvidence::Name { via, prior } => {
            let via = match via {
                NameKind::Title => "its title",
                NameKind::Base => "its title without the disambiguator",
                NameKind::Alias => "another name of it",
                NameKind::Short => "a short form of it",
            };
            format!("name: {via}, prior {prior:.2}")
        }
        LinkEvidence::Type(agreement) => match agreement {
            Agreement::Agrees => "type: agrees".to_owned(),
            Agreement::Possible => "type: possible".to_owned(),
            Agreement::Conflicts => "type: conflicts".to_owned(),
            Agreement::Unknown => "type: not known".to_owned(),
        },
        LinkEvidence::Context { sentence, document } => {
            format!(
                "context: shared words weigh {sentence:.1} in the sentence, {document:.1} in the document"
            )
        }
        LinkEvidence::Coherence { share, with } => {
            let with = with.and_then(|id| knowledge.record(id).ok());
            let with = with.map_or_else(String::new, |record| format!(", with {}", record.title));
            format!("company: {:.0} % of its words{with}", 100.0 * share)
        }
        LinkEvidence::Antecedent(span) => {
            format!("follows: {}", span.slice(document.text()).unwrap_or_default())
        }
    }
}
