//! MPEG transport streams with one audio stream, AAC or Opus.

use crc::{CRC_32_MPEG_2, Crc};

use super::codec::SpeechCodec;

/// Bytes of a transport stream packet.
const PACKET_BYTES: usize = 188;
/// The packet ID of the program map table.
const PROGRAM_MAP_PID: u16 = 0x1000;
/// The packet ID of the audio.
const AUDIO_PID: u16 = 0x0100;
/// The checksum of tables.
static CRC_32: Crc<u32> = Crc::<u32>::new(&CRC_32_MPEG_2);

/// Writes one transport stream.
pub(super) struct MpegTsWriter {
    codec: SpeechCodec,
    /// The continuity counter of the two tables.
    table_counter: u8,
    /// The continuity counter of the audio.
    audio_counter: u8,
}

impl MpegTsWriter {
    /// Returns a writer for AAC or Opus.
    pub(super) fn new(codec: SpeechCodec) -> Self {
        Self { codec, table_counter: 0, audio_counter: 0 }
    }

    /// Returns the tables, then each packet of audio with its time. `before` is the number of the first packet.
    pub(super) fn packets(&mut self, packets: &[Vec<u8>], before: u64, samples: u64, rate: u64) -> Vec<u8> {
        let mut out = self.table(0, &program_association());
        out.extend(self.table(PROGRAM_MAP_PID, &program_map(self.codec)));
        self.table_counter = (self.table_counter + 1) & 0x0F;
        for (number, packet) in (before..).zip(packets) {
            // In ticks of 90 kHz. The audio is presented a tenth of a second after the clock.
            let clock = number * samples * 90_000 / rate;
            let payload = match self.codec {
                SpeechCodec::Aac => [adts(packet.len()).as_slice(), packet].concat(),
                _ => [opus_control(packet.len()), packet.clone()].concat(),
            };
            self.write_audio(&pes(self.codec, clock + 9000, &payload), clock, &mut out);
        }
        out
    }

    /// Returns a table in a packet of its own.
    fn table(&self, pid: u16, section: &[u8]) -> Vec<u8> {
        let mut packet = head(pid, true, 0x10 | self.table_counter);
        packet.push(0);
        packet.extend(section);
        packet.resize(PACKET_BYTES, 0xFF);
        packet
    }

    /// Splits an elementary stream packet into transport stream packets.
    fn write_audio(&mut self, pes: &[u8], clock: u64, out: &mut Vec<u8>) {
        let mut rest = pes;
        let mut first = true;
        while !rest.is_empty() {
            let mut field = if first { clock_field(clock) } else { Vec::new() };
            let room = PACKET_BYTES - 4 - if first { field.len() + 1 } else { 0 };
            let take = rest.len().min(room);
            if take < room {
                // The adaptation field pads the packet; its length byte alone takes one byte.
                let missing = room - take;
                if first {
                    field.extend(vec![0xFF; missing]);
                } else if missing > 1 {
                    field = [vec![0], vec![0xFF; missing - 2]].concat();
                }
            }
            let has_field = first || take < room;
            let (now, later) = rest.split_at(take);
            out.extend(head(AUDIO_PID, first, self.audio_counter | if has_field { 0x30 } else { 0x10 }));
            if has_field {
                out.push(u8::try_from(field.len()).unwrap_or(0));
                out.extend(field);
            }
            out.extend(now);
            self.audio_counter = (self.audio_counter + 1) & 0x0F;
            (rest, first) = (later, false);
        }
    }
}

/// Returns a packet header. `last` is its last byte: adaptation field control and continuity counter.
fn head(pid: u16, start: bool, last: u8) -> Vec<u8> {
    let [high, low] = pid.to_be_bytes();
    vec![0x47, high | if start { 0x40 } else { 0 }, low, last]
}

