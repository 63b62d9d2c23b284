#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| tulk::fuzzing::check("nul_entries", input));
