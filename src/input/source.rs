//! The bytes that come in: arguments, files, stdin, read in chunks, each input with its name.
//!
//! What a reader gets is valid UTF-8 without the byte-order mark, cut at character boundaries. Knows nothing of entries.
//! Spec: "Text" and "Files" of the command line.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Failure, Origin};

/// Bytes asked of the system at once, at first; short inputs need no more memory.
const FIRST_CHUNK: usize = 8 * 1024;
/// The same once an input filled that, doubled from time to time up to here.
const CHUNK: usize = 256 * 1024;
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Called before a read that may block, so that what was read so far can be handed on.
pub type BeforeBlock = Box<dyn FnMut() + Send>;

/// One or several inputs, read one after the other.
pub struct Source {
    inputs: VecDeque<Item>,
    /// Files already read, for a second reading.
    past: Vec<Item>,
    open: Option<Open>,
    /// Clean bytes; those before `pos` are consumed.
    clean: Vec<u8>,
    pos: usize,
    raw: Vec<u8>,
    lossy: bool,
    strip_ansi: bool,
    before_block: Option<BeforeBlock>,
}

enum Item {
    Text(usize, String),
    File(PathBuf),
    Stdin,
    Reader(String, Box<dyn Read + Send>),
}

/// The input being read.
struct Open {
    name: Arc<str>,
    from: Box<dyn Read + Send>,
    path: Option<PathBuf>,
    blocks: bool,
    /// Bytes of `raw` that wait for the rest of a character.
    carried: usize,
    /// Offset of the first carried byte.
    offset: u64,
    escape: Escape,
    ended: bool,
    fault: Option<Failure>,
}

/// The start of an input.
#[derive(Clone, Debug)]
pub struct Document {
    /// File name as the user wrote it, `stdin`, or `TEXT n`.
    pub name: Arc<str>,
    /// The byte-order mark it began with: to be kept, never sent.
    pub mark: &'static [u8],
}

impl Source {
    fn new(inputs: impl IntoIterator<Item = Item>) -> Self {
        Self {
            inputs: inputs.into_iter().collect(),
            past: Vec::new(),
            open: None,
            clean: Vec::new(),
            pos: 0,
            raw: Vec::new(),
            lossy: false,
            strip_ansi: false,
            before_block: None,
        }
    }

    /// TEXT arguments, one input each; each is given a final newline unless it has one.
    pub fn texts(texts: impl IntoIterator<Item = String>) -> Self {
        Self::new(texts.into_iter().enumerate().map(|(i, text)| Item::Text(i + 1, text)))
    }

    /// Files, one after the other; `-` is stdin. Fails at once on a missing file or a directory.
    pub fn files<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self, Failure> {
        let mut items = Vec::new();
        for path in paths {
            let path = path.as_ref();
            if path == Path::new("-") {
                items.push(Item::Stdin);
                continue;
            }
            let about = std::fs::metadata(path).map_err(|e| Failure::file("read", path, &e))?;
            if about.is_dir() {
                return Err(Failure::usage(format!("cannot read {}: it is a directory", path.display()))
                    .hint("name the files in it"));
            }
            items.push(Item::File(path.to_owned()));
        }
        Ok(Self::new(items))
    }

    /// Standard input.
    pub fn stdin() -> Self {
        Self::new([Item::Stdin])
    }

    /// Anything that can be read, treated like a pipe.
    pub fn reader(name: &str, from: Box<dyn Read + Send>) -> Self {
        Self::new([Item::Reader(name.to_owned(), from)])
    }

    /// Replaces invalid UTF-8 with U+FFFD instead of refusing it.
    #[must_use]
    pub fn lossy(mut self, yes: bool) -> Self {
        self.lossy = yes;
        self
    }

    /// Removes terminal escape sequences.
    #[must_use]
    pub fn strip_ansi(mut self, yes: bool) -> Self {
        self.strip_ansi = yes;
        self
    }

