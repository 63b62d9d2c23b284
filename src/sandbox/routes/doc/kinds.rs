//! The file types that documents may have. Spec: "Documents", file types.

/// A type, by the ending of a file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Docx,
    Doc,
    Pptx,
    Xlsx,
    Pdf,
    Html,
    Txt,
    Xliff,
    Srt,
    Jpeg,
    Png,
}

impl Kind {
    /// The type of a file name; `None` for what is not taken.
    pub(super) fn of(filename: &str) -> Option<Self> {
        let (stem, ending) = filename.rsplit_once('.')?;
        if stem.is_empty() {
            return None;
        }
        Some(match ending.to_ascii_lowercase().as_str() {
            "docx" => Self::Docx,
            "doc" => Self::Doc,
            "pptx" => Self::Pptx,
            "xlsx" => Self::Xlsx,
            "pdf" => Self::Pdf,
            "htm" | "html" => Self::Html,
            "txt" => Self::Txt,
            "xlf" | "xliff" => Self::Xliff,
            "srt" => Self::Srt,
            "jpeg" | "jpg" => Self::Jpeg,
            "png" => Self::Png,
            _ => return None,
        })
    }

    /// The media type of a result.
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
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
        }
    }

    /// Whether it is billed as 50,000 characters at least.
    pub(super) const fn is_office(self) -> bool {
        matches!(self, Self::Docx | Self::Doc | Self::Pptx | Self::Xlsx | Self::Pdf)
    }

    /// Whether it is free of charge.
    pub(super) const fn is_image(self) -> bool {
        matches!(self, Self::Jpeg | Self::Png)
    }

    /// The most bytes of the types that are held in memory. Others pass at any size: limits of theirs depend on a plan.
    pub(super) const fn size_max(self) -> Option<usize> {
        match self {
            Self::Html => Some(5_000_000),
            Self::Xliff => Some(10_000_000),
            Self::Srt => Some(150_000),
            _ => None,
        }
    }
}
