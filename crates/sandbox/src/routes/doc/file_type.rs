//! File types of documents: media types, size limits and billing. See docs/service.md, "Documents".

/// Type of a document, chosen by its file name extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DocumentType {
    Docx,
    Doc,
    Pptx,
    Xlsx,
    Pdf,
    Html,
    Txt,
    Xliff,
    Srt,
    Idml,
    Xml,
    Json,
    Dita,
    Mif,
    Jpeg,
    Png,
    Xlsm,
    Md,
    Vtt,
    Yaml,
    Properties,
    Strings,
    Zip,
    Odt,
    Rtf,
    Resx,
}

impl DocumentType {
    /// Returns `None` if the extension is not supported.
    pub(super) fn from_filename(filename: &str) -> Option<Self> {
        let (stem, extension) = filename.rsplit_once('.')?;
        if stem.is_empty() {
            return None;
        }
        Some(match extension.to_ascii_lowercase().as_str() {
            "docx" => Self::Docx,
            "doc" => Self::Doc,
            "pptx" => Self::Pptx,
            "xlsx" => Self::Xlsx,
            "pdf" => Self::Pdf,
            "htm" | "html" => Self::Html,
            "txt" => Self::Txt,
            "xlf" | "xliff" => Self::Xliff,
            "srt" => Self::Srt,
            "idml" => Self::Idml,
            "xml" => Self::Xml,
            "json" => Self::Json,
            "dita" => Self::Dita,
            "mif" => Self::Mif,
            "jpeg" | "jpg" => Self::Jpeg,
            "png" => Self::Png,
            "xlsm" => Self::Xlsm,
            "md" | "markdown" => Self::Md,
            "vtt" => Self::Vtt,
            "yaml" | "yml" => Self::Yaml,
            "properties" => Self::Properties,
            "strings" => Self::Strings,
            "zip" => Self::Zip,
            "odt" => Self::Odt,
            "rtf" => Self::Rtf,
            "resx" => Self::Resx,
            _ => return None,
        })
    }

    pub(super) const fn media_type(self) -> &'static str {
        match self {
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Doc => "application/msword",
            Self::Pptx => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Pdf => "application/pdf",
            Self::Html => "text/html",
            Self::Txt | Self::Properties | Self::Strings => "text/plain",
            Self::Xliff => "application/xliff+xml",
            Self::Srt => "application/x-subrip",
            Self::Idml => "application/vnd.adobe.indesign-idml-package",
            Self::Xml => "application/xml",
            Self::Json => "application/json",
            Self::Dita => "application/dita+xml",
            Self::Mif => "application/vnd.mif",
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Xlsm => "application/vnd.ms-excel.sheet.macroEnabled.12",
            Self::Md => "text/markdown",
            Self::Vtt => "text/vtt",
            Self::Yaml => "application/yaml",
            Self::Zip => "application/zip",
            Self::Odt => "application/vnd.oasis.opendocument.text",
            Self::Rtf => "application/rtf",
            Self::Resx => "application/x-microsoft-resx",
        }
    }

    /// Returns whether at least 50,000 characters are billed for a document of this type.
    pub(super) const fn is_office_or_pdf(self) -> bool {
        matches!(self, Self::Docx | Self::Doc | Self::Pptx | Self::Xlsx | Self::Pdf)
    }

    /// Returns whether the characters are estimated from the file size if nothing was translated.
    pub(super) const fn is_estimated(self) -> bool {
        self.is_office_or_pdf() || matches!(self, Self::Idml | Self::Dita | Self::Mif | Self::Xlsm | Self::Zip)
    }

    /// Returns whether this type is in beta and therefore free of charge.
    pub(super) const fn is_beta(self) -> bool {
        matches!(self, Self::Jpeg | Self::Png | Self::Odt | Self::Rtf | Self::Resx)
    }

    /// Returns whether the quality of the translation can be evaluated. XLIFF must be version 2.1.
    pub(super) const fn can_be_evaluated(self) -> bool {
        let is_office = matches!(self, Self::Docx | Self::Pptx | Self::Pdf);
        is_office || matches!(self, Self::Idml | Self::Xml | Self::Dita | Self::Mif | Self::Xliff | Self::Srt)
    }

    /// Returns the maximum size in bytes, as in a paid plan.
    pub(super) const fn size_max(self) -> u64 {
        match self {
            Self::Docx | Self::Doc | Self::Pptx | Self::Pdf | Self::Zip | Self::Odt => 100_000_000,
            Self::Xlsx | Self::Xlsm | Self::Idml | Self::Mif | Self::Rtf => 30_000_000,
            Self::Xml | Self::Xliff | Self::Resx => 10_000_000,
            Self::Html | Self::Md | Self::Dita => 5_000_000,
            Self::Jpeg | Self::Png => 3_000_000,
            Self::Txt | Self::Json | Self::Yaml | Self::Properties | Self::Strings => 1_000_000,
            Self::Srt | Self::Vtt => 150_000,
        }
    }
}
