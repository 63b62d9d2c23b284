//! Identifiers and secrets the sandbox hands out.
//!
//! Unique across processes and never seeded: `--seed` makes faults repeatable, not names.
//! Spec: "Conventions" (ids).

use std::fmt::Write;

use ring::rand::{SecureRandom, SystemRandom};

/// A random UUID (version 4), lower case.
pub fn uuid() -> String {
    let mut bytes: [u8; 16] = random();
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut text = hex(&bytes);
    for at in [20, 16, 12, 8] {
        text.insert(at, '-');
    }
    text
}

/// A UUID that depends on `name` alone, for objects that come from a file without one.
pub fn uuid_of(name: &str) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, name.as_bytes());
    let mut bytes: Vec<u8> = digest.as_ref().iter().copied().take(16).collect();
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut text = hex(&bytes);
    for at in [20, 16, 12, 8] {
        text.insert(at, '-');
    }
    text
}

/// Whether a text has the form of a UUID.
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// `N` random bytes as upper-case hexadecimal digits: document ids (16) and document keys (32).
pub fn upper_hex<const N: usize>() -> String {
    hex(&random::<N>()).to_ascii_uppercase()
}

/// A trace id: 32 hexadecimal digits. Names a request, guards nothing.
pub fn trace() -> String {
    format!("{:032x}", fastrand::u128(..))
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    if SystemRandom::new().fill(&mut bytes).is_err() {
        fastrand::fill(&mut bytes);
    }
    bytes
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2 + 4), |mut text, byte| {
        // Writing to a String does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makes_ids_of_the_documented_form() {
        let id = uuid();
        assert!(is_uuid(&id), "{id}");
        assert_ne!(id, uuid());
        assert!(is_uuid(&uuid_of("Manuals")));
        assert_eq!(uuid_of("Manuals"), uuid_of("Manuals"));
        assert_eq!(upper_hex::<32>().len(), 64);
        assert_eq!(trace().len(), 32);
        assert!(!is_uuid("5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a6"));
        assert!(!is_uuid("5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a6g"));
    }
}
