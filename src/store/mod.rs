//! TBD.

pub mod part;
