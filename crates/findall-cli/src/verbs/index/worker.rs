//! Indexing spread over machines: `findall index --worker` turns documents into prepared records, one JSON line each, and
//! keeps nothing; `findall index --load` puts such records into a library. Loading the same record again changes nothing,
//! so whatever runs the workers may run one twice.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use findall::Engine;
use findall::document::Document;
use findall::index::MadeBy;
use findall::like;
use findall_library::{Library, Stamp};
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Outcome, complain};
use crate::output::Output;

/// Sentences analysed at a time.
const AT_ONCE: usize = 512;

/// The longest line that is read; a document with more is refused.
const LONGEST_LINE: u64 = 256 << 20;

/// Records put in before a commit.
const COMMIT: usize = 1000;

#[derive(Deserialize)]
struct Given {
    id: String,
    text: String,
}

/// A prepared document as it travels.
#[derive(Serialize, Deserialize)]
struct Record {
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    made_by: Option<Maker>,
    /// What was analysed, in base 64.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    analysed: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct Maker {
    encoder: String,
    tagger: String,
    knowledge: String,
}

/// Documents in, records out, in the same order, one for each line.
pub fn work(engine: &Engine) -> Result<Outcome, Failure> {
    let analyser = engine.analyser();
    let MadeBy { encoder, tagger, knowledge } = engine.made_by();
    let maker = Maker { encoder, tagger, knowledge };
    let mut waiting: Vec<Result<(String, Document), Record>> = Vec::new();
    let mut sentences = 0;
    let mut lines = Lines(BufReader::new(std::io::stdin().lock()));
    loop {
        let line = lines.next()?;
        if let Some(line) = &line {
            waiting.push(match serde_json::from_str::<Given>(line) {
                Ok(given) => Ok((given.id, Document::from_text(given.text))),
                Err(error) => Err(refused(format!("no document {{\"id\", \"text\"}}: {error}"))),
            });
            if let Some(Ok((_, document))) = waiting.last() {
                sentences += document.sentences().len();
            }
        }
        if sentences >= AT_ONCE || line.is_none() {
            let documents: Vec<&Document> = waiting.iter().flatten().map(|(_, document)| document).collect();
            let analysed = analyser.analyse(&documents);
            let mut analysed = analysed.map_err(|error| Failure::Verb(error.to_string()))?.into_iter();
            let mut out = Vec::new();
            for one in &waiting {
                let record = match one {
                    Ok((id, document)) => &Record {
                        id: id.clone(),
                        error: None,
                        text: document.text().to_owned(),
                        made_by: Some(maker.clone()),
                        analysed: analysed
                            .next()
                            .map(|one| BASE64.encode(one.to_bytes()))
                            .unwrap_or_default(),
                    },
                    Err(refused) => refused,
                };
                out.extend(serde_json::to_vec(record).unwrap_or_default());
                out.push(b'\n');
            }
            Output::stdout().write(&out)?;
            waiting.clear();
            sentences = 0;
        }
        if line.is_none() {
            return Ok(Outcome::Found);
        }
    }
}

fn refused(error: String) -> Record {
    Record {
        id: String::new(),
        error: Some(error),
        text: String::new(),
        made_by: None,
        analysed: String::new(),
    }
}

/// Puts the records of files, or of standard input, into a library.
pub fn load(library: &Library, files: &[PathBuf]) -> Result<Outcome, Failure> {
    let mut writer = library.writer()?;
    let mut done = Loaded::default();
    let mut kept: Vec<(MadeBy, Document, Vec<u8>)> = Vec::new();
    let sources: Vec<Option<&Path>> = match files {
        [] => vec![None],
        files => files.iter().map(|path| Some(path.as_path())).collect(),
    };
    let mut seen = HashSet::new();
    for source in sources {
        let reader: Box<dyn Read> = match source {
            None => Box::new(std::io::stdin().lock()),
            Some(path) => Box::new(std::fs::File::open(path).map_err(|error| {
                Failure::Verb(format!("{}: {error}; name files of records", path.display()))
            })?),
        };
        let mut lines = Lines(BufReader::new(reader));
        while let Some(line) = lines.next()? {
            let read = serde_json::from_str::<Record>(&line).map_err(|error| error.to_string());
            match read.and_then(unpack) {
                Ok((id, made_by, document, bytes)) => {
                    let stamp = Stamp::of_text(document.text());
                    let same = writer.known(&id).is_some_and(|known| known.is(&document));
                    if same || !seen.insert(id.clone()) {
                        done.unchanged += 1;
                    } else {
                        writer.put(&id, stamp, &document)?;
                        done.new += 1;
                    }
                    kept.push((made_by, document, bytes));
                }
                Err(error) => {
                    done.refused += 1;
                    complain(&format!("a record was left out: {error}"));
                }
            }
            if kept.len() >= COMMIT {
                writer.keep(&kept)?;
                writer.commit()?;
                kept.clear();
            }
        }
    }
    writer.keep(&kept)?;
    writer.commit()?;
    writer.finish()?;
    let Loaded { new, unchanged, refused } = done;
    let said = format!("{new} put in, {unchanged} there already, {refused} refused\n");
    Output::stdout().write(said.as_bytes())?;
    Ok(if refused > 0 { Outcome::Incomplete } else { Outcome::Found })
}

#[derive(Default)]
struct Loaded {
    new: usize,
    unchanged: usize,
    refused: usize,
}

fn unpack(record: Record) -> Result<(String, MadeBy, Document, Vec<u8>), String> {
    if let Some(error) = record.error {
        return Err(format!("{}: {error}", record.id));
    }
    let torn = || format!("{}: not what findall index --worker wrote", record.id);
    let Maker { encoder, tagger, knowledge } = record.made_by.clone().ok_or_else(torn)?;
    let bytes = BASE64.decode(&record.analysed).map_err(|_| torn())?;
    let sentences = like::sentences_of(&bytes).ok_or_else(torn)?;
    let document = Document::from_sentences(record.text.clone(), sentences).ok_or_else(torn)?;
    Ok((record.id, MadeBy { encoder, tagger, knowledge }, document, bytes))
}

/// Lines of bounded length.
struct Lines<R>(R);

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> Result<Option<String>, Failure> {
        loop {
            let mut line = Vec::new();
            let read = self.0.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
            let read = read.map_err(|error| Failure::Verb(format!("cannot read the documents: {error}")))?;
            if read as u64 == LONGEST_LINE {
                return Err(Failure::Verb("a line is over 256 MB; split the document".into()));
            }
            if read == 0 {
                return Ok(None);
            }
            let line = String::from_utf8_lossy(&line).trim().to_owned();
            if !line.is_empty() {
                return Ok(Some(line));
            }
        }
    }
}