    /// Sets what is called before a read that may block.
    pub fn before_block(&mut self, hook: BeforeBlock) {
        self.before_block = Some(hook);
    }

    /// Whether all of it can be read twice: arguments and regular files.
    pub fn can_repeat(&self) -> bool {
        self.inputs.iter().all(|item| match item {
            Item::Text(..) => true,
            Item::File(path) => std::fs::metadata(path).is_ok_and(|m| m.is_file()),
            Item::Stdin | Item::Reader(..) => false,
        })
    }

    /// Bytes of the inputs, if all are arguments and reading them never blocks.
    pub fn held(&self) -> Option<usize> {
        self.inputs
            .iter()
            .map(|item| match item {
                Item::Text(_, text) => Some(text.len()),
                Item::File(_) | Item::Stdin | Item::Reader(..) => None,
            })
            .sum()
    }

    /// Goes back to the start; only what [`Self::can_repeat`] comes again.
    pub fn rewind(&mut self) {
        let mut inputs: VecDeque<Item> = std::mem::take(&mut self.past).into();
        inputs.append(&mut self.inputs);
        self.inputs = inputs;
        self.open = None;
        self.clean.clear();
        self.pos = 0;
    }

    /// Opens the next input; `None` after the last. What was left of the one before is dropped.
    pub fn document(&mut self) -> Result<Option<Document>, Failure> {
        self.clean.clear();
        self.pos = 0;
        self.open = None;
        let Some(item) = self.inputs.pop_front() else { return Ok(None) };
        let open = Open::new(&item)?;
        match item {
            Item::Reader(name, from) => {
                self.open = Some(Open { from, name: name.as_str().into(), ..open });
            }
            item => {
                self.open = Some(open);
                self.past.push(item);
            }
        }
        let name = self.open.as_ref().map(|o| o.name.clone()).unwrap_or_default();
        let marked = self.fill()?.starts_with(BOM);
        if marked {
            self.consume(BOM.len());
        }
        Ok(Some(Document { name, mark: if marked { BOM } else { b"" } }))
    }

    /// The bytes at hand, read if there are none; empty at the end of the input.
    ///
    /// Valid UTF-8 that ends at a character boundary. Fails on invalid UTF-8 only after what precedes it was consumed.
    pub fn fill(&mut self) -> Result<&[u8], Failure> {
        while self.pos == self.clean.len() {
            let Some(open) = &mut self.open else { return Ok(&[]) };
            if let Some(fault) = open.fault.clone() {
                return Err(fault);
            }
            if open.ended {
                return Ok(&[]);
            }
            self.clean.clear();
            self.pos = 0;
            if open.blocks
                && let Some(hook) = &mut self.before_block
            {
                hook();
            }
            open.read(&mut self.raw, self.lossy, &mut self.clean)?;
            if self.strip_ansi {
                open.escape.strip(&mut self.clean);
            }
        }
        Ok(self.clean.get(self.pos..).unwrap_or_default())
    }

    /// Marks bytes of [`Self::fill`] as used.
    pub fn consume(&mut self, bytes: usize) {
        self.pos = (self.pos + bytes).min(self.clean.len());
    }
}

impl Open {
    fn new(item: &Item) -> Result<Self, Failure> {
        let mut open = Self {
            name: "stdin".into(),
            from: Box::new(io::empty()),
            path: None,
            blocks: true,
            carried: 0,
            offset: 0,
            escape: Escape::Text,
            ended: false,
            fault: None,
        };
        match item {
            Item::Text(n, text) => {
                let mut bytes = text.clone().into_bytes();
                if bytes.last() != Some(&b'\n') {
                    bytes.push(b'\n');
                }
                open.name = format!("TEXT {n}").into();
                open.from = Box::new(io::Cursor::new(bytes));
                open.blocks = false;
            }
            Item::File(path) => {
                let file = File::open(path).map_err(|e| Failure::file("read", path, &e))?;
                open.blocks = !file.metadata().is_ok_and(|m| m.is_file());
                open.name = path.display().to_string().into();
                open.from = Box::new(file);
                open.path = Some(path.clone());
            }
            Item::Stdin => open.from = Box::new(io::stdin()),
            Item::Reader(..) => {}
        }
        Ok(open)
    }

