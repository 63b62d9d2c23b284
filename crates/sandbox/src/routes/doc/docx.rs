//! A small docx file with one paragraph, for results that are converted to docx, and the watermark of docx results.

use std::io::{self, Write as _};
use std::path::Path;

use quick_xml::escape::escape;
use quick_xml::events::Event;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::xml::XmlEvents;

/// The parts besides the text: what the other parts are, and where the text is.
const PARTS: [(&str, &str); 2] = [
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

/// What a document with a watermark says.
const WATERMARK: &str = "This document was machine-translated.";

/// Writes a document with one paragraph, after a watermark if it is asked for.
pub(super) fn write(path: &Path, paragraph: &str, watermark: bool) -> io::Result<()> {
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
         <w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">\
         <w:body><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:body></w:document>",
        escape(paragraph)
    );
    let text = if watermark { with_watermark(text) } else { text };
    let mut archive = ZipWriter::new(io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in PARTS.into_iter().chain([("word/document.xml", text.as_str())]) {
        archive.start_file(name, options)?;
        archive.write_all(content.as_bytes())?;
    }
    std::fs::write(path, archive.finish()?.into_inner())
}

/// Returns the text part of a document with the watermark as its first paragraph.
///
/// A part without a body is returned unchanged.
pub(super) fn with_watermark(mut xml: String) -> String {
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
    use super::*;
    use std::io::Read as _;

    #[test]
    fn the_archive_contains_the_parts_of_a_document() {
        let file = tempfile::NamedTempFile::new().unwrap();
        write(file.path(), "a < b", false).unwrap();
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
