//! WebM and Matroska: container, codec, and playing time from the timestamps of blocks. The stream is sent unchanged.
//!
//! The syntax is EBML: elements with ID, size and content.

use memchr::memmem::find;
use tulk_base::error::Failure;
use tulk_base::limits;

use super::detected::{AudioOptions, AudioSplitter, AudioStart, DetectedAudio, channels_notice, conversion_hint};
use super::queue::AudioQueue;

/// EBML header, at the start of the file.
pub const SIGNATURE: [u8; 4] = [0x1A, 0x45, 0xDF, 0xA3];
const CLUSTER: [u8; 4] = [0x1F, 0x43, 0xB6, 0x75];
/// Maximum number of bytes to search for the codec.
const SEARCH_BYTES: usize = 1024 * 1024;
/// Maximum size of an element whose content is parsed.
const VALUE_BYTES: u64 = 64;
/// A larger step between two blocks is a gap in the recording. The duration of the block is then estimated.
const STEP_MAX_MICROS: u64 = 10_000_000;
/// Codec ID in the file, name in the content type, and bit rate in kbit/s that the service recommends.
const CODECS: [(&[u8], &str, u64); 4] =
    [(b"A_OPUS", "opus", 32), (b"A_FLAC", "flac", 256), (b"A_AAC", "aac", 96), (b"A_MPEG/L3", "mp3", 128)];
const AUDIO_TRACK: u64 = 2;

/// Returns `None` if more bytes are needed.
pub fn read(start: &AudioStart<'_>, options: &AudioOptions) -> Result<Option<DetectedAudio>, Failure> {
    let mut scanner = MatroskaScanner::default();
    let mut rest = start.bytes.get(..SEARCH_BYTES).unwrap_or(start.bytes);
    while !rest.starts_with(&CLUSTER) {
        match scanner.next_span(rest) {
            Some(span) => rest = rest.get(span.bytes..).unwrap_or_default(),
            None if start.bytes.len() < SEARCH_BYTES && !start.is_complete => return Ok(None),
            None => break,
        }
    }
    let container = if scanner.is_webm { "audio/webm" } else { "audio/x-matroska" };
    if scanner.track.codec.starts_with(b"A_VORBIS") && options.check {
        return Err(Failure::usage(format!("{} contains Vorbis, which the service does not accept", start.name))
            .hint(conversion_hint(start.name)));
    }
    let content_type = scanner.codec().map(|(_, name, _)| format!("{container};codecs={name}"));
    Ok(Some(DetectedAudio {
        content_type: content_type.unwrap_or_else(|| container.to_owned()),
        header_bytes: 0,
        notices: channels_notice(start.name, u8::try_from(scanner.track.channels).unwrap_or(u8::MAX)),
        splitter: Box::new(MatroskaSplitter::default()),
        has_exact_times: true,
    }))
}

#[derive(Clone, Debug, Default)]
struct MatroskaTrack {
    number: u64,
    kind: u64,
    codec: Vec<u8>,
    channels: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MatroskaSpan {
    bytes: usize,
    micros: u64,
    /// Whether the bytes must stay in one chunk.
    is_block: bool,
}

/// Parses a stream element by element. Container elements are entered, so their sizes do not matter.
struct MatroskaScanner {
    is_webm: bool,
    /// Nanoseconds per unit of time.
    unit_nanos: u64,
    track: MatroskaTrack,
    track_entry: MatroskaTrack,
    /// Timestamp of the cluster, in units.
    cluster_time: u64,
    /// Timestamp of the last block of the track, in microseconds.
    last_block_micros: Option<u64>,
    /// Bytes left of an element that is passed on unchanged.
    unparsed_bytes: u64,
}

impl Default for MatroskaScanner {
    fn default() -> Self {
        Self {
            is_webm: false,
            unit_nanos: 1_000_000,
            track: MatroskaTrack::default(),
            track_entry: MatroskaTrack::default(),
            cluster_time: 0,
            last_block_micros: None,
            unparsed_bytes: 0,
        }
    }
}

impl MatroskaScanner {
    /// Returns `None` if the next span of `rest` is incomplete.
    fn next_span(&mut self, rest: &[u8]) -> Option<MatroskaSpan> {
        let span = |bytes, micros| Some(MatroskaSpan { bytes, micros, is_block: false });
        if self.unparsed_bytes > 0 {
            let bytes = usize::try_from(self.unparsed_bytes).unwrap_or(usize::MAX).min(rest.len());
            self.unparsed_bytes -= bytes as u64;
            return span(bytes, 0).filter(|_| bytes > 0);
        }
        let header = match ebml_header(rest) {
            EbmlStart::Element(header) => header,
            EbmlStart::Incomplete => return None,
            EbmlStart::Invalid => {
                // Send damaged data up to the next cluster, and let the service decide.
                let after = rest.get(1..)?;
                let bytes = find(after, &CLUSTER).map_or(after.len().saturating_sub(CLUSTER.len()), |at| at) + 1;
                return span(bytes, self.estimated_micros(bytes));
            }
        };
        let Some(size) = header.size else { return span(header.bytes, 0) };
        match header.id {
            // EBML, Segment, Info, Tracks, TrackEntry, Audio, Cluster, BlockGroup.
            0x1A45_DFA3 | 0x1853_8067 | 0x1549_A966 | 0x1654_AE6B | 0xAE | 0xE1 | 0x1F43_B675 | 0xA0 => {
                self.enter_element(header.id);
                span(header.bytes, 0)
            }
            // SimpleBlock, Block.
            0xA3 | 0xA1 => self.read_block(rest, header, size),
            _ if size <= VALUE_BYTES => {
                let end = header.bytes + usize::try_from(size).ok()?;
                self.read_value(header.id, rest.get(header.bytes..end)?);
                span(end, 0)
            }
            _ => {
                self.unparsed_bytes = size;
                span(header.bytes, 0)
            }
        }
    }

