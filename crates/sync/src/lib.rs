//! `tulk sync` keeps the message catalogues of a project complete in all its languages.
//!
//! Input: `tulk.toml`, the files it names, and `tulk.lock`. Output: a plan of the work and, after a run, updated
//! targets and lock. This crate works on units and their states; file formats are in `tulk-catalogs`.
//!
//! | part | contents |
//! |---|---|
//! | `project` | reads `tulk.toml` and finds the files |
//! | `layouts` | recognizes common frameworks, for `tulk sync init` |
//! | `load` | reads a catalogue file |
//! | `digest`, `lock` | the source and author of each target |
//! | `compare`, `state` | the state of each unit: missing, stale, edited by a person |
//! | `rules` | what a translation must keep of its source |
//! | `moves` | renamed keys |
//! | `plan` | the work for a complete project, computed in parallel |
//! | `work`, `run` | deduplicated texts; requests, results, targets, lock |
//! | `exchange` | export of texts for translators, and import |
//! | `apply` | edits of a target file |
//! | `journal` | paid answers of interrupted runs |
//! | `parallel` | work on all processors |

pub mod apply;
pub mod compare;
pub mod digest;
pub mod exchange;
pub mod journal;
pub mod layouts;
pub mod load;
pub mod lock;
pub mod moves;
pub mod parallel;
pub mod plan;
pub mod project;
mod rules;
pub mod run;
pub mod state;
pub mod work;
