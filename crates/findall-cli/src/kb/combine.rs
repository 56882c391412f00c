//! `findall kb add | merge | layer`: bases changed, united, and laid over one another.

use std::path::{Path, PathBuf};

use clap::Args;
use findall::knowledge::{
    Candidate, EntityId, EntityKind, KnowledgeBase, KnowledgeError, NameKind, title_key,
};
use findall_kb::{BuildOptions, Builder, Draft, Name, NameOrigin};
use serde::Serialize;

use super::correct;
use super::show::json;
use crate::failure::{Failure, Outcome};
use crate::output::Output;

/// Arguments of `findall kb add`.
#[derive(Debug, Args)]
pub struct AddArgs {
    /// The base to add to, made when it does not exist [default: your corrections, which every query obeys]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,

    /// The title of the entity
    title: String,

    /// What sort of thing it is
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Option<EntityKind>,

    /// What it is, in 8 to 20 words
    #[arg(long, value_name = "TEXT", default_value = "")]
    description: String,

    /// Another name; may be repeated
    #[arg(long, value_name = "NAME")]
    alias: Vec<String>,

    /// An id of your own, in a base of your own
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true, requires = "to")]
    id: String,
}

/// Arguments of `findall kb merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The bases, the one that wins first
    #[arg(required = true, num_args = 1.., value_name = "FILE")]
    bases: Vec<PathBuf>,

    /// Where the united base goes
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,

    /// Of each base keep only so many things, the best known ones
    #[arg(short = 'm', long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    most: usize,
}

/// Arguments of `findall kb layer`.
#[derive(Debug, Args)]
pub struct LayerArgs {
    /// The bases, the upper one first
    #[arg(required = true, num_args = 2.., value_name = "FILE")]
    bases: Vec<PathBuf>,

    /// How many disagreements to list
    #[arg(short = 'm', long, value_name = "N", default_value_t = 20)]
    most: usize,

    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

fn kind(name: &str) -> Result<EntityKind, String> {
    EntityKind::from_name(name).ok_or_else(|| {
        let kinds: Vec<&str> = EntityKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("one of {}", kinds.join(", "))
    })
}

fn verb(error: KnowledgeError) -> Failure {
    Failure::Verb(error.to_string())
}

/// Adds one entity to a base of one's own, or to one's corrections.
pub fn add(args: &AddArgs) -> Result<Outcome, Failure> {
    let Some(to) = &args.to else {
        return correct::add(&args.title, args.kind, &args.description, &args.alias);
    };
    let draft = Draft {
        key: args.id.clone(),
        kind: args.kind,
        description: args.description.trim().to_owned(),
        names: args.alias.iter().map(|text| Name { text: text.clone(), origin: NameOrigin::Given }).collect(),
        popularity: 1.0,
        authority: u8::MAX,
        ..Draft::new(args.title.trim())
    };
    let bases: &[&Path] = if to.exists() { &[to] } else { &[] };
    let entities = rewrite(bases, usize::MAX, Some(&draft), to)?;
    let text = format!("{}: {entities} entities; use it with --kb {}\n", to.display(), to.display());
    Output::stdout().write(text.as_bytes())?;
    Ok(Outcome::Found)
}

/// Unites bases into one file.
pub fn merge(args: &MergeArgs) -> Result<Outcome, Failure> {
    let bases: Vec<&Path> = args.bases.iter().map(PathBuf::as_path).collect();
    let entities = rewrite(&bases, args.most, None, &args.out)?;
    Output::stdout().write(format!("{}: {entities} entities\n", args.out.display()).as_bytes())?;
    Ok(Outcome::Found)
}

/// The `most` best-known things of each base, the first base winning, and one more draft, as a new file at `out`.
fn rewrite(bases: &[&Path], most: usize, more: Option<&Draft>, out: &Path) -> Result<u64, Failure> {
    let mut folder = out.as_os_str().to_owned();
    folder.push(".building");
    let folder = PathBuf::from(folder);
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::Verb(format!("{}: {error}", folder.display())))?;
    let mut options = BuildOptions::default();
    let opened = bases.iter().map(KnowledgeBase::open).collect::<Result<Vec<_>, _>>().map_err(verb)?;
    for kb in &opened {
        options.notes.extend(kb.summaries().into_iter().flat_map(|(_, summary)| summary.notes));
    }
    let mut builder = Builder::new(&folder, options);
    if let Some(draft) = more
        && let Err(refusal) = builder.add(draft).map_err(verb)?
    {
        return Err(Failure::Usage(refusal.to_string()));
    }
    for (at, kb) in opened.iter().enumerate() {
        let authority = 200u8.saturating_sub(u8::try_from(at).unwrap_or(200));
        feed(kb, most, authority, &mut builder).map_err(verb)?;
    }
    let written = builder.finish(out, &mut |_, _| {}).map_err(verb)?;
    let _ = std::fs::remove_dir_all(&folder);
    Ok(written.entities)
}

