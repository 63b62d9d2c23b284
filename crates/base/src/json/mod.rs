//! Handles JSON as text, so that it keeps its notation: stores it as received, escapes it, indents it, or replaces single fields.
//!
//! Input: JSON text or text for a JSON string. Output: JSON whose untouched parts have the same bytes as before.
//! This module does not know what the JSON means; `tulk-client` defines requests and replies.

mod text;
mod with_raw;

pub use self::text::{compact, escape_controls, escape_into, escaped_len, indent, is_terminal_control};
pub use self::with_raw::{JsonObject, StrictObject, WithRaw};
