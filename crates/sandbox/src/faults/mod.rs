//! Deliberate failures: at random, a number of times, or requested in a header.
//!
//! Input: rules as text, from the command line, the settings, the options of a session or the header
//! `X-Tulk-Sandbox-Fault`. Output: a [`FaultDecision`] for each request, which `middleware.rs` applies. The routes of
//! documents and jobs apply document errors, and the voice route applies voice faults.

mod effects;
mod injector;
mod rule;

pub use self::rule::{VoiceFault, VoiceFaultKind};
pub(super) use effects::{answer_instead, change_answer};
pub(super) use injector::{DocumentFaults, FaultDecision, FaultInjector, hash_of};
pub use rule::{FaultKind, FaultRule};
