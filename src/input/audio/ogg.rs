//! Ogg: playing time by the positions that its pages carry. Pages are sent as they are.

use super::kind::{Seen, channels_note, ffmpeg, le};
use super::{Head, Queue, Splitter, flac};
use crate::error::Failure;

/// Bytes of a page's fixed part.
const FIXED: usize = 27;
/// A longer page is a gap or a stream that began before: its time is estimated.
const PAGE_MOST_MICROS: u64 = 10_000_000;
/// Bytes a second for estimates: Opus at 32 kbit/s.
const BYTES_PER_SECOND: u64 = 4000;

/// One page.
struct Page<'a> {
    bytes: &'a [u8],
    body: &'a [u8],
    first: bool,
    position: Option<u64>,
}

impl<'a> Page<'a> {
    /// Reads the page that begins here; `None` when it is not whole.
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let segments = usize::from(*bytes.get(26)?);
        let table = bytes.get(FIXED..FIXED + segments)?;
        let body: usize = table.iter().map(|&n| usize::from(n)).sum();
        let header = FIXED + segments;
        let position = le(bytes, 6, 8)?;
        Some(Self {
            bytes: bytes.get(..header + body)?,
            body: bytes.get(header..header + body)?,
            first: bytes.get(5)? & 2 != 0,
            // No packet ends on the page.
            position: (position != u64::MAX).then_some(position),
        })
    }
}

/// The content type, the positions a second and the channels, by the first packet of a stream.
fn codec(body: &[u8]) -> Option<(&'static str, u32, u8)> {
    if body.starts_with(b"OpusHead") {
        return Some(("audio/ogg;codecs=opus", 48_000, *body.get(9)?));
    }
    if body.starts_with(b"\x7FFLAC") {
        let info = flac::info(body.get(17..)?)?;
        return Some(("audio/ogg;codecs=flac", info.rate, info.channels));
    }
    None
}

/// The head of a file; `None` when its first page is not whole.
pub fn read(seen: &Seen<'_>) -> Result<Option<Head>, Failure> {
    let Some(page) = Page::read(seen.bytes) else {
        return if seen.ended {
            Err(Failure::usage(format!("{}: the Ogg stream is cut off", seen.name)))
        } else {
            Ok(None)
        };
    };
    let Some((content_type, rate, channels)) = codec(page.body) else {
        return Err(Failure::usage(format!("{}: the Ogg stream holds neither Opus nor FLAC", seen.name))
            .hint(ffmpeg(seen.name)));
    };
    let splitter = Box::new(Pages { waiting: Vec::new(), rate, position: 0 });
    let notes = channels_note(seen.name, channels);
    Ok(Some(Head { content_type: content_type.to_owned(), skip: 0, splitter, exact: true, notes }))
}

/// Measures pages.
struct Pages {
    waiting: Vec<u8>,
    rate: u32,
    position: u64,
}

impl Pages {
    fn micros(&mut self, page: &Page<'_>) -> u64 {
        if page.first {
            self.position = 0;
            self.rate = codec(page.body).map_or(self.rate, |(_, rate, _)| rate);
            return 0;
        }
        let Some(position) = page.position else { return 0 };
        let played = position.checked_sub(self.position);
        self.position = position;
        let micros = played.map(|n| u128::from(n) * 1_000_000 / u128::from(self.rate));
        micros
            .and_then(|n| u64::try_from(n).ok())
            .filter(|n| *n <= PAGE_MOST_MICROS)
            .unwrap_or_else(|| estimate(page.bytes))
    }
}

fn estimate(bytes: &[u8]) -> u64 {
    bytes.len() as u64 * 1_000_000 / BYTES_PER_SECOND
}

impl Splitter for Pages {
    fn push(&mut self, bytes: &[u8], queue: &mut Queue) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.extend_from_slice(bytes);
        let mut at = 0;
        while let Some(rest) = waiting.get(at..).filter(|rest| rest.len() >= 4) {
            if rest.starts_with(b"OggS") {
                let Some(page) = Page::read(rest) else { break };
                let micros = self.micros(&page);
                queue.push(page.bytes, micros, 1);
                at += page.bytes.len();
            } else {
                // Damage is the service's to judge: it is sent, up to the next page.
                let next = memchr::memmem::find(rest, b"OggS").unwrap_or(rest.len() - 3);
                let damage = rest.get(..next).unwrap_or_default();
                queue.push(damage, estimate(damage), 1);
                at += next;
            }
        }
        waiting.drain(..at);
        self.waiting = waiting;
    }

    fn end(&mut self, queue: &mut Queue) {
        let rest = std::mem::take(&mut self.waiting);
        queue.push(&rest, estimate(&rest), 1);
    }
}
