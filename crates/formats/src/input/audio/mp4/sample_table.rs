//! Byte ranges of an MP4 file and their playing times, from sample tables or fragments. Tables are untrusted input:
//! every number is checked, and the expanded size is limited.

use super::boxes::{children, find};
use crate::input::audio::detected::big_endian;

/// Adjacent samples are joined until their range plays this long, to limit the number of ranges.
const RANGE_MICROS: u64 = 100_000;
/// Maximum number of ranges: about a day of audio.
const RANGES_MAX: usize = 1_000_000;
/// Maximum number of samples to expand.
const SAMPLES_MAX: usize = 1 << 24;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedRange {
    pub start: u64,
    /// Exclusive.
    pub end: u64,
    pub micros: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mp4Track {
    id: u64,
    /// Units of time per second.
    timescale: u64,
    /// Default duration and size of samples in fragments.
    defaults: (u64, u64),
}

impl Mp4Track {
    /// Parses the content of a `moov` box. Returns the first audio track and its ranges, which are empty if its samples are
    /// in fragments.
    pub fn read(moov: &[u8]) -> Option<(Self, Vec<TimedRange>)> {
        let tracks = children(moov).filter(|(kind, _)| kind == b"trak").map(|(_, track)| track);
        let mut audio = tracks.filter(|track| {
            find(track, &[b"mdia", b"hdlr"]).is_some_and(|handler| handler.get(8..12) == Some(b"soun"))
        });
        let track = audio.next()?;
        let header = find(track, &[b"tkhd"])?;
        let id = big_endian(header, if header.first() == Some(&1) { 20 } else { 12 }, 4)?;
        let media = find(track, &[b"mdia", b"mdhd"])?;
        let timescale = big_endian(media, if media.first() == Some(&1) { 20 } else { 12 }, 4).filter(|n| *n > 0)?;
        let extended = find(moov, &[b"mvex"]).into_iter().flat_map(children);
        let mut extended = extended.filter(|(kind, _)| kind == b"trex").map(|(_, content)| content);
        let defaults = extended.find(|content| big_endian(content, 4, 4) == Some(id));
        let field = |at| defaults.and_then(|content| big_endian(content, at, 4)).unwrap_or(0);
        let found = Self { id, timescale, defaults: (field(12), field(16)) };
        let table = find(track, &[b"mdia", b"minf", b"stbl"])?;
        let ranges = found.plain_ranges(table).unwrap_or_default();
        Some((found, ranges))
    }

    fn plain_ranges(&self, table: &[u8]) -> Option<Vec<TimedRange>> {
        let sizes = find(table, &[b"stsz"])?;
        let (fixed_size, count) = (big_endian(sizes, 4, 4)?, big_endian(sizes, 8, 4)?);
        let chunks_64 = find(table, &[b"co64"]);
        let (chunks, width) = chunks_64.map_or((find(table, &[b"stco"]), 4), |chunks| (Some(chunks), 8));
        let chunks = chunks?;
        let mut durations = RunLengths::new(find(table, &[b"stts"])?, 8);
        let mut per_chunk = find(table, &[b"stsc"])?.get(8..)?.chunks_exact(12).peekable();
        let mut in_chunk = 0;
        let mut ranges = RangeList::new(self.timescale);
        let mut left = usize::try_from(count).ok()?.min(SAMPLES_MAX);
        let mut sample = 12;
        for (number, offset) in (1..).zip(chunks.get(8..)?.chunks_exact(width)) {
            while let Some(entry) = per_chunk.next_if(|entry| big_endian(entry, 0, 4).is_some_and(|n| n <= number)) {
                in_chunk = usize::try_from(big_endian(entry, 4, 4)?).ok()?;
            }
            let mut offset = big_endian(offset, 0, width)?;
            for _ in 0..in_chunk.min(left) {
                let size = if fixed_size > 0 { fixed_size } else { big_endian(sizes, sample, 4)? };
                sample += 4;
                ranges.add(offset, size, durations.next()?)?;
                offset = offset.checked_add(size)?;
            }
            left -= in_chunk.min(left);
        }
        Some(ranges.finish())
    }

    /// Returns the ranges of a fragment, from the content of a `moof` box at file offset `start`.
    pub fn fragment(&self, moof: &[u8], start: u64) -> Vec<TimedRange> {
        let mut ranges = RangeList::new(self.timescale);
        for (_, track) in children(moof).filter(|(kind, _)| kind == b"traf") {
            // After an error in a damaged fragment, keep the ranges before it.
            let _ = self.track_fragment(track, start, &mut ranges);
        }
        ranges.finish()
    }

    fn track_fragment(&self, track: &[u8], start: u64, ranges: &mut RangeList) -> Option<()> {
        let header = find(track, &[b"tfhd"])?;
        if big_endian(header, 4, 4)? != self.id {
            return None;
        }
        let mut fields = OptionalFields { bytes: header, at: 8, flags: big_endian(header, 1, 3)? };
        let base = fields.next(0x1, 8)?.unwrap_or(start);
        fields.next(0x2, 4)?;
        let duration = fields.next(0x8, 4)?.unwrap_or(self.defaults.0);
        let size = fields.next(0x10, 4)?.unwrap_or(self.defaults.1);
        let mut offset = base;
        for (_, run) in children(track).filter(|(kind, _)| kind == b"trun") {
            let flags = big_endian(run, 1, 3)?;
            let count = usize::try_from(big_endian(run, 4, 4)?).ok()?.min(SAMPLES_MAX);
            let mut fields = OptionalFields { bytes: run, at: 8, flags };
            if let Some(relative) = fields.next(0x1, 4)? {
                // Signed, and relative to `base`.
                let relative = i32::from_be_bytes(u32::try_from(relative).ok()?.to_be_bytes());
                offset = base.checked_add_signed(relative.into())?;
            }
            fields.next(0x4, 4)?;
            for _ in 0..count {
                let duration = fields.next(0x100, 4)?.unwrap_or(duration);
                let size = fields.next(0x200, 4)?.unwrap_or(size);
                fields.next(0x400, 4)?;
                fields.next(0x800, 4)?;
                ranges.add(offset, size, duration)?;
                offset = offset.checked_add(size)?;
            }
        }
        Some(())
    }
}

struct OptionalFields<'a> {
    bytes: &'a [u8],
    at: usize,
    flags: u64,
}

