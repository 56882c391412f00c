//! What findall remembers: pages, questions, answers, corrections and privacy settings.
//!
//! One trait, [`Store`], and two places to keep it: an SQLite file (the default, one person's) and a PostgreSQL server
//! with pgvector (a team's). [`open`] takes either. What is remembered of a page is where its answers stand
//! ([`Selector`]), never the page itself.
//!
//! ```
//! use findall_store::{QuestionRecord, Page, Question, Reading, Store, Vector};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("store.db");
//! let store = findall_store::open(path.to_str().unwrap())?;
//! let page = Page { key: "https://example.org/lamps", title: Some("Lamps"), content: [7; 32] };
//! let question = Question { text: "Who lit the lamp?", normalised: "who lit the lamp" };
//! store.record(&QuestionRecord { page, question, vector: None, reading: Some(Reading::default()), at: 0 })?;
//! assert_eq!(store.top_questions(page.key, 10)?[0].text, "Who lit the lamp?");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backend;
pub mod cascade;
mod error;
pub mod exchange;
mod model;
mod ops;
mod page;
mod pool;
#[cfg(feature = "postgres")]
mod postgres;
mod schema;
mod settings;
mod sql;
mod sqlite;
mod store;

pub use error::StoreError;
pub use model::{
    Answer, Corrections, DEFAULT_SIMILAR_QUESTION_COSINE, DIMENSIONS, Feedback, ForgetReport, ForgetTarget,
    NearQuestion, Origin, Question, QuestionRecord, Reading, Refusal, RememberedAnswers, Selector,
    SimilarQuestion, SimilarQuestionSearch, Statistics, TopQuestion, Vector, Verdict, WriteOutcome, now,
};
pub use page::{Page, file_key, page_key};
#[cfg(feature = "postgres")]
pub use postgres::{PostgresStore, PreparedRecord, Records};
pub use settings::{Pattern, PatternUse, Reach, Settings};
pub use sqlite::{SqliteStore, is_open_to_others};
pub use store::{Store, is_server, open};
