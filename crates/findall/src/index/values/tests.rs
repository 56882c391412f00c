//! Values of texts as people write them: `cases.tsv` is the table, and every case that is read otherwise is named.

use super::*;
use crate::index::values::ValueKind::*;

const CASES: &str = include_str!("cases.tsv");
const LEAST: f64 = 0.97;

fn kind_of(name: &str) -> ValueKind {
    match name {
        "date" => Date,
        "money" => Money,
        "percent" => Percent,
        "time" => Time,
        "month" => Month,
        "email" => Email,
        "phone" => Phone,
        "link" => Link,
        "quantity" => Quantity,
        other => panic!("no kind is called {other}"),
    }
}

/// The text of a case without its braces, and the values that they mark.
fn marked(case: &str) -> (String, Vec<Value>) {
    let mut text = String::new();
    let mut values = Vec::new();
    for piece in case.split_inclusive(['{', '}']) {
        match piece.strip_suffix('}').and_then(|piece| piece.split_once('|')) {
            Some((kind, words)) => {
                let start = text.len();
                text.push_str(words);
                values.push(Value { span: Span::new(start, text.len()), kind: kind_of(kind) });
            }
            None => text.push_str(piece.trim_end_matches('{')),
        }
    }
    (text, values)
}

#[test]
fn values_of_six_conventions() {
    let cases: Vec<(&str, &str)> = CASES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .collect();
    assert!(cases.len() >= 200, "{} cases", cases.len());
    let (mut right, mut found, mut wanted) = (0, 0, 0);
    let mut wrong = String::new();
    for (convention, case) in &cases {
        let (text, expected) = marked(case);
        let mut values = scan(&text);
        values.retain(|value| value.kind != Number);
        let same = values.iter().filter(|value| expected.contains(value)).count();
        right += same;
        found += values.len();
        wanted += expected.len();
        if same < values.len().max(expected.len()) {
            let said: Vec<_> = values.iter().map(|value| (value.span.slice(&text), value.kind)).collect();
            wrong += &format!("{convention}\t{case}\n\t{said:?}\n");
        }
    }
    let (precision, recall) = (right as f64 / found as f64, right as f64 / wanted as f64);
    assert!(precision >= LEAST && recall >= LEAST, "precision {precision:.3}, recall {recall:.3}\n{wrong}");
}

#[test]
fn finds_values_and_their_kinds() {
    let cases: &[(&str, &[(&str, ValueKind)])] = &[
        ("On July 4, 2026 it paid $5.2 million.", &[("July 4, 2026", Date), ("$5.2 million", Money)]),
        (
            "the 4th of July 1776, in May 2001, the 1990s",
            &[("4th of July 1776", Date), ("May 2001", Month), ("1990s", Date)],
        ),
        (
            "12,000 people, 7% or 8 percent, 30 euros",
            &[("12,000", Number), ("7%", Percent), ("8 percent", Percent), ("30 euros", Money)],
        ),
        ("She may 4 times march on.", &[("4", Number)]),
        ("£13m for 3 players; B2B", &[("£13m", Money), ("3", Number)]),
        ("the 2nd of 3 million", &[("2nd", Number), ("3 million", Number)]),
        ("", &[]),
    ];
    for (text, expected) in cases {
        let found: Vec<(&str, ValueKind)> =
            scan(text).iter().map(|value| (value.span.slice(text).unwrap(), value.kind)).collect();
        assert_eq!(&found, expected, "{text}");
    }
}

#[test]
fn kinds_keep_their_numbers() {
    for (number, kind) in ValueKind::ALL.iter().enumerate() {
        assert_eq!(*kind as usize, number);
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_to_its_end(text in "[0-9A-Za-z€$£%°.,:/+()'’–\u{a0} \n@-]{0,60}") {
        let mut last = 0;
        for Value { span, .. } in scan(&text) {
            proptest::prop_assert!(span.start >= last && span.end > span.start);
            proptest::prop_assert!(span.slice(&text).is_some());
            last = span.end;
        }
    }
}
