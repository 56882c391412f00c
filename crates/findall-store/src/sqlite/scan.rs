//! Exact vector search without an index: every question has, beside its vector, a code of one byte a dimension. All codes
//! are scanned; how far a code can be off is known, so the few questions that could be among the nearest are compared in
//! full, best first, until no other can be nearer. The result is that of comparing all of them.

use std::collections::BinaryHeap;

use rusqlite::{Connection, params};

use crate::model::DIMENSIONS;
use crate::sql::{ANSWER_CONDITION, QuestionLikeness, VectorSearch};

/// A vector in bytes, the unit of a byte, and the length of what rounding took away.
struct Code {
    bytes: [i8; DIMENSIONS],
    unit: f32,
    lost: f32,
}

/// Stored as the bytes, then unit and loss as floats.
const STORED_BYTES: usize = DIMENSIONS + 8;

impl Code {
    fn of(direction: &[f32]) -> Self {
        let largest = direction.iter().fold(f32::MIN_POSITIVE, |most, value| most.max(value.abs()));
        let unit = largest / 127.0;
        let mut bytes = [0; DIMENSIONS];
        let mut lost = 0.0;
        for (byte, value) in bytes.iter_mut().zip(direction) {
            *byte = (value / unit).round() as i8;
            lost += (value - f32::from(*byte) * unit).powi(2);
        }
        // A little more than computed, for the rounding of this computation itself.
        Self { bytes, unit, lost: lost.sqrt() + 1e-5 }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let bytes = self.bytes.iter().map(|byte| byte.cast_unsigned());
        bytes.chain(self.unit.to_le_bytes()).chain(self.lost.to_le_bytes()).collect()
    }

    /// The highest that the cosine of the two vectors can be.
    fn max_cosine(&self, stored: &[u8]) -> Option<f32> {
        let (bytes, rest) = stored.split_at_checked(DIMENSIONS)?;
        let [unit, lost] =
            [rest.first_chunk::<4>()?, rest.last_chunk::<4>()?].map(|part| f32::from_le_bytes(*part));
        let estimate = product(&self.bytes, bytes) as f32 * self.unit * unit;
        Some(estimate + self.lost + lost + self.lost * lost)
    }
}

/// Written so that compilers make vector instructions of it: fixed length, 16-bit products, 32-bit sums.
fn product(a: &[i8; DIMENSIONS], b: &[u8]) -> i32 {
    a.iter().zip(b).map(|(&a, &b)| i32::from(i16::from(a) * i16::from(b.cast_signed()))).sum()
}

fn cosine(a: &[f32], b: impl Iterator<Item = f32>) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The floats of a stored vector.
pub fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> + '_ {
    bytes.as_chunks::<4>().0.iter().map(|chunk| f32::from_le_bytes(*chunk))
}

/// Keeps a vector and its code, unless they are there.
pub fn put(connection: &Connection, question: i64, encoder: &str, direction: &[f32]) -> rusqlite::Result<()> {
    let bytes: Vec<u8> = direction.iter().flat_map(|value| value.to_le_bytes()).collect();
    let new = connection
        .prepare_cached(
            "INSERT INTO vectors (question_id, encoder, vector) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        )?
        .execute(params![question, encoder, bytes])?;
    if new > 0 {
        put_code(connection, question, encoder, direction)?;
    }
    Ok(())
}

fn put_code(
    connection: &Connection,
    question: i64,
    encoder: &str,
    direction: &[f32],
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT INTO codes (encoder, question_id, code) VALUES (?1, ?2, ?3)")?
        .execute(params![encoder, question, Code::of(direction).to_bytes()])?;
    Ok(())
}

/// Codes for all vectors: the second step of the layout.
pub fn encode_all(connection: &Connection) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("SELECT question_id, encoder, vector FROM vectors")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let direction: Vec<f32> = floats(row.get_ref(2)?.as_blob()?).collect();
        put_code(connection, row.get(0)?, row.get_ref(1)?.as_str()?, &direction)?;
    }
    Ok(())
}

