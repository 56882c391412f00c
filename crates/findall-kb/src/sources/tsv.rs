//! Tab-separated columns that a person writes.
//!
//! With a header line the columns may come in any order: `title` (required), `id`, `kind`, `description`, `aliases`
//! (separated by `;`), `text`, `popularity`. Without one they are title, kind, description, aliases. A row with more or fewer
//! columns than the header is set aside. Redirects are two columns: another name, the title.

use crate::build::{Draft, Name, NameOrigin};
use findall::knowledge::EntityKind;

use super::jsonl::Ids;
use super::reading::{Line, Position, next_line, open};
use super::{Sink, Source, SourceError, io_error};

const MAX_TSV_ROW_BYTES: usize = 1 << 20;
const COLUMNS: &[&str] = &["title", "id", "kind", "type", "description", "aliases", "text", "popularity"];
const HEADERLESS_COLUMNS: &[&str] = &["title", "kind", "description", "aliases"];

/// Reads rows of columns.
pub fn read(source: &Source, sink: &mut dyn Sink, position: &Position) -> Result<(), SourceError> {
    let mut header: Option<Vec<String>> = None;
    let mut ids = Ids::default();
    for_each_row(source, sink, position, &mut |sink, cells, row| {
        if header.is_none() {
            let lower: Vec<String> = cells.iter().map(|cell| cell.trim().to_lowercase()).collect();
            let is_header = lower.contains(&"title".to_owned())
                && lower.iter().all(|name| COLUMNS.contains(&name.as_str()));
            header = Some(if is_header {
                lower
            } else {
                HEADERLESS_COLUMNS.iter().map(|name| (*name).to_owned()).collect()
            });
            if is_header {
                sink.skip_row();
                return Ok(());
            }
        }
        let names = header.as_deref().unwrap_or_default();
        // Trailing empty columns may be left out when there is no header to say how many there are.
        if cells.len() > names.len() || cells.len() < 2 && names.len() > 1 {
            return sink.refuse_row(
                &format!("{} columns, expected {} ({})", cells.len(), names.len(), names.join(", ")),
                row,
            );
        }
        let cell = |name: &str| {
            names
                .iter()
                .position(|known| known == name)
                .and_then(|at| cells.get(at))
                .map_or("", |cell| cell.trim())
        };
        let kind_name = if cell("kind").is_empty() { cell("type") } else { cell("kind") };
        let kind = EntityKind::from_name(kind_name);
        if !kind_name.is_empty() && kind.is_none() {
            let kinds: Vec<&str> = EntityKind::ALL.iter().map(|kind| kind.name()).collect();
            return sink.refuse_row(&format!("no such kind {kind_name:?}, one of {}", kinds.join(", ")), row);
        }
        let popularity = match cell("popularity") {
            "" => 1.0,
            number => match number.parse::<f32>() {
                Ok(value) if value.is_finite() && value >= 0.0 => value,
                _ => return sink.refuse_row(&format!("popularity {number:?} is not a number"), row),
            },
        };
        let mut draft = Draft {
            key: cell("id").to_owned(),
            kind,
            description: cell("description").to_owned(),
            popularity,
            authority: source.authority,
            names: cell("aliases")
                .split(';')
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .map(|name| Name { text: name.into(), origin: NameOrigin::Given })
                .collect(),
            ..Draft::new(cell("title"))
        };
        draft.read_text(cell("text"), &sink.extract());
        ids.reconcile(&mut draft);
        sink.take_draft(&draft)
    })
}

/// Names that lead to titles which other sources bring.
pub fn read_redirects(source: &Source, sink: &mut dyn Sink, position: &Position) -> Result<(), SourceError> {
    for_each_row(source, sink, position, &mut |sink, cells, row| {
        let [name, title] = cells else {
            return sink.refuse_row(&format!("{} columns, expected 2 (name, title)", cells.len()), row);
        };
        sink.take_draft(&Draft {
            names: vec![Name { text: name.trim().to_owned(), origin: NameOrigin::Redirect }],
            attaches_only: true,
            ..Draft::new(title.trim())
        })
    })
}

type EachRow<'e> = dyn FnMut(&mut dyn Sink, &[&str], &str) -> Result<(), SourceError> + 'e;

fn for_each_row(
    source: &Source,
    sink: &mut dyn Sink,
    position: &Position,
    each: &mut EachRow<'_>,
) -> Result<(), SourceError> {
    let mut reader = open(&source.path, position).map_err(io_error(&source.path, 0))?;
    let mut line = Vec::new();
    loop {
        let kind = next_line(&mut *reader, &mut line, MAX_TSV_ROW_BYTES)
            .map_err(io_error(&source.path, sink.rows()))?;
        if kind == Line::End {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_start_matches('\u{feff}');
        if text.trim().is_empty() || text.starts_with('#') || !sink.wants_row() {
            continue;
        }
        if kind == Line::TooLong {
            sink.refuse_row("the row is longer than 1 MB", text)?;
            continue;
        }
        let cells: Vec<&str> = text.split('\t').collect();
        each(sink, &cells, text)?;
    }
}
