//! One document being linked: forms, senses, chains and scores, from the mentions to the decided links.

use std::collections::HashMap;

use super::candidates::{Sense, SenseCatalog, SenseRoute};
use super::coreference::{self, Chains, MentionName};
use super::features::{
    self, ChainView, CoherenceWords, DocumentWords, NoneFeatures, Rivals, SenseFeatures, Surroundings,
};
use super::names::{Form, ends_in_possessive};
use super::words::{HashedWord, Rarity};
use super::{Link, LinkEvidence, LinkedMention, Linker, pairs};
use crate::document::Document;
use crate::encode::probability;
use crate::knowledge::{EntityKind, NameKind};
use crate::mentions::{Mention, MentionType};
use crate::span::Span;
use crate::tuning::tuning;

/// Rounds of scoring: the first with the company that priors give, the second with what the first round found.
const SCORING_ROUNDS: usize = 2;
/// Mentions of a chain whose sentences count as its context.
const MAX_CONTEXT_MENTIONS: usize = 4;
/// A distinct name of the document.
struct PageName {
    form: Form,
    senses: Vec<Sense>,
    kind: MentionType,
}

/// A chain with its senses, their features and how likely each is.
pub(super) struct ScoredChain {
    pub senses: Vec<Sense>,
    pub features: Vec<SenseFeatures>,
    pub none: NoneFeatures,
    pub probabilities: Vec<f32>,
    rivals: Rivals,
    kind: MentionType,
}

impl ScoredChain {
    /// The senses of a chain, as likely as their names are.
    fn of(view: &ChainView<'_>, senses: Vec<Sense>) -> Self {
        let rivals = Rivals::of(view.kind, &senses);
        let features = senses.iter().map(|sense| features::of_sense(view, sense, rivals)).collect();
        let none = features::of_none(view, &senses);
        let probabilities = senses.iter().map(|sense| sense.prior).collect();
        Self { senses, features, none, probabilities, rivals, kind: view.kind }
    }
}

pub(super) struct Page {
    /// Indices of the given mentions in text order; chains count in it.
    pub order: Vec<usize>,
    pub chains: Chains,
    pub scored: Vec<ScoredChain>,
    spans: Vec<Span>,
    coherence: CoherenceWords,
}

impl Page {
    pub fn read(linker: &Linker<'_>, document: &Document, mentions: &[Mention]) -> Page {
        let text = document.text();
        let mut order: Vec<usize> = (0..mentions.len()).collect();
        order.sort_by_key(|at| (mentions[*at].span.start, mentions[*at].span.end));
        let spans: Vec<Span> = order.iter().map(|at| mentions[*at].span).collect();

        let rarity = linker.rarity();
        let mut catalog = SenseCatalog::new(linker.knowledge, &linker.stems, rarity);
        let (known, form_of) = read_forms(&mut catalog, text, mentions, &order);
        let names: Vec<MentionName<'_>> =
            form_of.iter().zip(&spans).map(|(form, span)| name(&known[*form], *span)).collect();
        let chains = coreference::chains(text, &names);

        let all_words: DocumentWords = linker.stems.of(text).fold(HashMap::new(), |mut counts, word| {
            *counts.entry(word).or_default() += 1;
            counts
        });
        let keys: HashMap<&str, usize> =
            known.iter().enumerate().map(|(at, known)| (known.form.key.as_str(), at)).collect();
        let around: Vec<Surroundings> = (chains.chains.iter())
            .map(|chain| surroundings(linker, document, &spans, &known, &form_of, &chain.mentions))
            .collect();
        let views: Vec<ChainView<'_>> = chains
            .chains
            .iter()
            .zip(&around)
            .map(|(chain, around)| ChainView {
                form: &known[form_of[chain.head]].form,
                kind: known[form_of[chain.head]].kind,
                around,
                document: &all_words,
                rarity,
                keys: &keys,
            })
            .collect();
        let mut scored: Vec<ScoredChain> = (chains.chains.iter().zip(&views))
            .map(|(chain, view)| ScoredChain::of(view, senses_of(chain, &known, &form_of)))
            .collect();
        add_support(&mut scored, rarity);
        let mut coherence = CoherenceWords::default();
        for _ in 0..SCORING_ROUNDS {
            coherence = gather(&chains, &scored);
            follow(&chains, &views, &mut scored);
            for (at, chain) in scored.iter_mut().enumerate() {
                weigh(at, chain, &coherence, &around[at], rarity);
            }
        }
        Page { order, chains, scored, spans, coherence }
    }

