//! What the linker's weights are learned from: labelled documents in, one JSON line a chain out.
//!
//! Each sentence that has two names or more is given a second time as a document of its own, so that the weights also
//! learn to do with little context and with short names that are never introduced.

use std::collections::HashMap;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use findall::Document;
use findall::knowledge::{EntityId, KnowledgeBase};
use findall::linking::{ChainFeatures, Linker, NONE_FEATURES, SENSE_FEATURES};
use findall::mentions::{Mention, MentionTagger};

use super::data::{self, LinkedArticle};
use super::gold::GoldIndex;
use super::{gold_mentions, set_name};
use crate::EvalError;

/// Writes features.
pub struct Learner<'l> {
    pub knowledge: &'l KnowledgeBase,
    pub linker: &'l Linker<'l>,
    /// Gives types to mentions whose data says nothing of them.
    pub tagger: Option<&'l dyn MentionTagger>,
}

impl Learner<'_> {
    /// The features of all chains of the files.
    pub fn write(&self, files: &[PathBuf], path: &Path, out: &mut dyn Write) -> Result<(), EvalError> {
        let failed = |error| EvalError::File { path: path.into(), error };
        let mut file = BufWriter::new(std::fs::File::create(path).map_err(failed)?);
        let names = serde_json::json!({ "sense": SENSE_FEATURES.as_slice(), "none": NONE_FEATURES });
        writeln!(file, "{names}").map_err(failed)?;
        let mut chains = 0;
        for data in files {
            let (_, articles) = data::read(data)?;
            for (index, article) in articles.iter().enumerate() {
                let place = |sentence| serde_json::json!([set_name(data), index, sentence]);
                let sentences = article.sentences();
                let alone = sentences.len() == 1 && sentences[0].labels.len() == article.labels.len();
                let parts = sentences.iter().filter(|_| !alone).map(|part| (part, true));
                for (part, sentence) in std::iter::once((article, false)).chain(parts) {
                    for mut line in self.lines(part)? {
                        line["at"] = place(sentence);
                        writeln!(file, "{line}").map_err(failed)?;
                        chains += 1;
                    }
                }
            }
        }
        file.flush().map_err(failed)?;
        writeln!(out, "features of {chains} chains in {}", path.display())?;
        Ok(())
    }

    fn lines(&self, article: &LinkedArticle) -> Result<Vec<serde_json::Value>, EvalError> {
        let failed = |error: findall::encode::ModelError| EvalError::Program {
            program: "tagger".into(),
            message: error.to_string(),
        };
        let tagged: Option<Vec<Mention>> = match self.tagger {
            Some(tagger) => tagger.tag(&[article.text.as_str()]).map_err(failed)?.pop(),
            None => None,
        };
        let gold = GoldIndex::new(self.knowledge, article);
        let document = Document::from_text(article.text.clone());
        let mentions = gold_mentions(article, tagged.as_deref());
        let chains = self.linker.features(&document, &mentions);
        Ok(chains.into_iter().filter_map(|chain| self.line(&chain, &gold, article)).collect())
    }

    /// One chain: its name, the titles of its senses, which is right (-1 for none), features; `None` when nothing in it
    /// is labelled.
    fn line(
        &self,
        chain: &ChainFeatures,
        gold: &GoldIndex,
        article: &LinkedArticle,
    ) -> Option<serde_json::Value> {
        // A chain may join mentions of several entities; it is judged by the most frequent one.
        let mut votes: HashMap<Option<EntityId>, usize> = HashMap::new();
        for id in chain.mentions.iter().filter_map(|mention| gold.ids.get(*mention)) {
            *votes.entry(*id).or_default() += 1;
        }
        let expected = votes.into_iter().max_by_key(|(id, count)| (*count, *id))?.0;
        let right = chain.senses.iter().position(|(id, _)| Some(*id) == expected);
        let title =
            |id: EntityId| self.knowledge.record(id).map_or_else(|_| String::new(), |record| record.title);
        let titles: Vec<String> = chain.senses.iter().map(|(id, _)| title(*id)).collect();
        let senses: Vec<_> = chain.senses.iter().map(|(_, features)| features.values().to_vec()).collect();
        let name =
            chain.mentions.iter().find_map(|mention| article.labels.get(*mention))?.span.slice(&article.text);
        Some(serde_json::json!({
            "name": name,
            "expected": expected.map(title),
            "right": right.map_or(-1, |place| place as i64),
            "mentions": chain.mentions.len(),
            "titles": titles,
            "senses": senses,
            "none": chain.none.values(),
        }))
    }
}
