//! The wrong answers of `wrong_answers.rs`: malformed bodies, and statuses and headers that no service sends.

use serde_json::Value;

use crate::common::scripted::answer;

pub struct WrongAnswer {
    pub name: String,
    pub bytes: Vec<u8>,
    /// Whether a command may accept the answer because it does not use the part that is wrong.
    pub may_be_accepted: bool,
    /// The exit codes with which a command may refuse the answer.
    pub codes: &'static [i32],
    /// `--retries` of the command: `0`, except where the wait itself is wrong.
    pub retries: &'static str,
}

const UNUSABLE: &[i32] = &[8];

fn wrong(name: impl Into<String>, bytes: Vec<u8>) -> WrongAnswer {
    WrongAnswer { name: name.into(), bytes, may_be_accepted: false, codes: UNUSABLE, retries: "0" }
}

fn odd(name: impl Into<String>, body: impl AsRef<[u8]>) -> WrongAnswer {
    WrongAnswer { may_be_accepted: true, codes: &[1, 2, 4, 5, 7, 8, 9, 10], ..wrong(name, answer(200, &[], body)) }
}

/// Bodies that are wrong for every request.
pub fn bodies() -> Vec<WrongAnswer> {
    let deep = 100_000;
    let mut all = Vec::new();
    for (name, body) in [
        ("an empty body", Vec::new()),
        ("null", b"null".to_vec()),
        ("a string", b"\"text\"".to_vec()),
        ("a number", b"42".to_vec()),
        ("true", b"true".to_vec()),
        ("NaN", b"{\"character_count\":NaN}".to_vec()),
        ("a number beyond all", b"[1e999]".to_vec()),
        ("HTML", format!("<!DOCTYPE html><html><body>{}</body></html>", "<p>Sign in.</p>".repeat(5000)).into_bytes()),
        ("JSON that is cut off", b"{\"translations\":[{\"text\":\"Ha".to_vec()),
        ("deep lists", [vec![b'['; deep], vec![b']'; deep]].concat()),
        ("deep objects", format!("{}1{}", "{\"a\":".repeat(deep), "}".repeat(deep)).into_bytes()),
        ("invalid UTF-8", b"{\"message\":\"\xff\xfe\"}".to_vec()),
        ("a list of null", b"[null]".to_vec()),
        ("a list of numbers", b"[1,2,3]".to_vec()),
    ] {
        all.push(wrong(name, answer(200, &["content-type: application/json"], body)));
    }
    all.push(odd("an empty list", "[]"));
    all.push(odd("an empty object", "{}"));
    all.push(odd("a list of an empty object", "[{}]"));
    all.push(wrong("206 without a body", answer(206, &[], "")));
    all.push(wrong("204", answer(204, &[], "")));
    all
}

/// Statuses and headers that no service sends, and bytes that are not an HTTP response.
pub fn heads() -> Vec<WrongAnswer> {
    let mut all = Vec::new();
    for status in [101, 199, 302, 304, 600, 999] {
        all.push(wrong(format!("status {status}"), answer(status, &[], "")));
    }
    for after in ["9223372036854775807", "1e300", "Fri, 31 Dec 9999 23:59:59 GMT"] {
        let header = format!("retry-after: {after}");
        // The exit code is 7 if the request is never retried, otherwise 10, because the wait is too long.
        all.push(WrongAnswer { codes: &[7, 10], retries: "1", ..wrong(header.clone(), answer(429, &[&header], "")) });
    }
    let long = format!("x-long: {}", "x".repeat(1_000_000));
    all.push(wrong("a header of a megabyte", answer(200, &[&long], "{}")));
    let many: Vec<String> = (0..300).map(|n| format!("x-{n}: x")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    all.push(wrong("300 headers", answer(200, &many, "{}")));
    all.push(wrong("no HTTP", b"220 mail.example ESMTP\r\n\r\n".to_vec()));
    all.push(wrong("no answer", Vec::new()));
    let huge = format!(r#"{{"message":"{}"}}"#, "Long words. ".repeat(100_000));
    all.push(WrongAnswer {
        codes: &[5],
        ..wrong("a huge error", answer(400, &["content-type: application/json"], huge))
    });
    all
}

/// The right answer with one thing wrong: a field missing or of another type, other numbers, every key twice.
pub fn variants(right: &[u8]) -> Vec<WrongAnswer> {
    let Some(at) = right.windows(4).position(|bytes| bytes == b"\r\n\r\n") else { return Vec::new() };
    let Ok(body) = serde_json::from_slice::<Value>(&right[at + 4..]) else { return Vec::new() };
    let mut all = Vec::new();
    let mut paths = Vec::new();
    collect_paths(&body, &mut String::new(), &mut paths);
    for path in &paths {
        let mut changed = body.clone();
        if let Some(value) = changed.pointer_mut(path) {
            *value = other_type(value);
        }
        all.push(odd(format!("{path} of another type"), changed.to_string()));
        let mut changed = body.clone();
        let (parent, name) = path.rsplit_once('/').expect("a path begins with a slash");
        if let Some(Value::Object(fields)) = changed.pointer_mut(parent) {
            fields.remove(name);
            all.push(odd(format!("{path} is missing"), changed.to_string()));
        }
    }
    for number in ["-1", "1.5", "1e308", "18446744073709551616", "-9223372036854775809"] {
        let mut changed = body.clone();
        replace_numbers(&mut changed);
        let text = changed.to_string();
        if text.contains(NUMBER_MARKER) {
            all.push(odd(format!("numbers are {number}"), text.replace(NUMBER_MARKER, number)));
        }
    }
    if let Some(fields) = body.to_string().strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
        all.push(odd("duplicate keys", format!("{{{fields},{fields}}}")));
    }
    all
}

/// Placeholder for a number, replaced in the serialized text.
const NUMBER_MARKER: &str = "\"<number>\"";

fn replace_numbers(value: &mut Value) {
    match value {
        Value::Number(_) => *value = Value::String("<number>".to_owned()),
        Value::Array(items) => items.iter_mut().for_each(replace_numbers),
        Value::Object(fields) => fields.values_mut().for_each(replace_numbers),
        _ => {}
    }
}

/// Collects pointers to all fields; of lists, only those of the first element.
fn collect_paths(value: &Value, path: &mut String, paths: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.first().map(|item| ("0".to_owned(), item)).into_iter().collect(),
        _ => Vec::new(),
    };
    for (name, child) in children {
        let length = path.len();
        path.push('/');
        path.push_str(&name);
        paths.push(path.clone());
        collect_paths(child, path, paths);
        path.truncate(length);
    }
}

fn other_type(value: &Value) -> Value {
    match value {
        Value::String(_) => Value::from(7),
        Value::Number(_) => Value::from("seven"),
        Value::Bool(_) => Value::from("perhaps"),
        Value::Array(_) => serde_json::json!({ "0": 1 }),
        Value::Object(_) => serde_json::json!(["a", 1]),
        Value::Null => serde_json::json!([[]]),
    }
}
