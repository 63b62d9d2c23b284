//! XLIFF 1.2, 2.0 and 2.1: writes the translation of each unit to its `target`, and sets the target language; everything
//! else is kept.
//!
//! A unit is a `trans-unit` in XLIFF 1.2 and a `segment` in XLIFF 2. Elements of other namespaces, earlier translations
//! in `alt-trans`, and content marked as untranslatable are left alone.

use std::ops::Range;
use std::path::Path;

use quick_xml::events::{BytesStart, Event};

use super::translation::{DocumentError, DocumentTranslator, TextEdit, apply_edits};
use super::xml::{TextRuns, XmlFile, XmlTranslation, not_well_formed};
use crate::xml::{XmlEvents, xml_error};

/// Returns the number of billed characters.
pub(super) fn translate(translator: &DocumentTranslator, source: &Path, result: &Path) -> Result<u64, DocumentError> {
    let file = XmlFile::read(source)?;
    let XliffUnits { version, units, mut edits } = find_units(&file.text, translator.target())?;
    translator.refuse_evaluation(&version)?;
    let mut translation = XmlTranslation::new(&file, translator);
    translation.refuse_same_language(units.iter().flat_map(|unit| &unit.texts.0))?;
    for unit in &units {
        let content = file.text.get(unit.source.clone()).unwrap_or_default();
        let translated = translation.translate(unit.source.clone(), &unit.texts.0);
        // A phrase may contain tags, but it must be well-formed XML.
        let phrase = translator.phrase(content).filter(|phrase| xml_error(phrase).is_none());
        let (open, close) = &unit.target_tags;
        let target = [open, phrase.unwrap_or(&translated), close].concat();
        edits.push(TextEdit { range: unit.replaced_range.clone(), text: target });
    }
    file.write(result, &apply_edits(&file.text, edits))?;
    Ok(translation.characters)
}

const VERSIONS: [&str; 3] = ["1.2", "2.0", "2.1"];
/// Elements of XLIFF 1.2 that contain code of the original file.
const CODE_ELEMENTS: [&str; 5] = ["bpt", "ept", "it", "ph", "ut"];

/// The units of a file, and the edits of its language attributes.
struct XliffUnits {
    version: String,
    pub(super) units: Vec<XliffUnit>,
    /// Edits that set the target language, one for each attribute.
    pub(super) edits: Vec<TextEdit>,
}

struct XliffUnit {
    /// Content of `source`, or of `seg-source` if present.
    pub(super) source: Range<usize>,
    pub(super) texts: TextRuns,
    pub(super) replaced_range: Range<usize>,
    /// Tags to write around the translation where the file lacks them.
    pub(super) target_tags: (String, String),
}

/// Fails if the well-formed text is not XLIFF of a supported version.
fn find_units(text: &str, target_lang: &str) -> Result<XliffUnits, DocumentError> {
    let mut scan = XliffScan {
        text,
        target_lang,
        version: String::new(),
        prefix: String::new(),
        open: Vec::new(),
        source_depth: None,
        untranslated_annotations: Vec::new(),
        unit: None,
        has_units: false,
        found: XliffUnits { version: String::new(), units: Vec::new(), edits: Vec::new() },
    };
    let mut events = XmlEvents::new(text);
    loop {
        let (event, range) = events.next().map_err(not_well_formed)?;
        match &event {
            Event::Start(tag) => scan.open(tag, &range)?,
            Event::Empty(tag) => {
                scan.open(tag, &range)?;
                scan.close(&range, true);
            }
            Event::End(_) => scan.close(&range, false),
            Event::Eof if scan.has_units => return Ok(XliffUnits { version: scan.version, ..scan.found }),
            Event::Eof => return Err(DocumentError::document("The file contains no XLIFF segments.")),
            text => scan.add_text(text, &range),
        }
    }
}

struct XliffElement {
    /// Name without its prefix; empty for elements of other namespaces.
    name: String,
    is_translated: bool,
    content_start: usize,
}

#[derive(Default)]
struct OpenUnit {
    source: Range<usize>,
    texts: TextRuns,
    /// Offset at which to insert a missing `target`: after the source.
    end: usize,
    /// Range to replace in an existing `target`, and the tags that it lacks.
    target: Option<(Range<usize>, (String, String))>,
}

struct XliffScan<'a> {
    text: &'a str,
    target_lang: &'a str,
    version: String,
    /// Namespace prefix of XLIFF elements, including the colon.
    prefix: String,
    open: Vec<XliffElement>,
    /// Number of elements around the source that is being read.
    source_depth: Option<usize>,
    /// IDs of the open annotations that mark text as untranslatable.
    untranslated_annotations: Vec<String>,
    unit: Option<OpenUnit>,
    has_units: bool,
    found: XliffUnits,
}

