//! MPEG transport stream with one audio stream, AAC or Opus.

use super::Codec;
use super::ogg::crc32_from;

const PACKET: usize = 188;
const PROGRAM: u16 = 0x1000;
const AUDIO: u16 = 0x0100;

/// Writes one stream.
pub struct Writer {
    codec: Codec,
    /// Continuity counters: the two tables, the audio.
    tables: u8,
    audio: u8,
}

impl Writer {
    /// A writer for AAC or Opus.
    pub fn new(codec: Codec) -> Self {
        Self { codec, tables: 0, audio: 0 }
    }

    /// The tables, then each packet of audio with its time.
    pub fn packets(&mut self, packets: &[Vec<u8>], before: u64, samples: u64, rate: u64) -> Vec<u8> {
        let mut out = self.table(0, &association());
        out.extend(self.table(PROGRAM, &program(self.codec)));
        self.tables = (self.tables + 1) & 0x0F;
        for (number, packet) in (before..).zip(packets) {
            // 90 kHz, a tenth of a second after the clock.
            let clock = number * samples * 90_000 / rate;
            let payload = match self.codec {
                Codec::Aac => [adts(packet.len()).as_slice(), packet].concat(),
                _ => [opus_control(packet.len()), packet.clone()].concat(),
            };
            self.audio(&pes(self.codec, clock + 9000, &payload), clock, &mut out);
        }
        out
    }

    /// A table on a packet of its own.
    fn table(&self, pid: u16, section: &[u8]) -> Vec<u8> {
        let mut packet = head(pid, true, 0x10 | self.tables);
        packet.push(0);
        packet.extend(section);
        packet.resize(PACKET, 0xFF);
        packet
    }

    fn audio(&mut self, pes: &[u8], clock: u64, out: &mut Vec<u8>) {
        let mut rest = pes;
        let mut first = true;
        while !rest.is_empty() {
            let mut field = if first { clock_field(clock) } else { Vec::new() };
            let room = PACKET - 4 - if first { field.len() + 1 } else { 0 };
            let take = rest.len().min(room);
            if take < room {
                // The adaptation field fills the packet up; its length byte alone fills one.
                let missing = room - take;
                if first {
                    field.extend(vec![0xFF; missing]);
                } else if missing > 1 {
                    field = [vec![0], vec![0xFF; missing - 2]].concat();
                }
            }
            let has_field = first || take < room;
            let (now, later) = rest.split_at(take);
            out.extend(head(AUDIO, first, self.audio | if has_field { 0x30 } else { 0x10 }));
            if has_field {
                out.push(u8::try_from(field.len()).unwrap_or(0));
                out.extend(field);
            }
            out.extend(now);
            self.audio = (self.audio + 1) & 0x0F;
            (rest, first) = (later, false);
        }
    }
}

fn head(pid: u16, start: bool, last: u8) -> Vec<u8> {
    let [high, low] = pid.to_be_bytes();
    vec![0x47, high | if start { 0x40 } else { 0 }, low, last]
}

/// An adaptation field with the clock.
fn clock_field(clock: u64) -> Vec<u8> {
    let base = (clock << 15 | 0x7E00).to_be_bytes();
    // A place to enter the stream, and the clock's 33 bits, 6 that are ones, and 9 that are zero.
    [&[0x50], base.get(2..).unwrap_or_default()].concat()
}

/// A section with its length and checksum.
fn section(table: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 4).unwrap_or(0) | 0xB000;
    let mut bytes = vec![table];
    bytes.extend(length.to_be_bytes());
    bytes.extend(content);
    let crc = crc32_from(u32::MAX, &bytes);
    bytes.extend(crc.to_be_bytes());
    bytes
}

fn association() -> Vec<u8> {
    let [high, low] = (PROGRAM | 0xE000).to_be_bytes();
    section(0, &[0, 1, 0xC1, 0, 0, 0, 1, high, low])
}

fn program(codec: Codec) -> Vec<u8> {
    let (kind, descriptors): (u8, &[u8]) = match codec {
        Codec::Aac => (0x0F, &[]),
        // Registration, and the extension that tells one channel.
        _ => (0x06, b"\x05\x04Opus\x7F\x02\x80\x01"),
    };
    let [high, low] = (AUDIO | 0xE000).to_be_bytes();
    let size = u16::try_from(descriptors.len()).unwrap_or(0) | 0xF000;
    let mut content = vec![0, 1, 0xC1, 0, 0, high, low, 0xF0, 0, kind, high, low];
    content.extend(size.to_be_bytes());
    content.extend(descriptors);
    section(2, &content)
}

/// A packet of the elementary stream with its time.
fn pes(codec: Codec, pts: u64, payload: &[u8]) -> Vec<u8> {
    let stream = if codec == Codec::Aac { 0xC0 } else { 0xBD };
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

/// The header of an AAC frame: LC, 24 kHz, one channel.
fn adts(size: usize) -> [u8; 7] {
    let size = u32::try_from(size + 7).unwrap_or(0);
    let byte = |n: u32| u8::try_from(n & 0xFF).unwrap_or(0);
    [0xFF, 0xF1, 0x58, 0x40 | byte(size >> 11), byte(size >> 3), byte(size << 5) | 0x1F, 0xFC]
}

/// The header of an Opus packet.
fn opus_control(size: usize) -> Vec<u8> {
    let mut bytes = vec![0x7F, 0xE0];
    bytes.extend(vec![0xFF; size / 255]);
    bytes.push(u8::try_from(size % 255).unwrap_or(0));
    bytes
}
