//! Generates IDs and secrets.
//!
//! Except for those of `uuid_from_name`, they are unique across processes and never seeded: `--seed` makes faults
//! repeatable, but not IDs.

use data_encoding::{HEXLOWER, HEXUPPER};
use sha2::{Digest as _, Sha256};
use uuid::{Builder, Uuid};

/// Returns a random UUID (version 4) in lower case.
pub fn uuid() -> String {
    Builder::from_random_bytes(random()).into_uuid().to_string()
}

/// Returns a UUID that depends only on `name`, for objects that a file lists without an ID.
pub fn uuid_from_name(name: &str) -> String {
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(Sha256::digest(name)).for_each(|(byte, digest)| *byte = digest);
    Builder::from_sha1_bytes(bytes).into_uuid().to_string()
}

/// Returns whether a text is a UUID with hyphens, the usual form.
pub fn is_uuid(text: &str) -> bool {
    text.len() == uuid::fmt::Hyphenated::LENGTH && Uuid::try_parse(text).is_ok()
}

/// Returns `N` random bytes as upper-case hexadecimal digits: 16 bytes for document IDs, 32 for document keys.
pub fn upper_hex<const N: usize>() -> String {
    HEXUPPER.encode(&random::<N>())
}

/// Returns a trace ID: 32 hexadecimal digits that identify a request. It is not a secret.
pub fn trace_id() -> String {
    HEXLOWER.encode(&fastrand::u128(..).to_be_bytes())
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    if getrandom::fill(&mut bytes).is_err() {
        fastrand::fill(&mut bytes);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_the_documented_form() {
        let id = uuid();
        assert!(is_uuid(&id), "{id}");
        assert_eq!((id.get(14..15), id.to_lowercase()), (Some("4"), id.clone()));
        assert_ne!(id, uuid());
        assert_eq!((upper_hex::<32>().len(), trace_id().len()), (64, 32));
    }

    #[test]
    fn a_name_always_gives_the_same_uuid() {
        assert_eq!(uuid_from_name("Manuals"), "613634ac-ece6-501a-b493-c8ccf52355e9");
    }

    #[test]
    fn recognises_uuids_with_hyphens_only() {
        assert!(is_uuid("5B0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69"));
        for text in [
            "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a6",
            "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a6g",
            "5b0c8f0e6d1a4a3b9c2f1e2d3c4b5a69",
            "{5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69}",
        ] {
            assert!(!is_uuid(text), "{text}");
        }
    }
}
