//! Ogg pages for Opus and FLAC.

use super::{OPUS_HEAD, flac};

/// Packets on a page.
const PACKETS: usize = 25;

/// Writes the pages of one stream.
pub struct Writer {
    serial: u32,
    page: u32,
}

impl Default for Writer {
    fn default() -> Self {
        Self { serial: fastrand::u32(..), page: 0 }
    }
}

/// The second packet of Opus.
pub fn opus_tags() -> Vec<u8> {
    let mut tags = b"OpusTags".to_vec();
    tags.extend(vendor());
    tags
}

fn vendor() -> Vec<u8> {
    [7u32.to_le_bytes().as_slice(), b"sandbox", &[0; 4]].concat()
}

impl Writer {
    /// The two pages before any Opus.
    pub fn opus_headers(&mut self) -> Vec<Vec<u8>> {
        vec![self.write(2, 0, &[OPUS_HEAD.to_vec()]), self.write(0, 0, &[opus_tags()])]
    }

    /// The two pages before any FLAC.
    pub fn flac_headers(&mut self, samples: u32, rate: u32) -> Vec<Vec<u8>> {
        let mut first = b"\x7FFLAC\x01\0\0\x01fLaC".to_vec();
        first.extend(flac::info(samples, rate, false));
        let comment = vendor();
        let size = u8::try_from(comment.len()).unwrap_or(0);
        let second = [[0x84, 0, 0, size].as_slice(), &comment].concat();
        vec![self.write(2, 0, &[first]), self.write(0, 0, &[second])]
    }

    /// Pages of packets; `before` packets went before them.
    pub fn pages(&mut self, packets: &[Vec<u8>], before: u64, samples: u64) -> Vec<Vec<u8>> {
        // A FLAC frame of this tone fills four segments, an Opus packet one.
        let per_page = if packets.first().is_some_and(|p| p.len() > 255) { PACKETS / 5 } else { PACKETS };
        let mut done = before;
        let mut pages = Vec::new();
        for some in packets.chunks(per_page) {
            done += some.len() as u64;
            pages.push(self.write(0, done * samples, some));
        }
        pages
    }

    /// The page that ends the stream; it holds nothing.
    pub fn last(&mut self, position: u64) -> Vec<u8> {
        self.write(4, position, &[])
    }

    fn write(&mut self, flags: u8, position: u64, packets: &[Vec<u8>]) -> Vec<u8> {
        let mut table = Vec::new();
        for packet in packets {
            table.extend(vec![255; packet.len() / 255]);
            table.push(u8::try_from(packet.len() % 255).unwrap_or(0));
        }
        let mut page = b"OggS\0".to_vec();
        page.push(flags);
        page.extend(position.to_le_bytes());
        page.extend(self.serial.to_le_bytes());
        page.extend(self.page.to_le_bytes());
        page.extend([0; 4]);
        page.push(u8::try_from(table.len()).unwrap_or(u8::MAX));
        page.extend(table);
        page.extend(packets.concat());
        self.page += 1;
        let crc = crc32(&page);
        if let Some(place) = page.get_mut(22..26) {
            place.copy_from_slice(&crc.to_le_bytes());
        }
        page
    }
}

/// The checksum of pages, and of the tables of a transport stream when it starts with ones.
pub fn crc32_from(start: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(start, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte) << 24, |crc, _| {
            if crc & 0x8000_0000 != 0 { crc << 1 ^ 0x04C1_1DB7 } else { crc << 1 }
        })
    })
}

fn crc32(bytes: &[u8]) -> u32 {
    crc32_from(0, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_like_the_catalogue() {
        assert_eq!(crc32_from(u32::MAX, b"123456789"), 0x0376_E6E7);
    }

    #[test]
    fn counts_pages_and_positions() {
        let mut writer = Writer::default();
        let pages = writer.pages(&vec![vec![1; 80]; 30], 10, 960);
        let position = |page: &[u8]| page[6];
        assert_eq!(pages.len(), 2);
        assert_eq!(
            pages.iter().map(|p| u64::from_le_bytes(p[6..14].try_into().unwrap())).collect::<Vec<_>>(),
            [33_600, 38_400]
        );
        assert_eq!((position(&pages[0]), pages[1][18]), (0x40, 1));
    }
}
