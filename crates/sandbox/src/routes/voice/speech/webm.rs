//! WebM and Matroska, written as a stream: the segment is marked as having an unknown size.

use super::codec::{AAC_CONFIG, OPUS_HEAD, SpeechCodec};
use super::flac;

/// Writes one WebM or Matroska stream.
pub(super) struct WebmWriter {
    doc_type: &'static str,
}

/// Returns an element: its ID, its size, its content.
fn element(id: &[u8], content: &[u8]) -> Vec<u8> {
    let size = (content.len() as u64).to_be_bytes();
    // A size field of eight bytes, marked by the lowest bit of the first.
    [id, &[0x01], size.get(1..).unwrap_or_default(), content].concat()
}

/// Returns an element that contains a number.
fn number(id: &[u8], value: u64) -> Vec<u8> {
    element(id, &value.to_be_bytes())
}

const SEGMENT: &[u8] = &[0x18, 0x53, 0x80, 0x67];
const UNKNOWN_SIZE: &[u8] = &[0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];

impl WebmWriter {
    /// Returns a writer for the document type `webm` or `matroska`.
    pub(super) fn new(doc_type: &'static str) -> Self {
        Self { doc_type }
    }

    /// Returns everything that precedes the clusters.
    pub(super) fn header(&self, codec: SpeechCodec) -> Vec<u8> {
        let ebml = [
            number(&[0x42, 0x86], 1),
            number(&[0x42, 0xF7], 1),
            number(&[0x42, 0xF2], 4),
            number(&[0x42, 0xF3], 8),
            element(&[0x42, 0x82], self.doc_type.as_bytes()),
            number(&[0x42, 0x87], 4),
            number(&[0x42, 0x85], 2),
        ]
        .concat();
        // One tick is a millisecond.
        let info = [
            number(&[0x2A, 0xD7, 0xB1], 1_000_000),
            element(&[0x4D, 0x80], b"sandbox"),
            element(&[0x57, 0x41], b"sandbox"),
        ]
        .concat();
        let (name, private) = match codec {
            SpeechCodec::Aac => ("A_AAC", AAC_CONFIG.to_vec()),
            SpeechCodec::Flac => ("A_FLAC", flac::header(codec.packet_samples(), codec.rate())),
            SpeechCodec::S16le(_) => ("A_PCM/INT/LIT", Vec::new()),
            _ => ("A_OPUS", OPUS_HEAD.to_vec()),
        };
        let bits = if private.is_empty() { number(&[0x62, 0x64], 16) } else { Vec::new() };
        let private = if private.is_empty() { private } else { element(&[0x63, 0xA2], &private) };
        let audio = [element(&[0xB5], &f64::from(codec.rate()).to_be_bytes()), number(&[0x9F], 1), bits].concat();
        let track = [
            number(&[0xD7], 1),
            number(&[0x73, 0xC5], 1),
            number(&[0x83], 2),
            element(&[0x86], name.as_bytes()),
            private,
            element(&[0xE1], &audio),
        ]
        .concat();
        [
            element(&[0x1A, 0x45, 0xDF, 0xA3], &ebml),
            [SEGMENT, UNKNOWN_SIZE].concat(),
            element(&[0x15, 0x49, 0xA9, 0x66], &info),
            element(&[0x16, 0x54, 0xAE, 0x6B], &element(&[0xAE], &track)),
        ]
        .concat()
    }

    /// Returns a cluster of packets that starts at `ms` milliseconds; each packet lasts `step / rate` milliseconds.
    #[expect(clippy::unused_self, reason = "every container writes through its writer")]
    pub(super) fn cluster(&mut self, packets: &[Vec<u8>], ms: u64, step: u64, rate: u64) -> Vec<u8> {
        let mut content = number(&[0xE7], ms);
        for (n, packet) in packets.iter().enumerate() {
            let offset = i16::try_from(n as u64 * step / rate).unwrap_or(i16::MAX).to_be_bytes();
            let block = [&[0x81], offset.as_slice(), &[0x80], packet].concat();
            content.extend(element(&[0xA3], &block));
        }
        element(&[0x1F, 0x43, 0xB6, 0x75], &content)
    }
}
