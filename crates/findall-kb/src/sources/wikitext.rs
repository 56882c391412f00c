//! Wikitext, as far as an opening paragraph needs it: templates, tables, files, references and markup go, links
//! become their words.

/// Templates nested deeper than this are not looked into.
const MAX_TEMPLATE_DEPTH: usize = 64;
/// Of a page only the beginning is looked at.
const MAX_PAGE_BYTES: usize = 64 << 10;

/// The first paragraph of prose.
pub fn first_paragraph(text: &str) -> String {
    let text = &text[..text.floor_char_boundary(MAX_PAGE_BYTES)];
    let plain = without_links(&without_templates(&without_comments(text)));
    plain
        .lines()
        .map(str::trim)
        .find(|line| {
            line.len() > 40
                && line.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '\'' | '"' | '“'))
        })
        .map(|line| line.replace("'''", "").replace("''", ""))
        .unwrap_or_default()
}

/// The text of `{{Short description|…}}`.
pub fn short_description(text: &str) -> Option<String> {
    let start = text.get(..text.floor_char_boundary(4096))?;
    let at = start.to_ascii_lowercase().find("{{short description|")? + "{{short description|".len();
    let end = start[at..].find("}}")?;
    let words = start[at..at + end].split('|').next()?.trim();
    (!words.is_empty() && words != "none").then(|| words.to_owned())
}

/// A page that only lists what a title may mean.
pub fn is_disambiguation(text: &str) -> bool {
    let lower = text.get(..text.floor_char_boundary(MAX_PAGE_BYTES)).unwrap_or(text).to_ascii_lowercase();
    ["{{disambig", "{{disambiguation", "{{hndis", "{{geodis", "{{surname"]
        .iter()
        .any(|template| lower.contains(template))
}

/// Drops `<!-- -->`, `<ref>…</ref>` and other tags.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let tag = &rest[at..];
        let end = if tag.starts_with("<!--") {
            tag.find("-->").map(|end| end + 3)
        } else if tag.starts_with("<ref") {
            let close = tag.find('>').unwrap_or(tag.len());
            if tag[..close].ends_with('/') { Some(close + 1) } else { tag.find("</ref>").map(|end| end + 6) }
        } else {
            tag.find('>').map(|end| end + 1)
        };
        match end {
            Some(end) => rest = tag.get(end..).unwrap_or(""),
            None => return out,
        }
    }
    out.push_str(rest);
    out
}

/// Drops `{{…}}` and `{|…|}`, nested.
fn without_templates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut depth = 0usize;
    let mut characters = text.char_indices().peekable();
    while let Some((_, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        match (character, next) {
            ('{', Some('{' | '|')) if depth < MAX_TEMPLATE_DEPTH => {
                depth += 1;
                characters.next();
            }
            ('}', Some('}')) | ('|', Some('}')) if depth > 0 => {
                depth -= 1;
                characters.next();
            }
            _ if depth == 0 => out.push(character),
            _ => {}
        }
    }
    out
}

/// `[[target|words]]` becomes its words; files and categories go; `[http://… words]` becomes its words.
fn without_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(link) = rest.strip_prefix("[[") {
            let end = find_link_end(link);
            let inner = &link[..end];
            let is_file = ["file:", "image:", "category:"].iter().any(|prefix| {
                inner.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
            });
            if !is_file {
                out.push_str(inner.rsplit('|').next().unwrap_or(inner));
            }
            rest = link.get(end + 2..).unwrap_or("");
        } else {
            let end = rest.find(']').unwrap_or(rest.len() - 1);
            out.push_str(rest[1..end.max(1)].split_once(' ').map_or("", |(_, words)| words));
            rest = rest.get(end + 1..).unwrap_or("");
        }
    }
    out.push_str(rest);
    out
}

/// Where the `]]` that closes a link begins, links inside it skipped.
fn find_link_end(link: &str) -> usize {
    let bytes = link.as_bytes();
    let (mut depth, mut at) = (0usize, 0usize);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"[[" => {
                depth += 1;
                at += 2;
            }
            b"]]" if depth == 0 => return at,
            b"]]" => {
                depth -= 1;
                at += 2;
            }
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opening_is_prose() {
        let text = "{{Short description|Village in Orr}}\n{{Infobox settlement|name={{lang|xx|Wend}}|pop=3}}\n[[File:A.jpg|thumb|A [[mill]] there]]\n'''Wend''' is a [[village (place)|village]] in [[Orr]],<ref name=a>B</ref> with a mill.<!-- no -->\n\nMore follows here, which is not read by anybody at all.";
        assert_eq!(first_paragraph(text), "Wend is a village in Orr, with a mill.");
        assert_eq!(short_description(text).as_deref(), Some("Village in Orr"));
        assert!(!is_disambiguation(text));
        assert!(is_disambiguation("'''Wend''' may mean:\n{{disambiguation}}"));
    }

    #[test]
    fn torn_markup_does_not_break_it() {
        for text in ["{{{{", "[[", "[[a|", "<ref", "<!--", "[", "}}", "|}", "[[[[a]]", "{{a|b", "[x"] {
            first_paragraph(text);
            short_description(text);
        }
        first_paragraph(&"{{".repeat(100_000));
        first_paragraph(&"[[".repeat(100_000));
    }
}
