//! Splits audio in memory like [`super::Audio`], but without threads, for property tests and fuzzing.

use std::path::Path;
use std::time::Duration;

use tulk_base::error::Failure;
use tulk_base::limits;

use super::block_reader::SeekableFile;
use super::detected::{AudioOptions, AudioStart};
use super::mp4;
use super::probe::Probe;
use super::queue::AudioQueue;

const CHUNK_DURATION: Duration = Duration::from_millis(200);

/// Everything that would be sent for an input.
#[derive(Debug)]
pub struct SplitAudio {
    /// Content type for the service.
    pub content_type: String,
    /// All chunks, concatenated.
    pub sent: Vec<u8>,
    /// Size of the largest chunk in bytes.
    pub largest: usize,
    /// Playing time of all chunks.
    pub time: Duration,
}

/// Splits an input that arrives in blocks of `step` bytes. `file` has the same content and allows reading an MP4 index
/// at the end.
pub fn split(input: &[u8], step: usize, file: Option<&Path>, options: &AudioOptions) -> Result<SplitAudio, Failure> {
    let seekable = file.and_then(|path| SeekableFile::open(Some(path)).unwrap_or(None));
    let size = seekable.as_ref().map(SeekableFile::size);
    let index = seekable.filter(|_| mp4::is_mp4(input)).and_then(|file| mp4::read_index(&file));
    let mut read = 0;
    let mut detected = loop {
        read = (read + step.max(1)).min(input.len());
        let is_complete = read == input.len();
        let bytes = input.get(..read).unwrap_or_default();
        let start = AudioStart { bytes, is_complete, name: "input", size, index: index.as_deref() };
        let probe = Probe { start, options };
        match probe.identify()? {
            Some(detected) => break detected,
            None if is_complete => return Err(probe.unknown_type_failure()),
            None => {}
        }
    };
    let mut queue = AudioQueue::default();
    let mut split =
        SplitAudio { content_type: detected.content_type, sent: Vec::new(), largest: 0, time: Duration::ZERO };
    let _ = detected.splitter.total_time(size);
    let (first, rest) = input.split_at_checked(read).unwrap_or((input, &[]));
    detected.splitter.push(first.get(detected.header_bytes..).unwrap_or_default(), &mut queue);
    for block in rest.chunks(step.max(1)) {
        while queue.has_chunk(CHUNK_DURATION, limits::VOICE_CHUNK_BYTES) {
            split.take_chunk(&mut queue);
        }
        detected.splitter.push(block, &mut queue);
    }
    detected.splitter.finish(&mut queue);
    while split.take_chunk(&mut queue) {}
    Ok(split)
}

impl SplitAudio {
    fn take_chunk(&mut self, queue: &mut AudioQueue) -> bool {
        let Some(chunk) = queue.take_chunk(CHUNK_DURATION, limits::VOICE_CHUNK_BYTES) else { return false };
        assert!(!chunk.data.is_empty(), "an empty chunk");
        self.sent.extend_from_slice(&chunk.data);
        self.largest = self.largest.max(chunk.data.len());
        self.time += chunk.duration;
        true
    }
}
