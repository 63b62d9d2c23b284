//! Targets for texts and for files that contain texts.

use std::sync::Arc;

use tulk_base::json::escaped_len;
use tulk_catalogs::inline::TextProtection;
use tulk_formats::test_records::{limit_of, read_all};
use tulk_formats::{FileFormatOptions, InputFormat, JsonLinesOptions, NamedFormat, TableOptions};
use tulk_pipeline::{Protector, SentForm};

use super::format_properties::FormatProperties;
use super::{FuzzTarget, choices};

pub const TARGETS: &[FuzzTarget] = &[
    FuzzTarget { name: "text", check: text },
    FuzzTarget { name: "lines", check: |input| check(InputFormat::lines(), input, true) },
    FuzzTarget { name: "nul_entries", check: |input| check(InputFormat::nul(), input, true) },
    FuzzTarget { name: "csv", check: table },
    FuzzTarget { name: "jsonl", check: json_lines },
    FuzzTarget { name: "srt", check: |input| named("srt", input) },
    FuzzTarget { name: "vtt", check: |input| named("vtt", input) },
    FuzzTarget { name: "markdown", check: |input| named("markdown", input) },
];

/// Takes values of `--protect`. Protects nothing if a value is invalid.
pub fn protector(values: &[&str], form: SentForm) -> Protector {
    let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
    Protector::new(&values, form).unwrap_or_default()
}

/// The first byte chooses the results and the block size of reads.
fn check(format: InputFormat, input: &[u8], keeps_entries: bool) {
    let Some(([choice], rest)) = choices(input) else { return };
    let form = if format.has_tokens() || choice % 4 == 0 { SentForm::Tagged } else { SentForm::Plain };
    let values: &[&str] = if choice % 8 == 4 { &["printf,braces,url,code"] } else { &[] };
    let protector = protector(values, form);
    FormatProperties { format, target: "de".to_owned(), protector, choice, keeps_entries }.check(rest, true);
}

fn named(name: &str, input: &[u8]) {
    let options = FileFormatOptions { front_matter: vec!["title".to_owned()], ..FileFormatOptions::default() };
    if let Some(format) = NamedFormat::by_name(name) {
        check(format.create(&options), input, name != "markdown");
    }
}

/// The first line sets the options: a delimiter, `h` for a header, `a` for an added column, then the columns.
fn table(input: &[u8]) {
    let Some(([choice], rest)) = choices(input) else { return };
    let Some((options, _)) = std::str::from_utf8(rest).ok().and_then(|text| text.split_once('\n')) else { return };
    let mut rest_of = options.splitn(3, ' ');
    let [delimiter, flags, columns] = [(); 3].map(|()| rest_of.next().unwrap_or_default());
    let options_len = options.len() + 1;
    let delimiter = match delimiter.as_bytes() {
        [byte @ (b' '..=b'!' | b'#'..=b'~')] => *byte,
        _ => b'\t',
    };
    let options = TableOptions {
        columns: columns.split(' ').map(str::to_owned).collect(),
        delimiter,
        has_header: flags.contains('h'),
        appended: flags.contains('a').then(|| "de".to_owned()).into_iter().collect(),
    };
    let keeps_entries = !options.has_header && options.appended.is_empty();
    let input = [&[choice], rest.get(options_len..).unwrap_or_default()].concat();
    check(InputFormat::new(options), &input, keeps_entries);
}

/// The first line has JSON pointers; with a leading `+`, results go into a new member.
fn json_lines(input: &[u8]) {
    let Some(([choice], rest)) = choices(input) else { return };
    let Some((fields, _)) = std::str::from_utf8(rest).ok().and_then(|text| text.split_once('\n')) else { return };
    let fields_len = fields.len() + 1;
    let added: Vec<String> = fields.starts_with('+').then(|| "de".to_owned()).into_iter().collect();
    let fields: Vec<String> = fields.trim_start_matches('+').split(' ').map(str::to_owned).collect();
    let Ok(options) = JsonLinesOptions::new(&fields, &added) else { return };
    let input = [&[choice], rest.get(fields_len..).unwrap_or_default()].concat();
    check(InputFormat::new(options), &input, added.is_empty());
}

/// Chunks add up to the text, each fits into a request, and none ends within a character or a placeholder.
fn text(input: &[u8]) {
    let Some(([limit, choice], rest)) = choices(input) else { return };
    let limit = 16 + usize::from(limit) * 2;
    let step = usize::from(choice % 16) + 1;
    let form = if choice < 128 { SentForm::Tagged } else { SentForm::WithoutTags };
    let values: &[&str] = if choice & 16 > 0 { &["printf,braces,url,code"] } else { &["mustache,ruby,shell,email"] };
    let protector = Arc::new(protector(values, form));
    let is_protected = choice & 32 > 0;
    // 64 KiB are searched for each chunk. With the small limits of this target, longer texts would take minutes.
    let rest = if is_protected { rest.get(..4096).unwrap_or(rest) } else { rest };
    let format = InputFormat::text();
    let read = |step| {
        let limit = limit_of(limit);
        let mut reader =
            if is_protected { format.protected_reader(limit, protector.clone()) } else { format.reader(limit) };
        read_all(&mut *reader, rest, step)
    };
    let (whole, steps) = (read(usize::MAX), read(step));
    let (Ok(whole), Ok(steps)) = (whole, steps) else { return };
    let ends = |records: &[tulk_formats::Record]| records.iter().map(|record| record.bytes.len()).collect::<Vec<_>>();
    assert_eq!(ends(&whole), ends(&steps), "chunks depend on the block size");
    let joined: Vec<u8> = whole.iter().flat_map(|record| record.bytes.iter().copied()).collect();
    assert_eq!(joined, rest, "chunks do not add up to the text");
    let text = std::str::from_utf8(rest).unwrap_or_default();
    let mut at = 0;
    for record in &whole {
        // Parse from the start of the chunk, like the reader: a backslash at the end of the previous chunk escapes nothing in this one.
        let rest = text.get(at..).unwrap_or_default();
        // The nearby text is enough. Tokenizing the complete rest for each chunk would be quadratic.
        let end = (0..=rest.len().min(8 * limit)).rev().find(|at| rest.is_char_boundary(*at));
        let rest = rest.get(..end.unwrap_or_default()).unwrap_or_default();
        let tokens = if is_protected { protector.tokens(rest) } else { Vec::new() };
        let len = record.bytes.len();
        at += len;
        assert!(std::str::from_utf8(&record.bytes).is_ok(), "a character is cut at {at}");
        let sent = record.sent_text(0).unwrap_or_default();
        let sent_len = if is_protected { protector.sent_len(sent) } else { escaped_len(sent.as_bytes()) };
        assert!(sent_len <= limit, "a chunk of {sent_len} bytes; the limit is {limit}");
        let cut = tokens
            .iter()
            .map(tulk_catalogs::inline::InlineToken::byte_range)
            .find(|token| token.start < len && len < token.end);
        assert!(cut.is_none() || text.contains('\r'), "the placeholder at {cut:?} of {rest:?} is cut at {len}");
    }
}
