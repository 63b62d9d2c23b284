//! Bytes of arguments, files and stdin, with a name for each input.
//!
//! Input: texts, paths and readers. Output: chunks of valid UTF-8 without byte-order mark, split between characters, or
//! the unchanged bytes if any encoding is accepted. The reader of each format splits them into entries.

mod input_start;
mod magic;
mod open;
mod position;
mod terminal;

use std::collections::VecDeque;
use std::fs::Metadata;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use tulk_base::error::{Failure, FileContext as _, Origin};
use tulk_base::files::{SharedDigest, SizeLimit};

pub use self::input_start::{InputStart, read_start};
use self::open::{Decoding, InputItem, OpenInput};
pub use self::position::TextPosition;

/// The byte-order mark in UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Called before a read that may block, so that the bytes so far can be processed.
pub type BeforeBlocking = Box<dyn FnMut() + Send>;

/// One or several inputs, read in order.
pub struct Source {
    pending: VecDeque<InputItem>,
    count: usize,
    /// Inputs that are already opened, for `rewind`.
    opened: Vec<InputItem>,
    current: Option<OpenInput>,
    /// Decoded bytes. The first `consumed` ones are used up.
    decoded: Vec<u8>,
    consumed: usize,
    read_buffer: Vec<u8>,
    decoding: Decoding,
    strip_ansi: bool,
    before_blocking: Option<BeforeBlocking>,
    /// Bytes that were already read from stdin.
    ahead: Vec<u8>,
    digest: Option<SharedDigest>,
}

/// An input whose start was read.
#[derive(Clone, Debug)]
pub struct Document {
    /// Path as given by the user, `stdin`, or `TEXT n`.
    pub name: Arc<str>,
    /// The byte-order mark at the start, or empty. It is never sent, but written back.
    pub mark: &'static [u8],
}

impl Source {
    fn new(items: impl IntoIterator<Item = InputItem>) -> Self {
        let pending: VecDeque<InputItem> = items.into_iter().collect();
        Self {
            count: pending.len(),
            pending,
            opened: Vec::new(),
            current: None,
            decoded: Vec::new(),
            consumed: 0,
            read_buffer: Vec::new(),
            decoding: Decoding::Strict,
            strip_ansi: false,
            before_blocking: None,
            ahead: Vec::new(),
            digest: None,
        }
    }

    /// Reads TEXT arguments, one input each. Adds a newline at the end if it is missing.
    pub fn texts(texts: impl IntoIterator<Item = String>) -> Self {
        Self::new(texts.into_iter().enumerate().map(|(i, text)| InputItem::Text(i + 1, text)))
    }

    /// Reads files in order; `-` is stdin. Fails immediately if a file is missing or a directory.
    pub fn files<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self, Failure> {
        let mut items = Vec::new();
        for path in paths {
            let path = path.as_ref();
            if path == Path::new("-") {
                items.push(InputItem::Stdin);
                continue;
            }
            let metadata = std::fs::metadata(path).file_context("read", path)?;
            if metadata.is_dir() {
                return Err(Failure::directory(path).hint("pass the files in it"));
            }
            items.push(InputItem::File(path.to_owned()));
        }
        Ok(Self::new(items))
    }

    /// Reads stdin.
    pub fn stdin() -> Self {
        Self::new([InputItem::Stdin])
    }

    /// Reads from any other reader, treated like a pipe. `name` is used in messages.
    pub fn reader(name: &str, reader: Box<dyn Read + Send>) -> Self {
        Self::new([InputItem::Reader(name.to_owned(), reader)])
    }

    /// Replaces invalid UTF-8 with U+FFFD instead of failing.
    #[must_use]
    pub fn lossy(mut self, yes: bool) -> Self {
        if yes {
            self.decoding = Decoding::Lossy;
        }
        self
    }

    /// Accepts any encoding and returns the bytes unchanged. No effect with `lossy` or `strip_ansi`.
    #[must_use]
    pub fn in_any_encoding(mut self, yes: bool) -> Self {
        if yes && self.decoding == Decoding::Strict && !self.strip_ansi {
            self.decoding = Decoding::None;
        }
        self
    }

    /// Removes terminal escape sequences and overstrikes.
    #[must_use]
    pub fn strip_ansi(mut self, yes: bool) -> Self {
        self.strip_ansi = yes;
        self
    }

    /// Sets the bytes that were already read from stdin.
    #[must_use]
    pub fn with_stdin_start(mut self, bytes: Vec<u8>) -> Self {
        self.ahead = bytes;
        self
    }

