//! Codecs of the sandbox's speech: their sample rates, and one packet of the tone at a time.

use super::{flac, pcm};

/// A tone of 450 Hz in Opus: 20 ms per packet, 48 kHz, one channel. Two bytes with its length precede each packet.
const OPUS: &[u8] = include_bytes!("tone.opus");
/// A tone in AAC-LC: 1024 samples per packet, 24 kHz, one channel. Two bytes with its length precede each packet.
const AAC: &[u8] = include_bytes!("tone.aac");
/// The header that initialises an Opus decoder: one channel, 312 samples to skip, 48 kHz.
pub(super) const OPUS_HEAD: &[u8] = b"OpusHead\x01\x01\x38\x01\x80\xBB\0\0\0\0\0";
/// The configuration that initialises an AAC decoder: LC, 24 kHz, one channel.
pub(super) const AAC_CONFIG: &[u8] = &[0x13, 0x08];

/// A codec; PCM variants carry their sample rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpeechCodec {
    Opus,
    Aac,
    Flac,
    Alaw(u32),
    Ulaw(u32),
    S16le(u32),
}

impl SpeechCodec {
    /// Returns the samples per second, in the codec's own clock.
    pub(super) const fn rate(self) -> u32 {
        match self {
            Self::Opus => 48_000,
            Self::Aac | Self::Flac => 24_000,
            Self::Alaw(rate) | Self::Ulaw(rate) | Self::S16le(rate) => rate,
        }
    }

    /// Returns the samples per packet.
    pub(super) const fn packet_samples(self) -> u32 {
        match self {
            Self::Aac => 1024,
            other => other.rate() / 50,
        }
    }

    /// Returns the packet with the given number, counted from 0.
    pub(super) fn packet(self, number: u64) -> Vec<u8> {
        let count = u64::from(self.packet_samples());
        let samples = (number * count..(number + 1) * count).map(|at| pcm::tone(at, self.rate()));
        match self {
            Self::Opus => recorded(OPUS, number),
            Self::Aac => recorded(AAC, number),
            Self::Flac => flac::frame(number, self.packet_samples(), self.rate()),
            Self::Alaw(_) => samples.map(pcm::alaw).collect(),
            Self::Ulaw(_) => samples.map(pcm::ulaw).collect(),
            Self::S16le(_) => samples.flat_map(i16::to_le_bytes).collect(),
        }
    }
}

/// Returns a recorded packet; the recording repeats.
fn recorded(recording: &[u8], number: u64) -> Vec<u8> {
    let mut packets = Vec::new();
    let mut rest = recording;
    while let [high, low, after @ ..] = rest {
        let size = usize::from(u16::from_be_bytes([*high, *low]));
        let Some((packet, next)) = after.split_at_checked(size) else { break };
        packets.push(packet);
        rest = next;
    }
    let at = usize::try_from(number % packets.len().max(1) as u64).unwrap_or(0);
    packets.get(at).map(|packet| packet.to_vec()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_packets_repeat() {
        assert_eq!(recorded(OPUS, 0).len(), 80);
        assert_eq!(recorded(OPUS, 10), recorded(OPUS, 0));
        assert!(recorded(AAC, 7).len() > 100);
    }

    #[test]
    fn pcm_packets_last_20_ms() {
        assert_eq!(SpeechCodec::S16le(16_000).packet(3).len(), 640);
        assert_eq!(SpeechCodec::Alaw(8000).packet(0).len(), 160);
    }
}
