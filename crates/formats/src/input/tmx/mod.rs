//! Checks a TMX file before it is sent: well-formed XML with a source language and at least one usable unit.
//!
//! Input: a file of any size. Output: its number of units, languages and digest, or the first mistake with its
//! location. Memory use does not depend on the file size.

mod text;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::errors::{Error, IllFormedError};
use quick_xml::events::{BytesRef, BytesStart, Event};
use tulk_base::error::{Failure, FileContext as _, Origin};
use tulk_base::limits::{TMX_DEPTH, TMX_LANGUAGES};
use tulk_base::numbers::{counted, grouped};
use tulk_base::xml::referenced_char;

use self::text::TmxText;

/// Value of `srclang` that allows any language as the source of a unit.
const ANY_SOURCE: &str = "*all*";

/// Statistics of a TMX file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TmxSummary {
    /// Source language in the header.
    pub source_language: String,
    /// Number of units.
    pub units: u64,
    /// Number of units with a text in the source language and one in another language or variant.
    pub usable_units: u64,
    /// Languages of the texts, up to a maximum number.
    pub languages: BTreeSet<String>,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
}

impl TmxSummary {
    /// Describes the file in one line: `812 units in de, en, fr, source de; 3 without a text in the source or another
    /// language`.
    pub fn in_words(&self) -> String {
        let languages: Vec<&str> = self.languages.iter().map(String::as_str).collect();
        let source = if self.source_language.eq_ignore_ascii_case(ANY_SOURCE) { "any" } else { &self.source_language };
        let words = format!("{} in {}, source {source}", counted(self.units, "unit"), languages.join(", "));
        match self.units - self.usable_units {
            0 => words,
            unusable => format!("{words}; {} without a text in the source or another language", grouped(unusable)),
        }
    }
}

/// Checks a file. `name` is the path as given by the user.
pub fn check_file(path: &Path, name: &str) -> Result<TmxSummary, Failure> {
    check(File::open(path).file_context("read", path)?, name)
}

fn check(input: impl Read, name: &str) -> Result<TmxSummary, Failure> {
    let mut reader = Reader::from_reader(TmxText::new(input));
    let mut tmx = TmxChecker::default();
    let mut buffer = Vec::new();
    loop {
        let place = reader.get_ref();
        let at = Origin::at(name, place.line, place.column);
        let refuse = |what: String| not_sendable(&what).at(at.clone());
        buffer.clear();
        reader.get_mut().start_part();
        let event = match reader.read_event_into(&mut buffer) {
            Ok(Event::Eof) => break,
            Ok(event) => event,
            Err(Error::Io(error)) if error.kind() != std::io::ErrorKind::InvalidData => {
                return Err(Failure::internal(format!("cannot read {name}: {error}")));
            }
            Err(error) => return Err(refuse(xml_mistake(&error))),
        };
        tmx.add(&event).map_err(refuse)?;
    }
    let place = reader.get_ref();
    tmx.finish().map_err(|what| not_sendable(&what).at(Origin::at(name, place.line, place.column)))?;
    Ok(TmxSummary { sha256: place.digest.hex(), ..tmx.summary })
}

fn not_sendable(what: &str) -> Failure {
    Failure::usage(what).hint("correct the file, or export it again as TMX; --no-check sends it anyway")
}

fn xml_mistake(error: &Error) -> String {
    match error {
        Error::IllFormed(IllFormedError::UnclosedReference) => "a `&` that does not begin a reference".to_owned(),
        Error::Encoding(_) => "the text does not match the encoding of the file".to_owned(),
        Error::Io(error) => error.to_string(),
        Error::Syntax(error) => format!("not well-formed XML: {error}"),
        Error::IllFormed(error) => format!("not well-formed XML: {error}"),
        error => format!("not well-formed XML: {error}"),
    }
}

#[derive(Default)]
struct TmxChecker {
    summary: TmxSummary,
    depth: usize,
    has_root: bool,
    has_header: bool,
    has_document_type: bool,
    unit: Option<OpenUnit>,
    language: Option<String>,
    /// Whether the open `seg` has text; `None` outside a `seg`.
    has_text: Option<bool>,
}

#[derive(Default)]
struct OpenUnit {
    source: String,
    /// Whether a text is in the source language or a variant of the language.
    has_source: bool,
    /// Language of the first text.
    first_language: Option<String>,
    has_other_language: bool,
}

/// Returns a language code without script and region.
fn base_language(code: &str) -> String {
    code.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
}

