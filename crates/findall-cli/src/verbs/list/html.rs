//! Lists as a page of its own: every object with its score, its test and its passages, each a link to its place in the
//! text, which stands below with the same places marked. Nothing is fetched from anywhere.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use findall::Document;
use findall_wire::lines::{ListLine, ObjectLine, SupportLine};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}\
    mark{background:#fe9}.no{opacity:.6}.score{color:#666}blockquote{margin:.4rem 0 .8rem 1rem;color:#333}\
    #text{white-space:pre-wrap;border-top:1px solid #999;margin-top:3rem;padding-top:1rem}\
    #text span:target{outline:2px solid #c60}hr{border:0;border-top:1px dashed #999}";

/// A text up to this size stands whole in the page; of a larger one, what surrounds the passages.
const MAX_WHOLE_TEXT_BYTES: usize = 4 << 20;

/// Bytes shown on each side of a passage of a larger text.
const MAX_BYTES_AROUND_PASSAGE: usize = 2000;

/// The page.
pub fn page(lists: &[ListLine], document: &Document, book: &Path, all: bool) -> String {
    let title = escape_html(&book.file_name().unwrap_or_default().to_string_lossy());
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Lists from {title}</title>\
         <style>{STYLE}</style>\n<h1>Lists from {title}</h1>\n"
    );
    let mut places: BTreeMap<usize, &SupportLine> = BTreeMap::new();
    for list in lists {
        let accepted = list.objects.iter().filter(|object| object.accepted).count();
        let _ = writeln!(
            out,
            "<h2>{}: {}</h2>\n<p>{accepted} accepted of {} candidates.</p>",
            escape_html(&list.subject),
            escape_html(&list.relation),
            list.objects.len()
        );
        if let Some(why) = &list.partial {
            let _ = writeln!(out, "<p><b>Partial:</b> {}</p>", escape_html(why));
        }
        out += "<ol>\n";
        for one in list.objects.iter().filter(|one| all || one.accepted) {
            object(&mut out, one);
            places.extend(one.support.iter().map(|passage| (passage.bytes[0], passage)));
        }
        out += "</ol>\n";
    }
    text(&mut out, document.text(), &places);
    out + "</html>\n"
}

fn object(out: &mut String, one: &ObjectLine) {
    let class = if one.accepted { "" } else { " class=\"no\"" };
    let others: Vec<String> =
        one.aliases.iter().filter(|alias| **alias != one.name).map(|alias| escape_html(alias)).collect();
    let also = if others.is_empty() { String::new() } else { format!(" (also {})", others.join(", ")) };
    let follows = if one.inferred { ", follows from other ties" } else { "" };
    let verdict = match (one.located, one.accepted) {
        (false, _) => "not in the text".to_owned(),
        (true, true) => format!("accepted by {}", escape_html(&one.by)),
        (true, false) => format!("not accepted by {}", escape_html(&one.by)),
    };
    let _ = writeln!(
        out,
        "<li{class}><b>{}</b>{also} <span class=\"score\">{:.2}, {verdict}, {} mentions{follows}</span>",
        escape_html(&one.name),
        one.score,
        one.mentions
    );
    for passage in &one.support {
        let _ = writeln!(
            out,
            "<blockquote>{} <a href=\"#b{}\">line {}</a></blockquote>",
            mark_highlights(passage),
            passage.bytes[0],
            passage.line
        );
    }
    *out += "</li>\n";
}

/// The text, each passage where it stands and with its highlights.
fn text(out: &mut String, text: &str, places: &BTreeMap<usize, &SupportLine>) {
    *out += "<div id=\"text\">";
    let mut at = 0;
    for passage in places.values() {
        let [start, end] = passage.bytes;
        if start < at {
            // Two passages overlap: the later one leads to the first.
            let _ = write!(out, "<span id=\"b{start}\"></span>");
            continue;
        }
        write_between(out, text, at, start);
        let _ = write!(out, "<span id=\"b{start}\">{}</span>", mark_highlights(passage));
        at = end;
    }
    write_between(out, text, at, text.len());
    *out += "</div>\n";
}

/// What stands between two passages, whole or its ends.
fn write_between(out: &mut String, text: &str, from: usize, until: usize) {
    if text.len() <= MAX_WHOLE_TEXT_BYTES || until - from <= 2 * MAX_BYTES_AROUND_PASSAGE {
        *out += &escape_html(text.get(from..until).unwrap_or_default());
        return;
    }
    let (first, last) = (
        text.floor_char_boundary(from + MAX_BYTES_AROUND_PASSAGE),
        text.ceil_char_boundary(until - MAX_BYTES_AROUND_PASSAGE),
    );
    if from > 0 {
        *out += &escape_html(text.get(from..first).unwrap_or_default());
    }
    *out += "<hr>";
    if until < text.len() {
        *out += &escape_html(text.get(last..until).unwrap_or_default());
    }
}

/// The passage with its highlights marked.
fn mark_highlights(passage: &SupportLine) -> String {
    let mut out = String::new();
    let mut at = 0;
    for [start, end] in &passage.highlights {
        let (Some(start), Some(end)) =
            (start.checked_sub(passage.bytes[0]), end.checked_sub(passage.bytes[0]))
        else {
            continue;
        };
        if let (Some(before), Some(inside)) = (passage.text.get(at..start), passage.text.get(start..end)) {
            out += &escape_html(before);
            out += &format!("<mark>{}</mark>", escape_html(inside));
            at = end;
        }
    }
    out + &escape_html(passage.text.get(at..).unwrap_or_default())
}

fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage() -> SupportLine {
        SupportLine {
            text: "<b>Anna</b> met Jo".into(),
            line: 3,
            bytes: [10, 28],
            chars: [10, 28],
            highlights: vec![[13, 17], [26, 28]],
        }
    }

    #[test]
    fn passages_are_escaped_and_marked() {
        assert_eq!(mark_highlights(&passage()), "&lt;b&gt;<mark>Anna</mark>&lt;/b&gt; met <mark>Jo</mark>");
    }

    #[test]
    fn the_text_has_an_anchor_for_each_passage() {
        let (mut out, passage) = (String::new(), passage());
        text(&mut out, "0123456 & <b>Anna</b> met Jo. End", &BTreeMap::from([(10, &passage)]));
        assert_eq!(
            out,
            "<div id=\"text\">0123456 &amp; <span id=\"b10\">&lt;b&gt;<mark>Anna</mark>&lt;/b&gt; met \
             <mark>Jo</mark></span>. End</div>\n"
        );
    }

    #[test]
    fn of_a_large_text_only_the_neighbourhood_is_shown() {
        let large = "é".repeat(MAX_WHOLE_TEXT_BYTES);
        let mut out = String::new();
        write_between(&mut out, &large, 101, large.len());
        assert!(out.len() < 3 * MAX_BYTES_AROUND_PASSAGE && out.ends_with("<hr>"), "{}", out.len());
    }
}
