//! Client of the translation service: its operations as values, and the HTTP code that sends them.
//!
//! A request is a value of [`api`]. [`http`] sends it, retries it where that is safe, and returns a typed reply or a failure that says
//! what to do next. This crate never prints. Its callers pass the address of the service and a function that looks up keys.

pub mod api;
mod concurrency;
mod defaulted;
mod extra_fields;
pub mod http;
mod key;
mod open_value;
mod service;

pub use self::concurrency::Concurrency;
pub use self::defaulted::{Defaulted, DefaultedParser, NONE, OptionalFlag};
pub use self::extra_fields::ExtraFields;
pub use self::key::{ApiKey, KeyKind};
pub use self::open_value::{OpenSet, OpenValue, OpenValueParser};
pub use self::service::{SANDBOX_NAME, Service, is_loopback};
