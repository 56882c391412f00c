//! What find by meaning needs, tried for real: every model loaded, every byte of the knowledge base read, one sentence
//! prepared and searched.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use findall::document::Document;
use findall::knowledge::{BASE_FORMAT, KnowledgeBase};
use findall::{Engine, FindOptions};
use findall_models::folder::Folder;
use findall_models::places::Artifact;
use findall_models::{LoadError, Models, PairJudge, TextEncoder, WordTagger};

use super::{DoctorReport, Finding, megabytes, milliseconds};
use crate::config::Config;
use crate::failure::Failure;
use crate::resources;

/// Checks models and knowledge base, then both together.
pub(super) fn check(config: &Config, report: &mut DoctorReport) -> Result<(), Failure> {
    if !config.meaning {
        let finding = Finding::Optional("off by a setting (meaning = false): find goes by words".into());
        report.add("meaning", finding)?;
    }
    let models = models(config.model.as_deref(), report)?;
    let knowledge = knowledge(config, report)?;
    if let (Some((encoder, tagger, judge)), Some(knowledge)) = (models, knowledge) {
        let engine = Engine::new(encoder, tagger, Arc::new(knowledge));
        let engine = match judge {
            Some(judge) => engine.with_judge(judge),
            None => engine,
        };
        report.add("search", trial(&engine))?;
    }
    Ok(())
}

/// What to do about an artifact that came with the program and is not where it should be.
fn advise_install(artifact: Artifact) -> Finding {
    let place = artifact.places(None).into_iter().next().unwrap_or_default();
    let folder = match artifact {
        Artifact::Models => place.parent(),
        Artifact::KnowledgeBase => place.parent().and_then(Path::parent),
    };
    let folder = folder.unwrap_or(Path::new("")).display();
    Finding::Optional(format!(
        "not installed, so find goes by words; in a clone of the repository: \
         mkdir -p {folder} && cp -r models kb {folder}"
    ))
}

type LoadedModels = (Arc<TextEncoder>, Arc<WordTagger>, Option<Arc<PairJudge>>);

fn models(named: Option<&Path>, report: &mut DoctorReport) -> Result<Option<LoadedModels>, Failure> {
    let Some(folder) = Artifact::Models.locate(named) else {
        let finding = match named {
            Some(path) => Finding::Missing(format!("{} is not there; correct the setting", path.display())),
            None => advise_install(Artifact::Models),
        };
        report.add("models", finding)?;
        return Ok(None);
    };
    let models = match Models::load(&folder) {
        Ok(models) => models,
        Err(error) => {
            report.add("models", Finding::Missing(error.to_string()))?;
            return Ok(None);
        }
    };
    report.add("models", Finding::Present(folder.display().to_string()))?;
    let encoder = load("encoder", &folder, || models.encoder(), report)?;
    let tagger = load("tagger", &folder, || models.tagger(), report)?;
    load("reader", &folder, || models.reader(), report)?;
    let judge = if folder.join("judge").is_dir() {
        load("judge", &folder, || judge_of(&models), report)?
    } else {
        None
    };
    Ok(encoder.zip(tagger).map(|(encoder, tagger)| (encoder, tagger, judge)))
}

fn judge_of(models: &Models) -> Result<Arc<PairJudge>, LoadError> {
    models.judge()?.ok_or_else(|| LoadError::NotFound { searched: vec![models.dir().join("judge")] })
}

/// Loads one model, which checks its files' sums, and says which it is.
fn load<T>(
    kind: &'static str,
    models: &Path,
    load: impl FnOnce() -> Result<Arc<T>, LoadError>,
    report: &mut DoctorReport,
) -> Result<Option<Arc<T>>, Failure> {
    let started = Instant::now();
    let loaded = load();
    let took = started.elapsed();
    let described = Folder::open(&models.join(kind), kind);
    let (model, finding) = match (loaded, described) {
        (Ok(model), Ok(folder)) => {
            let size = folder.manifest.files.values().map(|file| file.bytes).sum();
            let (id, size, took) = (folder.id(), megabytes(size), milliseconds(took));
            (Some(model), Finding::Present(format!("{id}, {size}, checksums fine, loaded in {took}")))
        }
        (Err(error), _) | (_, Err(error)) => (None, Finding::Missing(error.to_string())),
    };
    report.add(kind, finding)?;
    Ok(model)
}

fn knowledge(config: &Config, report: &mut DoctorReport) -> Result<Option<KnowledgeBase>, Failure> {
    let finding = match resources::knowledge_files(&config.kb) {
        Err(path) => Finding::Missing(format!("{} is not there; correct the setting", path.display())),
        Ok(files) if files.is_empty() => advise_install(Artifact::KnowledgeBase),
        Ok(files) => {
            let started = Instant::now();
            match KnowledgeBase::open_layers(&files) {
                Ok(base) => {
                    let opened = milliseconds(started.elapsed());
                    for (path, summary) in base.summaries() {
                        let size = megabytes(path.metadata().map_or(0, |metadata| metadata.len()));
                        report.add(
                            "knowledge",
                            Finding::Present(format!(
                                "{}: {} entities, {} names, format {BASE_FORMAT}, {size}, opened in {opened}",
                                path.display(),
                                summary.entities,
                                summary.names
                            )),
                        )?;
                    }
                    return verify_base(base, report);
                }
                Err(error) => Finding::Missing(error.to_string()),
            }
        }
    };
    report.add("knowledge", finding)?;
    Ok(None)
}

fn verify_base(base: KnowledgeBase, report: &mut DoctorReport) -> Result<Option<KnowledgeBase>, Failure> {
    let started = Instant::now();
    match base.verify() {
        Ok(()) => {
            let took = milliseconds(started.elapsed());
            report
                .add("knowledge", Finding::Present(format!("checksums fine, every record read in {took}")))?;
            Ok(Some(base))
        }
        Err(error) => {
            report.add("knowledge", Finding::Missing(error.to_string()))?;
            Ok(None)
        }
    }
}

/// One sentence through the whole engine.
fn trial(engine: &Engine) -> Finding {
    let document = Document::from_text("Ada Lovelace met Charles Babbage in London.");
    let started = Instant::now();
    let prepared = match engine.prepare(&document) {
        Ok(prepared) => prepared,
        Err(error) => return Finding::Missing(error.to_string()),
    };
    let prepare = milliseconds(started.elapsed());
    let started = Instant::now();
    match engine.find(&document, &prepared, "mathematicians", &FindOptions::default()) {
        Ok(_) => {
            let find = milliseconds(started.elapsed());
            Finding::Present(format!("a sentence prepared in {prepare}, searched by meaning in {find}"))
        }
        Err(error) => Finding::Missing(error.to_string()),
    }
}
