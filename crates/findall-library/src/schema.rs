//! What the index of words holds: three sorts of entries. A *file* has the text and what is known of the file, a
//! *sentence* and a *passage* have their words and where they stand in their file.

use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};

pub const TOKENIZER: &str = "findall-terms-1";

/// The word that all entries of one sort have.
pub const FILE: &str = "file";

#[derive(Clone, Copy, Debug)]
pub struct Fields {
    /// `FILE` for files; nothing for the rest.
    pub sort: Field,
    /// The number of the file that an entry is of.
    pub owner: Field,
    pub sentence: Field,
    pub passage: Field,
    /// A sentence's place among its file's sentences; a passage's first byte.
    pub at: Field,
    /// A passage's last byte.
    pub until: Field,
    pub path: Field,
    pub size: Field,
    pub modified: Field,
    /// The first 16 bytes of the content's hash.
    pub hash_high: Field,
    pub hash_low: Field,
    pub sentences: Field,
    pub text_bytes: Field,
    pub text: Field,
    /// Where the sentences stand: pairs of numbers, packed.
    pub spans: Field,
}

pub fn schema() -> Schema {
    let mut schema = Schema::builder();
    // Numbers are as good as words here: nobody asks where in a sentence a word stands.
    let words = TextOptions::default().set_indexing_options(
        TextFieldIndexing::default().set_tokenizer(TOKENIZER).set_index_option(IndexRecordOption::WithFreqs),
    );
    schema.add_text_field("sort", STRING);
    schema.add_u64_field("owner", INDEXED | FAST);
    schema.add_text_field("sentence", words.clone());
    schema.add_text_field("passage", words);
    schema.add_u64_field("at", FAST);
    schema.add_u64_field("until", FAST);
    schema.add_text_field("path", TextOptions::default().set_fast("raw"));
    for number in ["size", "modified", "hash_high", "hash_low", "sentences", "text_bytes"] {
        schema.add_u64_field(number, FAST);
    }
    schema.add_text_field("text", STORED);
    schema.add_bytes_field("spans", STORED);
    schema.build()
}

impl Fields {
    /// # Panics
    /// Never: the schema is compared with [`schema`] before.
    pub fn of(schema: &Schema) -> Self {
        let field = |name: &str| schema.get_field(name).unwrap_or_else(|_| Field::from_field_id(0));
        Self {
            sort: field("sort"),
            owner: field("owner"),
            sentence: field("sentence"),
            passage: field("passage"),
            at: field("at"),
            until: field("until"),
            path: field("path"),
            size: field("size"),
            modified: field("modified"),
            hash_high: field("hash_high"),
            hash_low: field("hash_low"),
            sentences: field("sentences"),
            text_bytes: field("text_bytes"),
            text: field("text"),
            spans: field("spans"),
        }
    }
}
