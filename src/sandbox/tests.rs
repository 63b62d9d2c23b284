//! The sandbox over HTTP, against literal JSON: a misspelt field must not pass on both sides.

mod bench;
mod faults;
mod gate;
mod glossary;
mod languages;
mod translate;
mod usage;
