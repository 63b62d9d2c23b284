//! Tests of the sandbox over HTTP. They expect literal JSON, so that a field name that is misspelled both in the client
//! and in the sandbox is noticed.
//!
//! Each file covers one resource or one feature of the server; `server.rs` starts the sandbox to which the tests send
//! requests, and `raw.rs` sends raw bytes. These tests cover requests that the commands never send; `tests/cli` covers the rest.

mod admin;
mod connections;
mod control;
mod detect;
mod documents;
mod faults;
mod glossary;
mod hostile;
mod hostile_generated;
mod languages;
mod memories;
mod middleware;
mod phrases;
mod profile_parts;
mod quality;
mod raw;
mod seed;
mod server;
mod session_options;
mod sessions;
mod strict;
mod style;
mod style_profiles;
mod translate;
mod usage;
mod voice_jobs;
mod voice_terms;
mod wording;
