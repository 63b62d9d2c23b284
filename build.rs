//! Passes build target, profile and compiler to the program, for `--version --verbose`.
//!
//! `cargo run` and `cargo test` also set these variables for the programs that they start. So none of these variables may
//! have the name of a variable that tulk reads, such as `TULK_PROFILE`.

#![allow(clippy::print_stdout)] // cargo reads it

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let compiler = Command::new(variable("RUSTC")).arg("--version").output();
    let compiler = compiler.ok().and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    println!("cargo:rustc-env=BUILD_TARGET={}", variable("TARGET"));
    println!("cargo:rustc-env=BUILD_PROFILE={}", variable("PROFILE"));
    println!("cargo:rustc-env=BUILD_COMPILER={}", compiler.trim());
}
