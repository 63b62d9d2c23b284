//! The library of `tulk`, a command line for a language service.

pub mod error;
pub mod limits;
#[cfg(feature = "sandbox")]
pub mod sandbox;
