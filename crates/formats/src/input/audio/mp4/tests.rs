//! Tests with MP4 files that are built box by box.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::input::audio::queue::AudioChunk;

pub fn boxed(kind: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let size = u32::try_from(content.len() + 8).unwrap();
    [size.to_be_bytes().as_slice(), kind, &content].concat()
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// Returns a track with 1000 units per second.
fn track(id: u32, handler: &[u8], table: &[u8]) -> Vec<u8> {
    let stbl = boxed(b"stbl", &[table]);
    let media = [
        boxed(b"mdhd", &[&words(&[0, 0, 0, 1000, 0, 0])]),
        boxed(b"hdlr", &[&words(&[0, 0]), handler, &[0; 13]]),
        boxed(b"minf", &[&stbl]),
    ];
    boxed(b"trak", &[&boxed(b"tkhd", &[&words(&[7, 0, 0, id, 0])]), &boxed(b"mdia", &[&media.concat()])])
}

/// Returns a table of eight samples of 50 ms and 10 bytes, in chunks of three, three and two samples with gaps of 5
/// bytes.
fn table(first: u32) -> Vec<u8> {
    [
        boxed(b"stts", &[&words(&[0, 2, 5, 50, 3, 50])]),
        boxed(b"stsc", &[&words(&[0, 2, 1, 3, 1, 3, 2, 1])]),
        boxed(b"stsz", &[&words(&[0, 0, 8, 10, 10, 10, 10, 10, 10, 10, 10])]),
        boxed(b"stco", &[&words(&[0, 3, first, first + 35, first + 70])]),
    ]
    .concat()
}

fn file(is_index_first: bool) -> Vec<u8> {
    let start = boxed(b"ftyp", &[b"M4A \0\0\0\0"]);
    let data = boxed(b"mdat", &[&[7; 90]]);
    let index = |first| {
        let video = track(1, b"vide", &[]);
        boxed(b"moov", &[&video, &track(2, b"soun", &table(first)), &track(3, b"soun", &[])])
    };
    let size = u32::try_from(start.len() + 8).unwrap();
    if is_index_first {
        let first = size + u32::try_from(index(0).len()).unwrap();
        [start, index(first), data].concat()
    } else {
        [start, data, index(size)].concat()
    }
}

/// Returns a fragment of `count` samples with 10 bytes and 50 ms, which are defaults of the track fragment.
fn fragment(id: u32, count: u32) -> Vec<u8> {
    let make = |offset: u32| {
        let header = boxed(b"tfhd", &[&words(&[0x02_0018, id, 50, 10])]);
        let run = boxed(b"trun", &[&words(&[0x1, count, offset])]);
        boxed(b"moof", &[&boxed(b"mfhd", &[&words(&[0, 1])]), &boxed(b"traf", &[&header, &run])])
    };
    let offset = u32::try_from(make(0).len() + 8).unwrap();
    [make(offset), boxed(b"mdat", &[&vec![9; count as usize * 10]])].concat()
}

/// Detects the type from the complete stream, then splits it in blocks of `block` bytes.
fn split(bytes: &[u8], index: Option<&[u8]>, block: usize) -> (DetectedAudio, Vec<AudioChunk>) {
    let start = AudioStart { bytes, is_complete: true, name: "x.m4a", size: None, index };
    let mut format = read(&start, &AudioOptions::default()).unwrap();
    let mut queue = AudioQueue::default();
    bytes.chunks(block).for_each(|block| format.splitter.push(block, &mut queue));
    format.splitter.finish(&mut queue);
    let mut chunks = Vec::new();
    while let Some(chunk) = queue.take_chunk(Duration::from_millis(200), 100_000) {
        chunks.push(chunk);
    }
    (format, chunks)
}

fn total(chunks: &[AudioChunk]) -> (Vec<u8>, u128) {
    let time: Duration = chunks.iter().map(|chunk| chunk.duration).sum();
    (chunks.iter().flat_map(|chunk| chunk.data.to_vec()).collect(), (time.as_micros() + 500) / 1000)
}

#[test]
fn times_come_from_the_sample_table() {
    for block in [1, 7, 1000] {
        let bytes = file(true);
        let (format, chunks) = split(&bytes, None, block);
        assert!(format.has_exact_times && format.notices.is_empty());
        assert_eq!(total(&chunks), (bytes, 400), "{block}");
        assert!(chunks.iter().all(|chunk| chunk.duration <= Duration::from_millis(200)));
    }
}

#[test]
fn an_index_at_the_end_is_used_if_it_was_read_ahead() {
    let bytes = file(false);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.m4a");
    std::fs::write(&path, &bytes).unwrap();
    let index = read_index(&SeekableFile::open(Some(&path)).unwrap().unwrap()).unwrap();
    let (format, chunks) = split(&bytes, Some(&index), 64);
    assert!(format.has_exact_times && format.notices.is_empty());
    assert_eq!(total(&chunks), (bytes.clone(), 400));
    let (format, chunks) = split(&bytes, None, 64);
    assert!(!format.has_exact_times);
    let notice = "x.m4a: the times are at the end of the MP4 stream; sending at 128 kbit/s; set the actual bit rate with --bitrate";
    assert_eq!(format.notices, [notice]);
    assert_eq!(total(&chunks).0, bytes);
}

#[test]
fn times_come_from_fragments() {
    let index = boxed(b"moov", &[&track(2, b"soun", &[]), &boxed(b"mvex", &[])]);
    let bytes = [boxed(b"ftyp", &[b"iso5"]), index, fragment(2, 4), fragment(2, 6), fragment(9, 3)].concat();
    let (_, chunks) = split(&bytes, None, 33);
    // The last fragment belongs to another track, so its 30 bytes are estimated: 2 ms.
    assert_eq!(total(&chunks), (bytes, 502));
}

#[test]
fn damaged_tables_lose_no_bytes() {
    let whole = file(true);
    for at in 0..whole.len() {
        for value in [0, 0x7F, 0xFF] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            let (_, chunks) = split(&bytes, None, 50);
            assert_eq!(total(&chunks).0, bytes);
        }
    }
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn huge_tables_are_bounded() {
    // 4 billion samples without duration, all in one chunk: first of 1 byte each, then of 0 bytes.
    for size in [1, 0] {
        let table = [
            boxed(b"stts", &[&words(&[0, 1, u32::MAX, 0])]),
            boxed(b"stsc", &[&words(&[0, 1, 1, u32::MAX, 1])]),
            boxed(b"stsz", &[&words(&[0, size, u32::MAX])]),
            boxed(b"stco", &[&words(&[0, 1, 0])]),
        ];
        let index = boxed(b"moov", &[&track(2, b"soun", &table.concat())]);
        let bytes = [boxed(b"ftyp", &[b"M4A "]), index, boxed(b"mdat", &[&[1; 90]])].concat();
        let (_, chunks) = split(&bytes, None, 50);
        assert_eq!(total(&chunks).0, bytes);
    }
}

proptest! {
    #[test]
    fn any_bytes_are_sent_unchanged(noise in prop::collection::vec(any::<u8>(), 0..300), at in 0usize..800, cut in 0usize..1000, block in 1usize..200) {
        let mut bytes = [file(true), fragment(2, 5)].concat();
        let at = at.min(bytes.len()).max(8);
        bytes.splice(at..at, noise);
        bytes.truncate(cut.max(8));
        let (_, chunks) = split(&bytes, None, block);
        prop_assert!(chunks.iter().all(|chunk| chunk.data.len() <= 100_000 && chunk.duration <= Duration::from_secs(1)));
        prop_assert_eq!(total(&chunks).0, bytes);
    }
}
