//! Ogg: computes the playing time of each page from the position in its header.

use super::{ElementReader, big_endian, playing_time};

#[derive(Debug)]
pub(super) struct OggReader {
    /// Serial number of the measured stream.
    serial: Option<[u8; 4]>,
    /// Positions per second.
    rate: u64,
    position: u64,
}

impl Default for OggReader {
    fn default() -> Self {
        Self { serial: None, rate: 48_000, position: 0 }
    }
}

impl ElementReader for OggReader {
    fn read_element(&mut self, rest: &[u8]) -> Option<(u64, u64)> {
        if !rest.starts_with(b"OggS") {
            return if b"OggS".starts_with(rest) { None } else { Some((1, 0)) };
        }
        let header = 27 + usize::from(*rest.get(26)?);
        let size = header + rest.get(27..header)?.iter().map(|&n| usize::from(n)).sum::<usize>();
        let serial = rest.get(14..18)?.try_into().ok()?;
        let mut time = 0;
        if rest.get(5)? & 2 != 0 {
            // The first page of a stream is short and contains the sample rate.
            let body = rest.get(header..size)?;
            let is_flac = body.starts_with(b"\x7FFLAC");
            if is_flac {
                self.rate = body.get(27..30).map_or(48_000, big_endian) >> 4;
            }
            if self.serial.is_none() || is_flac || body.starts_with(b"OpusHead") {
                (self.serial, self.position) = (Some(serial), 0);
            }
        } else if self.serial == Some(serial) {
            let reached = u64::from_le_bytes(rest.get(6..14)?.try_into().ok()?);
            // The maximum value means that no packet ends on this page.
            if reached != u64::MAX {
                time = playing_time(reached.saturating_sub(self.position), self.rate);
                self.position = reached;
            }
        }
        Some((size as u64, time))
    }
}

#[cfg(test)]
mod tests {
    use super::super::AudioMeter;

    #[test]
    fn playing_time_is_spread_evenly_over_a_page() {
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
            let mut meter = AudioMeter::new("audio/ogg").unwrap();
            let times: Vec<u64> = file.chunks(step).map(|bytes| meter.add(bytes).unwrap()).collect();
            assert_eq!(times.iter().sum::<u64>(), 1_500_000, "{step}");
            assert!(step != 100 || times.iter().all(|time| *time <= 250_000), "{times:?}");
        }
    }
}
