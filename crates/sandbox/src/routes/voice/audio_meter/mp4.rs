//! MP4: the index tells where each sample of the audio track lies and how long it plays. It may come before the audio, after
//! it, or in fragments.

use super::{number, playing_time};

/// Maximum size of an index or a fragment header that is read.
const INDEX_BYTES: u64 = 16 * 1024 * 1024;
/// Maximum number of samples that are kept.
const SAMPLES_MAX: usize = 2_000_000;

/// Measures the samples of the first audio track that have been received.
#[derive(Debug, Default)]
pub(super) struct Mp4Meter {
    /// Bytes of an incomplete box.
    rest: Vec<u8>,
    /// Bytes that are not read.
    skip: u64,
    /// Bytes received.
    received: u64,
    track: Option<IndexedTrack>,
    /// Where each sample ends and how long it plays, in the order of the file.
    samples: Vec<(u64, u64)>,
    /// Samples that were counted.
    counted: usize,
}

#[derive(Debug)]
struct IndexedTrack {
    id: u64,
    units_per_second: u64,
    default_units: u64,
    default_bytes: u64,
}

impl Mp4Meter {
    /// Adds bytes and returns their playing time in microseconds.
    pub(super) fn add(&mut self, bytes: &[u8]) -> u64 {
        let start = self.received - self.rest.len() as u64;
        self.received += bytes.len() as u64;
        self.rest.extend_from_slice(bytes);
        let rest = std::mem::take(&mut self.rest);
        let mut at = 0;
        while let Some(rest) = rest.get(at..).filter(|rest| !rest.is_empty()) {
            let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX).min(rest.len());
            if skipped > 0 {
                at += skipped;
                self.skip -= skipped as u64;
                continue;
            }
            let Some(used) = self.read_box(rest, start + at as u64) else { break };
            at += used;
        }
        self.rest = rest.get(at..).unwrap_or_default().to_vec();
        self.count()
    }

    /// Reads a box at an offset of the file. Returns the bytes that were used, or `None` if it is incomplete.
    fn read_box(&mut self, rest: &[u8], offset: u64) -> Option<usize> {
        let kind = rest.get(4..8)?;
        let (header, size) = match number(rest.get(..4)?) {
            0 => (8, u64::MAX),
            1 => (16, number(rest.get(8..16)?)),
            size => (8, size),
        };
        let size = size.saturating_sub(header as u64);
        let is_index = kind == b"moov" || kind == b"moof";
        if !is_index || size > INDEX_BYTES {
            self.skip = size;
            return Some(header);
        }
        let end = header + usize::try_from(size).ok()?;
        let content = rest.get(header..end)?;
        // What cannot be read has no time.
        let _ = if kind == b"moov" { self.read_index(content) } else { self.read_fragment(content, offset) };
        Some(end)
    }

    fn read_index(&mut self, index: &[u8]) -> Option<()> {
        let track = boxes(index, b"trak").find(|track| {
            inner(track, &[b"mdia", b"hdlr"]).is_some_and(|handler| handler.get(8..12) == Some(b"soun"))
        })?;
        let clock = inner(track, &[b"mdia", b"mdhd"])?;
        let units_per_second = word(clock, if clock.first() == Some(&1) { 20 } else { 12 })?.max(1);
        let header = inner(track, &[b"tkhd"])?;
        let id = word(header, if header.first() == Some(&1) { 20 } else { 12 })?;
        let extends = inner(index, &[b"mvex"]).unwrap_or_default();
        let extends = boxes(extends, b"trex").find(|content| word(content, 4) == Some(id)).unwrap_or_default();
        let (default_units, default_bytes) = (word(extends, 12).unwrap_or(0), word(extends, 16).unwrap_or(0));
        self.track = Some(IndexedTrack { id, units_per_second, default_units, default_bytes });
        let table = inner(track, &[b"mdia", b"minf", b"stbl"])?;
        let samples = table_samples(table, units_per_second);
        self.samples.extend(samples.unwrap_or_default());
        self.samples.sort_unstable();
        Some(())
    }

    fn read_fragment(&mut self, fragment: &[u8], offset: u64) -> Option<()> {
        let track = self.track.as_ref()?;
        for part in boxes(fragment, b"traf") {
            let header = inner(part, &[b"tfhd"])?;
            if word(header, 4)? != track.id {
                continue;
            }
            let flags = word(header, 0)?;
            let mut at = 8;
            let mut field = |flag: u64, bytes: usize| {
                let value = (flags & flag != 0).then(|| header.get(at..at + bytes).map(number)).flatten();
                at += if value.is_some() { bytes } else { 0 };
                value
            };
            let base = field(0x1, 8).unwrap_or(offset);
            field(0x2, 4);
            let units = field(0x8, 4).unwrap_or(track.default_units);
            let bytes = field(0x10, 4).unwrap_or(track.default_bytes);
            let mut end = base;
            for run in boxes(part, b"trun") {
                let (flags, count) = (word(run, 0)?, word(run, 4)?);
                let mut words = run.get(8..)?.chunks_exact(4).map(number);
                let mut field = |flag: u64| if flags & flag == 0 { None } else { words.next() };
                if let Some(data) = field(0x1) {
                    end = base
                        .wrapping_add_signed(i64::from(i32::from_be_bytes(u32::try_from(data).ok()?.to_be_bytes())));
                }
                field(0x4);
                for _ in 0..count {
                    let units = field(0x100).unwrap_or(units);
                    end = end.checked_add(field(0x200).unwrap_or(bytes))?;
                    field(0x400);
                    field(0x800);
                    if self.samples.len() == SAMPLES_MAX {
                        return None;
                    }
                    self.samples.push((end, playing_time(units, track.units_per_second)));
                }
            }
        }
        Some(())
    }

    /// Returns the playing time of the samples that were received since the last count.
    fn count(&mut self) -> u64 {
        let mut micros = 0;
        while let Some((_, time)) = self.samples.get(self.counted).filter(|(end, _)| *end <= self.received) {
            micros += time;
            self.counted += 1;
        }
        micros
    }
}

