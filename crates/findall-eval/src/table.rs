//! Plain tables: columns as wide as their widest cell, the first to the left, the others to the right.

use std::io::{self, Write};

/// Writes the header, a rule and the rows.
pub fn write(out: &mut dyn Write, header: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([header[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    line(out, &widths, header.iter().copied())?;
    line(out, &widths, widths.iter().map(|&width| "─".repeat(width)))?;
    for row in rows {
        line(out, &widths, row.iter())?;
    }
    Ok(())
}

fn line<C: AsRef<str>>(
    out: &mut dyn Write,
    widths: &[usize],
    cells: impl Iterator<Item = C>,
) -> io::Result<()> {
    let mut text = String::new();
    for (column, (cell, &width)) in cells.zip(widths).enumerate() {
        match column {
            0 => text += &format!("{:<width$}", cell.as_ref()),
            _ => text += &format!("  {:>width$}", cell.as_ref()),
        }
    }
    writeln!(out, "{}", text.trim_end())
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_line_up() {
        let mut out = Vec::new();
        let rows = [vec!["é".into(), "1".into()], vec!["bcd".into(), "10".into()]];
        super::write(&mut out, &["a", "value"], &rows).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a    value\n───  ─────\né        1\nbcd     10\n");
    }
}
