//! What a query asks: the part that is wanted, the part that is not, the names it mentions, the values it asks for.

use std::collections::HashSet;

use crate::index::ValueKind;
use crate::knowledge::fold;

/// Longest name looked for in a query, in words.
const MAX_QUERY_NAME_WORDS: usize = 7;

/// A query, taken apart.
#[derive(Debug)]
pub(super) struct ParsedQuery {
    /// What the answers must be.
    pub wanted: String,
    /// What they must not be.
    pub unwanted: Option<String>,
    /// All of it, folded.
    pub folded: String,
    /// Every run of words in it, folded: the names that it may mention.
    runs: HashSet<String>,
    /// Values of these kinds answer it.
    pub values: Vec<ValueKind>,
}

impl ParsedQuery {
    pub fn read(query: &str) -> ParsedQuery {
        let (wanted, unwanted) = split_negation(query);
        let folded = fold(query);
        let words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
        let mut runs = HashSet::new();
        for start in 0..words.len() {
            for end in start + 1..=(start + MAX_QUERY_NAME_WORDS).min(words.len()) {
                runs.insert(words[start..end].join(" "));
            }
        }
        let values = asked_values(&words);
        ParsedQuery { wanted, unwanted, folded, runs, values }
    }

    /// True when the query mentions this name (folded) among other words.
    pub fn mentions(&self, name: &str) -> bool {
        name != self.folded && self.runs.contains(name)
    }

    /// True when the query is this name (folded) and nothing else.
    pub fn is(&self, name: &str) -> bool {
        name == self.folded
    }
}

/// Splits "players who are not American" into "players" and "players who are American", "non-Asian cities" into
/// "cities" and "Asian cities", "rivers except the Nile" into "rivers" and "the Nile".
fn split_negation(query: &str) -> (String, Option<String>) {
    let words: Vec<&str> = query.split_whitespace().collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let join = |words: &[&str]| words.join(" ");
    for (at, word) in lower.iter().enumerate() {
        let (before, after) = (&words[..at], &words[(at + 1).min(words.len())..]);
        if let Some(rest) = word.strip_prefix("non-")
            && !rest.is_empty()
        {
            let bare = &words[at][4..];
            let wanted = [before, after].concat();
            let unwanted = [before, &[bare], after].concat();
            return if wanted.is_empty() { break } else { (join(&wanted), Some(join(&unwanted))) };
        }
        if at == 0 || after.is_empty() {
            continue;
        }
        match word.as_str() {
            "except" | "excluding" | "besides" => return (join(before), Some(join(skip(after, &["for"])))),
            "other" | "rather" if lower[at + 1] == "than" && after.len() > 1 => {
                return (join(before), Some(join(&after[1..])));
            }
            "but" if lower[at + 1] == "not" && after.len() > 1 => {
                return (join(before), Some(join(&after[1..])));
            }
            "without" => {
                return (join(before), Some(join(&[before, &["with"], after].concat())));
            }
            "not" | "never" | "aren't" | "isn't" | "weren't" | "wasn't" | "aren’t" | "isn’t" | "weren’t"
            | "wasn’t" => {
                let head = head_before(before, &lower[..at]);
                if head.is_empty() {
                    continue;
                }
                return (join(head), Some(join(&[before, after].concat())));
            }
            _ => {}
        }
    }
    (query.trim().to_owned(), None)
}

