//! docx, pptx, xlsx and xlsm: ZIP archives of XML parts, in which only text is translated.
//!
//! Parts without text are copied without recompressing them. In the other parts, only the content of text elements
//! changes. This module also writes docx files with a single paragraph, for other types that are converted to docx. See
//! docs/service.md, "Documents".

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;

use quick_xml::escape::{escape, partial_escape, unescape};
use quick_xml::events::Event;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::file_type::DocumentType;
use super::translation::{DocumentError, DocumentTranslator, SAMPLE_TEXTS, TextEdit, apply_edits};
use crate::xml::XmlEvents;

/// Maximum decompressed size of all parts with text, in bytes: a small archive can expand to any size.
const UNPACKED_BYTES_MAX: u64 = 64 * 1024 * 1024;
const PARTS_MAX: usize = 20_000;

struct OfficeFormat {
    /// Prefixes of part names, followed by `.xml` or by a number and `.xml`.
    parts: &'static [&'static str],
    elements: &'static [&'static str],
    skipped: &'static str,
}

const DOCX: OfficeFormat = OfficeFormat {
    parts: &["word/document", "word/header", "word/footer", "word/footnotes", "word/endnotes", "word/comments"],
    elements: &["w:t", "a:t"],
    skipped: "w:del",
};

const PPTX: OfficeFormat = OfficeFormat {
    parts: &["ppt/slides/slide", "ppt/notesSlides/notesSlide", "ppt/diagrams/data", "ppt/diagrams/drawing"],
    elements: &["a:t"],
    // Fields, such as slide numbers and dates.
    skipped: "a:fld",
};

const XLSX: OfficeFormat = OfficeFormat {
    parts: &["xl/sharedStrings", "xl/worksheets/sheet", "xl/comments", "xl/comments/comment"],
    elements: &["t", "x:t"],
    // Phonetic runs: the reading of ideographs.
    skipped: "rPh",
};

/// Returns the number of characters. Adds the watermark to a docx file if requested. Returns `None` if the file is not a ZIP
/// archive; the sandbox then returns it unchanged.
pub(super) fn translate(
    translator: &DocumentTranslator,
    file_type: DocumentType,
    watermark: bool,
    source: &Path,
    result: &Path,
) -> Result<Option<u64>, DocumentError> {
    let Some((mut archive, mut parts)) = open(file_type, source)? else { return Ok(None) };
    translator.refuse_same_language(parts.sample_texts(&mut archive)?)?;
    parts.bytes_left = UNPACKED_BYTES_MAX;
    let mut writer = ZipWriter::new(BufWriter::new(File::create(result)?));
    let mut characters = 0;
    for index in 0..archive.len() {
        let Some((name, xml)) = parts.read_text_part(&mut archive, index)? else {
            writer.raw_copy_file(archive.by_index_raw(index).map_err(archive_error)?).map_err(archive_error)?;
            continue;
        };
        let texts = parts.find_texts(&xml).map_err(|why| not_well_formed(&name, &why))?;
        let (translated, count) = translate_texts(translator, &xml, texts);
        characters += count;
        let is_main_part = name.starts_with("word/document");
        let translated = if watermark && is_main_part { with_watermark(translated) } else { translated };
        writer.start_file(name, SimpleFileOptions::default()).map_err(archive_error)?;
        writer.write_all(translated.as_bytes())?;
    }
    writer.finish().map_err(archive_error)?.flush()?;
    Ok(Some(characters))
}

/// Returns the first texts of a file, for language detection.
pub(super) fn sample_texts(file_type: DocumentType, source: &Path) -> Result<Vec<String>, DocumentError> {
    match open(file_type, source)? {
        Some((mut archive, mut parts)) => parts.sample_texts(&mut archive),
        None => Ok(Vec::new()),
    }
}

/// Opens the archive. Returns `None` for file types that are not translated and for files that are not ZIP archives.
fn open(file_type: DocumentType, source: &Path) -> Result<Option<(Archive, OfficeParts)>, DocumentError> {
    let format = match file_type {
        DocumentType::Docx => &DOCX,
        DocumentType::Pptx => &PPTX,
        DocumentType::Xlsx | DocumentType::Xlsm => &XLSX,
        _ => return Ok(None),
    };
    let mut start = Vec::new();
    File::open(source)?.take(2).read_to_end(&mut start)?;
    if start != b"PK" {
        return Ok(None);
    }
    let archive = ZipArchive::new(BufReader::new(File::open(source)?)).map_err(archive_error)?;
    if archive.len() > PARTS_MAX {
        return Err(DocumentError::document("The file has too many parts."));
    }
    Ok(Some((archive, OfficeParts { format, untranslated: HashSet::new(), bytes_left: UNPACKED_BYTES_MAX })))
}

