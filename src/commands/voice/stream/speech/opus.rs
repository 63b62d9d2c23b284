//! Wraps bare Opus packets in Ogg pages, which players expect.

use std::borrow::Cow;
use std::io;

use ogg::{PacketWriteEndInfo, PacketWriter};

/// Samples per second in Ogg Opus positions.
const RATE: u64 = 48_000;

/// Writes one Ogg stream, with one packet per page so that a player reading a pipe need not wait.
pub struct OggOpusWriter {
    writer: PacketWriter<'static, Vec<u8>>,
    serial: u32,
    /// The last packet. It is held until it is known whether another one follows.
    pending: Option<Vec<u8>>,
    /// End of the last packet, in samples.
    position: u64,
}

impl Default for OggOpusWriter {
    fn default() -> Self {
        Self { writer: PacketWriter::new(Vec::new()), serial: fastrand::u32(..), pending: None, position: 0 }
    }
}

impl OggOpusWriter {
    /// Returns the two header pages, from the service's header packets or from defaults.
    pub fn headers(&mut self, packets: &[Vec<u8>]) -> io::Result<Vec<u8>> {
        let default_head = b"OpusHead\x01\x01\0\0\x80\xBB\0\0\0\0\0";
        let default_tags = b"OpusTags\x04\0\0\0tulk\0\0\0\0";
        let find = |name: &[u8]| packets.iter().find(|packet| packet.starts_with(name)).cloned();
        let head = find(b"OpusHead").map_or(Cow::Borrowed(default_head.as_slice()), Cow::Owned);
        let tags = find(b"OpusTags").map_or(Cow::Borrowed(default_tags.as_slice()), Cow::Owned);
        for packet in [head, tags] {
            self.writer.write_packet(packet.into_owned(), self.serial, PacketWriteEndInfo::EndPage, 0)?;
        }
        Ok(self.take_pages())
    }

    /// Adds a packet and returns the page of the previous one. Skips an empty packet, which has no audio.
    pub fn packet(&mut self, packet: &[u8]) -> io::Result<Vec<u8>> {
        if packet.is_empty() {
            return Ok(Vec::new());
        }
        self.write_pending(PacketWriteEndInfo::EndPage)?;
        self.position += sample_count(packet);
        self.pending = Some(packet.to_vec());
        Ok(self.take_pages())
    }

    /// Returns the last page, or nothing if there was no packet.
    pub fn finish(mut self) -> io::Result<Vec<u8>> {
        self.write_pending(PacketWriteEndInfo::EndStream)?;
        Ok(self.take_pages())
    }

    fn write_pending(&mut self, end: PacketWriteEndInfo) -> io::Result<()> {
        match self.pending.take() {
            Some(packet) => self.writer.write_packet(packet, self.serial, end, self.position),
            None => Ok(()),
        }
    }

    fn take_pages(&mut self) -> Vec<u8> {
        std::mem::take(self.writer.inner_mut())
    }
}

/// Returns the playing time of a packet in samples, from its first bytes.
fn sample_count(packet: &[u8]) -> u64 {
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
    use ogg::PacketReader;

    use super::*;

    #[test]
    fn counts_the_samples_of_packets() {
        assert_eq!(sample_count(&[0xF8, 0xFF, 0xFE]), 960, "20 ms of CELT");
        assert_eq!(sample_count(&[0x00]), 480);
        assert_eq!(sample_count(&[0x19]), 2880 * 2, "two frames of 60 ms");
        assert_eq!(sample_count(&[0xFB, 3]), 2880, "three of 20 ms");
        assert_eq!(sample_count(&[]), 0);
    }

    #[test]
    fn a_reader_finds_headers_packets_and_the_end() {
        let mut writer = OggOpusWriter::default();
        let mut bytes = writer.headers(&[]).unwrap();
        for length in [300, 3] {
            bytes.extend(writer.packet(&vec![0xF8; length]).unwrap());
        }
        bytes.extend(writer.finish().unwrap());
        let mut reader = PacketReader::new(io::Cursor::new(bytes));
        let mut packets = Vec::new();
        while let Some(packet) = reader.read_packet().unwrap() {
            packets.push((packet.data.len(), packet.absgp_page(), packet.last_in_stream()));
        }
        assert_eq!(packets, [(19, 0, false), (20, 0, false), (300, 960, false), (3, 1920, true)]);
    }

    #[test]
    fn writes_no_empty_packets() {
        for packets in [vec![vec![0xF8; 3], Vec::new()], vec![Vec::new()], Vec::new()] {
            let mut writer = OggOpusWriter::default();
            let mut bytes = writer.headers(&[]).unwrap();
            for packet in &packets {
                bytes.extend(writer.packet(packet).unwrap());
            }
            bytes.extend(writer.finish().unwrap());
            let mut reader = PacketReader::new(io::Cursor::new(bytes));
            while let Some(packet) = reader.read_packet().unwrap() {
                assert!(!packet.data.is_empty(), "{packets:?}");
            }
        }
    }
}
