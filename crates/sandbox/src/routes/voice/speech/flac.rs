//! FLAC: the tone in verbatim frames.

use crc::{CRC_8_SMBUS, CRC_16_UMTS, Crc};

use super::codec::tone;

/// The checksum of frame headers.
static CRC_8: Crc<u8> = Crc::<u8>::new(&CRC_8_SMBUS);
/// The checksum of frames.
static CRC_16: Crc<u16> = Crc::<u16>::new(&CRC_16_UMTS);

/// Returns `fLaC` and the stream information block.
pub(super) fn header(samples: u32, rate: u32) -> Vec<u8> {
    [b"fLaC".to_vec(), stream_info(samples, rate, true)].concat()
}

/// Returns the stream information block with its header: one channel, 16 bits, unknown length.
pub(super) fn stream_info(samples: u32, rate: u32, is_last: bool) -> Vec<u8> {
    let block = u16::try_from(samples).unwrap_or(u16::MAX).to_be_bytes();
    let mut bytes = vec![if is_last { 0x80 } else { 0 }, 0, 0, 34];
    bytes.extend(block);
    bytes.extend(block);
    bytes.extend([0; 6]);
    let packed = u64::from(rate) << 44 | 15 << 36;
    bytes.extend(packed.to_be_bytes());
    bytes.extend([0; 16]);
    bytes
}

/// Returns the frame with the given number.
pub(super) fn frame(number: u64, samples: u32, rate: u32) -> Vec<u8> {
    // Fixed block size, given in 16 bits at the end of the header; 24 kHz, one channel, 16 bits.
    let mut bytes = vec![0xFF, 0xF8, 0x77, 0x08];
    push_frame_number(&mut bytes, number);
    bytes.extend(u16::try_from(samples - 1).unwrap_or(u16::MAX).to_be_bytes());
    bytes.push(CRC_8.checksum(&bytes));
    bytes.push(0x02);
    let first = number * u64::from(samples);
    bytes.extend((first..first + u64::from(samples)).flat_map(|at| tone(at, rate).to_be_bytes()));
    bytes.extend(CRC_16.checksum(&bytes).to_be_bytes());
    bytes
}

/// Appends a number in the encoding that UTF-8 uses for characters, extended to 36 bits.
fn push_frame_number(bytes: &mut Vec<u8>, number: u64) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_numbers_are_encoded_like_utf8_characters() {
        for character in ['\0', '\x7F', '\u{80}', '\u{7FF}', '\u{800}', '\u{FFFD}', '\u{1F600}'] {
            let mut bytes = Vec::new();
            push_frame_number(&mut bytes, u64::from(u32::from(character)));
            assert_eq!(bytes, character.to_string().into_bytes());
        }
    }

    #[test]
    fn checksums_use_the_polynomials_of_flac() {
        assert_eq!(CRC_8.checksum(b"123456789"), 0xF4);
        assert_eq!(CRC_16.checksum(b"123456789"), 0xFEE8);
    }
}
