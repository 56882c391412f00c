//! What is like the example, for people and for programs.

use std::path::{Path, PathBuf};

use findall::Document;
use findall::like::{AlikeEntity, Example, LikeFindings, Method, Suggestion};
use findall_wire::lines::LikeLine;

use super::SearchedCorpus;
use crate::printer::json::push;
use crate::printer::terminal;

/// Everything to be told.
pub struct LikeReport<'r> {
    pub alike: &'r LikeFindings,
    pub example: &'r Example,
    pub searched: &'r SearchedCorpus,
    pub method: Method,
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
        let (document, at) = self.corpus.place(sentence)?;
        let file = *self.files.get(document)?;
        let read: Document = self.snapshot.document(file)?;
        let span = *read.sentences().get(at)?;
        let text = span.slice(read.text())?.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = read.positions().line_column(span.start)?.line;
        Some(ShownSentence {
            path: self.display_path(&self.snapshot.files()[file].path),
            line,
            sentence: text,
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
        let (documents, analysed) = self.searched.corpus.documents();
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
        let (documents, analysed) = self.searched.corpus.documents();
        let mut out = Vec::new();
        push(
            &mut out,
            &LikeLine::Begin {
                entity: &self.example.entity,
                method: self.method.name(),
                kind: self.alike.kind.map(|kind| kind.name()),
                documents,
                analysed,
                sentences: self.searched.corpus.len(),
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
pub fn suggestions(suggested: &[Suggestion], json: bool) -> String {
    let line = |one: &Suggestion| match json {
        true => serde_json::json!({"word": one.word, "weight": one.weight}).to_string() + "\n",
        false => format!("{}={}\n", terminal::to_safe_line(&one.word), one.weight),
    };
    suggested.iter().map(line).collect()
}
