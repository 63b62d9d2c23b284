//! The messages of a voice stream: objects with a single key, encoded as JSON or as `MessagePack`.
//!
//! Decoding accepts unknown names and additional members. Encoding uses maps with string keys; bytes are base64 in JSON and the bin type
//! in `MessagePack`.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::VoiceMessageFormat;
use super::message_fields::{blobs, or_default, segments, whole_number};

/// An encoded message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodedMessage {
    /// A text message.
    Text(String),
    /// A binary message.
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

/// Encodes `source_media_chunk`.
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

/// Encodes `end_of_source_media`.
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
    /// More of a target transcript. Its `language` is set.
    TargetTranscript(TranscriptUpdate),
    /// Spoken audio.
    TargetMedia(MediaChunk),
    /// The source transcript is complete.
    EndOfSourceTranscript,
    /// The transcript of a language is complete.
    EndOfTargetTranscript(LanguageEnd),
    /// The spoken audio of a language is complete.
    EndOfTargetMedia(LanguageEnd),
    /// The last message.
    EndOfStream,
    /// The session failed.
    Error(VoiceStreamError),
    /// A message with an unknown name. To be ignored.
    Unknown(String),
}

/// An addition to a transcript.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, expecting = "an object")]
pub struct TranscriptUpdate {
    /// Target language. Empty for the source transcript, where each segment has its own language.
    #[serde(deserialize_with = "or_default")]
    pub language: String,
    /// Final segments.
    #[serde(deserialize_with = "segments")]
    pub concluded: Vec<TranscriptSegment>,
    /// Provisional segments. They replace all earlier provisional ones.
    #[serde(deserialize_with = "segments")]
    pub tentative: Vec<TranscriptSegment>,
}

/// A segment of a transcript. Its text starts with a space where one is needed.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, expecting = "an object")]
pub struct TranscriptSegment {
    /// Detected language. Set for source segments only.
    #[serde(deserialize_with = "or_default")]
    pub language: Option<String>,
    /// Text.
    #[serde(deserialize_with = "or_default")]
    pub text: String,
    /// Start in the input, in milliseconds.
    #[serde(deserialize_with = "whole_number")]
    pub start_time: u64,
    /// End in the input, in milliseconds.
    #[serde(deserialize_with = "whole_number")]
    pub end_time: u64,
}

/// A chunk of spoken audio.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, expecting = "an object")]
pub struct MediaChunk {
    /// Language.
    #[serde(deserialize_with = "or_default")]
    pub language: String,
    /// Audio, divided into packets, pages or clusters.
    #[serde(deserialize_with = "blobs")]
    pub data: Vec<Vec<u8>>,
    /// Duration in milliseconds.
    #[serde(deserialize_with = "whole_number")]
    pub duration: u64,
    /// Content type. Set only in the first message of a language.
    #[serde(deserialize_with = "or_default")]
    pub content_type: Option<String>,
    /// Number of elements at the start of `data` that initialise a decoder. Set only in the first message of a language.
    #[serde(deserialize_with = "whole_number")]
    pub headers: u64,
    /// Spoken text. Set only in the first message of a segment.
    #[serde(deserialize_with = "or_default")]
    pub text: Option<String>,
}

/// The end of a transcript or of spoken audio in one language.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, expecting = "an object")]
pub struct LanguageEnd {
    /// Language.
    #[serde(deserialize_with = "or_default")]
    pub language: String,
}

/// The reason why the session failed.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, expecting = "an object")]
pub struct VoiceStreamError {
    /// Name of the message that caused the error.
    #[serde(deserialize_with = "or_default")]
    pub request_type: String,
    /// Error code, similar to an HTTP status.
    #[serde(deserialize_with = "whole_number")]
    pub error_code: u64,
    /// Code of the exact reason.
    #[serde(deserialize_with = "whole_number")]
    pub reason_code: u64,
    /// Text from the service.
    #[serde(deserialize_with = "or_default")]
    pub error_message: String,
}

/// Decodes a text message.
pub fn decode_text(text: &str) -> Result<VoiceMessage, String> {
    serde_json::from_str(text).map_err(|e| e.to_string())
}

/// Decodes a binary message.
pub fn decode_binary(bytes: &[u8]) -> Result<VoiceMessage, String> {
    rmp_serde::from_slice(bytes).map_err(|e| e.to_string())
}

impl<'de> Deserialize<'de> for VoiceMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(VoiceMessageVisitor)
    }
}

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
            // Of several members, the first with a known name counts.
            if matches!(message, VoiceMessage::Unknown(_)) {
                message = read;
            }
        }
        Ok(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn encodes_json() {
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
    fn encodes_messagepack_as_maps_with_string_keys_and_bin() {
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
    fn decodes_both_encodings_alike() {
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
    fn decodes_spoken_audio_and_unknown_messages() {
        let message = decode_text(
            r#"{"target_media_chunk":{"language":"de","content_type":"audio/opus","headers":1,
                "data":["AQI=","/w=="],"duration":3200,"text":null}}"#,
        );
        let Ok(VoiceMessage::TargetMedia(media)) = message else { unreachable!("{message:?}") };
        assert_eq!((media.headers, media.duration, media.text), (1, 3200, None));
        assert_eq!(media.data, [vec![1, 2], vec![255]]);
        assert_eq!(decode_text(r#"{"news":1}"#), Ok(VoiceMessage::Unknown("news".into())));
    }

    #[test]
    fn accepts_fractions_negatives_and_missing_members() {
        let message =
            decode_text(r#"{"source_transcript_update":{"concluded":[{"text":"a","start_time":-3,"end_time":9.7}]}}"#);
        let Ok(VoiceMessage::SourceTranscript(update)) = message else { unreachable!("{message:?}") };
        assert_eq!((update.concluded[0].start_time, update.concluded[0].end_time), (0, 9));
        assert!(update.tentative.is_empty());
        assert!(decode_text("[]").is_err());
        assert!(decode_binary(&[0xc1]).is_err());
    }
}
