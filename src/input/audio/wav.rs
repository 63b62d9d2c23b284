//! WAV: its header, which is read and not sent. The samples go as PCM.

use super::kind::{Seen, ffmpeg, le};
use super::pcm::{Encoding, PcmFormat};
use super::{Asked, Head};
use crate::error::Failure;

/// Bytes before the samples that are read at most.
const HEADER_MOST: usize = 1024 * 1024;
/// A data size from which on it means that the writer did not know it (a pipe).
const SIZE_UNKNOWN: u32 = 0x7FFF_0000;

/// Whether these are the first bytes of a WAV file.
pub fn is(bytes: &[u8]) -> bool {
    matches!(bytes.get(..4), Some(b"RIFF" | b"RF64")) && bytes.get(8..12) == Some(b"WAVE")
}

/// Reads the header; `None` when more bytes are needed.
pub fn read(seen: &Seen<'_>, asked: &Asked) -> Result<Option<Head>, Failure> {
    let bytes = seen.bytes;
    let mut at = 12;
    let mut format = None;
    loop {
        let (Some(id), Some(size)) = (bytes.get(at..at + 4), le(bytes, at + 4, 4)) else {
            return wait(seen);
        };
        let body = at + 8;
        let size32 = u32::try_from(size).unwrap_or(u32::MAX);
        if id == b"data" {
            let Some(format) = format else {
                return Err(Failure::usage(format!("{}: the WAV file has no format before its samples", seen.name)));
            };
            let left = (size32 != 0 && size32 < SIZE_UNKNOWN).then_some(u64::from(size32));
            return head(seen, asked, format, body, left).map(Some);
        }
        if id == b"fmt " {
            let Some(fields) = bytes.get(body..body + usize::try_from(size).unwrap_or(usize::MAX).min(40)) else {
                return wait(seen);
            };
            format = Some(Fields::read(fields));
        }
        // Chunks are padded to an even size.
        at = body.saturating_add(usize::try_from(size + (size & 1)).unwrap_or(usize::MAX));
        if at > HEADER_MOST {
            return Err(Failure::usage(format!("{}: the WAV file has no samples in its first MiB", seen.name)));
        }
    }
}

fn wait(seen: &Seen<'_>) -> Result<Option<Head>, Failure> {
    if seen.ended { Err(Failure::usage(format!("{}: the WAV file ends in its header", seen.name))) } else { Ok(None) }
}

/// What the format chunk says.
#[derive(Clone, Copy)]
struct Fields {
    tag: u64,
    channels: u64,
    rate: u64,
    bits: u64,
}

impl Fields {
    fn read(bytes: &[u8]) -> Self {
        let field = |at, n| le(bytes, at, n).unwrap_or(0);
        let tag = field(0, 2);
        // The extensible form names the true one first in its GUID.
        let tag = if tag == 0xFFFE { field(24, 2) } else { tag };
        Self { tag, channels: field(2, 2), rate: field(4, 4), bits: field(14, 2) }
    }

    fn words(self) -> String {
        let kind = match self.tag {
            1 => format!("{} bit", self.bits),
            3 => format!("{} bit float", self.bits),
            6 => "A-law".to_owned(),
            7 => "µ-law".to_owned(),
            other => format!("format {other}"),
        };
        let channels = if self.channels == 1 { "1 channel".to_owned() } else { format!("{} channels", self.channels) };
        format!("{kind}, {} Hz, {channels}", self.rate)
    }
}

fn head(seen: &Seen<'_>, asked: &Asked, fields: Fields, skip: usize, left: Option<u64>) -> Result<Head, Failure> {
    let encoding = match (fields.tag, fields.bits) {
        (1, 16) => Some(Encoding::S16le),
        (6, 8) => Some(Encoding::Alaw),
        (7, 8) => Some(Encoding::Ulaw),
        _ => None,
    };
    let rate = u32::try_from(fields.rate).unwrap_or(0);
    let format = encoding.filter(|_| rate > 0).map(|encoding| PcmFormat { encoding, rate });
    let Some(format) = format.filter(|format| fields.channels == 1 && (format.is_taken() || !asked.check)) else {
        return Err(Failure::usage(format!(
            "{}: {} in WAV; the service takes one channel of 16 bit at 8000, 16000, 44100 or 48000 Hz, \
             or A-law or µ-law at 8000 Hz",
            seen.name,
            fields.words()
        ))
        .hint(ffmpeg(seen.name)));
    };
    let content_type = format.content_type();
    if let Some(given) = asked.content_type.as_ref().filter(|given| **given != content_type) {
        return Err(Failure::usage(format!(
            "--content-type {given}, but {} is WAV that holds {content_type}",
            seen.name
        ))
        .hint("leave --content-type out: WAV says itself what it holds"));
    }
    Ok(Head { content_type, skip, splitter: format.splitter(left), exact: true, notes: Vec::new() })
}
