//! Entry point of `cargo fuzz run any`. Passes each input to the target named in `TULK_FUZZ_TARGET`.

#![no_main]

use std::sync::LazyLock;

static TARGET: LazyLock<String> = LazyLock::new(|| {
    let name = std::env::var("TULK_FUZZ_TARGET").unwrap_or_default();
    let names: Vec<&str> = tulk_fuzz::targets().map(|target| target.name).collect();
    assert!(names.contains(&name.as_str()), "TULK_FUZZ_TARGET must be one of {}", names.join(", "));
    name
});

libfuzzer_sys::fuzz_target!(|input: &[u8]| tulk_fuzz::check(&TARGET, input));
