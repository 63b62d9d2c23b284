//! Where results are written: templates of paths, and the check that no result lands on an input or on another result.
//!
//! Input: the value of `-o` or `--out-dir` and the names of an input. Output: paths, or a failure before anything is
//! sent. Nothing here opens a file. Shared by translate, write, doc, voice and the commands that export files.

mod collisions;
mod template;

pub use self::collisions::OutputCollisions;
pub use self::template::{OutputTemplate, Placeholder};
