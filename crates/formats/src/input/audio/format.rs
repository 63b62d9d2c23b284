//! What a reader finds out about an input: content type, header, and how to split the rest.

use std::time::Duration;

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
pub struct AudioFormat {
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
