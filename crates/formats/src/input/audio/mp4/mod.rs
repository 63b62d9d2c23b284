//! MP4: playing time from sample tables or fragments. The file is sent unchanged.
//!
//! A file has its index (`moov`) at the start or at the end. A pipe with the index at the end has estimated times, from
//! the bit rate.

mod boxes;
mod sample_table;

use std::collections::VecDeque;

use self::boxes::{BoxHeader, BoxStart};
use self::sample_table::{Mp4Track, TimedRange};
use super::block_reader::SeekableFile;
use super::detected::{AudioOptions, AudioSplitter, AudioStart, ConstantBitrate, DetectedAudio};
use super::queue::AudioQueue;

const CONTENT_TYPE: &str = "audio/mpeg";
const DEFAULT_KILOBITS: u32 = 128;
/// Maximum size of the index; a larger one is ignored.
const INDEX_MAX_BYTES: u64 = 64 * 1024 * 1024;
/// Maximum size of a fragment header.
const FRAGMENT_MAX_BYTES: u64 = 4 * 1024 * 1024;
/// Maximum number of boxes before the index.
const BOXES_MAX: usize = 10_000;
/// Maximum playing time of a range. Damaged tables may contain more.
const RANGE_MAX_MICROS: u64 = 10_000_000;

pub fn is_mp4(bytes: &[u8]) -> bool {
    bytes.get(4..8) == Some(b"ftyp")
}

/// Returns `None` if more bytes are needed.
pub fn read(start: &AudioStart<'_>, options: &AudioOptions) -> Option<DetectedAudio> {
    let found = match start.index {
        Some(index) => Some(index),
        None => match find_index(start.bytes) {
            IndexSearch::Found(index) => Some(index),
            IndexSearch::Incomplete if !start.is_complete => return None,
            _ => None,
        },
    };
    let Some((track, ranges)) = found.and_then(Mp4Track::read) else {
        let mut detected = ConstantBitrate::detected(CONTENT_TYPE, options.bitrate, DEFAULT_KILOBITS, Vec::new());
        if let (None, Some(notice)) = (found, detected.notices.last_mut()) {
            *notice = format!("{}: the times are at the end of the MP4 stream; {notice}", start.name);
        }
        return Some(detected);
    };
    Some(DetectedAudio {
        content_type: CONTENT_TYPE.to_owned(),
        header_bytes: 0,
        splitter: Box::new(Mp4Splitter::new(track, ranges)),
        has_exact_times: true,
        notices: Vec::new(),
    })
}

pub fn read_index(file: &SeekableFile) -> Option<Vec<u8>> {
    let mut at = 0;
    for _ in 0..BOXES_MAX {
        let start = file.read_at(at, boxes::HEADER_MAX_BYTES)?;
        let BoxStart::Box(header) = boxes::header(&start) else { return None };
        at += header.bytes as u64;
        if &header.kind == b"moov" {
            let size = usize::try_from(header.content).ok().filter(|_| header.content <= INDEX_MAX_BYTES)?;
            return file.read_at(at, size).filter(|index| index.len() == size);
        }
        at = at.checked_add(header.content)?;
    }
    None
}

enum IndexSearch<'a> {
    Found(&'a [u8]),
    Incomplete,
    /// The audio comes before the index, or this is not MP4.
    Missing,
}

fn find_index(bytes: &[u8]) -> IndexSearch<'_> {
    let mut rest = bytes;
    loop {
        let header = match boxes::header(rest) {
            BoxStart::Box(header) => header,
            BoxStart::Incomplete => return IndexSearch::Incomplete,
            BoxStart::Invalid => return IndexSearch::Missing,
        };
        if matches!(&header.kind, b"mdat" | b"moof") || header.content > INDEX_MAX_BYTES {
            return IndexSearch::Missing;
        }
        let size = usize::try_from(header.content).unwrap_or(usize::MAX);
        let Some((content, next)) = rest.get(header.bytes..).and_then(|after| after.split_at_checked(size)) else {
            return IndexSearch::Incomplete;
        };
        if &header.kind == b"moov" {
            return IndexSearch::Found(content);
        }
        rest = next;
    }
}