    /// The likeliest sense of a chain, if it is likely enough.
    pub fn decide(&self, chain: usize) -> Option<Link> {
        let scored = &self.scored[chain];
        let (best, probability) =
            scored.probabilities.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
        if probability < tuning().linker.min_probability {
            return None;
        }
        let (sense, features) = (&scored.senses[best], &scored.features[best]);
        let evidence = vec![
            LinkEvidence::Name { via: sense.via, prior: sense.prior },
            LinkEvidence::Type(features::agreement(scored.kind, sense.profile.kind)),
            LinkEvidence::Context {
                sentence: features.sentence_words.exp_m1(),
                document: features.document_words.exp_m1(),
            },
            LinkEvidence::Coherence {
                share: features.coherence_share,
                with: self.coherence.find_companion(chain, &sense.profile),
            },
        ];
        Some(Link { entity: sense.profile.id, confidence: probability.clamp(0.0, 1.0), evidence })
    }

    /// The mentions in their given order; chains that mean the same entity share a cluster.
    pub fn link_mentions(&self, mentions: &[Mention]) -> Vec<LinkedMention> {
        let decided: Vec<Option<Link>> =
            (0..self.chains.chains.len()).map(|chain| self.decide(chain)).collect();
        let mut of_entity = HashMap::new();
        let mut of_chain: HashMap<usize, usize> = HashMap::new();
        let mut next = 0;
        let mut out: Vec<Option<LinkedMention>> = vec![None; mentions.len()];
        for (at, given) in self.order.iter().enumerate() {
            let chain = self.chains.of[at];
            let mut link = decided[chain].clone();
            let slot = match &link {
                Some(link) => of_entity.entry(link.entity).or_insert(next),
                None => of_chain.entry(chain).or_insert(next),
            };
            let cluster = *slot;
            next = next.max(cluster + 1);
            if let (Some(link), Some(antecedent)) = (&mut link, self.chains.antecedents[at]) {
                link.evidence.push(LinkEvidence::Antecedent(self.spans[antecedent]));
            }
            out[*given] = Some(LinkedMention { mention: mentions[*given], cluster, link });
        }
        out.into_iter().flatten().collect()
    }
}

/// The words around the mentions of a chain.
fn surroundings(
    linker: &Linker<'_>,
    document: &Document,
    spans: &[Span],
    known: &[PageName],
    form_of: &[usize],
    mentions: &[usize],
) -> Surroundings {
    let text = document.text();
    // The title behind a mention's name, where another name follows after a comma.
    let region_after = |at: usize| -> Option<Vec<HashedWord>> {
        let next = spans.get(at + 1)?;
        let gap = text.get(spans[at].end..next.start)?;
        let sense = known[form_of[at + 1]].senses.first()?;
        (gap.trim() == "," && gap.len() <= 3).then(|| sense.profile.title_words.clone())
    };
    let read = || mentions.iter().take(MAX_CONTEXT_MENTIONS).copied();
    let sentences = read().filter_map(|at| document.sentence_at(spans[at].start)?.slice(text));
    let names = read().filter_map(|at| spans[at].slice(text));
    Surroundings {
        regions: read().filter_map(region_after).collect(),
        sentence: sort_words(sentences.flat_map(|sentence| linker.stems.of(sentence)).collect()),
        own: sort_words(names.flat_map(|name| linker.stems.of(name)).collect()),
    }
}

/// What the senses of other chains say for each sense.
fn add_support(scored: &mut [ScoredChain], rarity: &Rarity) {
    let senses: Vec<&[Sense]> = scored.iter().map(|chain| chain.senses.as_slice()).collect();
    let support = pairs::support(&senses, rarity);
    for (chain, support) in scored.iter_mut().zip(support) {
        for (features, support) in chain.features.iter_mut().zip(support) {
            features.pair_names = support;
        }
    }
}

/// Each distinct name once, with its senses and the type that its mentions mostly have; and the name of each mention.
fn read_forms(
    catalog: &mut SenseCatalog<'_>,
    text: &str,
    mentions: &[Mention],
    order: &[usize],
) -> (Vec<PageName>, Vec<usize>) {
    let mut known: Vec<PageName> = Vec::new();
    let mut votes: Vec<HashMap<MentionType, f32>> = Vec::new();
    let mut by_text: HashMap<&str, usize> = HashMap::new();
    let mut by_form: HashMap<(String, bool), usize> = HashMap::new();
    let mut form_of = Vec::with_capacity(order.len());
    for given in order {
        let mention = &mentions[*given];
        let surface = surface_of(text, mention.span);
        let at = *by_text.entry(surface).or_insert_with(|| {
            let form = catalog.form(surface);
            *by_form.entry((form.written.clone(), form.titled)).or_insert_with(|| {
                let senses = catalog.senses(&form);
                known.push(PageName { form, senses, kind: mention.kind });
                votes.push(HashMap::new());
                known.len() - 1
            })
        });
        *votes[at].entry(mention.kind).or_default() += mention.confidence.max(0.01);
        form_of.push(at);
    }
    for (known, votes) in known.iter_mut().zip(&votes) {
        let best = votes.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
        known.kind = best.map_or(known.kind, |(kind, _)| *kind);
    }
    (known, form_of)
}

