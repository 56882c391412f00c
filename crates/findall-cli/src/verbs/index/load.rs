//! `findall index load`: the records that workers wrote go into a library, or onto a PostgreSQL server with `--into`; they
//! come from files, from standard input, or from such a server. Loading the same record again changes nothing.

use std::collections::HashSet;
use std::io::{BufReader, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use findall::document::Document;
use findall::index::Provenance;
use findall::like;
use findall_library::{Library, Stamp, Writer};
use findall_store::{PreparedRecord, Records};
use findall_wire::lines::{PreparedDocumentLine, ProvenanceLine};

use super::worker::Lines;
use crate::failure::{Failure, Outcome, complain};
use crate::output::Output;
use crate::remember::store_failure;

/// Records put in before a commit.
const MAX_COMMIT_FILES: usize = 1000;

/// Bytes of records put in before a commit: a server takes no more than a gigabyte at once.
const MAX_COMMIT_BYTES: usize = 64 << 20;

/// Where records go.
pub trait Target {
    /// Takes a record; it lasts after the next commit. True when it was not there yet.
    fn put(&mut self, record: LoadedRecord) -> Result<bool, Failure>;

    /// Makes all that was put in last; how many records turned out to be new beyond what `put` said.
    fn commit(&mut self) -> Result<usize, Failure>;
}

/// A record that was understood.
pub struct LoadedRecord {
    id: String,
    made_by: Provenance,
    document: Document,
    analysed: Vec<u8>,
    line: String,
}

/// Puts the records of all sources where they belong.
pub fn load(sources: &[PathBuf], target: &mut dyn Target) -> Result<Outcome, Failure> {
    let mut tally = Tally { target, seen: HashSet::new(), new: 0, unchanged: 0, refused: 0, waiting: (0, 0) };
    if sources.is_empty() {
        tally.read(std::io::stdin().lock())?;
    }
    for source in sources {
        match source.to_str().filter(|name| findall_store::is_server(name)) {
            Some(url) => tally.read_server(url)?,
            None => tally.read(std::fs::File::open(source).map_err(|error| {
                Failure::Verb(format!("{}: {error}; name files of records", source.display()))
            })?)?,
        }
    }
    tally.commit()?;
    let Tally { new, unchanged, refused, .. } = tally;
    let said = format!("{new} put in, {unchanged} there already, {refused} refused\n");
    Output::stdout().write(said.as_bytes())?;
    Ok(if refused > 0 { Outcome::Incomplete } else { Outcome::Found })
}

struct Tally<'t> {
    target: &'t mut dyn Target,
    seen: HashSet<String>,
    new: usize,
    unchanged: usize,
    refused: usize,
    /// Records and bytes since the last commit.
    waiting: (usize, usize),
}

impl Tally<'_> {
    fn read(&mut self, source: impl Read) -> Result<(), Failure> {
        let mut lines = Lines(BufReader::new(source));
        while let Some(line) = lines.next()? {
            self.take(&line)?;
        }
        Ok(())
    }

    fn read_server(&mut self, url: &str) -> Result<(), Failure> {
        let mut trouble = None;
        let read =
            Records::open(url).map_err(store_failure)?.for_each_record(&mut |line| match self.take(line) {
                Ok(()) => ControlFlow::Continue(()),
                Err(failure) => {
                    trouble = Some(failure);
                    ControlFlow::Break(())
                }
            });
        read.map_err(store_failure)?;
        trouble.map_or(Ok(()), Err)
    }

    fn take(&mut self, line: &str) -> Result<(), Failure> {
        match unpack(line) {
            Ok(record) if !self.seen.insert(record.id.clone()) => self.unchanged += 1,
            Ok(record) => {
                if self.target.put(record)? {
                    self.new += 1;
                } else {
                    self.unchanged += 1;
                }
            }
            Err(error) => {
                self.refused += 1;
                complain(&format!("a record was left out: {error}"));
            }
        }
        self.waiting.0 += 1;
        self.waiting.1 += line.len();
        if self.waiting.0 >= MAX_COMMIT_FILES || self.waiting.1 >= MAX_COMMIT_BYTES {
            self.commit()
        } else {
            Ok(())
        }
    }

    fn commit(&mut self) -> Result<(), Failure> {
        let late = self.target.commit()?;
        self.new += late;
        self.unchanged -= late;
        self.waiting = (0, 0);
        Ok(())
    }
}

fn unpack(line: &str) -> Result<LoadedRecord, String> {
    let record: PreparedDocumentLine = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if let Some(error) = record.error {
        return Err(format!("{}: {error}", record.id));
    }
    let torn = || format!("{}: not what findall index worker wrote", record.id);
    if record.id.contains('\0') {
        return Err(torn());
    }
    let ProvenanceLine { encoder, tagger, knowledge } = record.made_by.clone().ok_or_else(torn)?;
    let analysed = BASE64.decode(&record.analysed).map_err(|_| torn())?;
    let sentences = like::sentences_of(&analysed).ok_or_else(torn)?;
    let document = Document::from_sentences(record.text.clone(), sentences).ok_or_else(torn)?;
    let made_by = Provenance { encoder, tagger, knowledge };
    Ok(LoadedRecord { id: record.id, made_by, document, analysed, line: line.to_owned() })
}

/// A library takes records.
pub struct LibraryTarget<'l> {
    writer: Writer<'l>,
    kept: Vec<(Provenance, Document, Vec<u8>)>,
}

impl<'l> LibraryTarget<'l> {
    pub fn new(library: &'l Library) -> Result<Self, Failure> {
        Ok(Self { writer: library.writer()?, kept: Vec::new() })
    }

    /// Waits for the library to tidy up behind itself.
    pub fn finish(self) -> Result<(), Failure> {
        Ok(self.writer.finish()?)
    }
}

impl Target for LibraryTarget<'_> {
    fn put(&mut self, record: LoadedRecord) -> Result<bool, Failure> {
        let LoadedRecord { id, made_by, document, analysed, .. } = record;
        let new = self.writer.find_file(&id).is_none_or(|known| !known.has_text_of(&document));
        if new {
            self.writer.put(&id, Stamp::of_text(document.text()), &document)?;
        }
        self.kept.push((made_by, document, analysed));
        Ok(new)
    }

    fn commit(&mut self) -> Result<usize, Failure> {
        self.writer.keep(&std::mem::take(&mut self.kept))?;
        self.writer.commit()?;
        Ok(0)
    }
}

/// A server takes records, and says at each commit how many it did not have.
pub struct ServerTarget {
    records: Records,
    waiting: Vec<PreparedRecord>,
}

impl ServerTarget {
    pub fn open(url: &str) -> Result<Self, Failure> {
        Ok(Self { records: Records::open(url).map_err(store_failure)?, waiting: Vec::new() })
    }
}

impl Target for ServerTarget {
    fn put(&mut self, record: LoadedRecord) -> Result<bool, Failure> {
        let Provenance { encoder, tagger, knowledge } = &record.made_by;
        self.waiting.push(PreparedRecord {
            content: record.document.content_hash(),
            made_by: [encoder.as_str(), tagger, knowledge].join(" "),
            id: record.id,
            line: record.line,
        });
        Ok(false)
    }

    fn commit(&mut self) -> Result<usize, Failure> {
        let new = self.records.put(&std::mem::take(&mut self.waiting)).map_err(store_failure)?;
        Ok(usize::try_from(new).unwrap_or(0))
    }
}
