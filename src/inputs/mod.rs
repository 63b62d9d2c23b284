//! Inputs of commands: texts for translate and write, and files of glossaries and spoken terms.
//!
//! Input: arguments, `-i` files and stdin. Output: a source for the pipeline, or files, each with its language or language pair.
//! Used by translate, write, doc, langs detect, and the commands for files of glossaries, spoken terms and style rules. The crate
//! `tulk-formats` cuts a file into texts.

pub mod directories;
pub mod keyed_files;
pub mod structure;
pub mod texts;
pub mod wildcards;
