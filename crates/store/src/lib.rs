//! State that survives a crash: records of documents and of memory jobs, unfinished outputs, finished outputs of unfinished runs,
//! cached results and replies, names for completion.
//!
//! Input: records, results and rows of output. Output: files in the platform's directories, and parts next to unfinished outputs.
//! The commands define what the records mean.

pub mod cache_dir;
pub mod documents;
pub mod memory_jobs;
pub mod names;
pub mod part;
pub mod replies;
pub mod results;
pub mod runs;
