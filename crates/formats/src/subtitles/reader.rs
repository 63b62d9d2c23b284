//! Splits subtitle files into records: a block with one cue, further text of the previous cue, a comment, or a faulty
//! block.
//!
//! At most [`SUBTITLE_BLOCK_BYTES`] of lines are in memory.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use tulk_base::error::{Failure, Origin};
use tulk_base::limits::SUBTITLE_BLOCK_BYTES;
use tulk_base::numbers::counted;

use super::SubtitleSyntax;
use super::cue_text::CueText;
use super::timing::{LineKind, begins_with_time};
use crate::input::source::{BYTE_ORDER_MARK, Document, Source, TextPosition};
use crate::{BlankEntry, EntryLabels, Record, RecordReader};

/// Size in bytes after which a block without text is passed on, although it continues.
const COPIED_BYTES: usize = 64 * 1024;

/// Entries have no names: listings show only their line.
static NO_LABELS: LazyLock<Arc<EntryLabels>> = LazyLock::new(|| Arc::new(EntryLabels { key: None, names: Vec::new() }));

pub(super) struct CueReader {
    syntax: SubtitleSyntax,
    document: Option<Document>,
    name: Arc<str>,
    position: TextPosition,
    /// Lines that were read ahead and belong to the next record.
    ahead: Vec<u8>,
    entry: u64,
    state: BlockState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockState {
    Start,
    /// After the start of a block that is copied.
    InCopiedBlock,
    /// After a block that is not a cue.
    AfterOtherBlock,
    /// A block without times continues the text of the cue.
    AfterCue,
}

enum Block {
    /// Has no text to translate.
    Copied(BlockState),
    /// Has the text of a cue.
    Text(Range<usize>),
    /// Cannot be parsed. The position is the start of the faulty line.
    Faulty(Failure, usize),
}

struct BlockLines<'a> {
    reader: &'a mut CueReader,
    input: &'a mut Source,
    bytes: &'a mut Vec<u8>,
}

impl CueReader {
    pub(super) fn new(syntax: SubtitleSyntax) -> Self {
        let name = "".into();
        let state = BlockState::Start;
        Self { syntax, document: None, name, position: TextPosition::START, ahead: Vec::new(), entry: 0, state }
    }

    fn fill_record(&mut self, block: Block, mark: usize, into: &mut Record) {
        let origin_at =
            |at: usize| self.position.after(into.bytes.get(mark..at).unwrap_or_default()).in_input(&self.name);
        into.origin = self.position.in_input(&self.name);
        into.entry = self.entry + 1;
        into.labels = Some(NO_LABELS.clone());
        match block {
            Block::Copied(state) => self.state = state,
            Block::Faulty(failure, at) => {
                into.fault = Some(Box::new(failure.at(origin_at(at))));
                self.state = BlockState::AfterOtherBlock;
            }
            Block::Text(lines) => {
                self.state = BlockState::AfterCue;
                self.entry += 1;
                let start = lines.start;
                let source =
                    into.bytes.get(lines).and_then(|lines| std::str::from_utf8(lines).ok()).unwrap_or_default();
                match CueText::find(source, self.syntax) {
                    Some(cue) => into.slots.extend(cue.into_slot(start)),
                    None => into.blanks.extend(blank_entry(start, source)),
                }
            }
        }
        self.position = self.position.after(into.bytes.get(mark..).unwrap_or_default());
    }

    fn bad_timing(&self, at: usize) -> Block {
        let hint = match self.syntax {
            SubtitleSyntax::Srt => "write it as 00:00:01,000 --> 00:00:02,500",
            SubtitleSyntax::Vtt => "write it as 00:00:01.000 --> 00:00:02.500; is it an SRT file? use --as srt",
        };
        Block::Faulty(Failure::usage("the times of the cue are not valid").hint(hint), at)
    }

