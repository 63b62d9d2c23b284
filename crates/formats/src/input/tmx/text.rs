//! Decodes a TMX file to UTF-8 while it is read, and tracks the position and the digest of all bytes.
//!
//! Tools write UTF-8, UTF-16, and sometimes an older encoding, in which markup is always ASCII. Older encodings are
//! decoded as ISO-8859-1, because the check does not use the texts.

use std::io::{self, BufRead, Read};

use tulk_base::files::Digest;
use tulk_base::limits::TMX_PART_BYTES;

const CHUNK_BYTES: usize = 64 * 1024;

#[derive(Clone, Copy)]
enum TmxEncoding {
    Utf8,
    Utf16(fn([u8; 2]) -> u16),
    Latin1,
}

pub struct TmxText<R> {
    input: R,
    /// `None` until enough bytes are read to detect it.
    encoding: Option<TmxEncoding>,
    raw: Vec<u8>,
    text: Vec<u8>,
    /// Number of consumed bytes.
    at: usize,
    /// Bytes consumed since the last call of [`TmxText::start_part`].
    part_bytes: usize,
    /// Line of the next character, from 1.
    pub line: u64,
    /// Column of the next character, from 1.
    pub column: u64,
    pub digest: Digest,
}

impl<R: Read> TmxText<R> {
    pub fn new(input: R) -> Self {
        Self {
            input,
            encoding: None,
            raw: Vec::new(),
            text: Vec::new(),
            at: 0,
            part_bytes: 0,
            line: 1,
            column: 1,
            digest: Digest::default(),
        }
    }

    /// Starts a text, tag or comment. Its size is limited, because it is held in memory.
    pub fn start_part(&mut self) {
        self.part_bytes = 0;
    }

    /// Reads a chunk and decodes all complete characters. Returns false at the end.
    fn read_chunk(&mut self) -> io::Result<bool> {
        let old = self.raw.len();
        self.raw.resize(old + CHUNK_BYTES, 0);
        let read = loop {
            match self.input.read(self.raw.get_mut(old..).unwrap_or_default()) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.raw.truncate(old + read);
        self.digest.update(self.raw.get(old..).unwrap_or_default());
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            // Detection needs up to 256 bytes, and a pipe may return fewer.
            None if read > 0 && self.raw.len() < 256 => return Ok(true),
            None => {
                let (encoding, mark) = detect_encoding(&self.raw);
                self.raw.drain(..mark);
                *self.encoding.insert(encoding)
            }
        };
        match encoding {
            TmxEncoding::Utf8 => self.text.append(&mut self.raw),
            TmxEncoding::Latin1 => {
                let decoded: String = self.raw.drain(..).map(char::from).collect();
                self.text.extend_from_slice(decoded.as_bytes());
            }
            TmxEncoding::Utf16(unit) => self.decode_utf16(unit, read == 0)?,
        }
        Ok(read > 0)
    }

    /// Decodes all complete characters. Half a code unit or surrogate pair waits for more bytes; with `is_end`, it is
    /// an error.
    fn decode_utf16(&mut self, unit: fn([u8; 2]) -> u16, is_end: bool) -> io::Result<()> {
        let (pairs, rest) = self.raw.as_chunks::<2>();
        let mut units: Vec<u16> = pairs.iter().copied().map(unit).collect();
        let is_high = |unit: &u16| (0xd800..0xdc00).contains(unit);
        let mut left = rest.len();
        if !is_end && units.last().is_some_and(is_high) {
            units.pop();
            left += 2;
        }
        if is_end && left > 0 {
            return Err(invalid_data("the file ends inside a UTF-16 character"));
        }
        for decoded in char::decode_utf16(units) {
            let decoded = decoded.map_err(|_| invalid_data("an incomplete UTF-16 character"))?;
            self.text.extend_from_slice(decoded.encode_utf8(&mut [0; 4]).as_bytes());
        }
        self.raw.drain(..self.raw.len() - left);
        Ok(())
    }
}

fn invalid_data(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Also returns the size of the byte-order mark.
fn detect_encoding(start: &[u8]) -> (TmxEncoding, usize) {
    let big: fn([u8; 2]) -> u16 = u16::from_be_bytes;
    let little: fn([u8; 2]) -> u16 = u16::from_le_bytes;
    match start {
        [0xfe, 0xff, ..] => (TmxEncoding::Utf16(big), 2),
        [0xff, 0xfe, ..] => (TmxEncoding::Utf16(little), 2),
        [0, b'<', ..] => (TmxEncoding::Utf16(big), 0),
        [b'<', 0, ..] => (TmxEncoding::Utf16(little), 0),
        [0xef, 0xbb, 0xbf, ..] => (TmxEncoding::Utf8, 3),
        _ if declares_old_encoding(start) => (TmxEncoding::Latin1, 0),
        _ => (TmxEncoding::Utf8, 0),
    }
}

/// Returns whether the XML declaration names an encoding other than UTF-8, UTF-16 or US-ASCII.
fn declares_old_encoding(start: &[u8]) -> bool {
    let head = String::from_utf8_lossy(start.get(..256).unwrap_or(start)).to_ascii_lowercase();
    let declaration = head.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")).map_or("", |(head, _)| head);
    let value =
        declaration.split_once("encoding").map_or("", |(_, rest)| rest).trim_start_matches([' ', '=', '"', '\'']);
    !value.is_empty() && !["utf", "us-ascii"].iter().any(|known| value.starts_with(known))
}

impl<R: Read> BufRead for TmxText<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.part_bytes > TMX_PART_BYTES {
            return Err(invalid_data("a text or tag of more than 16 MiB"));
        }
        if self.at == self.text.len() {
            self.text.clear();
            self.at = 0;
            while self.read_chunk()? && self.text.is_empty() {}
        }
        Ok(self.text.get(self.at..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        let consumed = self.text.get(self.at..self.at + amount).unwrap_or_default();
        let last_line = match memchr::memrchr(b'\n', consumed) {
            Some(end) => {
                self.line += memchr::memchr_iter(b'\n', consumed).count() as u64;
                self.column = 1;
                consumed.get(end + 1..).unwrap_or_default()
            }
            None => consumed,
        };
        // Count characters: skip continuation bytes.
        self.column += last_line.iter().filter(|byte| **byte & 0xc0 != 0x80).count() as u64;
        self.at += amount;
        self.part_bytes += amount;
    }
}

impl<R: Read> Read for TmxText<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}