/// The text of a mention, with the possessive ending that a tagger leaves out: it may be part of the name ("Macy's"). A span
/// that does not fit the text names nothing.
fn surface_of(text: &str, span: Span) -> &str {
    let Some(surface) = span.slice(text) else { return "" };
    let endings = ["'s", "’s"].into_iter();
    let ending = endings.filter(|_| !ends_in_possessive(surface)).find(|it| text[span.end..].starts_with(it));
    match ending {
        Some(ending) => &text[span.start..span.end + ending.len()],
        None => surface,
    }
}

fn name(known: &PageName, span: Span) -> MentionName<'_> {
    let is_person = |kind| matches!(kind, EntityKind::Person | EntityKind::Character);
    let top = known.senses.first();
    let person = match known.kind {
        MentionType::Person => true,
        MentionType::Other => {
            known.form.titled
                || known.form.words.len() > 1 && top.is_some_and(|sense| is_person(sense.profile.kind))
        }
        _ => known.form.titled,
    };
    let stands_alone = top.is_some_and(|sense| {
        !is_person(sense.profile.kind) && sense.via != NameKind::Short && sense.prior > 0.4
    });
    MentionName { span, form: &known.form, kind: known.kind, person, stands_alone }
}

/// The senses of a chain: those of its fullest name, or of an acronym when that is not known.
fn senses_of(chain: &coreference::Chain, known: &[PageName], form_of: &[usize]) -> Vec<Sense> {
    let head = &known[form_of[chain.head]];
    if !head.senses.is_empty() {
        return head.senses.clone();
    }
    chain
        .mentions
        .iter()
        .map(|at| &known[form_of[*at]])
        .find(|other| other.form.acronym && !other.senses.is_empty())
        .map(|other| other.senses.clone())
        .unwrap_or_default()
}

/// The company that the chains give each other, the most mentioned first.
fn gather(chains: &Chains, scored: &[ScoredChain]) -> CoherenceWords {
    let mut by_size: Vec<usize> = (0..scored.len()).collect();
    by_size.sort_by_key(|at| std::cmp::Reverse(chains.chains[*at].mentions.len()));
    let mut coherence = CoherenceWords::default();
    for at in by_size {
        coherence.add(at, &scored[at].senses, &scored[at].probabilities);
    }
    coherence
}

/// Gives chains that lean on another one its likely sense.
fn follow(chains: &Chains, views: &[ChainView<'_>], scored: &mut [ScoredChain]) {
    for at in 0..scored.len() {
        let Some(other) = chains.chains[at].leans_on else { continue };
        let likely = scored[other].probabilities.iter().zip(&scored[other].senses);
        let Some((_, sense)) = likely
            .filter(|(p, _)| **p > tuning().linker.min_sure_probability)
            .max_by(|a, b| a.0.total_cmp(b.0))
            .map(|(p, s)| (p, s.clone()))
        else {
            continue;
        };
        let chain = &mut scored[at];
        for features in &mut chain.features {
            features.antecedent = 0.0;
        }
        let place = chain.senses.iter().position(|own| own.profile.id == sense.profile.id);
        let place = place.unwrap_or_else(|| {
            let followed = Sense {
                prior: tuning().linker.followed_prior,
                via: NameKind::Short,
                found: SenseRoute::OwnSpelling,
                ..sense
            };
            chain.features.push(features::of_sense(&views[at], &followed, chain.rivals));
            chain.senses.push(followed);
            chain.probabilities.push(0.0);
            chain.senses.len() - 1
        });
        chain.features[place].antecedent = 1.0;
        // Its title in full is where it was followed from.
        chain.features[place].full_title = 0.0;
    }
}

/// Puts coherence into the features, ranks the senses against each other, and weighs the best of them against none.
fn weigh(
    at: usize,
    chain: &mut ScoredChain,
    coherence: &CoherenceWords,
    around: &Surroundings,
    rarity: &Rarity,
) {
    let own = features::contribution(&chain.senses, &chain.probabilities);
    for (sense, features) in chain.senses.iter().zip(&mut chain.features) {
        let (share, names) = coherence.coherence(at, &own, around, &sense.profile, rarity);
        features.coherence_share = share;
        features.coherence_names = names;
    }
    let learned = &tuning().linker;
    let log_odds: Vec<f32> = chain.features.iter().map(|features| features.weigh(&learned.rank)).collect();
    let best = log_odds.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    let Some((best, highest)) = best.map(|(place, log_odds)| (place, *log_odds)) else { return };
    let odds: Vec<f32> = log_odds.iter().map(|log_odds| (log_odds - highest).exp()).collect();
    let total: f32 = odds.iter().sum();
    chain.none.other_senses = total.ln();
    let known = probability(chain.features[best].weigh(&learned.known) - chain.none.weigh(&learned.none));
    chain.probabilities = odds.iter().map(|odds| known * odds / total).collect();
}

fn sort_words(mut words: Vec<HashedWord>) -> Vec<HashedWord> {
    words.sort_unstable();
    words.dedup();
    words
}
