//! Cues of subtitle files (`--as srt`, `--as vtt`).

use super::lines::{LineReader, LineWriter};
use super::{
    EntryLimit, EntryTerminator, FileFormat, InputFormat, Record, RecordReader, ResultRow, ResultWriter, TextFormat,
};
use crate::error::Failure;
use crate::input::source::Source;
use crate::limits;

/// The syntax of a subtitle file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubtitleSyntax {
    /// `SubRip`.
    Srt,
    /// `WebVTT`.
    Vtt,
}

/// `--as srt`.
pub const SRT: FileFormat = FileFormat {
    name: "srt",
    help: "SubRip subtitles",
    endings: &["srt"],
    keeps: "its timings",
    new: |_| InputFormat::new(SubtitleSyntax::Srt),
};

/// `--as vtt`.
pub const VTT: FileFormat = FileFormat {
    name: "vtt",
    help: "WebVTT subtitles",
    endings: &["vtt"],
    keeps: "its timings",
    new: |_| InputFormat::new(SubtitleSyntax::Vtt),
};

impl TextFormat for SubtitleSyntax {
    fn reader(&self, _limit: EntryLimit) -> Box<dyn RecordReader> {
        Box::new(CueReader::new(*self))
    }

    fn writer(&self, _targets: &[String]) -> Box<dyn ResultWriter> {
        Box::new(CueWriter::new(*self))
    }

    fn has_tokens(&self) -> bool {
        true
    }

    fn context_lines(&self) -> usize {
        limits::SUBTITLE_CONTEXT_LINES
    }
}

/// Reads cues, and what is between them.
pub struct CueReader(LineReader);

impl CueReader {
    /// A reader at the start of an input.
    pub fn new(_syntax: SubtitleSyntax) -> Self {
        let limit = EntryLimit { bytes: 1000, body_bytes: 1000, enforced: false };
        Self(LineReader::new(EntryTerminator::Line, limit))
    }
}

impl RecordReader for CueReader {
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        self.0.read(input, into)
    }
}

/// Writes cues with their results.
pub struct CueWriter(LineWriter);

impl CueWriter {
    /// A writer of cues.
    pub fn new(_syntax: SubtitleSyntax) -> Self {
        Self(LineWriter(EntryTerminator::Line))
    }
}

impl ResultWriter for CueWriter {
    fn write(&mut self, row: &ResultRow, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        self.0.write(row, out)
    }
}