/// What stands before the relative clause that a negation is in.
fn head_before<'w>(before: &'w [&'w str], lower: &[String]) -> &'w [&'w str] {
    const CLAUSE_STARTERS: &[&str] = &[
        "who", "that", "which", "whose", "are", "is", "was", "were", "do", "does", "did", "have", "has",
        "had", "from", "in",
    ];
    let end = lower.iter().position(|word| CLAUSE_STARTERS.contains(&word.as_str())).unwrap_or(before.len());
    &before[..end]
}

fn skip<'w>(words: &'w [&'w str], small: &[&str]) -> &'w [&'w str] {
    match words {
        [first, rest @ ..] if small.contains(&first.to_lowercase().as_str()) && !rest.is_empty() => rest,
        _ => words,
    }
}

/// The kinds of value that a query asks for, when it asks for nothing else: "all dates", "phone numbers", "e-mail
/// addresses and links".
fn asked_values(words: &[&str]) -> Vec<ValueKind> {
    const FILLER_WORDS: &str = "a all and any document every find here in list me mentioned of on or page show text the this \
                          which what";
    let mut kinds = Vec::new();
    let mut rest = words;
    while let [word, ..] = rest {
        let (asked, length) = value_name(rest);
        if asked.is_empty() && !FILLER_WORDS.split(' ').any(|around| around == *word) {
            return Vec::new();
        }
        for kind in asked {
            if !kinds.contains(kind) {
                kinds.push(*kind);
            }
        }
        rest = &rest[length..];
    }
    kinds
}

/// The kinds of value that the first words name, and how many words that takes.
fn value_name(words: &[&str]) -> (&'static [ValueKind], usize) {
    use ValueKind::*;
    match words {
        ["e", "mail" | "mails", "address" | "addresses", ..] => return (&[Email], 3),
        ["e", "mail" | "mails", ..] | ["email" | "mail", "address" | "addresses", ..] => {
            return (&[Email], 2);
        }
        ["phone" | "telephone" | "mobile" | "fax", "number" | "numbers", ..] => return (&[Phone], 2),
        ["web", "address" | "addresses" | "link" | "links", ..] => return (&[Link], 2),
        _ => {}
    }
    let word = words.first().copied().unwrap_or_default();
    let named: &[ValueKind] = match word {
        "date" | "dates" | "when" => &[Date, Month],
        "year" | "years" => &[Date],
        "month" | "months" => &[Month],
        "time" | "times" => &[Time],
        "amount" | "amounts" | "price" | "prices" | "money" | "sum" | "sums" | "cost" | "costs" => &[Money],
        "percent" | "percentage" | "percentages" => &[Percent],
        "number" | "numbers" | "figure" | "figures" => &[Number],
        "email" | "emails" => &[Email],
        "phone" | "phones" | "telephone" | "telephones" => &[Phone],
        "link" | "links" | "url" | "urls" | "website" | "websites" => &[Link],
        "unit" | "units" | "measure" | "measures" | "measurement" | "measurements" | "quantity"
        | "quantities" => &[Quantity],
        _ => &[],
    };
    (named, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negations_are_taken_apart() {
        let cases = [
            ("players who are not American", "players", Some("players who are American")),
            ("non-European countries", "countries", Some("European countries")),
            ("rivers except the Nile", "rivers", Some("the Nile")),
            ("teams other than the Rams", "teams", Some("the Rams")),
            ("cities without a university", "cities", Some("cities with a university")),
            ("companies but not banks", "companies", Some("banks")),
            ("not", "not", None),
            ("German car makers", "German car makers", None),
            ("people not born in Texas", "people", Some("people born in Texas")),
        ];
        for (query, wanted, unwanted) in cases {
            let asked = ParsedQuery::read(query);
            assert_eq!((asked.wanted.as_str(), asked.unwanted.as_deref()), (wanted, unwanted), "{query}");
        }
    }

    #[test]
    fn names_are_seen_among_other_words() {
        let asked = ParsedQuery::read("Companies owned by Donald Trump");
        assert!(asked.mentions("donald trump"));
        assert!(!asked.mentions("trump tower"));
        assert!(ParsedQuery::read("China").is("china") && !ParsedQuery::read("China").mentions("china"));
    }

    #[test]
    fn values_are_asked_for_plainly() {
        use ValueKind::*;
        let cases: &[(&str, &[ValueKind])] = &[
            ("all the dates", &[Date, Month]),
            ("years and amounts of money", &[Date, Money]),
            ("prices", &[Money]),
            ("e-mail addresses", &[Email]),
            ("E-Mails", &[Email]),
            ("email address", &[Email]),
            ("phone numbers", &[Phone]),
            ("telephone number and links", &[Phone, Link]),
            ("all numbers on this page", &[Number]),
            ("times and months", &[Time, Month]),
            ("percentages", &[Percent]),
            ("measurements", &[Quantity]),
            ("web addresses", &[Link]),
            ("years in prison", &[]),
            ("phone makers", &[]),
            ("addresses", &[]),
            ("social networks", &[]),
        ];
        for (query, values) in cases {
            assert_eq!(&ParsedQuery::read(query).values, values, "{query}");
        }
    }
}
