//! The Wikidata JSON dump: one item a line between `[` and `]`, read as it streams.
//!
//! Taken: label, description, aliases and the article title in the chosen language, years of birth, death, foundation
//! and publication, the kind by `instance of`, and the number of linked articles as popularity. Pages about pages (disambiguations,
//! categories, templates, lists) are passed over. An item without an article in that language keeps its own id and is
//! never merged with another of the same label.

use std::collections::HashMap;

use crate::build::{Draft, Name, NameOrigin};
use crate::extract::kind_of_description;
use findall::knowledge::{EntityKind, Phrase, PhraseKind};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::reading::{Line, Position, next_line, open};
use super::{Sink, Source, SourceError, io_error};

/// The longest items of the real dump have some megabytes.
const MAX_ITEM_BYTES: usize = 64 << 20;

#[derive(Deserialize)]
struct Item {
    id: String,
    #[serde(default)]
    labels: HashMap<String, Text>,
    #[serde(default)]
    descriptions: HashMap<String, Text>,
    #[serde(default)]
    aliases: HashMap<String, Vec<Text>>,
    #[serde(default)]
    claims: HashMap<String, Vec<Claim>>,
    #[serde(default)]
    sitelinks: HashMap<String, Article>,
}

#[derive(Deserialize)]
struct Text {
    value: String,
}

#[derive(Deserialize)]
struct Article {
    title: String,
}

#[derive(Deserialize)]
struct Claim {
    #[serde(default)]
    mainsnak: Option<Snak>,
}

#[derive(Deserialize)]
struct Snak {
    #[serde(default)]
    datavalue: Option<Value>,
}

#[derive(Deserialize)]
struct Value {
    value: Content,
}

/// Of the many shapes of a value only items and times are read.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Item { id: String },
    Time { time: String },
    Else(IgnoredAny),
}

impl Item {
    fn contents(&self, property: &str) -> impl Iterator<Item = &Content> {
        self.claims
            .get(property)
            .into_iter()
            .flatten()
            .filter_map(|claim| Some(&claim.mainsnak.as_ref()?.datavalue.as_ref()?.value))
    }

    fn classes(&self) -> impl Iterator<Item = &str> {
        self.contents("P31").filter_map(|content| match content {
            Content::Item { id } => Some(id.as_str()),
            _ => None,
        })
    }

    /// The first year that a property gives: `+1952-03-11T00:00:00Z`.
    fn year(&self, property: &str) -> Option<&str> {
        self.contents(property).find_map(|content| match content {
            Content::Time { time } => {
                time.strip_prefix('+')?.get(..4).filter(|year| year.bytes().all(|b| b.is_ascii_digit()))
            }
            _ => None,
        })
    }
}

/// Classes that are pages about pages.
const NOT_THINGS: &[&str] = &["Q4167410", "Q4167836", "Q11266439", "Q13406463", "Q17442446", "Q22808320"];

/// Classes whose kind the words of a description may not give away.
fn kind_of_class(class: &str) -> Option<EntityKind> {
    Some(match class {
        "Q5" => EntityKind::Person,
        "Q15632617" | "Q95074" | "Q15773347" => EntityKind::Character,
        "Q515" | "Q6256" | "Q3624078" | "Q486972" | "Q532" | "Q3957" | "Q1549591" | "Q4022" | "Q8502"
        | "Q23397" | "Q23442" | "Q35657" | "Q55488" | "Q41176" | "Q16970" => EntityKind::Place,
        "Q4830453" | "Q783794" | "Q6881511" | "Q891723" | "Q43229" | "Q7278" | "Q3918" | "Q163740"
        | "Q215380" | "Q9826" | "Q3914" | "Q484652" => EntityKind::Organization,
        "Q476028" | "Q12973014" | "Q847017" | "Q13393265" => EntityKind::Team,
        "Q11424" | "Q5398426" | "Q482994" | "Q7366" | "Q134556" | "Q571" | "Q7725634" | "Q3305213"
        | "Q11032" | "Q41298" | "Q15416" | "Q8261" => EntityKind::Work,
        "Q7889" | "Q7397" | "Q431289" | "Q2424752" | "Q166142" | "Q3231690" => EntityKind::Product,
        "Q198" | "Q178561" | "Q40231" | "Q18608583" | "Q27020041" | "Q1656682" | "Q500834" => {
            EntityKind::Event
        }
        "Q16521" => EntityKind::Species,
        "Q11173" | "Q12140" | "Q11344" | "Q79529" => EntityKind::Substance,
        "Q41710" | "Q9174" => EntityKind::Group,
        _ => return None,
    })
}