impl OptionalFields<'_> {
    /// Returns the next field; `Some(None)` if its flag is not set. `None` at the end of the bytes.
    #[allow(clippy::option_option)] // the outer one is for `?`
    fn next(&mut self, flag: u64, bytes: usize) -> Option<Option<u64>> {
        if self.flags & flag == 0 {
            return Some(None);
        }
        let value = big_endian(self.bytes, self.at, bytes)?;
        self.at += bytes;
        Some(Some(value))
    }
}

struct RunLengths<'a> {
    entries: std::slice::ChunksExact<'a, u8>,
    left: u64,
    value: u64,
}

impl<'a> RunLengths<'a> {
    fn new(table: &'a [u8], header: usize) -> Self {
        Self { entries: table.get(header..).unwrap_or_default().chunks_exact(8), left: 0, value: 0 }
    }
}

impl Iterator for RunLengths<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        while self.left == 0 {
            let entry = self.entries.next()?;
            (self.left, self.value) = (big_endian(entry, 0, 4)?, big_endian(entry, 4, 4)?);
        }
        self.left -= 1;
        Some(self.value)
    }
}

struct RangeList {
    ranges: Vec<TimedRange>,
    timescale: u64,
    /// Total units of time, from which times are computed so that rounding errors do not add up.
    units: u64,
    micros: u64,
}

impl RangeList {
    fn new(timescale: u64) -> Self {
        Self { ranges: Vec::new(), timescale, units: 0, micros: 0 }
    }

    /// Returns `None` if the list is full or a number overflows.
    fn add(&mut self, start: u64, bytes: u64, units: u64) -> Option<()> {
        self.units = self.units.checked_add(units)?;
        let reached = u128::from(self.units) * 1_000_000 / u128::from(self.timescale);
        let reached = u64::try_from(reached).ok()?;
        let micros = reached - self.micros;
        self.micros = reached;
        let end = start.checked_add(bytes)?;
        let is_full = self.ranges.len() == RANGES_MAX;
        match self.ranges.last_mut().filter(|last| last.end == start && last.micros < RANGE_MICROS) {
            Some(last) => (last.end, last.micros) = (end, last.micros.saturating_add(micros)),
            None if is_full => return None,
            None => self.ranges.push(TimedRange { start, end, micros }),
        }
        Some(())
    }

    fn finish(mut self) -> Vec<TimedRange> {
        self.ranges.sort_by_key(|range| range.start);
        self.ranges
    }
}
