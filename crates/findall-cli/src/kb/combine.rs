//! `findall kb add | layer`: an entity added to what is known, bases laid over one another.

#[cfg(not(feature = "builder"))]
use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use findall::knowledge::{EntityId, EntityKind, KnowledgeBase, KnowledgeError, title_key};
use findall_wire::lines::KbDisagreementLine;

use super::correct;
#[cfg(feature = "builder")]
use super::rewrite::add_to;
use crate::absent::Part;
use crate::args::JsonArgs;
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::printer::json;

/// Arguments of `findall kb add`.
#[derive(Debug, Args)]
pub struct AddArgs {
    /// The base to add to, made when it does not exist [default: your corrections, which every query obeys]
    #[arg(long, value_name = "FILE", hide = !Part::Builder.is_present())]
    pub(super) to: Option<PathBuf>,

    /// The title of the entity
    pub(super) title: String,

    /// What sort of thing it is
    #[arg(long, value_name = "KIND", value_parser = parse_kind)]
    pub(super) kind: Option<EntityKind>,

    /// What it is, in 8 to 20 words
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(super) description: String,

    /// Another name; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(super) alias: Vec<String>,

    /// An id of your own, in a base of your own
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true, requires = "to", hide = !Part::Builder.is_present())]
    pub(super) id: String,
}

/// Arguments of `findall kb layer`.
#[derive(Debug, Args)]
pub struct LayerArgs {
    /// The bases, the upper one first
    #[arg(required = true, num_args = 2.., value_name = "FILE")]
    bases: Vec<PathBuf>,

    /// How many disagreements to list
    #[arg(short = 'm', long, value_name = "N", default_value_t = 20)]
    max_count: usize,

    #[command(flatten)]
    output: JsonArgs,
}

fn parse_kind(name: &str) -> Result<EntityKind, String> {
    EntityKind::from_name(name).ok_or_else(|| {
        let kinds: Vec<&str> = EntityKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("one of {}", kinds.join(", "))
    })
}

/// Tells what went wrong with a base.
pub(super) fn base_failure(error: KnowledgeError) -> Failure {
    Failure::Verb(error.to_string())
}

/// Adds one entity to a base of one's own, or to one's corrections.
pub fn add(args: &AddArgs) -> Result<Outcome, Failure> {
    let Some(to) = &args.to else {
        return correct::add(&args.title, args.kind, &args.description, &args.alias);
    };
    Part::Builder.require("findall kb add --to")?;
    add_to(to, args)
}

/// Without the builder there is no base of one's own to add to.
#[cfg(not(feature = "builder"))]
fn add_to(_: &Path, _: &AddArgs) -> Result<Outcome, Failure> {
    Ok(Outcome::Nothing)
}

/// Says what happens when bases are layered: who hides whom, and where they disagree.
pub fn layer(args: &LayerArgs) -> Result<Outcome, Failure> {
    let bases =
        args.bases.iter().map(KnowledgeBase::open).collect::<Result<Vec<_>, _>>().map_err(base_failure)?;
    let mut shared = 0usize;
    let mut disagreements = Vec::new();
    for (at, upper) in bases.iter().enumerate() {
        for lower in &bases[at + 1..] {
            // The smaller one is walked; looking up is cheap.
            let (walked, asked) = if upper.len() <= lower.len() { (upper, lower) } else { (lower, upper) };
            for number in 0..walked.len() {
                let one = walked.record(EntityId(number as u32)).map_err(base_failure)?;
                let Some(other) = asked.find_title(&one.title) else { continue };
                let other = asked.record(other).map_err(base_failure)?;
                shared += 1;
                let (up, low) = if std::ptr::eq(walked, upper) { (one, other) } else { (other, one) };
                debug_assert_eq!(title_key(&up.title), title_key(&low.title));
                let mut differ = |field, up_says: &str, low_says: &str| {
                    if up_says != low_says && !up_says.is_empty() && !low_says.is_empty() {
                        disagreements.push(KbDisagreementLine {
                            title: up.title.clone(),
                            field,
                            upper: up_says.into(),
                            lower: low_says.into(),
                        });
                    }
                };
                differ("kind", up.kind.name(), low.kind.name());
                differ("description", &up.description, &low.description);
            }
        }
    }
    let mut out = String::new();
    for one in disagreements.iter().take(args.max_count) {
        out.push_str(&if args.output.json {
            json::line(one)
        } else {
            format!("{}: {} {:?} wins over {:?}\n", one.title, one.field, one.upper, one.lower)
        });
    }
    if !args.output.json {
        out.push_str(&format!(
            "{shared} titles are in more than one layer, {} statements disagree; the upper layer wins, the lower one's facts and names are kept beside it\n",
            disagreements.len()
        ));
        let flags: Vec<String> = args.bases.iter().map(|path| format!("--kb {}", path.display())).collect();
        out.push_str(&format!("use them together: findall {} QUERY FILE\n", flags.join(" ")));
    }
    Output::stdout().write(out.as_bytes())?;
    Ok(Outcome::Found)
}