/// Reads the dump, one item a line.
pub fn read(source: &Source, sink: &mut dyn Sink, position: &Position) -> Result<(), SourceError> {
    let mut reader = open(&source.path, position).map_err(io_error(&source.path, 0))?;
    let mut line = Vec::new();
    let mut closed = false;
    let mut opened = false;
    loop {
        let kind = next_line(&mut *reader, &mut line, MAX_ITEM_BYTES)
            .map_err(io_error(&source.path, sink.rows()))?;
        if kind == Line::End {
            // Dumps end with a bracket; files of bare lines have neither the first nor the last one.
            return if opened && !closed {
                Err(SourceError::Cut { path: source.path.clone(), rows: sink.rows() })
            } else {
                Ok(())
            };
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim().trim_end_matches(',');
        match text {
            "" => continue,
            "[" => opened = true,
            "]" => closed = true,
            _ if !sink.wants_row() => {}
            _ if kind == Line::TooLong => sink.refuse_row("the item is longer than 64 MB", text)?,
            _ => match serde_json::from_str::<Item>(text) {
                Ok(item) => match draft_of(item, source.authority, sink.language()) {
                    Some(draft) => sink.take_draft(&draft)?,
                    None => sink.skip_row(),
                },
                Err(error) if kind == Line::Unended && error.is_eof() => {
                    return Err(SourceError::Cut { path: source.path.clone(), rows: sink.rows() });
                }
                Err(error) if sink.rows() <= 1 && !text.starts_with('{') => {
                    return Err(SourceError::Format {
                        path: source.path.clone(),
                        expected: "a Wikidata JSON dump",
                        found: error.to_string(),
                    });
                }
                Err(error) => sink.refuse_row(&format!("not an item: {error}"), text)?,
            },
        }
    }
}

fn draft_of(mut item: Item, authority: u8, language: &str) -> Option<Draft> {
    if !item.id.starts_with('Q') || item.classes().any(|class| NOT_THINGS.contains(&class)) {
        return None;
    }
    let article = item.sitelinks.get(&format!("{language}wiki")).map(|article| article.title.clone());
    let label = item.labels.remove(language).map(|text| text.value);
    let title = article.clone().or_else(|| label.clone())?;
    let description = item.descriptions.remove(language).map(|text| text.value).unwrap_or_default();
    let kind = item.classes().find_map(kind_of_class).or_else(|| kind_of_description(&description));
    let mut phrases = Vec::new();
    let when = match (item.year("P569"), item.year("P570")) {
        (Some(born), Some(died)) => Some(format!("{born}–{died}")),
        (Some(born), None) => Some(format!("born {born}")),
        _ => item
            .year("P571")
            .map(|year| format!("founded {year}"))
            .or_else(|| item.year("P577").map(|year| format!("published {year}"))),
    };
    phrases.extend(when.map(|text| Phrase { kind: PhraseKind::When, text }));
    let others = item.aliases.remove(language).unwrap_or_default().into_iter().map(|text| text.value);
    let names = label.into_iter().filter(|label| *label != title).chain(others);
    Some(Draft {
        stands_alone: article.is_none(),
        kind,
        description,
        phrases,
        names: names.map(|text| Name { text, origin: NameOrigin::Given }).collect(),
        popularity: item.sitelinks.len() as f32,
        authority,
        key: item.id,
        ..Draft::new(title)
    })
}
