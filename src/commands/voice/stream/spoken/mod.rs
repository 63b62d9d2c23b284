//! `--audio-out`: the spoken target as a file that plays. Containers are written as they come, PCM gets a WAV header,
//! bare Opus packets get Ogg pages. Spec: "Voice", `target_media_chunk`.

mod ogg;

use std::fs::File;
use std::io::{self, Seek as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Ending, StreamArgs};
use crate::api::voice::RequestVoiceSession;
use crate::api::voice::content_type::normalise;
use crate::api::voice::message::MediaChunk;
use crate::error::Failure;
use crate::files::{AtomicFile, FileMode};
use crate::input::audio::pcm::{Encoding, PcmFormat};
use crate::output::Output;

/// What the service speaks in when nothing was asked for.
const USUAL: &str = "audio/webm;codecs=opus";

/// Content types by the ending of the file; `.webm` is what comes unasked.
const BY_ENDING: [(&str, &str); 6] = [
    ("wav", "audio/pcm;encoding=s16le;rate=24000"),
    ("ogg", "audio/ogg;codecs=opus"),
    ("opus", "audio/ogg;codecs=opus"),
    ("flac", "audio/flac"),
    ("mka", "audio/x-matroska;codecs=opus"),
    ("ts", "video/mp2t;codecs=aac"),
];

/// Chooses the content type by the ending of `--audio-out`, when none was given.
pub fn choose_type(args: &mut StreamArgs) {
    let ending = args.audio_out.as_deref().and_then(Path::extension).map(|e| e.to_string_lossy().to_ascii_lowercase());
    if args.flags.audio_content_type.is_none() {
        let found = BY_ENDING.iter().find(|(name, _)| Some(*name) == ending.as_deref());
        args.flags.audio_content_type = found.map(|(_, content_type)| (*content_type).to_owned());
    }
}

/// A file under way.
pub struct Spoken {
    path: PathBuf,
    place: Place,
    /// What was asked for; the first message says what it is.
    content_type: String,
    form: Option<Form>,
    language: String,
}

enum Place {
    Stdout(Arc<Output>),
    File(AtomicFile),
}

impl Write for Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => match out.stdout().write(bytes) {
                Ok(()) => Ok(bytes.len()),
                Err(failure) if failure.kind == crate::error::Kind::PipeClosed => {
                    Err(io::Error::from(io::ErrorKind::BrokenPipe))
                }
                Err(failure) => Err(io::Error::other(failure.what)),
            },
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

enum Form {
    /// As it comes. A second set of headers is kept in Ogg, where one stream may follow another.
    Copy { chains: bool },
    /// Samples wait in a file without a name, since the header holds their number.
    Wav(PcmFormat, File),
    /// Packets in pages.
    Opus(ogg::Pages),
}

impl Spoken {
    /// Opens the file.
    pub fn open(path: &Path, request: &RequestVoiceSession, out: &Arc<Output>) -> Result<Self, Failure> {
        let place = if path == Path::new("-") {
            Place::Stdout(Arc::clone(out))
        } else {
            Place::File(AtomicFile::create(path, FileMode::Inherit)?)
        };
        let content_type = request.target_media_content_type.clone().unwrap_or_else(|| USUAL.to_owned());
        let language = request.target_media_languages.first().map(|l| l.bcp47().to_owned()).unwrap_or_default();
        Ok(Self { path: path.to_path_buf(), place, content_type, form: None, language })
    }

    /// Takes speech, in order.
    pub fn take(&mut self, chunk: &MediaChunk) -> Result<(), Failure> {
        if !chunk.language.is_empty() && !chunk.language.eq_ignore_ascii_case(&self.language) {
            return Ok(());
        }
        let fail = |e: io::Error| Failure::file("write", &self.path, &e);
        let is_first = self.form.is_none();
        let form = match &mut self.form {
            Some(form) => form,
            empty => {
                let content_type = chunk.content_type.as_deref().map_or_else(|| self.content_type.clone(), normalise);
                empty.insert(Form::of(&content_type).map_err(fail)?)
            }
        };
        let headers = chunk.headers.unwrap_or(0).min(chunk.data.len());
        let (headers, data) = chunk.data.split_at(headers);
        match form {
            Form::Copy { chains } => {
                let headers = if is_first || *chains { headers } else { &[] };
                headers.iter().chain(data).try_for_each(|bytes| self.place.write_all(bytes))
            }
            Form::Wav(_, samples) => data.iter().try_for_each(|bytes| samples.write_all(bytes)),
            Form::Opus(pages) => {
                if is_first {
                    self.place.write_all(&pages.headers(headers)).map_err(fail)?;
                }
                data.iter().try_for_each(|packet| self.place.write_all(&pages.packet(packet)))
            }
        }
        .map_err(fail)
    }

    /// Ends the file.
    pub fn end(mut self, ending: Ending, out: &Output) -> Result<(), Failure> {
        let fail = |e: io::Error| Failure::file("write", &self.path, &e);
        match self.form.take() {
            None => out.warn(&format!("no speech came: {} is empty", self.path.display())),
            Some(Form::Copy { .. }) => {}
            Some(Form::Opus(mut pages)) => self.place.write_all(&pages.last()).map_err(fail)?,
            Some(Form::Wav(format, mut samples)) => {
                let size = samples.stream_position().map_err(fail)?;
                samples.rewind().map_err(fail)?;
                self.place.write_all(&wav_header(format, size)).map_err(fail)?;
                io::copy(&mut samples, &mut self.place).map_err(fail)?;
            }
        }
        match self.place {
            Place::Stdout(_) => Ok(()),
            Place::File(file) if ending == Ending::Whole => file.commit(),
            Place::File(file) => {
                let mut part = self.path.clone().into_os_string();
                part.push(".part");
                file.keep_as(Path::new(&part))
            }
        }
    }
}

impl Form {
    fn of(content_type: &str) -> io::Result<Self> {
        if let Some(format) = PcmFormat::of(content_type) {
            return Ok(Self::Wav(format, tempfile::tempfile()?));
        }
        Ok(match content_type {
            "audio/opus" => Self::Opus(ogg::Pages::default()),
            other => Self::Copy { chains: other.starts_with("audio/ogg") },
        })
    }
}

/// The header of a WAV file with this many bytes of samples; 4 GiB is as much as it can say.
fn wav_header(format: PcmFormat, size: u64) -> Vec<u8> {
    let size = u32::try_from(size).unwrap_or(u32::MAX);
    let frame = u16::try_from(format.frame_bytes()).unwrap_or(1);
    let tag: u16 = match format.encoding {
        Encoding::S16le => 1,
        Encoding::Alaw => 6,
        Encoding::Ulaw => 7,
    };
    let mut bytes = b"RIFF".to_vec();
    bytes.extend(size.saturating_add(36).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0");
    bytes.extend(tag.to_le_bytes());
    bytes.extend(1u16.to_le_bytes());
    bytes.extend(format.rate.to_le_bytes());
    bytes.extend((format.rate * u32::from(frame)).to_le_bytes());
    bytes.extend(frame.to_le_bytes());
    bytes.extend((frame * 8).to_le_bytes());
    bytes.extend(b"data");
    bytes.extend(size.to_le_bytes());
    bytes
}
