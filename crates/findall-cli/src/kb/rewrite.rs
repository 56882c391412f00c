//! `findall kb merge` and `kb add --to`: bases written anew, with those of others or with one more entity in them.

use std::path::{Path, PathBuf};

use clap::Args;
use findall::knowledge::{Candidate, EntityId, EntityKind, KnowledgeBase, KnowledgeError, NameKind};
use findall_kb::{BuildOptions, Builder, Draft, Name, NameOrigin};

use super::combine::{AddArgs, base_failure};
use crate::failure::{Failure, Outcome};
use crate::output::Output;

/// Arguments of `findall kb merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The bases, the one that wins first
    #[arg(required = true, num_args = 1.., value_name = "FILE")]
    bases: Vec<PathBuf>,

    /// Where the united base goes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Of each base keep only so many things, the best known ones
    #[arg(short = 'm', long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    max_count: usize,
}

/// Adds one entity to a base of one's own.
pub fn add_to(to: &Path, args: &AddArgs) -> Result<Outcome, Failure> {
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
    let entities = rewrite(&bases, args.max_count, None, &args.out)?;
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
    let opened =
        bases.iter().map(KnowledgeBase::open).collect::<Result<Vec<_>, _>>().map_err(base_failure)?;
    for kb in &opened {
        options.notes.extend(kb.summaries().into_iter().flat_map(|(_, summary)| summary.notes));
    }
    let mut builder = Builder::new(&folder, options);
    if let Some(draft) = more
        && let Err(refusal) = builder.add(draft).map_err(base_failure)?
    {
        return Err(Failure::Usage(refusal.to_string()));
    }
    for (at, kb) in opened.iter().enumerate() {
        let authority = 200u8.saturating_sub(u8::try_from(at).unwrap_or(200));
        feed(kb, most, authority, &mut builder).map_err(base_failure)?;
    }
    let written = builder.finish(out, &mut |_, _| {}).map_err(base_failure)?;
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
