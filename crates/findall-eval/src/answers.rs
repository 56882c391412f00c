//! The published metric of KTRL+F: predicted mention strings against gold ones, as lists and as sets, exactly and by
//! their longest common part.
//!
//! Strings are normalised first (lower case, no ASCII punctuation, no articles, single spaces). Exact scores take the
//! multiset intersection; overlap scores give each prediction its best gold string for precision, and each gold
//! string at most one prediction, greedily, for recall.

/// Precision, recall and their harmonic mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prf {
    /// Share of what was predicted that is right.
    pub precision: f64,
    /// Share of what is right that was predicted.
    pub recall: f64,
    /// Harmonic mean.
    pub f1: f64,
}

impl Prf {
    fn new(precision: f64, recall: f64) -> Self {
        let sum = precision + recall;
        Self { precision, recall, f1: if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 } }
    }

    /// What counts when one side is empty: right only if both are.
    fn of_empty(both: bool) -> Self {
        if both { Self::new(1.0, 1.0) } else { Self::default() }
    }
}

/// The four scores of one query.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AnswerScores {
    /// Every occurrence counts, strings must be the same.
    pub list_exact: Prf,
    /// Every occurrence counts, strings may overlap.
    pub list_overlap: Prf,
    /// Distinct strings only, the same.
    pub set_exact: Prf,
    /// Distinct strings only, overlapping.
    pub set_overlap: Prf,
}

/// Scores one query.
pub fn score(predicted: &[&str], gold: &[&str]) -> AnswerScores {
    let normal = |strings: &[&str]| strings.iter().map(|text| normalise(text)).collect::<Vec<_>>();
    let (predicted, gold) = (normal(predicted), normal(gold));
    let (few, gold_few) = (without_duplicates(&predicted), without_duplicates(&gold));
    AnswerScores {
        list_exact: score_exact(&predicted, &gold),
        list_overlap: score_overlap(&predicted, &gold),
        set_exact: score_exact(&few, &gold_few),
        set_overlap: score_overlap(&few, &gold_few),
    }
}

/// Lower case, without ASCII punctuation and articles, single spaces.
pub fn normalise(text: &str) -> String {
    let lower: String = text.to_lowercase().chars().filter(|c| !c.is_ascii_punctuation()).collect();
    // Articles are whole words in the regular-expression sense: letters, digits and underscores join.
    let mut out = String::new();
    for word in lower.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&without_articles(word));
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `word` with any article in it that no letter joins ("the–" loses it, "there" does not).
fn without_articles(word: &str) -> String {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = word;
    while !rest.is_empty() {
        let run = rest.find(|c| !joins(c)).unwrap_or(rest.len());
        let (letters, after) = rest.split_at(run);
        out.push_str(if matches!(letters, "a" | "an" | "the") { " " } else { letters });
        let gap = after.find(joins).unwrap_or(after.len());
        out.push_str(&after[..gap]);
        rest = &after[gap..];
    }
    out
}

fn without_duplicates(strings: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for string in strings {
        if !out.contains(string) {
            out.push(string.clone());
        }
    }
    out
}

fn score_exact(predicted: &[String], gold: &[String]) -> Prf {
    if predicted.is_empty() || gold.is_empty() {
        return Prf::of_empty(predicted.is_empty() && gold.is_empty());
    }
    let mut left: Vec<&String> = gold.iter().collect();
    let mut hits = 0usize;
    for one in predicted {
        if let Some(place) = left.iter().position(|other| *other == one) {
            left.swap_remove(place);
            hits += 1;
        }
    }
    Prf::new(hits as f64 / predicted.len() as f64, hits as f64 / gold.len() as f64)
}