type Archive = ZipArchive<BufReader<File>>;

struct OfficeParts {
    format: &'static OfficeFormat,
    /// Texts to leave alone: column names of tables, which formulas refer to.
    untranslated: HashSet<String>,
    /// Number of bytes that may still be decompressed.
    bytes_left: u64,
}

impl OfficeParts {
    /// Returns the first texts, and collects the texts to leave alone.
    fn sample_texts(&mut self, archive: &mut Archive) -> Result<Vec<String>, DocumentError> {
        let mut sample: Vec<String> = Vec::new();
        for index in 0..archive.len() {
            if part_name(archive, index)?.starts_with("xl/tables/") {
                let xml = self.read_xml(archive, index)?;
                self.untranslated.extend(column_names(&xml));
            } else if sample.len() < SAMPLE_TEXTS
                && let Some((name, xml)) = self.read_text_part(archive, index)?
            {
                let texts = self.find_texts(&xml).map_err(|why| not_well_formed(&name, &why))?;
                sample.extend(texts.into_iter().take(SAMPLE_TEXTS).map(|text| text.text));
            }
        }
        Ok(sample)
    }

    /// Returns the name and the XML of a part, or `None` if it contains no text.
    fn read_text_part(
        &mut self,
        archive: &mut Archive,
        index: usize,
    ) -> Result<Option<(String, String)>, DocumentError> {
        let name = part_name(archive, index)?;
        let is_numbered = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit());
        let number = |part: &&str| name.strip_prefix(*part)?.strip_suffix(".xml");
        if !self.format.parts.iter().filter_map(number).any(is_numbered) {
            return Ok(None);
        }
        Ok(Some((name, self.read_xml(archive, index)?)))
    }

    fn read_xml(&mut self, archive: &mut Archive, index: usize) -> Result<String, DocumentError> {
        let part = archive.by_index(index).map_err(archive_error)?;
        let mut xml = Vec::new();
        // The size in the header of the part may be wrong.
        part.take(self.bytes_left + 1).read_to_end(&mut xml).map_err(|error| archive_error(error.into()))?;
        self.bytes_left = self.bytes_left.checked_sub(xml.len() as u64).ok_or_else(|| {
            DocumentError::document(format!("The file has more than {UNPACKED_BYTES_MAX} bytes when it is unpacked."))
        })?;
        String::from_utf8(xml).map_err(|_| DocumentError::document("The file has a part that is not valid UTF-8."))
    }

    fn find_texts(&self, xml: &str) -> Result<Vec<TextEdit>, quick_xml::Error> {
        let mut events = XmlEvents::new(xml);
        let OfficeFormat { elements, skipped: outside, .. } = self.format;
        let (mut texts, mut start, mut skipped) = (Vec::new(), None, 0_usize);
        loop {
            let (event, range) = events.next()?;
            match event {
                Event::Start(tag) if tag.name().as_ref() == *outside => skipped += 1,
                Event::End(tag) if tag.name().as_ref() == *outside => skipped = skipped.saturating_sub(1),
                Event::Start(tag) if skipped == 0 && elements.contains(&tag.name().as_ref()) => {
                    start = Some(range.end);
                }
                Event::End(tag) if elements.contains(&tag.name().as_ref()) => {
                    let text = start.take().and_then(|start| self.text_between(xml, start, range.start));
                    texts.extend(text);
                }
                Event::Eof => return Ok(texts),
                _ => {}
            }
        }
    }

    /// Returns the unescaped text between two byte offsets; `None` if there is nothing to translate.
    fn text_between(&self, xml: &str, start: usize, end: usize) -> Option<TextEdit> {
        let raw = xml.get(start..end).filter(|raw| !raw.contains('<'))?;
        let text = unescape(raw).ok()?.into_owned();
        (!text.trim().is_empty() && !self.untranslated.contains(&text)).then_some(TextEdit { range: start..end, text })
    }
}

fn part_name(archive: &Archive, index: usize) -> Result<String, DocumentError> {
    let name = archive.name_for_index(index).transpose().map_err(archive_error)?;
    Ok(name.unwrap_or_default().into_owned())
}

/// Returns the new part and the number of billed characters.
fn translate_texts(translator: &DocumentTranslator, xml: &str, mut texts: Vec<TextEdit>) -> (String, u64) {
    let mut characters = 0;
    for TextEdit { text, .. } in &mut texts {
        characters += translator.characters(text);
        *text = partial_escape(translator.translate(text)).into_owned();
    }
    (apply_edits(xml, texts), characters)
}

