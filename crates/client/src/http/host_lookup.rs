//! Resolves host names, with a separate error for an unknown host. That error is retried only if the host has answered before. Other
//! failures are retried, such as a network that is not up yet.

use std::{fmt, io};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tulk_base::error::io_message;

pub struct HostLookup;

#[derive(Debug)]
pub struct UnknownHost(io::Error);

impl fmt::Display for UnknownHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&io_message(&self.0))
    }
}

impl std::error::Error for UnknownHost {}

impl Resolve for HostLookup {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            match tokio::net::lookup_host((name.as_str(), 0)).await {
                Ok(addresses) => Ok(Box::new(addresses.collect::<Vec<_>>().into_iter()) as Addrs),
                Err(error) if has_no_addresses(&error) => Err(UnknownHost(error).into()),
                Err(error) => Err(error.into()),
            }
        })
    }
}

/// Texts of glibc, musl, macOS and BSD for a name without addresses. They are not translated.
const NO_ADDRESS_MESSAGES: [&str; 5] = [
    "Name or service not known",
    "No address associated with ",
    "Name does not resolve",
    "Name has no usable address",
    "nor servname provided, or not known",
];

/// Windows error codes for a name without addresses: `WSAHOST_NOT_FOUND` and `WSANO_DATA`.
const NO_ADDRESS_CODES_WINDOWS: [i32; 2] = [11001, 11004];

/// Returns whether an error means that the host has no addresses. Except on Windows, the standard library keeps only the text of the
/// error code.
fn has_no_addresses(error: &io::Error) -> bool {
    if cfg!(windows) {
        return error.raw_os_error().is_some_and(|code| NO_ADDRESS_CODES_WINDOWS.contains(&code));
    }
    let text = error.to_string();
    NO_ADDRESS_MESSAGES.iter().any(|words| text.contains(words))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_a_host_without_addresses_is_unknown() {
        let error = |words: &str| io::Error::other(format!("failed to lookup address information: {words}"));
        for words in ["Name or service not known", "No address associated with hostname", "Name does not resolve"] {
            assert!(has_no_addresses(&error(words)), "{words}");
        }
        for words in ["Temporary failure in name resolution", "Try again", "Non-recoverable failure in name resolution"]
        {
            assert!(!has_no_addresses(&error(words)), "{words}");
        }
        assert!(!has_no_addresses(&io::Error::from_raw_os_error(24)));
    }
}
