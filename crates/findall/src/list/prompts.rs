//! What a larger model is told, after the paper's tables 8 and 9 in our own words, and how the names in its reply are
//! read: a JSON list, a list in brackets, lines, or commas.

use super::Relation;
use crate::chat::{Reply, Turn};
use crate::names::CastKind;

/// Names taken from one reply at most; a model that goes on has lost itself.
pub(super) const MAX_NAMES: usize = 300;

/// Characters of a name at most; what is longer is a sentence.
const MAX_NAME_CHARS: usize = 80;

/// The task, with two examples from books that do not exist.
fn task(relation: &Relation) -> Turn {
    let (what, examples) = match relation.object_kind() {
        Some(CastKind::Place) => (
            "places",
            "Book: The Salt Road. Subject: Ilse Marrow. Relation: places where Ilse Marrow lives, stays or goes.\n\
             [Gannet Quay, the Weighhouse, Tolland]\n\
             Book: A Winter of Owls. Subject: Dr. Penhale. Relation: places where Dr. Penhale lives, stays or goes.\n\
             [Crewe Abbey]",
        ),
        Some(CastKind::Person) => (
            "people",
            "Book: The Salt Road. Subject: Ilse Marrow. Relation: friends of Ilse Marrow.\n\
             [Tobias Finch, Widow Carrow, Anselm, Miss Petty]\n\
             Book: A Winter of Owls. Subject: Dr. Penhale. Relation: children of Dr. Penhale.\n\
             [Ruth Penhale]",
        ),
        _ => (
            "people, places or things",
            "Book: The Salt Road. Subject: Ilse Marrow. Relation: ships of Ilse Marrow.\n[Kittiwake, Lady Anne]\n\
             Book: A Winter of Owls. Subject: Dr. Penhale. Relation: teachers of Dr. Penhale.\n[Mr. Oakes]",
        ),
    };
    Turn::system(format!(
        "You make complete lists from books. Given a book, a subject and a relation, name all {what} that stand in the \
         relation to the subject, each by its fullest name. Answer with one list in square brackets, separated by \
         commas, and with nothing else; [] if there is none.\n\nExamples:\n{examples}"
    ))
}

fn phrase_request(title: &str, subject: &str, relation: &Relation) -> String {
    let words = match relation {
        Relation::Parent => "parents of",
        Relation::Child => "children of",
        Relation::Sibling => "brothers and sisters of",
        Relation::Family => "relatives, by blood or marriage, of",
        Relation::Friend => "friends and supporters of",
        Relation::Opponent => "enemies and rivals of",
        Relation::Place => "places of living, staying or visiting of",
        Relation::Member => "members of",
        Relation::Free(_) => "",
    };
    let phrase = match words {
        "" => relation.queries(subject).into_iter().nth(1).unwrap_or_default(),
        words => format!("{words} {subject}"),
    };
    format!("Book: {title}. Subject: {subject}. Relation: {phrase}.")
}

/// Asks what the model knows by itself: the start of a conversation.
pub(super) fn ask_from_memory(title: &str, subject: &str, relation: &Relation) -> Vec<Turn> {
    vec![task(relation), Turn::user(phrase_request(title, subject, relation))]
}

/// Asks with passages, single-shot.
pub(super) fn ask_with_passages(
    title: &str,
    subject: &str,
    relation: &Relation,
    passages: &[&str],
) -> Vec<Turn> {
    let told = format!(
        "These passages are from the book; some may be beside the point.\n\n{}\n\n{}",
        passages.join("\n\n"),
        phrase_request(title, subject, relation)
    );
    vec![task(relation), Turn::user(told)]
}

/// Asks for more with passages, after what the model said by itself.
pub(super) fn ask_follow_up(
    title: &str,
    subject: &str,
    relation: &Relation,
    said: &str,
    passages: &[&str],
) -> Vec<Turn> {
    let mut turns = ask_from_memory(title, subject, relation);
    turns.push(Turn::assistant(said));
    turns.push(Turn::user(format!(
        "Name more that are right, with the help of these passages from the book; some may be beside the point.\n\n{}\
         \n\n{}",
        passages.join("\n\n"),
        phrase_request(title, subject, relation)
    )));
    turns
}

