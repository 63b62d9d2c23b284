//! From a name or an ID to an ID. What has the form of an ID is used as it is.

pub use crate::commands::style::named::style;
pub use crate::commands::tm::named::memory;
use crate::context::Context;
use crate::error::Failure;

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.char_indices().all(|(i, c)| if [8, 13, 18, 23].contains(&i) { c == '-' } else { c.is_ascii_hexdigit() })
}

fn id(kind: &str, text: &str) -> Result<String, Failure> {
    if is_uuid(text) { Ok(text.to_owned()) } else { Err(Failure::usage(format!("`{text}` is no {kind} ID"))) }
}

/// A glossary.
#[allow(clippy::unused_async)]
pub async fn glossary(_: &Context, text: &str) -> Result<String, Failure> {
    id("glossary", text)
}
