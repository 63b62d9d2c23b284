//! WebM and Matroska: container and codec. Times are not read.

use memchr::memmem::find;

use super::advice::conversion_hint;
use super::bitrate::ConstantBitrate;
use super::format::{AudioFormat, AudioOptions};
use super::start::AudioStart;
use crate::error::Failure;

/// The first bytes of such a file.
pub const SIGNATURE: [u8; 4] = [0x1A, 0x45, 0xDF, 0xA3];
/// Bytes that are searched for the name of the codec.
const SEARCH_BYTES: usize = 16 * 1024;
/// Name in the file, name in the content type, and bit rate in kbit/s that the service recommends.
const CODECS: [(&[u8], &str, u32); 4] =
    [(b"A_OPUS", "opus", 32), (b"A_FLAC", "flac", 256), (b"A_AAC", "aac", 96), (b"A_MPEG/L3", "mp3", 128)];

/// Finds container and codec. Returns `None` if more bytes are needed.
pub fn read(start: &AudioStart<'_>, options: &AudioOptions) -> Result<Option<AudioFormat>, Failure> {
    let bytes = start.bytes.get(..SEARCH_BYTES).unwrap_or(start.bytes);
    let container =
        if find(bytes.get(..64).unwrap_or(bytes), b"webm").is_some() { "audio/webm" } else { "audio/x-matroska" };
    let codec = CODECS.iter().find(|(name, ..)| find(bytes, name).is_some());
    if let Some((_, name, rate)) = codec {
        return Ok(Some(ConstantBitrate::format(
            &format!("{container};codecs={name}"),
            options.bitrate,
            *rate,
            Vec::new(),
        )));
    }
    if find(bytes, b"A_VORBIS").is_some() && options.check {
        return Err(Failure::usage(format!("{} contains Vorbis, which the service does not accept", start.name))
            .hint(conversion_hint(start.name)));
    }
    if bytes.len() < SEARCH_BYTES && !start.is_complete {
        return Ok(None);
    }
    Ok(Some(ConstantBitrate::format(container, options.bitrate, 32, Vec::new())))
}
