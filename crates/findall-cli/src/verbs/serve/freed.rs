//! Gives freed memory back to the system. The C library's allocator takes large pieces from the system one by one and gives
//! them back when they are freed, but learns from the first large one to keep them, and after a burst of large requests a
//! server stays large for good. Thresholds that are fixed are not learned; they are read from the environment when a
//! program begins, so a server begins twice.

/// From how many bytes on a piece of memory is taken from the system, and given back, by itself.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const THRESHOLD: (&str, &str) = ("MALLOC_MMAP_THRESHOLD_", "1048576");

/// Begins this program again in its own process with a fixed threshold, unless one was set from outside. Where that cannot
/// be done, memory that was freed is kept for later, which is no error.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn give_back_freed_memory() {
    use std::os::unix::process::CommandExt;
    let (name, bytes) = THRESHOLD;
    let Ok(program) = std::env::current_exe() else { return };
    if std::env::var_os(name).is_some() {
        return;
    }
    let mut words = std::env::args_os();
    let mut again = std::process::Command::new(program);
    again.arg0(words.next().unwrap_or_default()).args(words).env(name, bytes);
    // Comes back only when it failed.
    let _ = again.exec();
}

/// Other allocators give back by themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_back_freed_memory() {}
