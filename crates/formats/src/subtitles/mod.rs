//! Cues of subtitle files (`--as srt`, `--as vtt`).
//!
//! Input: a file. `reader` splits it into blocks with at most one cue; `cue_text` finds the text of a cue, and `markup`
//! its markup. Output: the same blocks, with their texts replaced by `writer` and divided into lines by `layout`.
//! Numbers, times, settings, comments, styles, blank lines and line endings are copied.

mod break_points;
mod cue_text;
mod layout;
mod markup;
#[cfg(test)]
mod property_tests;
mod reader;
#[cfg(test)]
mod tests;
mod timing;
mod writer;

use tulk_base::limits;

use self::reader::CueReader;
use self::timing::LineKind;
use self::writer::CueWriter;
use super::{EntryLimit, FileFormat, InputFormat, Record, RecordReader, ResultWriter, TextFormat};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubtitleSyntax {
    /// `SubRip`.
    Srt,
    /// `WebVTT`.
    Vtt,
}

pub const SRT: FileFormat = FileFormat {
    name: "srt",
    help: "SubRip subtitles",
    extensions: &["srt"],
    keeps: "its timings",
    new: |_| InputFormat::new(SubtitleSyntax::Srt),
};

pub const VTT: FileFormat = FileFormat {
    name: "vtt",
    help: "WebVTT subtitles",
    extensions: &["vtt"],
    keeps: "its timings",
    new: |_| InputFormat::new(SubtitleSyntax::Vtt),
};

impl TextFormat for SubtitleSyntax {
    fn reader(&self, _limit: EntryLimit) -> Box<dyn RecordReader> {
        Box::new(CueReader::new(*self))
    }

    fn writer(&self, _targets: &[String]) -> Box<dyn ResultWriter> {
        Box::new(CueWriter(*self))
    }

    fn has_tokens(&self) -> bool {
        true
    }

    fn context_lines(&self) -> usize {
        limits::SUBTITLE_CONTEXT_LINES
    }

    /// Checks that a result does not change the number of cues.
    fn check_result(&self, record: &Record, slot: usize, text: &str) -> Result<(), String> {
        if text.trim().is_empty() {
            return Err("the result is empty, so the cue would have no text".to_owned());
        }
        let Some(slot) = record.slots.get(slot).filter(|_| record.text(slot) != Some(text)) else { return Ok(()) };
        let bytes = |range| std::str::from_utf8(record.bytes.get(range).unwrap_or_default()).unwrap_or_default();
        let source = bytes(slot.byte_range());
        let written = writer::render(source, text, &writer::protected_parts(slot), *self);
        let is_text = |line: &str| matches!(LineKind::of(line.as_bytes(), *self), LineKind::Number | LineKind::Other);
        // A text after a blank line continues a cue only if it does not look like the start of one.
        let has_times = bytes(0..slot.byte_range().start).contains("-->");
        let first = written.lines().next().unwrap_or_default().as_bytes();
        let is_start = LineKind::of(first, *self) == LineKind::Number || timing::begins_with_time(first);
        if written.lines().all(is_text) && (has_times || !is_start) {
            return Ok(());
        }
        Err("the result would be read as another cue".to_owned())
    }
}
