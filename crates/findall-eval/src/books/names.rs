//! `findall-eval names`: the cast of a book against gold persons and their aliases, by B³.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::PathBuf;

use findall::names::Cast;

use super::BookArgs;
use super::gold::{Gold, fold};
use crate::EvalError;
use crate::figures::Figures;
use crate::record::RecordArgs;

/// Arguments of `findall-eval names`.
#[derive(Debug, clap::Args)]
pub struct NamesArgs {
    /// Gold lists
    #[arg(value_name = "GOLD.json")]
    gold: PathBuf,

    #[command(flatten)]
    book: BookArgs,

    /// One JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    record: RecordArgs,
}

/// Measures and records.
pub fn run(args: &NamesArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let gold = Gold::read(&args.gold)?;
    let prepared = args.book.prepare(false)?;
    let b3 = B3::of(&gold, &prepared.cast()?);
    let figures = Figures {
        verb: "names",
        set: gold.book.clone(),
        system: "findall".into(),
        values: vec![
            ("B3 F1", b3.f1(), "share"),
            ("B3 precision", b3.precision, "share"),
            ("B3 recall", b3.recall, "share"),
            ("aliases found", b3.found, "share"),
            ("persons found", b3.persons, "share"),
            ("gold aliases", b3.aliases as f64, "count"),
        ],
        published: &[],
    };
    figures.report(args.json, &args.record, out)
}

/// B³ over the gold persons' names: each name is an item, each person a cluster. A name that the cast does not have
/// counts as found with nobody: nothing for recall.
#[derive(Clone, Copy, Debug, PartialEq)]
struct B3 {
    precision: f64,
    recall: f64,
    /// Share of the names that the cast has.
    found: f64,
    /// Share of the persons of whom the cast has a name.
    persons: f64,
    aliases: usize,
}

impl B3 {
    fn of(gold: &Gold, cast: &Cast) -> B3 {
        let mut member_of: HashMap<String, usize> = HashMap::new();
        for (number, member) in cast.members.iter().enumerate() {
            for name in member.aliases.iter().map(|alias| &alias.text).chain([&member.name]) {
                member_of.entry(fold(name)).or_insert(number);
            }
        }
        let persons: Vec<Vec<String>> = (gold.entities.iter())
            .filter(|entity| entity.kind == "person")
            .map(|entity| entity.names())
            .collect();
        let mut with: HashMap<usize, HashSet<(usize, &str)>> = HashMap::new();
        for (person, names) in persons.iter().enumerate() {
            for name in names {
                if let Some(&member) = member_of.get(name) {
                    with.entry(member).or_default().insert((person, name));
                }
            }
        }
        let (mut precision, mut recall, mut found, mut aliases, mut met) = (0.0, 0.0, 0usize, 0usize, 0usize);
        for (person, names) in persons.iter().enumerate() {
            aliases += names.len();
            met += usize::from(names.iter().any(|name| member_of.contains_key(name)));
            for member in names.iter().filter_map(|name| member_of.get(name)) {
                let together = &with[member];
                let same = together.iter().filter(|(other, _)| *other == person).count() as f64;
                found += 1;
                precision += same / together.len() as f64;
                recall += same / names.len() as f64;
            }
        }
        B3 {
            precision: precision / found.max(1) as f64,
            recall: recall / aliases.max(1) as f64,
            found: found as f64 / aliases.max(1) as f64,
            persons: met as f64 / persons.len().max(1) as f64,
            aliases,
        }
    }

    fn f1(&self) -> f64 {
        let sum = self.precision + self.recall;
        if sum > 0.0 { 2.0 * self.precision * self.recall / sum } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use findall::mentions::{Mention, MentionType};
    use findall::{Document, Span};

    #[test]
    fn names_in_wrong_company_cost_precision_and_missing_ones_recall() {
        let text = "Jo Ware ran. Jo sang. Mr. Dorn came.";
        let mention = |name: &str| {
            let start = text.find(name).unwrap();
            let span = Span::new(start, start + name.len());
            Mention { span, kind: MentionType::Person, confidence: 0.9 }
        };
        let document = Document::from_text(text);
        let cast = Cast::of(&document, &[mention("Jo Ware"), mention("Dorn")]);
        let gold: Gold = serde_json::from_str(
            r#"{"book": "b", "facts": [], "entities": [
                {"name": "Jo Ware", "type": "person", "aliases": ["Jo", "Josephine"]},
                {"name": "Mr. Dorn", "type": "person"}, {"name": "Rome", "type": "place"}]}"#,
        )
        .unwrap();
        let b3 = B3::of(&gold, &cast);
        assert_eq!((b3.aliases, b3.persons), (4, 1.0));
        assert!(b3.recall < 1.0 && b3.precision == 1.0, "{b3:?}");
    }
}
