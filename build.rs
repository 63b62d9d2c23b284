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

/// Returns the directory of the static library of the C compiler that walks the stack, if it is installed.
fn unwinder() -> Option<PathBuf> {
    let output = Command::new("cc").arg("-print-file-name=libgcc_eh.a").output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    path.is_file().then(|| path.parent().map(PathBuf::from))?
}