/// Asks whether passages bear a candidate out.
pub(super) fn ask_whether_true(
    subject: &str,
    relation: &Relation,
    object: &str,
    passages: &[&str],
) -> Vec<Turn> {
    let phrase = phrase_request("it", subject, relation);
    let phrase = phrase.split_once("Relation: ").map_or("", |(_, phrase)| phrase.trim_end_matches('.'));
    vec![
        Turn::system("You check statements about a book. Answer yes or no, and nothing else."),
        Turn::user(format!(
            "{}\n\nGiven these passages, is it a correct statement that {object} is among the {phrase}?",
            passages.join("\n\n")
        )),
    ]
}

/// A name that a reply gives.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NameInReply {
    pub name: String,
    /// How likely the model found it: the geometric mean over the pieces that spell it; 1 where nobody says.
    pub likely: f32,
}

/// The names in a reply, each once, in order; and whether there were more than are taken.
pub(super) fn names_in(reply: &Reply) -> (Vec<NameInReply>, bool) {
    let text = reply.text.as_str();
    let mut said: Vec<NameInReply> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut at = 0;
    for name in strings_in(text) {
        let short = name.chars().count() <= MAX_NAME_CHARS && name.chars().any(char::is_alphabetic);
        if !short || is_nothing(&name) || !seen.insert(name.to_lowercase()) {
            continue;
        }
        if said.len() == MAX_NAMES {
            return (said, true);
        }
        let start = text[at..].find(name.as_str()).map(|found| at + found);
        let likely = start.map_or(1.0, |start| likelihood(reply, start, start + name.len()));
        at = start.map_or(at, |start| start + name.len());
        said.push(NameInReply { name, likely });
    }
    (said, false)
}

fn is_nothing(name: &str) -> bool {
    matches!(
        name.to_lowercase().as_str(),
        "none" | "n/a" | "unknown" | "nobody" | "no one" | "null" | "nothing"
    )
}