/// Returns where the samples of a table end and how long they play.
fn table_samples(table: &[u8], units_per_second: u64) -> Option<Vec<(u64, u64)>> {
    let sizes = inner(table, &[b"stsz"])?;
    let mut sizes = (0..word(sizes, 8)?).map(|n| match word(sizes, 4) {
        Some(0) | None => usize::try_from(n).ok().and_then(|n| word(sizes, 12 + 4 * n)),
        fixed => fixed,
    });
    let durations = inner(table, &[b"stts"])?.get(8..)?.chunks_exact(8);
    let mut durations = durations.flat_map(|run| {
        let count = word(run, 0).and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
        std::iter::repeat_n(word(run, 4).unwrap_or(0), count)
    });
    let runs: Vec<(u64, u64)> =
        inner(table, &[b"stsc"])?.get(8..)?.chunks_exact(12).filter_map(|run| word(run, 0).zip(word(run, 4))).collect();
    let (chunks, width) = match inner(table, &[b"co64"]) {
        Some(chunks) => (chunks, 8),
        None => (inner(table, &[b"stco"])?, 4),
    };
    let (mut samples, mut next_run, mut in_chunk) = (Vec::new(), runs.iter().peekable(), 0);
    for (chunk, offset) in (1u64..).zip(chunks.get(8..)?.chunks_exact(width)) {
        while let Some((_, count)) = next_run.next_if(|(first, _)| *first <= chunk) {
            in_chunk = *count;
        }
        let mut end = number(offset);
        for _ in 0..in_chunk {
            let (Some(Some(size)), Some(units)) = (sizes.next(), durations.next()) else { return Some(samples) };
            if samples.len() == SAMPLES_MAX {
                return Some(samples);
            }
            end = end.checked_add(size)?;
            samples.push((end, playing_time(units, units_per_second)));
        }
    }
    Some(samples)
}

/// Returns the contents of the boxes of one kind.
fn boxes<'a>(content: &'a [u8], kind: &'a [u8; 4]) -> impl Iterator<Item = &'a [u8]> {
    let mut rest = content;
    std::iter::from_fn(move || {
        loop {
            let size = usize::try_from(word(rest, 0)?).ok().filter(|size| *size >= 8)?;
            let (found, next) = rest.split_at_checked(size)?;
            rest = next;
            if found.get(4..8) == Some(kind) {
                return found.get(8..);
            }
        }
    })
}

/// Returns the content of the box at the end of a path.
fn inner<'a>(content: &'a [u8], path: &[&'static [u8; 4]]) -> Option<&'a [u8]> {
    path.iter().try_fold(content, |content, kind| boxes(content, kind).next())
}

/// Reads four bytes as a number.
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at + 4).map(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(kind: &[u8], content: &[u8]) -> Vec<u8> {
        let size = u32::try_from(content.len() + 8).unwrap();
        [size.to_be_bytes().as_slice(), kind, content].concat()
    }

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    /// An index for 20 samples of 50 ms and 10 bytes from an offset on.
    fn index(offset: u32) -> Vec<u8> {
        let table = [
            boxed(b"stts", &words(&[0, 1, 20, 50])),
            boxed(b"stsc", &words(&[0, 1, 1, 20, 1])),
            boxed(b"stsz", &words(&[0, 10, 20])),
            boxed(b"stco", &words(&[0, 1, offset])),
        ];
        let media = [
            boxed(b"mdhd", &words(&[0, 0, 0, 1000, 0])),
            boxed(b"hdlr", &[&[0; 8], b"soun".as_slice()].concat()),
            boxed(b"minf", &boxed(b"stbl", &table.concat())),
        ];
        let track = [boxed(b"tkhd", &words(&[0, 0, 0, 1])), boxed(b"mdia", &media.concat())];
        boxed(b"moov", &boxed(b"trak", &track.concat()))
    }

    #[test]
    fn the_index_may_come_first_or_last() {
        let (start, data) = (boxed(b"ftyp", b"M4A "), boxed(b"mdat", &[7; 200]));
        let first = u32::try_from(start.len() + index(0).len() + 8).unwrap();
        let file = [start.clone(), index(first), data.clone()].concat();
        for step in [1, 70, 10_000] {
            let mut meter = Mp4Meter::default();
            let times: Vec<_> = file.chunks(step).map(|bytes| meter.add(bytes)).collect();
            assert_eq!(times.iter().sum::<u64>(), 1_000_000);
            assert!(step != 70 || times.iter().all(|time| *time <= 350_000), "{times:?}");
        }
        let mut meter = Mp4Meter::default();
        assert_eq!(meter.add(&[start.clone(), data].concat()), 0);
        assert_eq!(meter.add(&index(u32::try_from(start.len() + 8).unwrap())), 1_000_000);
    }
}
