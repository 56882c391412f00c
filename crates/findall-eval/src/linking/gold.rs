//! Gold names against the knowledge base: which of its entities each label means, if it has that one at all.

use std::collections::HashMap;
use std::io::{self, Write};

use findall::knowledge::{EntityId, KnowledgeBase, NameKind};

use super::data::{Label, LinkedArticle};

/// The entity of each label of an article.
pub struct GoldIndex {
    /// In the order of the labels; `None` when the base does not have it or nobody knows it.
    pub ids: Vec<Option<EntityId>>,
}

impl GoldIndex {
    /// Resolves the labels of an article.
    pub fn new(knowledge: &KnowledgeBase, article: &LinkedArticle) -> Self {
        let mut known: HashMap<(&str, &str), Option<EntityId>> = HashMap::new();
        let ids = article
            .labels
            .iter()
            .map(|label| {
                let name = label.name.as_deref()?;
                *known.entry((name, label.key.as_str())).or_insert_with(|| resolve(knowledge, label, name))
            })
            .collect();
        Self { ids }
    }

    /// How many known labels have their entity among the candidates of their surface.
    pub fn count_reached(&self, knowledge: &KnowledgeBase, article: &LinkedArticle) -> usize {
        let reaches = |label: &Label, id: EntityId| {
            let surface = label.span.slice(&article.text).unwrap_or("");
            knowledge.candidates(surface).iter().any(|candidate| candidate.id == id)
        };
        let labels = article.labels.iter().zip(&self.ids);
        labels
            .filter(|(label, _)| article.scope.overlaps(&label.span))
            .filter(|(label, id)| id.is_some_and(|id| reaches(label, id)))
            .count()
    }

    /// Prints what was linked wrongly.
    pub fn explain(
        &self,
        knowledge: &KnowledgeBase,
        article: &LinkedArticle,
        links: &[Option<EntityId>],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let title = |id: &Option<EntityId>| {
            id.and_then(|id| knowledge.record(id).ok()).map_or_else(|| "-".to_owned(), |record| record.title)
        };
        for (label, (expected, link)) in article.labels.iter().zip(self.ids.iter().zip(links)) {
            if expected != link && article.scope.overlaps(&label.span) {
                let surface = label.span.slice(&article.text).unwrap_or("");
                let name = label.name.as_deref().unwrap_or("nothing");
                writeln!(out, "{surface:?} is {name:?} ({}), linked to {}", title(expected), title(link))?;
            }
        }
        Ok(())
    }
}

/// A title that the label's name has is believed when it is not much rarer than another bearer of that name.
const MIN_PRIOR_RATIO: f32 = 0.25;

/// The entity that a gold name stands for: by the source's id, by title, by alias. Labels often lack the disambiguators of
/// titles ("Apple", "Phoenix"), so the kinds that the annotators gave decide between entities of one name, and where
/// names are Wikidata's so does how common the name is for each.
fn resolve(knowledge: &KnowledgeBase, label: &Label, name: &str) -> Option<EntityId> {
    let candidates = knowledge.candidates(name);
    let named = || candidates.iter().filter(|candidate| candidate.via != NameKind::Short);
    let record = |id: EntityId| knowledge.record(id).ok();
    let titled = knowledge.find_title(name);
    let first = named().next().map(|candidate| candidate.id);
    if label.kinds.is_empty() {
        return titled.or(first);
    }
    let labelled = label.key.starts_with('Q');
    if labelled && let Some(keyed) = named().find(|c| record(c.id).is_some_and(|r| r.key == label.key)) {
        return Some(keyed.id);
    }
    let fits = |id| record(id).is_some_and(|record| label.kinds.contains(&record.kind));
    let prior_of = |id| candidates.iter().find(|c| c.id == id).map_or(0.0, |c| c.prior);
    let fitting = named().find(|candidate| fits(candidate.id));
    let best = fitting.map_or(0.0, |candidate| candidate.prior);
    let known = |id| fits(id) && (!labelled || prior_of(id) >= best * MIN_PRIOR_RATIO);
    titled.filter(|id| known(*id)).or(fitting.map(|candidate| candidate.id)).or(titled).or(first)
}
