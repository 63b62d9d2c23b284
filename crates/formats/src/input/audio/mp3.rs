//! MP3: playing time from frame headers. Tags are not sent.

use super::detected::{AudioSplitter, AudioStart, DetectedAudio, channels_notice};
use super::queue::AudioQueue;

/// Bit rates of layer III in kbit/s: MPEG version 1, then versions 2 and 2.5.
const BITRATES: [[u32; 15]; 2] = [
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];
/// Sample rates of MPEG version 1 in Hz.
const RATES: [u32; 3] = [44_100, 48_000, 32_000];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mp3Frame {
    bytes: usize,
    micros: u64,
    channels: u8,
}

impl Mp3Frame {
    /// Returns `None` if there is no frame at the start of `bytes`.
    fn read(bytes: &[u8]) -> Option<Self> {
        let &[sync, version, rates, mode] = bytes.get(..4)? else { return None };
        if sync != 0xFF || version & 0xE6 != 0xE2 {
            return None;
        }
        let (divide, first) = match version >> 3 & 3 {
            0 => (4, false),
            2 => (2, false),
            3 => (1, true),
            _ => return None,
        };
        let kilobits = *BITRATES.get(usize::from(!first))?.get(usize::from(rates >> 4))?;
        let rate = RATES.get(usize::from(rates >> 2 & 3))? / divide;
        let samples = if first { 1152 } else { 576 };
        let padding = u32::from(rates >> 1 & 1);
        if kilobits == 0 {
            return None;
        }
        let bytes = usize::try_from(samples / 8 * kilobits * 1000 / rate + padding).ok()?;
        let channels = if mode >> 6 == 3 { 1 } else { 2 };
        Some(Self { bytes, micros: u64::from(samples) * 1_000_000 / u64::from(rate), channels })
    }
}

/// Returns whether a file starts with a frame or an ID3v2 tag.
pub fn is_mp3(bytes: &[u8]) -> bool {
    bytes.starts_with(b"ID3") || Mp3Frame::read(bytes).is_some()
}

pub fn read(start: &AudioStart<'_>) -> DetectedAudio {
    let frame = Mp3Frame::read(start.bytes);
    DetectedAudio {
        content_type: "audio/mpeg".to_owned(),
        header_bytes: 0,
        splitter: Box::new(Mp3Splitter { waiting: Vec::new(), tag_bytes_left: 0 }),
        has_exact_times: true,
        notices: frame.map(|frame| channels_notice(start.name, frame.channels)).unwrap_or_default(),
    }
}

/// Drops all data outside of frames.
struct Mp3Splitter {
    waiting: Vec<u8>,
    /// Number of bytes of a tag that are still to be dropped.
    tag_bytes_left: usize,
}

impl AudioSplitter for Mp3Splitter {
    fn push(&mut self, bytes: &[u8], queue: &mut AudioQueue) {
        self.waiting.extend_from_slice(bytes);
        let mut at = 0;
        loop {
            let skipped = self.tag_bytes_left.min(self.waiting.len() - at);
            (at, self.tag_bytes_left) = (at + skipped, self.tag_bytes_left - skipped);
            let rest = self.waiting.get(at..).unwrap_or_default();
            if rest.len() < 10 {
                break;
            }
            if let Some(size) = tag_bytes(rest) {
                self.tag_bytes_left = size;
            } else if let Some(frame) = Mp3Frame::read(rest) {
                let Some(whole) = rest.get(..frame.bytes) else { break };
                queue.push(whole, frame.micros, frame.bytes);
                at += frame.bytes;
            } else {
                at += 1;
            }
        }
        self.waiting.drain(..at);
    }

    fn finish(&mut self, queue: &mut AudioQueue) {
        // An incomplete last frame is sent. An ID3v1 tag is dropped.
        if let Some(frame) = Mp3Frame::read(&self.waiting) {
            queue.push(&self.waiting, frame.micros, self.waiting.len());
        }
    }
}

/// Returns the size of an ID3v2 tag at the start of `bytes`, including header and footer.
fn tag_bytes(bytes: &[u8]) -> Option<usize> {
    let size = bytes.strip_prefix(b"ID3")?.get(3..7)?;
    let footer = usize::from(bytes.get(5)? >> 4 & 1) * 10;
    Some(10 + footer + size.iter().fold(0, |size, &byte| size << 7 | usize::from(byte & 0x7F)))
}
