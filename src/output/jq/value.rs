//! Converts JSON text to values and back.

use jaq_json::{Num, Val, read};

use tulk_base::json;

/// Maximum nesting of arrays and objects. Reading and writing need stack for each level.
const MAX_DEPTH: usize = 512;

/// Below this magnitude, a float without a fraction is written as an integer: 3, not 3.0.
const EXACT_FLOAT: f64 = 1e17;

/// Parses a JSON text. Keeps the notation of numbers and the order of fields. The error is a phrase without a subject, such as
/// "is not JSON".
pub fn parse(text: &str) -> Result<Val, String> {
    if depth(text) > MAX_DEPTH {
        return Err(format!("has more than {MAX_DEPTH} levels"));
    }
    // `parse_single` also accepts text that is not JSON, such as comments.
    serde_json::from_str::<serde::de::IgnoredAny>(text).map_err(|_| "is not JSON".to_owned())?;
    read::parse_single(text.as_bytes()).map_err(|error| format!("is not JSON: {error}"))
}

fn depth(text: &str) -> usize {
    let (mut depth, mut max) = (0usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => {
                depth += 1;
                max = max.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    max
}

/// Returns a value as compact JSON. As in jq, NaN becomes `null`, and infinity becomes the largest number.
pub fn to_json(value: &Val) -> String {
    let mut text = Vec::new();
    push(&mut text, value);
    String::from_utf8(text).unwrap_or_default()
}

fn push(text: &mut Vec<u8>, value: &Val) {
    match value {
        Val::Null => text.extend(b"null"),
        Val::Bool(true) => text.extend(b"true"),
        Val::Bool(false) => text.extend(b"false"),
        Val::Num(Num::Float(number)) if number.is_nan() => text.extend(b"null"),
        Val::Num(Num::Float(number)) if number.is_infinite() => {
            text.extend(if *number > 0.0 { "1.7976931348623157e308" } else { "-1.7976931348623157e308" }.bytes());
        }
        Val::Num(Num::Float(number)) if number.fract() == 0.0 && number.abs() < EXACT_FLOAT => {
            text.extend(format!("{number:.0}").bytes());
        }
        Val::Num(number) => push_number(text, &number.to_string()),
        Val::BStr(bytes) | Val::TStr(bytes) => push_string(text, bytes),
        Val::Arr(items) => {
            text.push(b'[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    text.push(b',');
                }
                push(text, item);
            }
            text.push(b']');
        }
        Val::Obj(fields) => {
            text.push(b'{');
            for (i, (name, value)) in fields.iter().enumerate() {
                if i > 0 {
                    text.push(b',');
                }
                match name {
                    Val::BStr(bytes) | Val::TStr(bytes) => push_string(text, bytes),
                    other => push_string(text, to_json(other).as_bytes()),
                }
                text.push(b':');
                push(text, value);
            }
            text.push(b'}');
        }
    }
}

/// Writes a number in its notation, but without leading zeros: an expression may contain `05e2`, which JSON does not allow.
fn push_number(text: &mut Vec<u8>, number: &str) {
    let digits = number.strip_prefix('-').unwrap_or(number);
    if digits.len() < number.len() {
        text.push(b'-');
    }
    let zeros = digits.bytes().take_while(|byte| *byte == b'0').count();
    let is_needed = !digits.as_bytes().get(zeros).is_some_and(u8::is_ascii_digit);
    text.extend(digits.bytes().skip(zeros - usize::from(is_needed && zeros > 0)));
}

fn push_string(text: &mut Vec<u8>, bytes: &[u8]) {
    text.push(b'"');
    json::escape_into(text, String::from_utf8_lossy(bytes).as_bytes());
    text.push(b'"');
}
