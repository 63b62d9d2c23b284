//! Shared parts of runs over many texts or documents: sending with progress, totals, the cache of results, and the final failure.
//!
//! Input: the jobs of a command, and the reports of the pipeline. Output: results in the chosen format, statistics, and the
//! failure with which the command ends. Used by translate, write, doc, sync and voice stream; plans of glossaries, spoken terms and style
//! rules use only `report`. `outputs` decides where results go.

pub mod client_call;
mod quota;
pub mod report;
pub mod result_cache;
pub mod result_form;
pub mod summary;
pub mod totals;
