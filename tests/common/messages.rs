//! Compares printed messages with `tests/golden/messages.txt`, which lists every error, warning and hint that tests provoke.
//!
//! A test fails if the program prints an unlisted message; `TULK_BLESS=1 cargo test` adds it. With `TULK_MESSAGES=FILE`, messages
//! are also appended to FILE; `.ci/run` uses this to find listed messages that no test provokes.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/messages.txt")
}

pub fn check(stderr: &str) {
    static KNOWN: OnceLock<BTreeSet<String>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let text = std::fs::read_to_string(golden()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    });
    let printed: BTreeSet<String> = stderr.lines().flat_map(messages).collect();
    if let Some(file) = std::env::var_os("TULK_MESSAGES").filter(|file| !file.is_empty()) {
        let lines: String = printed.iter().map(|line| format!("{line}\n")).collect();
        let mut file = OpenOptions::new().append(true).create(true).open(file).expect("the file of TULK_MESSAGES");
        file.write_all(lines.as_bytes()).expect("the messages are written");
    }
    let missing: Vec<&String> = printed.difference(known).collect();
    if missing.is_empty() {
        return;
    }
    if std::env::var_os("TULK_BLESS").is_some() {
        return add(&missing);
    }
    panic!("tests/golden/messages.txt lacks {missing:#?}\nread them as a user would, then: TULK_BLESS=1 cargo test");
}

/// Keeps the list sorted. Safe for concurrent threads and processes.
fn add(missing: &[&String]) {
    let mut file =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(golden()).expect("the list opens");
    file.lock().expect("the list is locked");
    let mut text = String::new();
    file.read_to_string(&mut text).expect("the list is read");
    let mut lines: BTreeSet<&str> = text.lines().collect();
    lines.extend(missing.iter().map(|line| line.as_str()));
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    file.set_len(0).expect("the list is emptied");
    file.seek(SeekFrom::Start(0)).expect("the start of the list");
    file.write_all(lines.as_bytes()).expect("the list is written");
}

fn messages(line: &str) -> Vec<String> {
    if let Ok(serde_json::Value::Object(object)) = serde_json::from_str(line) {
        let error = object.get("error").and_then(|error| error.as_object());
        let text = |key: &str| error.and_then(|error| error.get(key)).and_then(|value| value.as_str());
        let warning = object.get("warning").and_then(|value| value.as_str());
        let found = [("error", text("message")), ("hint", text("hint")), ("warning", warning)];
        let listed = found.into_iter().filter_map(|(kind, text)| text.map(|text| format!("{kind}: {text}")));
        return listed.flat_map(|text| messages(&text.replace('\n', " "))).collect();
    }
    let line = line.trim_start();
    let is_message = ["error: ", "warning: ", "hint: "].iter().any(|prefix| line.starts_with(prefix));
    if is_message { vec![normalized(line)] } else { Vec::new() }
}

fn normalized(line: &str) -> String {
    let line = line.replace(&std::env::temp_dir().display().to_string(), "/tmp");
    let line = ["belongs to user ", " of user "].iter().fold(line, |line, before| without_user(&line, before));
    let mut out = String::with_capacity(line.len());
    let mut word = String::new();
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        if c == ',' && is_grouped(&word, rest.as_str()) {
            continue;
        }
        if c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '*') {
            word.push(c);
            continue;
        }
        out.push_str(&normalized_word(&std::mem::take(&mut word)));
        out.push(c);
    }
    out + &normalized_word(&word)
}

/// Removes the name or number of a user, which differs from system to system.
fn without_user(line: &str, before: &str) -> String {
    let Some((start, rest)) = line.split_once(before) else { return line.to_owned() };
    let end = rest.find([',', ' ']).unwrap_or(rest.len());
    format!("{start}{before}USER{}", rest.get(end..).unwrap_or_default())
}

/// Returns whether the comma between two texts groups digits, as in 1,234.
fn is_grouped(before: &str, after: &str) -> bool {
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
    !before.is_empty() && digits(before) == before.len() && !before.starts_with('0') && digits(after) == 3
}

fn normalized_word(word: &str) -> String {
    let (core, end) = word.split_at(word.trim_end_matches('.').len());
    if let Some(path) = core.strip_prefix("/tmp/.tmp") {
        let rest = path.split_once('/').map(|(_, rest)| format!("/{rest}")).unwrap_or_default();
        return format!("DIR{}{end}", normalized_file(&rest));
    }
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    let is_hex = |text: &str| text.len() >= 16 && text.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    let is_date = |text: &str| text.len() == 10 && text.split('-').count() == 3 && is_number(&text.replace('-', ""));
    if let Some((_, path)) = core.split_once('/').filter(|(port, _)| port.len() >= 4 && is_number(port)) {
        let segments = path.split('/').map(|segment| if is_hex(segment) { "ID" } else { segment });
        return format!("N{}{end}", segments.map(|segment| format!("/{segment}")).collect::<String>());
    }
    let short = match core {
        "127.0.0.1" => core,
        _ if core.contains("****") => "MASKED",
        _ if is_number(core.trim_start_matches('-').trim_end_matches('Z')) => "N",
        _ if is_date(core) => "DATE",
        _ if core.split_once('T').is_some_and(|(date, hour)| is_date(date) && is_number(hour)) => "TIME",
        _ if is_hex(core) => "ID",
        _ if core.strip_prefix("local-").is_some_and(is_hex) => "local-ID",
        _ => return format!("{}{end}", normalized_file(core)),
    };
    format!("{short}{end}")
}

/// Replaces the random part of a file name: `config.H39Wqw.edit.toml`, `local-0123456789abcdef.result`, `f7.txt`.
fn normalized_file(name: &str) -> String {
    if let Some((start, rest)) = name.split_once("/local-") {
        return format!("{start}/local-ID{}", rest.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    // Which of many numbered files fails depends on timing.
    let numbered = name.strip_prefix('f').and_then(|rest| rest.strip_suffix(".txt"));
    if numbered.is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())) {
        return "fN.txt".to_owned();
    }
    match name.strip_suffix(".edit.toml").and_then(|start| start.rsplit_once('.')) {
        Some((start, _)) => format!("{start}.RANDOM.edit.toml"),
        None => name.to_owned(),
    }
}
