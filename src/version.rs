//! Version and build of the program: target, features, TLS.

use std::fmt::Write as _;

pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Version and month of the service's public contract that the program implements.
const CONTRACT: &str = "3.13 (November 2026)";

/// Build target, such as `x86_64-unknown-linux-gnu`.
const TARGET: &str = env!("BUILD_TARGET");

/// Library that encrypts connections, and the certificates that it trusts.
const TLS: &str = if cfg!(any(windows, target_vendor = "apple")) {
    "rustls with ring; the system verifies certificates"
} else {
    "rustls with ring; root certificates from the files of the system"
};

pub fn line() -> String {
    format!("{VERSION} for {TARGET}")
}

/// Returns the output of `--version --verbose`, for bug reports.
pub fn details() -> String {
    let build = [
        ("target", TARGET),
        ("profile", env!("BUILD_PROFILE")),
        ("compiler", env!("BUILD_COMPILER")),
        ("features", if cfg!(feature = "sandbox") { "sandbox" } else { "none" }),
        ("TLS", TLS),
        ("service API", CONTRACT),
    ];
    let mut text = format!("tulk {VERSION}\n");
    for (name, value) in build {
        let _ = writeln!(text, "{name}: {value}");
    }
    text
}
