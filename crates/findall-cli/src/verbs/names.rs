//! `findall names BOOK`: who and what a book names, each with all its names, how often, and where first.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use findall::names::{Alias, CastKind, CastMember, Gender};
use findall::{Document, Span};
use findall_wire::lines::{AliasLine, CastMemberLine, NamePlaceLine};

use crate::args::{EngineArgs, JsonArgs};
use crate::book;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::output::Output;
use crate::printer::json;
use crate::progress::Progress;

/// Arguments of `findall names`.
#[derive(Debug, Args)]
pub struct NamesArgs {
    /// The book; - for standard input
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Only people, places or groups
    #[arg(long, value_enum)]
    kind: Option<Kind>,

    /// Only the N most named
    #[arg(long, value_name = "N")]
    top: Option<usize>,

    #[command(flatten)]
    output: JsonArgs,

    #[command(flatten)]
    engine: EngineArgs,
}

/// What may be asked for.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// People
    Person,
    /// Places
    Place,
    /// Families, clubs, companies, peoples
    Group,
}

/// Resolves the names of the book and prints them, the most named first.
pub fn run(args: NamesArgs) -> Result<Outcome, Failure> {
    let document = book::open(&args.book)?;
    let engine = book::engine(&args.engine.config()?)?;
    interrupt::install();
    let progress = Progress::start();
    let cast = engine.cast(&document, &mut book::report_stages(&progress, &document));
    drop(progress);
    let cast = cast.map_err(|error| Failure::Verb(error.to_string()))?;
    let kind = args.kind.map(|kind| match kind {
        Kind::Person => CastKind::Person,
        Kind::Place => CastKind::Place,
        Kind::Group => CastKind::Group,
    });
    let wanted = cast.members.iter().filter(|member| kind.is_none_or(|kind| member.kind == kind));
    let members: Vec<&CastMember> = wanted.take(args.top.unwrap_or(usize::MAX)).collect();
    let mut out = String::new();
    for member in &members {
        match args.output.json {
            true => out += &json::line(&to_member_line(member, &document)),
            false => push_text(&mut out, member, &document),
        }
    }
    Output::stdout().write(out.as_bytes())?;
    Ok(if members.is_empty() { Outcome::Nothing } else { Outcome::Found })
}

/// "Jo March  person, she  1357×  line 12 · Jo 1355, Miss Jo 2".
fn push_text(out: &mut String, member: &CastMember, document: &Document) {
    let sort = match (member.kind, member.gender) {
        (CastKind::Person, Gender::Female) => "person, she",
        (CastKind::Person, Gender::Male) => "person, he",
        (kind, _) => kind_name(kind),
    };
    let first = member.spans.first().map_or(1, |span| line_of(document, *span));
    let names: Vec<String> = (member.aliases.iter())
        .filter(|alias| member.aliases.len() > 1 || alias.text != member.name)
        .map(|alias| format!("{} {}", alias.text, alias.count))
        .collect();
    let _ = write!(out, "{}  ({sort})  {}×, first in line {first}", member.name, member.spans.len());
    let _ = match names.is_empty() {
        true => writeln!(out),
        false => writeln!(out, ": {}", names.join(", ")),
    };
}

fn to_member_line<'m>(member: &'m CastMember, document: &Document) -> CastMemberLine<'m> {
    let positions = document.positions();
    let place = |span: Span| NamePlaceLine {
        bytes: [span.start, span.end],
        chars: [positions.char_of(span.start), positions.char_of(span.end)],
        line: line_of(document, span),
    };
    let alias =
        |alias: &'m Alias| AliasLine { count: alias.count, first: place(alias.first), text: &alias.text };
    CastMemberLine {
        aliases: member.aliases.iter().map(alias).collect(),
        count: member.spans.len(),
        first: member.spans.first().map(|&span| place(span)),
        gender: match member.gender {
            Gender::Female => Some("female"),
            Gender::Male => Some("male"),
            Gender::Unknown => None,
        },
        kind: kind_name(member.kind),
        name: &member.name,
    }
}

fn line_of(document: &Document, span: Span) -> usize {
    document.positions().line_column(span.start).map_or(1, |place| place.line)
}

fn kind_name(kind: CastKind) -> &'static str {
    match kind {
        CastKind::Person => "person",
        CastKind::Place => "place",
        CastKind::Group => "group",
    }
}
