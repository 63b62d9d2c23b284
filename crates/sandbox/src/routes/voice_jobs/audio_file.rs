//! Measures the playing time of an uploaded file: from the header for WAV and FLAC, and like a stream for other
//! formats.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use crate::routes::voice::audio_meter::AudioMeter;

const BLOCK_BYTES: usize = 64 * 1024;
/// Number of bytes at the start of a file that must contain its header.
const HEADER_BYTES: u64 = 1024 * 1024;

/// Returns the playing time of a file in microseconds, or `None` if the file does not match the content type.
pub(crate) fn playing_time(path: &Path, content_type: &str) -> io::Result<Option<u64>> {
    let mut start = Vec::new();
    File::open(path)?.take(HEADER_BYTES).read_to_end(&mut start)?;
    let size = path.metadata()?.len();
    let is_mp4 = start.get(4..8) == Some(b"ftyp");
    // The meter uses `audio/mpeg` for both MP3 and MP4.
    let meter_type = match content_type {
        "audio/wav" => return Ok(wav_time(&start, size)),
        "audio/flac" => match flac_time(&start) {
            Some(0) => content_type,
            time => return Ok(time),
        },
        "audio/mp4" if is_mp4 => "audio/mpeg",
        "audio/mp4" => return Ok(None),
        "audio/mpeg" if is_mp4 => return Ok(None),
        other => other,
    };
    let Some(mut meter) = AudioMeter::new(meter_type) else { return Ok(None) };
    let mut file = File::open(path)?;
    let (mut block, mut total) = (vec![0; BLOCK_BYTES], 0_u64);
    loop {
        let read = file.read(&mut block)?;
        if read == 0 {
            // A file that is too short to recognise its format is not audio.
            return Ok(Some(total).filter(|_| size >= 12));
        }
        match meter.add(block.get(..read).unwrap_or_default()) {
            Some(micros) => total = total.saturating_add(micros),
            None => return Ok(None),
        }
    }
}

/// Returns the playing time of a WAV file of `size` bytes, from its header.
fn wav_time(start: &[u8], size: u64) -> Option<u64> {
    if start.get(..4)? != b"RIFF" || start.get(8..12)? != b"WAVE" {
        return None;
    }
    let number = |at: usize| Some(u64::from(u32::from_le_bytes(start.get(at..at + 4)?.try_into().ok()?)));
    let (mut at, mut bytes_per_second) = (12, 0);
    loop {
        let content = at + 8;
        let length = number(at + 4)?;
        match start.get(at..at + 4)? {
            b"fmt " => bytes_per_second = number(content + 8)?,
            b"data" if bytes_per_second > 0 => {
                // A program that writes to a pipe cannot know the length and declares a larger one.
                let length = length.min(size.saturating_sub(content as u64));
                return Some(length * 1_000_000 / bytes_per_second);
            }
            _ => {}
        }
        // Chunks are padded to an even length.
        at = content + usize::try_from(length + length % 2).ok()?;
    }
}

/// Returns the playing time of a FLAC file, from its header; 0 if the header does not contain it.
fn flac_time(start: &[u8]) -> Option<u64> {
    if start.get(..4)? != b"fLaC" || start.get(4)? & 0x7F != 0 {
        return None;
    }
    let info = start.get(8..42)?;
    let packed = u64::from_be_bytes(info.get(10..18)?.try_into().ok()?);
    // 20 bits sample rate, 8 bits channels and sample size, 36 bits number of samples.
    let (rate, samples) = (packed >> 44, packed & 0xF_FFFF_FFFF);
    (rate > 0).then(|| samples * 1_000_000 / rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(content_type: &str, bytes: &[u8]) -> Option<u64> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        playing_time(file.path(), content_type).unwrap()
    }

    fn wav(length: u32, samples: usize) -> Vec<u8> {
        let mut bytes =
            b"RIFF\0\0\0\0WAVELIST\x03\0\0\0abc\0fmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data"
                .to_vec();
        bytes.extend(length.to_le_bytes());
        bytes.resize(bytes.len() + samples * 2, 0);
        bytes
    }

    #[test]
    fn measures_wav_and_flac_by_their_headers() {
        assert_eq!(time("audio/wav", &wav(32_000, 16_000)), Some(1_000_000));
        assert_eq!(time("audio/wav", &wav(u32::MAX, 8000)), Some(500_000), "a stream");
        assert_eq!(time("audio/wav", &wav(32_000, 8000)), Some(500_000), "cut off");
        let mut flac = b"fLaC\x80\0\0\x22\x10\0\x10\0\0\0\0\0\0\0\x0a\xc4\x42\xf0\0\x01\x58\x88".to_vec();
        flac.resize(100, 0);
        assert_eq!(time("audio/flac", &flac), Some(2_000_000));
        flac[21..26].copy_from_slice(&[0xf0, 0, 0, 0, 0]);
        assert_eq!(time("audio/flac", &flac), Some(3125), "100 bytes at 256 kbit/s");
    }

    #[test]
    fn refuses_a_file_of_another_content_type() {
        let mp4 = b"\0\0\0\x10ftypM4A \0\0\0\0";
        for (content_type, bytes) in [
            ("audio/wav", &b"RIFF\0\0\0\0AVI "[..]),
            ("audio/wav", b"RIFF\0\0\0\0WAVEdata\xff\xff\xff\xff"),
            ("audio/wav", b"OggS"),
            ("audio/flac", b"fLaC"),
            ("audio/flac", b"ID3\0\0\0\0\0\0\0\0\0\0"),
            ("audio/mpeg", mp4),
            ("audio/mpeg", b"Hello, this is text."),
            ("audio/mp4", b"\xFF\xFB\x90\xC0\0\0\0\0\0\0\0\0"),
            ("audio/ogg", b"Ogg"),
            ("audio/ogg", b""),
            ("audio/webm", b"OggS\0\x02\0\0\0\0\0\0\0"),
        ] {
            assert_eq!(time(content_type, bytes), None, "{content_type}");
        }
        assert_eq!(time("audio/mp4", mp4), Some(0));
    }
}
