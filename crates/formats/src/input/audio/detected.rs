//! What a reader finds out about an input: content type, header, and how to split the rest; and what readers of several containers
//! share: numbers in the first bytes, playing time by bit rate, advice for audio that the service may not accept.

use std::time::Duration;

use tulk_base::shell;

use super::queue::AudioQueue;

/// Options of an input.
#[derive(Clone, Debug, Default)]
pub struct AudioOptions {
    /// Content type given by the user, normalised.
    pub content_type: Option<String>,
    /// Bit rate in kbit/s of containers whose times are not read.
    pub bitrate: Option<u32>,
    /// Whether to refuse audio that the service is known not to accept.
    pub check: bool,
}

/// The type of an input, found from its first bytes.
pub struct DetectedAudio {
    /// Content type for the service.
    pub content_type: String,
    /// Bytes at the start that are not sent.
    pub header_bytes: usize,
    /// Splits the rest.
    pub splitter: Box<dyn AudioSplitter>,
    /// Whether playing times are exact rather than estimated.
    pub has_exact_times: bool,
    /// Notices for the user.
    pub notices: Vec<String>,
}

/// Splits a stream into spans with known playing time.
pub trait AudioSplitter: Send {
    /// Adds the next bytes of the stream.
    fn push(&mut self, bytes: &[u8], queue: &mut AudioQueue);

    /// Returns the playing time of the whole stream, if that is known before the first bytes are added.
    fn total(&self, _file_bytes: Option<u64>) -> Option<Duration> {
        None
    }

    /// Ends the stream.
    fn finish(&mut self, _: &mut AudioQueue) {}
}

/// The part of an input that has been read so far.
#[derive(Clone, Copy)]
pub struct AudioStart<'a> {
    /// The first bytes.
    pub bytes: &'a [u8],
    /// Whether `bytes` is the whole input.
    pub is_complete: bool,
    /// File name, or `stdin`.
    pub name: &'a str,
    /// Size in bytes of a regular file.
    pub size: Option<u64>,
    /// The index of an MP4 file, if it could be read ahead.
    pub index: Option<&'a [u8]>,
}

/// Reads a little-endian number of `len` bytes.
pub fn little_endian(bytes: &[u8], at: usize, len: usize) -> Option<u64> {
    Some(bytes.get(at..at + len)?.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

/// Reads a big-endian number of `len` bytes.
pub fn big_endian(bytes: &[u8], at: usize, len: usize) -> Option<u64> {
    Some(bytes.get(at..at + len)?.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

/// Splits audio with a constant bit rate.
pub struct ConstantBitrate {
    bytes_per_second: u64,
}

impl ConstantBitrate {
    /// Describes a container with the `given` bit rate, else the `default` one, in kbit/s.
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

/// Returns the command that converts any audio to a format that the service accepts. Its user adds the options, such as
/// `--to`: other code parses them.
pub fn ffmpeg_command(name: &str) -> String {
    let input = if name == "stdin" { "-".into() } else { shell::quote_file(name) };
    format!("ffmpeg -i {input} -ac 1 -ar 16000 -c:a pcm_s16le -f wav - | tulk voice stream -")
}

/// Returns the hint for audio that the service does not accept.
pub fn conversion_hint(name: &str) -> String {
    format!("convert it, with your options at the end: {}", ffmpeg_command(name))
}

/// Returns the notice for a container with more than one channel.
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
