//! Privacy settings of the store, shown and changed.

use std::fmt::Write;

use clap::{Args, ValueEnum};
use findall_store::{Pattern, PatternUse, Settings, Store};

use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::remember::store_failure;

/// On or off.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Switch {
    /// Remember
    On,
    /// Remember nothing new
    Off,
}

/// Arguments of `findall store settings`.
#[derive(Debug, Args)]
#[command(
    after_help = "A pattern without a slash is about hosts: *.bank.example. With one it is about addresses or files:
example.org/private/*, /home/me/diary/*. A store on a server takes only pages that --share allows."
)]
pub struct SettingsArgs {
    /// Whether new questions are remembered; what is there stays
    #[arg(long, value_name = "WHEN")]
    remember: Option<Switch>,

    /// Never remember these pages
    #[arg(long, value_name = "PATTERN")]
    deny: Vec<String>,

    /// Take back --deny
    #[arg(long, value_name = "PATTERN")]
    undeny: Vec<String>,

    /// These pages may be shared
    #[arg(long, value_name = "PATTERN")]
    share: Vec<String>,

    /// Take back --share
    #[arg(long, value_name = "PATTERN")]
    unshare: Vec<String>,
}

/// Changes what is asked for, then shows all of it; exit 1 when a pattern to take back is not there.
pub fn run(store: &dyn Store, args: &SettingsArgs) -> Result<Outcome, Failure> {
    // All patterns are read before the first is written.
    let read =
        |patterns: &[String]| patterns.iter().map(|text| Pattern::new(text)).collect::<Result<Vec<_>, _>>();
    let (deny, share) = (read(&args.deny).map_err(store_failure)?, read(&args.share).map_err(store_failure)?);
    if let Some(switch) = args.remember {
        store.set_remember(matches!(switch, Switch::On)).map_err(store_failure)?;
    }
    for (purpose, patterns) in [(PatternUse::Deny, &deny), (PatternUse::Share, &share)] {
        for pattern in patterns {
            store.add_pattern(purpose, pattern).map_err(store_failure)?;
        }
    }
    let mut said = String::new();
    let mut missing = false;
    for (purpose, patterns) in [(PatternUse::Deny, &args.undeny), (PatternUse::Share, &args.unshare)] {
        for pattern in patterns {
            if !store.remove_pattern(purpose, pattern).map_err(store_failure)? {
                let _ = writeln!(said, "no such pattern: {pattern}");
                missing = true;
            }
        }
    }
    show(&mut said, &store.settings().map_err(store_failure)?);
    if !deny.is_empty() {
        said += "what was remembered before stays; findall store forget --page PATTERN removes it\n";
    }
    Output::stdout().write(said.as_bytes())?;
    Ok(if missing { Outcome::Nothing } else { Outcome::Found })
}

fn show(said: &mut String, settings: &Settings) {
    let _ = writeln!(said, "remember  {}", if settings.remember { "on" } else { "off" });
    for (name, purpose) in [("deny", PatternUse::Deny), ("share", PatternUse::Share)] {
        for pattern in settings.patterns_for(purpose) {
            let _ = writeln!(said, "{name:<9} {}", pattern.as_str());
        }
    }
}