    /// Sets a hook to call before reads that may block.
    pub fn before_blocking(&mut self, hook: BeforeBlocking) {
        self.before_blocking = Some(hook);
    }

    /// Computes the digest of all inputs while they are read. [`Self::rewind`] restarts it.
    pub fn digest_into(&mut self, digest: SharedDigest) {
        self.digest = Some(digest);
    }

    /// Returns whether all inputs can be read twice: arguments and regular files.
    pub fn is_repeatable(&self) -> bool {
        self.pending.iter().all(|item| match item {
            InputItem::Text(..) => true,
            InputItem::File(path) => std::fs::metadata(path).is_ok_and(|m| m.is_file()),
            InputItem::Stdin | InputItem::Reader(..) => false,
        })
    }

    /// Returns whether there is more than one input.
    pub fn has_several_inputs(&self) -> bool {
        self.count > 1
    }

    /// Returns the total size in bytes if all inputs are arguments, so reading never blocks.
    pub fn argument_bytes(&self) -> Option<usize> {
        self.pending
            .iter()
            .map(|item| match item {
                InputItem::Text(_, text) => Some(text.len()),
                InputItem::File(_) | InputItem::Stdin | InputItem::Reader(..) => None,
            })
            .sum()
    }

    /// Restarts at the first input. Requires [`Self::is_repeatable`].
    pub fn rewind(&mut self) {
        let mut items: VecDeque<InputItem> = std::mem::take(&mut self.opened).into();
        items.append(&mut self.pending);
        self.pending = items;
        self.current = None;
        self.decoded.clear();
        self.consumed = 0;
    }

    /// Opens the next input and skips the rest of the current one. `None` after the last input.
    pub fn next_document(&mut self) -> Result<Option<Document>, Failure> {
        self.decoded.clear();
        self.consumed = 0;
        self.current = None;
        let Some(item) = self.pending.pop_front() else { return Ok(None) };
        let (mut open, item) = OpenInput::open(item, &mut self.ahead)?;
        let name = open.name.clone();
        if let Some(digest) = &self.digest {
            if self.opened.is_empty() {
                digest.restart();
            }
            open.digest = Some(digest.clone());
        }
        self.current = Some(open);
        self.opened.extend(item);
        let marked = self.fill()?.starts_with(BYTE_ORDER_MARK) && self.decoding != Decoding::None;
        if marked {
            self.consume(BYTE_ORDER_MARK.len());
        }
        Ok(Some(Document { name, mark: if marked { BYTE_ORDER_MARK } else { b"" } }))
    }

    /// Returns the bytes that are not consumed yet. Reads more if there are none; empty at the end of the input.
    ///
    /// The bytes are valid UTF-8 and end between characters, unless any encoding is accepted. Invalid UTF-8 is an error
    /// once all bytes before it are consumed.
    pub fn fill(&mut self) -> Result<&[u8], Failure> {
        while self.consumed == self.decoded.len() {
            let Some(open) = &mut self.current else { return Ok(&[]) };
            if let Some(fault) = open.fault.clone() {
                return Err(fault);
            }
            if open.ended {
                return Ok(&[]);
            }
            self.decoded.clear();
            self.consumed = 0;
            if open.may_block
                && let Some(hook) = &mut self.before_blocking
            {
                hook();
            }
            open.read(&mut self.read_buffer, self.decoding, self.strip_ansi, &mut self.decoded)?;
        }
        Ok(self.decoded.get(self.consumed..).unwrap_or_default())
    }

    /// Appends the rest of the current input. Fails if it is larger than the limit, including the bytes already in
    /// `into`.
    pub fn read_rest(&mut self, limit: SizeLimit, into: &mut Vec<u8>) -> Result<(), Failure> {
        let name = self.current.as_ref().map(|open| open.name.clone()).unwrap_or_default();
        let exceeded = |bytes| limit.exceeded("the input", bytes).at(Origin::whole(&name));
        let file = self.current.as_ref().and_then(|open| open.path.as_ref()?.metadata().ok()).filter(Metadata::is_file);
        if let Some(file) = file.filter(|file| file.len() > limit.bytes) {
            return Err(exceeded(Some(file.len())));
        }
        let start = into.len();
        loop {
            let read = into.get(start..).unwrap_or_default();
            let chunk = self.fill().map_err(|failure| TextPosition::START.locate(failure, read, &name))?;
            if chunk.is_empty() {
                return Ok(());
            }
            let len = chunk.len();
            if (into.len() + len) as u64 > limit.bytes {
                return Err(exceeded(None));
            }
            into.extend_from_slice(chunk);
            self.consume(len);
        }
    }

