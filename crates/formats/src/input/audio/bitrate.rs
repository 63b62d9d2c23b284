//! Containers whose times are not read: playing time by bit rate.

use super::format::{AudioFormat, AudioSplitter};
use super::queue::AudioQueue;

/// Splits audio with a constant bit rate.
pub struct ConstantBitrate {
    bytes_per_second: u64,
}

impl ConstantBitrate {
    /// Returns the format of a container with the `given` bit rate, else the `default` one, in kbit/s.
    pub fn format(content_type: &str, given: Option<u32>, default: u32, mut notices: Vec<String>) -> AudioFormat {
        let kilobits = given.unwrap_or(default).max(1);
        if given.is_none() {
            notices.push(format!("sending at {kilobits} kbit/s; set the actual bit rate with --bitrate"));
        }
        AudioFormat {
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
