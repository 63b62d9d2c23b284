//! SubRip subtitles: numbers and times stay, the lines of each cue are translated.

use std::path::Path;

use super::translator::{DocumentError, DocumentTranslator, read_text};
use crate::markup::MarkupSyntax;

pub(super) const SYNTAX: MarkupSyntax = MarkupSyntax::Html;

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
pub(super) fn translate(translator: &DocumentTranslator, source: &Path, result: &Path) -> Result<u64, DocumentError> {
    let text = read_text(source)?;
    let mut out = String::with_capacity(text.len() * 2);
    let (mut count, mut cues, mut sample) = (0, 0, String::new());
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
                sample.push_str(content);
                sample.push('\n');
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
    translator.refuse_same_language(&sample)?;
    std::fs::write(result, out)?;
    Ok(count)
}
