//! What a store does, written once for both databases.

pub mod exchange;
pub mod forget;
pub mod look;
pub mod record;
pub mod settings;

use std::collections::HashMap;

use crate::error::StoreError;
use crate::sql::Row;

/// A content hash as the tables spell it.
pub fn hex(content: &[u8; 32]) -> String {
    content.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Rows by the id in their first column, in the order they came.
pub fn group_by_id(rows: Vec<Row>) -> Result<HashMap<i64, Vec<Row>>, StoreError> {
    let mut groups: HashMap<i64, Vec<Row>> = HashMap::new();
    for row in rows {
        groups.entry(row.int(0)?).or_default().push(row);
    }
    Ok(groups)
}
