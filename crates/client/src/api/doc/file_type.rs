//! File types of documents, by file name extension: which ones tulk knows, their size limits and how they are billed.
//! See `docs/service.md`, "Documents".

use tulk_base::limits::{
    DOCUMENT_IMAGE, DOCUMENT_LARGE, DOCUMENT_MEDIUM, DOCUMENT_PAGE, DOCUMENT_SUBTITLES, DOCUMENT_TEXT, DOCUMENT_XML,
    DocumentSizes,
};

/// Supported extensions, with the maximum size in the free and in paid plans.
const TYPES: [(&str, DocumentSizes); 31] = [
    ("docx", DOCUMENT_LARGE),
    ("doc", DOCUMENT_LARGE),
    ("pptx", DOCUMENT_LARGE),
    ("xlsx", DOCUMENT_MEDIUM),
    ("xlsm", DOCUMENT_MEDIUM),
    ("pdf", DOCUMENT_LARGE),
    ("htm", DOCUMENT_PAGE),
    ("html", DOCUMENT_PAGE),
    ("txt", DOCUMENT_TEXT),
    ("md", DOCUMENT_PAGE),
    ("markdown", DOCUMENT_PAGE),
    ("xlf", DOCUMENT_XML),
    ("xliff", DOCUMENT_XML),
    ("srt", DOCUMENT_SUBTITLES),
    ("vtt", DOCUMENT_SUBTITLES),
    ("idml", DOCUMENT_MEDIUM),
    ("xml", DOCUMENT_XML),
    ("json", DOCUMENT_TEXT),
    ("yaml", DOCUMENT_TEXT),
    ("yml", DOCUMENT_TEXT),
    ("properties", DOCUMENT_TEXT),
    ("strings", DOCUMENT_TEXT),
    ("dita", DOCUMENT_PAGE),
    ("mif", DOCUMENT_MEDIUM),
    ("zip", DOCUMENT_LARGE),
    ("odt", DOCUMENT_LARGE),
    ("rtf", DOCUMENT_MEDIUM),
    ("resx", DOCUMENT_XML),
    ("jpeg", DOCUMENT_IMAGE),
    ("jpg", DOCUMENT_IMAGE),
    ("png", DOCUMENT_IMAGE),
];

/// Returns the extension of a file name in lower case, without the dot. Empty if there is none.
pub fn extension(filename: &str) -> String {
    match filename.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && !extension.contains(['/', '\\']) => {
            extension.to_ascii_lowercase()
        }
        _ => String::new(),
    }
}

/// Returns the supported extensions, separated by commas.
pub fn list() -> String {
    TYPES.map(|(extension, _)| extension).join(", ")
}

/// Returns whether tulk knows this file type.
pub fn is_supported(filename: &str) -> bool {
    sizes(filename).is_some()
}

/// Returns the maximum size in bytes in the free plan or in a paid plan. `None` for an unknown type.
pub fn size_limit(filename: &str, is_free_plan: bool) -> Option<u64> {
    sizes(filename).map(|(free, paid)| if is_free_plan { free } else { paid })
}

fn sizes(filename: &str) -> Option<DocumentSizes> {
    let extension = extension(filename);
    TYPES.iter().find(|(known, _)| *known == extension).map(|(_, sizes)| *sizes)
}

/// Returns the extension of the result: the output format if given, `docx` for a `doc`, else the extension of the source.
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
    let is_plain = matches!(extension.as_str(), "txt" | "md" | "markdown" | "srt" | "vtt" | "properties" | "strings");
    let has_structure = matches!(extension.as_str(), "htm" | "html" | "xml" | "json" | "yaml" | "yml" | "mif");
    is_plain || has_structure || matches!(extension.as_str(), "xlf" | "xliff" | "dita" | "resx")
}

/// Returns whether the service can mark a result of this type as machine-translated.
pub fn can_have_watermark(filename: &str, output_format: Option<&str>) -> bool {
    matches!(result_extension(filename, output_format).to_ascii_lowercase().as_str(), "docx" | "pdf")
}

/// Returns whether a document of this type is billed as at least 50,000 characters.
pub fn has_minimum_billing(filename: &str) -> bool {
    matches!(extension(filename).as_str(), "docx" | "doc" | "pptx" | "xlsx" | "pdf")
}

/// Returns whether documents of this type are free while they are in beta.
pub fn is_free_in_beta(filename: &str) -> bool {
    matches!(extension(filename).as_str(), "jpeg" | "jpg" | "png" | "odt" | "rtf" | "resx")
}

/// Returns whether a document of this type is text without markup.
pub fn is_plain_text(filename: &str) -> bool {
    extension(filename) == "txt"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_and_output_format_determine_the_extension_of_the_result() {
        assert_eq!(result_extension("a.pdf", Some("docx")), "docx");
        assert_eq!(result_extension("a.doc", None), "docx");
        assert_eq!(result_extension("a.HTM", None), "HTM");
    }

    #[test]
    fn type_and_plan_determine_the_maximum_size() {
        for (filename, free, paid) in [
            ("a.SRT", 150_000, 150_000),
            ("a.vtt", 150_000, 150_000),
            ("a.json", 1_000_000, 1_000_000),
            ("a.dita", 5_000_000, 5_000_000),
            ("a.resx", 10_000_000, 10_000_000),
            ("a.xlsm", 10_000_000, 30_000_000),
            ("a.zip", 10_000_000, 100_000_000),
            ("a.pdf", 10_000_000, 100_000_000),
        ] {
            assert_eq!(
                (size_limit(filename, true), size_limit(filename, false)),
                (Some(free), Some(paid)),
                "{filename}"
            );
        }
        assert_eq!(size_limit("a.new", false), None);
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
