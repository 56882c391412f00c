//! A list for people, as a table, and for programs, as a line of JSON.

use std::fmt::Write;

use findall::list::LargerModelReport;
use findall_wire::lines::{ListLine, ObjectLine};

/// Characters of a passage shown in a table, and other names.
const MAX_PASSAGE_CHARS: usize = 90;
const MAX_OTHER_NAMES: usize = 3;

/// The list as one line of JSON.
pub fn to_json(list: &ListLine) -> String {
    serde_json::to_string(list).unwrap_or_default()
}

/// Why a list that a larger model made is not whole.
pub fn explain_partial(asked: &LargerModelReport) -> Option<String> {
    let (done, due) = asked.calls;
    match (&asked.failure, asked.overlong) {
        (Some(failure), _) => Some(format!(
            "{done} of {due} calls were answered, then {failure}; the same command goes on from there"
        )),
        (None, 0) => None,
        (None, replies) => Some(format!("{replies} replies held more names than are read")),
    }
}

/// The list as a table: what was accepted, or everything with a mark for what was not.
pub fn table(list: &ListLine, all: bool) -> String {
    let shown: Vec<&ObjectLine> = list.objects.iter().filter(|object| all || object.accepted).collect();
    let accepted = list.objects.iter().filter(|object| object.accepted).count();
    let partial = if list.partial.is_some() { ", partial" } else { "" };
    let mut out = format!(
        "{} · {}: {accepted} accepted of {} candidates{partial}\n",
        list.subject,
        list.relation,
        list.objects.len()
    );
    let names: Vec<String> = shown.iter().map(|object| name_with_aliases(object)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (object, name) in shown.iter().zip(names) {
        let mark = if object.accepted { ' ' } else { '?' };
        let _ = write!(out, "{mark} {:.2}  {name:<width$}  {}", object.score, object.by);
        let _ = match object.support.first() {
            Some(passage) => {
                let words = passage.text.split_whitespace().collect::<Vec<_>>().join(" ");
                let short: String = words.chars().take(MAX_PASSAGE_CHARS).collect();
                let more = if words.chars().count() > MAX_PASSAGE_CHARS { "…" } else { "" };
                writeln!(out, "  {}: {short}{more}", passage.line)
            }
            None => writeln!(out),
        };
    }
    out
}

/// The name with the most used others: "Anna Ware (Anna, Miss Ware)".
fn name_with_aliases(object: &ObjectLine) -> String {
    let others: Vec<&str> = (object.aliases.iter().map(String::as_str))
        .filter(|alias| *alias != object.name)
        .take(MAX_OTHER_NAMES)
        .collect();
    match others.is_empty() {
        true => object.name.clone(),
        false => format!("{} ({})", object.name, others.join(", ")),
    }
}
