//! Plain text: translated in pieces, so that a file of any size fits into memory.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use super::translator::{DocumentError, DocumentTranslator};
use crate::markup::MarkupSyntax;

pub(super) const SYNTAX: MarkupSyntax = MarkupSyntax::None;
/// Maximum size of a piece, in bytes; longer lines are split.
const PIECE_BYTES: u64 = 64 * 1024;
const BUFFER_BYTES: usize = 256 * 1024;

/// Translates a text file and returns its characters.
pub(super) fn translate(translator: &DocumentTranslator, source: &Path, result: &Path) -> Result<u64, DocumentError> {
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
