//! Argv in, exit code out.

fn main() {}
