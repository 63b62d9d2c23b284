//! FLAC: the tone in verbatim frames.

use super::pcm::tone;

/// `fLaC` and the stream information.
pub fn header(samples: u32, rate: u32) -> Vec<u8> {
    [b"fLaC".to_vec(), info(samples, rate, true)].concat()
}

/// The stream information block with its header: one channel, 16 bit, unknown length.
pub fn info(samples: u32, rate: u32, last: bool) -> Vec<u8> {
    let block = u16::try_from(samples).unwrap_or(u16::MAX).to_be_bytes();
    let mut bytes = vec![if last { 0x80 } else { 0 }, 0, 0, 34];
    bytes.extend(block);
    bytes.extend(block);
    bytes.extend([0; 6]);
    let packed = u64::from(rate) << 44 | 15 << 36;
    bytes.extend(packed.to_be_bytes());
    bytes.extend([0; 16]);
    bytes
}

/// A frame.
pub fn frame(number: u64, samples: u32, rate: u32) -> Vec<u8> {
    // Fixed block size; 16 bit block size at the end of the header, 24 kHz, one channel, 16 bit.
    let mut bytes = vec![0xFF, 0xF8, 0x77, 0x08];
    coded(&mut bytes, number);
    bytes.extend(u16::try_from(samples - 1).unwrap_or(u16::MAX).to_be_bytes());
    bytes.push(crc8(&bytes));
    bytes.push(0x02);
    let first = number * u64::from(samples);
    bytes.extend((first..first + u64::from(samples)).flat_map(|at| tone(at, rate).to_be_bytes()));
    let crc = crc16(&bytes);
    bytes.extend(crc.to_be_bytes());
    bytes
}

/// A number as UTF-8 codes characters, to 36 bits.
fn coded(bytes: &mut Vec<u8>, number: u64) {
    let low = |shift: u32| u8::try_from(number >> shift & 0x3F).unwrap_or(0) | 0x80;
    let bits = u64::BITS - number.leading_zeros();
    if bits <= 7 {
        bytes.push(u8::try_from(number).unwrap_or(0));
        return;
    }
    let more = (bits - 2) / 5;
    let lead = u8::try_from(number >> (6 * more)).unwrap_or(0) | !(0xFF_u8 >> (more + 1));
    bytes.push(lead);
    bytes.extend((0..more).rev().map(|n| low(6 * n)));
}

fn crc8(bytes: &[u8]) -> u8 {
    bytes
        .iter()
        .fold(0, |crc, byte| (0..8).fold(crc ^ byte, |crc, _| if crc & 0x80 != 0 { crc << 1 ^ 0x07 } else { crc << 1 }))
}

fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| if crc & 0x8000 != 0 { crc << 1 ^ 0x8005 } else { crc << 1 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_numbers_like_characters() {
        for character in ['\0', '\x7F', '\u{80}', '\u{7FF}', '\u{800}', '\u{FFFD}', '\u{1F600}'] {
            let mut bytes = Vec::new();
            coded(&mut bytes, u64::from(u32::from(character)));
            assert_eq!(bytes, character.to_string().into_bytes());
        }
    }

    #[test]
    fn checks_like_the_catalogue() {
        assert_eq!(crc8(b"123456789"), 0xF4);
        assert_eq!(crc16(b"123456789"), 0xFEE8);
    }
}
