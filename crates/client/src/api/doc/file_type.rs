//! The file types of documents, by the extension of the file name: which are supported, and what is known about them.
//!
//! The service decides what is in a file. See `docs/service.md`, "Documents".

use tulk_base::limits;

/// Supported file name extensions, each with the maximum size in bytes under the paid plan, if it is published.
const TYPES: [(&str, Option<u64>); 19] = [
    ("docx", Some(limits::DOCUMENT_OFFICE_BYTES)),
    ("doc", Some(limits::DOCUMENT_OFFICE_BYTES)),
    ("pptx", Some(limits::DOCUMENT_OFFICE_BYTES)),
    ("xlsx", Some(limits::DOCUMENT_OFFICE_BYTES)),
    ("pdf", Some(limits::DOCUMENT_OFFICE_BYTES)),
    ("htm", Some(limits::DOCUMENT_HTML_BYTES)),
    ("html", Some(limits::DOCUMENT_HTML_BYTES)),
    ("txt", Some(limits::DOCUMENT_TXT_BYTES)),
    ("xlf", Some(limits::DOCUMENT_XLIFF_BYTES)),
    ("xliff", Some(limits::DOCUMENT_XLIFF_BYTES)),
    ("srt", Some(limits::DOCUMENT_SRT_BYTES)),
    ("idml", None),
    ("xml", None),
    ("json", None),
    ("dita", None),
    ("mif", None),
    ("jpeg", Some(limits::DOCUMENT_IMAGE_BYTES)),
    ("jpg", Some(limits::DOCUMENT_IMAGE_BYTES)),
    ("png", Some(limits::DOCUMENT_IMAGE_BYTES)),
];

/// Returns the extension of a file name in lower case, without the dot; empty if there is none.
pub fn extension(filename: &str) -> String {
    match filename.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && !extension.contains(['/', '\\']) => {
            extension.to_ascii_lowercase()
        }
        _ => String::new(),
    }
}

/// Returns the supported file name extensions.
pub fn extensions() -> impl Iterator<Item = &'static str> {
    TYPES.iter().map(|(extension, _)| *extension)
}

/// Returns whether the service translates files of this type.
pub fn is_supported(filename: &str) -> bool {
    let extension = extension(filename);
    extensions().any(|known| known == extension)
}

/// Returns the maximum size in bytes under the paid plan; `None` if it is not published.
pub fn size_limit(filename: &str) -> Option<u64> {
    let extension = extension(filename);
    TYPES.iter().find(|(known, _)| *known == extension).and_then(|(_, bytes)| *bytes)
}

/// Returns the extension of the result: the output format, `docx` for a `doc`, else the extension of the source.
pub fn result_extension(filename: &str, output_format: Option<&str>) -> String {
    match (output_format, extension(filename)) {
        (Some(format), _) => format.trim_start_matches('.').to_ascii_lowercase(),
        (None, extension) if extension == "doc" => "docx".to_owned(),
        (None, _) => filename.rsplit_once('.').map(|(_, extension)| extension.to_owned()).unwrap_or_default(),
    }
}

/// Returns whether a result of this type is text, with or without markup.
pub fn is_text_result(filename: &str, output_format: Option<&str>) -> bool {
    let extension = result_extension(filename, output_format).to_ascii_lowercase();
    matches!(extension.as_str(), "txt" | "htm" | "html" | "srt" | "xlf" | "xliff" | "xml" | "json" | "dita" | "mif")
}

/// Returns whether the service marks a result of this type as machine-translated when asked to.
pub fn can_have_watermark(filename: &str, output_format: Option<&str>) -> bool {
    matches!(result_extension(filename, output_format).to_ascii_lowercase().as_str(), "docx" | "pdf")
}

/// Returns whether a document of this type is billed as at least 50,000 characters.
pub fn has_minimum_billing(filename: &str) -> bool {
    matches!(extension(filename).as_str(), "docx" | "doc" | "pptx" | "xlsx" | "pdf")
}

/// Returns whether a document of this type is text without markup.
pub fn is_plain_text(filename: &str) -> bool {
    extension(filename) == "txt"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_of_the_result_follows_from_the_source_and_the_output_format() {
        assert_eq!(result_extension("a.pdf", Some("docx")), "docx");
        assert_eq!(result_extension("a.doc", None), "docx");
        assert_eq!(result_extension("a.HTM", None), "HTM");
    }

    #[test]
    fn sizes_are_limited_where_limits_are_published() {
        assert_eq!(size_limit("a.SRT"), Some(150_000));
        for filename in ["a.idml", "a.xml", "a.json", "a.dita", "a.mif", "a.odt"] {
            assert_eq!(size_limit(filename), None, "{filename}");
        }
    }

    #[test]
    fn only_docx_and_pdf_results_can_have_a_watermark() {
        for (filename, output_format) in
            [("a.docx", None), ("a.DOC", None), ("a.pdf", None), ("a.PDF", Some("docx")), ("a.pdf", Some(".PDF"))]
        {
            assert!(can_have_watermark(filename, output_format), "{filename}");
        }
        for filename in ["a.txt", "a.idml", "a.pptx", "docx", "a"] {
            assert!(!can_have_watermark(filename, None), "{filename}");
        }
    }
}
