//! SHA-256 digests of bytes at once or in pieces.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use data_encoding::HEXLOWER;
use ring::digest::{Context, SHA256};

use crate::error::Failure;

/// Size of the pieces in which files are read.
const PIECE_BYTES: usize = 64 * 1024;

/// A SHA-256 digest of bytes that are added in pieces. A clone is independent.
#[derive(Clone)]
pub struct Digest(Context);

impl Default for Digest {
    fn default() -> Self {
        Self(Context::new(&SHA256))
    }
}

impl Digest {
    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the digest of the bytes so far as 64 lowercase hexadecimal digits.
    pub fn hex(&self) -> String {
        HEXLOWER.encode(self.0.clone().finish().as_ref())
    }
}

/// The digest of bytes that one thread adds and another one reads. A clone is the same digest.
#[derive(Clone, Default)]
pub struct SharedDigest(Arc<Mutex<Digest>>);

impl SharedDigest {
    /// Starts again with no bytes.
    pub fn restart(&self) {
        *self.lock() = Digest::default();
    }

    /// Adds bytes.
    pub fn update(&self, bytes: &[u8]) {
        self.lock().update(bytes);
    }

    /// Returns the digest of the bytes so far as 64 lowercase hexadecimal digits.
    pub fn hex(&self) -> String {
        self.lock().hex()
    }

    fn lock(&self) -> MutexGuard<'_, Digest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the digest of everything that a reader returns.
pub fn digest_of(mut reader: impl Read) -> io::Result<String> {
    let mut digest = Digest::default();
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        match reader.read(&mut piece) {
            Ok(0) => return Ok(digest.hex()),
            Ok(read) => digest.update(piece.get(..read).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Returns the digest of a file.
pub fn file_digest(path: &Path) -> Result<String, Failure> {
    File::open(path).and_then(digest_of).map_err(|e| Failure::file("read", path, &e))
}

/// Returns the digest of bytes as 64 lowercase hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(ring::digest::digest(&SHA256, bytes).as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_the_digest_of_the_whole() {
        let mut digest = Digest::default();
        digest.update(b"a");
        digest.update(b"bc");
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest.hex(), known);
        assert_eq!(sha256_hex(b"abc"), known);
        assert_eq!(digest_of(&b"abc"[..]).unwrap(), known);
        let shared = SharedDigest::default();
        shared.update(b"x");
        shared.restart();
        shared.clone().update(b"abc");
        assert_eq!(shared.hex(), known);
    }
}