/// Questions of one page: few, so all are compared in full.
pub fn find_on_page(
    connection: &Connection,
    page: i64,
    encoder: &str,
    direction: &[f32],
    threshold: f32,
) -> rusqlite::Result<Vec<QuestionLikeness>> {
    let mut statement = connection.prepare_cached(
        "SELECT q.id, v.vector FROM questions q JOIN vectors v ON v.question_id = q.id AND v.encoder = ?2
         WHERE q.page_id = ?1",
    )?;
    let mut rows = statement.query(params![page, encoder])?;
    let mut found: Vec<QuestionLikeness> = Vec::new();
    while let Some(row) = rows.next()? {
        let likeness = cosine(direction, floats(row.get_ref(1)?.as_blob()?));
        if likeness >= threshold {
            found.push((row.get(0)?, likeness));
        }
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    Ok(found)
}

/// A question that may be as near as `at_most`.
struct Candidate {
    at_most: f32,
    question: i64,
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.at_most.total_cmp(&other.at_most).then(other.question.cmp(&self.question))
    }
}

/// Questions of all pages, nearest first.
pub fn find_everywhere(
    connection: &Connection,
    wanted: &VectorSearch<'_>,
) -> rusqlite::Result<Vec<QuestionLikeness>> {
    let mut candidates = BinaryHeap::from(find_candidates(connection, wanted)?);
    let mut exact =
        connection.prepare_cached("SELECT vector FROM vectors WHERE question_id = ?1 AND encoder = ?2")?;
    let fits = format!(
        "SELECT 1 FROM questions q WHERE q.id = ?1 AND q.page_id <> ?2 AND (?3 = 0 OR {ANSWER_CONDITION})"
    );
    let mut fits = connection.prepare_cached(&fits)?;
    let mut found: Vec<QuestionLikeness> = Vec::new();
    while let Some(Candidate { at_most, question }) = candidates.pop() {
        if found.len() >= wanted.limit && found.last().is_none_or(|worst| at_most < worst.1) {
            break;
        }
        if !fits.exists(params![question, wanted.except_page.unwrap_or(-1), wanted.answered])? {
            continue;
        }
        let likeness = exact.query_row(params![question, wanted.encoder], |row| {
            Ok(cosine(wanted.direction, floats(row.get_ref(0)?.as_blob()?)))
        })?;
        if likeness >= wanted.threshold {
            let place = found.partition_point(|other| other.1 >= likeness);
            found.insert(place, (question, likeness));
            found.truncate(wanted.limit);
        }
    }
    Ok(found)
}

fn find_candidates(connection: &Connection, wanted: &VectorSearch<'_>) -> rusqlite::Result<Vec<Candidate>> {
    let code = Code::of(wanted.direction);
    let mut statement =
        connection.prepare_cached("SELECT question_id, code FROM codes WHERE encoder = ?1")?;
    let mut rows = statement.query([wanted.encoder])?;
    let mut candidates = Vec::new();
    while let Some(row) = rows.next()? {
        let stored = row.get_ref(1)?.as_blob()?;
        match code.max_cosine(stored).filter(|_| stored.len() == STORED_BYTES) {
            Some(at_most) if at_most >= wanted.threshold => {
                candidates.push(Candidate { at_most, question: row.get(0)? });
            }
            _ => {}
        }
    }
    Ok(candidates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_never_underestimates() {
        let direction = |seed: u32| {
            let raw: Vec<f32> = (0..DIMENSIONS as u32)
                .map(|at| {
                    (at.wrapping_mul(2_654_435_761).wrapping_add(seed * 40_503) % 1000) as f32 / 500.0 - 1.0
                })
                .collect();
            let length = raw.iter().map(|value| value * value).sum::<f32>().sqrt();
            raw.iter().map(|value| value / length).collect::<Vec<f32>>()
        };
        for seed in 0..200 {
            let (a, b) = (direction(seed), direction(seed * 7 + 3));
            let true_cosine = cosine(&a, b.iter().copied());
            let at_most = Code::of(&a).max_cosine(&Code::of(&b).to_bytes()).unwrap();
            assert!(at_most >= true_cosine, "{at_most} {true_cosine}");
            assert!(at_most < true_cosine + 0.05, "and is close: {at_most} {true_cosine}");
        }
    }
}
