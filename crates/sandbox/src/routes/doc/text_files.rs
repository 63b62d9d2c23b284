//! Text files: plain text, HTML and SubRip subtitles.
//!
//! Of HTML, the words of a page are translated; tags, comments, scripts and style sheets stay. Of subtitles, numbers and times stay, the
//! lines of each cue are translated.

use std::path::Path;

use super::translation::{DocumentError, DocumentTranslator, read_text};

/// Translates plain text or a page and returns its characters.
pub(super) fn translate_text(
    translator: &DocumentTranslator,
    source: &Path,
    result: &Path,
) -> Result<u64, DocumentError> {
    let text = read_text(source)?;
    translator.refuse_same_language([&text])?;
    std::fs::write(result, translator.translate(&text))?;
    Ok(translator.characters(&text))
}

/// The part of a cue that was read last.
#[derive(PartialEq)]
enum CuePart {
    /// The blank line before a cue.
    Gap,
    Number,
    /// The times or a line of text.
    Text,
}

/// Translates a subtitle file and returns its characters.
pub(super) fn translate_srt(
    translator: &DocumentTranslator,
    source: &Path,
    result: &Path,
) -> Result<u64, DocumentError> {
    let text = read_text(source)?;
    let mut out = String::with_capacity(text.len() * 2);
    let (mut count, mut cues, mut lines) = (0, 0, Vec::new());
    let mut part = CuePart::Gap;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let content = line.trim_end_matches(['\n', '\r']);
        let (content, line_end) = line.split_at(content.len());
        let trimmed = content.trim().trim_start_matches('\u{feff}');
        part = match part {
            _ if trimmed.is_empty() => CuePart::Gap,
            CuePart::Gap if trimmed.bytes().all(|b| b.is_ascii_digit()) => CuePart::Number,
            CuePart::Gap | CuePart::Number if trimmed.contains("-->") => {
                cues += 1;
                CuePart::Text
            }
            CuePart::Text => {
                count += translator.characters(content);
                lines.push(content);
                out.push_str(&translator.translate(content));
                out.push_str(line_end);
                continue;
            }
            CuePart::Gap | CuePart::Number => {
                return Err(DocumentError::document(format!("Line {} is not part of a subtitle.", number + 1)));
            }
        };
        out.push_str(line);
    }
    if cues == 0 {
        return Err(DocumentError::document("The file contains no subtitles."));
    }
    translator.refuse_same_language(lines)?;
    std::fs::write(result, out)?;
    Ok(count)
}
