//! `tulk sync`: the catalogues of a project, in all its languages.
//!
//! Input: `tulk.toml` and the files that it names. Output: the languages, options and files of a project, and for
//! `tulk sync init` a `tulk.toml` for the layout that a framework uses. Nothing here sends anything.
//!
//! | directory | what it does |
//! |---|---|
//! | `project` | reads `tulk.toml` and finds the files |
//! | `layouts` | recognizes the layouts of common frameworks |

mod layouts;
mod project;
