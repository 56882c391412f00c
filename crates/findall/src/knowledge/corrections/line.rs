//! A correction as one line of text: a word for what it is, then its fields, with tabs between.
//!
//! ```text
//! add       TITLE  KIND  TEXT  ALIAS  ALIAS …
//! text      TITLE  WORDS
//! link      TITLE  NAME  WORDS
//! withdraw  TITLE
//! ```

use super::super::EntityKind;
use super::{Addition, Correction};

/// The line of a correction, without its end.
pub(super) fn write_line(correction: &Correction) -> String {
    let mut fields: Vec<&str> = Vec::new();
    match correction {
        Correction::Add(Addition { title, kind, text, aliases }) => {
            fields.extend(["add", title, kind.map_or("", EntityKind::name), text]);
            fields.extend(aliases.iter().map(String::as_str));
        }
        Correction::WrongText { title, words } => fields.extend(["text", title, words]),
        Correction::WrongLink { title, name, words } => {
            fields.extend(["link", title, name.as_deref().unwrap_or_default(), words]);
        }
        Correction::Withdraw { title } => fields.extend(["withdraw", title]),
    }
    fields.iter().map(|field| one_line(field)).collect::<Vec<_>>().join("\t")
}

/// What stands on a line; nothing when it is no correction.
pub(super) fn read_line(line: &str) -> Option<Correction> {
    let mut fields = line.trim_end_matches('\r').split('\t').map(|field| field.trim().to_owned());
    let what = fields.next()?;
    let title = fields.next()?;
    let correction = match what.as_str() {
        "add" => {
            let kind = fields.next().unwrap_or_default();
            let kind = if kind.is_empty() { None } else { Some(EntityKind::from_name(&kind)?) };
            let text = fields.next().unwrap_or_default();
            let aliases = fields.filter(|alias| !alias.is_empty()).collect();
            Correction::Add(Addition { title, kind, text, aliases })
        }
        "text" => Correction::WrongText { title, words: fields.next()? },
        "link" => {
            let name = Some(fields.next()?).filter(|name| !name.is_empty());
            Correction::WrongLink { title, name, words: fields.next()? }
        }
        "withdraw" => Correction::Withdraw { title },
        _ => return None,
    };
    correction.check().is_ok().then_some(correction)
}

/// A field on one line: whatever would end it becomes a space.
fn one_line(field: &str) -> String {
    field.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
