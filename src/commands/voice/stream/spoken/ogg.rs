//! Ogg pages around bare Opus packets, so that a player takes them.

/// Samples a second of Opus positions.
const RATE: u64 = 48_000;

/// The pages of one file.
#[derive(Default)]
pub struct Pages {
    serial: u32,
    count: u32,
    position: u64,
}

impl Pages {
    /// The first two pages, from the header packets that came; what is missing is made.
    pub fn headers(&mut self, packets: &[Vec<u8>]) -> Vec<u8> {
        self.serial = fastrand::u32(..);
        let own_head = b"OpusHead\x01\x01\0\0\x80\xBB\0\0\0\0\0".to_vec();
        let own_tags = b"OpusTags\x04\0\0\0tulk\0\0\0\0".to_vec();
        let find = |name: &[u8]| packets.iter().find(|packet| packet.starts_with(name)).cloned();
        let mut pages = self.page(2, &find(b"OpusHead").unwrap_or(own_head));
        pages.extend(self.page(0, &find(b"OpusTags").unwrap_or(own_tags)));
        pages
    }

    /// A page with one packet.
    pub fn packet(&mut self, packet: &[u8]) -> Vec<u8> {
        self.position += samples(packet);
        self.page(0, packet)
    }

    /// The page that ends the file.
    pub fn last(&mut self) -> Vec<u8> {
        self.page(4, &[])
    }

    fn page(&mut self, flags: u8, packet: &[u8]) -> Vec<u8> {
        let mut page = b"OggS\0".to_vec();
        page.push(flags);
        page.extend(self.position.to_le_bytes());
        page.extend(self.serial.to_le_bytes());
        page.extend(self.count.to_le_bytes());
        page.extend([0; 4]);
        // A page ends a packet of 65,024 bytes at most; Opus has none larger than 1275 a frame.
        let whole = (packet.len() / 255).min(254);
        page.push(u8::try_from(whole + 1).unwrap_or(u8::MAX));
        page.extend(vec![255; whole]);
        page.push(u8::try_from(packet.len() - whole * 255).unwrap_or(u8::MAX));
        page.extend(packet);
        self.count += 1;
        let crc = page.iter().fold(0u32, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte) << 24, |crc, _| {
                if crc & 0x8000_0000 != 0 { crc << 1 ^ 0x04C1_1DB7 } else { crc << 1 }
            })
        });
        if let Some(place) = page.get_mut(22..26) {
            place.copy_from_slice(&crc.to_le_bytes());
        }
        page
    }
}

/// Samples that a packet plays, by its first bytes.
fn samples(packet: &[u8]) -> u64 {
    let Some(&toc) = packet.first() else { return 0 };
    let config = u64::from(toc >> 3);
    let frame = match config {
        0..=11 => [RATE / 100, RATE / 50, RATE / 25, RATE * 3 / 50],
        12..=15 => [RATE / 100, RATE / 50, RATE / 100, RATE / 50],
        _ => [RATE / 400, RATE / 200, RATE / 100, RATE / 50],
    };
    let frame = frame.get(usize::from(toc >> 3 & 3)).copied().unwrap_or(0);
    let frames = match toc & 3 {
        0 => 1,
        1 | 2 => 2,
        _ => packet.get(1).map_or(0, |count| u64::from(count & 0x3F)),
    };
    frame * frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_the_samples_of_packets() {
        assert_eq!(samples(&[0xF8, 0xFF, 0xFE]), 960, "20 ms of CELT");
        assert_eq!(samples(&[0x00]), 480);
        assert_eq!(samples(&[0x19]), 2880 * 2, "two frames of 60 ms");
        assert_eq!(samples(&[0xFB, 3]), 2880, "three of 20 ms");
        assert_eq!(samples(&[]), 0);
    }

    #[test]
    fn a_player_finds_its_headers() {
        let mut pages = Pages::default();
        let bytes = pages.headers(&[]);
        assert_eq!(bytes.get(28..36), Some(b"OpusHead".as_slice()));
        assert_eq!(memchr::memmem::find_iter(&bytes, b"OggS").count(), 2);
        assert_eq!(pages.packet(&[0xF8; 300])[6], 0xC0, "position 960");
    }
}
