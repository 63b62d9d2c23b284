//! Reads TMX 1.1 to 1.4, the file format of translation memories, and writes TMX 1.4.
//!
//! Input: the text of a well-formed XML document. Output: the pairs of a memory, and the number of skipped units and
//! pairs. The document type is ignored, and its entities are not resolved. See docs/service.md, "Translation memories".

use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::Range;

use quick_xml::escape::partial_escape;
use quick_xml::events::{BytesStart, Event};
use tulk_base::xml::referenced_char;

use super::languages::{self, have_same_base};
use super::memories::{MemoryPair, StoredMemory, segment_id};
use super::xml::XmlEvents;

/// A memory can have the target languages of this resource.
const RESOURCE: &str = "translate_text";
/// Source language of a file in which every language can be the source.
const ANY_LANGUAGE: &str = "*all*";

#[derive(Debug, Default, PartialEq, Eq)]
pub struct TmxContent {
    /// Base code of the source language, in lower case.
    pub source_language: String,
    /// Codes of the target languages in lower case, in the order of the file.
    pub target_languages: Vec<String>,
    pub pairs: Vec<MemoryPair>,
    /// Number of units without a source or a target, plus repeated pairs.
    pub skipped: u64,
}

/// Parses a well-formed document. Fails with a reason if it is not TMX or has no usable unit.
pub fn read(text: &str) -> Result<TmxContent, String> {
    let mut reader = TmxReader { text, ..TmxReader::default() };
    let mut events = XmlEvents::new(text);
    loop {
        let (event, range) = events.next().map_err(|error| format!("The file is not well-formed XML: {error}."))?;
        match event {
            Event::Start(tag) => reader.open(&tag, false)?,
            Event::Empty(tag) => reader.open(&tag, true)?,
            Event::End(tag) => reader.close(tag.local_name().as_ref()),
            Event::Eof => break,
            event => reader.add(&event, range),
        }
    }
    let content = reader.content;
    if content.pairs.is_empty() {
        return Err("The file has no unit with a source and a target.".to_owned());
    }
    Ok(content)
}

#[derive(Default)]
struct TmxReader<'a> {
    text: &'a str,
    has_root: bool,
    /// Code of the source language, as written in the file.
    source: Option<String>,
    /// Languages and texts of the current unit.
    unit_texts: Vec<(String, String)>,
    variant_language: String,
    segment: Option<String>,
    known_pairs: HashSet<(String, String, String)>,
    content: TmxContent,
}

