//! What the user gives to commands: texts, audio and glossary files.
//!
//! In come arguments, paths and stdin; out come decoded bytes, audio chunks and entries, each with its origin for messages.
//! Nothing here knows of requests.

pub mod audio;
pub mod dictionary;
pub mod source;
pub mod whole;
