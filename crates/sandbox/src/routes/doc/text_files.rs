//! Text files: plain text, HTML and SubRip subtitles.
//!
//! Plain text is translated in pieces, so that a file of any size fits into memory. Of HTML, the words of a page are translated; tags,
//! comments, scripts and style sheets stay. Of subtitles, numbers and times stay, the lines of each cue are translated.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use super::translation::{DocumentError, DocumentTranslator, read_text};

/// Maximum size of a piece, in bytes; longer lines are split.
const PIECE_BYTES: u64 = 64 * 1024;
const BUFFER_BYTES: usize = 256 * 1024;

/// Translates a text file and returns its characters.
pub(super) fn translate_plain(
    translator: &DocumentTranslator,
    source: &Path,
    result: &Path,
) -> Result<u64, DocumentError> {
    let not_utf8 = || DocumentError::document("The file is not valid UTF-8.");
    let mut reader = BufReader::with_capacity(BUFFER_BYTES, File::open(source)?);
    let mut writer = BufWriter::with_capacity(BUFFER_BYTES, File::create(result)?);
    let mut piece = Vec::new();
    let (mut count, mut is_first) = (0, true);
    loop {
        // The last piece may have ended within a character, whose bytes are still here.
        let before = piece.len();
        reader.by_ref().take(PIECE_BYTES).read_until(b'\n', &mut piece)?;
        if piece.is_empty() {
            break;
        }
        let is_at_end = piece.len() == before;
        let complete = match std::str::from_utf8(&piece) {
            Ok(_) => piece.len(),
            Err(e) if e.error_len().is_none() && !is_at_end => e.valid_up_to(),
            Err(_) => return Err(not_utf8()),
        };
        let rest = piece.split_off(complete);
        let text = std::str::from_utf8(&piece).map_err(|_| not_utf8())?;
        if std::mem::take(&mut is_first) {
            translator.refuse_same_language(text)?;
        }
        count += translator.characters(text);
        let content = text.trim_end_matches(['\n', '\r']);
        let (content, line_end) = text.split_at(content.len());
        writer.write_all(translator.translate(content).as_bytes())?;
        writer.write_all(line_end.as_bytes())?;
        piece = rest;
    }
    writer.flush()?;
    Ok(count)
}

/// Translates a page and returns its characters.
pub(super) fn translate_html(
    translator: &DocumentTranslator,
    source: &Path,
    result: &Path,
) -> Result<u64, DocumentError> {
    let text = read_text(source)?;
    translator.refuse_same_language(&text)?;
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
