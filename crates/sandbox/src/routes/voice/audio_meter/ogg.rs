//! Ogg: the position in the header of a page tells how long the page plays, evenly over its bytes.

use super::{number, playing_time};

/// Bytes of the fixed part of a page header.
const FIXED_BYTES: usize = 27;

/// Measures Ogg pages.
#[derive(Debug)]
pub(super) struct OggMeter {
    /// Bytes of an incomplete header, or of an incomplete first page.
    rest: Vec<u8>,
    /// The stream that is measured.
    serial: Option<[u8; 4]>,
    /// Positions per second.
    rate: u64,
    position: u64,
    /// Bytes of the current page that have not come yet, and their playing time.
    page: (usize, u64),
}

impl Default for OggMeter {
    fn default() -> Self {
        Self { rest: Vec::new(), serial: None, rate: 48_000, position: 0, page: (0, 0) }
    }
}

impl OggMeter {
    /// Adds bytes and returns their playing time in microseconds.
    pub(super) fn add(&mut self, bytes: &[u8]) -> u64 {
        self.rest.extend_from_slice(bytes);
        let rest = std::mem::take(&mut self.rest);
        let (mut at, mut micros) = (0, 0);
        while let Some(rest) = rest.get(at..).filter(|rest| !rest.is_empty()) {
            let (left, time) = self.page;
            if left > 0 {
                let n = left.min(rest.len());
                let part = time * n as u64 / left as u64;
                self.page = (left - n, time - part);
                (at, micros) = (at + n, micros + part);
            } else if rest.starts_with(b"OggS") {
                let Some(header) = self.start_page(rest) else { break };
                at += header;
            } else if b"OggS".starts_with(rest) {
                break;
            } else {
                at += 1;
            }
        }
        self.rest = rest.get(at..).unwrap_or_default().to_vec();
        micros
    }

    /// Reads the header of a page and returns its length, or `None` if it is incomplete.
    fn start_page(&mut self, rest: &[u8]) -> Option<usize> {
        let table = rest.get(FIXED_BYTES..FIXED_BYTES + usize::from(*rest.get(26)?))?;
        let (header, size) = (FIXED_BYTES + table.len(), table.iter().map(|&n| usize::from(n)).sum());
        let serial: [u8; 4] = rest.get(14..18)?.try_into().ok()?;
        let is_first = rest.get(5)? & 2 != 0;
        let mut time = 0;
        if is_first {
            // The rate is in the page, which is short.
            let body = rest.get(header..header + size)?;
            if body.starts_with(b"\x7FFLAC") {
                self.rate = body.get(27..30).map_or(48_000, number) >> 4;
            }
            if self.serial.is_none() || body.starts_with(b"\x7FFLAC") || body.starts_with(b"OpusHead") {
                (self.serial, self.position) = (Some(serial), 0);
            }
        } else if self.serial == Some(serial) {
            let reached = rest.get(6..14)?.iter().rev().fold(0, |n, &byte| n << 8 | u64::from(byte));
            // The maximum means that no packet ends on the page.
            if reached != u64::MAX {
                time = playing_time(reached.saturating_sub(self.position), self.rate);
                self.position = reached;
            }
        }
        self.page = (size, time);
        Some(header)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_plays_evenly_over_its_bytes() {
        let page = |flags: u8, position: u64, body: &[u8]| {
            let mut page = [b"OggS\0".as_slice(), &[flags], &position.to_le_bytes(), &[7; 12], &[4]].concat();
            page.extend([u8::try_from(body.len() / 4).unwrap(); 4]);
            [page, body.to_vec()].concat()
        };
        let mut file = page(2, 0, b"OpusHead\x01\x01\0\0\x80\xBB\0\0\0\0\0\0");
        file.extend(page(0, 48_000, &[1; 400]));
        file.extend(page(0, u64::MAX, &[1; 40]));
        file.extend(page(4, 72_000, &[1; 400]));
        for step in [1, 100, 10_000] {
            let mut meter = OggMeter::default();
            let times: Vec<u64> = file.chunks(step).map(|bytes| meter.add(bytes)).collect();
            assert_eq!(times.iter().sum::<u64>(), 1_500_000, "{step}");
            assert!(step != 100 || times.iter().all(|time| *time <= 250_000), "{times:?}");
        }
    }
}
