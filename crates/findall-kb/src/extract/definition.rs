//! The definition in a first sentence: "X is a …" gives what X is, the kind its head noun names, and other names.

use super::SubjectNames;
use super::segments::{is_participle, join_phrase};
use super::tokens::Word;
use findall::knowledge::EntityKind;
use findall::knowledge::word_roles::role;

/// The definition, and the words after it.
#[derive(Debug, Default)]
pub(super) struct Definition<'s, 't> {
    pub text: String,
    pub kind: Option<EntityKind>,
    pub aliases: Vec<String>,
    pub rest: &'s [Word<'t>],
}

/// Splits a first sentence into its definition and the rest.
pub(super) fn find<'s, 't>(
    sentence: &'s [Word<'t>],
    subject: &SubjectNames,
    most_words: usize,
) -> Definition<'s, 't> {
    let mut definition = Definition { rest: sentence, ..Definition::default() };
    let Some(start) = complement_start(sentence, subject) else {
        return definition;
    };
    if start > 0 {
        definition.aliases = other_names(&sentence[..start - 1]);
    }
    let complement = skip_opening(&sentence[start..]);
    let end = description_end(complement, most_words);
    let words = &complement[..end];
    definition.kind = kind_of(words);
    definition.text = join_phrase(words, true);
    definition.rest = &complement[end..];
    definition
}

/// Where the complement of "X is …" begins; 0 for a bare gloss ("a display of lights").
fn complement_start(sentence: &[Word<'_>], subject: &SubjectNames) -> Option<usize> {
    let lower: Vec<String> = sentence.iter().take(60).map(|w| w.text.to_lowercase()).collect();
    // A title may hold a copula itself ("This Is Us").
    let own = lower.iter().take_while(|word| subject.words.iter().any(|s| s == *word)).count();
    let from = if own == subject.words.len() { own } else { usize::from(!lower.is_empty()) };
    let copula = (from..lower.len()).find(|&at| {
        matches!(lower[at].as_str(), "is" | "was" | "are" | "were")
            && !(at > 0 && matches!(lower[at - 1].as_str(), "which" | "who" | "that" | "what"))
    });
    if let Some(at) = copula {
        return (at + 1 < sentence.len()).then_some(at + 1);
    }
    for (at, word) in lower.iter().enumerate().skip(1) {
        let next = lower.get(at + 1).map(String::as_str);
        match (word.as_str(), next) {
            ("refers" | "refer", Some("to")) if at + 2 < lower.len() => return Some(at + 2),
            ("denotes" | "means" | "describes" | "remains" | "comprises", Some(_)) => return Some(at + 1),
            _ => {}
        }
    }
    // A gloss has no subject: it begins with an article or a lower-case word, or is short and does not name its subject.
    let begins_low = sentence.first().is_some_and(|w| w.text.chars().next().is_some_and(char::is_lowercase));
    let short = sentence.len() <= 10 && !sentence.iter().any(|w| subject.names(w.text));
    (begins_low || short).then_some(0)
}

/// Drops determiners and hedges: "one of the largest", "also", "a type of".
fn skip_opening<'s, 't>(words: &'s [Word<'t>]) -> &'s [Word<'t>] {
    let mut at = 0;
    while at + 1 < words.len() {
        let lower = words[at].text.to_lowercase();
        let next = words[at + 1].text.to_lowercase();
        if matches!(
            lower.as_str(),
            "one"
                | "any"
                | "part"
                | "kind"
                | "type"
                | "form"
                | "member"
                | "name"
                | "set"
                | "collection"
                | "term"
        ) && next == "of"
        {
            // "member of the band" says more than "band".
            if matches!(lower.as_str(), "part" | "member") {
                break;
            }
            at += 2;
        } else if role(&lower).weak
            || matches!(lower.as_str(), "the" | "one" | "not" | "best" | "being") && !words[at].is_name()
        {
            at += 1;
        } else {
            break;
        }
    }
    &words[at..]
}

