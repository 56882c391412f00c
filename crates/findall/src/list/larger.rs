//! Stage 1 with a larger model: batches of passages become prompts, the names in its replies candidates, with the
//! paper's score(O) = Σ exp(log-probability) · I. Every name is looked up in the cast, then in the text; one that is in
//! neither is kept apart and said not to be there.

use std::collections::{BTreeMap, HashMap};

use aho_corasick::{AhoCorasick, MatchKind};

use super::book::{Book, Question, Stage};
use super::generate::{GeneratedCandidates, ListCandidate, batches, rank_passages};
use super::prompts::{self, NameInReply};
use crate::chat::{ChatError, ChatModel, Reply, Turn, Usage};
use crate::encode::ModelError;
use crate::span::Span;

/// Tokens of a reply at most.
const MAX_LIST_REPLY_TOKENS: u32 = 512;

/// Places of a name outside the cast at most.
const MAX_OUTSIDER_PLACES: usize = 1000;

/// How a larger model is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PromptStyle {
    /// Each batch of passages on its own.
    Single,
    /// First what the model knows by itself, then each batch as a follow-up.
    Conv,
    /// As `Conv`, with the passages of each query template in turn.
    Ensemble,
}

/// A larger model, and what it is told about the book.
#[derive(Clone, Copy)]
pub struct LargerListModel<'m> {
    /// The model.
    pub model: &'m dyn ChatModel,
    /// The book's title.
    pub title: &'m str,
    /// How it is asked.
    pub prompting: PromptStyle,
}

/// A name that the model gave and the cast does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct NameOutsideCast {
    /// As the model wrote it.
    pub name: String,
    /// The paper's score(O).
    pub generated: f32,
    /// Whether it passed the test.
    pub accepted: bool,
    /// Where the text has it; nowhere when the model made it up, or knows it from elsewhere.
    pub spans: Vec<Span>,
}

/// What asking a larger model gave besides candidates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LargerModelReport {
    /// What it cost.
    pub usage: Usage,
    /// Names that the cast does not have, the best score first.
    pub others: Vec<NameOutsideCast>,
    /// Calls that were made or kept, of those that were due.
    pub calls: (usize, usize),
    /// Replies with more names than are taken.
    pub overlong: usize,
    /// Why the model stopped answering, where it did: the list is partial then.
    pub failure: Option<String>,
}

/// All calls of one list.
struct Conversation<'c, 'd> {
    book: &'c Book<'d>,
    question: &'c Question<'c>,
    larger: LargerListModel<'c>,
    /// Sums by name as written, and the windows that gave it.
    said: BTreeMap<String, (f32, Vec<usize>)>,
    told: LargerModelReport,
}

/// Candidates that a larger model gives. A model that gives not one reply is an error; one that stops in the middle
/// gives a partial list.
pub(super) fn candidates(
    book: &Book<'_>,
    question: &Question<'_>,
    larger: LargerListModel<'_>,
    watch: &mut dyn FnMut(Stage),
) -> Result<GeneratedCandidates, ModelError> {
    let templates: Vec<Option<usize>> = match larger.prompting {
        PromptStyle::Ensemble => (0..question.relation.queries("").len()).map(Some).collect(),
        _ => vec![None],
    };
    let mut rounds: Vec<Vec<Vec<usize>>> = Vec::new();
    for template in templates {
        rounds.push(batches(book, question, &rank_passages(book, question, template)?));
    }
    let due =
        rounds.iter().map(Vec::len).sum::<usize>() + usize::from(larger.prompting != PromptStyle::Single);
    let told = LargerModelReport { calls: (0, due), ..LargerModelReport::default() };
    let mut conversation = Conversation { book, question, larger, said: BTreeMap::new(), told };
    if let Err(error) = conversation.hold(&rounds, watch) {
        if conversation.told.calls.0 == 0 {
            return Err(ModelError { model: "larger model".into(), message: error.to_string() });
        }
        conversation.told.failure = Some(error.to_string());
    }
    Ok(conversation.resolve_names())
}

/// Whether a larger model takes a candidate for true, given its support.
pub(super) fn confirms(
    question: &Question<'_>,
    larger: LargerListModel<'_>,
    object: &str,
    passages: &[&str],
) -> Result<bool, ModelError> {
    let subject = question.aliases.first().copied().unwrap_or_default();
    let turns = prompts::ask_whether_true(subject, question.relation, object, passages);
    let reply = larger.model.chat(&turns, 8);
    let reply =
        reply.map_err(|error| ModelError { model: "larger model".into(), message: error.to_string() })?;
    let word = reply.text.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    Ok(word.starts_with("yes") || word.starts_with("true") || word.starts_with("correct"))
}

