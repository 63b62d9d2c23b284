//! Deliberate failures: at random, by script, or because one request asks for them in a header.
//!
//! Rules come in as text, from the command line, the settings and the header `X-Tulk-Sandbox-Fault` alike. What goes
//! out is a [`FaultDecision`] for each request; `middleware.rs` and the voice route carry it out.

mod injector;
mod rule;
mod voice;

pub(super) use injector::{FaultDecision, FaultInjector, hash_of};
pub use rule::{FaultKind, FaultRule};
pub use voice::{VoiceFault, VoiceFaultKind};
