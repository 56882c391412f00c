//! What the encoder reads of an entity: titles come in, one a line; title, tab, text goes out for each that the knowledge
//! base knows. Training reads these words (`training/prepare_encoder.py --knowledge`).
//!
//! ```text
//! cargo run -p findall --example knowledge_texts -- kb/default.kb < titles.txt > knowledge_texts.tsv
//! ```

use std::io::{BufRead, Write};

use findall::knowledge::KnowledgeBase;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which knowledge base? e.g. kb/default.kb")?;
    let kb = KnowledgeBase::open(path)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for title in std::io::stdin().lock().lines() {
        let title = title?;
        if let Some(id) = kb.find_title(&title) {
            let text = kb.record(id)?.knowledge_text();
            writeln!(out, "{title}\t{text}")?;
        }
    }
    Ok(())
}
