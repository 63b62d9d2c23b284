//! `tulk sync`: the catalogues of a project, complete in all its languages.
//!
//! Input: `tulk.toml`, the files that it names, and `tulk.lock`. Output: what there is to do, and after a run the targets and the
//! lock. It knows units and their states, but no format: those are in `tulk-catalogs`.
//!
//! | part | what it does |
//! |---|---|
//! | `project` | reads `tulk.toml` and finds the files |
//! | `layouts` | recognizes the layouts of common frameworks, for `tulk sync init` |
//! | `load` | reads a catalogue file |
//! | `digest`, `lock` | what each target was made from, and by whom |
//! | `compare`, `state` | the state of each unit: missing, stale, a person's |
//! | `rules` | what a translation must keep of its source |
//! | `moves` | keys that were renamed |
//! | `plan` | all of it for a whole project, in parallel |
//! | `work`, `run` | sentences that are sent once for all files; requests, results, targets, lock |
//! | `exchange` | texts for translators, and their translations |
//! | `apply` | results become edits of a target |
//! | `journal` | what a killed run has paid for |
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