/// Hands the `most` best-known entities of a base and all their names to a builder.
fn feed(kb: &KnowledgeBase, most: usize, authority: u8, builder: &mut Builder) -> Result<(), KnowledgeError> {
    // A base numbers its entities by popularity.
    for number in 0..kb.len().min(most) {
        let record = kb.record(EntityId(number as u32))?;
        let draft = Draft {
            key: record.key,
            kind: (record.kind != EntityKind::Other).then_some(record.kind),
            description: record.description,
            phrases: record.phrases,
            popularity: record.popularity,
            names: record.aliases.into_iter().map(|text| Name { text, origin: NameOrigin::Given }).collect(),
            authority,
            ..Draft::new(record.title)
        };
        // It was accepted when it was built.
        let _ = builder.add(&draft)?;
    }
    let mut failed = None;
    kb.each_name(&mut |name, candidates| {
        let kept =
            |candidate: &&Candidate| candidate.via == NameKind::Alias && (candidate.id.0 as usize) < most;
        for candidate in candidates.iter().filter(kept) {
            let added = kb.record(candidate.id).and_then(|record| {
                let names = vec![Name { text: name.to_owned(), origin: NameOrigin::Given }];
                builder.add(&Draft { names, attaches_only: true, ..Draft::new(record.title) })
            });
            if let Err(error) = added {
                failed = Some(error);
                return false;
            }
        }
        true
    });
    failed.map_or(Ok(()), Err)
}

#[derive(Serialize)]
struct Disagreement {
    title: String,
    field: &'static str,
    upper: String,
    lower: String,
}

/// Says what happens when bases are layered: who hides whom, and where they disagree.
pub fn layer(args: &LayerArgs) -> Result<Outcome, Failure> {
    let bases = args.bases.iter().map(KnowledgeBase::open).collect::<Result<Vec<_>, _>>().map_err(verb)?;
    let mut shared = 0usize;
    let mut disagreements = Vec::new();
    for (at, upper) in bases.iter().enumerate() {
        for lower in &bases[at + 1..] {
            // The smaller one is walked; looking up is cheap.
            let (walked, asked) = if upper.len() <= lower.len() { (upper, lower) } else { (lower, upper) };
            for number in 0..walked.len() {
                let one = walked.record(EntityId(number as u32)).map_err(verb)?;
                let Some(other) = asked.find_title(&one.title) else { continue };
                let other = asked.record(other).map_err(verb)?;
                shared += 1;
                let (up, low) = if std::ptr::eq(walked, upper) { (one, other) } else { (other, one) };
                debug_assert_eq!(title_key(&up.title), title_key(&low.title));
                let mut differ = |field, up_says: &str, low_says: &str| {
                    if up_says != low_says && !up_says.is_empty() && !low_says.is_empty() {
                        disagreements.push(Disagreement {
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
    for one in disagreements.iter().take(args.most) {
        out.push_str(&if args.json {
            json(one)
        } else {
            format!("{}: {} {:?} wins over {:?}\n", one.title, one.field, one.upper, one.lower)
        });
    }
    if !args.json {
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
