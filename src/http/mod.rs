//! Talking to the service: requests as values, one client that sends them, one retry policy.

pub mod attempt;
pub mod client;
pub mod endpoint;
pub mod failures;
pub mod pace;
pub mod plan;
pub mod redact;
pub mod reply;
pub mod request;
pub mod retry;
pub mod tls;
pub mod transfer;
pub mod websocket;
