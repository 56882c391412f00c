//! Lists that were made, kept by the book's hash, the subject, the relation and every setting, the content of the models, the
//! fitted numbers, the word lists and the version of the program: whatever of these changes, the list is made anew.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use findall::Document;
use findall::built_in::built_in_data_id;
use findall::cache::{MAX_CACHED_FILE_BYTES, read_private, write_whole};
use findall::list::{LargerListModel, PromptStyle};
use findall_models::Models;
use findall_models::places::Artifact;
use findall_service::list::ListTask;
use findall_wire::lines::ListLine;

use super::report::to_json;
use crate::config::Config;
use crate::meaning;

/// Changes whenever lists of an earlier version are not worth reading.
const VERSION: u32 = 3;

/// Where lists of one book are kept; nowhere when keeping is off.
pub struct KeptLists {
    folder: Option<PathBuf>,
}

impl KeptLists {
    /// Lists of this book by these models; another larger model, title or way of asking makes other lists.
    pub fn new(config: &Config, document: &Document, larger: Option<&LargerListModel<'_>>) -> Self {
        let hash: String = document.content_hash()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
        let cache = meaning::find_usable_cache(config);
        let larger = larger.map(|larger| (larger.model.id(), larger.title, larger.prompting));
        let settings = hash_settings(built_in_data_id(), &model_ids(config), larger);
        Self { folder: cache.map(|folder| folder.join("lists").join(format!("{hash}-{settings:016x}"))) }
    }

    fn path(&self, task: &ListTask<'_>) -> Option<PathBuf> {
        let mut key = DefaultHasher::new();
        (task.subject, &task.relation, format!("{:?}", task.options)).hash(&mut key);
        Some(self.folder.as_ref()?.join(format!("{:016x}.json", key.finish())))
    }

    /// A list that was made before with the same settings.
    pub fn get(&self, task: &ListTask<'_>) -> Option<ListLine> {
        let bytes = read_private(&self.path(task)?, MAX_CACHED_FILE_BYTES).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Keeps a list; a folder that cannot be written costs time later, not the answer now.
    pub fn put(&self, task: &ListTask<'_>, list: &ListLine) {
        let Some(path) = self.path(task) else { return };
        let _ = write_whole(&path, to_json(list).as_bytes());
    }
}

/// What else lists depend on, beside the book and what is asked of it.
fn hash_settings(
    built_in: &str,
    models: &[Option<String>],
    larger: Option<(&str, &str, PromptStyle)>,
) -> u64 {
    let mut hasher = DefaultHasher::new();
    (VERSION, env!("CARGO_PKG_VERSION"), built_in, models, larger).hash(&mut hasher);
    hasher.finish()
}

/// Who the models are that lists are made with, by their content, as everything else that is kept goes by it: copied or
/// touched files keep their lists, other weights do not. Reading it takes a millisecond, loading the models a second.
fn model_ids(config: &Config) -> Vec<Option<String>> {
    let folder = Artifact::Models.locate(config.model.as_deref());
    let models = folder.and_then(|folder| Models::load(&folder).ok());
    ["encoder", "tagger", "reader"].iter().map(|kind| models.as_ref()?.id_of(kind).ok()).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::layer::Layer;

    fn write(folder: &Path, sum: &str) {
        std::fs::write(folder.join("tokenizer.json"), "{}").unwrap();
        for kind in ["encoder", "tagger", "reader"] {
            let own = folder.join(kind);
            std::fs::create_dir_all(&own).unwrap();
            let file = format!("{{\"bytes\": 1, \"blake3\": \"{sum}\"}}");
            let manifest = format!(
                "{{\"format\": 1, \"kind\": \"{kind}\", \"name\": \"small\", \"max_tokens\": 128, \
                 \"files\": {{\"model.onnx\": {file}, \"../tokenizer.json\": {file}}}}}"
            );
            std::fs::write(own.join("model.json"), manifest).unwrap();
        }
    }

    #[test]
    fn other_built_in_data_or_another_way_of_asking_make_other_lists() {
        let models = [Some("encoder".to_owned()), None];
        let single = Some(("tiny", "The Mill", PromptStyle::Single));
        let kept = hash_settings(built_in_data_id(), &models, single);
        assert_eq!(hash_settings(built_in_data_id(), &models, single), kept);
        assert_ne!(hash_settings("0123456789abcdef", &models, single), kept, "other numbers or words");
        assert_ne!(hash_settings(built_in_data_id(), &models[..1], single), kept, "other models");
        let other = Some(("tiny", "The Mill", PromptStyle::Conv));
        assert_ne!(hash_settings(built_in_data_id(), &models, other), kept, "another way of asking");
    }

    #[test]
    fn lists_go_by_what_the_models_are_and_not_by_where_or_since_when() {
        let ids = |folder: &Path| {
            let model = Some(folder.to_owned());
            model_ids(&Config::build(Layer { model, ..Layer::default() }).unwrap())
        };
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        write(here.path(), "aa");
        write(there.path(), "aa");
        std::fs::write(there.path().join("README.md"), "a copy").unwrap();
        let first = ids(here.path());
        assert!(first.iter().all(Option::is_some), "{first:?}");
        assert_eq!(ids(there.path()), first, "a copy is the same");
        write(here.path(), "bb");
        assert_ne!(ids(here.path()), first, "other weights are not");
    }
}
