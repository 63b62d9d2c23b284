//! Talking to the service: requests as values, one client that sends them, one retry policy.

pub mod endpoint;
pub mod reply;
pub mod request;
