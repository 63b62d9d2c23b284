//! The two encodings of voice messages: JSON in text frames, and MessagePack maps in binary frames. See docs/service.md, "Voice".

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::Serialize;
use serde_bytes::ByteBuf;
use serde_json::Value;
use tokio_tungstenite::tungstenite::Message;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageFraming {
    /// JSON in text frames, with audio in base64.
    #[default]
    Json,
    /// MessagePack in binary frames, with audio as bytes.
    Msgpack,
}

#[derive(Debug, PartialEq, Eq)]
pub enum ClientMessage {
    /// A `source_media_chunk` with its audio.
    Chunk(Vec<u8>),
    End,
}

#[derive(Debug, PartialEq, Eq)]
pub enum FrameError {
    /// A text frame instead of a binary one, or the reverse. The connection is closed.
    WrongKind,
    /// A malformed or unknown message.
    BadMessage {
        /// Name of the message, or `unknown`.
        name: String,
        reason: String,
    },
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum AudioData {
    Base64(String),
    /// For MessagePack.
    Bytes(ByteBuf),
}

impl MessageFraming {
    pub fn decode(self, message: &Message) -> Result<ClientMessage, FrameError> {
        match (self, message) {
            (Self::Json, Message::Text(text)) => decode_json(text.as_str()),
            (Self::Msgpack, Message::Binary(bytes)) => decode_msgpack(bytes),
            _ => Err(FrameError::WrongKind),
        }
    }

    /// Returns `None` if the body cannot be serialised.
    pub fn encode(self, name: &str, body: impl Serialize) -> Option<Message> {
        let map = std::collections::BTreeMap::from([(name, body)]);
        match self {
            Self::Json => serde_json::to_string(&map).ok().map(|text| Message::Text(text.into())),
            Self::Msgpack => rmp_serde::to_vec_named(&map).ok().map(|bytes| Message::Binary(bytes.into())),
        }
    }

    pub fn encode_audio(self, bytes: Vec<u8>) -> AudioData {
        match self {
            Self::Json => AudioData::Base64(STANDARD.encode(bytes)),
            Self::Msgpack => AudioData::Bytes(ByteBuf::from(bytes)),
        }
    }
}

fn decode_json(text: &str) -> Result<ClientMessage, FrameError> {
    let bad = |name: &str, reason: String| FrameError::BadMessage { name: name.to_owned(), reason };
    let value: Value = serde_json::from_str(text).map_err(|e| bad("unknown", format!("malformed JSON: {e}")))?;
    let Some((name, body)) = value.as_object().filter(|o| o.len() == 1).and_then(|o| o.iter().next()) else {
        return Err(bad("unknown", "a message is an object with exactly one key".to_owned()));
    };
    match name.as_str() {
        "source_media_chunk" => {
            let data = body.get("data").and_then(Value::as_str);
            let data = data.ok_or_else(|| bad(name, "data is missing or not a string".to_owned()))?;
            STANDARD
                .decode(data)
                .map(ClientMessage::Chunk)
                .map_err(|e| bad(name, format!("data is not valid base64: {e}")))
        }
        "end_of_source_media" if body.is_object() => Ok(ClientMessage::End),
        "end_of_source_media" => Err(bad(name, "the body is not an object".to_owned())),
        _ => Err(bad(name, "unknown message".to_owned())),
    }
}

/// The body of a `source_media_chunk` in MessagePack.
#[derive(Deserialize)]
struct PackedChunk {
    data: ByteBuf,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PackedMessage {
    source_media_chunk: Option<PackedChunk>,
    end_of_source_media: Option<serde_json::Map<String, serde_json::Value>>,
}

fn decode_msgpack(bytes: &[u8]) -> Result<ClientMessage, FrameError> {
    let bad = |reason: String| FrameError::BadMessage { name: "unknown".to_owned(), reason };
    // Serde also accepts an array for a struct, but the service requires maps with string keys.
    let is_map = |at: usize| bytes.get(at).is_some_and(|b| b & 0xF0 == 0x80 || matches!(b, 0xDE | 0xDF));
    if !is_map(0) || bytes.first() != Some(&0x81) {
        return Err(bad("a message is a map with exactly one key".to_owned()));
    }
    let name_len = bytes.get(1).filter(|b| **b & 0xE0 == 0xA0).map(|b| usize::from(b & 0x1F));
    if name_len.is_none_or(|n| !is_map(2 + n)) {
        return Err(bad("the body is not a map".to_owned()));
    }
    let packed: PackedMessage = rmp_serde::from_slice(bytes).map_err(|e| bad(e.to_string()))?;
    match (packed.source_media_chunk, packed.end_of_source_media) {
        (Some(chunk), None) => Ok(ClientMessage::Chunk(chunk.data.into_vec())),
        (None, Some(_)) => Ok(ClientMessage::End),
        _ => Err(bad("unknown message".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_framing_accepts_its_own_frames_only() {
        let text = Message::Text(r#"{"source_media_chunk":{"data":"AQI="}}"#.into());
        assert_eq!(MessageFraming::Json.decode(&text), Ok(ClientMessage::Chunk(vec![1, 2])));
        assert_eq!(MessageFraming::Msgpack.decode(&text), Err(FrameError::WrongKind));
        let packed = rmp_serde::to_vec_named(&serde_json::json!({"end_of_source_media": {}})).unwrap();
        assert_eq!(MessageFraming::Msgpack.decode(&Message::Binary(packed.clone().into())), Ok(ClientMessage::End));
        assert_eq!(MessageFraming::Json.decode(&Message::Binary(packed.into())), Err(FrameError::WrongKind));
    }

    #[test]
    fn refuses_an_array_instead_of_a_map() {
        // The body is an array: {"source_media_chunk": [BYTES]}.
        let mut bytes = vec![0x81, 0xB2];
        bytes.extend(b"source_media_chunk");
        bytes.extend([0x91, 0xC4, 1, 7]);
        assert!(matches!(
            MessageFraming::Msgpack.decode(&Message::Binary(bytes.into())),
            Err(FrameError::BadMessage { .. })
        ));
    }

    #[test]
    fn refuses_malformed_messages() {
        for text in ["{}", "[]", "x", r#"{"source_media_chunk":{"data":"*"}}"#, r#"{"news":{}}"#, r#"{"a":1,"b":2}"#] {
            let decoded = MessageFraming::Json.decode(&Message::Text(text.into()));
            assert!(matches!(decoded, Err(FrameError::BadMessage { .. })), "{text}");
        }
    }
}
