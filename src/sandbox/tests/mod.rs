//! The sandbox over HTTP, against literal JSON: a misspelt field must not pass on both sides.

mod admin;
mod faults;
mod glossary;
mod languages;
mod middleware;
mod server;
mod translate;
mod usage;
