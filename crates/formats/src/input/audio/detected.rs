//! Types and helpers that the readers of several containers share.

use std::time::Duration;

use tulk_base::shell;

use super::queue::AudioQueue;

/// User options for an audio input.
#[derive(Clone, Debug, Default)]
pub struct AudioOptions {
    /// Content type given by the user, normalised.
    pub content_type: Option<String>,
    /// Bit rate in kbit/s for containers whose times are not read.
    pub bitrate: Option<u32>,
    /// Whether to refuse audio that the service does not support.
    pub check: bool,
}

pub struct DetectedAudio {
    pub content_type: String,
    /// Bytes of the header that are not sent.
    pub header_bytes: usize,
    pub splitter: Box<dyn AudioSplitter>,
    /// Whether playing times are exact rather than estimated.
    pub has_exact_times: bool,
    pub notices: Vec<String>,
}

/// Splits a stream into spans with known playing time.
pub trait AudioSplitter: Send {
    fn push(&mut self, bytes: &[u8], queue: &mut AudioQueue);

    /// Returns the total playing time, if it is known before the first call of `push`.
    fn total_time(&self, _file_bytes: Option<u64>) -> Option<Duration> {
        None
    }

    fn finish(&mut self, _: &mut AudioQueue) {}
}

#[derive(Clone, Copy)]
pub struct AudioStart<'a> {
    pub bytes: &'a [u8],
    /// Whether `bytes` is the complete input.
    pub is_complete: bool,
    /// Path, or `stdin`.
    pub name: &'a str,
    pub size: Option<u64>,
    /// The index of an MP4 file, if it was read in advance.
    pub index: Option<&'a [u8]>,
}

pub fn little_endian(bytes: &[u8], at: usize, len: usize) -> Option<u64> {
    Some(bytes.get(at..at + len)?.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

pub fn big_endian(bytes: &[u8], at: usize, len: usize) -> Option<u64> {
    Some(bytes.get(at..at + len)?.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

pub struct ConstantBitrate {
    bytes_per_second: u64,
}

impl ConstantBitrate {
    /// The bit rate in kbit/s is `given` by the user, or else the `default`.
    pub fn detected(content_type: &str, given: Option<u32>, default: u32, mut notices: Vec<String>) -> DetectedAudio {
        let kilobits = given.unwrap_or(default).max(1);
        if given.is_none() {
            notices.push(format!("sending at {kilobits} kbit/s; set the actual bit rate with --bitrate"));
        }
        DetectedAudio {
            content_type: content_type.to_owned(),
            header_bytes: 0,
            splitter: Box::new(Self { bytes_per_second: u64::from(kilobits) * 125 }),
            has_exact_times: false,
            notices,
        }
    }
}

impl AudioSplitter for ConstantBitrate {
    fn push(&mut self, bytes: &[u8], queue: &mut AudioQueue) {
        queue.push(bytes, bytes.len() as u64 * 1_000_000 / self.bytes_per_second, 1);
    }
}

/// Returns a command that converts any audio to a supported format. Users append their own options, such as `--to`,
/// which are not known here.
pub fn ffmpeg_command(name: &str) -> String {
    let input = if name == "stdin" { "-".into() } else { shell::quote_file(name) };
    format!("ffmpeg -i {input} -ac 1 -ar 16000 -c:a pcm_s16le -f wav - | tulk voice stream -")
}

pub fn conversion_hint(name: &str) -> String {
    format!("convert it, with your options at the end: {}", ffmpeg_command(name))
}

pub fn channels_notice(name: &str, channels: u8) -> Vec<String> {
    if channels <= 1 {
        return Vec::new();
    }
    let command = ffmpeg_command(name);
    vec![format!(
        "{name} has {channels} channels, but the service asks for one; if it is refused, convert it, with your \
         options at the end: {command}"
    )]
}
