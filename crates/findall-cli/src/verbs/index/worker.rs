//! Indexing spread over machines: `findall index worker` turns documents into prepared records, one JSON line each, and
//! keeps nothing. Loading a record twice changes nothing (`load`), so whatever runs the workers may run one twice.

use std::io::{BufRead, BufReader, Read};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use findall::Engine;
use findall::document::Document;
use findall::index::Provenance;
use findall_wire::lines::{PreparedDocumentLine, ProvenanceLine, WorkerDocumentLine};

use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::printer::json;

/// Sentences analysed at a time.
const MIN_BATCH_SENTENCES: usize = 512;

/// The longest line that is read; a document with more is refused.
const MAX_ORDER_LINE_BYTES: u64 = 256 << 20;

/// Documents in, records out, in the same order, one for each line.
pub fn work(engine: &Engine) -> Result<Outcome, Failure> {
    let analyser = engine.analyser();
    let Provenance { encoder, tagger, knowledge } = engine.made_by();
    let maker = ProvenanceLine { encoder, tagger, knowledge };
    let mut waiting: Vec<Result<(String, Document), PreparedDocumentLine>> = Vec::new();
    let mut sentences = 0;
    let mut lines = Lines(BufReader::new(std::io::stdin().lock()));
    loop {
        let line = lines.next()?;
        if let Some(line) = &line {
            waiting.push(match serde_json::from_str::<WorkerDocumentLine>(line) {
                Ok(given) => Ok((given.id, Document::from_text(given.text))),
                Err(error) => {
                    let error = format!("no document {{\"id\", \"text\"}}: {error}");
                    Err(PreparedDocumentLine::from_error(error))
                }
            });
            if let Some(Ok((_, document))) = waiting.last() {
                sentences += document.sentences().len();
            }
        }
        if sentences >= MIN_BATCH_SENTENCES || line.is_none() {
            let documents: Vec<&Document> = waiting.iter().flatten().map(|(_, document)| document).collect();
            let analysed = analyser.analyse(&documents);
            let mut analysed = analysed.map_err(|error| Failure::Verb(error.to_string()))?.into_iter();
            let mut out = Vec::new();
            for one in &waiting {
                let record = match one {
                    Ok((id, document)) => &PreparedDocumentLine {
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
                json::push(&mut out, record);
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

/// Lines of bounded length.
pub struct Lines<R>(pub R);

impl<R: BufRead> Lines<R> {
    pub fn next(&mut self) -> Result<Option<String>, Failure> {
        loop {
            let mut line = Vec::new();
            let read = self.0.by_ref().take(MAX_ORDER_LINE_BYTES).read_until(b'\n', &mut line);
            let read = read.map_err(|error| Failure::Verb(format!("cannot read the documents: {error}")))?;
            if read as u64 == MAX_ORDER_LINE_BYTES {
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
