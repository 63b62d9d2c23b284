//! The sandbox's voice: a steady tone, encoded as real audio in every content type of the service.
//!
//! Input: a content type and a duration. Output: header and data blocks for `target_media_chunk` messages. Opus and AAC
//! packets are a recorded tone, FLAC and PCM are computed; each container has a writer of its own. See docs/service.md,
//! "Voice".

mod codec;
mod flac;
mod mpeg_ts;
mod ogg;
mod webm;

use self::ogg::OggWriter;
use codec::SpeechCodec;
use mpeg_ts::MpegTsWriter;
use webm::WebmWriter;

/// The container around the encoded packets.
enum SpeechContainer {
    /// None: the packets are sent as they are.
    Raw,
    Ogg(OggWriter),
    /// WebM or Matroska.
    Webm(WebmWriter),
    MpegTs(MpegTsWriter),
}

/// Encodes speech in one content type.
pub struct SpeechEncoder {
    codec: SpeechCodec,
    container: SpeechContainer,
    /// Packets encoded so far.
    packets: u64,
}

/// The audio of one spoken segment.
pub struct EncodedSpeech {
    /// Whether this is the first audio of the stream.
    pub is_first: bool,
    /// Blocks that initialise a decoder; only the first audio has them.
    pub headers: Vec<Vec<u8>>,
    /// Packets, pages or clusters.
    pub data: Vec<Vec<u8>>,
    /// Playing time in milliseconds.
    pub duration_ms: u64,
}

impl SpeechEncoder {
    /// Returns an encoder for a normalised content type, or `None` if the type is unknown.
    pub fn new(content_type: &str) -> Option<Self> {
        let ogg = || SpeechContainer::Ogg(OggWriter::new());
        let webm = |doc_type| SpeechContainer::Webm(WebmWriter::new(doc_type));
        let mpeg_ts = |codec| SpeechContainer::MpegTs(MpegTsWriter::new(codec));
        let (container, codec) = match content_type {
            "audio/flac" => (SpeechContainer::Raw, SpeechCodec::Flac),
            "video/mp2t;codecs=aac" => (mpeg_ts(SpeechCodec::Aac), SpeechCodec::Aac),
            "video/mp2t;codecs=opus" => (mpeg_ts(SpeechCodec::Opus), SpeechCodec::Opus),
            "audio/ogg" | "audio/ogg;codecs=opus" => (ogg(), SpeechCodec::Opus),
            "audio/ogg;codecs=flac" => (ogg(), SpeechCodec::Flac),
            "audio/opus" => (SpeechContainer::Raw, SpeechCodec::Opus),
            "audio/pcm;encoding=alaw;rate=8000" => (SpeechContainer::Raw, SpeechCodec::Alaw(8000)),
            "audio/pcm;encoding=ulaw;rate=8000" => (SpeechContainer::Raw, SpeechCodec::Ulaw(8000)),
            "audio/pcm;encoding=s16le;rate=16000" => (SpeechContainer::Raw, SpeechCodec::S16le(16_000)),
            "audio/pcm;encoding=s16le;rate=24000" => (SpeechContainer::Raw, SpeechCodec::S16le(24_000)),
            "audio/webm" | "audio/webm;codecs=opus" => (webm("webm"), SpeechCodec::Opus),
            "audio/x-matroska;codecs=aac" => (webm("matroska"), SpeechCodec::Aac),
            "audio/x-matroska;codecs=flac" => (webm("matroska"), SpeechCodec::Flac),
            "audio/x-matroska;codecs=opus" => (webm("matroska"), SpeechCodec::Opus),
            _ => return None,
        };
        Some(Self { codec, container, packets: 0 })
    }

    /// Returns an encoder for a whole file, which also knows Matroska with PCM. Opus without a container is put into Ogg.
    pub fn for_file(content_type: &str) -> Option<Self> {
        let pcm = |rate| {
            let container = SpeechContainer::Webm(WebmWriter::new("matroska"));
            Some(Self { codec: SpeechCodec::S16le(rate), container, packets: 0 })
        };
        match content_type {
            "audio/opus" => Self::new("audio/ogg;codecs=opus"),
            "audio/x-matroska;codecs=pcm_s16le;rate=16000" => pcm(16_000),
            "audio/x-matroska;codecs=pcm_s16le;rate=24000" => pcm(24_000),
            other => Self::new(other),
        }
    }

