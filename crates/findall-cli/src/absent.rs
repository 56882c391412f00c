//! Parts that a build may leave out to be done sooner (the features of findall-cli), and what stands in for them: whoever
//! types a verb or a flag of one is told in a line that it is not here, and the command that gets the whole program.

#[cfg(not(feature = "larger"))]
pub mod larger;

#[cfg(any(test, not(all(feature = "builder", feature = "network"))))]
use clap::Args;

use crate::failure::Failure;
#[cfg(any(test, not(all(feature = "builder", feature = "network"))))]
use crate::failure::Outcome;

/// The command that builds everything.
const WHOLE_PROGRAM_COMMAND: &str = "cargo install --path crates/findall-cli --profile dist";

/// What `--help` says after everything else.
pub const HELP_NOTE: &str = if Part::ALL_PRESENT {
    "Exit status: 0 something matched, 1 nothing matched, 2 something went wrong."
} else {
    "Exit status: 0 something matched, 1 nothing matched, 2 something went wrong.\n\
     This build leaves some verbs and flags out; findall doctor names them, and the command that gets the whole program."
};

/// A part of the program that a build may leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Knowledge bases are built.
    Builder,
    /// Larger models are asked.
    Larger,
    /// Many documents on disk are searched.
    Library,
    /// Other programs are talked to.
    Network,
    /// Weights are set on a screen.
    Screen,
}

impl Part {
    /// All of them.
    const ALL: [Self; 5] = [Self::Library, Self::Builder, Self::Larger, Self::Network, Self::Screen];

    /// Whether nothing was left out.
    const ALL_PRESENT: bool = cfg!(all(
        feature = "builder",
        feature = "larger",
        feature = "library",
        feature = "network",
        feature = "screen"
    ));

    /// Whether this build has it.
    pub const fn is_present(self) -> bool {
        match self {
            Self::Builder => cfg!(feature = "builder"),
            Self::Larger => cfg!(feature = "larger"),
            Self::Library => cfg!(feature = "library"),
            Self::Network => cfg!(feature = "network"),
            Self::Screen => cfg!(feature = "screen"),
        }
    }

    /// What a person types for it.
    const fn commands(self) -> &'static str {
        match self {
            Self::Builder => "kb build, kb merge, kb add --to",
            Self::Larger => "--llm",
            Self::Library => "index, like, --library",
            Self::Network => "serve, mcp, index load, stores on PostgreSQL",
            Self::Screen => "like --interactive",
        }
    }

    /// Refuses what was typed where this build does not have it.
    pub fn require(self, typed: &str) -> Result<(), Failure> {
        if self.is_present() { Ok(()) } else { Err(refusal(typed)) }
    }
}

/// The line about a part that is not here.
fn refusal(typed: &str) -> Failure {
    Failure::Usage(format!("{typed} is not in this build; get the whole program: {WHOLE_PROGRAM_COMMAND}"))
}

/// What this build leaves out and how to get it, if anything.
pub fn describe_absent() -> Option<String> {
    describe(|part| !part.is_present())
}

fn describe(is_absent: impl Fn(Part) -> bool) -> Option<String> {
    let absent: Vec<&str> =
        Part::ALL.into_iter().filter(|part| is_absent(*part)).map(Part::commands).collect();
    let commands = absent.join(", ");
    (!absent.is_empty()).then(|| format!("not in this build: {commands}; all of it: {WHOLE_PROGRAM_COMMAND}"))
}

/// Arguments of a verb that is not here: whatever was typed.
#[derive(Debug, Args)]
#[cfg(any(test, not(all(feature = "builder", feature = "network"))))]
#[command(disable_help_flag = true)]
pub struct AbsentArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, num_args = 0.., hide = true)]
    typed: Vec<std::ffi::OsString>,
}

/// Refuses a verb, whatever was typed after it.
#[cfg(any(test, not(all(feature = "builder", feature = "network"))))]
pub fn refuse(verb: &str, AbsentArgs { typed: _ }: AbsentArgs) -> Result<Outcome, Failure> {
    Err(refusal(&format!("findall {verb}")))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct AbsentCommand {
        #[command(flatten)]
        args: AbsentArgs,
    }

    #[test]
    fn whatever_follows_an_absent_verb_is_refused_in_one_line_with_the_command() {
        for typed in [
            &["index"][..],
            &["index", "--watch", "notes/"],
            &["index", "--help"],
            &["index", "status", "-h"],
        ] {
            let command = AbsentCommand::try_parse_from(typed).unwrap();
            let line = refuse("index", command.args).unwrap_err().to_string();
            assert_eq!(
                line,
                "findall index is not in this build; get the whole program: cargo install --path \
                 crates/findall-cli --profile dist"
            );
        }
    }

    #[test]
    fn a_present_part_is_not_refused_and_an_absent_one_is() {
        for part in Part::ALL {
            assert_eq!(part.require("findall find --library").is_ok(), part.is_present(), "{part:?}");
        }
        assert_eq!(describe_absent().is_none(), Part::ALL_PRESENT);
    }

    #[test]
    fn what_is_left_out_is_named_part_by_part() {
        let said = describe(|part| matches!(part, Part::Library | Part::Larger)).unwrap();
        assert_eq!(
            said,
            "not in this build: index, like, --library, --llm; all of it: cargo install --path \
             crates/findall-cli --profile dist"
        );
        assert_eq!(describe(|_| false), None);
    }
}