fn column_names(xml: &str) -> Vec<String> {
    let mut events = XmlEvents::new(xml);
    let mut names = Vec::new();
    loop {
        match events.next() {
            Ok((Event::Start(tag) | Event::Empty(tag), _)) if tag.name().as_ref() == "tableColumn" => {
                let name = tag.attributes().flatten().find(|attribute| attribute.key.as_ref() == "name");
                names.extend(name.and_then(|name| Some(unescape(&name.value).ok()?.into_owned())));
            }
            // Ignore a broken table: it contains no text, and programs that open the file will report it.
            Ok((Event::Eof, _)) | Err(_) => return names,
            Ok(_) => {}
        }
    }
}

/// Blames the document if its archive is unreadable, and the sandbox if the result cannot be written.
fn archive_error(error: ZipError) -> DocumentError {
    use std::io::ErrorKind as Kind;
    match error {
        ZipError::Io(error) if matches!(error.kind(), Kind::StorageFull | Kind::FileTooLarge | Kind::QuotaExceeded) => {
            DocumentError::Sandbox(error.into())
        }
        error => DocumentError::document(format!("The file is not a valid office file: {error}.")),
    }
}

fn not_well_formed(name: &str, error: &quick_xml::Error) -> DocumentError {
    DocumentError::document(format!("The part {name} of the file is not well-formed XML: {error}."))
}

/// Parts of a minimal docx file besides the text: content types and relationships.
const DOCX_PARTS: [(&str, &str); 2] = [
    (
        "[Content_Types].xml",
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
         <Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
         <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
         <Override PartName=\"/word/document.xml\" ContentType=\
         \"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>",
    ),
    (
        "_rels/.rels",
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
         <Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
         <Relationship Id=\"rId1\" Type=\
         \"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" \
         Target=\"word/document.xml\"/></Relationships>",
    ),
];

const WATERMARK: &str = "This document was machine-translated.";

/// Writes a docx file with one paragraph, after the watermark if requested.
pub(super) fn write_docx(path: &Path, paragraph: &str, watermark: bool) -> io::Result<()> {
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
         <w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">\
         <w:body><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:body></w:document>",
        escape(paragraph)
    );
    let text = if watermark { with_watermark(text) } else { text };
    let mut archive = ZipWriter::new(io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in DOCX_PARTS.into_iter().chain([("word/document.xml", text.as_str())]) {
        archive.start_file(name, options)?;
        archive.write_all(content.as_bytes())?;
    }
    std::fs::write(path, archive.finish()?.into_inner())
}

/// Inserts the watermark as the first paragraph of a document part. Returns a part without a body unchanged.
fn with_watermark(mut xml: String) -> String {
    let mut events = XmlEvents::new(&xml);
    let mut found = None;
    while let Ok((event, range)) = events.next() {
        match event {
            Event::Start(tag) if tag.local_name().as_ref() == "body" => {
                let name = tag.name();
                let prefix = name.as_ref().strip_suffix("body").unwrap_or_default();
                let tags = ["p", "r", "t"].map(|name| format!("{prefix}{name}"));
                let [p, r, t] = &tags;
                found = Some((range.end, format!("<{p}><{r}><{t}>{WATERMARK}</{t}></{r}></{p}>")));
                break;
            }
            Event::Eof => break,
            _ => {}
        }
    }
    if let Some((at, paragraph)) = found {
        xml.insert_str(at, &paragraph);
    }
    xml
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn the_archive_contains_the_parts_of_a_document() {
        let file = tempfile::NamedTempFile::new().unwrap();
        write_docx(file.path(), "a < b", false).unwrap();
        let mut archive = zip::ZipArchive::new(file.reopen().unwrap()).unwrap();
        let mut names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        names.sort();
        assert_eq!(names, ["[Content_Types].xml", "_rels/.rels", "word/document.xml"]);
        let mut text = String::new();
        archive.by_name("word/document.xml").unwrap().read_to_string(&mut text).unwrap();
        assert!(text.contains("<w:body><w:p><w:r><w:t>a &lt; b</w:t></w:r></w:p></w:body>"), "{text}");
    }

    #[test]
    fn a_watermark_is_the_first_paragraph_of_the_body() {
        let marked = |xml: &str| with_watermark(xml.to_owned());
        assert_eq!(
            marked("<?xml version=\"1.0\"?><x:document><x:background/><x:body a='>'><x:p/></x:body></x:document>"),
            "<?xml version=\"1.0\"?><x:document><x:background/><x:body a='>'>\
             <x:p><x:r><x:t>This document was machine-translated.</x:t></x:r></x:p><x:p/></x:body></x:document>"
        );
        for unchanged in ["<w:document/>", "<w:document><w:body/></w:document>", "<w:t>"] {
            assert_eq!(marked(unchanged), unchanged);
        }
    }
}
