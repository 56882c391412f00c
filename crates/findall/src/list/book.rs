//! A book that lists can be asked of: read once, then any number of subjects and relations.

use std::collections::BTreeMap;
use std::ops::Range;

use super::graph::Graph;
use super::hints::Hints;
use super::judge;
use super::pairs::Pairs;
use super::pool::Pool;
use super::reading::BookReading;
use super::tokens::Token;
use super::weights::ObjectFeatures;
use super::{LargerListModel, LargerModelReport, ListOptions, Relation, generate, larger, scrutiny, ties};
use crate::ask::Reader;
use crate::document::Document;
use crate::encode::{Embedding, Encoder, ModelError};
use crate::names::{Cast, CastKind};
use crate::span::Span;

/// Support passages shown for an object at most.
const MAX_SUPPORT_PASSAGES: usize = 3;

/// Share of those about where a place is named, from which on somebody may have been there.
const MIN_SHARE_ABOUT: f32 = 0.1;

/// What stands for a hidden name.
const NAME_PLACEHOLDER: &str = "someone";

/// Where the work stands, for a progress line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Finding names; bytes of the text done.
    Tagging(usize),
    /// Resolving names, ties and families.
    Reading,
    /// Encoding passages; bytes of the text done.
    Encoding(usize),
    /// Retrieving passages and generating candidates.
    Recall,
    /// Asking a larger model; calls done, and calls due.
    Asking(usize, usize),
    /// Testing candidates.
    Scrutiny,
}

/// A book, read.
pub struct Book<'d> {
    pub(super) document: &'d Document,
    pub(super) cast: &'d Cast,
    pub(super) encoder: &'d dyn Encoder,
    pub(super) reading: BookReading<'d>,
    pub(super) pool: Pool,
    pub(super) pairs: Pairs,
    pub(super) graph: Graph,
    pub(super) hints: Hints,
    pub(super) ties: Vec<ties::StatedTie>,
    /// How often people are named in all.
    people_named: f32,
}

/// One list that is asked for.
pub(super) struct Question<'q> {
    pub subject: usize,
    /// Names of the subject, the fullest first.
    pub aliases: Vec<&'q str>,
    pub relation: &'q Relation,
    pub cues: &'q [String],
    pub options: &'q ListOptions,
    pub reader: Option<&'q dyn Reader>,
    pub larger: Option<LargerListModel<'q>>,
}

/// Models that a list may ask besides the encoder.
#[derive(Clone, Copy, Default)]
pub struct Helpers<'h> {
    /// For relations in free words, and for the test `conf`.
    pub reader: Option<&'h dyn Reader>,
    /// Generates candidates in place of the tagger and the resolver.
    pub larger: Option<LargerListModel<'h>>,
}

/// One object of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedObject {
    /// Its number in the cast.
    pub member: usize,
    /// How likely it is one, 0 to 1; where a larger model generates, its score(O) s as s / (1 + s).
    pub score: f32,
    /// The paper's score(O): over batches, how likely each gives it.
    pub generated: f32,
    /// Whether it passed the test.
    pub accepted: bool,
    /// The test that decided: `calibrated`, `thr`, `pred` …
    pub by: &'static str,
    /// True when no passage of the pool named it with the subject, and it follows from other ties.
    pub inferred: bool,
    /// The passages that speak for it best.
    pub support: Vec<Support>,
    /// What the judge weighed, for fitting its weights.
    pub features: ObjectFeatures,
}

/// A passage that speaks for an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Support {
    /// The sentences.
    pub span: Span,
    /// Subject, object and the words that tell of the relation, in order.
    pub highlights: Vec<Span>,
}

/// A whole list, the likeliest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// The subject's number in the cast.
    pub subject: usize,
    /// What was asked.
    pub relation: Relation,
    /// Every candidate of stage 1, accepted or not.
    pub objects: Vec<ListedObject>,
    /// What a larger model said besides, where one was asked.
    pub larger: Option<LargerModelReport>,
}

