//! The fields of a form with files, as far as they are kept: values as text, files by name and size.

use memchr::memmem;
use serde_json::{Value, json};

/// Returns the fields of a body, in order. `is_cut` says that its end is missing, where the last field has no size.
pub(super) fn fields(content_type: &str, body: &[u8], is_cut: bool) -> Option<Value> {
    let boundary = format!("--{}", parameter(content_type, "boundary")?);
    let mut starts: Vec<usize> = memmem::find_iter(body, boundary.as_bytes()).collect();
    let end_is_missing = is_cut && !starts.is_empty();
    if end_is_missing {
        starts.push(body.len());
    }
    let last = starts.len().saturating_sub(2);
    let fields = starts.windows(2).enumerate().filter_map(|(n, ends)| {
        let part = body.get(ends.first()? + boundary.len()..*ends.last()?)?;
        field(part, end_is_missing && n == last)
    });
    Some(fields.collect())
}

/// Reads one field: headers, an empty line, a value.
fn field(part: &[u8], is_cut: bool) -> Option<Value> {
    let part = part.strip_prefix(b"\r\n")?;
    let head_end = memmem::find(part, b"\r\n\r\n")?;
    let (head, value) = part.split_at(head_end);
    let value = value.get(4..)?;
    let value = value.strip_suffix(b"\r\n").unwrap_or(value);
    let head = String::from_utf8_lossy(head);
    let disposition = head.lines().find(|line| line.to_ascii_lowercase().starts_with("content-disposition:"))?;
    let name = parameter(disposition, "name")?;
    let bytes = (!is_cut).then_some(value.len());
    if let Some(filename) = parameter(disposition, "filename") {
        return Some(json!({"name": name, "filename": filename, "bytes": bytes}));
    }
    match std::str::from_utf8(value) {
        Ok(text) => Some(json!({"name": name, "value": text})),
        Err(_) => Some(json!({"name": name, "bytes": bytes})),
    }
}

/// Returns a parameter of a header, with or without quotes.
fn parameter(header: &str, name: &str) -> Option<String> {
    header.split(';').skip(1).find_map(|part| {
        let (key, value) = part.split_once('=')?;
        let value = value.trim();
        let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
        key.trim().eq_ignore_ascii_case(name).then(|| value.to_owned())
    })
}
