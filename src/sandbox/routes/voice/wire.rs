//! Messages as they travel: JSON in text frames, `MessagePack` maps in binary frames. Spec: "Voice", framing.

use axum::extract::ws::Message;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::Serialize;
use serde_bytes::ByteBuf;
use serde_json::Value;

/// How the messages of a session are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Framing {
    #[default]
    Json,
    Msgpack,
}

/// What a client says.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    Chunk(Vec<u8>),
    End,
}

/// Why a frame is no message.
#[derive(Debug, PartialEq, Eq)]
pub enum Fault {
    /// The other kind of frame: the connection breaks.
    WrongFrame,
    /// A message that cannot be read: its name, and what is wrong.
    Bad(String, String),
}

/// Text or bytes.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Data {
    Base64(String),
    Raw(ByteBuf),
}

impl Framing {
    /// Reads a frame of the client.
    pub fn read(self, message: &Message) -> Result<Heard, Fault> {
        match (self, message) {
            (Self::Json, Message::Text(text)) => json(text.as_str()),
            (Self::Msgpack, Message::Binary(bytes)) => msgpack(bytes),
            _ => Err(Fault::WrongFrame),
        }
    }

    /// Writes a message.
    pub fn write(self, name: &str, body: impl Serialize) -> Option<Message> {
        let map = std::collections::BTreeMap::from([(name, body)]);
        match self {
            Self::Json => serde_json::to_string(&map).ok().map(|text| Message::Text(text.into())),
            Self::Msgpack => rmp_serde::to_vec_named(&map).ok().map(|bytes| Message::Binary(bytes.into())),
        }
    }

    /// Bytes as this framing carries them.
    pub fn data(self, bytes: Vec<u8>) -> Data {
        match self {
            Self::Json => Data::Base64(STANDARD.encode(bytes)),
            Self::Msgpack => Data::Raw(ByteBuf::from(bytes)),
        }
    }
}

fn json(text: &str) -> Result<Heard, Fault> {
    let bad = |name: &str, what: String| Fault::Bad(name.to_owned(), what);
    let value: Value = serde_json::from_str(text).map_err(|e| bad("unknown", format!("malformed JSON: {e}")))?;
    let Some((name, body)) = value.as_object().filter(|o| o.len() == 1).and_then(|o| o.iter().next()) else {
        return Err(bad("unknown", "a message is an object with exactly one key".to_owned()));
    };
    match name.as_str() {
        "source_media_chunk" => {
            let data = body.get("data").and_then(Value::as_str);
            let data = data.ok_or_else(|| bad(name, "data is missing or no text".to_owned()))?;
            STANDARD.decode(data).map(Heard::Chunk).map_err(|e| bad(name, format!("data is no base64: {e}")))
        }
        "end_of_source_media" if body.is_object() => Ok(Heard::End),
        "end_of_source_media" => Err(bad(name, "the body is no object".to_owned())),
        _ => Err(bad(name, "unknown message".to_owned())),
    }
}

#[derive(Deserialize)]
struct Chunk {
    data: ByteBuf,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Packed {
    source_media_chunk: Option<Chunk>,
    end_of_source_media: Option<serde_json::Map<String, serde_json::Value>>,
}

fn msgpack(bytes: &[u8]) -> Result<Heard, Fault> {
    let bad = |what: String| Fault::Bad("unknown".to_owned(), what);
    // Serde would take an array for a struct; the wire wants maps with string keys.
    let is_map = |at: usize| bytes.get(at).is_some_and(|b| b & 0xF0 == 0x80 || matches!(b, 0xDE | 0xDF));
    if !is_map(0) || bytes.first() != Some(&0x81) {
        return Err(bad("a message is a map with exactly one key".to_owned()));
    }
    let name_len = bytes.get(1).filter(|b| **b & 0xE0 == 0xA0).map(|b| usize::from(b & 0x1F));
    if name_len.is_none_or(|n| !is_map(2 + n)) {
        return Err(bad("the body is no map".to_owned()));
    }
    let packed: Packed = rmp_serde::from_slice(bytes).map_err(|e| bad(e.to_string()))?;
    match (packed.source_media_chunk, packed.end_of_source_media) {
        (Some(chunk), None) => Ok(Heard::Chunk(chunk.data.into_vec())),
        (None, Some(_)) => Ok(Heard::End),
        _ => Err(bad("unknown message".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_each_framing_and_no_other() {
        let text = Message::Text(r#"{"source_media_chunk":{"data":"AQI="}}"#.into());
        assert_eq!(Framing::Json.read(&text), Ok(Heard::Chunk(vec![1, 2])));
        assert_eq!(Framing::Msgpack.read(&text), Err(Fault::WrongFrame));
        let packed = rmp_serde::to_vec_named(&serde_json::json!({"end_of_source_media": {}})).unwrap();
        assert_eq!(Framing::Msgpack.read(&Message::Binary(packed.clone().into())), Ok(Heard::End));
        assert_eq!(Framing::Json.read(&Message::Binary(packed.into())), Err(Fault::WrongFrame));
    }

    #[test]
    fn refuses_arrays_in_place_of_maps() {
        // ["source_media_chunk" => [bin]]
        let mut bytes = vec![0x81, 0xB2];
        bytes.extend(b"source_media_chunk");
        bytes.extend([0x91, 0xC4, 1, 7]);
        assert!(matches!(Framing::Msgpack.read(&Message::Binary(bytes.into())), Err(Fault::Bad(..))));
    }

    #[test]
    fn refuses_what_is_no_message() {
        for text in ["{}", "[]", "x", r#"{"source_media_chunk":{"data":"*"}}"#, r#"{"news":{}}"#, r#"{"a":1,"b":2}"#] {
            let read = Framing::Json.read(&Message::Text(text.into()));
            assert!(matches!(read, Err(Fault::Bad(..))), "{text}");
        }
    }
}
