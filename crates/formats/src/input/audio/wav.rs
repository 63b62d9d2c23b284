//! WAV: the samples are sent as raw PCM, converted if the service does not support them.

use tulk_base::error::Failure;

use super::conversion::{WavConverter, WavSample};
use super::detected::{AudioOptions, AudioSplitter, AudioStart, DetectedAudio, conversion_hint, little_endian};
use super::pcm::{PcmFormat, SampleEncoding};

/// Maximum offset of the samples.
const HEADER_MAX_BYTES: usize = 1024 * 1024;
/// A larger data size means that the program that wrote the file did not know the size, for example because it wrote to a pipe.
const SIZE_UNKNOWN: u32 = 0x7FFF_0000;

pub fn is_wav(bytes: &[u8]) -> bool {
    matches!(bytes.get(..4), Some(b"RIFF" | b"RF64")) && bytes.get(8..12) == Some(b"WAVE")
}

/// Returns `None` if more bytes are needed.
pub fn read(start: &AudioStart<'_>, options: &AudioOptions) -> Result<Option<DetectedAudio>, Failure> {
    let bytes = start.bytes;
    let mut at = 12;
    let mut format = None;
    loop {
        let (Some(id), Some(size)) = (bytes.get(at..at + 4), little_endian(bytes, at + 4, 4)) else {
            return need_more(start);
        };
        let body = at + 8;
        let size32 = u32::try_from(size).unwrap_or(u32::MAX);
        if id == b"data" {
            let Some(format) = format else {
                return Err(Failure::usage(format!("{}: the WAV file has samples before its format", start.name)));
            };
            let remaining = (size32 != 0 && size32 < SIZE_UNKNOWN).then_some(u64::from(size32));
            return detected_audio(start, options, format, body, remaining).map(Some);
        }
        if id == b"fmt " {
            let Some(fields) = bytes.get(body..body + usize::try_from(size).unwrap_or(usize::MAX).min(40)) else {
                return need_more(start);
            };
            format = Some(WavFormat::read(fields));
        }
        // Chunks are padded to an even size.
        at = body.saturating_add(usize::try_from(size + (size & 1)).unwrap_or(usize::MAX));
        if at > HEADER_MAX_BYTES {
            return Err(Failure::usage(format!("{}: the WAV file has no samples in its first MiB", start.name)));
        }
    }
}

fn need_more(start: &AudioStart<'_>) -> Result<Option<DetectedAudio>, Failure> {
    if start.is_complete {
        Err(Failure::usage(format!("{}: the WAV header is incomplete", start.name)))
    } else {
        Ok(None)
    }
}

#[derive(Clone, Copy)]
struct WavFormat {
    tag: u64,
    channels: u64,
    rate: u64,
    bits: u64,
}

impl WavFormat {
    fn read(bytes: &[u8]) -> Self {
        let field = |at, n| little_endian(bytes, at, n).unwrap_or(0);
        let tag = field(0, 2);
        // In the extensible format, the actual tag is the start of the GUID.
        let tag = if tag == 0xFFFE { field(24, 2) } else { tag };
        Self { tag, channels: field(2, 2), rate: field(4, 4), bits: field(14, 2) }
    }

    /// Returns `None` if the samples need a conversion.
    fn unconverted_format(self) -> Option<PcmFormat> {
        let encoding = match (self.tag, self.bits) {
            (1, 16) => SampleEncoding::S16le,
            (6, 8) => SampleEncoding::Alaw,
            (7, 8) => SampleEncoding::Ulaw,
            _ => return None,
        };
        let rate = u32::try_from(self.rate).ok().filter(|rate| *rate > 0)?;
        (self.channels == 1).then_some(PcmFormat { encoding, rate })
    }

    /// Returns the format to send, and its splitter. With `check`, it is a format that the service supports.
    fn format_to_send(self, remaining: Option<u64>, check: bool) -> Option<(PcmFormat, Box<dyn AudioSplitter>)> {
        if let Some(format) = self.unconverted_format().filter(|format| format.is_supported() || !check) {
            return Some((format, format.splitter(remaining)));
        }
        let sample = match (self.tag, self.bits) {
            (1, 8) => WavSample::Unsigned8,
            (1, 16) => WavSample::Signed(2),
            (1, 24) => WavSample::Signed(3),
            (1, 32) => WavSample::Signed(4),
            (3, 32) => WavSample::Float32,
            (3, 64) => WavSample::Float64,
            _ => return None,
        };
        let (converter, format) = WavConverter::new(sample, self.channels, u32::try_from(self.rate).ok()?, remaining)?;
        Some((format, Box::new(converter)))
    }

    fn describe(self) -> String {
        let kind = match self.tag {
            1 => format!("{} bits", self.bits),
            3 => format!("{}-bit float", self.bits),
            6 => "A-law".to_owned(),
            7 => "µ-law".to_owned(),
            other => format!("format {other}"),
        };
        let channels = if self.channels == 1 { "1 channel".to_owned() } else { format!("{} channels", self.channels) };
        format!("{kind}, {} Hz, {channels}", self.rate)
    }
}

fn detected_audio(
    start: &AudioStart<'_>,
    options: &AudioOptions,
    wav: WavFormat,
    header_bytes: usize,
    remaining: Option<u64>,
) -> Result<DetectedAudio, Failure> {
    let Some((format, splitter)) = wav.format_to_send(remaining, options.check) else {
        return Err(Failure::usage(format!(
            "{}: unsupported WAV ({}); tulk reads 8 to 32 bits and float at 4000 to 384000 Hz, and one channel of A-law or \
             µ-law at 8000 Hz",
            start.name,
            wav.describe()
        ))
        .hint(conversion_hint(start.name)));
    };
    let content_type = format.content_type();
    let is_converted = wav.unconverted_format() != Some(format);
    let notice =
        || format!("{} ({}) is converted to 16 bits, {} Hz, 1 channel", start.name, wav.describe(), format.rate);
    if let Some(given) = options.content_type.as_ref().filter(|given| **given != content_type) {
        return Err(Failure::usage(format!(
            "--content-type is {given}, but {} is WAV with {content_type}",
            start.name
        ))
        .hint("omit --content-type: it is read from the file"));
    }
    Ok(DetectedAudio {
        content_type,
        header_bytes,
        splitter,
        has_exact_times: true,
        notices: is_converted.then(notice).into_iter().collect(),
    })
}