    /// Encodes about `ms` milliseconds of speech, in whole packets.
    pub fn encode(&mut self, ms: u64) -> EncodedSpeech {
        let (rate, samples) = (u64::from(self.codec.rate()), u64::from(self.codec.packet_samples()));
        let is_first = self.packets == 0;
        let headers = if is_first { self.headers() } else { Vec::new() };
        let count = (ms * rate / 1000).div_ceil(samples).max(1);
        let first = self.packets;
        let packets: Vec<_> = (first..first + count).map(|number| self.codec.packet(number)).collect();
        self.packets += count;
        let data = match &mut self.container {
            SpeechContainer::Raw => packets,
            SpeechContainer::Ogg(writer) => writer.pages(packets, first, samples),
            SpeechContainer::Webm(writer) => {
                vec![writer.cluster(&packets, first * samples * 1000 / rate, samples * 1000, rate)]
            }
            SpeechContainer::MpegTs(writer) => vec![writer.packets(&packets, first, samples, rate)],
        };
        EncodedSpeech { is_first, headers, data, duration_ms: count * samples * 1000 / rate }
    }

    /// Returns the blocks that end the container; empty if it needs none.
    pub fn finish(&mut self) -> Vec<Vec<u8>> {
        match &mut self.container {
            SpeechContainer::Ogg(writer) => writer.finish().into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn headers(&mut self) -> Vec<Vec<u8>> {
        let (codec, samples, rate) = (self.codec, self.codec.packet_samples(), self.codec.rate());
        match (&mut self.container, codec) {
            (SpeechContainer::Raw, SpeechCodec::Opus) => vec![codec::OPUS_HEAD.to_vec(), ogg::opus_tags()],
            (SpeechContainer::Raw, SpeechCodec::Flac) => vec![flac::header(samples, rate)],
            (SpeechContainer::Raw | SpeechContainer::MpegTs(_), _) => Vec::new(),
            (SpeechContainer::Ogg(writer), SpeechCodec::Flac) => writer.flac_headers(samples, rate),
            (SpeechContainer::Ogg(writer), _) => writer.opus_headers(),
            (SpeechContainer::Webm(writer), codec) => vec![writer.header(codec)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The 16 content types of the service, and the first bytes of each.
    const CONTENT_TYPES: [(&str, &[u8]); 16] = [
        ("audio/flac", b"fLaC"),
        ("video/mp2t;codecs=aac", b"\x47\x40\x00"),
        ("video/mp2t;codecs=opus", b"\x47\x40\x00"),
        ("audio/ogg", b"OggS"),
        ("audio/ogg;codecs=opus", b"OggS"),
        ("audio/ogg;codecs=flac", b"OggS"),
        ("audio/opus", b"OpusHead"),
        ("audio/pcm;encoding=alaw;rate=8000", b""),
        ("audio/pcm;encoding=ulaw;rate=8000", b""),
        ("audio/pcm;encoding=s16le;rate=16000", b""),
        ("audio/pcm;encoding=s16le;rate=24000", b""),
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
            assert!((500..=530).contains(&first.duration_ms), "{content_type}");
            assert!((1000..=1030).contains(&second.duration_ms), "{content_type}");
            let bytes: Vec<u8> = [first.headers, first.data, second.data, encoder.finish()].concat().concat();
            assert!(bytes.starts_with(start), "{content_type}");
            // Set the variable to keep the files, so that other programs can play them.
            if let Some(dir) = std::env::var_os("TULK_TEST_SOUND_DIR") {
                let name = content_type.replace(['/', ';', '='], "_");
                std::fs::write(std::path::Path::new(&dir).join(name), bytes).unwrap();
            }
        }
        assert!(SpeechEncoder::new("audio/wav").is_none());
    }
}
