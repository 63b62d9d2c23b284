//! MP4: takes the playing time of the audio track from the index, which may come before or after the data, or from the
//! headers of fragments. If the index comes before the data, its time is spread evenly over the data. Any other time is
//! spread over the bytes of the index or header itself.

use super::{ElementReader, big_endian, to_micros};

/// Maximum size in bytes of an index or fragment header that is read.
const INDEX_BYTES_MAX: u64 = 16 * 1024 * 1024;

#[derive(Debug, Default)]
pub(super) struct Mp4Reader {
    track: Option<IndexedTrack>,
    /// Playing time of data that has not arrived yet, in microseconds.
    pending_time: u64,
    has_data: bool,
}

#[derive(Debug)]
struct IndexedTrack {
    id: u64,
    units_per_second: u64,
    /// Default duration of a sample in a fragment, in units.
    sample_units: u64,
}

impl ElementReader for Mp4Reader {
    fn read_element(&mut self, rest: &[u8]) -> Option<(u64, u64)> {
        let kind = rest.get(4..8)?;
        let (header, size) = match big_endian(rest.get(..4)?) {
            0 => (8, u64::MAX),
            1 => (16, big_endian(rest.get(8..16)?).max(16)),
            size => (8, size.max(8)),
        };
        let is_index = kind == b"moov" || kind == b"moof";
        if kind == b"mdat" {
            self.has_data = true;
            return Some((size, std::mem::take(&mut self.pending_time)));
        }
        if !is_index || size > INDEX_BYTES_MAX {
            return Some((size, 0));
        }
        let content = rest.get(header..usize::try_from(size).ok()?)?;
        // An unreadable index counts as no playing time.
        let time = if kind == b"moov" { self.read_index(content) } else { self.read_fragment(content) }.unwrap_or(0);
        if kind == b"moov" && !self.has_data {
            self.pending_time = time;
            return Some((size, 0));
        }
        Some((size, time))
    }
}

impl Mp4Reader {
    /// Reads the first audio track. Returns its playing time; `None` if the file is unreadable or fragmented.
    fn read_index(&mut self, index: &[u8]) -> Option<u64> {
        let track = boxes_of_kind(index, b"trak").find(|track| {
            find_box(track, &[b"mdia", b"hdlr"]).is_some_and(|handler| handler.get(8..12) == Some(b"soun"))
        })?;
        let clock = find_box(track, &[b"mdia", b"mdhd"])?;
        let is_long = clock.first() == Some(&1);
        let units_per_second = read_u32(clock, if is_long { 20 } else { 12 })?.max(1);
        let units = if is_long { big_endian(clock.get(24..32)?) } else { read_u32(clock, 16)? };
        let header = find_box(track, &[b"tkhd"])?;
        let id = read_u32(header, if header.first() == Some(&1) { 20 } else { 12 })?;
        let extends = find_box(index, &[b"mvex"]);
        let defaults = extends
            .and_then(|extends| boxes_of_kind(extends, b"trex").find(|content| read_u32(content, 4) == Some(id)));
        let sample_units = defaults.and_then(|content| read_u32(content, 12)).unwrap_or(0);
        self.track = Some(IndexedTrack { id, units_per_second, sample_units });
        extends.is_none().then(|| to_micros(units, units_per_second))
    }

    fn read_fragment(&mut self, fragment: &[u8]) -> Option<u64> {
        let track = self.track.as_ref()?;
        let part = boxes_of_kind(fragment, b"traf")
            .find(|part| find_box(part, &[b"tfhd"]).is_some_and(|header| read_u32(header, 4) == Some(track.id)))?;
        let header = find_box(part, &[b"tfhd"])?;
        let flags = read_u32(header, 0)?;
        let has = |flag: u64| usize::from(flags & flag != 0);
        let default =
            if has(0x8) == 1 { read_u32(header, 8 + 8 * has(0x1) + 4 * has(0x2))? } else { track.sample_units };
        let mut units = 0_u64;
        for run in boxes_of_kind(part, b"trun") {
            let (flags, count) = (read_u32(run, 0)?, read_u32(run, 4)?);
            let has = |flag: u64| usize::from(flags & flag != 0);
            if has(0x100) == 0 {
                units = units.saturating_add(count.saturating_mul(default));
                continue;
            }
            // The duration is the first field of each sample.
            let fields = has(0x100) + has(0x200) + has(0x400) + has(0x800);
            let samples = run.get(8 + 4 * has(0x1) + 4 * has(0x4)..)?.chunks_exact(4 * fields);
            units = samples
                .take(usize::try_from(count).ok()?)
                .filter_map(|sample| read_u32(sample, 0))
                .fold(units, u64::saturating_add);
        }
        Some(to_micros(units, track.units_per_second))
    }
}

