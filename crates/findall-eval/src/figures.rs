//! Figures of one measurement: shown as a table beside published ones, or as JSON, and recorded.

use std::io::Write;

use crate::EvalError;
use crate::record::{self, RecordArgs, Row};
use crate::table;

/// Figures of one system on one dataset.
pub struct Figures {
    /// Name of the verb, as in `findall-eval VERB`.
    pub verb: &'static str,
    /// What was measured on.
    pub set: String,
    /// What was measured.
    pub system: String,
    /// Name, value, unit.
    pub values: Vec<(&'static str, f64, &'static str)>,
    /// What others report, and where: one line each.
    pub published: &'static [&'static str],
}

impl Figures {
    /// Writes them to `out`, as a table or as one JSON object, and into the record.
    pub fn report(&self, json: bool, record: &RecordArgs, out: &mut dyn Write) -> Result<(), EvalError> {
        if json {
            let values: serde_json::Map<_, _> =
                self.values.iter().map(|(name, value, _)| (name.to_string(), (*value).into())).collect();
            let object = serde_json::json!({
                "verb": self.verb, "set": self.set, "system": self.system, "figures": values,
                "published": self.published,
            });
            writeln!(out, "{object}")?;
        } else {
            let rows: Vec<Vec<String>> = self
                .values
                .iter()
                .map(|(name, value, unit)| vec![name.to_string(), format_value(*value, unit)])
                .collect();
            table::write(out, &[&self.set, &self.system], &rows)?;
            for line in self.published {
                writeln!(out, "published: {line}")?;
            }
        }
        let row = |(name, value, unit): &(&str, f64, &'static str)| {
            Row::new(&self.set, &self.system, name, *value, unit)
        };
        let rows: Vec<Row> = self.values.iter().map(row).collect();
        // With --json the output is one object and nothing else.
        let said: &mut dyn Write = if json { &mut std::io::sink() } else { out };
        record::write(record, self.verb, &rows, said)
    }
}

fn format_value(value: f64, unit: &str) -> String {
    match unit {
        "share" => format!("{:.1}", 100.0 * value),
        "count" => format!("{value:.0}"),
        _ => format!("{value:.3} {unit}"),
    }
}
