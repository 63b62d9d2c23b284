//! The sandbox's speech, in every content type of the service. Opus contains a recorded tone; the other codecs and MPEG
//! transport streams contain silence.
//!
//! Input: a content type and a duration. Output: header and data blocks for `target_media_chunk` messages. Opus and PCM
//! last as long as the spoken segment; FLAC, AAC and MPEG transport streams are recordings, which are sent once. See
//! docs/service.md, "Voice".

mod webm;

use std::borrow::Cow;

use ogg::{PacketWriteEndInfo, PacketWriter};

/// A 450 Hz tone in Opus: ten packets of 20 ms, mono.
const TONE: &[u8] = include_bytes!("tone.opus");
const TONE_PACKET_BYTES: usize = 80;
/// Header that initialises an Opus decoder: mono, 312 samples to skip, 48 kHz.
const OPUS_HEAD: &[u8] = b"OpusHead\x01\x01\x38\x01\x80\xBB\0\0\0\0\0";
/// Second Opus header: the name of the program, and no comments.
const OPUS_TAGS: &[u8] = b"OpusTags\x07\0\0\0sandbox\0\0\0\0";
const PACKET_MS: u64 = 20;
const OPUS_PACKET_SAMPLES: u64 = 960;
const PAGE_PACKETS: usize = 25;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SpeechCodec {
    Opus,
    /// Samples per second, and one sample of silence.
    Pcm(u32, &'static [u8]),
}

enum SpeechContainer {
    /// No container: packets are sent unchanged.
    Raw,
    /// Ogg, with the serial number of the stream.
    Ogg(PacketWriter<'static, Vec<u8>>, u32),
    /// WebM or Matroska, with the document type for the header.
    Webm(&'static str),
    /// A short recording of silence, container included.
    Recorded(&'static [u8]),
}

use SpeechCodec::{Opus, Pcm};
use SpeechContainer::{Ogg, Raw, Recorded, Webm};

pub struct SpeechEncoder {
    codec: SpeechCodec,
    container: SpeechContainer,
    packets: u64,
}

pub struct EncodedSpeech {
    pub is_first: bool,
    /// Blocks that initialise a decoder; empty except in the first audio.
    pub headers: Vec<Vec<u8>>,
    /// Packets, pages or clusters.
    pub data: Vec<Vec<u8>>,
    pub duration_ms: u64,
}

impl SpeechEncoder {
    /// Creates an encoder for a normalised content type. Returns `None` if the type is unknown.
    pub fn new(content_type: &str) -> Option<Self> {
        let (container, codec) = match content_type {
            "audio/flac" => (Recorded(include_bytes!("silence.flac")), Opus),
            "audio/ogg;codecs=flac" => (Recorded(include_bytes!("silence-flac.ogg")), Opus),
            "audio/x-matroska;codecs=aac" => (Recorded(include_bytes!("silence-aac.mka")), Opus),
            "audio/x-matroska;codecs=flac" => (Recorded(include_bytes!("silence-flac.mka")), Opus),
            "video/mp2t;codecs=aac" => (Recorded(include_bytes!("silence-aac.mp2t")), Opus),
            "video/mp2t;codecs=opus" => (Recorded(include_bytes!("silence-opus.mp2t")), Opus),
            "audio/ogg" | "audio/ogg;codecs=opus" => (Ogg(PacketWriter::new(Vec::new()), fastrand::u32(..)), Opus),
            "audio/opus" => (Raw, Opus),
            "audio/pcm;encoding=alaw;rate=8000" => (Raw, Pcm(8000, b"\xD5")),
            "audio/pcm;encoding=ulaw;rate=8000" => (Raw, Pcm(8000, b"\xFF")),
            "audio/pcm;encoding=s16le;rate=16000" => (Raw, Pcm(16_000, b"\0\0")),
            "audio/pcm;encoding=s16le;rate=24000" => (Raw, Pcm(24_000, b"\0\0")),
            "audio/webm" | "audio/webm;codecs=opus" => (Webm("webm"), Opus),
            "audio/x-matroska;codecs=opus" => (Webm("matroska"), Opus),
            _ => return None,
        };
        Some(Self { codec, container, packets: 0 })
    }

    /// Creates an encoder for a complete file. Also supports PCM in Matroska. Bare Opus is put into Ogg.
    pub fn for_file(content_type: &str) -> Option<Self> {
        let pcm = |rate| Some(Self { codec: Pcm(rate, b"\0\0"), container: Webm("matroska"), packets: 0 });
        match content_type {
            "audio/opus" => Self::new("audio/ogg;codecs=opus"),
            "audio/x-matroska;codecs=pcm_s16le;rate=16000" => pcm(16_000),
            "audio/x-matroska;codecs=pcm_s16le;rate=24000" => pcm(24_000),
            other => Self::new(other),
        }
    }

    /// Encodes about `ms` milliseconds of speech, in complete packets.
    pub fn encode(&mut self, ms: u64) -> EncodedSpeech {
        let is_first = self.packets == 0;
        let headers = if is_first { self.headers() } else { Vec::new() };
        let count = ms.div_ceil(PACKET_MS).max(1);
        let data = self.encode_packets(count, PacketWriteEndInfo::EndPage);
        EncodedSpeech { is_first, headers, data, duration_ms: count * PACKET_MS }
    }

    /// Returns the blocks that end the container; empty if it needs none.
    pub fn finish(&mut self) -> Vec<Vec<u8>> {
        match self.container {
            Ogg(..) if self.packets > 0 => self.encode_packets(1, PacketWriteEndInfo::EndStream),
            _ => Vec::new(),
        }
    }

    fn headers(&mut self) -> Vec<Vec<u8>> {
        match (&mut self.container, self.codec) {
            (Raw, Opus) => vec![OPUS_HEAD.to_vec(), OPUS_TAGS.to_vec()],
            (Raw | Recorded(_), _) => Vec::new(),
            (Ogg(writer, serial), _) => {
                let page =
                    |packet: &'static [u8]| ogg_page(writer, *serial, PacketWriteEndInfo::EndPage, [(packet, 0)]);
                [OPUS_HEAD, OPUS_TAGS].map(page).into()
            }
            (Webm(doc_type), codec) => vec![webm::header(doc_type, codec)],
        }
    }

    /// Encodes the next `count` packets; `end` tells Ogg how to end the page.
    fn encode_packets(&mut self, count: u64, end: PacketWriteEndInfo) -> Vec<Vec<u8>> {
        let first = self.packets;
        self.packets += count;
        let packets: Vec<_> = (first..self.packets).map(|number| self.codec.packet(number)).collect();
        match &mut self.container {
            Raw => packets.into_iter().map(Cow::into_owned).collect(),
            Recorded(file) if first == 0 => vec![file.to_vec()],
            Recorded(_) => Vec::new(),
            Webm(_) => vec![webm::cluster(&packets, first * PACKET_MS)],
            Ogg(writer, serial) => {
                let packets: Vec<_> = packets.into_iter().zip((first + 1..).map(|n| n * OPUS_PACKET_SAMPLES)).collect();
                let pages = packets.chunks(PAGE_PACKETS);
                pages.map(|packets| ogg_page(writer, *serial, end, packets.iter().cloned())).collect()
            }
        }
    }
}

impl SpeechCodec {
    /// Returns the packet with the given number, counted from 0. The tone repeats.
    fn packet(self, number: u64) -> Cow<'static, [u8]> {
        match self {
            Opus => {
                let mut packets = TONE.chunks_exact(TONE_PACKET_BYTES);
                let at = usize::try_from(number % packets.len() as u64).unwrap_or(0);
                packets.nth(at).unwrap_or_default().into()
            }
            Pcm(rate, silence) => silence.repeat(usize::try_from(rate / 50).unwrap_or(0)).into(),
        }
    }
}

/// Returns an Ogg page of packets with their positions.
fn ogg_page<P: Into<Cow<'static, [u8]>>>(
    writer: &mut PacketWriter<'static, Vec<u8>>,
    serial: u32,
    end: PacketWriteEndInfo,
    packets: impl IntoIterator<Item = (P, u64), IntoIter: ExactSizeIterator>,
) -> Vec<u8> {
    let mut packets = packets.into_iter();
    while let Some((packet, position)) = packets.next() {
        let info = if packets.len() == 0 { end } else { PacketWriteEndInfo::NormalPacket };
        // Writing to a `Vec` cannot fail.
        let _ = writer.write_packet(packet, serial, info, position);
    }
    std::mem::take(writer.inner_mut())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The 16 content types of the service, with the first bytes of each.
    const CONTENT_TYPES: [(&str, &[u8]); 16] = [
        ("audio/flac", b"fLaC"),
        ("video/mp2t;codecs=aac", b"\x47\x40"),
        ("video/mp2t;codecs=opus", b"\x47\x40"),
        ("audio/ogg", b"OggS"),
        ("audio/ogg;codecs=opus", b"OggS"),
        ("audio/ogg;codecs=flac", b"OggS"),
        ("audio/opus", b"OpusHead"),
        ("audio/pcm;encoding=alaw;rate=8000", b"\xD5"),
        ("audio/pcm;encoding=ulaw;rate=8000", b"\xFF"),
        ("audio/pcm;encoding=s16le;rate=16000", b"\0"),
        ("audio/pcm;encoding=s16le;rate=24000", b"\0"),
        ("audio/webm", b"\x1A\x45\xDF\xA3"),
        ("audio/webm;codecs=opus", b"\x1A\x45\xDF\xA3"),
        ("audio/x-matroska;codecs=aac", b"\x1A\x45\xDF\xA3"),
        ("audio/x-matroska;codecs=flac", b"\x1A\x45\xDF\xA3"),
        ("audio/x-matroska;codecs=opus", b"\x1A\x45\xDF\xA3"),
    ];

    #[test]
    fn encodes_speech_in_every_content_type() {
        for (content_type, start) in CONTENT_TYPES {
            let mut encoder = SpeechEncoder::new(content_type).unwrap();
            let first = encoder.encode(500);
            let second = encoder.encode(1000);
            assert!(first.is_first && !second.is_first, "{content_type}");
            assert!(second.headers.is_empty(), "{content_type}");
            assert_eq!((first.duration_ms, second.duration_ms), (500, 1000), "{content_type}");
            let bytes: Vec<u8> = [first.headers, first.data, second.data, encoder.finish()].concat().concat();
            assert!(bytes.starts_with(start), "{content_type}");
            // If the variable is set, keep the files to play them in other programs.
            if let Some(dir) = std::env::var_os("TULK_TEST_SOUND_DIR") {
                let name = content_type.replace(['/', ';', '='], "_");
                std::fs::write(std::path::Path::new(&dir).join(name), bytes).unwrap();
            }
        }
        assert!(SpeechEncoder::new("audio/wav").is_none());
    }

    #[test]
    fn ogg_pages_read_back_with_their_positions() {
        let mut encoder = SpeechEncoder::new("audio/ogg").unwrap();
        let (first, second) = (encoder.encode(600), encoder.encode(60));
        let pages = [first.headers, first.data, second.data, encoder.finish()].concat();
        assert_eq!(pages.len(), 6);
        assert!(pages.iter().all(|page| page.starts_with(b"OggS")));
        let mut reader = ogg::PacketReader::new(std::io::Cursor::new(pages.concat()));
        let mut packets = Vec::new();
        while let Some(packet) = reader.read_packet().unwrap() {
            packets.push(packet);
        }
        assert_eq!(packets.len(), 36);
        let page_ends: Vec<_> =
            packets.iter().filter(|packet| packet.last_in_page()).map(ogg::Packet::absgp_page).collect();
        assert_eq!(page_ends, [0, 0, 24_000, 28_800, 31_680, 32_640]);
        let last = packets.last().unwrap();
        assert!(packets.first().unwrap().first_in_stream() && last.last_in_stream());
        assert!(
            SpeechEncoder::new("audio/ogg").unwrap().finish().is_empty(),
            "a stream without packets has no last page"
        );
    }
}
