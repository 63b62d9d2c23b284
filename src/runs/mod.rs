//! What runs over many texts or documents have in common: sending with progress, totals, the cache of results, and how they end.
//!
//! Input: the jobs of a command, and the reports of the pipeline. Output: results in the format that was chosen, statistics, and the
//! failure that the command ends with. Used by translate, write, doc and sync; `outputs` decides where results go.

pub mod client_call;
mod quota;
pub mod report;
pub mod result_cache;
pub mod result_form;
pub mod summary;
pub mod totals;
