//! XLIFF: the translation of each `source` is written to the `target` that follows it; everything else stays.

use std::ops::Range;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::translator::{DocumentError, DocumentTranslator, read_text};
use crate::sandbox::markup::MarkupSyntax;
use crate::sandbox::xml::xml_error;

pub(super) const SYNTAX: MarkupSyntax = MarkupSyntax::Xml;
/// Number of segments from which the language is detected.
const SAMPLE_SEGMENTS: usize = 50;

/// Translates an XLIFF file and returns its characters.
pub(super) fn translate(translator: &DocumentTranslator, source: &Path, result: &Path) -> Result<u64, DocumentError> {
    let text = read_text(source)?;
    if let Some(error) = xml_error(&text) {
        return Err(not_well_formed(error));
    }
    let segments = segments(&text).map_err(not_well_formed)?;
    if segments.is_empty() {
        return Err(DocumentError::document("The file contains no XLIFF segments."));
    }
    let words = |segment: &XliffSegment| text.get(segment.source.clone()).unwrap_or_default();
    let sample: String = segments.iter().take(SAMPLE_SEGMENTS).map(words).collect();
    translator.refuse_same_language(&sample)?;
    let mut out = String::with_capacity(text.len() * 2);
    let (mut done, mut count) = (0, 0);
    for segment in &segments {
        let words = words(segment);
        count += translator.characters(words);
        let translated = translator.translate(words);
        out.push_str(text.get(done..segment.replaced.start).unwrap_or_default());
        let (open, close) = if segment.has_target { ("", "") } else { ("<target>", "</target>") };
        out.extend([open, &translated, close]);
        done = segment.replaced.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    std::fs::write(result, with_target_language(&out, translator.target()).map_err(not_well_formed)?)?;
    Ok(count)
}

fn not_well_formed(error: impl std::fmt::Display) -> DocumentError {
    DocumentError::document(format!("The file is not well-formed XML: {error}."))
}

/// A `source` element and the place for its translation, as byte ranges.
struct XliffSegment {
    source: Range<usize>,
    /// The content of `target`, or the whole element if it is empty, or nothing after `source`.
    replaced: Range<usize>,
    /// Whether `replaced` is the content of a `target`.
    has_target: bool,
}

/// Finds every `source` element and the `target` that follows it before the next `source`.
fn segments(text: &str) -> Result<Vec<XliffSegment>, quick_xml::Error> {
    let position = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
    let mut segments: Vec<XliffSegment> = Vec::new();
    let mut reader = Reader::from_str(text);
    loop {
        let before = position(reader.buffer_position());
        let event = reader.read_event()?;
        let after = position(reader.buffer_position());
        match event {
            Event::Start(tag) if tag.name().as_ref() == "source" => {
                let content = reader.read_to_end(tag.name())?;
                let end = position(reader.buffer_position());
                let source = position(content.start)..position(content.end);
                segments.push(XliffSegment { source, replaced: end..end, has_target: false });
            }
            Event::Start(tag) if tag.name().as_ref() == "target" => {
                let content = reader.read_to_end(tag.name())?;
                if let Some(segment) = segments.last_mut().filter(|segment| !segment.has_target) {
                    segment.replaced = position(content.start)..position(content.end);
                    segment.has_target = true;
                }
            }
            Event::Empty(tag) if tag.name().as_ref() == "target" => {
                if let Some(segment) = segments.last_mut().filter(|segment| !segment.has_target) {
                    segment.replaced = before..after;
                }
            }
            Event::Eof => return Ok(segments),
            _ => {}
        }
    }
}

/// Sets `trgLang` on the root of XLIFF 2, which requires it in files with targets.
fn with_target_language(text: &str, target: &str) -> Result<String, quick_xml::Error> {
    let mut reader = Reader::from_str(text);
    loop {
        let before = reader.buffer_position();
        let tag = match reader.read_event()? {
            Event::Start(tag) if tag.name().as_ref() == "xliff" => tag,
            Event::Start(_) | Event::Eof => return Ok(text.to_owned()),
            _ => continue,
        };
        let is_version_2 = tag.try_get_attribute("version")?.is_some_and(|version| version.value.starts_with('2'));
        if !is_version_2 {
            return Ok(text.to_owned());
        }
        let mut root = BytesStart::new("xliff");
        let has_target_language = tag.try_get_attribute("trgLang")?.is_some();
        if !has_target_language {
            root.push_attribute(("trgLang", target));
        }
        for attribute in tag.attributes() {
            let mut attribute = attribute?;
            if attribute.key.as_ref() == "trgLang" {
                attribute.value = target.into();
            }
            // The value may have been in single quotes.
            attribute.value = attribute.value.replace('"', "&quot;").into();
            root.push_attribute(attribute);
        }
        let start = usize::try_from(before).unwrap_or(usize::MAX);
        let end = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let (before, after) = (text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default());
        return Ok(format!("{before}<{}>{after}", &*root));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_sources_with_and_without_targets() {
        let text = "<xliff version=\"2.1\"><segment><source>A <pc>b</pc></source></segment>\
                    <segment><source>C</source><target>old</target></segment>\
                    <segment><source>D</source><target/></segment></xliff>";
        let segments = segments(text).unwrap();
        let words: Vec<&str> = segments.iter().map(|segment| text.get(segment.source.clone()).unwrap()).collect();
        assert_eq!(words, ["A <pc>b</pc>", "C", "D"]);
        let replaced: Vec<&str> = segments.iter().map(|segment| text.get(segment.replaced.clone()).unwrap()).collect();
        assert_eq!(replaced, ["", "old", "<target/>"]);
    }

    #[test]
    fn sets_the_target_language_of_version_2() {
        let set = |text| with_target_language(text, "de").unwrap();
        assert_eq!(set("<xliff version=\"2.1\"></xliff>"), "<xliff trgLang=\"de\" version=\"2.1\"></xliff>");
        assert_eq!(
            set("<?xml version='1.0'?>\n<xliff trgLang='fr' version=\"2.1\" x='\"'><file/></xliff>"),
            "<?xml version='1.0'?>\n<xliff trgLang=\"de\" version=\"2.1\" x=\"&quot;\"><file/></xliff>"
        );
        assert_eq!(set("<xliff version=\"1.2\"></xliff>"), "<xliff version=\"1.2\"></xliff>");
    }
}
