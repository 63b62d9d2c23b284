//! The service as data: requests, replies, paths. No I/O; one file per resource.

pub mod admin;
pub mod assets;
pub mod day;
pub mod doc;
pub mod glossary;
pub mod langs;
pub mod language_code;
pub mod operations;
pub mod style;
pub mod tm;
pub mod translate;
pub mod usage;
pub mod voice;
pub mod write;
