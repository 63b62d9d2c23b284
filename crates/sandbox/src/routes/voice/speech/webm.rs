//! Writes WebM and Matroska as a stream: the segment has an unknown size.

use std::borrow::Cow;

use super::{OPUS_HEAD, SpeechCodec};

/// Returns an element: ID, size, content.
fn element(id: &[u8], content: &[u8]) -> Vec<u8> {
    let size = (content.len() as u64).to_be_bytes();
    // The first byte, 0x01, announces a size field of eight bytes.
    [id, &[0x01], size.get(1..).unwrap_or_default(), content].concat()
}

fn number_element(id: &[u8], value: u64) -> Vec<u8> {
    element(id, &value.to_be_bytes())
}

/// Returns everything before the clusters. `doc_type` is `webm` or `matroska`.
pub(super) fn header(doc_type: &str, codec: SpeechCodec) -> Vec<u8> {
    let ebml = [
        number_element(&[0x42, 0x86], 1),
        number_element(&[0x42, 0xF7], 1),
        number_element(&[0x42, 0xF2], 4),
        number_element(&[0x42, 0xF3], 8),
        element(&[0x42, 0x82], doc_type.as_bytes()),
        number_element(&[0x42, 0x87], 4),
        number_element(&[0x42, 0x85], 2),
    ];
    // One tick is a millisecond.
    let info = [
        number_element(&[0x2A, 0xD7, 0xB1], 1_000_000),
        element(&[0x4D, 0x80], b"sandbox"),
        element(&[0x57, 0x41], b"sandbox"),
    ];
    let (name, rate, details) = match codec {
        SpeechCodec::Opus => ("A_OPUS", 48_000, element(&[0x63, 0xA2], OPUS_HEAD)),
        SpeechCodec::Pcm(rate, _) => ("A_PCM/INT/LIT", rate, Vec::new()),
    };
    let bits = if details.is_empty() { number_element(&[0x62, 0x64], 16) } else { Vec::new() };
    let audio = [element(&[0xB5], &f64::from(rate).to_be_bytes()), number_element(&[0x9F], 1), bits];
    let track = [
        number_element(&[0xD7], 1),
        number_element(&[0x73, 0xC5], 1),
        number_element(&[0x83], 2),
        element(&[0x86], name.as_bytes()),
        details,
        element(&[0xE1], &audio.concat()),
    ];
    let segment = b"\x18\x53\x80\x67\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF";
    [
        element(&[0x1A, 0x45, 0xDF, 0xA3], &ebml.concat()),
        segment.to_vec(),
        element(&[0x15, 0x49, 0xA9, 0x66], &info.concat()),
        element(&[0x16, 0x54, 0xAE, 0x6B], &element(&[0xAE], &track.concat())),
    ]
    .concat()
}

/// Returns a cluster of packets that starts at `ms` milliseconds.
pub(super) fn cluster(packets: &[Cow<[u8]>], ms: u64) -> Vec<u8> {
    let mut content = number_element(&[0xE7], ms);
    for (offset, packet) in (0_i32..).step_by(20).zip(packets) {
        let offset = i16::try_from(offset).unwrap_or(i16::MAX).to_be_bytes();
        content.extend(element(&[0xA3], &[&[0x81], offset.as_slice(), &[0x80], packet].concat()));
    }
    element(&[0x1F, 0x43, 0xB6, 0x75], &content)
}
