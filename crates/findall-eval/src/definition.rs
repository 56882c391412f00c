//! Definitions of lexical measurements: a text, queries, and the answers inside, as data (rebar's way).
//!
//! An answer is a snippet of the text with the expected match in square brackets, `"the [colour] of"`; without its
//! brackets it must occur exactly once, so a definition that drifts from its text is refused.

use std::path::{Path, PathBuf};

use findall::document::{Format, Limits};
use findall::{Document, Span};
use serde::Deserialize;

use crate::EvalError;

/// One file of `eval/definitions/lexical`.
#[derive(Debug)]
pub struct Definition {
    /// The file's name without its ending.
    pub name: String,
    /// The text searched.
    pub document: Document,
    /// What is asked, and what should come.
    pub queries: Vec<DefinedQuery>,
}

/// One query and where its matches stand.
#[derive(Debug)]
pub struct DefinedQuery {
    /// What a person types.
    pub text: String,
    /// What should be found; empty when nothing should.
    pub expected: Vec<Span>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDefinition {
    /// What the definition is for; read by people only.
    #[expect(dead_code, reason = "documents the definition")]
    about: String,
    #[serde(default)]
    format: Option<String>,
    text: String,
    query: Vec<RawQuery>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawQuery {
    text: String,
    answers: Vec<String>,
}

/// Reads every definition in a folder, by name.
pub fn read_all(folder: &Path) -> Result<Vec<Definition>, EvalError> {
    let failed = |error| EvalError::File { path: folder.to_owned(), error };
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    let mut paths: Vec<PathBuf> =
        entries.collect::<Result<Vec<_>, _>>().map_err(failed)?.iter().map(|e| e.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Result<Definition, EvalError> {
    let text =
        std::fs::read_to_string(path).map_err(|error| EvalError::File { path: path.to_owned(), error })?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    parse(name, &text).map_err(|message| EvalError::Definition { path: path.to_owned(), message })
}

fn parse(name: String, text: &str) -> Result<Definition, String> {
    let raw: RawDefinition = toml::from_str(text).map_err(|error| error.to_string())?;
    let format = match raw.format.as_deref() {
        None => Format::Text,
        Some(name) => Format::from_name(name).ok_or_else(|| format!("unknown format {name:?}"))?,
    };
    let document = Document::from_bytes(raw.text.as_bytes(), Some(format), &Limits::default())
        .map_err(|error| error.to_string())?;
    let queries = raw.query.iter().map(|query| {
        let expected = query.answers.iter().map(|answer| locate(answer, document.text()));
        Ok(DefinedQuery { text: query.text.clone(), expected: expected.collect::<Result<_, String>>()? })
    });
    Ok(Definition { queries: queries.collect::<Result<_, String>>()?, name, document })
}

/// The span that a bracketed snippet points at.
fn locate(answer: &str, text: &str) -> Result<Span, String> {
    let open = answer.find('[').ok_or_else(|| format!("answer {answer:?} has no ["))?;
    let close = answer
        .rfind(']')
        .filter(|&close| close > open)
        .ok_or_else(|| format!("answer {answer:?} has no ]"))?;
    let snippet = format!("{}{}{}", &answer[..open], &answer[open + 1..close], &answer[close + 1..]);
    let mut places = text.match_indices(&snippet).map(|(place, _)| place);
    match (places.next(), places.next()) {
        (Some(place), None) => Ok(Span::new(place + open, place + close - 1)),
        (None, _) => Err(format!("answer {answer:?} is not in the text")),
        (Some(_), Some(_)) => {
            Err(format!("answer {answer:?} stands in the text more than once; give more of it"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_point_into_the_text() {
        let text = "a red car, a blue car";
        assert_eq!(locate("blue [car]", text).unwrap().slice(text), Some("car"));
        assert!(locate("[car]", text).unwrap_err().contains("more than once"));
        assert!(locate("[van]", text).unwrap_err().contains("not in the text"));
        assert!(locate("car", text).is_err());
    }
}
