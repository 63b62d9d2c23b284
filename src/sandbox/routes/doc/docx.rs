//! A small docx file with one paragraph, for results that are converted to docx.

use std::io::{self, Write as _};
use std::path::Path;

use quick_xml::escape::escape;
use zip::write::{SimpleFileOptions, ZipWriter};

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

/// Writes a document with one paragraph.
pub(super) fn write(path: &Path, paragraph: &str) -> io::Result<()> {
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
         <w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">\
         <w:body><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:body></w:document>",
        escape(paragraph)
    );
    let mut archive = ZipWriter::new(io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in PARTS.into_iter().chain([("word/document.xml", text.as_str())]) {
        archive.start_file(name, options)?;
        archive.write_all(content.as_bytes())?;
    }
    std::fs::write(path, archive.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn the_archive_contains_the_parts_of_a_document() {
        let file = tempfile::NamedTempFile::new().unwrap();
        write(file.path(), "a < b").unwrap();
        let mut archive = zip::ZipArchive::new(file.reopen().unwrap()).unwrap();
        let mut names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        names.sort();
        assert_eq!(names, ["[Content_Types].xml", "_rels/.rels", "word/document.xml"]);
        let mut text = String::new();
        archive.by_name("word/document.xml").unwrap().read_to_string(&mut text).unwrap();
        assert!(text.contains("<w:t>a &lt; b</w:t>"), "{text}");
    }
}
