//! Links the program for Linux at a fixed address, and with its own copy of the functions that walk the stack.
//!
//! At a random address the dynamic linker has to write 24,000 pointers before `main`: a fifth of the processor time of
//! `--version` and 440 KiB of private memory. Stack, heap and libraries stay at random addresses. `TULK_PIE=1` at build time
//! keeps the usual form. The functions that walk the stack are 20 KB; as a shared library they take 0.1 ms of each start.

#![allow(clippy::print_stdout)] // Cargo reads it

use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=TULK_PIE");
    let is = |variable: &str, value: &str| std::env::var(variable).is_ok_and(|found| found == value);
    let is_static = std::env::var("CARGO_CFG_TARGET_FEATURE").is_ok_and(|found| found.contains("crt-static"));
    describe_build();
    let fixed = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && is("PROFILE", "release");
    if fixed && !is_static && !is("TULK_PIE", "1") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
    let is_native = std::env::var("HOST").ok() == std::env::var("TARGET").ok();
    if fixed
        && !is_static
        && is_native
        && let Some(directory) = unwinder()
    {
        println!("cargo:rustc-link-search=native={}", directory.display());
        println!("cargo:rustc-link-lib=static:-bundle=gcc_eh");
    }
}

/// Passes on what `--version --verbose` prints. `cargo run` and `cargo test` also set these variables for the programs that they
/// start, so none has a name that tulk reads, such as `TULK_PROFILE`.
fn describe_build() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let compiler = Command::new(variable("RUSTC")).arg("--version").output();
    let compiler = compiler.ok().and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    println!("cargo:rustc-env=BUILD_TARGET={}", variable("TARGET"));
    println!("cargo:rustc-env=BUILD_PROFILE={}", variable("PROFILE"));
    println!("cargo:rustc-env=BUILD_COMPILER={}", compiler.trim());
}

/// Returns the directory of the static library of the C compiler that walks the stack, if it is installed.
fn unwinder() -> Option<PathBuf> {
    let output = Command::new("cc").arg("-print-file-name=libgcc_eh.a").output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    path.is_file().then(|| path.parent().map(PathBuf::from))?
}
