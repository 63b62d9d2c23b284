//! What commands read: texts of translate and write, and the files of glossaries and spoken terms.
//!
//! Input: arguments, `-i` files and stdin. Output: a source for the pipeline, or files with the language or language pair that each
//! is for. Used by every command that reads texts or files; how a file is cut into texts is in the crate `tulk-formats`.

pub mod directories;
pub mod keyed_files;
pub mod structure;
pub mod texts;
