//! State that survives a crash: document handles, unfinished outputs, finished outputs of unfinished runs, cached results and
//! replies, names for completion.
//!
//! Input: records, results and rows of output. Output: files in the platform's directories, synced and locked. Files are written
//! with `tulk_base::files`; the commands define what the records mean.

pub mod cache_dir;
pub mod documents;
pub mod memory_jobs;
pub mod names;
pub mod part;
pub mod replies;
pub mod results;
pub mod runs;
