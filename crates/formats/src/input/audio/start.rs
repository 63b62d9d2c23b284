//! The first bytes of an input, and numbers in them.

/// The part of an input that has been read so far.
#[derive(Clone, Copy)]
pub struct AudioStart<'a> {
    /// The first bytes.
    pub bytes: &'a [u8],
    /// Whether `bytes` is the whole input.
    pub is_complete: bool,
    /// File name, or `stdin`.
    pub name: &'a str,
    /// Size in bytes of a regular file.
    pub size: Option<u64>,
    /// The index of an MP4 file, if it could be read ahead.
    pub index: Option<&'a [u8]>,
}

/// Reads a little-endian number of `len` bytes.
pub fn little_endian(bytes: &[u8], at: usize, len: usize) -> Option<u64> {
    Some(bytes.get(at..at + len)?.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

/// Reads a big-endian number of `len` bytes.
pub fn big_endian(bytes: &[u8], at: usize, len: usize) -> Option<u64> {
    Some(bytes.get(at..at + len)?.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}