fn strings_in(text: &str) -> Vec<String> {
    if let Some((_, rest)) = text.split_once('[') {
        return match rest.trim_start().starts_with('"') {
            true => quoted_strings(rest),
            false => {
                let end = rest.find(']').unwrap_or(rest.len());
                rest[..end].split([',', ';', '\n']).map(trim_name).collect()
            }
        };
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    match lines.len() {
        0 | 1 => text.split([',', ';']).map(trim_name).collect(),
        _ => lines.iter().flat_map(|line| line.split([',', ';'])).map(trim_name).collect(),
    }
}

/// The quoted strings of a list in brackets: `["Jo", "Meg \"the eldest\""]`. The engine reads no JSON elsewhere, and a
/// reply that was cut is no JSON anyhow.
fn quoted_strings(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut current: Option<String> = None;
    let mut escaped = false;
    for c in text.chars() {
        match (&mut current, c) {
            (Some(name), _) if escaped => {
                name.push(c);
                escaped = false;
            }
            (Some(_), '\\') => escaped = true,
            (Some(_), '"') => out.extend(current.take().map(|name| trim_name(&name))),
            (Some(name), _) => name.push(c),
            (None, '"') => current = Some(String::new()),
            (None, ']') => break,
            (None, _) => {}
        }
    }
    out
}

/// Without bullets, numbers, quotes and what surrounds them.
fn trim_name(name: &str) -> String {
    let around = |c: char| c.is_whitespace() || "\"'“”‘’[]()*_:;,".contains(c);
    let name = name.trim_start_matches(['-', '*', '•', ' ']);
    let digits = name.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = digits.len() < name.len() && digits.starts_with(['.', ')']);
    let name = if numbered { &digits[1..] } else { name };
    let name = name.trim_matches(around);
    let name = name.strip_prefix("and ").unwrap_or(name);
    // "Jo." ends a sentence; "Jr." is part of a name.
    let name = match name.strip_suffix('.') {
        Some(short) if !short.ends_with("Jr") && !short.ends_with("Sr") => short,
        _ => name,
    };
    name.trim_matches(around).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn likelihood(reply: &Reply, start: usize, end: usize) -> f32 {
    // Pieces spell the text but for the blanks around it.
    let spelled: usize = reply.tokens.iter().map(|token| token.text.len()).sum();
    let joined: String = reply.tokens.iter().map(|token| token.text.as_str()).collect();
    let lead = |text: &str| text.len() - text.trim_start().len();
    if spelled == 0 {
        return 1.0;
    }
    let shift = lead(&joined) as isize - lead(&reply.text) as isize;
    let (start, end) = (start as isize + shift, end as isize + shift);
    let (mut at, mut sum, mut count) = (0isize, 0.0, 0);
    for token in &reply.tokens {
        let until = at + token.text.len() as isize;
        if at < end && until > start {
            sum += token.log_probability;
            count += 1;
        }
        at = until;
    }
    if count == 0 { 1.0 } else { (sum / count as f32).exp() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::LikelyToken;

    fn names(text: &str) -> Vec<String> {
        let reply = Reply { text: text.into(), ..Reply::default() };
        names_in(&reply).0.into_iter().map(|said| said.name).collect()
    }

    #[test]
    fn lists_of_every_shape_are_read() {
        assert_eq!(names(r#"Sure: ["Anna Ware", "Mr. Hale", "Anna Ware"]"#), ["Anna Ware", "Mr. Hale"]);
        assert_eq!(names("[Anna Ware, Mr. Hale]"), ["Anna Ware", "Mr. Hale"]);
        assert_eq!(names("[Anna Ware, Mr. Ha"), ["Anna Ware", "Mr. Ha"]);
        assert_eq!(names("1. Anna Ware\n2) \"Mr. Hale\"\n- **Jo**."), ["Anna Ware", "Mr. Hale", "Jo"]);
        assert_eq!(names("Anna Ware, Mr. Hale and Jo"), ["Anna Ware", "Mr. Hale and Jo"]);
        assert!(names("[]").is_empty() && names("None.").is_empty() && names("").is_empty());
        assert!(names(&"x".repeat(500)).is_empty());
    }

    #[test]
    fn ten_thousand_names_are_cut_and_said_to_be() {
        let text = (0..10_000).map(|n| format!("Person {n}")).collect::<Vec<_>>().join(", ");
        let (names, cut) = names_in(&Reply { text, ..Reply::default() });
        assert_eq!((names.len(), cut), (MAX_NAMES, true));
    }

    #[test]
    fn a_name_is_as_likely_as_its_pieces() {
        let piece = |text: &str, likely: f32| LikelyToken { text: text.into(), log_probability: likely };
        let tokens = vec![
            piece(" [", -3.0),
            piece("An", -0.2),
            piece("na", -0.4),
            piece(", Jo", -2.0),
            piece("]", -9.0),
        ];
        let (names, _) = names_in(&Reply { text: "[Anna, Jo]".into(), tokens, ..Reply::default() });
        assert!((names[0].likely - (-0.3f32).exp()).abs() < 1e-6, "{names:?}");
        assert!((names[1].likely - (-2.0f32).exp()).abs() < 1e-6, "{names:?}");
    }

    #[test]
    fn prompts_name_book_subject_and_relation_and_hold_the_passages() {
        let turns = ask_follow_up(
            "The Mill",
            "Anna",
            &Relation::Free("tools used by".into()),
            "[]",
            &["One.", "Two."],
        );
        assert_eq!(turns.len(), 4);
        assert!(turns[1].text.contains("The Mill") && turns[1].text.contains("tools used by Anna"));
        assert!(turns[3].text.contains("One.\n\nTwo."));
    }
}
