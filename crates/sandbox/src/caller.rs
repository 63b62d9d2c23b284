//! Who sends a request.

use std::net::SocketAddr;

/// A user whose key was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The key itself.
    pub key: String,
    /// Whether the key may be used for administration.
    pub admin: bool,
    /// Whether the key was created by an administrator, and so may have limits of its own.
    pub developer: bool,
}

/// An administrator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admin(pub Caller);

/// Request extension: the address at the other end of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerAddress(pub SocketAddr);

/// Request extension: the address at this end of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnAddress(pub SocketAddr);