impl<'d> Book<'d> {
    /// Reads a book whose names are resolved. `vectors` has one embedding for each stretch of the text, or none: then
    /// passages are retrieved by words only.
    pub fn of(
        document: &'d Document,
        cast: &'d Cast,
        vectors: Vec<Embedding>,
        encoder: &'d dyn Encoder,
    ) -> Book<'d> {
        let reading = BookReading::of(document, cast);
        let ties = ties::read_ties(&reading);
        let pairs = Pairs::of(&reading);
        let hints = Hints::of(&reading);
        let graph = Graph::of(cast, &ties, &hints, &|a, b| pairs.get(a, b).sentences);
        let pool = Pool::of(document, cast, vectors);
        let people = cast.members.iter().filter(|member| member.kind == CastKind::Person);
        let people_named = people.map(|member| member.spans.len() as f32).sum();
        Book { document, cast, encoder, reading, pool, pairs, graph, hints, ties, people_named }
    }

    /// Everybody and everything named.
    pub fn cast(&self) -> &Cast {
        self.cast
    }

    /// The list of one subject and relation.
    pub fn list(
        &self,
        subject: usize,
        relation: &Relation,
        options: &ListOptions,
        helpers: &Helpers<'_>,
        watch: &mut dyn FnMut(Stage),
    ) -> Result<Listing, ModelError> {
        let member = &self.cast.members[subject];
        let mut aliases = vec![member.name.as_str()];
        aliases.extend(
            member.aliases.iter().map(|alias| alias.text.as_str()).filter(|text| *text != member.name),
        );
        let cues = relation.cues();
        let Helpers { reader, larger } = *helpers;
        let question = Question { subject, aliases, relation, cues: &cues, options, reader, larger };
        watch(Stage::Recall);
        let generated = match larger {
            Some(larger) => larger::candidates(self, &question, larger, watch)?,
            None => generate::candidates(self, &question)?,
        };
        let generate::GeneratedCandidates { candidates, larger: mut asked } = generated;
        watch(Stage::Scrutiny);
        let features: Vec<_> =
            candidates.iter().map(|candidate| judge::features(self, &question, candidate)).collect();
        let likely: Vec<f32> =
            features.iter().map(|features| judge::probability(relation, features)).collect();
        let verdicts = scrutiny::test(self, &question, &candidates, &likely)?;
        if let Some(asked) = &mut asked {
            scrutiny::test_others(&candidates, &mut asked.others, options.quantile);
        }
        let score = |candidate: &generate::ListCandidate, likely: f32| match larger {
            Some(_) => candidate.score / (1.0 + candidate.score),
            None => likely,
        };
        let mut objects: Vec<ListedObject> = candidates
            .iter()
            .zip(features)
            .zip(likely.into_iter().zip(verdicts))
            .map(|((candidate, features), (likely, (accepted, by)))| ListedObject {
                member: candidate.member,
                score: score(candidate, likely),
                generated: candidate.score,
                accepted,
                by,
                inferred: candidate.inferred,
                support: self.support(&question, candidate),
                features,
            })
            .collect();
        objects.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.member.cmp(&b.member)));
        Ok(Listing { subject, relation: relation.clone(), objects, larger: asked })
    }

    /// Sentences of a window, by number.
    pub(super) fn sentences_of(&self, window: usize) -> Range<usize> {
        let (span, sentences) = (self.pool.windows[window], self.document.sentences());
        sentences.partition_point(|s| s.end <= span.start)..sentences.partition_point(|s| s.start < span.end)
    }

    /// Whom a sentence names, with who speaks or writes it, and whether it has a word of the relation.
    pub(super) fn read_names_and_cue(&self, sentence: usize, cues: &[String]) -> (Vec<usize>, bool) {
        let tokens = self.reading.sentence(sentence);
        let paragraph = tokens.first().map(|token| token.paragraph);
        let told = |who: &[Option<usize>]| paragraph.and_then(|at| who.get(at).copied().flatten());
        let members = tokens.iter().filter_map(Token::name);
        let around = [told(&self.reading.speakers), told(&self.reading.writers)].into_iter().flatten();
        let cued = tokens.iter().filter_map(Token::word).any(|word| cues.iter().any(|cue| cue == word));
        (members.chain(around).collect(), cued)
    }

    /// Who is an object by what follows from other ties, whether or not a passage names it with the subject.
    pub(super) fn implied_objects(&self, subject: usize, relation: &Relation) -> Vec<usize> {
        if *relation == Relation::Place && self.is_person(subject) {
            return self.places_about(subject);
        }
        let Some(place) = self.graph.place(subject) else {
            return judge::members_by_surname(self, subject, relation);
        };
        let table = |object: usize| match relation {
            Relation::Parent => self.graph.parents.get(place, object),
            Relation::Child => self.graph.parents.get(object, place),
            Relation::Sibling => self.graph.siblings.get(place, object),
            Relation::Family => self.graph.family.get(place, object),
            _ => 0.0,
        };
        (0..self.graph.people.len()).filter(|&at| table(at) > 0.1).map(|at| self.graph.people[at]).collect()
    }

    /// Places that are named while somebody is about: in a letter the writer is, without ever being named.
    fn places_about(&self, subject: usize) -> Vec<usize> {
        let about = |&place: &usize| {
            let often = self.pairs.get(subject, place).presence / self.count(place).max(1.0);
            self.cast.members[place].kind == CastKind::Place && often > MIN_SHARE_ABOUT
        };
        (0..self.cast.members.len()).filter(about).collect()
    }

    /// A window's text with every name hidden but those of `shown`.
    pub(super) fn mask_names(&self, window: usize, shown: &[usize]) -> String {
        let (span, text) = (self.pool.windows[window], self.document.text());
        let tokens = &self.reading.tokens;
        let from = tokens.partition_point(|token| token.span.start < span.start);
        let mut out = String::with_capacity(span.len());
        let mut at = span.start;
        for token in tokens[from..].iter().take_while(|token| token.span.end <= span.end) {
            if token.name().is_some_and(|member| !shown.contains(&member)) {
                out.push_str(&text[at..token.span.start]);
                out.push_str(NAME_PLACEHOLDER);
                at = token.span.end;
            }
        }
        out.push_str(&text[at..span.end]);
        out
    }

    /// For each window, whom the reader names when it is asked the relation's question about it, and how surely.
    pub(super) fn read_each(
        &self,
        question: &Question<'_>,
        reader: &dyn Reader,
        windows: &[usize],
    ) -> Result<Vec<BTreeMap<usize, f32>>, ModelError> {
        let text = self.document.text();
        let texts: Vec<&str> =
            windows.iter().map(|&at| self.pool.windows[at].slice(text).unwrap_or_default()).collect();
        let asked = question.relation.question(question.aliases.first().copied().unwrap_or_default());
        let occurrences = self.cast.occurrences();
        let mut out = Vec::with_capacity(windows.len());
        for (window, reading) in windows.iter().zip(reader.read(&asked, &texts)?) {
            let mut sure: BTreeMap<usize, f32> = BTreeMap::new();
            for answer in reading.answers {
                let span = answer.span.shifted(self.pool.windows[*window].start);
                let from = occurrences.partition_point(|(other, _)| other.end <= span.start);
                for (_, member) in occurrences[from..].iter().take_while(|(other, _)| other.start < span.end)
                {
                    let best = sure.entry(*member).or_default();
                    *best = best.max(answer.confidence);
                }
            }
            out.push(sure);
        }
        Ok(out)
    }

    /// The best places that speak for an object: where a tie is stated, else sentences with both, else where it was
    /// found; the object's name is always in them.
    fn support(&self, question: &Question<'_>, candidate: &generate::ListCandidate) -> Vec<Support> {
        let sentences = self.document.sentences();
        let number = |span: Span| sentences.partition_point(|sentence| sentence.end <= span.start);
        let mut chosen: Vec<usize> = Vec::new();
        let wanted = |tie: &&ties::StatedTie| {
            judge::is_about(question.relation, tie.tie)
                && [(tie.owner, tie.object), (tie.object, tie.owner)]
                    .contains(&(question.subject, candidate.member))
        };
        chosen.extend(self.ties.iter().filter(wanted).map(|tie| number(tie.span)));
        let mut scored: Vec<(u8, usize)> = Vec::new();
        for &window in candidate.windows.iter().take(20) {
            for sentence in self.sentences_of(window) {
                let (members, cued) = self.read_names_and_cue(sentence, question.cues);
                if members.contains(&candidate.member) {
                    let both = members.contains(&question.subject);
                    scored.push((2 * u8::from(both) + u8::from(cued), sentence));
                }
            }
        }
        scored.sort_by_key(|(score, sentence)| (std::cmp::Reverse(*score), *sentence));
        chosen.extend(scored.into_iter().map(|(_, sentence)| sentence));
        if chosen.is_empty() {
            chosen.extend(self.cast.members[candidate.member].spans.first().map(|&span| number(span)));
        }
        let mut seen = std::collections::HashSet::new();
        chosen.retain(|sentence| seen.insert(*sentence) && *sentence < sentences.len());
        chosen.truncate(MAX_SUPPORT_PASSAGES);
        chosen.into_iter().map(|sentence| self.make_support(question, candidate.member, sentence)).collect()
    }

    fn make_support(&self, question: &Question<'_>, object: usize, sentence: usize) -> Support {
        let tokens = self.reading.sentence(sentence);
        let marked = |token: &&Token| match token.word() {
            Some(word) => question.cues.iter().any(|cue| cue == word),
            None => token.name().is_some_and(|member| member == question.subject || member == object),
        };
        let highlights = tokens.iter().filter(marked).map(|token| token.span).collect();
        Support { span: self.document.sentences()[sentence], highlights }
    }

    /// How often a member of the cast is named.
    pub(super) fn count(&self, member: usize) -> f32 {
        self.cast.members[member].spans.len() as f32
    }

    /// A member's share of all that is named of people.
    pub(super) fn share(&self, member: usize) -> f32 {
        self.count(member) / self.people_named.max(1.0)
    }

    /// Whether a member is a person.
    pub(super) fn is_person(&self, member: usize) -> bool {
        self.cast.members[member].kind == CastKind::Person
    }
}
