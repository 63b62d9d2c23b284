//! Codecs of the sandbox's speech: their sample rates, one packet of the tone at a time, and the samples of the tone with their
//! A-law and µ-law codes.

use super::flac;

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
        let samples = (number * count..(number + 1) * count).map(|at| tone(at, self.rate()));
        match self {
            Self::Opus => recorded(OPUS, number),
            Self::Aac => recorded(AAC, number),
            Self::Flac => flac::frame(number, self.packet_samples(), self.rate()),
            Self::Alaw(_) => samples.map(alaw).collect(),
            Self::Ulaw(_) => samples.map(ulaw).collect(),
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

/// Returns sample `at` of the tone, counted from its start.
pub(super) fn tone(at: u64, rate: u32) -> i16 {
    // 450 Hz repeats every 20 ms at every rate used here, so the position within 20 ms is enough.
    let period = u64::from(rate / 50);
    let angle = to_f64(at % period) / to_f64(period) * 9.0 * std::f64::consts::TAU;
    #[expect(clippy::cast_possible_truncation, reason = "the amplitude is 30 percent of the range")]
    let sample = (angle.sin() * 9000.0) as i16;
    sample
}

fn to_f64(n: u64) -> f64 {
    u32::try_from(n).map_or(0.0, f64::from)
}

/// Encodes a sample with G.711 A-law.
pub(super) fn alaw(sample: i16) -> u8 {
    let sign = if sample < 0 { 0 } else { 0x80 };
    let magnitude = (if sample < 0 { !sample } else { sample }).unsigned_abs() >> 3;
    let exponent = magnitude.checked_ilog2().map_or(0, |bit| bit.saturating_sub(4));
    let mantissa = if exponent == 0 { magnitude >> 1 } else { magnitude >> exponent };
    let code = u8::try_from(exponent << 4).unwrap_or(0x70) | u8::try_from(mantissa & 0x0F).unwrap_or(0);
    (sign | code) ^ 0x55
}

/// Encodes a sample with G.711 µ-law.
pub(super) fn ulaw(sample: i16) -> u8 {
    let sign = if sample < 0 { 0x80 } else { 0 };
    let magnitude = sample.unsigned_abs().min(32_635) + 132;
    let exponent = magnitude.ilog2().saturating_sub(7);
    let mantissa = u8::try_from(magnitude >> (exponent + 3) & 0x0F).unwrap_or(0);
    !(sign | u8::try_from(exponent << 4).unwrap_or(0x70) | mantissa)
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

    #[test]
    fn g711_codes_match_the_published_values() {
        assert_eq!([alaw(0), alaw(-1), alaw(32_767), alaw(-32_768)], [0xD5, 0x55, 0xAA, 0x2A]);
        assert_eq!([alaw(256), alaw(512), alaw(1024)], [0xC5, 0xF5, 0xE5]);
        assert_eq!([ulaw(0), ulaw(32_767), ulaw(-32_768)], [0xFF, 0x80, 0x00]);
    }

    #[test]
    fn the_tone_continues_across_packets() {
        assert_eq!(tone(0, 16_000), tone(320, 16_000));
    }
}
