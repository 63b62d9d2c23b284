//! WebM and Matroska: which of them, and which codec. Times are not read.

use memchr::memmem::find;

use super::kind::{Seen, ffmpeg};
use super::rate::Steady;
use super::{Asked, Head};
use crate::error::Failure;

/// How such a file begins.
pub const MAGIC: [u8; 4] = [0x1A, 0x45, 0xDF, 0xA3];
/// Bytes in which the codec's name is looked for.
const LOOK: usize = 16 * 1024;
/// Name in the file, name in the content type, kilobits a second that the service advises.
const CODECS: [(&[u8], &str, u32); 4] =
    [(b"A_OPUS", "opus", 32), (b"A_FLAC", "flac", 256), (b"A_AAC", "aac", 96), (b"A_MPEG/L3", "mp3", 128)];

/// The head of a file; `None` when the codec may still come.
pub fn read(seen: &Seen<'_>, asked: &Asked) -> Result<Option<Head>, Failure> {
    let bytes = seen.bytes.get(..LOOK).unwrap_or(seen.bytes);
    let container =
        if find(bytes.get(..64).unwrap_or(bytes), b"webm").is_some() { "audio/webm" } else { "audio/x-matroska" };
    let codec = CODECS.iter().find(|(name, ..)| find(bytes, name).is_some());
    if let Some((_, name, rate)) = codec {
        return Ok(Some(Steady::head(&format!("{container};codecs={name}"), asked.bitrate, *rate, Vec::new())));
    }
    if find(bytes, b"A_VORBIS").is_some() && asked.check {
        return Err(Failure::usage(format!("{} holds Vorbis, which the service does not take", seen.name))
            .hint(ffmpeg(seen.name)));
    }
    if bytes.len() < LOOK && !seen.ended {
        return Ok(None);
    }
    Ok(Some(Steady::head(container, asked.bitrate, 32, Vec::new())))
}
