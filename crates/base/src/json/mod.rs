//! JSON text that keeps its spelling: kept as received, escaped, indented, edited by field.
//!
//! Input: JSON text or text for a JSON string. Output: JSON whose untouched parts have the same bytes as before.
//! Requests and replies are typed in `tulk-client`; nothing here knows what the JSON means.

mod kept;
mod text;

pub use self::kept::{JsonObject, Kept, StrictObject};
pub use self::text::{compact, controls_terminal, escape_controls, escape_into, escaped_len, indent};
