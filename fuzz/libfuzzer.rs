//! `cargo fuzz run any`: gives inputs to the target that `TULK_FUZZ_TARGET` names.

#![no_main]

use std::sync::LazyLock;

static TARGET: LazyLock<String> = LazyLock::new(|| {
    let name = std::env::var("TULK_FUZZ_TARGET").unwrap_or_default();
    let names: Vec<&str> = tulk_fuzz::targets().map(|target| target.name).collect();
    assert!(names.contains(&name.as_str()), "TULK_FUZZ_TARGET has to be one of {}", names.join(", "));
    name
});

libfuzzer_sys::fuzz_target!(|input: &[u8]| tulk_fuzz::check(&TARGET, input));
