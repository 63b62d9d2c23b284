//! Deliberate failures: at random, by script, or requested in a header.
//!
//! Input: rules as text, from the command line, the settings or the header `X-Tulk-Sandbox-Fault`. Output: a
//! [`FaultDecision`] for each request, which `middleware.rs` and the voice route apply.

mod effects;
mod injector;
mod rule;

pub use self::rule::{VoiceFault, VoiceFaultKind};
pub(super) use effects::{answer_instead, change_answer};
pub(super) use injector::{DocumentFaults, FaultDecision, FaultInjector, hash_of};
pub use rule::{FaultKind, FaultRule};
