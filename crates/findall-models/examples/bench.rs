//! Times the encoder in Rust and in Python's ONNX Runtime on the same int8 graph, in one run.
//!
//! ```text
//! cargo run --release -p findall-models --example bench -- [MODELS_DIR] [PYTHON]
//! ```
//! Rounds of the two alternate, so that a noisy machine is noisy for both; the least wall time and the least CPU time
//! of a round are kept. PYTHON (default `python3`) needs onnxruntime and numpy.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use findall_models::Models;
use findall_models::folder::Folder;
use findall_models::network::{Network, Sequence, streams};

const CASES: [(usize, usize, usize); 3] = [(1, 11, 40), (64, 30, 2), (16, 256, 1)];
const ALTERNATIONS: usize = 8;

#[expect(clippy::print_stdout, reason = "a program that prints its table")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let dir = match args.next() {
        Some(dir) => PathBuf::from(dir),
        None => Models::find()?.dir().to_owned(),
    };
    let python = args.next().unwrap_or_else(|| "python3".into());

    let (wall, cpu) = (Instant::now(), cpu_seconds());
    let folder = Folder::open(&dir.join("encoder"), "encoder")?;
    let network = Network::load(&folder, "encoder", &["vectors"], &[])?;
    let load = (wall.elapsed().as_secs_f64(), cpu_seconds() - cpu);

    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../training/bench_onnxruntime.py");
    let mut child = Command::new(&python)
        .arg(script)
        .arg(dir.join("encoder/model.onnx"))
        .arg(streams().to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut ask = child.stdin.take().ok_or("no stdin")?;
    let mut told = BufReader::new(child.stdout.take().ok_or("no stdout")?).lines();
    let mut answer = || -> Result<(f64, f64), Box<dyn std::error::Error>> {
        let line = told.next().ok_or("Python stopped: does it have onnxruntime and numpy?")??;
        let (wall, cpu) = line.split_once(' ').ok_or("unexpected answer from Python")?;
        Ok((wall.parse()?, cpu.parse()?))
    };
    let python_load = answer()?;
    println!("{} threads; wall ms, CPU ms; least of {ALTERNATIONS} alternations", streams());
    println!("{:>10}  {:>17}  {:>17}  {:>10}", "", "Rust", "ONNX Runtime", "ratio");
    print_case("load", load, python_load);
    for (batch, tokens, rounds) in CASES {
        let ids =
            |row: usize| (0..tokens).map(|i| 1000 + ((row * tokens + i) as i32 * 7919) % 20000).collect();
        let sequences: Vec<Sequence> =
            (0..batch).map(|row| Sequence { ids: ids(row), types: Vec::new() }).collect();
        let (mut ours, mut theirs) = ((f64::MAX, f64::MAX), (f64::MAX, f64::MAX));
        for _ in 0..ALTERNATIONS {
            let cpu = cpu_seconds();
            for _ in 0..rounds {
                let start = Instant::now();
                network.run(&sequences)?;
                ours.0 = ours.0.min(start.elapsed().as_secs_f64());
            }
            ours.1 = ours.1.min((cpu_seconds() - cpu) / rounds as f64);
            writeln!(ask, "{batch} {tokens} {rounds}")?;
            let (wall, cpu) = answer()?;
            theirs = (theirs.0.min(wall), theirs.1.min(cpu));
        }
        print_case(&format!("{batch} × {tokens}"), ours, theirs);
    }
    drop(ask);
    child.wait()?;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a program that prints its table")]
fn print_case(name: &str, ours: (f64, f64), theirs: (f64, f64)) {
    let show = |(wall, cpu): (f64, f64)| format!("{:8.2} {:8.2}", wall * 1e3, cpu * 1e3);
    let ratio = format!("{:.2} {:.2}", ours.0 / theirs.0, ours.1 / theirs.1);
    println!("{name:>10}  {:>17}  {:>17}  {ratio:>10}", show(ours), show(theirs));
}

/// CPU time of all threads so far, from the scheduler's own account (Linux); elsewhere wall time.
fn cpu_seconds() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let start = START.get_or_init(Instant::now);
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return start.elapsed().as_secs_f64() };
    let nanoseconds = |path: PathBuf| -> Option<f64> {
        std::fs::read_to_string(path.join("schedstat")).ok()?.split(' ').next()?.parse().ok()
    };
    threads.flatten().filter_map(|thread| nanoseconds(thread.path())).sum::<f64>() / 1e9
}
