//! Plain text, HTML and SubRip subtitles.
//!
//! In HTML, the visible text is translated; tags, comments, scripts and style sheets are kept. In subtitles, the lines
//! of each cue are translated; numbers and times are kept.

use std::path::Path;

use super::translation::{DocumentError, DocumentTranslator, read_text};

/// Returns the number of billed characters.
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

#[derive(PartialEq)]
enum CuePart {
    /// A blank line before a cue, or the start of the file.
    Gap,
    Number,
    /// The time line or a line of text.
    Text,
}

/// Returns the number of billed characters.
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
