//! Reports of checks, plans and lists: problems of files, the steps of a plan, and the first rows of a list.
//!
//! Input: what a command found or plans to do. Output: rows, annotations or lines, and a failure if a check found something. Used by
//! the commands that manage glossaries, spoken terms, style rule lists and other resources.

pub mod list_limit;
pub mod plan;
pub mod problems;
