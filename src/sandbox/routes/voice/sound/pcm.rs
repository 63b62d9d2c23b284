//! Raw samples of the tone: 16 bit, A-law, µ-law.

use super::Codec;

/// A sample of the tone at a place in it.
pub fn tone(at: u64, rate: u32) -> i16 {
    // 450 Hz repeats every 20 ms at every rate here, so the place within 20 ms is enough.
    let period = u64::from(rate / 50);
    let angle = to_f64(at % period) / to_f64(period) * 9.0 * std::f64::consts::TAU;
    // Within 30 percent of the range of 16 bits.
    #[expect(clippy::cast_possible_truncation, reason = "the amplitude is far below the range")]
    let sample = (angle.sin() * 9000.0) as i16;
    sample
}

fn to_f64(n: u64) -> f64 {
    u32::try_from(n).map_or(0.0, f64::from)
}

/// The samples of a packet.
pub fn packet(codec: Codec, number: u64) -> Vec<u8> {
    let count = u64::from(codec.samples());
    let samples = (number * count..(number + 1) * count).map(|at| tone(at, codec.rate()));
    match codec {
        Codec::Alaw(_) => samples.map(alaw).collect(),
        Codec::Ulaw(_) => samples.map(ulaw).collect(),
        _ => samples.flat_map(i16::to_le_bytes).collect(),
    }
}

/// G.711 A-law.
fn alaw(sample: i16) -> u8 {
    let sign = if sample < 0 { 0 } else { 0x80 };
    let magnitude = (if sample < 0 { !sample } else { sample }).unsigned_abs() >> 3;
    let exponent = magnitude.checked_ilog2().map_or(0, |bit| bit.saturating_sub(4));
    let mantissa = if exponent == 0 { magnitude >> 1 } else { magnitude >> exponent };
    let code = u8::try_from(exponent << 4).unwrap_or(0x70) | u8::try_from(mantissa & 0x0F).unwrap_or(0);
    (sign | code) ^ 0x55
}

/// G.711 µ-law.
fn ulaw(sample: i16) -> u8 {
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
    fn writes_the_known_values_of_the_telephone_laws() {
        assert_eq!([alaw(0), alaw(-1), alaw(32_767), alaw(-32_768)], [0xD5, 0x55, 0xAA, 0x2A]);
        assert_eq!([alaw(256), alaw(512), alaw(1024)], [0xC5, 0xF5, 0xE5]);
        assert_eq!([ulaw(0), ulaw(32_767), ulaw(-32_768)], [0xFF, 0x80, 0x00]);
    }

    #[test]
    fn the_tone_goes_on_over_packets() {
        assert_eq!(tone(0, 16_000), tone(320, 16_000));
        assert_eq!(packet(Codec::S16le(16_000), 3).len(), 640);
        assert_eq!(packet(Codec::Alaw(8000), 0).len(), 160);
    }
}
