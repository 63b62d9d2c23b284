//! User input: texts, audio, glossary files, spoken terms and TMX files.
//!
//! Input: arguments, paths and stdin. Output: decoded bytes, audio chunks and entries, each with its origin for
//! messages. Requests are built elsewhere.

pub mod audio;
pub mod dictionary;
pub mod problem;
pub mod source;
pub mod term_list;
pub mod tmx;
pub mod whole;