impl TmxReader<'_> {
    fn open(&mut self, tag: &BytesStart, is_empty: bool) -> Result<(), String> {
        let name = tag.local_name();
        if !self.has_root {
            self.has_root = true;
            let version = attribute(tag, "version").unwrap_or_else(|| "1.4".to_owned());
            return match name.as_ref() {
                "tmx" if version.starts_with("1.") => Ok(()),
                "tmx" => Err(format!("TMX version '{version}' is not supported.")),
                name => Err(format!("The file is not TMX: its root element is '{name}'.")),
            };
        }
        match name.as_ref() {
            "header" => self.source = source_language(tag),
            // If the header allows every source language, the first unit or variant that names one determines it.
            "tu" if self.source.is_none() => self.source = source_language(tag),
            "tuv" => {
                self.variant_language =
                    attribute(tag, "xml:lang").or_else(|| attribute(tag, "lang")).unwrap_or_default();
                if self.source.is_none() && !self.variant_language.is_empty() {
                    self.source = Some(self.variant_language.clone());
                }
            }
            "seg" if !is_empty => self.segment = Some(String::new()),
            _ => {}
        }
        if is_empty && name.as_ref() == "tu" {
            self.close("tu");
        }
        Ok(())
    }

    /// Drops inline tags, but keeps the text inside them.
    fn add(&mut self, event: &Event, range: Range<usize>) {
        let Some(segment) = &mut self.segment else { return };
        let source = self.text.get(range).unwrap_or_default();
        match event {
            Event::Text(_) => segment.push_str(source),
            Event::CData(data) => segment.push_str(data),
            Event::GeneralRef(name) => match referenced_char(name) {
                Some(c) => segment.push(c),
                None => segment.push_str(source),
            },
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "seg" => {
                let text = self.segment.take().unwrap_or_default().replace("\r\n", "\n");
                if !text.trim().is_empty() && !self.variant_language.is_empty() {
                    self.unit_texts.push((self.variant_language.clone(), text));
                }
            }
            "tu" => self.end_unit(),
            _ => {}
        }
    }

    fn end_unit(&mut self) {
        let mut unit = std::mem::take(&mut self.unit_texts);
        let source = self.source.clone().unwrap_or_default();
        let exact = unit.iter().position(|(lang, _)| lang.eq_ignore_ascii_case(&source));
        let index = exact.or_else(|| unit.iter().position(|(lang, _)| have_same_base(lang, &source)));
        let Some((source_lang, text)) = index.map(|index| unit.remove(index)) else {
            self.content.skipped += 1;
            return;
        };
        unit.retain(|(lang, _)| !lang.eq_ignore_ascii_case(&source_lang));
        if unit.is_empty() {
            self.content.skipped += 1;
        }
        self.content.source_language = languages::base_code(&source).to_ascii_lowercase();
        for (lang, target) in unit {
            let lang = target_language(&lang);
            if !self.known_pairs.insert((text.clone(), lang.clone(), target.clone())) {
                self.content.skipped += 1;
                continue;
            }
            if !self.content.target_languages.contains(&lang) {
                self.content.target_languages.push(lang.clone());
            }
            self.content.pairs.push(MemoryPair { source: text.clone(), target_lang: lang, target });
        }
    }
}

/// Returns the source language that an element names, unless it is `*all*`.
fn source_language(tag: &BytesStart) -> Option<String> {
    attribute(tag, "srclang").filter(|code| !code.is_empty() && !code.eq_ignore_ascii_case(ANY_LANGUAGE))
}

/// Returns an attribute with underscores replaced by hyphens.
fn attribute(tag: &BytesStart, name: &str) -> Option<String> {
    Some(tag.try_get_attribute(name).ok()??.value.trim().replace('_', "-"))
}

/// Returns the code of a target language: the variant if the sandbox supports it, or else the base language.
fn target_language(code: &str) -> String {
    let known = languages::find_target(RESOURCE, code).map(|(language, _)| language.lang);
    known.unwrap_or_else(|| languages::base_code(code)).to_ascii_lowercase()
}

