//! The conformance suite on a real PostgreSQL server with pgvector, and what only a server can do. The server comes from
//! PyPI by `scripts/postgres.sh`; `FINDALL_TEST_POSTGRES=off` leaves these tests out where that cannot be.

#![cfg(feature = "postgres")]
#![expect(clippy::print_stdout, reason = "which case failed")]

mod conformance;
mod server;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use findall_store::{PostgresStore, PreparedRecord, Records, Store, StoreError};

use conformance::{CASES, ask, page, recall_texts, share_all};
use server::Server;

/// One test, so that one server is started: everything that needs it, one after another.
#[test]
fn postgresql_conforms() {
    let Some(server) = Server::start() else { return };
    for (name, case) in CASES {
        println!("{name}");
        let store = PostgresStore::open(&server.fresh_database()).unwrap();
        case(&store);
        store.verify().unwrap();
    }
    many_open_a_new_store_at_once(&server);
    foreign_and_newer_schemas_are_refused(&server);
    nothing_is_shared_by_default(&server);
    a_record_is_put_in_once(&server);
    a_frozen_server_is_given_up_in_seconds(&server);
    a_store_may_end_inside_a_runtime(&server);
    a_restart_is_survived(&server);
}

fn many_open_a_new_store_at_once(server: &Server) {
    let url = server.fresh_database();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| PostgresStore::open(&url).unwrap().statistics().unwrap());
        }
    });
}

fn foreign_and_newer_schemas_are_refused(server: &Server) {
    let url = server.fresh_database();
    let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    client.batch_execute("CREATE SCHEMA findall; CREATE TABLE findall.theirs (a int)").unwrap();
    let error = PostgresStore::open(&url).err().unwrap();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    client.batch_execute("DROP SCHEMA findall CASCADE").unwrap();
    drop(PostgresStore::open(&url).unwrap());
    client.batch_execute("UPDATE findall.layout SET steps = steps + 1").unwrap();
    let error = PostgresStore::open(&url).err().unwrap();
    assert!(matches!(error, StoreError::Newer { .. }), "{error}");
    // From the first layout: the steps that are missing are taken.
    let back = "DROP INDEX findall.vectors_nearest; ALTER TABLE findall.readings DROP COLUMN guessed;
                UPDATE findall.layout SET steps = 1";
    client.batch_execute(back).unwrap();
    drop(PostgresStore::open(&url).unwrap());
    let index =
        "SELECT COUNT(*) FROM pg_indexes WHERE schemaname = 'findall' AND indexname = 'vectors_nearest'";
    assert_eq!(client.query_one(index, &[]).unwrap().get::<_, i64>(0), 1);
    let steps: i64 = client.query_one("SELECT steps FROM findall.layout", &[]).unwrap().get(0);
    assert_eq!(steps, 3);
}

fn nothing_is_shared_by_default(server: &Server) {
    use findall_store::{Question, QuestionRecord, Refusal, WriteOutcome};
    let store = PostgresStore::open(&server.fresh_database()).unwrap();
    let question = Question { text: "Who?", normalised: "who" };
    let asked =
        QuestionRecord { page: page("https://example.org/"), question, vector: None, reading: None, at: 1 };
    assert_eq!(store.record(&asked).unwrap(), WriteOutcome::Refused(Refusal::NotShared));
    assert_eq!(store.statistics().unwrap().pages, 0);
}

