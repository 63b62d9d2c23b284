//! The messages of a voice stream: an object with one key, as JSON or as `MessagePack`.
//!
//! Reading is liberal: unknown names are told as such, extra members ignored, either framing understood. Writing is
//! exact: maps with string keys, bytes as base64 in JSON and as bin in `MessagePack`. Spec: "Voice", WebSocket.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::VoiceMessageFormat;

/// A message on its way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodedMessage {
    /// For a text frame.
    Text(String),
    /// For a binary frame.
    Binary(Vec<u8>),
}

#[derive(Serialize)]
enum OutgoingMessage<'a> {
    #[serde(rename = "source_media_chunk")]
    Chunk {
        #[serde(with = "serde_bytes")]
        data: &'a [u8],
    },
    #[serde(rename = "end_of_source_media")]
    End {},
}

/// Writes `source_media_chunk`.
pub fn encode_chunk(format: VoiceMessageFormat, data: &[u8]) -> Result<EncodedMessage, rmp_serde::encode::Error> {
    match format {
        VoiceMessageFormat::Json => {
            let mut text = String::with_capacity(data.len() / 3 * 4 + 64);
            text.push_str(r#"{"source_media_chunk":{"data":""#);
            STANDARD.encode_string(data, &mut text);
            text.push_str(r#""}}"#);
            Ok(EncodedMessage::Text(text))
        }
        VoiceMessageFormat::Msgpack => {
            rmp_serde::to_vec_named(&OutgoingMessage::Chunk { data }).map(EncodedMessage::Binary)
        }
    }
}

/// Writes `end_of_source_media`.
pub fn encode_end(format: VoiceMessageFormat) -> Result<EncodedMessage, rmp_serde::encode::Error> {
    match format {
        VoiceMessageFormat::Json => Ok(EncodedMessage::Text(r#"{"end_of_source_media":{}}"#.to_owned())),
        VoiceMessageFormat::Msgpack => rmp_serde::to_vec_named(&OutgoingMessage::End {}).map(EncodedMessage::Binary),
    }
}

/// A message from the service.
#[derive(Clone, Debug, PartialEq)]
pub enum VoiceMessage {
    /// More of the source transcript.
    SourceTranscript(TranscriptUpdate),
    /// More of a target transcript; its `language` is set.
    TargetTranscript(TranscriptUpdate),
    /// Speech.
    TargetMedia(MediaChunk),
    /// No more source text.
    EndOfSourceTranscript,
    /// No more text of a language.
    EndOfTargetTranscript(LanguageEnd),
    /// No more speech of a language.
    EndOfTargetMedia(LanguageEnd),
    /// The last message.
    EndOfStream,
    /// The session is over.
    Error(VoiceStreamError),
    /// One whose name is not known here: to be ignored.
    Unknown(String),
}

/// More of one transcript.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct TranscriptUpdate {
    /// The target language; unset for the source, whose segments name theirs.
    #[serde(deserialize_with = "or_default")]
    pub language: String,
    /// Segments that stand.
    #[serde(deserialize_with = "or_default")]
    pub concluded: Vec<TranscriptSegment>,
    /// Segments that replace all earlier tentative ones.
    #[serde(deserialize_with = "or_default")]
    pub tentative: Vec<TranscriptSegment>,
}

/// A piece of a transcript; its text carries its own leading blank.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct TranscriptSegment {
    /// The language detected; source segments only.
    #[serde(deserialize_with = "or_default")]
    pub language: Option<String>,
    /// The words.
    #[serde(deserialize_with = "or_default")]
    pub text: String,
    /// Where it starts in the input, in milliseconds.
    #[serde(deserialize_with = "whole")]
    pub start_time: u64,
    /// Where it ends in the input, in milliseconds.
    #[serde(deserialize_with = "whole")]
    pub end_time: u64,
}

/// Some speech.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct MediaChunk {
    /// Its language.
    #[serde(deserialize_with = "or_default")]
    pub language: String,
    /// The bytes, in pieces that belong together: packets, pages, clusters.
    #[serde(deserialize_with = "blobs")]
    pub data: Vec<Vec<u8>>,
    /// Playing time in milliseconds.
    #[serde(deserialize_with = "whole")]
    pub duration: u64,
    /// What the audio is; first message of a language only.
    #[serde(deserialize_with = "or_default")]
    pub content_type: Option<String>,
    /// How many of the first pieces initialise a decoder; first message of a language only.
    #[serde(deserialize_with = "or_default")]
    pub headers: Option<usize>,
    /// The text spoken; first message of a segment only.
    #[serde(deserialize_with = "or_default")]
    pub text: Option<String>,
}

/// What has ended.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct LanguageEnd {
    /// Its language.
    #[serde(deserialize_with = "or_default")]
    pub language: String,
}