/// Writes a memory as TMX 1.4.
pub fn write(memory: &StoredMemory, out: &mut impl Write) -> io::Result<()> {
    let source = languages::base_code(&memory.source_language);
    let version = env!("CARGO_PKG_VERSION");
    writeln!(
        out,
        r#"<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4">
  <header creationtool="tulk sandbox" creationtoolversion="{version}" segtype="sentence" o-tmf="tulk" adminlang="en" srclang="{}" datatype="plaintext"/>
  <body>"#,
        escaped(source)
    )?;
    for (at, segment) in memory.segments.iter().enumerate() {
        writeln!(out, r#"    <tu tuid="{}">"#, segment_id(at))?;
        let targets = segment.targets.iter().map(|target| (target.lang.as_str(), target.text.as_str()));
        for (lang, text) in std::iter::once((source, segment.source.as_str())).chain(targets) {
            writeln!(out, r#"      <tuv xml:lang="{}"><seg>{}</seg></tuv>"#, escaped(lang), escaped(text))?;
        }
        writeln!(out, "    </tu>")?;
    }
    writeln!(out, "  </body>\n</tmx>")
}

/// Escapes a text for XML and drops control characters, except tabs and line breaks.
fn escaped(text: &str) -> String {
    let is_xml = |c: &char| !c.is_control() || ['\t', '\n', '\r'].contains(c);
    partial_escape(text.chars().filter(is_xml).collect::<String>()).replace('\r', "&#13;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tmx(header: &str, units: &str) -> String {
        format!(r#"<?xml version="1.0"?><tmx version="1.4"><header {header}/><body>{units}</body></tmx>"#)
    }

    fn shown(text: &str) -> (String, Vec<String>, u64) {
        let content = read(text).unwrap();
        let languages = format!("{} {}", content.source_language, content.target_languages.join(","));
        let pairs = content.pairs.iter().map(|pair| format!("{}|{}|{}", pair.source, pair.target_lang, pair.target));
        (languages, pairs.collect(), content.skipped)
    }

    #[test]
    fn reads_variants_of_languages_and_inline_tags() {
        let units = r#"<tu><note>x</note>
            <tuv xml:lang="EN-us"><prop type="a">b</prop><seg>Press <bpt i="1"/><hi>Start</hi>&#33;</seg></tuv>
            <tuv lang="de_AT"><seg><![CDATA[<Start>]]> gedrückt</seg></tuv>
            <tuv xml:lang="pt-BR"><seg>a &co; b</seg></tuv></tu>"#;
        let expected = ["Press Start!|de|<Start> gedrückt", "Press Start!|pt-br|a &co; b"].map(str::to_owned).to_vec();
        assert_eq!(shown(&tmx(r#"srclang="en-US""#, units)), ("en de,pt-br".to_owned(), expected, 0));
    }

    #[test]
    fn the_first_unit_sets_the_source_language_if_the_header_allows_any() {
        let variants = r#"<tuv xml:lang="fr"><seg>un</seg></tuv><tuv xml:lang="de"><seg>eins</seg></tuv>"#;
        for (attribute, expected) in [("", "fr de"), (r#"srclang="de""#, "de fr")] {
            let unit = format!("<tu {attribute}>{variants}</tu>");
            assert_eq!(shown(&tmx(r#"srclang="*all*""#, &unit)).0, expected);
        }
    }

    #[test]
    fn skips_and_counts_what_it_cannot_use() {
        let units = r#"<tu><tuv xml:lang="en"><seg>one</seg></tuv><tuv xml:lang="de"><seg>eins</seg></tuv></tu>
            <tu><tuv xml:lang="en"><seg>one</seg></tuv><tuv xml:lang="de-AT"><seg>eins</seg></tuv></tu>
            <tu><tuv xml:lang="en"><seg>two</seg></tuv><tuv xml:lang="de"><seg> </seg></tuv></tu>
            <tu><tuv xml:lang="de"><seg>drei</seg></tuv><tuv xml:lang="fr"><seg>trois</seg></tuv></tu><tu/>"#;
        let (languages, pairs, skipped) = shown(&tmx(r#"srclang="en""#, units));
        assert_eq!((languages.as_str(), pairs, skipped), ("en de", vec!["one|de|eins".to_owned()], 4));
    }

    #[test]
    fn says_why_a_file_is_not_used() {
        for (text, why) in [
            ("<xliff/>".to_owned(), "The file is not TMX: its root element is 'xliff'."),
            (r#"<tmx version="2.0"/>"#.to_owned(), "TMX version '2.0' is not supported."),
            (tmx(r#"srclang="en""#, "<tu/>"), "The file has no unit with a source and a target."),
        ] {
            assert_eq!(read(&text), Err(why.to_owned()));
        }
    }

    #[test]
    fn reads_what_it_writes() {
        let content = read(&tmx(
            r#"srclang="en""#,
            r#"<tu><tuv xml:lang="en"><seg>a &lt;b&gt; "c" &amp;amp;</seg></tuv><tuv xml:lang="de"><seg>x&#13;y</seg></tuv></tu>"#,
        ));
        let content = content.unwrap();
        let memory = StoredMemory {
            translation_memory_id: String::new(),
            name: String::new(),
            source_language: content.source_language.clone(),
            target_languages: content.target_languages.clone(),
            segments: crate::memories::group_by_source(content.pairs.iter().cloned()),
            segment_count: 1,
            creation_time: None,
            updated_time: None,
        };
        let mut written = Vec::new();
        write(&memory, &mut written).unwrap();
        assert_eq!(read(&String::from_utf8(written).unwrap()), Ok(content));
    }
}
