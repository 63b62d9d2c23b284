//! Looks up the addresses of a host, with an error that can be told from others: an unknown host is not asked for again.

use std::{fmt, io};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tulk_base::error::io_message;

/// Resolver of connections: that of the system.
pub struct HostLookup;

/// A host whose addresses were not found.
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
            let addresses = tokio::net::lookup_host((name.as_str(), 0)).await.map_err(UnknownHost)?;
            Ok(Box::new(addresses.collect::<Vec<_>>().into_iter()) as Addrs)
        })
    }
}
