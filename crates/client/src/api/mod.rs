//! The operations of the service as values: requests, replies and their rules, with one module per resource.
//!
//! Input: values from flags and files. Output: payloads and typed replies. Code in this module never sends or prints.

pub mod admin;
pub mod assets;
pub mod day;
pub mod doc;
pub mod glossary;
pub mod langs;
pub mod language_code;
pub mod language_names;
pub mod operations;
pub mod style;
pub mod tm;
pub mod translate;
pub mod usage;
pub mod voice;
pub mod write;