    /// Marks bytes returned by [`Self::fill`] as used.
    pub fn consume(&mut self, bytes: usize) {
        self.consumed = (self.consumed + bytes).min(self.decoded.len());
    }
}

/// Returns all bytes of a source, with the byte-order marks of its documents.
///
/// # Panics
/// If a chunk is not valid UTF-8.
#[cfg(any(test, feature = "fuzzing"))]
pub fn read_all(source: &mut Source) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    while let Some(document) = source.next_document()? {
        out.extend_from_slice(document.mark);
        loop {
            let part = source.fill()?.to_vec();
            if part.is_empty() {
                break;
            }
            assert!(std::str::from_utf8(&part).is_ok(), "a part is not UTF-8");
            source.consume(part.len());
            out.extend(part);
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use std::io;

    use tulk_base::error::Kind;

    use super::*;

    /// Returns at most this many bytes per read.
    struct ChunkedReader(io::Cursor<Vec<u8>>, usize);

    impl Read for ChunkedReader {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let step = self.1.min(into.len());
            self.0.read(into.get_mut(..step).unwrap())
        }
    }

    fn chunked_source(bytes: &[u8], step: usize) -> Source {
        Source::reader("stdin", Box::new(ChunkedReader(io::Cursor::new(bytes.to_vec()), step)))
    }

    #[test]
    fn splits_no_character_at_any_read_size() {
        let text = "\u{feff}aé漢🙂\r\nz".as_bytes();
        for step in 1..8 {
            assert_eq!(read_all(&mut chunked_source(text, step)).unwrap(), text, "{step}");
        }
    }

    #[test]
    fn names_the_byte_of_invalid_utf8_and_the_source() {
        for step in 1..6 {
            let failure = read_all(&mut chunked_source(b"ab\xc3\xa9c\xffd", step)).unwrap_err();
            assert_eq!(failure.kind, Kind::Usage);
            assert_eq!(failure.to_string(), "stdin: invalid UTF-8 at byte 5");
            assert!(failure.hint.unwrap().contains("--lossy"));
        }
    }

    #[test]
    fn a_character_cut_off_by_the_end_is_invalid() {
        assert_eq!(
            read_all(&mut chunked_source(b"ab\xe2\x82", 2)).unwrap_err().to_string(),
            "stdin: invalid UTF-8 at byte 2"
        );
    }

    #[test]
    fn returns_the_bytes_before_invalid_utf8() {
        let mut source = chunked_source(b"good\xff", 100);
        source.next_document().unwrap();
        assert_eq!(source.fill().unwrap(), b"good");
        source.consume(4);
        assert!(source.fill().is_err());
    }

    #[test]
    fn lossy_replaces_invalid_bytes() {
        for step in 1..6 {
            let out = read_all(&mut chunked_source(b"a\xffb\xe2\x82", step).lossy(true)).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), "a\u{fffd}b\u{fffd}", "{step}");
        }
    }

    #[test]
    fn strips_escape_sequences_if_requested() {
        for step in 1..9 {
            let out = read_all(&mut chunked_source(b"\x1b[1mred\x1b[0m x", step).strip_ansi(true)).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), "red x", "{step}");
        }
    }

    #[test]
    fn arguments_end_in_one_newline() {
        let mut source = Source::texts(["one".to_owned(), "two\n".to_owned()]);
        assert_eq!(read_all(&mut source).unwrap(), b"one\ntwo\n");
        source.rewind();
        assert_eq!(read_all(&mut source).unwrap(), b"one\ntwo\n");
    }

    #[test]
    fn refuses_a_directory_and_a_missing_file() {
        let dir = tempfile::tempdir().unwrap();
        let failure = Source::files([dir.path()]).err().unwrap();
        assert!(failure.what.contains("it is a directory"), "{failure}");
        let failure = Source::files([dir.path().join("none")]).err().unwrap();
        assert_eq!(failure.kind, Kind::Usage);
    }

    #[test]
    fn calls_the_hook_before_a_read_that_may_block() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let calls = Arc::new(AtomicUsize::new(0));
        let mut source = chunked_source(b"abcdef", 2);
        let counted = calls.clone();
        source.before_blocking(Box::new(move || {
            counted.fetch_add(1, Ordering::SeqCst);
        }));
        read_all(&mut source).unwrap();
        assert_eq!(calls.load(Ordering::SeqCst), 4);
    }
}
