//! Ogg pages for Opus and FLAC.

use ogg::{PacketWriteEndInfo, PacketWriter};

use super::codec::OPUS_HEAD;
use super::flac;

/// Opus packets per page.
const OPUS_PACKETS: usize = 25;
/// FLAC frames per page; a frame is about as large as ten Opus packets.
const FLAC_FRAMES: usize = 5;

/// Writes the pages of one stream.
pub(super) struct OggWriter {
    writer: PacketWriter<'static, Vec<u8>>,
    serial: u32,
    /// The last packet with its position. It waits for the page that ends the stream, which needs a packet.
    held: Option<(Vec<u8>, u64)>,
}

/// Returns the second header packet of Opus.
pub(super) fn opus_tags() -> Vec<u8> {
    [b"OpusTags".as_slice(), &vendor()].concat()
}

/// Returns a comment block that names the program and has no comments.
fn vendor() -> Vec<u8> {
    [7u32.to_le_bytes().as_slice(), b"sandbox", &[0; 4]].concat()
}

impl OggWriter {
    /// Returns a writer for a new stream.
    pub(super) fn new() -> Self {
        Self { writer: PacketWriter::new(Vec::new()), serial: fastrand::u32(..), held: None }
    }

    /// Returns the two pages that precede Opus packets.
    pub(super) fn opus_headers(&mut self) -> Vec<Vec<u8>> {
        [OPUS_HEAD.to_vec(), opus_tags()].map(|packet| self.header_page(packet)).into()
    }

    /// Returns the two pages that precede FLAC frames.
    pub(super) fn flac_headers(&mut self, samples: u32, rate: u32) -> Vec<Vec<u8>> {
        let first = [b"\x7FFLAC\x01\0\0\x01fLaC".to_vec(), flac::stream_info(samples, rate, false)].concat();
        let comment = vendor();
        let size = u8::try_from(comment.len()).unwrap_or(0);
        let second = [[0x84, 0, 0, size].as_slice(), &comment].concat();
        [first, second].map(|packet| self.header_page(packet)).into()
    }

    /// Returns the pages of `packets`, of which `first` is the number of the first one.
    ///
    /// The last packet is held back until the next call or [`finish`](Self::finish).
    pub(super) fn pages(&mut self, packets: Vec<Vec<u8>>, first: u64, samples: u64) -> Vec<Vec<u8>> {
        let positions = (first + 1..).map(|number| number * samples);
        let mut queue: Vec<_> = self.held.take().into_iter().chain(packets.into_iter().zip(positions)).collect();
        self.held = queue.pop();
        let per_page = if queue.iter().any(|(packet, _)| packet.len() > 255) { FLAC_FRAMES } else { OPUS_PACKETS };
        queue.chunks(per_page).map(|packets| self.page(packets, PacketWriteEndInfo::EndPage)).collect()
    }

    /// Returns the page that ends the stream, or `None` if nothing was written.
    pub(super) fn finish(&mut self) -> Option<Vec<u8>> {
        let last = self.held.take()?;
        Some(self.page(&[last], PacketWriteEndInfo::EndStream))
    }

    fn header_page(&mut self, packet: Vec<u8>) -> Vec<u8> {
        self.page(&[(packet, 0)], PacketWriteEndInfo::EndPage)
    }

    fn page(&mut self, packets: &[(Vec<u8>, u64)], end: PacketWriteEndInfo) -> Vec<u8> {
        for (at, (packet, position)) in packets.iter().enumerate() {
            let is_last = at + 1 == packets.len();
            let info = if is_last { end } else { PacketWriteEndInfo::NormalPacket };
            // Writing to a `Vec` does not fail.
            let _ = self.writer.write_packet(packet.clone(), self.serial, info, *position);
        }
        std::mem::take(self.writer.inner_mut())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ogg::PacketReader;
    use std::io::Cursor;

    #[test]
    fn pages_read_back_with_their_positions() {
        let mut writer = OggWriter::new();
        let mut pages = writer.opus_headers();
        pages.extend(writer.pages(vec![vec![1; 80]; 30], 0, 960));
        pages.extend(writer.pages(vec![vec![2; 80]; 3], 30, 960));
        pages.extend(writer.finish());
        assert_eq!(pages.len(), 6);
        assert!(pages.iter().all(|page| page.starts_with(b"OggS")));
        let mut reader = PacketReader::new(Cursor::new(pages.concat()));
        let mut packets = Vec::new();
        while let Some(packet) = reader.read_packet().unwrap() {
            packets.push(packet);
        }
        assert_eq!(packets.len(), 35);
        let page_ends: Vec<_> =
            packets.iter().filter(|packet| packet.last_in_page()).map(ogg::Packet::absgp_page).collect();
        assert_eq!(page_ends, [0, 0, 24_000, 27_840, 30_720, 31_680]);
        let last = packets.last().unwrap();
        assert!(packets.first().unwrap().first_in_stream() && last.last_in_stream());
        assert_eq!(last.data, [2; 80]);
    }

    #[test]
    fn a_stream_without_packets_has_no_last_page() {
        assert_eq!(OggWriter::new().finish(), None);
    }
}
