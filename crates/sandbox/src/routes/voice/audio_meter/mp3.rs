//! MP3: each frame header gives the size and the playing time of its frame.

use super::ElementReader;

#[derive(Debug)]
pub(super) struct Mp3Reader;

const SAMPLE_RATES: [u64; 3] = [44_100, 48_000, 32_000];
/// In kbit/s.
const BIT_RATES_VERSION_1: [u64; 15] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
/// Bit rates of MPEG versions 2 and 2.5 in kbit/s.
const BIT_RATES_VERSION_2: [u64; 15] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

impl ElementReader for Mp3Reader {
    fn read_element(&mut self, rest: &[u8]) -> Option<(u64, u64)> {
        let &[sync, version, rates, _] = rest.first_chunk()?;
        let (table, samples, divide) = match version >> 3 & 3 {
            3 => (&BIT_RATES_VERSION_1, 1152, 1),
            2 => (&BIT_RATES_VERSION_2, 576, 2),
            _ => (&BIT_RATES_VERSION_2, 576, 4),
        };
        let rate = SAMPLE_RATES.get(usize::from(rates >> 2 & 3)).map(|rate| rate / divide);
        let bits = table.get(usize::from(rates >> 4)).copied().filter(|bits| *bits > 0);
        match (rate, bits) {
            (Some(rate), Some(bits)) if sync == 0xFF && version & 0xE6 == 0xE2 => {
                let size = samples * bits * 125 / rate + u64::from(rates >> 1 & 1);
                Some((size, samples * 1_000_000 / rate))
            }
            _ => Some((1, 0)),
        }
    }
}