struct Mp4Splitter {
    track: Mp4Track,
    /// The ranges after the current position, in order.
    ranges: VecDeque<TimedRange>,
    waiting: Vec<u8>,
    /// Offset of the first byte in `waiting`.
    position: u64,
    box_bytes_left: u64,
    /// Whether the current box contains audio without known times.
    is_estimated: bool,
}

impl Mp4Splitter {
    fn new(track: Mp4Track, ranges: Vec<TimedRange>) -> Self {
        Self { track, ranges: ranges.into(), waiting: Vec::new(), position: 0, box_bytes_left: 0, is_estimated: false }
    }

    /// Returns length and playing time of the next span of `rest`; `None` if it is incomplete.
    fn next_span(&mut self, rest: &[u8]) -> Option<(usize, u64)> {
        if self.box_bytes_left > 0 {
            return Some(self.span_in_box(rest));
        }
        let header = match boxes::header(rest) {
            BoxStart::Box(header) => header,
            BoxStart::Incomplete => return None,
            BoxStart::Invalid => {
                // Send damaged data up to the end, and let the service decide.
                (self.box_bytes_left, self.is_estimated) = (u64::MAX, true);
                return Some(self.span_in_box(rest));
            }
        };
        if &header.kind == b"moof" && header.content <= FRAGMENT_MAX_BYTES {
            let end = header.bytes + usize::try_from(header.content).ok()?;
            let fragment = rest.get(header.bytes..end)?;
            self.ranges.extend(self.track.fragment(fragment, self.position));
            return Some((end, 0));
        }
        self.start_box(header);
        Some((header.bytes, 0))
    }

    fn start_box(&mut self, header: BoxHeader) {
        let from = self.position + header.bytes as u64;
        self.box_bytes_left = header.content;
        let has_times = self.ranges.iter().any(|range| range.end > from);
        self.is_estimated = &header.kind == b"mdat" && !has_times;
    }

    fn span_in_box(&mut self, rest: &[u8]) -> (usize, u64) {
        let available = self.box_bytes_left.min(rest.len() as u64);
        while self.ranges.front().is_some_and(|range| range.end <= self.position) {
            self.ranges.pop_front();
        }
        let (bytes, micros) = match self.ranges.front_mut() {
            _ if self.is_estimated => (available, estimated_micros(available)),
            None => (available, 0),
            Some(range) if range.start > self.position => (available.min(range.start - self.position), 0),
            Some(range) => {
                let whole = range.end - self.position;
                let bytes = whole.min(available);
                let micros = u128::from(range.micros.min(RANGE_MAX_MICROS)) * u128::from(bytes) / u128::from(whole);
                let micros = u64::try_from(micros).unwrap_or(0);
                range.start = self.position.saturating_add(bytes);
                range.micros -= micros;
                (bytes, micros)
            }
        };
        self.box_bytes_left -= bytes;
        (usize::try_from(bytes).unwrap_or(rest.len()), micros)
    }
}

fn estimated_micros(bytes: u64) -> u64 {
    bytes.saturating_mul(8000) / u64::from(DEFAULT_KILOBITS)
}

impl AudioSplitter for Mp4Splitter {
    fn push(&mut self, bytes: &[u8], queue: &mut AudioQueue) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.extend_from_slice(bytes);
        let mut at = 0;
        while let Some(rest) = waiting.get(at..).filter(|rest| !rest.is_empty()) {
            let Some((bytes, micros)) = self.next_span(rest) else { break };
            queue.push(rest.get(..bytes).unwrap_or_default(), micros, 1);
            at += bytes;
            self.position += bytes as u64;
        }
        waiting.drain(..at);
        self.waiting = waiting;
    }

    fn finish(&mut self, queue: &mut AudioQueue) {
        let rest = std::mem::take(&mut self.waiting);
        queue.push(&rest, estimated_micros(rest.len() as u64), 1);
    }
}

#[cfg(test)]
mod tests;