    /// Reads once and appends what is valid.
    fn read(&mut self, raw: &mut Vec<u8>, lossy: bool, clean: &mut Vec<u8>) -> Result<(), Failure> {
        if raw.is_empty() {
            raw.resize(FIRST_CHUNK, 0);
        }
        let room = raw.get_mut(self.carried..).unwrap_or_default();
        let got = loop {
            match self.from.read(room) {
                Ok(got) => break got,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let path = self.path.clone().unwrap_or_else(|| PathBuf::from(&*self.name));
                    return Err(Failure::file("read", &path, &error));
                }
            }
        };
        self.ended = got == 0;
        let filled = self.carried + got;
        if filled == raw.len() && filled < CHUNK {
            raw.resize(filled * 2, 0);
        }
        let mut rest = raw.get(..filled).unwrap_or_default();
        self.carried = 0;
        loop {
            let Err(error) = std::str::from_utf8(rest) else {
                clean.extend_from_slice(rest);
                self.offset += rest.len() as u64;
                return Ok(());
            };
            let (valid, odd) = rest.split_at(error.valid_up_to());
            clean.extend_from_slice(valid);
            self.offset += valid.len() as u64;
            let bad = match error.error_len() {
                None if !self.ended => {
                    let (start, len) = (error.valid_up_to() + raw_offset(raw, rest), odd.len());
                    raw.copy_within(start..start + len, 0);
                    self.carried = len;
                    return Ok(());
                }
                None => odd.len(),
                Some(len) => len,
            };
            if !lossy {
                let what = format!("invalid UTF-8 at byte {}", self.offset);
                let hint = "convert it to UTF-8, or replace what is invalid with --lossy";
                self.fault = Some(Failure::usage(what).at(Origin::of(&self.name)).hint(hint));
                return Ok(());
            }
            clean.extend_from_slice("\u{FFFD}".as_bytes());
            self.offset += bad as u64;
            rest = odd.get(bad..).unwrap_or_default();
        }
    }
}

/// Where `part`, a tail of what was read into `raw`, begins.
fn raw_offset(raw: &[u8], part: &[u8]) -> usize {
    part.as_ptr() as usize - raw.as_ptr() as usize
}

/// Where a stream stands in a terminal's escape sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    Text,
    /// After ESC.
    Begun,
    /// In `ESC [`.
    Control,
    /// In `ESC ]` and the other strings, up to BEL or `ESC \`.
    String,
    /// After ESC in a string.
    StringEnd,
}

impl Escape {
    /// Removes the sequences in `bytes`; one that is cut off goes on in the next call.
    fn strip(&mut self, bytes: &mut Vec<u8>) {
        if *self == Self::Text && memchr::memchr(0x1b, bytes).is_none() {
            return;
        }
        bytes.retain(|&byte| self.keeps(byte));
    }

    #[allow(clippy::match_same_arms)] // a table of states reads better whole
    fn keeps(&mut self, byte: u8) -> bool {
        let (next, keep) = match (*self, byte) {
            // A line break ends what never ended: a lost terminator must not swallow the rest of the input.
            (_, b'\n') => (Self::Text, true),
            (Self::String, 0x1b) => (Self::StringEnd, false),
            (Self::String | Self::StringEnd, 0x07) | (Self::StringEnd, b'\\') => (Self::Text, false),
            (Self::String | Self::StringEnd, _) => (Self::String, false),
            (_, 0x1b) => (Self::Begun, false),
            (Self::Begun, b'[') => (Self::Control, false),
            (Self::Begun, b']' | b'P' | b'X' | b'^' | b'_') => (Self::String, false),
            (Self::Begun, 0x20..=0x2f) => (Self::Begun, false),
            (Self::Control, 0x20..=0x3f) => (Self::Control, false),
            (Self::Begun, 0x30..=0x7e) | (Self::Control, 0x40..=0x7e) => (Self::Text, false),
            (Self::Text | Self::Begun | Self::Control, _) => (Self::Text, true),
        };
        *self = next;
        keep
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    /// Gives `step` bytes a read.
    struct Drip(io::Cursor<Vec<u8>>, usize);

    impl Read for Drip {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let step = self.1.min(into.len());
            self.0.read(into.get_mut(..step).unwrap())
        }
    }