    fn enter_element(&mut self, id: u32) {
        match id {
            // Another stream starts.
            0x1A45_DFA3 => *self = Self::default(),
            0xAE => self.track_entry = MatroskaTrack::default(),
            _ => {}
        }
    }

    fn read_value(&mut self, id: u32, content: &[u8]) {
        let number = ebml_number(content);
        match id {
            0x4282 => self.is_webm = content.starts_with(b"webm"),
            0x2A_D7B1 => self.unit_nanos = number.max(1),
            0xD7 => self.track_entry.number = number,
            0x83 => self.track_entry.kind = number,
            0x86 => self.track_entry.codec = content.to_vec(),
            0x9F => self.track_entry.channels = number,
            0xE7 => self.cluster_time = number,
            _ => return,
        }
        let is_first = self.track.number == 0 || self.track.number == self.track_entry.number;
        if self.track_entry.kind == AUDIO_TRACK && self.track_entry.number > 0 && is_first {
            self.track = self.track_entry.clone();
        }
    }

    /// The playing time of a block is the time since the previous block.
    fn read_block(&mut self, rest: &[u8], header: EbmlHeader, size: u64) -> Option<MatroskaSpan> {
        let whole = usize::try_from(size).unwrap_or(usize::MAX).saturating_add(header.bytes);
        let content = rest.get(header.bytes..whole.min(rest.len()))?;
        if whole <= limits::VOICE_CHUNK_BYTES {
            if rest.len() < whole {
                return None;
            }
            return Some(MatroskaSpan { bytes: whole, micros: self.block_micros(content, whole), is_block: true });
        }
        // Too large for a chunk: parse the timestamp, and pass on the rest as it arrives.
        let bytes = header.bytes + 16;
        if rest.len() < bytes {
            return None;
        }
        self.unparsed_bytes = (whole - bytes) as u64;
        Some(MatroskaSpan { bytes, micros: self.block_micros(content, whole), is_block: false })
    }

    fn block_micros(&mut self, content: &[u8], bytes: usize) -> u64 {
        let Some((track, at)) = ebml_variable(content) else { return 0 };
        let Some(&[high, low]) = content.get(at..at + 2) else { return 0 };
        if self.track.number != 0 && self.track.number != track {
            return 0;
        }
        let units = self.cluster_time.saturating_add_signed(i64::from(i16::from_be_bytes([high, low])));
        let micros = u128::from(units) * u128::from(self.unit_nanos) / 1000;
        let time = u64::try_from(micros).unwrap_or(u64::MAX);
        let before = self.last_block_micros.replace(time).unwrap_or(time);
        match time.saturating_sub(before) {
            step if step > STEP_MAX_MICROS => self.estimated_micros(bytes),
            step => step,
        }
    }

    fn codec(&self) -> Option<&'static (&'static [u8], &'static str, u64)> {
        CODECS.iter().find(|(name, ..)| self.track.codec.starts_with(name))
    }

    fn estimated_micros(&self, bytes: usize) -> u64 {
        let kilobits = self.codec().map_or(128, |(.., kilobits)| *kilobits);
        (bytes as u64).saturating_mul(8000) / kilobits
    }
}

#[derive(Default)]
struct MatroskaSplitter {
    waiting: Vec<u8>,
    scanner: MatroskaScanner,
}