impl XliffScan<'_> {
    fn open(&mut self, tag: &BytesStart, range: &Range<usize>) -> Result<(), DocumentError> {
        if self.open.is_empty() {
            self.open_root(tag, range)?;
        }
        let name = tag.name();
        let name = name.as_ref().strip_prefix(&self.prefix).filter(|name| !name.contains(':')).unwrap_or_default();
        let is_translated = self.is_translated(tag, name);
        match name {
            "unit" => self.untranslated_annotations.clear(),
            "trans-unit" | "segment" => {
                self.has_units = true;
                self.unit = is_translated.then(OpenUnit::default);
            }
            "file" if self.open.len() == 1 && self.version == "1.2" => {
                self.set_language(tag, range, "target-language");
            }
            "source" | "seg-source" if self.is_in_unit() => {
                self.source_depth = Some(self.open.len());
                if let Some(unit) = &mut self.unit {
                    unit.texts = TextRuns::default();
                }
            }
            "target" if self.is_in_unit() && self.unit.is_some() && attribute(tag, "xml:lang").is_some() => {
                self.set_language(tag, range, "xml:lang");
            }
            "sm" if attribute(tag, "translate").as_deref() == Some("no") => {
                self.untranslated_annotations.extend(attribute(tag, "id"));
            }
            "em" => {
                let start = attribute(tag, "startRef");
                self.untranslated_annotations.retain(|id| Some(id) != start.as_ref());
            }
            _ => {}
        }
        self.open.push(XliffElement { name: name.to_owned(), is_translated, content_start: range.end });
        Ok(())
    }

    /// Reads the version. Sets the target language on the root of XLIFF 2, which requires it if there are targets.
    fn open_root(&mut self, tag: &BytesStart, range: &Range<usize>) -> Result<(), DocumentError> {
        let name = tag.name();
        let prefix = name.as_ref().strip_suffix("xliff").filter(|prefix| prefix.is_empty() || prefix.ends_with(':'));
        let prefix = prefix.ok_or_else(|| DocumentError::document("The root element of the file is not 'xliff'."))?;
        prefix.clone_into(&mut self.prefix);
        self.version = attribute(tag, "version").unwrap_or_default();
        if !VERSIONS.contains(&self.version.as_str()) {
            let why = format!("The XLIFF version '{}' is not supported: it must be 1.2, 2.0 or 2.1.", self.version);
            return Err(DocumentError::document(why));
        }
        if self.version != "1.2" {
            self.set_language(tag, range, "trgLang");
        }
        Ok(())
    }

    fn is_translated(&self, tag: &BytesStart, name: &str) -> bool {
        match (attribute(tag, "translate").as_deref(), name) {
            (Some("yes"), _) => true,
            (Some("no"), _) => false,
            (_, "mrk") if attribute(tag, "mtype").as_deref() == Some("protected") => false,
            (_, name) if CODE_ELEMENTS.contains(&name) => false,
            // Translatable text within code.
            (_, "sub") => self.unit.is_some(),
            _ => self.open.last().is_none_or(|parent| parent.is_translated),
        }
    }

    fn add_text(&mut self, event: &Event, range: &Range<usize>) {
        let is_translated = self.open.last().is_some_and(|element| element.is_translated);
        if let Some(unit) = self.unit.as_mut().filter(|_| self.source_depth.is_some())
            && is_translated
            && self.untranslated_annotations.is_empty()
        {
            unit.texts.add(event, range);
        }
    }

    /// Closes an element. `range` covers the end tag, or the complete tag of an empty element.
    fn close(&mut self, range: &Range<usize>, is_empty: bool) {
        let Some(XliffElement { name, content_start, .. }) = self.open.pop() else { return };
        if self.source_depth == Some(self.open.len()) {
            self.source_depth = None;
            if let Some(unit) = &mut self.unit {
                unit.source = content_start..range.start.max(content_start);
                unit.end = range.end;
            }
        } else if name == "target" && self.is_in_unit() {
            let target = if is_empty {
                self.empty_target_range(range)
            } else {
                (content_start..range.start, Default::default())
            };
            if let Some(unit) = &mut self.unit {
                unit.target.get_or_insert(target);
            }
        } else if matches!(name.as_str(), "trans-unit" | "segment")
            && let Some(OpenUnit { source, texts, end, target }) = self.unit.take()
            && !source.is_empty()
        {
            let name = format!("{}target", self.prefix);
            let (replaced_range, target_tags) =
                target.unwrap_or_else(|| (end..end, (format!("<{name}>"), format!("</{name}>"))));
            self.found.units.push(XliffUnit { source, texts, replaced_range, target_tags });
        }
    }

    /// For an empty `target` tag, returns the range of its final `/>`, and the tags to write there around the translation: `>` and an
    /// end tag.
    fn empty_target_range(&self, range: &Range<usize>) -> (Range<usize>, (String, String)) {
        let tag = self.text.get(range.clone()).unwrap_or_default().trim_end_matches("/>").trim_end();
        (range.start + tag.len()..range.end, (">".to_owned(), format!("</{}target>", self.prefix)))
    }

    fn is_in_unit(&self) -> bool {
        self.open.last().is_some_and(|element| matches!(element.name.as_str(), "trans-unit" | "segment"))
    }

    /// Sets the attribute `name` of the tag at `range` to the target language.
    fn set_language(&mut self, tag: &BytesStart, range: &Range<usize>, name: &str) {
        let found = tag.try_get_attribute(name).ok().flatten();
        // The value is a slice of `self.text`, so pointer arithmetic gives its offset.
        let value = found.map(|found| (found.value.as_ptr().addr() - self.text.as_ptr().addr(), found.value.len()));
        self.found.edits.push(if let Some((start, len)) = value {
            TextEdit { range: start..start + len, text: self.target_lang.to_owned() }
        } else {
            let end_of_name = range.start + 1 + tag.name().as_ref().len();
            TextEdit { range: end_of_name..end_of_name, text: format!(" {name}=\"{}\"", self.target_lang) }
        });
    }
}

fn attribute(tag: &BytesStart, name: &str) -> Option<String> {
    Some(tag.try_get_attribute(name).ok()??.value.into_owned())
}
