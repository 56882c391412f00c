//! All targets in one program: FINDALL_FUZZ_TARGET names the one to run, the arguments are libFuzzer's.
#![no_main]

use std::sync::LazyLock;

use findall_fuzz::targets;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("FINDALL_FUZZ_TARGET").unwrap_or_default();
    let known = || targets::ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" ");
    match targets::ALL.iter().find(|(known, _)| *known == name) {
        Some((_, run)) => *run,
        None => panic!("FINDALL_FUZZ_TARGET is one of: {}", known()),
    }
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| TARGET(bytes));