impl Conversation<'_, '_> {
    fn hold(&mut self, rounds: &[Vec<Vec<usize>>], watch: &mut dyn FnMut(Stage)) -> Result<(), ChatError> {
        let (title, relation) = (self.larger.title, self.question.relation);
        let subject = self.question.aliases.first().copied().unwrap_or_default();
        let text = self.book.document.text();
        let mut remembered = None;
        if self.larger.prompting != PromptStyle::Single {
            let reply = self.ask(&prompts::ask_from_memory(title, subject, relation), &[], watch)?;
            remembered = Some(reply.text);
        }
        for batch in rounds.iter().flatten() {
            let passages: Vec<&str> = (batch.iter())
                .map(|&window| self.book.pool.windows[window].slice(text).unwrap_or_default())
                .collect();
            let turns = match &remembered {
                Some(said) => prompts::ask_follow_up(title, subject, relation, said, &passages),
                None => prompts::ask_with_passages(title, subject, relation, &passages),
            };
            self.ask(&turns, batch, watch)?;
        }
        Ok(())
    }

    fn ask(
        &mut self,
        turns: &[Turn],
        batch: &[usize],
        watch: &mut dyn FnMut(Stage),
    ) -> Result<Reply, ChatError> {
        watch(Stage::Asking(self.told.calls.0, self.told.calls.1));
        let reply = self.larger.model.chat(turns, MAX_LIST_REPLY_TOKENS)?;
        self.told.usage += reply.usage;
        self.told.calls.0 += 1;
        let (names, more) = prompts::names_in(&reply);
        self.told.overlong += usize::from(more);
        for NameInReply { name, likely } in names {
            let (sum, windows) = self.said.entry(name).or_default();
            *sum += likely;
            windows.extend(batch);
        }
        Ok(reply)
    }

    /// Names as written become members of the cast, places in the text, or nothing that the text has.
    fn resolve_names(mut self) -> GeneratedCandidates {
        let mut found: BTreeMap<usize, ListCandidate> = BTreeMap::new();
        let mut strange: Vec<(String, f32)> = Vec::new();
        for (name, (sum, windows)) in std::mem::take(&mut self.said) {
            match self.book.cast.find(&name) {
                Some(member) if member == self.question.subject => {}
                Some(member) => {
                    let candidate = found
                        .entry(member)
                        .or_insert_with(|| ListCandidate { member, ..ListCandidate::default() });
                    candidate.score += sum;
                    let here = windows
                        .into_iter()
                        .filter(|&window| self.book.pool.named[window].binary_search(&member).is_ok());
                    candidate.windows.extend(here);
                }
                None => strange.push((name, sum)),
            }
        }
        self.told.others = locate_names(self.book.document.text(), strange);
        let mut candidates: Vec<ListCandidate> = found.into_values().collect();
        for candidate in &mut candidates {
            let mut seen = std::collections::HashSet::new();
            candidate.windows.retain(|window| seen.insert(*window));
        }
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.member.cmp(&b.member)));
        GeneratedCandidates { candidates, larger: Some(self.told) }
    }
}

/// Where the text has these names as whole words, whatever the capitals.
fn locate_names(text: &str, names: Vec<(String, f32)>) -> Vec<NameOutsideCast> {
    let mut folded: HashMap<String, NameOutsideCast> = HashMap::new();
    for (name, generated) in names {
        let other = folded.entry(name.to_lowercase()).or_insert_with(|| NameOutsideCast {
            name,
            generated: 0.0,
            accepted: false,
            spans: Vec::new(),
        });
        other.generated += generated;
    }
    let mut others: Vec<NameOutsideCast> = folded.into_values().collect();
    others.sort_by(|a, b| b.generated.total_cmp(&a.generated).then(a.name.cmp(&b.name)));
    let searched = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .build(others.iter().map(|other| other.name.as_str()));
    let Ok(searched) = searched else { return others };
    for found in searched.find_iter(text) {
        let (before, after) = (&text[..found.start()], &text[found.end()..]);
        let whole = !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
        let spans = &mut others[found.pattern().as_usize()].spans;
        if whole && spans.len() < MAX_OUTSIDER_PLACES {
            spans.push(Span::new(found.start(), found.end()));
        }
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_located_as_whole_words_or_not_at_all() {
        let names = [("Sabre", 1.0), ("sabre", 0.5), ("Cannon", 2.0), ("ab", 1.0)];
        let others =
            locate_names("A sabre, two sabres.", names.map(|(name, sum)| (name.to_owned(), sum)).to_vec());
        assert_eq!((others[0].name.as_str(), others[0].spans.len()), ("Cannon", 0));
        assert_eq!((others[1].generated, others[1].spans.as_slice()), (1.5, &[Span::new(2, 7)][..]));
        assert!(others[2].spans.is_empty());
    }
}
