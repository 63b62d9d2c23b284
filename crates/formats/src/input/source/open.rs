//! An open input: reads and decodes an argument, a file, stdin or another reader.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use tulk_base::error::{Failure, FileContext as _, Origin};
use tulk_base::files::SharedDigest;

use super::magic;
use super::terminal::{EscapeState, Overstrikes};

/// Size of the first read. Small, so that short inputs need little memory.
const FIRST_READ_BYTES: usize = 8 * 1024;
/// Maximum size of a read. It doubles up to this size while the input fills the buffer.
const MAX_READ_BYTES: usize = 256 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decoding {
    Strict,
    Lossy,
    None,
}

pub enum InputItem {
    /// A TEXT argument and its number, from 1.
    Text(usize, String),
    File(PathBuf),
    Stdin,
    Reader(String, Box<dyn Read + Send>),
}

pub struct OpenInput {
    /// Path as given by the user, `stdin`, or `TEXT n`.
    pub name: Arc<str>,
    pub may_block: bool,
    pub ended: bool,
    /// Error about invalid UTF-8, reported once all bytes before it are consumed.
    pub fault: Option<Failure>,
    /// Digest of the bytes before decoding.
    pub digest: Option<SharedDigest>,
    reader: Box<dyn Read + Send>,
    pub(super) path: Option<PathBuf>,
    decoder: Utf8Decoder,
    escapes: EscapeState,
    overstrikes: Overstrikes,
    /// Whether the first bytes must still be checked for signatures of files that are not text.
    is_unchecked: bool,
}

impl OpenInput {
    /// `ahead` are bytes already read from stdin. Also returns the item, unless it is a reader, which is used up.
    pub fn open(item: InputItem, ahead: &mut Vec<u8>) -> Result<(Self, Option<InputItem>), Failure> {
        Ok(match item {
            InputItem::Text(number, text) => {
                let mut bytes = text.clone().into_bytes();
                if bytes.last() != Some(&b'\n') {
                    bytes.push(b'\n');
                }
                let reader = Box::new(io::Cursor::new(bytes));
                let open =
                    Self { may_block: false, is_unchecked: false, ..Self::new(&format!("TEXT {number}"), reader) };
                (open, Some(InputItem::Text(number, text)))
            }
            InputItem::File(path) => {
                let file = File::open(&path).file_context("read", &path)?;
                let may_block = !file.metadata().is_ok_and(|m| m.is_file());
                let open = Self::new(&path.display().to_string(), Box::new(file));
                (Self { may_block, path: Some(path.clone()), ..open }, Some(InputItem::File(path)))
            }
            InputItem::Stdin => {
                let reader = io::Cursor::new(std::mem::take(ahead)).chain(io::stdin());
                (Self::new("stdin", Box::new(reader)), Some(InputItem::Stdin))
            }
            InputItem::Reader(name, reader) => (Self::new(&name, reader), None),
        })
    }

    fn new(name: &str, reader: Box<dyn Read + Send>) -> Self {
        Self {
            name: name.into(),
            may_block: true,
            ended: false,
            fault: None,
            digest: None,
            reader,
            path: None,
            decoder: Utf8Decoder::default(),
            escapes: EscapeState::default(),
            overstrikes: Overstrikes::default(),
            is_unchecked: true,
        }
    }

    /// Appends the decoded bytes of one read to `out`. Pass the same `buffer` to each call.
    pub fn read(
        &mut self,
        buffer: &mut Vec<u8>,
        decoding: Decoding,
        strip_ansi: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        if buffer.is_empty() {
            buffer.resize(FIRST_READ_BYTES, 0);
        }
        let mut filled = self.decoder.carried();
        loop {
            let read = self.read_with_retry(buffer.get_mut(filled..).unwrap_or_default())?;
            if let Some(digest) = &self.digest {
                digest.update(buffer.get(filled..filled + read).unwrap_or_default());
            }
            self.ended = read == 0;
            filled += read;
            if self.ended || !self.is_unchecked || !magic::is_undecided(buffer.get(..filled).unwrap_or_default()) {
                break;
            }
        }
        if std::mem::take(&mut self.is_unchecked)
            && let Some(failure) =
                magic::refusal(&self.name, buffer.get(..filled).unwrap_or_default(), decoding == Decoding::None)
        {
            return Err(failure);
        }
        if filled == buffer.len() && filled < MAX_READ_BYTES {
            buffer.resize(filled * 2, 0);
        }
        if decoding == Decoding::None {
            out.extend_from_slice(buffer.get(..filled).unwrap_or_default());
            return Ok(());
        }
        if let Err(invalid) = self.decoder.decode(buffer, filled, self.ended, decoding == Decoding::Lossy, out) {
            let what = format!("invalid UTF-8 at byte {}", invalid.0);
            let hint = "convert it to UTF-8, or replace invalid bytes with --lossy";
            self.fault = Some(Failure::usage(what).at(Origin::whole(&self.name)).hint(hint));
        }
        if strip_ansi {
            self.escapes.strip(out);
            self.overstrikes.remove(out, self.ended || self.fault.is_some());
        }
        Ok(())
    }

    fn read_with_retry(&mut self, into: &mut [u8]) -> Result<usize, Failure> {
        loop {
            match self.reader.read(into) {
                Ok(read) => return Ok(read),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let path = self.path.clone().unwrap_or_else(|| PathBuf::from(&*self.name));
                    return Err(Failure::file("read", &path, &error));
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Utf8Decoder {
    carried: usize,
    offset: u64,
}

/// Offset of the first invalid byte in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidByte(pub u64);

impl Utf8Decoder {
    /// Returns the size of the incomplete character at the start of the buffer. The next read must append to it.
    pub fn carried(&self) -> usize {
        self.carried
    }

    /// Decodes the first `filled` bytes of `raw` and appends them to `out`.
    ///
    /// An incomplete character at the end is moved to the start of `raw`, unless this is the `last` read. With `lossy`,
    /// invalid bytes become U+FFFD. Otherwise decoding stops at the first one, after all valid bytes before it are
    /// appended.
    pub fn decode(
        &mut self,
        raw: &mut [u8],
        filled: usize,
        last: bool,
        lossy: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), InvalidByte> {
        self.carried = 0;
        let mut start = 0;
        loop {
            let rest = raw.get(start..filled).unwrap_or_default();
            let Err(error) = std::str::from_utf8(rest) else {
                out.extend_from_slice(rest);
                self.offset += rest.len() as u64;
                return Ok(());
            };
            let valid = error.valid_up_to();
            out.extend_from_slice(rest.get(..valid).unwrap_or_default());
            start += valid;
            self.offset += valid as u64;
            let invalid = match error.error_len() {
                Some(len) => len,
                None if last => filled - start,
                None => {
                    raw.copy_within(start..filled, 0);
                    self.carried = filled - start;
                    return Ok(());
                }
            };
            if !lossy {
                return Err(InvalidByte(self.offset));
            }
            out.extend_from_slice("\u{FFFD}".as_bytes());
            start += invalid;
            self.offset += invalid as u64;
        }
    }
}
