//! Raw samples of the tone, and their A-law and µ-law codes.

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
