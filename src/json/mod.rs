//! The ground floor for JSON text: kept as received, escaped, indented, edited by field.
//!
//! In comes JSON text or text for a JSON string; out comes JSON whose untouched parts have the same bytes as before.
//! Requests and replies are typed in `api`; nothing here knows what the JSON means.

mod escape;
mod kept;
mod layout;
mod object;

pub use self::escape::{controls_terminal, escape_into, escaped_len};
pub use self::kept::Kept;
pub use self::layout::{compact, escape_controls, indent};
pub use self::object::JsonObject;
