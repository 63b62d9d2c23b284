//! Converts the values of Android resources to the texts and markup of units, and texts back to values.

use std::borrow::Cow;
use std::collections::HashSet;

use super::super::placeholders::MarkupIndex;
use super::super::xml::{XmlTree, is_xml_char};
use super::decode::{AndroidStyle, AndroidValue, CDATA_START, ValuePiece};
use super::markup::{self, MarkupPiece, is_textual};

/// The escape for the start of a tag.
const ESCAPED_START: &str = "&lt;";

/// Returns the texts of a unit's values, and their combined markup.
pub fn unit_texts(values: &[&AndroidValue]) -> (Vec<String>, Vec<String>) {
    let markup = values.iter().flat_map(|value| &value.pieces).filter_map(|piece| match piece {
        ValuePiece::Markup(markup) => Some(markup.as_str()),
        ValuePiece::Text(_) => None,
    });
    let markup: Vec<&str> = markup.collect();
    let mut set = markup::index(markup.iter().copied());
    let mut texts: Vec<String> = values.iter().map(|value| text_with(value, &set, &mut Vec::new())).collect();
    let mut escapes = Vec::new();
    if !set.is_empty() && values.iter().any(|value| is_ambiguous(value, &set)) {
        // Since escapes are now markup, text that looks like an escape must be escaped too.
        set = markup::index(markup.iter().copied().chain([ESCAPED_START, "&amp;"]));
        texts = values.iter().map(|value| text_with(value, &set, &mut escapes)).collect();
    }
    let marker = values.iter().any(|value| value.style.is_cdata).then_some(CDATA_START);
    let inner = values.iter().zip(&texts).filter(|(value, _)| value.style.is_cdata).flat_map(|(_, text)| html(text));
    let escaped_tags_in_texts = texts.iter().filter(|_| !escapes.is_empty()).flat_map(|text| escaped_tags(text));
    let mut seen = HashSet::new();
    let markup =
        marker.into_iter().chain(markup).chain(inner).chain(escapes.iter().copied()).chain(escaped_tags_in_texts);
    let markup: Vec<String> = markup.filter(|string| seen.insert(*string)).map(str::to_owned).collect();
    (texts, markup)
}

fn is_ambiguous(value: &AndroidValue, set: &MarkupIndex<'_>) -> bool {
    let mut escapes = Vec::new();
    text_with(value, set, &mut escapes);
    !escapes.is_empty()
}

/// Returns the text of a value. Text that would be mistaken for markup is escaped; the escapes used are added to
/// `escapes`.
fn text_with(value: &AndroidValue, set: &MarkupIndex<'_>, escapes: &mut Vec<&'static str>) -> String {
    let (mut text, mut kinds) = (String::new(), Vec::new());
    for piece in &value.pieces {
        let (ValuePiece::Text(part) | ValuePiece::Markup(part)) = piece;
        kinds.push((text.len(), matches!(piece, ValuePiece::Text(_))));
        text.push_str(part);
    }
    if value.style.is_cdata || set.is_empty() {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut at) = (text.as_str(), 0);
    let mut runs = kinds.iter().copied().peekable();
    let mut is_inside = false;
    while !rest.is_empty() {
        while let Some((_, is_text)) = runs.next_if(|(start, _)| *start <= at) {
            is_inside = is_text;
        }
        let end = runs.peek().map_or(text.len(), |(start, _)| *start) - at;
        let (run, after) = rest.split_at_checked(end.max(1)).unwrap_or((rest, ""));
        if is_inside {
            push_run(run, rest, set, &mut out, escapes);
        } else {
            out.push_str(run);
        }
        at += run.len();
        rest = after;
    }
    out
}

/// Appends `run`, which is the start of `rest`. Escapes each `<` and `&` where a markup string starts in `rest`.
fn push_run(run: &str, rest: &str, set: &MarkupIndex<'_>, out: &mut String, escapes: &mut Vec<&'static str>) {
    let mut done = 0;
    for at in memchr::memchr2_iter(b'<', b'&', run.as_bytes()) {
        if rest.get(at..).and_then(|rest| set.len_at(rest)).is_none() {
            continue;
        }
        let escape = if run.as_bytes().get(at) == Some(&b'<') { "&lt;" } else { "&amp;" };
        out.push_str(run.get(done..at).unwrap_or_default());
        out.push_str(escape);
        escapes.push(escape);
        done = at + 1;
    }
    out.push_str(run.get(done..).unwrap_or_default());
}

