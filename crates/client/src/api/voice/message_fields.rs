//! Lenient deserializers for fields of voice messages. Their limits keep the memory of a message close to its size in bytes.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::message::TranscriptSegment;

/// Maximum number of segments in a list. A segment takes far more memory than its shortest encoding.
const SEGMENTS_MAX: usize = 10_000;
const PIECES_MAX: usize = 100_000;

/// Reads `null` as the default value.
pub(super) fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// Reads any number, or `null`, as a whole number of at least 0.
pub(super) fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    deserializer.deserialize_any(WholeNumberVisitor)
}

struct WholeNumberVisitor;

impl Visitor<'_> for WholeNumberVisitor {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_u64<E: serde::de::Error>(self, n: u64) -> Result<u64, E> {
        Ok(n)
    }

    fn visit_i64<E: serde::de::Error>(self, n: i64) -> Result<u64, E> {
        Ok(u64::try_from(n).unwrap_or(0))
    }

    fn visit_f64<E: serde::de::Error>(self, n: f64) -> Result<u64, E> {
        // The conversion saturates; NaN becomes 0.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        Ok(n as u64)
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<u64, E> {
        Ok(0)
    }
}

/// Reads a list of segments. `null` is an empty list.
pub(super) fn segments<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<TranscriptSegment>, D::Error> {
    struct SegmentsVisitor;
    impl<'de> Visitor<'de> for SegmentsVisitor {
        type Value = Vec<TranscriptSegment>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of segments")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some(segment) = seq.next_element()? {
                if all.len() == SEGMENTS_MAX {
                    return Err(A::Error::custom(format_args!("more than {SEGMENTS_MAX} segments")));
                }
                all.push(segment);
            }
            Ok(all)
        }

        fn visit_unit<E: serde::de::Error>(self) -> Result<Self::Value, E> {
            Ok(Vec::new())
        }
    }
    deserializer.deserialize_any(SegmentsVisitor)
}

struct Base64OrBytes(Vec<u8>);

impl<'de> Deserialize<'de> for Base64OrBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Base64OrBytesVisitor)
    }
}

struct Base64OrBytesVisitor;

impl Visitor<'_> for Base64OrBytesVisitor {
    type Value = Base64OrBytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("base64 text or bytes")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Base64OrBytes, E> {
        STANDARD.decode(text.trim()).map(Base64OrBytes).map_err(|e| E::custom(format!("invalid base64: {e}")))
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Base64OrBytes, E> {
        Ok(Base64OrBytes(bytes.to_vec()))
    }

    fn visit_byte_buf<E: serde::de::Error>(self, bytes: Vec<u8>) -> Result<Base64OrBytes, E> {
        Ok(Base64OrBytes(bytes))
    }
}

/// Reads a list of byte strings. Also accepts a single byte string, and `null` as an empty list.
pub(super) fn blobs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<u8>>, D::Error> {
    struct BytesListVisitor;
    impl<'de> Visitor<'de> for BytesListVisitor {
        type Value = Vec<Vec<u8>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of base64 texts or bytes")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some(Base64OrBytes(bytes)) = seq.next_element()? {
                if all.len() == PIECES_MAX {
                    return Err(A::Error::custom(format_args!("more than {PIECES_MAX} pieces of audio")));
                }
                all.push(bytes);
            }
            Ok(all)
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
            Ok(vec![Base64OrBytesVisitor.visit_str::<E>(text)?.0])
        }

        fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
            Ok(vec![bytes.to_vec()])
        }

        fn visit_unit<E: serde::de::Error>(self) -> Result<Self::Value, E> {
            Ok(Vec::new())
        }
    }
    deserializer.deserialize_any(BytesListVisitor).map_err(D::Error::custom)
}

#[cfg(test)]
mod tests {
    use crate::api::voice::message::{VoiceMessage, decode_binary, decode_text};

    fn times(start: &str, end: &str) -> Option<(u64, u64)> {
        let message = format!(
            r#"{{"source_transcript_update":{{"concluded":[{{"text":"a","start_time":{start},"end_time":{end}}}]}}}}"#
        );
        match decode_text(&message) {
            Ok(VoiceMessage::SourceTranscript(update)) => {
                update.concluded.first().map(|segment| (segment.start_time, segment.end_time))
            }
            _ => None,
        }
    }

    #[test]
    fn times_are_whole_numbers_within_bounds() {
        assert_eq!(times("0", "900.7"), Some((0, 900)));
        assert_eq!(times("-5", "-0.5"), Some((0, 0)));
        assert_eq!(times("18446744073709551615", "1e300"), Some((u64::MAX, u64::MAX)));
        assert_eq!(times("null", "340282366920938463463374607431768211456"), Some((0, u64::MAX)));
        for wrong in ["\"1\"", "[]", "{}", "true", "NaN", "1e999"] {
            assert_eq!(times("0", wrong), None, "{wrong}");
        }
        // {"error": {"error_code": NaN}}
        let mut binary = b"\x81\xA5error\x81\xAAerror_code\xCB".to_vec();
        binary.extend(f64::NAN.to_be_bytes());
        assert!(matches!(decode_binary(&binary), Ok(VoiceMessage::Error(error)) if error.error_code == 0));
    }

    #[test]
    fn refuses_values_of_the_wrong_type() {
        for message in [
            "",
            "null",
            "[]",
            "7",
            r#"{"target_transcript_update":{"concluded":{}}}"#,
            r#"{"target_transcript_update":{"concluded":[7]}}"#,
            r#"{"target_media_chunk":{"data":[7]}}"#,
            r#"{"target_media_chunk":{"data":["*"]}}"#,
            r#"{"error":"no"}"#,
        ] {
            assert!(decode_text(message).is_err(), "{message}");
        }
        let deep = format!(r#"{{"new":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(decode_text(&deep), Ok(VoiceMessage::Unknown("new".into())));
        assert!(decode_binary(&vec![0x91; 100_000]).is_err());
        assert!(decode_binary(b"\x81\xA3new\xDD\xFF\xFF\xFF\xFF").is_err());
    }

    #[test]
    fn refuses_lists_above_the_limits() {
        let list = |count: usize| {
            format!(r#"{{"source_transcript_update":{{"tentative":[{}{{}}]}}}}"#, "{},".repeat(count - 1))
        };
        assert!(decode_text(&list(10_000)).is_ok());
        assert!(decode_text(&list(10_001)).unwrap_err().contains("more than 10000 segments"));
        let pieces = format!(r#"{{"target_media_chunk":{{"data":[{}""]}}}}"#, r#""","#.repeat(100_000));
        assert!(decode_text(&pieces).unwrap_err().contains("more than 100000 pieces of audio"));
    }
}