fn boxes_of_kind<'a>(content: &'a [u8], kind: &'a [u8; 4]) -> impl Iterator<Item = &'a [u8]> {
    let mut rest = content;
    std::iter::from_fn(move || {
        loop {
            let size = usize::try_from(read_u32(rest, 0)?).ok().filter(|size| *size >= 8)?;
            let (found, next) = rest.split_at_checked(size)?;
            rest = next;
            if found.get(4..8) == Some(kind) {
                return found.get(8..);
            }
        }
    })
}

/// Returns the content of the box at the end of `path`.
fn find_box<'a>(content: &'a [u8], path: &[&'static [u8; 4]]) -> Option<&'a [u8]> {
    path.iter().try_fold(content, |content, kind| boxes_of_kind(content, kind).next())
}

fn read_u32(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at + 4).map(big_endian)
}

#[cfg(test)]
mod tests {
    use super::super::AudioMeter;

    fn boxed(kind: &[u8], content: &[u8]) -> Vec<u8> {
        let size = u32::try_from(content.len() + 8).unwrap();
        [size.to_be_bytes().as_slice(), kind, content].concat()
    }

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    /// Returns an index for one second of audio, with the boxes `more` added.
    fn index(more: &[u8]) -> Vec<u8> {
        let media =
            [boxed(b"mdhd", &words(&[0, 0, 0, 1000, 1000])), boxed(b"hdlr", &[&[0; 8], b"soun".as_slice()].concat())];
        let track = [boxed(b"tkhd", &words(&[0, 0, 0, 1])), boxed(b"mdia", &media.concat())];
        boxed(b"moov", &[boxed(b"trak", &track.concat()), more.to_vec()].concat())
    }

    fn times(file: &[u8], step: usize) -> Vec<u64> {
        let mut meter = AudioMeter::new("audio/mpeg").unwrap();
        file.chunks(step).map(|bytes| meter.add(bytes).unwrap()).collect()
    }

    #[test]
    fn the_index_may_come_first_or_last() {
        let (start, data) = (boxed(b"ftyp", b"M4A "), boxed(b"mdat", &[7; 200]));
        let file = [start.clone(), index(&[]), data.clone()].concat();
        for step in [1, 70, 10_000] {
            let times = times(&file, step);
            assert_eq!(times.iter().sum::<u64>(), 1_000_000);
            assert!(step != 70 || times.iter().all(|time| *time <= 350_000), "{times:?}");
        }
        let file = [start, data, index(&[])].concat();
        let times = times(&file, 220);
        assert_eq!((times[0], times.iter().sum()), (0, 1_000_000));
    }

    #[test]
    fn fragments_play_as_long_as_their_samples() {
        let more = boxed(b"mvex", &boxed(b"trex", &words(&[0, 1, 1, 20, 0, 0])));
        let run = |fields: &[u32]| boxed(b"trun", &words(fields));
        let fragment = |header: &[u32], run: Vec<u8>| {
            boxed(b"moof", &boxed(b"traf", &[boxed(b"tfhd", &words(header)), run].concat()))
        };
        let file = [
            boxed(b"ftyp", b"M4A "),
            index(&more),
            fragment(&[0, 1], run(&[0x201, 2, 99, 10, 10])),
            boxed(b"mdat", &[7; 20]),
            fragment(&[0x2A, 1, 1, 30], run(&[0, 3])),
            fragment(&[0, 1], run(&[0x300, 2, 100, 10, 200, 10])),
            fragment(&[0, 2], run(&[0, 1000])),
        ]
        .concat();
        for step in [1, 10_000] {
            assert_eq!(times(&file, step).iter().sum::<u64>(), 40_000 + 90_000 + 300_000);
        }
    }
}