/// Why the session is over.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct VoiceStreamError {
    /// The message it answers.
    #[serde(deserialize_with = "or_default")]
    pub request_type: String,
    /// Like an HTTP status.
    #[serde(deserialize_with = "whole")]
    pub error_code: u64,
    /// The exact reason.
    #[serde(deserialize_with = "whole")]
    pub reason_code: u64,
    /// The service's words.
    #[serde(deserialize_with = "or_default")]
    pub error_message: String,
}

/// Reads a text frame.
pub fn decode_text(text: &str) -> Result<VoiceMessage, String> {
    serde_json::from_str(text).map_err(|e| e.to_string())
}

/// Reads a binary frame.
pub fn decode_binary(bytes: &[u8]) -> Result<VoiceMessage, String> {
    rmp_serde::from_slice(bytes).map_err(|e| e.to_string())
}

impl<'de> Deserialize<'de> for VoiceMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(VoiceMessageVisitor)
    }
}

/// Reads the one key and what stands under it.
struct VoiceMessageVisitor;

impl<'de> Visitor<'de> for VoiceMessageVisitor {
    type Value = VoiceMessage;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the message's name as its key")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<VoiceMessage, A::Error> {
        let mut message = VoiceMessage::Unknown(String::new());
        while let Some(name) = map.next_key::<String>()? {
            let read = match name.as_str() {
                "source_transcript_update" => VoiceMessage::SourceTranscript(map.next_value()?),
                "target_transcript_update" => VoiceMessage::TargetTranscript(map.next_value()?),
                "target_media_chunk" => VoiceMessage::TargetMedia(map.next_value()?),
                "end_of_target_transcript" => VoiceMessage::EndOfTargetTranscript(map.next_value()?),
                "end_of_target_media" => VoiceMessage::EndOfTargetMedia(map.next_value()?),
                "error" => VoiceMessage::Error(map.next_value()?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    match name.as_str() {
                        "end_of_source_transcript" => VoiceMessage::EndOfSourceTranscript,
                        "end_of_stream" => VoiceMessage::EndOfStream,
                        _ => VoiceMessage::Unknown(name),
                    }
                }
            };
            // A known message counts, wherever a member that came later stands.
            if matches!(message, VoiceMessage::Unknown(_)) {
                message = read;
            }
        }
        Ok(message)
    }
}

/// Takes `null` for a missing member.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(deserializer: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// Takes any number, and `null`, as a whole number that is not negative.
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum LooseNumber {
        Whole(u64),
        Signed(i64),
        Float(f64),
    }
    Ok(match Option::<LooseNumber>::deserialize(deserializer)? {
        Some(LooseNumber::Whole(n)) => n,
        Some(LooseNumber::Signed(n)) => u64::try_from(n).unwrap_or(0),
        // Numbers of the wire: times and codes, far below 2^53.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        Some(LooseNumber::Float(n)) => n.max(0.0) as u64,
        None => 0,
    })
}

/// Bytes, as base64 or as they are.
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
        STANDARD.decode(text.trim()).map(Base64OrBytes).map_err(|e| E::custom(format!("no base64: {e}")))
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Base64OrBytes, E> {
        Ok(Base64OrBytes(bytes.to_vec()))
    }

    fn visit_byte_buf<E: serde::de::Error>(self, bytes: Vec<u8>) -> Result<Base64OrBytes, E> {
        Ok(Base64OrBytes(bytes))
    }
}

