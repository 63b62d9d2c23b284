//! What comes in: bytes of arguments, files and stdin, each with its origin.

pub mod dictionary;
pub mod source;