    fn no_timing(&self, at: usize) -> Block {
        let hint = match self.syntax {
            SubtitleSyntax::Srt => "add a line such as 00:00:01,000 --> 00:00:02,500",
            SubtitleSyntax::Vtt => "remove the blank line before it if it belongs to the cue above",
        };
        let flag = ", or use --keep-going to copy such blocks";
        Block::Faulty(Failure::usage("the block has no times").hint_or_flag(hint, flag), at)
    }
}

impl RecordReader for CueReader {
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        loop {
            if self.document.is_none() && self.ahead.is_empty() {
                let Some(document) = input.next_document()? else { return Ok(false) };
                into.bytes.extend_from_slice(document.mark);
                self.name = document.name.clone();
                self.document = Some(document);
                self.position = TextPosition::START;
                self.state = BlockState::Start;
            }
            let mark = into.bytes.len();
            let mut lines = BlockLines { reader: self, input, bytes: &mut into.bytes };
            let block = lines.read_block()?;
            if into.bytes.len() > mark || (self.document.is_none() && mark > 0) {
                self.fill_record(block, mark, into);
                return Ok(true);
            }
        }
    }
}

impl BlockLines<'_> {
    /// Returns `None` at the end of the input.
    fn next_line(&mut self) -> Result<Option<Range<usize>>, Failure> {
        let start = self.bytes.len();
        if !self.reader.ahead.is_empty() {
            let end = memchr::memchr(b'\n', &self.reader.ahead).map_or(self.reader.ahead.len(), |at| at + 1);
            self.bytes.extend(self.reader.ahead.drain(..end));
            if self.bytes.ends_with(b"\n") {
                return Ok(Some(start..self.bytes.len()));
            }
        }
        if self.reader.document.is_none() {
            return Ok((self.bytes.len() > start).then_some(start..self.bytes.len()));
        }
        loop {
            let chunk = match self.input.fill() {
                Ok(chunk) => chunk,
                Err(failure) => return Err(self.reader.position.locate(failure, self.bytes, &self.reader.name)),
            };
            if chunk.is_empty() {
                self.reader.document = None;
                return Ok((self.bytes.len() > start).then_some(start..self.bytes.len()));
            }
            let end = memchr::memchr(b'\n', chunk).map(|at| at + 1);
            let taken = end.unwrap_or(chunk.len());
            self.bytes.extend_from_slice(chunk.get(..taken).unwrap_or_default());
            self.input.consume(taken);
            if end.is_some() {
                return Ok(Some(start..self.bytes.len()));
            }
            self.check_size()?;
        }
    }

    fn check_size(&self) -> Result<(), Failure> {
        if self.bytes.len() <= SUBTITLE_BLOCK_BYTES {
            return Ok(());
        }
        let what = format!("the block is larger than {}", counted(SUBTITLE_BLOCK_BYTES, "byte"));
        let hint = match memchr::memchr(b'\n', self.bytes) {
            None if memchr::memchr(b'\r', self.bytes).is_some() => "end the lines with LF or CRLF, not with CR alone",
            _ => "separate the cues by blank lines",
        };
        Err(Failure::usage(what).at(self.reader.position.in_input(&self.reader.name)).hint(hint))
    }

    /// Moves the bytes from `start` back to the lookahead.
    fn keep_for_next(&mut self, start: usize) {
        let mut ahead = self.bytes.split_off(start);
        ahead.append(&mut self.reader.ahead);
        self.reader.ahead = ahead;
    }

    /// Returns a line without its line ending.
    fn line_text(&self, line: &Range<usize>) -> &[u8] {
        let mut text = self.bytes.get(line.clone()).unwrap_or_default();
        while let Some(rest) = text.strip_suffix(b"\n").or_else(|| text.strip_suffix(b"\r")) {
            text = rest;
        }
        text
    }

    fn line_kind(&self, line: &Range<usize>) -> LineKind {
        LineKind::of(self.line_text(line), self.reader.syntax)
    }

    fn is_whitespace(&self, line: &Range<usize>) -> bool {
        self.line_text(line).trim_ascii().is_empty()
    }

    /// The block includes the blank lines before it and the blank line after it.
    fn read_block(&mut self) -> Result<Block, Failure> {
        let state = self.reader.state;
        if state == BlockState::InCopiedBlock {
            return self.copy_block();
        }
        let first = loop {
            let Some(line) = self.next_line()? else { return Ok(Block::Copied(state)) };
            if !self.is_whitespace(&line) {
                break line;
            }
            if self.bytes.len() > COPIED_BYTES {
                return Ok(Block::Copied(state));
            }
        };
        if state == BlockState::Start && memchr::memchr(b'\r', self.line_text(&first)).is_some() {
            let what = "the lines of the file end with CR alone";
            return Err(Failure::usage(what).at(self.origin_of(&first)).hint("end them with LF or CRLF"));
        }
        match self.reader.syntax {
            SubtitleSyntax::Srt => self.srt_block(first),
            SubtitleSyntax::Vtt if state == BlockState::Start => self.vtt_header(&first),
            SubtitleSyntax::Vtt => self.vtt_block(first),
        }
    }

    fn srt_block(&mut self, first: Range<usize>) -> Result<Block, Failure> {
        let state = self.reader.state;
        if state == BlockState::Start && is_vtt_signature(self.line_text(&first)) {
            let what = "this is a WebVTT file";
            return Err(Failure::usage(what).at(self.origin_of(&first)).hint("use --as vtt"));
        }
        match self.line_kind(&first) {
            LineKind::Timing => self.read_cue(first.end),
            LineKind::Number => self.cue_after_number(&first),
            // Text after a blank line: players show it with the previous cue.
            LineKind::Other if state == BlockState::AfterCue && !begins_with_time(self.line_text(&first)) => {
                self.read_cue(first.start)
            }
            LineKind::BadTiming => self.read_faulty(self.reader.bad_timing(first.start)),
            _ if begins_with_time(self.line_text(&first)) => self.read_faulty(self.reader.bad_timing(first.start)),
            _ => self.read_faulty(self.reader.no_timing(first.start)),
        }
    }

    /// Reads a cue after its number, which blank lines may follow.
    fn cue_after_number(&mut self, number: &Range<usize>) -> Result<Block, Failure> {
        let mut after_blank = false;
        loop {
            let Some(line) = self.next_line()? else { return Ok(self.reader.no_timing(number.start)) };
            match self.line_kind(&line) {
                LineKind::Timing => return self.read_cue(line.end),
                LineKind::Blank if self.bytes.len() < COPIED_BYTES => after_blank = true,
                _ if after_blank => {
                    self.keep_for_next(line.start);
                    return Ok(self.reader.no_timing(number.start));
                }
                LineKind::BadTiming => return self.read_faulty(self.reader.bad_timing(line.start)),
                _ if begins_with_time(self.line_text(&line)) => {
                    return self.read_faulty(self.reader.bad_timing(line.start));
                }
                _ => return self.read_faulty(self.reader.no_timing(number.start)),
            }
        }
    }

    fn read_cue(&mut self, start: usize) -> Result<Block, Failure> {
        let end = self.read_text()?;
        Ok(Block::Text(start..end))
    }

    /// Reads lines of text up to a blank line or the next cue. Returns the end of the text.
    fn read_text(&mut self) -> Result<usize, Failure> {
        let mut previous = 0..0;
        // Whether `previous` follows a whitespace-only line. If a timing line comes next, `previous` is the identifier of its cue.
        let mut is_identifier = false;
        loop {
            let Some(line) = self.next_line()? else { return Ok(self.bytes.len()) };
            match self.line_kind(&line) {
                LineKind::Blank => return Ok(line.start),
                LineKind::Timing | LineKind::BadTiming => {
                    let is_number = !previous.is_empty() && self.line_kind(&previous) == LineKind::Number;
                    let end = if is_number || is_identifier { previous.start } else { line.start };
                    self.keep_for_next(end);
                    return Ok(end);
                }
                LineKind::Number | LineKind::Other => {}
            }
            self.check_size()?;
            is_identifier = !previous.is_empty() && self.is_whitespace(&previous) && !self.is_whitespace(&line);
            if is_identifier && is_vtt_comment(self.line_text(&line)) {
                self.keep_for_next(line.start);
                return Ok(line.start);
            }
            previous = line;
        }
    }

    fn read_faulty(&mut self, block: Block) -> Result<Block, Failure> {
        self.read_text()?;
        Ok(block)
    }

    /// Copies a block to its end, or up to [`COPIED_BYTES`].
    fn copy_block(&mut self) -> Result<Block, Failure> {
        while let Some(line) = self.next_line()? {
            match self.line_kind(&line) {
                LineKind::Blank => break,
                LineKind::Timing | LineKind::BadTiming => {
                    self.keep_for_next(line.start);
                    break;
                }
                LineKind::Number | LineKind::Other if self.bytes.len() > COPIED_BYTES => {
                    return Ok(Block::Copied(BlockState::InCopiedBlock));
                }
                LineKind::Number | LineKind::Other => {}
            }
        }
        Ok(Block::Copied(BlockState::AfterOtherBlock))
    }

    fn vtt_header(&mut self, first: &Range<usize>) -> Result<Block, Failure> {
        if !is_vtt_signature(self.line_text(first)) {
            let what = "the file does not begin with WEBVTT";
            let hint = match self.line_kind(first) {
                LineKind::Number | LineKind::BadTiming => "is it an SRT file? use --as srt",
                _ => "a WebVTT file has the line WEBVTT before its first cue",
            };
            return Err(Failure::usage(what).at(self.origin_of(first)).hint(hint));
        }
        self.copy_block()
    }

    fn vtt_block(&mut self, first: Range<usize>) -> Result<Block, Failure> {
        match self.line_kind(&first) {
            LineKind::Timing => return self.read_cue(first.end),
            LineKind::BadTiming => return self.read_faulty(self.reader.bad_timing(first.start)),
            _ => {}
        }
        let is_comment = is_vtt_comment(self.line_text(&first));
        // The first line may be the identifier of a cue.
        let second = self.next_line()?;
        match second.as_ref().map(|line| self.line_kind(line)) {
            Some(LineKind::Timing) => self.read_cue(self.bytes.len()),
            Some(LineKind::BadTiming) if !is_comment => {
                let start = second.map_or(0, |line| line.start);
                self.read_faulty(self.reader.bad_timing(start))
            }
            Some(LineKind::BadTiming) => {
                self.keep_for_next(second.map_or(0, |line| line.start));
                Ok(Block::Copied(BlockState::AfterOtherBlock))
            }
            Some(LineKind::Blank) | None if is_comment => Ok(Block::Copied(BlockState::AfterOtherBlock)),
            Some(LineKind::Blank) | None => Ok(self.reader.no_timing(first.start)),
            _ if is_comment => self.copy_block(),
            _ => self.read_faulty(self.reader.no_timing(first.start)),
        }
    }

    fn origin_of(&self, line: &Range<usize>) -> Origin {
        let mark = if self.reader.position == TextPosition::START { BYTE_ORDER_MARK } else { b"" };
        let before = self.bytes.get(..line.start).unwrap_or_default();
        self.reader.position.after(before.strip_prefix(mark).unwrap_or(before)).in_input(&self.reader.name)
    }
}

/// Creates the entry of a cue whose text, which starts at `start`, is only whitespace or markup.
fn blank_entry(start: usize, text: &str) -> Option<BlankEntry> {
    let end = u32::try_from(start + text.trim_end().len()).ok()?;
    Some(BlankEntry { before_slot: 0, name: 0, start: u32::try_from(start).ok()?, end })
}

fn is_vtt_signature(line: &[u8]) -> bool {
    line.strip_prefix(b"WEBVTT").is_some_and(|rest| rest.first().is_none_or(|byte| matches!(byte, b' ' | b'\t')))
}

/// Returns whether a line starts a WebVTT block that is not a cue.
fn is_vtt_comment(line: &[u8]) -> bool {
    let word = line.split(|byte| matches!(byte, b' ' | b'\t')).next().unwrap_or_default();
    word == b"NOTE" || (matches!(word, b"STYLE" | b"REGION") && line.trim_ascii_end() == word)
}
