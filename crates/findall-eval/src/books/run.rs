//! All gold lists of a book made once with one choice of options, and judged.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use findall::Document;
use findall::list::{Book, Helpers, ListOptions, Listing, OBJECT_FEATURES, Relation, Scrutiny};
use findall::names::{Cast, CastMember};
use serde_json::json;

use super::gold::{Fact, Gold, fold};
use super::metrics::{JudgedObject, precision_recall, recall, recall_at, share};
use crate::record::Row;
use crate::{EvalError, inputs};

/// Objects named more often than three quarters of all are the head, the others the tail.
const HEAD: f64 = 0.75;

/// The columns of a table of parts.
pub(super) const HEADER: [&str; 9] =
    ["", "gold", "stage 1 P", "stage 1 R", "P", "R", "R@P30", "R@P50", "R@P80"];

/// The lists of all facts; `None` where the subject is not in the book.
pub(super) struct Run {
    lists: Vec<Option<Listing>>,
    judged: Vec<Vec<JudgedObject>>,
    /// Gold objects that stage 1 found, by fact.
    found: Vec<BTreeSet<usize>>,
    /// Whether answers are ranked by the probability, or by the paper's score among the accepted.
    calibrated: bool,
}

impl Run {
    pub fn of(
        gold: &Gold,
        book: &Book<'_>,
        options: &ListOptions,
        helpers: &Helpers<'_>,
    ) -> Result<Run, EvalError> {
        let by_name = gold.by_name();
        let calibrated = options.scrutiny == Scrutiny::Calibrated;
        let mut run = Run { lists: Vec::new(), judged: Vec::new(), found: Vec::new(), calibrated };
        for fact in &gold.facts {
            let listing =
                match (find_subject(gold, book.cast(), &fact.subject), Relation::read(&fact.relation)) {
                    (Some(subject), Ok(relation)) => {
                        let listing = book.list(subject, &relation, options, helpers, &mut |_| {});
                        Some(listing.map_err(inputs::wrap_error)?)
                    }
                    _ => None,
                };
            let (judged, found) = judge(gold, &by_name, book.cast(), fact, listing.as_ref(), calibrated);
            run.lists.push(listing);
            run.judged.push(judged);
            run.found.push(found);
        }
        Ok(run)
    }

    pub fn part(&self, gold: &Gold, wanted: impl Fn(&Fact) -> bool) -> Part {
        let mut part = Part { answers: Vec::new(), gold: 0, calibrated: self.calibrated };
        for (fact, judged) in gold.facts.iter().zip(&self.judged).filter(|(fact, _)| wanted(fact)) {
            part.gold += fact.objects.len();
            part.answers.extend(judged);
        }
        part
    }

    pub fn describe_unfound(&self, gold: &Gold) -> String {
        let missing: BTreeSet<&str> = (gold.facts.iter().zip(&self.lists))
            .filter(|(_, list)| list.is_none())
            .map(|(fact, _)| fact.subject.as_str())
            .collect();
        if missing.is_empty() { "none".into() } else { missing.into_iter().collect::<Vec<_>>().join(", ") }
    }

    /// Stage-1 recall of the gold objects of some relations that are named often, and of the others.
    pub fn head_and_tail(&self, gold: &Gold, cast: &Cast, wanted: impl Fn(&Fact) -> bool) -> (f64, f64) {
        let by_name = gold.by_name();
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for member in &cast.members {
            for entity in entities(&by_name, member) {
                *counts.entry(entity).or_default() += member.spans.len();
            }
        }
        let count = |entity: usize| counts.get(&entity).copied().unwrap_or(0);
        let numbers = |fact: &Fact| {
            let found = fact.objects.iter().filter_map(|name| by_name.get(&fold(name)).copied());
            found.collect::<Vec<usize>>()
        };
        let mut all: Vec<usize> = gold.facts.iter().flat_map(&numbers).map(count).collect();
        all.sort_unstable();
        let bound = all.get((HEAD * all.len() as f64) as usize).copied().unwrap_or(0);
        let mut shares = [(0, 0); 2];
        for (fact, found) in gold.facts.iter().zip(&self.found).filter(|(fact, _)| wanted(fact)) {
            for entity in numbers(fact) {
                let part = &mut shares[usize::from(count(entity) < bound)];
                part.0 += usize::from(found.contains(&entity));
                part.1 += 1;
            }
        }
        let [head, tail] = shares.map(|(found, all)| share(found, all));
        (head, tail)
    }

    /// Every candidate with what the judge weighs and whether it is right: what its weights are fitted on. The first line
    /// names the features in their order.
    pub fn features(&self, gold: &Gold) -> String {
        let mut out = format!("{}\n", json!({"features": OBJECT_FEATURES}));
        for ((fact, listing), judged) in gold.facts.iter().zip(&self.lists).zip(&self.judged) {
            for (place, one) in judged.iter().enumerate() {
                let features = listing.as_ref().map(|listing| listing.objects[one.place].features.values());
                let line = json!({"subject": fact.subject, "relation": fact.relation, "gold": fact.objects.len(),
                    "place": place, "right": one.right, "features": features});
                out += &format!("{line}\n");
            }
        }
        out
    }