impl TmxChecker {
    fn add(&mut self, event: &Event<'_>) -> Result<(), String> {
        match event {
            Event::Start(tag) => {
                self.open(tag)?;
                self.depth += 1;
                if self.depth > TMX_DEPTH {
                    return Err(format!("elements are nested more than {TMX_DEPTH} deep"));
                }
            }
            Event::Empty(tag) => {
                self.open(tag)?;
                self.close(tag.local_name().as_ref());
            }
            Event::End(tag) => {
                self.depth -= 1;
                self.close(tag.local_name().as_ref());
            }
            Event::Text(text) => self.text(text)?,
            Event::CData(text) => self.text(text)?,
            Event::GeneralRef(reference) => self.reference(reference)?,
            Event::DocType(_) => self.has_document_type = true,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::Eof => {}
        }
        Ok(())
    }

    fn open(&mut self, tag: &BytesStart<'_>) -> Result<(), String> {
        let mut language = None;
        let mut source = None;
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| format!("not well-formed XML: {error}"))?;
            match attribute.key.as_ref() {
                "xml:lang" => language = Some(attribute.value.trim().to_owned()),
                // TMX 1.1 uses `lang`.
                "lang" if language.is_none() => language = Some(attribute.value.trim().to_owned()),
                "srclang" => source = Some(attribute.value.trim().to_owned()),
                _ => {}
            }
        }
        let name = tag.local_name();
        match name.as_ref() {
            root if self.depth == 0 => {
                if self.has_root {
                    return Err("more than one root element".to_owned());
                }
                if root != "tmx" {
                    return Err(format!("the root element is `{root}`, not `tmx`"));
                }
                self.has_root = true;
            }
            "header" => {
                self.has_header = true;
                self.summary.source_language = source
                    .filter(|source| !source.is_empty())
                    .ok_or("the header has no source language (`srclang`)")?;
            }
            "tu" => {
                if !self.has_header {
                    return Err("a unit before the header".to_owned());
                }
                self.summary.units += 1;
                let source = source.unwrap_or_else(|| self.summary.source_language.clone());
                self.unit = Some(OpenUnit { source, ..OpenUnit::default() });
            }
            "tuv" => {
                self.language = Some(language.filter(|code| !code.is_empty()).ok_or("a `tuv` without `xml:lang`")?);
            }
            "seg" => self.has_text = Some(false),
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, name: &str) {
        match name {
            "seg" if self.has_text.take() == Some(true) => {
                if let (Some(unit), Some(language)) = (&mut self.unit, &self.language) {
                    let first = unit.first_language.get_or_insert_with(|| language.clone());
                    unit.has_other_language |= !first.eq_ignore_ascii_case(language);
                    unit.has_source |= unit.source.eq_ignore_ascii_case(ANY_SOURCE)
                        || base_language(&unit.source) == base_language(language);
                    if self.summary.languages.len() < TMX_LANGUAGES {
                        self.summary.languages.insert(language.clone());
                    }
                }
            }
            "tuv" => self.language = None,
            "tu" => {
                let is_usable = self.unit.take().is_some_and(|unit| unit.has_source && unit.has_other_language);
                self.summary.usable_units += u64::from(is_usable);
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) -> Result<(), String> {
        let is_allowed =
            |c: char| matches!(c, '\t' | '\n' | '\r') || (c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}'));
        if let Some(c) = text.chars().find(|c| !is_allowed(*c)) {
            return Err(format!("the character U+{:04X} is not allowed in XML", u32::from(c)));
        }
        if text.contains(|c: char| !c.is_whitespace()) {
            if self.depth == 0 {
                return Err("text outside of the root element".to_owned());
            }
            self.has_text = self.has_text.map(|_| true);
        }
        Ok(())
    }

    fn reference(&mut self, reference: &BytesRef<'_>) -> Result<(), String> {
        match referenced_char(reference) {
            Some(c) => self.text(c.encode_utf8(&mut [0; 4])),
            // The DTD may declare the entity.
            None if self.has_document_type && !reference.starts_with('#') => self.text("x"),
            None => Err(format!("unknown reference `&{};`", &**reference)),
        }
    }

    fn finish(&self) -> Result<(), String> {
        if self.depth > 0 {
            return Err("the file ends inside its root element".to_owned());
        }
        if !self.has_root {
            return Err("the file contains no XML".to_owned());
        }
        if !self.has_header {
            return Err("the file has no header with the source language".to_owned());
        }
        if self.summary.usable_units == 0 {
            let source = &self.summary.source_language;
            return Err(match self.summary.units {
                0 => "the file has no units (`tu`)".to_owned(),
                _ => format!("no unit has a text in the source language `{source}` and one in another language"),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