impl AudioSplitter for MatroskaSplitter {
    fn push(&mut self, bytes: &[u8], queue: &mut AudioQueue) {
        self.waiting.extend_from_slice(bytes);
        let mut at = 0;
        while let Some(rest) = self.waiting.get(at..).filter(|rest| !rest.is_empty()) {
            let Some(span) = self.scanner.next_span(rest) else { break };
            let bytes = rest.get(..span.bytes).unwrap_or(rest);
            queue.push(bytes, span.micros, if span.is_block { bytes.len() } else { 1 });
            at += bytes.len();
        }
        self.waiting.drain(..at);
    }

    fn finish(&mut self, queue: &mut AudioQueue) {
        let rest = std::mem::take(&mut self.waiting);
        queue.push(&rest, self.scanner.estimated_micros(rest.len()), 1);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EbmlStart {
    Element(EbmlHeader),
    Incomplete,
    Invalid,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EbmlHeader {
    /// ID, including its length marker.
    pub id: u32,
    pub bytes: usize,
    /// Size of the content in bytes; `None` if the writer did not know it.
    pub size: Option<u64>,
}

fn ebml_header(bytes: &[u8]) -> EbmlStart {
    let Some(&first) = bytes.first() else { return EbmlStart::Incomplete };
    let id_bytes = first.leading_zeros() as usize + 1;
    if id_bytes > 4 {
        return EbmlStart::Invalid;
    }
    match bytes.get(id_bytes) {
        None => return EbmlStart::Incomplete,
        Some(0) => return EbmlStart::Invalid,
        Some(_) => {}
    }
    let (id, rest) = bytes.split_at(id_bytes);
    let Some((size, size_bytes)) = ebml_variable(rest) else { return EbmlStart::Incomplete };
    let id = id.iter().fold(0, |id, &byte| id << 8 | u32::from(byte));
    // All bits set means an unknown size.
    let is_known = size != u64::MAX >> (64 - 7 * size_bytes);
    EbmlStart::Element(EbmlHeader { id, bytes: id_bytes + size_bytes, size: is_known.then_some(size) })
}

/// Parses a variable-length number. Also returns its length in bytes. `None` if it is incomplete or invalid.
fn ebml_variable(bytes: &[u8]) -> Option<(u64, usize)> {
    let first = *bytes.first()?;
    let len = first.leading_zeros() as usize + 1;
    let rest = bytes.get(1..len).filter(|_| len <= 8)?;
    let start = u64::from(first) & (0x7F >> (len - 1));
    Some((rest.iter().fold(start, |number, &byte| number << 8 | u64::from(byte)), len))
}

/// Returns 0 for a content of more than eight bytes.
fn ebml_number(content: &[u8]) -> u64 {
    if content.len() > 8 {
        return 0;
    }
    content.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;
    use crate::input::audio::queue::AudioChunk;

    fn element(id: &[u8], content: &[u8]) -> Vec<u8> {
        let size = u32::try_from(content.len()).unwrap() | 0x1000_0000;
        [id, &size.to_be_bytes(), content].concat()
    }

    fn open(id: &[u8], content: &[u8]) -> Vec<u8> {
        [id, &[0xFF], content].concat()
    }

    /// Returns a stream with 60 ms per block. The second cluster has an unknown size, and a block with eight laced
    /// frames.
    fn file() -> Vec<u8> {
        let start = element(&SIGNATURE, &element(&[0x42, 0x82], b"webm"));
        let info = element(&[0x15, 0x49, 0xA9, 0x66], &element(&[0x2A, 0xD7, 0xB1], &[0x0F, 0x42, 0x40]));
        let entry = |number, kind, codec: &[u8]| {
            let audio = element(&[0xE1], &element(&[0x9F], &[1]));
            let parts = [element(&[0xD7], &[number]), element(&[0x83], &[kind]), element(&[0x86], codec), audio];
            element(&[0xAE], &parts.concat())
        };
        let tracks = [entry(1, 1, b"V_VP9"), entry(2, 2, b"A_OPUS"), entry(3, 2, b"A_AAC")].concat();
        let block = |track: u8, time: i16, flags: u8, data: &[u8]| {
            [&[0x80 | track], time.to_be_bytes().as_slice(), &[flags], data].concat()
        };
        let first = [
            element(&[0xE7], &[0]),
            element(&[0xA3], &block(2, 0, 0, &[1; 200])),
            element(&[0xA3], &block(1, 5000, 0, &[9; 50])),
            element(&[0xA0], &[element(&[0xA1], &block(2, 60, 0, &[2; 200])), element(&[0x9B], &[60])].concat()),
        ];
        let laced = [&[7; 1][..], &[3; 400]].concat();
        let second = [
            element(&[0xE7], &[180]),
            element(&[0xA3], &block(2, -60, 0x04, &laced)),
            element(&[0xA3], &block(2, 420, 0, &[4; 90])),
        ];
        let clusters = [element(&CLUSTER, &first.concat()), open(&CLUSTER, &second.concat())].concat();
        let void = element(&[0xEC], &[0; 100]);
        let tracks = element(&[0x16, 0x54, 0xAE, 0x6B], &tracks);
        [start, open(&[0x18, 0x53, 0x80, 0x67], &[void, info, tracks, clusters].concat())].concat()
    }

    fn split(bytes: &[u8], block: usize) -> (DetectedAudio, Vec<AudioChunk>) {
        let start = AudioStart { bytes, is_complete: true, name: "x.webm", size: None, index: None };
        let mut format = read(&start, &AudioOptions::default()).unwrap().unwrap();
        let mut queue = AudioQueue::default();
        bytes.chunks(block).for_each(|block| format.splitter.push(block, &mut queue));
        format.splitter.finish(&mut queue);
        let mut chunks = Vec::new();
        while let Some(chunk) = queue.take_chunk(Duration::from_millis(200), 100_000) {
            chunks.push(chunk);
        }
        (format, chunks)
    }

    fn total(chunks: &[AudioChunk]) -> (Vec<u8>, u128) {
        let time: Duration = chunks.iter().map(|chunk| chunk.duration).sum();
        (chunks.iter().flat_map(|chunk| chunk.data.to_vec()).collect(), time.as_millis())
    }

    #[test]
    fn times_come_from_the_blocks_of_the_first_audio_track() {
        for block in [1, 13, 4096] {
            let bytes = file();
            let (format, chunks) = split(&bytes, block);
            assert_eq!(format.content_type, "audio/webm;codecs=opus");
            assert!(format.has_exact_times && format.notices.is_empty());
            assert_eq!(total(&chunks), (bytes, 600), "{block}");
        }
    }

    #[test]
    fn a_gap_in_the_recording_is_estimated() {
        let block = |time: u8| {
            [element(&[0xE7], &[time, 0, 0]), element(&[0xA3], &[&[0x82, 0, 0, 0][..], &[1; 390]].concat())].concat()
        };
        let bytes = [file(), element(&CLUSTER, &block(1)), element(&CLUSTER, &block(9))].concat();
        // Two blocks of 399 bytes at 32 kbit/s.
        assert_eq!(total(&split(&bytes, 999).1).1, 600 + 199);
    }

    #[test]
    fn another_stream_starts_from_zero() {
        let bytes = [file(), file()].concat();
        assert_eq!(total(&split(&bytes, 100).1), (bytes, 1200));
    }

    #[test]
    fn a_block_that_is_too_large_for_a_chunk_is_divided() {
        let large = element(&[0xA3], &[&[0x82, 0, 100, 0][..], &vec![1; 250_000]].concat());
        let bytes = [file(), element(&CLUSTER, &[element(&[0xE7], &[2, 188]), large].concat())].concat();
        let (_, chunks) = split(&bytes, 16_384);
        assert!(chunks.iter().all(|chunk| chunk.data.len() <= 100_000));
        assert_eq!(total(&chunks), (bytes, 800));
    }

    proptest! {
        #[test]
        fn any_bytes_are_sent_unchanged(noise in prop::collection::vec(any::<u8>(), 0..200), at in 4usize..1200, cut in 4usize..1600, block in 1usize..200) {
            let mut bytes = file();
            let at = at.min(bytes.len());
            bytes.splice(at..at, noise);
            bytes.truncate(cut);
            let (_, chunks) = split(&bytes, block);
            prop_assert!(chunks.iter().all(|chunk| chunk.data.len() <= 100_000));
            prop_assert_eq!(total(&chunks).0, bytes);
        }
    }

    #[test]
    fn reads_ids_and_sizes() {
        let element = |id, bytes, size| EbmlStart::Element(EbmlHeader { id, bytes, size });
        for (bytes, expected) in [
            (&[0xA3, 0x81][..], element(0xA3, 2, Some(1))),
            (&[0x1F, 0x43, 0xB6, 0x75, 0xFF], element(0x1F43_B675, 5, None)),
            (&[0x18, 0x53, 0x80, 0x67, 1, 255, 255, 255, 255, 255, 255, 255], element(0x1853_8067, 12, None)),
            (&[0xE7, 1, 0, 0, 0, 0, 0, 0, 8], element(0xE7, 9, Some(8))),
            (&[0x42, 0x82, 0x40, 0x02], element(0x4282, 4, Some(2))),
            (&[0x42], EbmlStart::Incomplete),
            (&[0xA3, 0x40], EbmlStart::Incomplete),
            (&[], EbmlStart::Incomplete),
            (&[0x08, 0x81], EbmlStart::Invalid),
            (&[0xA3, 0], EbmlStart::Invalid),
        ] {
            assert_eq!(ebml_header(bytes), expected, "{bytes:x?}");
        }
    }
}
