//! The file types of documents: their media types, sizes and prices. See docs/service.md, "Documents".

/// A file type, by the extension of the file name.
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
}

impl DocumentType {
    /// Returns the type of a file, or `None` if the extension is not supported.
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
            _ => return None,
        })
    }

    /// Returns the media type of a result.
    pub(super) const fn media_type(self) -> &'static str {
        match self {
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Doc => "application/msword",
            Self::Pptx => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Pdf => "application/pdf",
            Self::Html => "text/html",
            Self::Txt => "text/plain",
            Self::Xliff => "application/xliff+xml",
            Self::Srt => "application/x-subrip",
            Self::Idml => "application/vnd.adobe.indesign-idml-package",
            Self::Xml => "application/xml",
            Self::Json => "application/json",
            Self::Dita => "application/dita+xml",
            Self::Mif => "application/vnd.mif",
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
        }
    }

    /// Returns whether at least 50,000 characters are billed.
    pub(super) const fn is_office(self) -> bool {
        matches!(self, Self::Docx | Self::Doc | Self::Pptx | Self::Xlsx | Self::Pdf)
    }

    /// Returns whether the number of characters is estimated from the size if nothing was translated.
    pub(super) const fn is_estimated(self) -> bool {
        self.is_office() || matches!(self, Self::Idml | Self::Dita | Self::Mif)
    }

    /// Returns whether the file is an image, which is free of charge.
    pub(super) const fn is_image(self) -> bool {
        matches!(self, Self::Jpeg | Self::Png)
    }

    /// Returns the maximum size in bytes of a type that is held in memory.
    ///
    /// Other types have no limit here: theirs depends on the plan of the account. The service publishes none for XML and
    /// JSON; here they have the one of XLIFF.
    pub(super) const fn size_max(self) -> Option<usize> {
        match self {
            Self::Html => Some(5_000_000),
            Self::Xliff | Self::Xml | Self::Json => Some(10_000_000),
            Self::Srt => Some(150_000),
            _ => None,
        }
    }
}
