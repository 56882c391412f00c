//! Lexical find on small texts: what is found, how it is labelled, in what order.

use findall::lexical::{CaseRule, LexicalKind, LexicalOptions, Reason, Spelling, WordRule, find};

/// Exact matches of a query, as slices in text order.
fn exact<'t>(text: &'t str, query: &str) -> Vec<&'t str> {
    let options = LexicalOptions { spelling: Spelling::Exact, ..LexicalOptions::default() };
    let mut matches = find(text, query, options).expect("a good query");
    matches.sort_by_key(|found| found.span);
    matches.iter().map(|found| found.span.slice(text).expect("in range")).collect()
}

#[test]
fn exact_forgives_what_readers_do_not_see() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("The cat sat. CAT!", "cat", &["cat", "CAT"]),
        ("Café, cafe\u{301} and cafe", "café", &["Café", "cafe\u{301}", "cafe"]),
        ("new\r\n   york, New\u{a0}York", "New York", &["new\r\n   york", "New\u{a0}York"]),
        (
            "infor-\nmation in\u{ad}formation infor\u{ad}\nmation",
            "information",
            &["infor-\nmation", "in\u{ad}formation", "infor\u{ad}\nmation"],
        ),
        ("a well-\nknown, well-known, well known", "well-known", &["well-\nknown", "well-known"]),
        ("Straße STRASSE", "strasse", &["Straße", "STRASSE"]),
        ("ﬁnal final", "final", &["ﬁnal", "final"]),
        ("don’t don't", "don't", &["don’t", "don't"]),
        ("Привет ПРИВЕТ", "привет", &["Привет", "ПРИВЕТ"]),
        ("東京都は東京", "東京", &["東京", "東京"]),
        ("שָׁלוֹם עולם", "שלום", &["שָׁלוֹם"]),
        ("aaaa", "aa", &["aa", "aa"]),
        ("one\n\ntwo", "one two", &[]),
        ("x\0y x y", "x\0y", &["x\0y"]),
        ("👍🏽 ok 👍", "👍", &["👍", "👍"]),
        ("spaces     only", "spaces only", &["spaces     only"]),
        ("pre-\n\nfix", "prefix", &[]),
        ("an e-\ntea and e-tea", "e-tea", &["e-\ntea", "e-tea"]),
        ("C++ and c++", "c++", &["C++", "c++"]),
    ];
    for (text, query, expected) in cases {
        assert_eq!(&exact(text, query), expected, "{query:?} in {text:?}");
    }
}

#[test]
fn rules_narrow_exact_matches() {
    let text = "Art party art";
    let options = LexicalOptions { spelling: Spelling::Exact, ..LexicalOptions::default() };
    let count = |options| find(text, "art", options).expect("a good query").len();
    assert_eq!(count(options), 3);
    assert_eq!(count(LexicalOptions { words: WordRule::WholeWords, ..options }), 2);
    assert_eq!(count(LexicalOptions { case: CaseRule::Exact, ..options }), 2);
}

#[test]
fn fuzzy_says_why() {
    let cases: &[(&str, &str, &str, Reason)] = &[
        ("Two companies merged.", "company", "companies", Reason::Plural),
        ("the founding of", "founded", "founding", Reason::Inflection),
        ("please recieve it", "receive", "recieve", Reason::Typo { edits: 1 }),
        ("send an e-mail now", "email", "e-mail", Reason::Spacing),
        ("send an email now", "e-mail", "email", Reason::Spacing),
        ("Nikc Saban coached", "Nick Saban", "Nikc Saban", Reason::Typo { edits: 1 }),
        ("social\nnetwork sites", "social networks", "social\nnetwork", Reason::Plural),
    ];
    for (text, query, expected, reason) in cases {
        let matches = find(text, query, LexicalOptions::default()).expect("a good query");
        let found: Vec<_> = matches.iter().map(|m| (m.span.slice(text).expect("in range"), m.kind)).collect();
        assert_eq!(found, [(*expected, LexicalKind::Fuzzy(*reason))], "{query:?} in {text:?}");
    }
}

/// Found by fuzzing: the one apostrophe that Unicode counts among the letters was a word with nothing before its ending.
#[test]
fn an_apostrophe_alone_is_no_word() {
    let input = String::from_utf8_lossy(include_bytes!("../../../../fuzz/seeds/lexical/apostrophe.txt"));
    let (query, text) = input.split_once('\n').expect("a query and a text");
    for found in find(text, query, LexicalOptions::default()).expect("a good query") {
        assert!(found.span.slice(text).is_some_and(|slice| !slice.is_empty()), "{found:?}");
    }
}

#[test]
fn exact_comes_first_and_nothing_overlaps() {
    let text = "companies and a company, the Company's companys, accompany";
    let matches = find(text, "company", LexicalOptions::default()).expect("a good query");
    let slices: Vec<_> = matches.iter().map(|m| m.span.slice(text).expect("in range")).collect();
    assert_eq!(slices, ["company", "Company", "company", "company", "companies"]);
    for (at, one) in matches.iter().enumerate() {
        assert!(matches[at + 1..].iter().all(|other| !one.span.overlaps(&other.span)));
    }
}

#[test]
fn other_numbers_and_short_words_are_not_typos() {
    for (text, query) in [("in 1985", "1984"), ("the cat", "car"), ("a house", "mouse"), ("B2B", "B2C")] {
        let matches = find(text, query, LexicalOptions::default()).expect("a good query");
        assert!(matches.is_empty(), "{query:?} in {text:?}: {matches:?}");
    }
}

#[test]
fn other_words_are_not_typos() {
    let text = "The form came from the firm. The farm, the farm! Every form, every from.";
    let matches = find(text, "form", LexicalOptions::default()).expect("a good query");
    let slices: Vec<_> = matches.iter().map(|m| m.span.slice(text).expect("in range")).collect();
    assert_eq!(
        slices,
        ["form", "form", "firm"],
        "a spelling met once may be a slip; one met often is a word"
    );
    let text = "The goverment and the govermnent, the government.";
    let matches = find(text, "govrenment", LexicalOptions::default()).expect("a good query");
    let slices: Vec<_> = matches.iter().map(|m| m.span.slice(text).expect("in range")).collect();
    assert_eq!(slices, ["government"], "a mistyped query means what lies nearest");
}

#[test]
fn bad_queries_say_what_to_do() {
    assert!(find("text", " \n", LexicalOptions::default()).is_err());
    assert!(find("text", &"long ".repeat(1000), LexicalOptions::default()).is_err());
}
