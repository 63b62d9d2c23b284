//! SHA-256 digests of bytes at once or in pieces.

use data_encoding::HEXLOWER;
use ring::digest::{Context, SHA256};

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
    }
}
