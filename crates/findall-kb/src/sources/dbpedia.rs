//! DBpedia's files, as N-Triples or the line-wise Turtle it publishes: one statement a line.
//!
//! `rdfs:label` names, `rdfs:comment` and `dbo:abstract` are read for facts, `dbo:wikiPageRedirects` makes a name of the target,
//! `rdf:type dbo:…` gives the kind. Statements in other languages and about other things are passed over.

use crate::build::{Draft, Name, NameOrigin};
use findall::knowledge::EntityKind;

use super::reading::{Line, Position, next_line, open};
use super::{Sink, Source, SourceError, io_error};

const MAX_LINE_BYTES: usize = 4 << 20;
const RESOURCE: &str = "http://dbpedia.org/resource/";
const ONTOLOGY: &str = "http://dbpedia.org/ontology/";

/// The object of a statement.
enum StatementObject<'l> {
    Resource(&'l str),
    Literal { text: String, language: &'l str },
}

/// Reads triples, each about one entity.
pub fn read(source: &Source, sink: &mut dyn Sink, position: &Position) -> Result<(), SourceError> {
    let mut reader = open(&source.path, position).map_err(io_error(&source.path, 0))?;
    let mut line = Vec::new();
    loop {
        let kind = next_line(&mut *reader, &mut line, MAX_LINE_BYTES)
            .map_err(io_error(&source.path, sink.rows()))?;
        if kind == Line::End {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() || text.starts_with(['#', '@']) || !sink.wants_row() {
            continue;
        }
        let Some((subject, predicate, object)) = parse_statement(text) else {
            if kind == Line::Unended {
                return Err(SourceError::Cut { path: source.path.clone(), rows: sink.rows() });
            }
            sink.refuse_row("not a statement (<subject> <predicate> object .)", text)?;
            continue;
        };
        match draft_of(subject, predicate, object, source.authority, sink) {
            Some(draft) => sink.take_draft(&draft)?,
            None => sink.skip_row(),
        }
    }
}

fn draft_of(
    subject: &str,
    predicate: &str,
    object: StatementObject<'_>,
    authority: u8,
    sink: &dyn Sink,
) -> Option<Draft> {
    let title = title_of(subject)?;
    let name = predicate.rsplit(['/', '#']).next()?;
    match (name, object) {
        ("label" | "comment" | "abstract", StatementObject::Literal { language, .. })
            if !language.is_empty() && language != sink.language() =>
        {
            None
        }
        ("label", StatementObject::Literal { text, .. }) => {
            let names =
                if text == title { Vec::new() } else { vec![Name { text, origin: NameOrigin::Given }] };
            Some(Draft { names, popularity: 0.5, ..Draft::new(title) })
        }
        ("comment" | "abstract", StatementObject::Literal { text, .. }) => {
            let mut draft = Draft { authority, popularity: 1.0, ..Draft::new(title) };
            draft.read_text(&text, &sink.extract());
            Some(draft)
        }
        ("wikiPageRedirects", StatementObject::Resource(target)) => Some(Draft {
            names: vec![Name { text: title, origin: NameOrigin::Redirect }],
            attaches_only: true,
            // Every redirect is somebody who called it that.
            popularity: 0.25,
            ..Draft::new(title_of(target)?)
        }),
        ("type", StatementObject::Resource(class)) => {
            let kind = kind_of_class(class.strip_prefix(ONTOLOGY)?)?;
            Some(Draft { kind: Some(kind), authority, attaches_only: true, ..Draft::new(title) })
        }
        _ => None,
    }
}

fn kind_of_class(class: &str) -> Option<EntityKind> {
    Some(match class {
        "Person" => EntityKind::Person,
        "FictionalCharacter" => EntityKind::Character,
        "SportsTeam" => EntityKind::Team,
        "Organisation" | "Company" | "University" => EntityKind::Organization,
        "Place" | "PopulatedPlace" | "Location" => EntityKind::Place,
        "Work" | "Film" | "Book" | "Song" | "Album" => EntityKind::Work,
        "Event" => EntityKind::Event,
        "Species" => EntityKind::Species,
        "EthnicGroup" => EntityKind::Group,
        "ChemicalSubstance" | "Drug" | "Food" => EntityKind::Substance,
        "Device" | "Software" | "VideoGame" | "MeanOfTransportation" => EntityKind::Product,
        _ => return None,
    })
}

/// `http://dbpedia.org/resource/Mercury_(planet)` as a title.
fn title_of(resource: &str) -> Option<String> {
    let name = resource.strip_prefix(RESOURCE)?;
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail
            .get(..2)
            .filter(|_| *first == b'%')
            .and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        match code {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(if *first == b'_' { b' ' } else { *first });
                rest = tail;
            }
        }
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Subject, predicate and object of one line.
fn parse_statement(line: &str) -> Option<(&str, &str, StatementObject<'_>)> {
    let (subject, rest) = parse_resource(line)?;
    let (predicate, rest) = parse_resource(rest.trim_start())?;
    let rest = rest.trim_start();
    if let Some((object, tail)) = parse_resource(rest) {
        return tail.trim_start().starts_with('.').then_some((
            subject,
            predicate,
            StatementObject::Resource(object),
        ));
    }
    let (text, tail) = parse_literal(rest)?;
    let language = tail.strip_prefix('@').map_or("", |tail| tail.split([' ', '.']).next().unwrap_or(""));
    tail.trim_end().ends_with('.').then_some((
        subject,
        predicate,
        StatementObject::Literal { text, language },
    ))
}

fn parse_resource(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('<')?.split_once('>')
}

/// A quoted literal with its escapes undone, and what follows it.
fn parse_literal(text: &str) -> Option<(String, &str)> {
    let body = text.strip_prefix('"')?;
    let mut out = String::new();
    let mut characters = body.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((out, &body[at + 1..])),
            '\\' => match characters.next()?.1 {
                'n' | 't' | 'r' => out.push(' '),
                kind @ ('u' | 'U') => {
                    let digits: String =
                        characters.by_ref().take(if kind == 'u' { 4 } else { 8 }).map(|(_, c)| c).collect();
                    out.push(
                        u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}'),
                    );
                }
                other => out.push(other),
            },
            other => out.push(other),
        }
    }
    None
}
