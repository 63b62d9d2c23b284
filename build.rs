//! Links the program for Linux at a fixed address.
//!
//! At a random address the dynamic linker has to write 24,000 pointers before `main`: a fifth of the processor time of
//! `--version` and 440 KiB of private memory. Stack, heap and libraries stay at random addresses. `TULK_PIE=1` at build time
//! keeps the usual form.

#![allow(clippy::print_stdout)] // Cargo reads it

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=TULK_PIE");
    let is = |variable: &str, value: &str| std::env::var(variable).is_ok_and(|found| found == value);
    let is_static = std::env::var("CARGO_CFG_TARGET_FEATURE").is_ok_and(|found| found.contains("crt-static"));
    let fixed = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && is("PROFILE", "release");
    if fixed && !is_static && !is("TULK_PIE", "1") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