    fn drip(bytes: &[u8], step: usize) -> Source {
        Source::reader("stdin", Box::new(Drip(io::Cursor::new(bytes.to_vec()), step)))
    }

    fn all(source: &mut Source) -> Result<Vec<u8>, Failure> {
        let mut out = Vec::new();
        while let Some(document) = source.document()? {
            out.extend_from_slice(document.mark);
            loop {
                let part = source.fill()?.to_vec();
                if part.is_empty() {
                    break;
                }
                assert!(std::str::from_utf8(&part).is_ok());
                source.consume(part.len());
                out.extend(part);
            }
        }
        Ok(out)
    }

    #[test]
    fn keeps_characters_whole_at_any_read_size() {
        let text = "\u{feff}aé漢🙂\r\nz".as_bytes();
        for step in 1..8 {
            assert_eq!(all(&mut drip(text, step)).unwrap(), text, "{step}");
        }
    }

    #[test]
    fn names_the_byte_of_invalid_utf8_and_the_source() {
        for step in 1..6 {
            let failure = all(&mut drip(b"ab\xc3\xa9c\xffd", step)).unwrap_err();
            assert_eq!(failure.kind, Kind::Usage);
            assert_eq!(failure.to_string(), "stdin: invalid UTF-8 at byte 5");
            assert!(failure.hint.unwrap().contains("--lossy"));
        }
    }

    #[test]
    fn a_character_cut_off_by_the_end_is_invalid() {
        assert_eq!(all(&mut drip(b"ab\xe2\x82", 2)).unwrap_err().to_string(), "stdin: invalid UTF-8 at byte 2");
    }

    #[test]
    fn gives_what_precedes_a_fault() {
        let mut source = drip(b"good\xff", 100);
        source.document().unwrap();
        assert_eq!(source.fill().unwrap(), b"good");
        source.consume(4);
        assert!(source.fill().is_err());
    }

    #[test]
    fn lossy_replaces() {
        for step in 1..6 {
            let out = all(&mut drip(b"a\xffb\xe2\x82", step).lossy(true)).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), "a\u{fffd}b\u{fffd}", "{step}");
        }
    }

    #[test]
    fn strips_escape_sequences_across_reads() {
        let text = b"\x1b[1;31mred\x1b[0m \x1b]8;;https://a.example\x1b\\link\x1b]8;;\x07 \x1b(Bx\x1b]open\ny";
        for step in 1..9 {
            let out = all(&mut drip(text, step).strip_ansi(true)).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), "red link x\ny", "{step}");
        }
    }

    #[test]
    fn arguments_end_in_one_newline() {
        let mut source = Source::texts(["one".to_owned(), "two\n".to_owned()]);
        assert_eq!(all(&mut source).unwrap(), b"one\ntwo\n");
        source.rewind();
        assert_eq!(all(&mut source).unwrap(), b"one\ntwo\n");
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
    fn tells_before_it_may_block() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let calls = Arc::new(AtomicUsize::new(0));
        let mut source = drip(b"abcdef", 2);
        let counted = calls.clone();
        source.before_block(Box::new(move || {
            counted.fetch_add(1, Ordering::SeqCst);
        }));
        all(&mut source).unwrap();
        assert_eq!(calls.load(Ordering::SeqCst), 4);
    }
}
