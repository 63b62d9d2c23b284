//! SHA-256 digests of bytes, streams and files.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use crate::error::{Failure, FileContext as _};

const PIECE_BYTES: usize = 64 * 1024;
const SAMPLE_PIECES: u64 = 32;

/// Incremental SHA-256 digest. A clone is independent.
#[derive(Clone, Default)]
pub struct Digest(Sha256);

impl Digest {
    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the digest of the bytes so far as 64 lowercase hexadecimal digits.
    pub fn hex(&self) -> String {
        HEXLOWER.encode(&self.0.clone().finalize())
    }
}

/// Incremental digest that is shared between threads: one adds bytes, another reads it.
#[derive(Clone, Default)]
pub struct SharedDigest(Arc<Mutex<Digest>>);

impl SharedDigest {
    /// Resets the digest to the digest of an empty input.
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

/// Reads a stream to its end and returns the digest of its content.
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
    File::open(path).and_then(digest_of).file_context("read", path)
}

/// Returns the digest of 32 chunks of 64 KiB, spread evenly over a file of a known size.
///
/// Different digests prove that the contents differ. Equal digests prove nothing.
pub fn sample_digest(path: &Path, bytes: u64) -> Result<String, Failure> {
    let read = || {
        let (mut file, mut digest) = (File::open(path)?, Digest::default());
        let mut piece = Vec::with_capacity(PIECE_BYTES);
        let last = bytes.saturating_sub(PIECE_BYTES as u64);
        for n in 0..SAMPLE_PIECES {
            // Divide first: multiplying first could overflow.
            file.seek(SeekFrom::Start(if n + 1 == SAMPLE_PIECES { last } else { last / (SAMPLE_PIECES - 1) * n }))?;
            piece.clear();
            (&file).take(PIECE_BYTES as u64).read_to_end(&mut piece)?;
            digest.update(&piece);
        }
        Ok(digest.hex())
    };
    read().file_context("read", path)
}

/// Returns the digest of bytes as 64 lowercase hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adding_chunks_gives_the_digest_of_the_complete_content() {
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

    #[test]
    fn a_sample_has_the_first_the_last_and_other_bytes_of_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        let sample_of = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            sample_digest(&path, bytes.len() as u64).unwrap()
        };
        let mut content = vec![b'x'; 8 * 1024 * 1024];
        let sample = sample_of(&content);
        assert_eq!(sample_of(&content), sample);
        for at in [0, content.len() - 1, (content.len() - PIECE_BYTES) / 31 * 7] {
            content[at] = b'y';
            assert_ne!(sample_of(&content), sample, "byte {at}");
            content[at] = b'x';
        }
        assert_eq!(sample_of(b""), sample_of(b""));
    }
}