/// The description runs to the first clause, list of trades and place names included.
fn description_end(words: &[Word<'_>], most_words: usize) -> usize {
    let mut at = 0;
    while at < words.len() && at < most_words {
        let lower = words[at].text.to_lowercase();
        let word_role = role(&lower);
        if at > 0 {
            let clause = word_role.breaks
                || (word_role.cue && !words[at].is_name() && lower != "set" && lower != "best");
            let participle = is_participle(&lower)
                && !words[at].is_name()
                && at > 1
                && !words[at - 1].pause
                && follows_noun(words, at);
            if clause || participle {
                break;
            }
            if matches!(lower.as_str(), "and" | "or")
                && words.get(at + 1).is_some_and(|next| begins_clause(next))
            {
                break;
            }
            // A long tail of prepositional phrases belongs to the facts, not to the definition.
            if at >= 9 && word_role.preposition && lower != "of" && lower != "in" {
                break;
            }
        }
        let pause = words[at].pause;
        at += 1;
        if pause && at < words.len() && !continues_definition(words, at) {
            break;
        }
    }
    // Never through the middle of a name.
    let mut end = at;
    while at >= most_words
        && end < words.len()
        && end < at + 4
        && words[end].is_name()
        && words[end - 1].is_name()
        && !words[end - 1].pause
    {
        end += 1;
    }
    end
}

fn begins_clause(word: &Word<'_>) -> bool {
    let lower = word.text.to_lowercase();
    let word_role = role(&lower);
    word_role.breaks || word_role.pronoun || word_role.cue || lower == "the" || lower == "a" || lower == "one"
}

/// A participle after a noun begins a reduced clause; before one it is an adjective ("animated film").
fn follows_noun(words: &[Word<'_>], at: usize) -> bool {
    let before = words[at - 1].text.to_lowercase();
    let after_is_noun = words.get(at + 1).is_some_and(|w| {
        let lower = w.text.to_lowercase();
        let next = role(&lower);
        !next.function && !next.preposition
    });
    role(&before).kind.is_some() || !after_is_noun
}

/// Whether what follows a comma still belongs to the definition: a place's region, or another trade.
fn continues_definition(words: &[Word<'_>], at: usize) -> bool {
    let run: Vec<&Word<'_>> = {
        let mut run = Vec::new();
        for word in &words[at..] {
            run.push(word);
            if word.pause || run.len() > 5 {
                break;
            }
        }
        run
    };
    let first = run[0].text.to_lowercase();
    let all_names =
        run.len() <= 4 && run.iter().all(|w| w.is_name() || matches!(w.text, "of" | "the" | "and"));
    if words[at - 1].is_name() && all_names {
        return true;
    }
    if first == "and" {
        return run.get(1).is_some_and(|next| !begins_clause(next));
    }
    let word_role = role(&first);
    if word_role.breaks
        || word_role.cue
        || word_role.function
        || word_role.preposition
        || is_participle(&first)
    {
        return false;
    }
    // Another trade: few words, the last of which names the same sort of thing as the words before.
    let so_far = kind_of(&words[..at]);
    // "a conservative, Christian party": the noun is still to come.
    if so_far.is_none()
        && at <= 4
        && !words[..at].iter().any(|w| role(&w.text.to_lowercase()).preposition || w.text == "of")
    {
        return true;
    }
    let end =
        run.iter().position(|w| role(&w.text.to_lowercase()).breaks || w.text == "and").unwrap_or(run.len());
    let trade = run[..end].last().and_then(|w| role(&w.text.to_lowercase()).kind);
    trade.is_some() && trade == so_far
}

/// The kind that the head noun of a noun phrase names.
pub(super) fn kind_of(words: &[Word<'_>]) -> Option<EntityKind> {
    let mut head = words.len();
    for (at, word) in words.iter().enumerate() {
        let lower = word.text.to_lowercase();
        let word_role = role(&lower);
        if at > 0
            && (word_role.preposition
                || lower == "of"
                || word_role.breaks
                || (word_role.cue && word_role.kind.is_none()))
        {
            head = at;
            break;
        }
        // "a public, liberal arts college": the noun comes after the comma.
        if word.pause && word_role.kind.is_some() {
            head = at + 1;
            break;
        }
    }
    let fictional = words.iter().any(|w| matches!(w.text, "fictional" | "mythological" | "Fictional"));
    // The head is the last noun; a word the lexicon does not know may hide it.
    words[..head]
        .iter()
        .rev()
        .take(3)
        .find_map(|word| {
            let lower = word.text.to_lowercase();
            role(&lower)
                .kind
                .or_else(|| lower.strip_suffix('s').and_then(|one| role(one).kind))
                .or_else(|| lower.rsplit('-').next().and_then(|last| role(last).kind))
        })
        .map(|kind| match kind {
            EntityKind::Person if fictional => EntityKind::Character,
            // A station is a place unless it broadcasts.
            EntityKind::Organization
                if words[..head].last().is_some_and(|w| matches!(w.text, "station" | "stop")) =>
            {
                let broadcasts = words[..head].iter().any(|w| {
                    matches!(
                        w.text.to_lowercase().as_str(),
                        "radio" | "television" | "tv" | "fm" | "broadcast"
                    )
                });
                if broadcasts { kind } else { EntityKind::Place }
            }
            other => other,
        })
}

/// Names before the copula: "X, also known as Y," and "X, or Y,".
fn other_names(before: &[Word<'_>]) -> Vec<String> {
    let mut names = Vec::new();
    for (at, word) in before.iter().enumerate() {
        let cue = matches!(
            word.text,
            "as" | "called" | "nicknamed" | "officially" | "abbreviated" | "simply" | "or"
        ) && at > 0
            && (before[at - 1].pause
                || matches!(
                    before[at - 1].text.to_lowercase().as_str(),
                    "known"
                        | "also"
                        | "commonly"
                        | "often"
                        | "officially"
                        | "sometimes"
                        | "to"
                        | "abbreviated"
                        | "as"
                ));
        if !cue {
            continue;
        }
        let mut end = at + 1;
        while end < before.len() && end - at <= 6 {
            end += 1;
            if before[end - 1].pause || before.get(end).is_some_and(|w| ends_name(w.text)) {
                break;
            }
        }
        let name = join_phrase(&before[at + 1..end], false);
        let name = name
            .trim_start_matches("the ")
            .trim_start_matches("The ")
            .trim_start_matches("simply ")
            .to_owned();
        if (2..=60).contains(&name.len()) && !role(&name.to_lowercase()).function && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn ends_name(word: &str) -> bool {
    matches!(
        word,
        "or" | "and"
            | "between"
            | "from"
            | "until"
            | "since"
            | "in"
            | "by"
            | "during"
            | "for"
            | "before"
            | "after"
    )
}

/// "born 1990" or "1858–1943" from the first aside that gives a life, or from "born …" in the sentence.
pub(super) fn life_dates(asides: &[String], first: &[Word<'_>]) -> Option<String> {
    for aside in asides.iter().take(2) {
        let years = years(aside);
        if aside.contains("born") || aside.contains("b.") {
            if let Some(year) = years.first() {
                return Some(match years.get(1) {
                    Some(death) if death > year => format!("{year}–{death}"),
                    _ => format!("born {year}"),
                });
            }
        } else if looks_like_life_span(aside) && years.len() >= 2 {
            return Some(format!("{}–{}", years[0], years[1]));
        }
    }
    let born = first.iter().position(|w| w.text == "born")?;
    first[born..].iter().take(6).find(|w| w.is_year()).map(|w| format!("born {}", w.text))
}

/// Two years with a dash between: a life.
pub(super) fn looks_like_life_span(aside: &str) -> bool {
    let found = years(aside);
    found.len() >= 2 && found[1] > found[0] && found[1] - found[0] < 115 && aside.contains(['-', '–', '—'])
}

fn years(text: &str) -> Vec<u32> {
    let mut out = Vec::new();
    let mut digits = String::new();
    for character in text.chars().chain([' ']) {
        if character.is_ascii_digit() {
            digits.push(character);
        } else {
            if digits.len() == 4
                && let Ok(year) = digits.parse()
                && (1000..2100).contains(&year)
            {
                out.push(year);
            }
            digits.clear();
        }
    }
    out
}