fn score_overlap(predicted: &[String], gold: &[String]) -> Prf {
    if predicted.is_empty() || gold.is_empty() {
        return Prf::of_empty(predicted.is_empty() && gold.is_empty());
    }
    let chars =
        |strings: &[String]| strings.iter().map(|s| s.chars().collect::<Vec<_>>()).collect::<Vec<_>>();
    let (predicted, gold) = (chars(predicted), chars(gold));
    let common: Vec<Vec<f64>> =
        predicted.iter().map(|p| gold.iter().map(|g| longest_common(p, g) as f64).collect()).collect();
    let best = |row: &Vec<f64>| row.iter().copied().fold(0.0, f64::max);
    let precision =
        common.iter().zip(&predicted).map(|(row, p)| best(row) / p.len().max(1) as f64).sum::<f64>()
            / predicted.len() as f64;
    let share = |p: usize, g: usize| common[p][g] / gold[g].len().max(1) as f64;
    let best_share = |g: usize| (0..predicted.len()).map(|p| share(p, g)).fold(0.0, f64::max);
    // Gold strings that are matched best choose first.
    let mut order: Vec<usize> = (0..gold.len()).collect();
    order.sort_by(|&a, &b| best_share(b).total_cmp(&best_share(a)));
    let mut free = vec![true; predicted.len()];
    let mut recall = 0.0;
    for g in order {
        let mut chosen: Option<usize> = None;
        for p in (0..predicted.len()).filter(|&p| free[p]) {
            if chosen.is_none_or(|best| share(p, g) > share(best, g)) {
                chosen = Some(p);
            }
        }
        let Some(p) = chosen else { break };
        recall += share(p, g);
        free[p] = false;
    }
    Prf::new(precision, recall / gold.len() as f64)
}

/// Length of the longest common substring.
fn longest_common(a: &[char], b: &[char]) -> usize {
    let mut best = 0;
    let mut row = vec![0usize; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if x == y { diagonal + 1 } else { 0 };
            best = best.max(row[j + 1]);
            diagonal = above;
        }
    }
    best
}

/// Average precision of a ranked list of spans: a span is a hit when it covers, by half or more of their union, a gold
/// span that none before it did.
pub fn average_precision(ranked: &[findall::Span], gold: &[findall::Span]) -> f64 {
    if gold.is_empty() {
        return if ranked.is_empty() { 1.0 } else { 0.0 };
    }
    let mut open: Vec<findall::Span> = gold.to_vec();
    let (mut hits, mut sum) = (0usize, 0.0);
    for (place, span) in ranked.iter().enumerate() {
        if let Some(hit) = open.iter().position(|other| crate::score::overlap(span, other) >= 0.5) {
            open.swap_remove(hit);
            hits += 1;
            sum += hits as f64 / (place + 1) as f64;
        }
    }
    sum / gold.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }

    #[test]
    fn strings_are_normalised() {
        for (text, expected) in [
            ("The  Trump Organization", "trump organization"),
            ("U.S.", "us"),
            ("a–b the", "–b"),
            ("There, an Apple!", "there apple"),
            ("anti-Trump", "antitrump"),
        ] {
            assert_eq!(normalise(text), expected, "{text}");
        }
    }

    #[test]
    fn every_occurrence_counts_in_lists_and_once_in_sets() {
        let answered = score(&["Weibo", "weibo", "Baidu"], &["Weibo", "Weibo", "Weibo", "WeChat"]);
        close(answered.list_exact.precision, 2.0 / 3.0);
        close(answered.list_exact.recall, 0.5);
        close(answered.set_exact.precision, 0.5);
        close(answered.set_exact.recall, 0.5);
    }

    #[test]
    fn overlap_gives_each_gold_string_one_prediction() {
        let answered = score(&["Donald Trump"], &["Trump", "Trump"]);
        close(answered.list_overlap.precision, 5.0 / 12.0);
        close(answered.list_overlap.recall, 0.5);
        let answered = score(&["abcd", "ab"], &["abxy", "abcd"]);
        close(answered.list_overlap.recall, (1.0 + 0.5) / 2.0);
        close(answered.list_overlap.precision, 1.0);
    }

    #[test]
    fn nothing_is_right_only_when_nothing_is_wanted() {
        assert_eq!(score(&[], &[]).list_exact.f1, 1.0);
        assert_eq!(score(&[], &["x"]).list_overlap.f1, 0.0);
        assert_eq!(score(&["x"], &[]).set_exact.f1, 0.0);
    }

    #[test]
    fn average_precision_looks_at_the_order() {
        let span = findall::Span::new;
        let gold = [span(0, 4), span(10, 14)];
        close(average_precision(&[span(0, 4), span(20, 24), span(10, 13)], &gold), (1.0 + 2.0 / 3.0) / 2.0);
        close(average_precision(&[span(20, 24)], &gold), 0.0);
    }
}
