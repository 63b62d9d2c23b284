//! The reporting tag: a request header under which the characters are counted. See docs/service.md, "Text translation".

use axum::http::HeaderMap;

use crate::reply::Refusal;

const HEADERS: [&str; 2] = ["x-service-reporting-tag", "x-deepl-reporting-tag"];
/// Maximum length of a tag, in characters.
const CHARS_MAX: usize = 100;

/// Returns the tag in lower case.
///
/// 400 if there are several, or if the tag is too long, not ASCII, or contains white space.
pub(in crate::routes) fn read(headers: &HeaderMap) -> Result<Option<String>, Refusal> {
    let mut tags = HEADERS.iter().flat_map(|name| headers.get_all(*name));
    let Some(value) = tags.next() else { return Ok(None) };
    if tags.next().is_some() {
        return Err(Refusal::bad("Only one reporting tag can be given."));
    }
    let tag = value.as_bytes().trim_ascii();
    if tag.is_empty() {
        return Ok(None);
    }
    if !tag.iter().all(u8::is_ascii_graphic) {
        return Err(Refusal::bad("A reporting tag consists of ASCII characters without white space."));
    }
    if tag.len() > CHARS_MAX {
        return Err(Refusal::bad(format!("A reporting tag has at most {CHARS_MAX} characters.")));
    }
    Ok(Some(String::from_utf8_lossy(tag).to_ascii_lowercase()))
}
