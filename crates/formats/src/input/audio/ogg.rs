//! Ogg: playing time from the positions in page headers. Pages are sent unchanged. A page of up to a second is
//! sent in one chunk, because its position is the time at its end.

use tulk_base::error::Failure;

use super::detected::{AudioSplitter, AudioStart, DetectedAudio, channels_notice, conversion_hint, little_endian};
use super::flac;
use super::queue::AudioQueue;

const FIXED_HEADER_BYTES: usize = 27;
/// Maximum playing time of a page. A longer time comes from a gap or a missing start of the stream, and is replaced by an estimate.
const PAGE_MAX_MICROS: u64 = 10_000_000;
/// A longer page is split, because no chunk may be longer than this.
const WHOLE_PAGE_MICROS: u64 = 1_000_000;
/// Byte rate for estimates: Opus at 32 kbit/s.
const BYTES_PER_SECOND: u64 = 4000;

struct OggPage<'a> {
    bytes: &'a [u8],
    body: &'a [u8],
    is_first: bool,
    position: Option<u64>,
    serial: u64,
}

impl<'a> OggPage<'a> {
    /// Returns `None` if the page at the start of `bytes` is incomplete.
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let segments = usize::from(*bytes.get(26)?);
        let table = bytes.get(FIXED_HEADER_BYTES..FIXED_HEADER_BYTES + segments)?;
        let body: usize = table.iter().map(|&n| usize::from(n)).sum();
        let header = FIXED_HEADER_BYTES + segments;
        let position = little_endian(bytes, 6, 8)?;
        let serial = little_endian(bytes, 14, 4)?;
        Some(Self {
            bytes: bytes.get(..header + body)?,
            body: bytes.get(header..header + body)?,
            is_first: bytes.get(5)? & 2 != 0,
            // The maximum means that no packet ends on this page.
            position: (position != u64::MAX).then_some(position),
            serial,
        })
    }
}

/// Returns content type, position units per second, and channels, from the first packet of a stream.
fn codec_of_first_packet(body: &[u8]) -> Option<(&'static str, u32, u8)> {
    if body.starts_with(b"OpusHead") {
        return Some(("audio/ogg;codecs=opus", 48_000, *body.get(9)?));
    }
    if body.starts_with(b"\x7FFLAC") {
        let info = flac::FlacStreamInfo::parse(body.get(17..)?)?;
        return Some(("audio/ogg;codecs=flac", info.rate, info.channels));
    }
    None
}

pub fn read(start: &AudioStart<'_>) -> Result<Option<DetectedAudio>, Failure> {
    let Some(page) = OggPage::read(start.bytes) else {
        return if start.is_complete {
            Err(Failure::usage(format!("{}: the Ogg stream is incomplete", start.name)))
        } else {
            Ok(None)
        };
    };
    let Some((content_type, rate, channels)) = codec_of_first_packet(page.body) else {
        return Err(Failure::usage(format!("{}: the Ogg stream contains neither Opus nor FLAC", start.name))
            .hint(conversion_hint(start.name)));
    };
    let splitter = Box::new(OggSplitter { waiting: Vec::new(), rate, position: 0, serial: page.serial });
    Ok(Some(DetectedAudio {
        content_type: content_type.to_owned(),
        header_bytes: 0,
        splitter,
        has_exact_times: true,
        notices: channels_notice(start.name, channels),
    }))
}

struct OggSplitter {
    waiting: Vec<u8>,
    rate: u32,
    position: u64,
    /// The logical stream whose positions are used; others may be interleaved.
    serial: u64,
}

impl OggSplitter {
    fn page_micros(&mut self, page: &OggPage<'_>) -> u64 {
        if page.is_first {
            // Another stream starts.
            if let Some((_, rate, _)) = codec_of_first_packet(page.body) {
                (self.rate, self.position, self.serial) = (rate, 0, page.serial);
            }
            return 0;
        }
        if page.serial != self.serial {
            return 0;
        }
        let Some(position) = page.position else { return 0 };
        let played = position.checked_sub(self.position);
        self.position = position;
        let micros = played.map(|n| u128::from(n) * 1_000_000 / u128::from(self.rate));
        micros
            .and_then(|n| u64::try_from(n).ok())
            .filter(|n| *n <= PAGE_MAX_MICROS)
            .unwrap_or_else(|| estimated_micros(page.bytes))
    }
}

fn estimated_micros(bytes: &[u8]) -> u64 {
    bytes.len() as u64 * 1_000_000 / BYTES_PER_SECOND
}

impl AudioSplitter for OggSplitter {
    fn push(&mut self, bytes: &[u8], queue: &mut AudioQueue) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.extend_from_slice(bytes);
        let mut at = 0;
        while let Some(rest) = waiting.get(at..).filter(|rest| rest.len() >= 4) {
            if rest.starts_with(b"OggS") {
                let Some(page) = OggPage::read(rest) else { break };
                let micros = self.page_micros(&page);
                let unit = if micros <= WHOLE_PAGE_MICROS { page.bytes.len() } else { 1 };
                queue.push(page.bytes, micros, unit);
                at += page.bytes.len();
            } else {
                // Send damaged data up to the next page, and let the service decide.
                let next = memchr::memmem::find(rest, b"OggS").unwrap_or(rest.len() - 3);
                let damaged = rest.get(..next).unwrap_or_default();
                queue.push(damaged, estimated_micros(damaged), 1);
                at += next;
            }
        }
        waiting.drain(..at);
        self.waiting = waiting;
    }

    fn finish(&mut self, queue: &mut AudioQueue) {
        let rest = std::mem::take(&mut self.waiting);
        queue.push(&rest, estimated_micros(&rest), 1);
    }
}
