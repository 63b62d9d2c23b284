//! State that survives a crash: document handles, unfinished outputs, cached answers.
//!
//! In come records, answers and rows of output; out come files in the platform's directories, synced and locked.
//! How a file is written safely is the business of `files`; what the records mean is known to their commands.

pub mod cache;
pub mod documents;
pub mod part;
