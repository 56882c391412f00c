//! A query on the first line, a text on the others: matches are in range, sorted, apart, and what exact find gives alone is
//! among them.

use findall::lexical::{Finder, LexicalKind, LexicalOptions};

pub fn lexical(bytes: &[u8]) {
    let input = String::from_utf8_lossy(bytes);
    let Some((query, text)) = input.split_once('\n') else { return };
    let Ok(finder) = Finder::new(query, LexicalOptions::default()) else { return };
    let matches = finder.find(text);
    for (at, found) in matches.iter().enumerate() {
        assert!(found.span.slice(text).is_some_and(|slice| !slice.is_empty()));
        assert!(at == 0 || matches[at - 1].score >= found.score);
    }
    let mut spans: Vec<_> = matches.iter().map(|found| found.span).collect();
    spans.sort();
    assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start));
    let exact = matches.iter().filter(|found| found.kind == LexicalKind::Exact).count();
    assert_eq!(exact, finder.exact(text).count());
}
