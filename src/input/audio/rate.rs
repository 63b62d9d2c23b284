//! Containers whose times are not read: playing time by a bit rate.

use super::{Head, Queue, Splitter};

/// Audio at an even bit rate.
pub struct Steady {
    bytes_per_second: u64,
}

impl Steady {
    /// The head of a container paced by `given`, else by `usual` kilobits a second.
    pub fn head(content_type: &str, given: Option<u32>, usual: u32, mut notes: Vec<String>) -> Head {
        let kilobits = given.unwrap_or(usual).max(1);
        if given.is_none() {
            notes.push(format!("paced at {kilobits} kbit/s; name the audio's own bit rate with --bitrate"));
        }
        let splitter = Box::new(Self { bytes_per_second: u64::from(kilobits) * 125 });
        Head { content_type: content_type.to_owned(), skip: 0, splitter, exact: false, notes }
    }
}

impl Splitter for Steady {
    fn push(&mut self, bytes: &[u8], queue: &mut Queue) {
        queue.push(bytes, bytes.len() as u64 * 1_000_000 / self.bytes_per_second, 1);
    }
}