/// A list of bytes; one alone, or none, is taken too.
fn blobs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<u8>>, D::Error> {
    struct BytesListVisitor;
    impl<'de> Visitor<'de> for BytesListVisitor {
        type Value = Vec<Vec<u8>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of base64 texts or bytes")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some(Base64OrBytes(bytes)) = seq.next_element()? {
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
    use super::*;
    use serde_json::json;

    #[test]
    fn writes_json() {
        let text = |encoded| match encoded {
            EncodedMessage::Text(text) => text,
            EncodedMessage::Binary(_) => String::new(),
        };
        assert_eq!(
            text(encode_chunk(VoiceMessageFormat::Json, &[1, 2, 255]).unwrap()),
            r#"{"source_media_chunk":{"data":"AQL/"}}"#
        );
        assert_eq!(text(encode_end(VoiceMessageFormat::Json).unwrap()), r#"{"end_of_source_media":{}}"#);
    }

    #[test]
    fn writes_messagepack_as_maps_with_string_keys_and_bin() {
        let EncodedMessage::Binary(bytes) = encode_chunk(VoiceMessageFormat::Msgpack, &[1, 2, 255]).unwrap() else {
            unreachable!()
        };
        let mut expected = vec![0x81, 0xb2];
        expected.extend(b"source_media_chunk");
        expected.extend([0x81, 0xa4]);
        expected.extend(b"data");
        expected.extend([0xc4, 3, 1, 2, 255]);
        assert_eq!(bytes, expected);
        let EncodedMessage::Binary(bytes) = encode_end(VoiceMessageFormat::Msgpack).unwrap() else { unreachable!() };
        let mut expected = vec![0x81, 0xb3];
        expected.extend(b"end_of_source_media");
        expected.push(0x80);
        assert_eq!(bytes, expected);
    }

    #[test]
    fn reads_both_framings_alike() {
        for value in [
            json!({"target_transcript_update": {"language": "de", "concluded": [{"text": "Guten Morgen,",
                "start_time": 0, "end_time": 900}], "tentative": [{"text": " zusammen", "start_time": 900, "end_time": 1400}]}}),
            json!({"source_transcript_update": {"concluded": [], "tentative": [
                {"language": "en", "text": "Hello", "start_time": 0, "end_time": 1}]}}),
            json!({"error": {"request_type": "source_media_chunk", "error_code": 400, "reason_code": 4_000_000,
                "error_message": "chunk is too large"}}),
            json!({"end_of_target_media": {"language": "es"}}),
            json!({"end_of_stream": {}}),
            json!({"something_new": {"a": [1, {"b": null}]}}),
        ] {
            let text = decode_text(&value.to_string()).unwrap();
            let binary = decode_binary(&rmp_serde::to_vec_named(&value).unwrap()).unwrap();
            assert_eq!(text, binary, "{value}");
        }
    }

    #[test]
    fn reads_what_stands_in_the_reference() {
        let message = decode_text(
            r#"{"target_media_chunk":{"language":"de","content_type":"audio/opus","headers":1,
                "data":["AQI=","/w=="],"duration":3200,"text":null}}"#,
        );
        let Ok(VoiceMessage::TargetMedia(media)) = message else { unreachable!("{message:?}") };
        assert_eq!((media.headers, media.duration, media.text), (Some(1), 3200, None));
        assert_eq!(media.data, [vec![1, 2], vec![255]]);
        assert_eq!(decode_text(r#"{"news":1}"#), Ok(VoiceMessage::Unknown("news".into())));
    }

    #[test]
    fn survives_fractions_negatives_and_missing_members() {
        let message =
            decode_text(r#"{"source_transcript_update":{"concluded":[{"text":"a","start_time":-3,"end_time":9.7}]}}"#);
        let Ok(VoiceMessage::SourceTranscript(update)) = message else { unreachable!("{message:?}") };
        assert_eq!((update.concluded[0].start_time, update.concluded[0].end_time), (0, 9));
        assert!(update.tentative.is_empty());
        assert!(decode_text("[]").is_err());
        assert!(decode_binary(&[0xc1]).is_err());
    }
}