/// With its processes stopped a server accepts connections and what is sent, and answers nothing.
fn a_frozen_server_is_given_up_in_seconds(server: &Server) {
    let url = server.fresh_database();
    let store = PostgresStore::open(&url).unwrap();
    store.settings().unwrap();
    let lone = PostgresStore::open(&url).unwrap();
    lone.settings().unwrap();
    server.freeze();
    let started = Instant::now();
    let unheard = lone.settings().err();
    let alone = started.elapsed();
    let started = Instant::now();
    let calls: Vec<_> = std::thread::scope(|scope| {
        let call = || store.top_questions("https://example.org/", 5).err();
        let threads: Vec<_> = (0..20).map(|_| scope.spawn(call)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let again = store.settings().err();
    let took = started.elapsed();
    let opened = PostgresStore::open(&url).err();
    server.thaw();
    for error in calls.into_iter().chain([again, unheard]) {
        let told = matches!(error, Some(StoreError::Silent { .. } | StoreError::Busy { .. }));
        assert!(told, "{error:?}");
    }
    assert!(matches!(opened, Some(StoreError::Silent { .. })), "{opened:?}");
    // One limit for all of them together: one after the other they would take twenty times as long as one alone.
    assert!(took < 10 * alone, "{took:?}, and one alone {alone:?}");
    let deadline = Instant::now() + Duration::from_secs(600);
    while let Err(error) = store.settings() {
        assert!(Instant::now() < deadline, "{error}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A server drops its store wherever it happens to end.
fn a_store_may_end_inside_a_runtime(server: &Server) {
    let store = PostgresStore::open(&server.fresh_database()).unwrap();
    store.settings().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async move { drop(store) });
}

fn a_record_is_put_in_once(server: &Server) {
    let record = |id: &str, content: u8, line: &str| PreparedRecord {
        id: id.into(),
        content: [content; 32],
        made_by: "models".into(),
        line: line.into(),
    };
    let all = |records: &mut Records| {
        let mut lines = Vec::new();
        let taken = records.for_each_record(&mut |line| {
            lines.push(line.to_owned());
            ControlFlow::Continue(())
        });
        taken.unwrap();
        lines
    };
    let mut records = Records::open(&server.url).unwrap();
    let both =
        [record("b", 1, "second"), record("a", 2, "first"), record("b", 3, "of one id the first counts")];
    assert_eq!(records.put(&both).unwrap(), 2);
    assert_eq!(records.put(&both).unwrap(), 0, "the same again");
    assert_eq!(all(&mut records), ["first", "second"]);
    let other_text = [record("a", 4, "changed"), record("c", 5, "third")];
    assert_eq!(records.put(&other_text).unwrap(), 2);
    let other_models = [PreparedRecord { made_by: "newer".into(), ..record("a", 4, "anew") }];
    assert_eq!(records.put(&other_models).unwrap(), 1);
    assert_eq!(all(&mut records), ["anew", "second", "third"]);
    // As many at once as there are machines: nothing twice, nobody in another's way.
    let many: Vec<PreparedRecord> = (0..300).map(|n| record(&format!("d{n}"), 7, "many")).collect();
    let new: u64 = std::thread::scope(|scope| {
        let put = || Records::open(&server.url).unwrap().put(&many).unwrap();
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(put)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!((new, all(&mut records).len()), (300, 303));
    assert!(matches!(records.put(&[record("\0", 1, "")]), Err(StoreError::Unstorable { .. })));
}

/// Connections that died while idle are replaced without a word; a server that is away is a clear error.
fn a_restart_is_survived(server: &Server) {
    server.fresh_database();
    let store = PostgresStore::open(&server.url).unwrap();
    share_all(&store);
    ask(&store, "https://example.org/", "Who?", &["Ada"], None);
    server.crash();
    let error = store.top_questions("https://example.org/", 1).unwrap_err();
    assert!(matches!(error, StoreError::Unreachable { .. } | StoreError::Lost { .. }), "{error}");
    assert_eq!(error.to_string().lines().count(), 1);
    server.start_again();
    assert_eq!(
        recall_texts(&store, page("https://example.org/"), "Who?"),
        Some(vec!["Ada".into()]),
        "a read"
    );
    server.crash();
    server.start_again();
    ask(&store, "https://example.org/", "Why?", &["Ben"], None);
    assert_eq!(store.statistics().unwrap().questions, 2, "and a write");
}
