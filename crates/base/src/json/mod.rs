//! JSON text that keeps its notation: kept as received, escaped, indented, edited by field.
//!
//! Input: JSON text or text for a JSON string. Output: JSON whose untouched parts have the same bytes as before.
//! This module does not know what the JSON means; `tulk-client` defines requests and replies.

mod kept;
mod text;

pub use self::kept::{JsonObject, Kept, StrictObject};
pub use self::text::{compact, controls_terminal, escape_controls, escape_into, escaped_len, indent};
