//! XLIFF: the translation of each `source` goes into the `target` after it; everything else stays byte for byte.

use std::ops::Range;
use std::path::Path;

use super::Trouble;
use super::params::Order;
use super::text::{one, read, refuse_same_language, translator};
use crate::sandbox::app::App;
use crate::sandbox::markup::{MarkupSyntax, characters, tag_len};
use crate::sandbox::xml::xml_error;

/// Translates an XLIFF file; gives its characters.
pub(super) fn xliff(app: &App, order: &Order, source: &Path, result: &Path) -> Result<Option<u64>, Trouble> {
    let text = read(source)?;
    if let Some(fault) = xml_error(&text) {
        return Err(Trouble::document(format!("The file is not well-formed XML: {fault}.")));
    }
    let units = units(&text);
    if units.is_empty() {
        return Err(Trouble::document("The file holds no XLIFF segments."));
    }
    let words: String = units.iter().filter_map(|unit| text.get(unit.source.clone())).take(50).collect();
    refuse_same_language(order, &words)?;
    let translator = translator(app, order, MarkupSyntax::Xml);
    let mut out = String::with_capacity(text.len() * 2);
    let (mut done, mut count) = (0, 0);
    for unit in &units {
        let words = text.get(unit.source.clone()).unwrap_or_default();
        count += characters(words, MarkupSyntax::Xml);
        let translated = one(app, order, &translator, words);
        out.push_str(text.get(done..unit.at.start).unwrap_or_default());
        let (open, close) = if unit.has_target { ("", "") } else { ("<target>", "</target>") };
        out.extend([open, &translated, close]);
        done = unit.at.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    std::fs::write(result, with_target_language(&out, order.target))?;
    Ok(Some(count))
}

/// One `source`, and the place its translation goes to.
struct Unit {
    source: Range<usize>,
    /// What is replaced: the inside of a `target`, or nothing after the `source`.
    at: Range<usize>,
    has_target: bool,
}

/// Finds every `source` element and the `target` that follows it before the next `source`.
fn units(text: &str) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut opened: Option<(&str, usize)> = None;
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('<')) {
        at += next;
        let len = text.get(at..).map_or(0, tag_len).max(1);
        let tag = text.get(at..at + len).unwrap_or_default();
        let after = at + len;
        match (name(tag), opened) {
            ("source", None) if tag.ends_with("/>") => {}
            ("source", None) => opened = Some(("source", after)),
            ("/source", Some(("source", from))) => {
                units.push(Unit { source: from..at, at: after..after, has_target: false });
                opened = None;
            }
            ("target", None) => match units.last_mut().filter(|unit| !unit.has_target) {
                Some(unit) if tag.ends_with("/>") => unit.at = at..after,
                Some(_) => opened = Some(("target", after)),
                None => {}
            },
            ("/target", Some(("target", from))) => {
                if let Some(unit) = units.last_mut() {
                    (unit.at, unit.has_target) = (from..at, true);
                }
                opened = None;
            }
            _ => {}
        }
        at = after;
    }
    units
}

/// A tag's name without prefix, with the slash of a closing one.
fn name(tag: &str) -> &str {
    let inner = tag.trim_start_matches('<').trim_end_matches('>').trim_end_matches('/');
    inner.split(char::is_whitespace).next().unwrap_or_default()
}

/// Names the target language on the root of XLIFF 2, where a file with targets must have it.
fn with_target_language(text: &str, target: &str) -> String {
    let Some(root) = text.find("<xliff") else { return text.to_owned() };
    let len = text.get(root..).map_or(0, tag_len);
    let Some(tag) = text.get(root..root + len).filter(|tag| tag.contains("version=\"2")) else {
        return text.to_owned();
    };
    let named = match tag.find("trgLang=") {
        Some(at) => {
            let value = at + "trgLang=".len() + 1;
            let quote = tag.get(value - 1..value).unwrap_or("\"");
            let end = tag.get(value..).and_then(|rest| rest.find(quote)).map_or(tag.len(), |end| value + end);
            format!("{}{target}{}", tag.get(..value).unwrap_or_default(), tag.get(end..).unwrap_or_default())
        }
        None => format!("<xliff trgLang=\"{target}\"{}", tag.get("<xliff".len()..).unwrap_or_default()),
    };
    format!("{}{named}{}", text.get(..root).unwrap_or_default(), text.get(root + len..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_sources_with_and_without_targets() {
        let text = "<xliff version=\"2.1\"><segment><source>A <pc>b</pc></source></segment>\
                    <segment><source>C</source><target>old</target></segment>\
                    <segment><source>D</source><target/></segment></xliff>";
        let units = units(text);
        let words: Vec<&str> = units.iter().map(|unit| text.get(unit.source.clone()).unwrap()).collect();
        assert_eq!(words, ["A <pc>b</pc>", "C", "D"]);
        let replaced: Vec<&str> = units.iter().map(|unit| text.get(unit.at.clone()).unwrap()).collect();
        assert_eq!(replaced, ["", "old", "<target/>"]);
    }

    #[test]
    fn names_the_target_language() {
        assert_eq!(with_target_language("<xliff version=\"2.1\">", "de"), "<xliff trgLang=\"de\" version=\"2.1\">");
        let named = "<xliff trgLang='fr' version=\"2.1\" x='y'>";
        assert_eq!(with_target_language(named, "de"), "<xliff trgLang='de' version=\"2.1\" x='y'>");
        assert_eq!(with_target_language("<xliff version=\"1.2\">", "de"), "<xliff version=\"1.2\">");
    }
}
