//! Keeps the message catalogues of a repository complete.

pub mod compare;
pub mod digest;
pub mod journal;
pub mod lock;
pub mod moves;
pub mod state;
