//! Style sheets that stand in the page itself, as far as they hide text: rules in, whether an element is shown out. Only
//! what can be told from the element alone is hidden; where a rule might show it (a state, a place in the page), it is
//! read, because text that is found and not seen is better than text that is seen and not found.

/// Rules kept; pages with more are not written by people.
const MAX_RULES: usize = 10_000;
/// Bytes of style sheets read.
const MAX_STYLE_BYTES: usize = 1024 * 1024;

/// All rules of a page that decide whether something is shown.
#[derive(Debug, Default)]
pub(super) struct StyleSheet {
    rules: Vec<StyleRule>,
    bytes: usize,
}

#[derive(Debug)]
struct StyleRule {
    element: Selector,
    hides: bool,
    /// Identifiers, classes and names, as the cascade weighs them; a rule that only might apply weighs most.
    weight: (bool, usize, usize, usize),
}

/// What an element must be: its name, identifier and classes.
#[derive(Debug, Default)]
struct Selector {
    name: Option<String>,
    id: Option<String>,
    classes: Vec<String>,
}

impl StyleSheet {
    /// Takes in the text of a `<style>` element.
    pub fn add(&mut self, style: &str) {
        self.bytes += style.len();
        if self.bytes > MAX_STYLE_BYTES {
            return;
        }
        let mut rest = style;
        while let Some(open) = rest.find('{') {
            // A remark, or the end of an @import, may stand before the selector.
            let head = rest[..open].rsplit(['}', ';']).next().unwrap_or("");
            let head = head.rsplit("*/").next().unwrap_or("").trim();
            let length = block_length(&rest[open..]);
            let body = &rest[open + 1..open + length];
            rest = rest.get(open + length..).unwrap_or("");
            // What depends on the screen, the printer or the browser is not decided here.
            if head.starts_with('@') {
                continue;
            }
            let Some(hides) = hides(body.trim_end_matches('}')) else { continue };
            for selector in head.split(',') {
                self.add_rule(selector.trim(), hides);
            }
        }
    }

    fn add_rule(&mut self, selector: &str, hides: bool) {
        let last = selector.rsplit([' ', '>', '+', '~']).next().unwrap_or("");
        let plain = last.split([':', '[']).next().unwrap_or("");
        let is_alone = plain.len() == selector.len();
        let element = Selector::parse(plain);
        let names_something = element.name.is_some() || element.id.is_some() || !element.classes.is_empty();
        if self.rules.len() >= MAX_RULES || !names_something || hides && !is_alone {
            return;
        }
        let weight = (
            !is_alone,
            usize::from(element.id.is_some()),
            element.classes.len(),
            usize::from(element.name.is_some()),
        );
        self.rules.push(StyleRule { element, hides, weight });
    }

    /// True when the rule that counts most hides the element.
    pub fn hides(&self, name: &[u8], id: &[u8], classes: &[u8]) -> bool {
        if self.rules.is_empty() {
            return false;
        }
        let matching = self.rules.iter().filter(|rule| rule.element.matches(name, id, classes));
        // Of equals the last one wins.
        matching.max_by_key(|rule| rule.weight).is_some_and(|rule| rule.hides)
    }
}

impl Selector {
    fn parse(selector: &str) -> Selector {
        let mut parsed = Selector::default();
        let mut from = 0;
        while from < selector.len() {
            let kind = selector.as_bytes()[from];
            let start = from + usize::from(matches!(kind, b'.' | b'#'));
            let end = selector[start..].find(['.', '#']).map_or(selector.len(), |end| start + end);
            let word = selector[start..end].to_owned();
            match kind {
                _ if word.is_empty() || word == "*" => {}
                b'.' => parsed.classes.push(word),
                b'#' => parsed.id = Some(word),
                _ => parsed.name = Some(word.to_ascii_lowercase()),
            }
            from = end.max(from + 1);
        }
        parsed
    }

    fn matches(&self, name: &[u8], id: &[u8], classes: &[u8]) -> bool {
        self.name.as_ref().is_none_or(|own| own.as_bytes() == name)
            && self.id.as_ref().is_none_or(|own| own.as_bytes() == id)
            && self
                .classes
                .iter()
                .all(|own| classes.split(u8::is_ascii_whitespace).any(|class| class == own.as_bytes()))
    }
}

/// How long a block in braces is, with those in it.
fn block_length(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// Whether declarations hide, show, or do neither.
fn hides(declarations: &str) -> Option<bool> {
    let mut found = None;
    for declaration in declarations.split(';') {
        let Some((name, value)) = declaration.split_once(':') else { continue };
        let value = value.trim().to_ascii_lowercase();
        match name.trim().to_ascii_lowercase().as_str() {
            "display" => found = Some(value.starts_with("none")),
            "visibility" => found = Some(value.starts_with("hidden") || value.starts_with("collapse")),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_that_counts_most_decides() {
        let mut sheet = StyleSheet::default();
        sheet.add(
            "@import 'x'; /* a { } */ .secret, p#gone { color: red; display : none !important }\n\
             .tab { display: none } .tab.active { display: block } .menu { display: none } nav:hover .menu { display: flex }\n\
             @media print { .screen { display: none } } .a .b { display: none } span { visibility: hidden }",
        );
        let hides =
            |name: &str, id: &str, class: &str| sheet.hides(name.as_bytes(), id.as_bytes(), class.as_bytes());
        assert!(hides("p", "", "x secret") && hides("p", "gone", "") && !hides("div", "gone", ""));
        assert!(hides("div", "", "tab") && !hides("div", "", "tab active"));
        assert!(!hides("ul", "", "menu"), "it may be shown");
        assert!(!hides("p", "", "screen") && !hides("p", "", "b") && hides("span", "", ""));
    }

    #[test]
    fn broken_sheets_end() {
        for broken in ["{", "}{", ".a{display:none", "a{b{c{", "@media {", "..#{display:none}", "/*"] {
            StyleSheet::default().add(&broken.repeat(1000));
        }
    }
}