/// Returns the tags in a text that start with an escaped `<`, such as `&lt;b>`.
fn escaped_tags(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(ESCAPED_START).filter_map(|(at, _)| {
        let from = text.get(at..)?;
        let after = from.get(ESCAPED_START.len()..)?;
        let end = after.find(['<', '>', '&']).filter(|end| after.as_bytes().get(*end) == Some(&b'>'))?;
        let is_name = after.strip_prefix('/').unwrap_or(after).starts_with(|c: char| c.is_ascii_alphabetic());
        from.get(..ESCAPED_START.len() + end + 1).filter(|_| is_name)
    })
}

fn html(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&']) {
        let from = rest.get(at..).unwrap_or_default();
        let after = from.get(1..).unwrap_or_default();
        let end = if from.starts_with('<') {
            let name = after.strip_prefix('/').unwrap_or(after);
            let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic());
            after.find(['<', '>']).filter(|_| is_tag).filter(|end| after.as_bytes().get(*end) == Some(&b'>'))
        } else {
            let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '#');
            end.filter(|end| *end > 0 && after.as_bytes().get(*end) == Some(&b';'))
        };
        found.extend(end.and_then(|end| from.get(..end + 2)));
        rest = from.get(end.map_or(1, |end| end + 2)..).unwrap_or_default();
    }
    found
}

/// Fails if the markup in the text is not well-formed.
pub fn encode(text: &str, markup: &[String], old: AndroidStyle) -> Result<String, String> {
    let is_cdata = markup.iter().any(|string| string == CDATA_START) || (old.is_cdata && markup.is_empty());
    let has_raw_quotes = is_cdata && old.has_raw_quotes;
    let style = AndroidStyle { is_cdata, is_quoted: old.is_quoted && !is_cdata, has_raw_quotes };
    // An escaped tag such as `&lt;b>` is listed as markup, but only its `&lt;` must be written unchanged.
    let is_tag = |string: &&str| string.starts_with(ESCAPED_START) && *string != ESCAPED_START;
    let strings = markup.iter().map(String::as_str).filter(|string| !is_cdata && !is_tag(string));
    let set = markup::index(strings);
    let pieces = markup::pieces(&set, text);
    let last = pieces.iter().rposition(|piece| match piece {
        MarkupPiece::Text(_) => true,
        MarkupPiece::Markup(markup) => is_textual(markup),
    });
    let mut encoder = ValueEncoder { style, out: String::with_capacity(text.len()), is_after_space: true };
    for (number, piece) in pieces.iter().enumerate() {
        match piece {
            MarkupPiece::Text(run) => encoder.add_text(run, number == 0, Some(number) == last),
            MarkupPiece::Markup(markup) => {
                encoder.is_after_space &= !is_textual(markup);
                encoder.out.push_str(markup);
            }
        }
    }
    let out = encoder.out;
    if style.is_cdata {
        return Ok([CDATA_START, &out.replace("]]>", "]]]]><![CDATA[>"), "]]>"].concat());
    }
    if pieces.iter().any(|piece| matches!(piece, MarkupPiece::Markup(_))) {
        XmlTree::parse(&["<string>", &out, "</string>"].concat())
            .map_err(|error| format!("the markup of the text cannot be written: {}", error.what))?;
    }
    Ok(if style.is_quoted { ["\"", &out, "\""].concat() } else { out })
}

struct ValueEncoder {
    style: AndroidStyle,
    out: String,
    is_after_space: bool,
}

impl ValueEncoder {
    fn add_text(&mut self, run: &str, is_first: bool, is_last: bool) {
        let AndroidStyle { is_quoted, is_cdata, has_raw_quotes } = self.style;
        for (at, c) in run.char_indices() {
            let is_end = is_last && at + c.len_utf8() == run.len();
            let escaped: Cow<'static, str> = match c {
                ' ' if is_quoted => " ".into(),
                ' ' if self.is_after_space || is_end => "\\u0020".into(),
                ' ' => {
                    self.out.push(' ');
                    self.is_after_space = true;
                    continue;
                }
                '\n' => "\\n".into(),
                '\t' => "\\t".into(),
                '\\' => "\\\\".into(),
                '"' if !has_raw_quotes => "\\\"".into(),
                '\'' if !is_quoted => "\\'".into(),
                '@' if is_first && at == 0 && !is_quoted => "\\@".into(),
                '?' if is_first && at == 0 && !is_quoted => "\\?".into(),
                '&' if !is_cdata => "&amp;".into(),
                '<' if !is_cdata => "&lt;".into(),
                '>' if !is_cdata => "&gt;".into(),
                c if is_xml_char(c) && c != '\r' => {
                    self.out.push(c);
                    self.is_after_space = false;
                    continue;
                }
                c => format!("\\u{:04X}", u32::from(c)).into(),
            };
            self.is_after_space = false;
            self.out.push_str(&escaped);
        }
    }
}
