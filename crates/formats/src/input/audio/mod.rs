//! Audio for a voice stream: detects its type, and splits it into chunks with known playing time.
//!
//! Input: a file or stdin. Output: a content type and chunks of bytes. WAV is sent as raw samples, converted if the
//! service does not support them. MP3 is sent without its tags. Other containers are sent unchanged. Only a few blocks
//! are in memory at a time.

mod block_reader;
mod conversion;
mod detected;
mod flac;
#[cfg(any(test, feature = "fuzzing"))]
pub mod in_memory;
mod matroska;
mod mp3;
mod mp4;
mod ogg;
pub mod pcm;
mod probe;
mod queue;
mod wav;

use std::path::Path;
use std::time::Duration;

use tulk_base::error::Failure;
use tulk_base::{limits, machine};

pub use self::detected::AudioOptions;
pub use self::queue::AudioChunk;

use self::block_reader::BlockReader;
use self::detected::{AudioSplitter, AudioStart};
use self::probe::Probe;
use self::queue::AudioQueue;

/// An open audio input.
pub struct Audio {
    /// Content type for the service.
    pub content_type: String,
    /// Whether playing times are exact rather than estimated from a bit rate.
    pub has_exact_times: bool,
    /// Whether the input is stdin, which may be live.
    pub is_pipe: bool,
    /// Total playing time, if it is known from the start.
    pub total: Option<Duration>,
    /// Notices for the user.
    pub notices: Vec<String>,
    blocks: BlockReader,
    splitter: Box<dyn AudioSplitter>,
    queue: AudioQueue,
    ended: bool,
}

impl Audio {
    /// Opens a file, or stdin for `None`, and reads until its type is known. Returns `None` if the input is empty.
    pub async fn open(path: Option<&Path>, options: &AudioOptions) -> Result<Option<Self>, Failure> {
        let mut blocks = BlockReader::open(path)?;
        let mut bytes: Vec<u8> = Vec::new();
        let mut index = None;
        let detected = loop {
            let block = blocks.next().await?;
            let is_complete = block.is_none();
            bytes.extend(block.unwrap_or_default());
            if bytes.is_empty() {
                return Ok(None);
            }
            if let (true, Some(file)) = (mp4::is_mp4(&bytes), blocks.take_seekable()) {
                let reading = machine::start("index", move || mp4::read_index(&file))?;
                index = reading.await.unwrap_or(None);
            }
            let index = index.as_deref();
            let start = AudioStart { bytes: &bytes, is_complete, name: blocks.name(), size: blocks.size(), index };
            let probe = Probe { start, options };
            if let Some(detected) = probe.identify()? {
                break detected;
            }
            if is_complete {
                return Err(probe.unknown_type_failure());
            }
        };
        let mut audio = Self {
            total: detected
                .splitter
                .total_time(blocks.size().map(|bytes| bytes.saturating_sub(detected.header_bytes as u64))),
            content_type: detected.content_type,
            has_exact_times: detected.has_exact_times,
            is_pipe: path.is_none(),
            notices: detected.notices,
            blocks,
            splitter: detected.splitter,
            queue: AudioQueue::default(),
            ended: false,
        };
        audio.splitter.push(bytes.get(detected.header_bytes..).unwrap_or_default(), &mut audio.queue);
        Ok(Some(audio))
    }

    /// Waits for the next chunk, which plays for about `duration`. It is shorter at the end of the input, and if no audio
    /// arrives for `duration`.
    ///
    /// Returns `None` at the end. Cancel safe: no audio is lost if the future is dropped.
    pub async fn next_chunk(&mut self, duration: Duration) -> Result<Option<AudioChunk>, Failure> {
        loop {
            if self.ended || self.queue.has_chunk(duration, limits::VOICE_CHUNK_BYTES) {
                return Ok(self.queue.take_chunk(duration, limits::VOICE_CHUNK_BYTES));
            }
            let next = if self.queue.is_empty() {
                self.blocks.next().await?
            } else {
                match tokio::time::timeout(duration, self.blocks.next()).await {
                    Ok(next) => next?,
                    Err(_) => return Ok(self.queue.take_chunk(duration, limits::VOICE_CHUNK_BYTES)),
                }
            };
            if let Some(bytes) = next {
                self.splitter.push(&bytes, &mut self.queue);
            } else {
                self.splitter.finish(&mut self.queue);
                self.ended = true;
            }
        }
    }

    /// Returns silence in the format of the input; `None` unless that is PCM.
    pub fn silence(&self, duration: Duration) -> Option<AudioChunk> {
        let format = pcm::PcmFormat::parse(&self.content_type)?;
        Some(AudioChunk { data: format.silence(duration).into(), duration })
    }
}

#[cfg(test)]
mod tests;
