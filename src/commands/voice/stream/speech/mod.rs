//! `--audio-out`: writes the spoken translation to a playable file.
//!
//! Input: chunks of speech in the requested content type. Output: a file or stdout. Containers are written unchanged,
//! PCM gets a WAV header, and bare Opus packets are wrapped in Ogg pages.

mod opus;

use std::fs::File;
use std::io::{self, Seek as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tulk_base::error::{Failure, FileContext as _, Kind};
use tulk_client::api::voice::RequestVoiceSession;
use tulk_client::api::voice::content_type::normalise;
use tulk_client::api::voice::message::MediaChunk;
use tulk_formats::input::audio::pcm::{PcmFormat, SampleEncoding};

use self::opus::OggOpusWriter;
use super::output_files::{OutputFiles, ResultFile, StreamOutcome};
use crate::output::Output;

/// Content type if none was requested; the service uses the same default.
const DEFAULT_CONTENT_TYPE: &str = "audio/webm;codecs=opus";

/// Content types by file extension. `.webm` is missing because it is the default.
const CONTENT_TYPES: [(&str, &str); 6] = [
    ("wav", "audio/pcm;encoding=s16le;rate=24000"),
    ("ogg", "audio/ogg;codecs=opus"),
    ("opus", "audio/ogg;codecs=opus"),
    ("flac", "audio/flac"),
    ("mka", "audio/x-matroska;codecs=opus"),
    ("ts", "video/mp2t;codecs=aac"),
];

pub fn content_type_of(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_string_lossy().to_ascii_lowercase();
    CONTENT_TYPES.iter().find(|(name, _)| *name == extension).map(|(_, content_type)| *content_type)
}

pub struct SpeechFile {
    path: PathBuf,
    sink: SpeechSink,
    /// The requested content type. The first message contains the actual one.
    content_type: String,
    encoder: Option<SpeechFileWriter>,
    language: String,
}

enum SpeechSink {
    Stdout(Arc<Output>),
    File(ResultFile),
}

impl Write for SpeechSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => match out.stdout().write_unguarded(bytes) {
                Ok(()) => Ok(bytes.len()),
                Err(failure) if failure.kind == Kind::PipeClosed => Err(io::Error::from(io::ErrorKind::BrokenPipe)),
                Err(failure) => Err(io::Error::other(failure.what)),
            },
            Self::File(file) => file.write(bytes).map(|()| bytes.len()).map_err(|e| io::Error::other(e.what)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

enum SpeechFileWriter {
    /// The data already is a container. Repeated headers after a reconnection are kept only if streams can be chained.
    AsIs { can_chain: bool },
    /// PCM samples. They stay in an unnamed file until the end, because the WAV header contains their number.
    Wav(PcmFormat, File),
    /// Bare Opus packets.
    Opus(Box<OggOpusWriter>),
}

impl SpeechFile {
    pub fn open(
        path: &Path,
        files: &OutputFiles,
        request: &RequestVoiceSession,
        out: &Arc<Output>,
    ) -> Result<Self, Failure> {
        let sink = if path == Path::new("-") {
            SpeechSink::Stdout(Arc::clone(out))
        } else {
            SpeechSink::File(files.open(path)?)
        };
        let content_type = request.target_media_content_type.clone().unwrap_or_else(|| DEFAULT_CONTENT_TYPE.to_owned());
        let language = request.target_media_languages.first().map(|code| code.bcp47().to_owned()).unwrap_or_default();
        Ok(Self { path: path.to_path_buf(), sink, content_type, encoder: None, language })
    }

    /// Ignores speech in other languages.
    pub fn write(&mut self, chunk: &MediaChunk) -> Result<(), Failure> {
        if !chunk.language.is_empty() && !chunk.language.eq_ignore_ascii_case(&self.language) {
            return Ok(());
        }
        self.write_chunk(chunk).file_context("write", &self.path)
    }

    fn write_chunk(&mut self, chunk: &MediaChunk) -> io::Result<()> {
        let is_first = self.encoder.is_none();
        let encoder = match &mut self.encoder {
            Some(encoder) => encoder,
            empty => {
                let content_type = chunk.content_type.as_deref().map_or_else(|| self.content_type.clone(), normalise);
                empty.insert(SpeechFileWriter::new(&content_type)?)
            }
        };
        let header_count = usize::try_from(chunk.headers).unwrap_or(usize::MAX).min(chunk.data.len());
        let (headers, data) = chunk.data.split_at(header_count);
        match encoder {
            SpeechFileWriter::AsIs { can_chain } => {
                let headers = if is_first || *can_chain { headers } else { &[] };
                headers.iter().chain(data).try_for_each(|bytes| self.sink.write_all(bytes))
            }
            SpeechFileWriter::Wav(_, samples) => data.iter().try_for_each(|bytes| samples.write_all(bytes)),
            SpeechFileWriter::Opus(writer) => {
                if is_first {
                    self.sink.write_all(&writer.headers(headers)?)?;
                }
                data.iter().try_for_each(|packet| self.sink.write_all(&writer.packet(packet)?))
            }
        }
    }

    /// Returns the path of a partial file that stays.
    pub fn finish(mut self, outcome: StreamOutcome, out: &Output) -> Result<Option<PathBuf>, Failure> {
        if self.encoder.is_none() && outcome == StreamOutcome::Complete {
            out.warn(&format!("no speech was received: {} is empty", self.path.display()));
        }
        self.write_end().file_context("write", &self.path)?;
        match self.sink {
            SpeechSink::Stdout(_) => Ok(None),
            SpeechSink::File(file) => file.finish(outcome),
        }
    }

    fn write_end(&mut self) -> io::Result<()> {
        match self.encoder.take() {
            None | Some(SpeechFileWriter::AsIs { .. }) => Ok(()),
            Some(SpeechFileWriter::Opus(writer)) => self.sink.write_all(&writer.finish()?),
            Some(SpeechFileWriter::Wav(format, mut samples)) => {
                let bytes = samples.stream_position()?;
                samples.rewind()?;
                self.sink.write_all(&wav_header(format, bytes))?;
                io::copy(&mut samples, &mut self.sink).map(|_| ())
            }
        }
    }
}

impl SpeechFileWriter {
    fn new(content_type: &str) -> io::Result<Self> {
        if let Some(format) = PcmFormat::parse(content_type) {
            return Ok(Self::Wav(format, tempfile::tempfile()?));
        }
        Ok(match content_type {
            "audio/opus" => Self::Opus(Box::default()),
            other => Self::AsIs { can_chain: other.starts_with("audio/ogg") },
        })
    }
}

/// Returns the header of a WAV file. `bytes` is the size of its samples, at most 4 GiB.
fn wav_header(format: PcmFormat, bytes: u64) -> Vec<u8> {
    let size = u32::try_from(bytes).unwrap_or(u32::MAX);
    let sample_bytes = u16::try_from(format.sample_bytes()).unwrap_or(1);
    let tag: u16 = match format.encoding {
        SampleEncoding::S16le => 1,
        SampleEncoding::Alaw => 6,
        SampleEncoding::Ulaw => 7,
    };
    let mut header = b"RIFF".to_vec();
    header.extend(size.saturating_add(36).to_le_bytes());
    header.extend(b"WAVEfmt \x10\0\0\0");
    header.extend(tag.to_le_bytes());
    header.extend(1u16.to_le_bytes());
    header.extend(format.rate.to_le_bytes());
    header.extend((format.rate * u32::from(sample_bytes)).to_le_bytes());
    header.extend(sample_bytes.to_le_bytes());
    header.extend((sample_bytes * 8).to_le_bytes());
    header.extend(b"data");
    header.extend(size.to_le_bytes());
    header
}
