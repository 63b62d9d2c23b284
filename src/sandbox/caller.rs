//! Who sends a request.

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
