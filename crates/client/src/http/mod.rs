//! HTTP: requests as values, and the client that sends them.
//!
//! Input: operations ([`endpoint::Endpoint`]) or plain requests ([`request::Request`]). Output: replies
//! ([`reply::Reply`]), untyped answers ([`answer::Answer`]), or a [`tulk_base::error::Failure`] that says what to do next.

pub mod answer;
pub mod answer_size;
pub mod client;
pub mod encoding;
pub mod endpoint;
pub mod failures;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
pub mod options;
pub mod pages;
pub mod path;
pub mod proxy;
pub mod redact;
pub mod reply;
pub mod request;
pub mod retry;
pub mod storage;
pub mod websocket;

mod attempt_timer;
mod describe;
mod file_blocks;
mod host_lookup;
mod network_error;
mod root_certificates;
mod throttle;
mod tls;
mod transport;

pub use self::root_certificates::trusted_roots;
pub use self::tls::certificates as ca_certificates;
