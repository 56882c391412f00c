//! The layout, written once for both databases, as the steps by which it grew. A store remembers how many steps it has
//! taken; [`crate::sqlite`] and [`crate::postgres`] take the rest, each step in one transaction.

/// One step.
pub struct Step {
    /// Both databases; `{…}` stands for what each calls it.
    pub both: &'static str,
    /// Only SQLite.
    pub sqlite: &'static str,
    /// Only PostgreSQL.
    #[cfg_attr(not(feature = "postgres"), expect(dead_code))]
    pub postgres: &'static str,
}

/// The newest layout.
pub const LAYOUT: i64 = STEPS.len() as i64;

/// All steps, the first first. A published step never changes.
pub const STEPS: &[Step] = &[
    Step {
        both: "
            CREATE TABLE pages (
                id {id}, key TEXT NOT NULL UNIQUE, title TEXT, first_seen {int} NOT NULL, last_seen {int} NOT NULL
            ){strict};
            CREATE TABLE versions (
                page_id {int} NOT NULL REFERENCES pages(id) ON DELETE CASCADE,
                content TEXT NOT NULL, first_seen {int} NOT NULL, last_seen {int} NOT NULL,
                PRIMARY KEY (page_id, content)
            ){strict};
            CREATE TABLE questions (
                id {id}, page_id {int} NOT NULL REFERENCES pages(id) ON DELETE CASCADE,
                normalised TEXT NOT NULL, text TEXT NOT NULL,
                UNIQUE (page_id, normalised)
            ){strict};
            CREATE INDEX questions_normalised ON questions(normalised);
            CREATE TABLE asked (
                question_id {int} NOT NULL REFERENCES questions(id) ON DELETE CASCADE,
                source TEXT NOT NULL, count {int} NOT NULL, last_asked {int} NOT NULL,
                PRIMARY KEY (question_id, source)
            ){strict};
            CREATE TABLE vectors (
                question_id {int} NOT NULL REFERENCES questions(id) ON DELETE CASCADE,
                encoder TEXT NOT NULL, vector {vector} NOT NULL,
                PRIMARY KEY (question_id, encoder)
            ){strict};
            CREATE TABLE readings (
                id {id}, question_id {int} NOT NULL REFERENCES questions(id) ON DELETE CASCADE,
                content TEXT NOT NULL, larger {int} NOT NULL, model TEXT NOT NULL,
                no_answer {real} NOT NULL, at {int} NOT NULL,
                UNIQUE (question_id, content, larger, model)
            ){strict};
            CREATE INDEX readings_content ON readings(content);
            CREATE TABLE answers (
                reading_id {int} NOT NULL REFERENCES readings(id) ON DELETE CASCADE,
                place {int} NOT NULL, quote TEXT NOT NULL, prefix TEXT NOT NULL, suffix TEXT NOT NULL,
                start {int} NOT NULL, confidence {real} NOT NULL,
                PRIMARY KEY (reading_id, place)
            ){strict};
            CREATE TABLE feedback (
                id {id}, mark TEXT NOT NULL UNIQUE,
                question_id {int} NOT NULL REFERENCES questions(id) ON DELETE CASCADE,
                content TEXT NOT NULL, verdict TEXT NOT NULL CHECK (verdict IN ('right', 'wrong')),
                quote TEXT NOT NULL, prefix TEXT NOT NULL, suffix TEXT NOT NULL, start {int} NOT NULL,
                passage TEXT NOT NULL, at {int} NOT NULL
            ){strict};
            CREATE INDEX feedback_question ON feedback(question_id);
            CREATE TABLE settings (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL){strict};
            CREATE TABLE patterns (
                purpose TEXT NOT NULL, pattern TEXT NOT NULL, PRIMARY KEY (purpose, pattern)
            ){strict};",
        sqlite: "",
        postgres: "",
    },
    // Fast similar questions: SQLite scans one byte a dimension, PostgreSQL walks a graph of two.
    Step {
        both: "",
        sqlite: "
            CREATE TABLE codes (
                encoder TEXT NOT NULL,
                question_id INTEGER NOT NULL REFERENCES questions(id) ON DELETE CASCADE,
                code BLOB NOT NULL,
                PRIMARY KEY (encoder, question_id)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX codes_question ON codes(question_id);",
        postgres: "
            CREATE INDEX vectors_nearest ON vectors
            USING hnsw ((vector::halfvec(384)) halfvec_ip_ops) WITH (m = 16, ef_construction = 64);",
    },
    // A reading may be no more than a guess.
    Step {
        both: "ALTER TABLE readings ADD COLUMN guessed {int} NOT NULL DEFAULT 0;",
        sqlite: "",
        postgres: "",
    },
];

impl Step {
    /// The statements for SQLite.
    pub fn for_sqlite(&self) -> String {
        let both = self.both.replace("{id}", "INTEGER PRIMARY KEY AUTOINCREMENT").replace("{int}", "INTEGER");
        let both = both.replace("{real}", "REAL").replace("{vector}", "BLOB").replace("{strict}", " STRICT");
        both + self.sqlite
    }

    /// The statements for PostgreSQL.
    #[cfg(feature = "postgres")]
    pub fn for_postgres(&self) -> String {
        let both = self.both.replace("{id}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY");
        let both = both.replace("{int}", "BIGINT").replace("{real}", "DOUBLE PRECISION");
        both.replace("{vector}", "vector(384)").replace("{strict}", "") + self.postgres
    }
}
