//! MP3: each frame header tells how long the frame is and how long it plays.

/// Measures MP3 frames.
#[derive(Debug, Default)]
pub(super) struct Mp3Meter {
    /// Bytes of an incomplete frame.
    rest: Vec<u8>,
}

impl Mp3Meter {
    /// Adds bytes and returns their playing time in microseconds.
    pub(super) fn add(&mut self, bytes: &[u8]) -> u64 {
        self.rest.extend_from_slice(bytes);
        take_frames(&mut self.rest)
    }
}

/// Removes the complete frames from `rest` and returns their playing time in microseconds.
fn take_frames(rest: &mut Vec<u8>) -> u64 {
    const RATES: [u64; 3] = [44_100, 48_000, 32_000];
    /// Bit rates of MPEG version 1 in kbit/s.
    const VERSION_1: [u64; 15] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
    /// Bit rates of MPEG versions 2 and 2.5 in kbit/s.
    const VERSION_2: [u64; 15] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
    let (mut at, mut micros) = (0, 0);
    while let Some(&[sync, version, rates, _]) = rest.get(at..at + 4) {
        let table = if version >> 3 & 3 == 3 { &VERSION_1 } else { &VERSION_2 };
        let divide = [4, 1, 2, 1].get(usize::from(version >> 3 & 3)).copied().unwrap_or(1);
        let rate = RATES.get(usize::from(rates >> 2 & 3)).map(|rate| rate / divide);
        let bits = table.get(usize::from(rates >> 4)).copied().filter(|bits| *bits > 0);
        let (true, Some(rate), Some(bits)) = (sync == 0xFF && version & 0xE6 == 0xE2, rate, bits) else {
            at += 1;
            continue;
        };
        let samples: u64 = if divide == 1 { 1152 } else { 576 };
        let size = usize::try_from(samples * bits * 125 / rate + u64::from(rates >> 1 & 1)).unwrap_or(usize::MAX);
        if rest.len() - at < size {
            break;
        }
        micros += samples * 1_000_000 / rate;
        at += size;
    }
    rest.drain(..at.min(rest.len()));
    micros
}
