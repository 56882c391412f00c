//! `findall-eval lexical-speed`: cold runs of `findall --exact` and `rg -c` on the same generated texts, in one go.
//!
//! Each program is started anew for every run, the programs take turns (so that a busy machine hurts both alike), and
//! the smallest of the rounds counts. The texts are made from a fixed seed; nothing is kept.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::EvalError;
use crate::process::{self, Cost};
use crate::record::{self, RecordArgs, Row};
use crate::table;

/// Arguments of `findall-eval lexical-speed`.
#[derive(Debug, clap::Args)]
pub struct SpeedArgs {
    /// Sizes of the texts in MB (millions of bytes)
    #[arg(long, value_delimiter = ',', default_value = "1,5,10,25,50")]
    sizes: Vec<u32>,

    /// Rounds; the smallest figure counts
    #[arg(long, default_value_t = 7)]
    rounds: u32,

    /// The findall program to measure [default: the one beside this program]
    #[arg(long, value_name = "PROGRAM")]
    findall: Option<PathBuf>,

    #[command(flatten)]
    record: RecordArgs,
}

/// What is run.
struct SpeedSystem {
    name: &'static str,
    program: PathBuf,
    flags: &'static [&'static str],
}

/// A word that one line in some hundreds holds, and one that most lines hold.
const SPEED_QUERIES: [(&str, &str); 2] = [("rare word", "harbour"), ("common word", "the")];

/// Measures, prints, records.
pub fn run(args: &SpeedArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let findall = process::findall_program(args.findall.as_deref())?;
    let systems = [
        SpeedSystem { name: "rg -c -i", program: "rg".into(), flags: &["-c", "-i"] },
        SpeedSystem { name: "findall --exact -c", program: findall.clone(), flags: &["--exact", "-c"] },
        SpeedSystem { name: "findall --fuzzy -c", program: findall, flags: &["--fuzzy", "-c"] },
    ];
    let folder = tempfile::tempdir()?;
    let mut rows = Vec::new();
    let mut lines = Vec::new();
    for &size in &args.sizes {
        let text = folder.path().join(format!("{size}.txt"));
        write_text(&text, u64::from(size) * 1_000_000)?;
        for (kind, query) in SPEED_QUERIES {
            let costs = measure(&systems, query, &text, args.rounds)?;
            let definition = format!("{size} MB, {kind}");
            for (system, cost) in systems.iter().zip(&costs) {
                let ratio = cost.wall_s / costs[0].wall_s;
                lines.push(vec![
                    definition.clone(),
                    system.name.into(),
                    format!("{:.1}", cost.wall_s * 1e3),
                    format!("{:.1}", cost.cpu_s * 1e3),
                    format!("{ratio:.2}"),
                    format!("{:.1}", cost.wall_s * 1e3 / f64::from(size)),
                    format!("{:.1}", cost.memory_mb),
                ]);
                rows.push(Row::new(&definition, system.name, "wall time", cost.wall_s * 1e3, "ms"));
                rows.push(Row::new(&definition, system.name, "cpu time", cost.cpu_s * 1e3, "ms"));
                rows.push(Row::new(&definition, system.name, "wall time over rg", ratio, "ratio"));
                rows.push(Row::new(&definition, system.name, "peak memory", cost.memory_mb, "MB"));
            }
        }
        std::fs::remove_file(&text)?;
    }
    let header = ["text, query", "system", "wall ms", "cpu ms", "× rg", "ms/MB", "peak MB"];
    table::write(out, &header, &lines)?;
    record::write(&args.record, "lexical-speed", &rows, out)
}

fn measure(systems: &[SpeedSystem], query: &str, text: &Path, rounds: u32) -> Result<Vec<Cost>, EvalError> {
    let worst = Cost { wall_s: f64::INFINITY, cpu_s: f64::INFINITY, memory_mb: f64::INFINITY };
    let mut best = vec![worst; systems.len()];
    let mut counts = vec![String::new(); systems.len()];
    for _ in 0..rounds.max(1) {
        for (number, system) in systems.iter().enumerate() {
            let (cost, count) = run_once(system, query, text)?;
            best[number] = Cost {
                wall_s: best[number].wall_s.min(cost.wall_s),
                cpu_s: best[number].cpu_s.min(cost.cpu_s),
                memory_mb: best[number].memory_mb.min(cost.memory_mb),
            };
            counts[number] = count;
        }
    }
    // A program that is fast because it finds less is not fast.
    if counts[1] != counts[0] {
        let message = format!(
            "counts {} lines with {query:?} where {} counts {}",
            counts[1], systems[0].name, counts[0]
        );
        return Err(EvalError::Program { program: systems[1].name.into(), message });
    }
    Ok(best)
}

fn run_once(system: &SpeedSystem, query: &str, text: &Path) -> Result<(Cost, String), EvalError> {
    let mut command = Command::new(&system.program);
    process::run(command.args(system.flags).arg(query).arg(text), "for rg: apt install ripgrep")
}

/// Words of the generated texts; the earlier in the list, the more often.
const GENERATED_WORDS: &str = "the of and a to in was he that it his her with as had she for on at by which have or from \
    this him but all they were not are one so said when there out up them then into your more old little \
    man could now like upon some time other about two has over before great after day where long down house \
    never much know again must way came hand good made eyes night might went own men such still here \
    through only place room under light door water face even three always last young off world thing street \
    town window morning river garden letter winter music table voice road paper story fire market \
    captain bridge island summer kitchen mountain village silver weather harbour";

/// Lines of words from a fixed seed, drawn so that the first words are common and the last rare, as in a language.
fn write_text(path: &Path, bytes: u64) -> Result<(), EvalError> {
    let failed = |error| EvalError::File { path: path.to_owned(), error };
    let words: Vec<&str> = GENERATED_WORDS.split_whitespace().collect();
    let mut out = BufWriter::new(File::create(path).map_err(failed)?);
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut written = 0;
    let mut column = 0;
    while written < bytes {
        // xorshift64*, whose upper bits are good enough to pick words with.
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        let unit = (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64;
        let word = words[(unit * unit * unit * words.len() as f64) as usize];
        let end = if column > 70 { "\n" } else { " " };
        column = if end == "\n" { 0 } else { column + word.len() + 1 };
        write!(out, "{word}{end}").map_err(failed)?;
        written += word.len() as u64 + 1;
    }
    writeln!(out).and_then(|()| out.flush()).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_texts_are_the_same_each_time_and_hold_both_words() {
        let folder = tempfile::tempdir().unwrap();
        let text = |name: &str| {
            let path = folder.path().join(name);
            write_text(&path, 200_000).unwrap();
            std::fs::read_to_string(path).unwrap()
        };
        let first = text("a");
        assert_eq!(first, text("b"));
        let lines_with = |word: &str| first.lines().filter(|line| line.split(' ').any(|w| w == word)).count();
        assert!(lines_with("harbour") > 5);
        assert!(lines_with("the") > 10 * lines_with("harbour"));
    }
}
