//! Lists as a page: every object with its score and its passages, each a link to its place in the text.

use std::fmt::Write;
use std::path::Path;

use super::report::{Object, Passage, Report};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}\
    mark{background:#fe9}.no{opacity:.6}.score{color:#666}blockquote{margin:.4rem 0 .8rem 1rem;color:#333}";

/// The page.
pub fn page(reports: &[Report], book: &Path, all: bool) -> String {
    let title = escaped(&book.file_name().unwrap_or_default().to_string_lossy());
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Lists from {title}</title>\
         <style>{STYLE}</style>\n<h1>Lists from {title}</h1>\n"
    );
    for report in reports {
        let accepted = report.objects.iter().filter(|object| object.accepted).count();
        let _ = writeln!(
            out,
            "<h2>{}: {}</h2>\n<p>{accepted} accepted of {} candidates.</p>\n<ol>",
            escaped(&report.subject),
            escaped(&report.relation),
            report.objects.len()
        );
        for one in report.objects.iter().filter(|one| all || one.accepted) {
            object(&mut out, one, book);
        }
        out += "</ol>\n";
    }
    out + "</html>\n"
}

fn object(out: &mut String, one: &Object, book: &Path) {
    let class = if one.accepted { "" } else { " class=\"no\"" };
    let others: Vec<String> =
        one.aliases.iter().filter(|alias| **alias != one.name).map(|alias| escaped(alias)).collect();
    let also = if others.is_empty() { String::new() } else { format!(" (also {})", others.join(", ")) };
    let follows = if one.inferred { ", follows from other ties" } else { "" };
    let _ = writeln!(
        out,
        "<li{class}><b>{}</b>{also} <span class=\"score\">{:.2}, {} mentions{follows}</span>",
        escaped(&one.name),
        one.score,
        one.mentions
    );
    for passage in &one.support {
        let _ = writeln!(
            out,
            "<blockquote>{} <a href=\"{}\">line {}</a></blockquote>",
            marked(passage),
            escaped(&link(book, passage)),
            passage.line
        );
    }
    *out += "</li>\n";
}

/// The file with a text fragment, which browsers scroll to: the passage's first and last words.
fn link(book: &Path, passage: &Passage) -> String {
    let words: Vec<&str> = passage.text.split_whitespace().collect();
    let few = |words: &[&str]| percent(&words.join(" "));
    let path = std::path::absolute(book).unwrap_or_else(|_| book.to_owned());
    let fragment = match words.len() {
        0..=8 => few(&words),
        many => format!("{},{}", few(&words[..4]), few(&words[many - 4..])),
    };
    format!("file://{}#:~:text={fragment}", percent(&path.display().to_string()).replace("%2F", "/"))
}

fn percent(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}

/// The passage with its highlights marked.
fn marked(passage: &Passage) -> String {
    let mut out = String::new();
    let mut at = 0;
    for [start, end] in &passage.highlights {
        let (Some(start), Some(end)) =
            (start.checked_sub(passage.bytes[0]), end.checked_sub(passage.bytes[0]))
        else {
            continue;
        };
        if let (Some(before), Some(inside)) = (passage.text.get(at..start), passage.text.get(start..end)) {
            out += &escaped(before);
            out += &format!("<mark>{}</mark>", escaped(inside));
            at = end;
        }
    }
    out + &escaped(passage.text.get(at..).unwrap_or_default())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_are_escaped_marked_and_linked() {
        let passage = Passage {
            text: "<b>Anna</b> met Jo".into(),
            line: 3,
            bytes: [10, 28],
            chars: [10, 28],
            highlights: vec![[13, 17], [26, 28]],
        };
        assert_eq!(marked(&passage), "&lt;b&gt;<mark>Anna</mark>&lt;/b&gt; met <mark>Jo</mark>");
        let link = link(Path::new("/books/a b.txt"), &passage);
        assert_eq!(link, "file:///books/a%20b.txt#:~:text=%3Cb%3EAnna%3C%2Fb%3E%20met%20Jo");
    }
}
