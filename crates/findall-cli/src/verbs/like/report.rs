//! What is like the example, for people and for programs.

use std::path::{Path, PathBuf};

use findall::like::{AlikeEntity, LikeFindings, Suggestion};
use findall_service::like::LikeQuery;
use findall_wire::lines::{LikeLine, SuggestedTermLine};

use super::SearchedCorpus;
use crate::printer::json::push;
use crate::printer::terminal;

/// Everything to be told.
pub struct LikeReport<'r> {
    pub alike: &'r LikeFindings,
    pub query: &'r LikeQuery,
    pub searched: &'r SearchedCorpus,
}

/// A sentence of a file.
pub struct ShownSentence {
    pub path: String,
    pub line: usize,
    pub sentence: String,
}

impl SearchedCorpus {
    /// Where a sentence stands and what it says.
    pub fn show(&self, sentence: usize) -> Option<ShownSentence> {
        let found = self.library.sentence(sentence)?;
        Some(ShownSentence {
            path: self.display_path(&found.path),
            line: found.line(),
            sentence: found.text().split_whitespace().collect::<Vec<_>>().join(" "),
        })
    }

    /// A file's path as the person named it.
    fn display_path(&self, path: &str) -> String {
        let under = |(root, typed): &(PathBuf, PathBuf)| {
            let rest = Path::new(path).strip_prefix(root).ok()?;
            // Nothing is left of a file that was named itself, and joining nothing would add a slash.
            let shown = if rest.as_os_str().is_empty() { typed.clone() } else { typed.join(rest) };
            Some(shown.display().to_string())
        };
        self.named.as_ref().and_then(under).unwrap_or_else(|| path.to_owned())
    }
}

impl LikeReport<'_> {
    /// For people: one entity after another, its best sentence under it.
    pub fn text(&self) -> Vec<u8> {
        let mut out = String::new();
        for (rank, entity) in self.alike.entities.iter().enumerate() {
            out += &format!(
                "{:>2}. {} ({})\n",
                rank + 1,
                terminal::to_safe_line(&entity.name),
                describe_entity(entity)
            );
            if let Some(shown) = self.searched.show(entity.best_sentence()) {
                let sentence = terminal::to_safe_line(&shown.sentence);
                out += &format!("    {}:{}: {sentence}\n", terminal::to_safe_line(&shown.path), shown.line);
            }
        }
        let (documents, analysed) = self.searched.library.corpus().documents();
        if analysed < documents {
            out += &format!(
                "{} of {documents} documents are not analysed yet; findall index goes on\n",
                documents - analysed
            );
        }
        out.into_bytes()
    }

    /// For programs.
    pub fn json(&self) -> Vec<u8> {
        let corpus = self.searched.library.corpus();
        let (documents, analysed) = corpus.documents();
        let mut out = Vec::new();
        push(
            &mut out,
            &LikeLine::Begin {
                entity: &self.query.example.entity,
                method: self.query.method.name(),
                kind: self.alike.kind.map(|kind| kind.name()),
                documents,
                analysed,
                sentences: corpus.len(),
            },
        );
        for (rank, entity) in self.alike.entities.iter().enumerate() {
            let Some(ShownSentence { path, line, sentence }) = self.searched.show(entity.best_sentence())
            else {
                continue;
            };
            push(
                &mut out,
                &LikeLine::Entity {
                    rank: rank + 1,
                    name: &entity.name,
                    known: entity.known,
                    kind: entity.kind.name(),
                    score: entity.score,
                    path,
                    line,
                    sentence,
                    mentions: entity.mentions.len(),
                },
            );
        }
        push(&mut out, &LikeLine::End { entities: self.alike.entities.len() });
        out
    }
}

fn describe_entity(entity: &AlikeEntity) -> String {
    match entity.mentions.len() {
        0 | 1 => entity.kind.name().to_owned(),
        more => format!("{}, {more} sentences", entity.kind.name()),
    }
}

/// The words of the sentence and their suggested weights, one a line as `--term` takes them.
pub fn suggestions(suggested: &[Suggestion], json: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for Suggestion { word, weight } in suggested {
        match json {
            true => push(&mut out, &SuggestedTermLine { weight: *weight, word }),
            false => out.extend(format!("{}={weight}\n", terminal::to_safe_line(word)).into_bytes()),
        }
    }
    out
}
