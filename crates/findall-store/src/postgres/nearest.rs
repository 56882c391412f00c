//! Vector search on the server. Across pages an HNSW graph over half-precision vectors proposes, and the full vectors
//! decide. The graph is walked on until enough of what it proposes passes the filter; should even that end early,
//! everything is compared, so that a filter never cuts a result without a word.

use tokio_postgres::types::ToSql;

use super::Postgres;
use crate::error::StoreError;
use crate::sql::{ANSWER_CONDITION, QuestionLikeness, VectorSearch};

/// Proposals a result: half precision may swap neighbours, not more.
const MIN_PROPOSALS_A_RESULT: usize = 4;

/// What a connection must know for this: how widely the graph is searched, that the walk goes on where a filter left too
/// few (in about the right order; the full vectors put them right), and that plans are made for the limit asked for.
pub const NEAREST_SETTINGS: &str = "SET hnsw.ef_search = 160; SET hnsw.iterative_scan = relaxed_order;
    SET hnsw.max_scan_tuples = 100000; SET plan_cache_mode = force_custom_plan";

impl Postgres<'_> {
    fn query_likeness(
        &mut self,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<QuestionLikeness>, StoreError> {
        let statement = self.prepare(sql)?;
        let rows = self.connection.client.query(&statement, params)?;
        Ok(rows.iter().map(|row| (row.get(0), row.get::<_, f64>(1) as f32)).collect())
    }
}

/// Questions of one page: few, so all are compared.
pub fn find_on_page(
    sql: &mut Postgres<'_>,
    page: i64,
    encoder: &str,
    direction: &[f32],
    threshold: f32,
) -> Result<Vec<QuestionLikeness>, StoreError> {
    let vector = pgvector::Vector::from(direction.to_vec());
    sql.query_likeness(
        "WITH here AS MATERIALIZED (
             SELECT q.id, -(v.vector <#> $3) AS likeness FROM questions q
             JOIN vectors v ON v.question_id = q.id AND v.encoder = $2 WHERE q.page_id = $1)
         SELECT id, likeness FROM here WHERE likeness >= $4 ORDER BY likeness DESC, id",
        &[&page, &encoder, &vector, &f64::from(threshold)],
    )
}

/// Questions of all pages.
pub fn find_everywhere(
    sql: &mut Postgres<'_>,
    wanted: &VectorSearch<'_>,
) -> Result<Vec<QuestionLikeness>, StoreError> {
    if wanted.limit == 0 {
        return Ok(Vec::new());
    }
    let vector = pgvector::Vector::from(wanted.direction.to_vec());
    let except = wanted.except_page.unwrap_or(-1);
    let answered = if wanted.answered { ANSWER_CONDITION } else { "true" };
    let proposals = (wanted.limit * MIN_PROPOSALS_A_RESULT) as i64;
    let params: &[&(dyn ToSql + Sync)] = &[&vector, &wanted.encoder, &except, &proposals];
    let near = |order: &str| {
        format!(
            "WITH near AS MATERIALIZED (
                 SELECT v.question_id AS id, v.vector FROM vectors v JOIN questions q ON q.id = v.question_id
                 WHERE v.encoder = $2 AND q.page_id <> $3 AND {answered} ORDER BY {order} LIMIT $4)
             SELECT id, -(vector <#> $1) AS likeness FROM near ORDER BY likeness DESC, id"
        )
    };
    let mut found =
        sql.query_likeness(&near("v.vector::halfvec(384) <#> $1::vector::halfvec(384)"), params)?;
    if found.len() < proposals as usize {
        // Fewer than asked for: the table is small, or the walk gave up. Comparing all, without the graph, tells.
        found = sql.query_likeness(&near("v.vector <#> $1"), params)?;
    }
    found.retain(|(_, likeness)| *likeness >= wanted.threshold);
    found.truncate(wanted.limit);
    Ok(found)
}