    pub fn predictions(&self, gold: &Gold, cast: &Cast, document: &Document) -> String {
        let positions = document.positions();
        let mut out = String::new();
        for (fact, listing) in gold.facts.iter().zip(&self.lists) {
            let objects: Vec<serde_json::Value> = (listing.iter().flat_map(|listing| &listing.objects))
                .map(|object| {
                    let member = &cast.members[object.member];
                    let spans: Vec<[Option<usize>; 2]> = (member.spans.iter())
                        .map(|span| [positions.char_of(span.start), positions.char_of(span.end)])
                        .collect();
                    json!({"name": member.name, "score": object.score, "accepted": object.accepted, "spans": spans})
                })
                .collect();
            let line = json!({"book": gold.book, "subject": fact.subject, "relation": fact.relation, "objects": objects});
            out += &format!("{line}\n");
        }
        out
    }
}

/// The member of the cast that a gold subject is: by its name, else by any alias.
fn find_subject(gold: &Gold, cast: &Cast, name: &str) -> Option<usize> {
    let entity = gold.entities.iter().find(|entity| entity.name == name);
    let aliases = entity.into_iter().flat_map(|entity| entity.aliases.iter().map(String::as_str));
    std::iter::once(name).chain(aliases).find_map(|name| cast.find(name))
}

/// Gold entities that a member's names mean.
fn entities(by_name: &HashMap<String, usize>, member: &CastMember) -> BTreeSet<usize> {
    let names = member.aliases.iter().map(|alias| &alias.text).chain([&member.name]);
    names.filter_map(|name| by_name.get(&fold(name)).copied()).collect()
}

/// Answers right and wrong, without the optional ones. A second answer for one gold object is wrong.
fn judge(
    gold: &Gold,
    by_name: &HashMap<String, usize>,
    cast: &Cast,
    fact: &Fact,
    listing: Option<&Listing>,
    calibrated: bool,
) -> (Vec<JudgedObject>, BTreeSet<usize>) {
    let numbers = |names: &[String]| -> BTreeSet<usize> {
        names.iter().filter_map(|name| by_name.get(&fold(name)).copied()).collect()
    };
    let (mut open, optional) = (numbers(&fact.objects), numbers(&fact.optional));
    let own = gold.entities.iter().position(|entity| entity.name == fact.subject);
    let mut found = BTreeSet::new();
    let mut judged = Vec::new();
    for (place, object) in listing.into_iter().flat_map(|listing| &listing.objects).enumerate() {
        let entities = entities(by_name, &cast.members[object.member]);
        let hit = entities.iter().copied().find(|entity| open.remove(entity));
        let neither =
            hit.is_none() && entities.iter().any(|entity| optional.contains(entity) || Some(*entity) == own);
        found.extend(hit);
        if !neither {
            let score = if calibrated { object.score } else { object.generated };
            judged.push(JudgedObject { score, right: hit.is_some(), accepted: object.accepted, place });
        }
    }
    (judged, found)
}

/// A part of the facts, measured.
pub(super) struct Part {
    answers: Vec<JudgedObject>,
    gold: usize,
    calibrated: bool,
}

impl Part {
    fn figures(&self) -> BTreeMap<&'static str, f64> {
        let (precision, accepted_recall) = precision_recall(&self.answers, self.gold);
        let right = self.answers.iter().filter(|answer| answer.right).count();
        // The paper's tests prune first and rank what is left; the calibrated one ranks everything.
        let ranked: Vec<JudgedObject> =
            self.answers.iter().filter(|answer| self.calibrated || answer.accepted).copied().collect();
        BTreeMap::from([
            ("stage 1 P", share(right, self.answers.len())),
            ("stage 1 R", recall(&self.answers, self.gold)),
            ("P", precision),
            ("R", accepted_recall),
            ("R@P30", recall_at(&ranked, self.gold, 0.3)),
            ("R@P50", recall_at(&ranked, self.gold, 0.5)),
            ("R@P80", recall_at(&ranked, self.gold, 0.8)),
        ])
    }

    pub fn cells(&self, name: &str) -> Vec<String> {
        let figures = self.figures();
        let percent = |column: &&str| format!("{:.1}", 100.0 * figures[*column]);
        [name.to_owned(), self.gold.to_string()].into_iter().chain(HEADER[2..].iter().map(percent)).collect()
    }

    pub fn rows(&self, book: &str, name: &str) -> Vec<Row> {
        let figures = self.figures();
        figures.iter().map(|(metric, value)| Row::new(book, name, metric, *value, "share")).collect()
    }
}
