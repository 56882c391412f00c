//! One run of a program: a command in, what it printed and what it cost out; and where the program to measure lies.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use wait4::Wait4;

use crate::EvalError;

/// What a run cost.
#[derive(Clone, Copy)]
pub struct Cost {
    /// Seconds on the clock.
    pub wall_s: f64,
    /// Seconds of all cores.
    pub cpu_s: f64,
    /// Most memory it ever held, in millions of bytes.
    pub memory_mb: f64,
}

/// The findall program to measure: the one that was named, or the one beside this program.
pub fn findall_program(named: Option<&Path>) -> Result<PathBuf, EvalError> {
    if let Some(program) = named {
        return Ok(program.to_owned());
    }
    let beside = std::env::current_exe()?.with_file_name(format!("findall{}", std::env::consts::EXE_SUFFIX));
    if beside.is_file() {
        return Ok(beside);
    }
    let message = "is not there; build it beside this program: cargo build --release --bin findall";
    Err(EvalError::Program { program: beside.display().to_string(), message: message.into() })
}

/// Runs a command that prints little (it must fit into a pipe). `hint` is said when it cannot be started.
pub fn run(command: &mut Command, hint: &str) -> Result<(Cost, String), EvalError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |message: String| EvalError::Program { program: program.clone(), message };
    let started = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(format!("{error}; {hint}")))?;
    // What it prints fits into the pipe, so waiting before reading cannot block the child.
    let ended = child.wait4().map_err(|error| failed(error.to_string()))?;
    let wall_s = started.elapsed().as_secs_f64();
    if !ended.status.success() {
        return Err(failed(format!("ended with {}", ended.status)));
    }
    let mut printed = String::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_string(&mut printed)?;
    }
    let cost = Cost {
        wall_s,
        cpu_s: (ended.rusage.utime + ended.rusage.stime).as_secs_f64(),
        memory_mb: ended.rusage.maxrss as f64 / 1e6,
    };
    Ok((cost, printed.trim().to_owned()))
}