/// Returns an adaptation field with the clock.
fn clock_field(clock: u64) -> Vec<u8> {
    let base = (clock << 15 | 0x7E00).to_be_bytes();
    // Flags for a random access point with a clock; then 33 bits of clock, 6 bits of ones, 9 bits of zeros.
    [&[0x50], base.get(2..).unwrap_or_default()].concat()
}

/// Returns a table section with its length and checksum.
fn section(table: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 4).unwrap_or(0) | 0xB000;
    let mut bytes = vec![table];
    bytes.extend(length.to_be_bytes());
    bytes.extend(content);
    bytes.extend(CRC_32.checksum(&bytes).to_be_bytes());
    bytes
}

/// Returns the program association table: one program.
fn program_association() -> Vec<u8> {
    let [high, low] = (PROGRAM_MAP_PID | 0xE000).to_be_bytes();
    section(0, &[0, 1, 0xC1, 0, 0, 0, 1, high, low])
}

/// Returns the program map table: one audio stream.
fn program_map(codec: SpeechCodec) -> Vec<u8> {
    let (kind, descriptors): (u8, &[u8]) = match codec {
        SpeechCodec::Aac => (0x0F, &[]),
        // The registration descriptor, and the extension that declares one channel.
        _ => (0x06, b"\x05\x04Opus\x7F\x02\x80\x01"),
    };
    let [high, low] = (AUDIO_PID | 0xE000).to_be_bytes();
    let size = u16::try_from(descriptors.len()).unwrap_or(0) | 0xF000;
    let mut content = vec![0, 1, 0xC1, 0, 0, high, low, 0xF0, 0, kind, high, low];
    content.extend(size.to_be_bytes());
    content.extend(descriptors);
    section(2, &content)
}

/// Returns a packet of the elementary stream with its presentation time in ticks of 90 kHz.
fn pes(codec: SpeechCodec, pts: u64, payload: &[u8]) -> Vec<u8> {
    let stream = if codec == SpeechCodec::Aac { 0xC0 } else { 0xBD };
    let length = u16::try_from(payload.len() + 8).unwrap_or(0).to_be_bytes();
    let part = |shift: u32, mask: u64| u8::try_from(pts >> shift & mask).unwrap_or(0);
    let mut bytes = vec![0, 0, 1, stream];
    bytes.extend(length);
    bytes.extend([0x84, 0x80, 5]);
    bytes.extend([
        0x21 | part(30, 7) << 1,
        part(22, 0xFF),
        part(15, 0x7F) << 1 | 1,
        part(7, 0xFF),
        part(0, 0x7F) << 1 | 1,
    ]);
    bytes.extend(payload);
    bytes
}

/// Returns the header of an AAC frame: LC, 24 kHz, one channel.
fn adts(size: usize) -> [u8; 7] {
    let size = u32::try_from(size + 7).unwrap_or(0);
    let byte = |n: u32| u8::try_from(n & 0xFF).unwrap_or(0);
    [0xFF, 0xF1, 0x58, 0x40 | byte(size >> 11), byte(size >> 3), byte(size << 5) | 0x1F, 0xFC]
}

/// Returns the header of an Opus packet.
fn opus_control(size: usize) -> Vec<u8> {
    let mut bytes = vec![0x7F, 0xE0];
    bytes.extend(vec![0xFF; size / 255]);
    bytes.push(u8::try_from(size % 255).unwrap_or(0));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_use_the_polynomial_of_mpeg_2() {
        assert_eq!(CRC_32.checksum(b"123456789"), 0x0376_E6E7);
    }

    #[test]
    fn streams_consist_of_whole_packets() {
        let mut writer = MpegTsWriter::new(SpeechCodec::Opus);
        let bytes = writer.packets(&[vec![0; 80], vec![0; 400]], 0, 960, 48_000);
        let packets: Vec<&[u8]> = bytes.chunks(188).collect();
        assert!(packets.iter().all(|packet| packet.len() == 188 && packet.starts_with(&[0x47])));
        // Two tables, one packet for the short audio, three for the long one.
        assert_eq!(packets.len(), 6);
    }
}
