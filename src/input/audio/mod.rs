//! Audio from a file or a pipe: what it is, by its first bytes, and chunks of it with their playing time.
//!
//! Nothing is decoded: WAV loses its header, other containers are sent as they are. Memory holds a few blocks, however
//! long the audio is. Spec: "Voice", source content types and limits of a chunk.

mod ebml;
mod flac;
mod kind;
mod mp3;
mod ogg;
pub mod pcm;
mod queue;
mod rate;
mod reader;
mod wav;

use std::path::Path;
use std::time::Duration;

pub use queue::{Chunk, Queue};

use crate::error::Failure;
use crate::limits;
use reader::Blocks;

/// Cuts a stream into stretches whose playing time is known.
trait Splitter: Send {
    /// Takes the next bytes.
    fn push(&mut self, bytes: &[u8], queue: &mut Queue);

    /// Takes the end of the stream.
    fn end(&mut self, _: &mut Queue) {}
}

/// What is asked of an input.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The content type given, normalised.
    pub content_type: Option<String>,
    /// Kilobits a second of a container whose times are not read.
    pub bitrate: Option<u32>,
    /// Whether what the service is known not to take is refused.
    pub check: bool,
}

/// What the first bytes say.
struct Head {
    /// What to tell the service.
    content_type: String,
    /// Bytes that are not sent.
    skip: usize,
    splitter: Box<dyn Splitter>,
    /// Whether playing times are known, not estimated.
    exact: bool,
    /// What the user should know.
    notes: Vec<String>,
}

/// An open input.
pub struct Audio {
    /// What to tell the service.
    pub content_type: String,
    /// Whether playing times are known, not estimated from a bit rate.
    pub exact: bool,
    /// Whether it comes from a pipe, so that it may be live.
    pub live: bool,
    /// What the user should know, if anything.
    pub notes: Vec<String>,
    blocks: Blocks,
    splitter: Box<dyn Splitter>,
    queue: Queue,
    ended: bool,
}

impl Audio {
    /// Opens a file, or stdin for `None`, and reads as much as its type needs. `None` when it is empty.
    pub async fn open(path: Option<&Path>, asked: &Asked) -> Result<Option<Self>, Failure> {
        let mut blocks = Blocks::open(path)?;
        let mut first: Vec<u8> = Vec::new();
        let head = loop {
            let block = blocks.next().await?;
            let ended = block.is_none();
            first.extend(block.unwrap_or_default());
            if first.is_empty() {
                return Ok(None);
            }
            let seen = kind::Seen { bytes: &first, ended, name: blocks.name(), size: blocks.size() };
            if let Some(head) = kind::read(&seen, asked)? {
                break head;
            }
            if ended {
                return Err(kind::unknown(&seen));
            }
        };
        let mut audio = Self {
            content_type: head.content_type,
            exact: head.exact,
            live: path.is_none(),
            notes: head.notes,
            blocks,
            splitter: head.splitter,
            queue: Queue::default(),
            ended: false,
        };
        audio.splitter.push(first.get(head.skip..).unwrap_or_default(), &mut audio.queue);
        Ok(Some(audio))
    }

    /// Waits for the next chunk of `want`; a shorter one comes at the end, and when a pipe idles for that long.
    ///
    /// `None` is the end. May be dropped while it waits: nothing is lost.
    pub async fn chunk(&mut self, want: Duration) -> Result<Option<Chunk>, Failure> {
        loop {
            if self.ended || self.queue.holds(want, limits::VOICE_CHUNK_BYTES) {
                return Ok(self.queue.take(want, limits::VOICE_CHUNK_BYTES));
            }
            let next = if self.queue.is_empty() {
                self.blocks.next().await?
            } else {
                match tokio::time::timeout(want, self.blocks.next()).await {
                    Ok(next) => next?,
                    Err(_) => return Ok(self.queue.take(want, limits::VOICE_CHUNK_BYTES)),
                }
            };
            if let Some(bytes) = next {
                self.splitter.push(&bytes, &mut self.queue);
            } else {
                self.splitter.end(&mut self.queue);
                self.ended = true;
            }
        }
    }

    /// A chunk of silence, for content types in which it can be made of nothing.
    pub fn silence(&self, length: Duration) -> Option<Chunk> {
        let format = pcm::PcmFormat::of(&self.content_type)?;
        Some(Chunk { data: format.silence(length).into(), duration: length })
    }
}

#[cfg(test)]
mod tests;
