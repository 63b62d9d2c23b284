//! JSON text that keeps its spelling: kept as received, escaped, indented, edited by field.
//!
//! Input: JSON text or text for a JSON string. Output: JSON whose untouched parts have the same bytes as before.
//! Requests and replies are typed in `api`; nothing here knows what the JSON means.

mod escape;
mod kept;
mod layout;
mod object;
mod strict;

pub use self::escape::{controls_terminal, escape_into, escaped_len};
pub use self::kept::Kept;
pub use self::layout::{compact, escape_controls, indent};
pub use self::object::JsonObject;
pub use self::strict::StrictObject;
