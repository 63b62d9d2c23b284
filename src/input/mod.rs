//! What comes in: bytes of arguments, files and stdin, each with its origin.

pub mod audio;
pub mod dictionary;
pub mod source;
pub mod whole;
