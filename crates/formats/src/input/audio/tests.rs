//! Tests with audio files that are built byte by byte.

use std::time::Duration;

use super::*;

mod conversion;

const MS: Duration = Duration::from_millis(1);

fn options(content_type: Option<&str>) -> AudioOptions {
    AudioOptions { content_type: content_type.map(str::to_owned), bitrate: None, check: true }
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

fn read(bytes: &[u8], options: &AudioOptions) -> Result<(String, Vec<AudioChunk>), Failure> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("talk");
    std::fs::write(&path, bytes).unwrap();
    run(async {
        let mut audio = Audio::open(Some(&path), options).await?.unwrap();
        let mut chunks = Vec::new();
        while let Some(chunk) = audio.next_chunk(200 * MS).await? {
            chunks.push(chunk);
        }
        Ok((audio.content_type, chunks))
    })
}

fn total(chunks: &[AudioChunk]) -> (usize, Duration) {
    (chunks.iter().map(|c| c.data.len()).sum(), chunks.iter().map(|c| c.duration).sum())
}

fn wav(tag: u16, channels: u16, rate: u32, bits: u16, size: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"RIFF\xFF\xFF\xFF\xFFWAVELIST\x03\0\0\0abc\0fmt \x10\0\0\0".to_vec();
    bytes.extend(tag.to_le_bytes());
    bytes.extend(channels.to_le_bytes());
    bytes.extend(rate.to_le_bytes());
    bytes.extend((rate * u32::from(channels * bits / 8)).to_le_bytes());
    bytes.extend((channels * bits / 8).to_le_bytes());
    bytes.extend(bits.to_le_bytes());
    bytes.extend(b"data");
    bytes.extend(size.to_le_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn wav_is_sent_as_pcm_without_header_and_trailer() {
    let data: Vec<u8> = (0..=255).cycle().take(32_000).collect();
    let mut file = wav(1, 1, 16_000, 16, 32_000, &data);
    file.extend(b"LIST\x04\0\0\0tail");
    let (content_type, chunks) = read(&file, &options(None)).unwrap();
    assert_eq!(content_type, "audio/pcm;encoding=s16le;rate=16000");
    assert_eq!(total(&chunks), (32_000, 1000 * MS));
    assert!(chunks.iter().all(|c| c.data.len() % 2 == 0 && c.duration <= 250 * MS));
    assert_eq!(chunks.iter().flat_map(|c| c.data.to_vec()).collect::<Vec<_>>(), data);
}

#[test]
fn wav_from_a_pipe_has_no_size() {
    for size in [0, u32::MAX, 0x7FFF_FFFF, 0x8000_0000] {
        let (_, chunks) = read(&wav(1, 1, 8000, 16, size, &[1; 1600]), &options(None)).unwrap();
        assert_eq!(total(&chunks), (1600, 100 * MS), "{size:x}");
    }
}

#[test]
fn wav_can_be_alaw_ulaw_or_extensible() {
    let (content_type, _) = read(&wav(6, 1, 8000, 8, 0, &[1; 800]), &options(None)).unwrap();
    assert_eq!(content_type, "audio/pcm;encoding=alaw;rate=8000");
    let (content_type, _) = read(&wav(7, 1, 8000, 8, 0, &[1; 800]), &options(None)).unwrap();
    assert_eq!(content_type, "audio/pcm;encoding=ulaw;rate=8000");
    let mut file =
        b"RIFF\0\0\0\0WAVEfmt \x28\0\0\0\xFE\xFF\x01\0\x80\xBB\0\0\0\x77\x01\0\x02\0\x10\0\x16\0\x10\0\x04\0\0\0"
            .to_vec();
    file.extend(b"\x01\0\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71data\0\0\0\0");
    file.extend([0; 960]);
    let (content_type, chunks) = read(&file, &options(None)).unwrap();
    assert_eq!(content_type, "audio/pcm;encoding=s16le;rate=48000");
    assert_eq!(total(&chunks), (960, 10 * MS));
}

#[test]
fn refuses_unsupported_pcm_with_a_command_that_converts_it() {
    for (file, words) in [
        (wav(2, 1, 16_000, 4, 0, &[0; 64]), "unsupported WAV (format 2, 16000 Hz, 1 channel)"),
        (wav(1, 1, 2000, 16, 0, &[0; 64]), "unsupported WAV (16 bits, 2000 Hz, 1 channel)"),
        (wav(1, 0, 22_050, 16, 0, &[0; 64]), "unsupported WAV (16 bits, 22050 Hz, 0 channels)"),
        (wav(7, 2, 8000, 8, 0, &[0; 64]), "unsupported WAV (µ-law, 8000 Hz, 2 channels)"),
    ] {
        let failure = read(&file, &options(None)).unwrap_err();
        assert!(failure.what.contains(words), "{failure}");
        assert!(failure.hint.unwrap().contains("-ac 1 -ar 16000 -c:a pcm_s16le -f wav - | tulk voice stream -"));
    }
    let failure = read(&[0; 100], &options(Some("audio/pcm;encoding=s16le;rate=22050"))).unwrap_err();
    assert!(failure.what.contains("8000, 16000, 44100 or 48000"), "{failure}");
}

#[test]
fn raw_pcm_needs_its_content_type() {
    let failure = read(&[0; 3200], &options(None)).unwrap_err();
    assert!(failure.hint.unwrap().contains("--content-type 'audio/pcm;encoding=s16le;rate=16000'"));
    let (_, chunks) = read(&[0; 3201], &options(Some("audio/pcm;encoding=s16le;rate=16000"))).unwrap();
    assert_eq!(total(&chunks), (3200, 100 * MS), "half a sample at the end is dropped");
}

#[test]
fn refuses_a_content_type_that_contradicts_the_file() {
    let pcm = options(Some("audio/pcm;encoding=s16le;rate=8000"));
    assert!(read(&wav(1, 1, 16_000, 16, 0, &[0; 64]), &pcm).is_err());
    assert!(read(&ogg(b"OpusHead\x01\x01\0\0\x80\xBB\0\0\0\0\0"), &pcm).is_err());
}

fn page(flags: u8, position: u64, body: &[u8]) -> Vec<u8> {
    let mut page = b"OggS\0".to_vec();
    page.push(flags);
    page.extend(position.to_le_bytes());
    page.extend([0; 12]);
    let mut table = vec![255; body.len() / 255];
    table.push(u8::try_from(body.len() % 255).unwrap());
    page.push(u8::try_from(table.len()).unwrap());
    page.extend(table);
    page.extend(body);
    page
}

fn ogg(head: &[u8]) -> Vec<u8> {
    let mut file = page(2, 0, head);
    file.extend(page(0, 0, b"OpusTags"));
    file.extend(page(0, 48_000, &[1; 4000]));
    file.extend(page(0, u64::MAX, &[2; 1000]));
    file.extend(page(4, 72_000, &[3; 1000]));
    file
}

#[test]
fn ogg_times_come_from_page_positions() {
    let file = ogg(b"OpusHead\x01\x01\0\0\x80\xBB\0\0\0\0\0");
    let (content_type, chunks) = read(&file, &options(None)).unwrap();
    assert_eq!(content_type, "audio/ogg;codecs=opus");
    assert_eq!(chunks.iter().flat_map(|c| c.data.to_vec()).collect::<Vec<_>>(), file);
    let sizes: Vec<_> = chunks.iter().map(|c| (c.data.len(), c.duration.as_millis())).collect();
    assert_eq!(sizes, [(83, 0), (4043, 1000), (1031, 0), (1031, 500)], "whole pages");
}

#[test]
fn a_long_ogg_page_is_divided_into_chunks() {
    let mut file = page(2, 0, b"OpusHead\x01\x01\0\0\x80\xBB\0\0\0\0\0");
    file.extend(page(4, 144_000, &vec![1; 30_000]));
    let (_, chunks) = read(&file, &options(None)).unwrap();
    assert_eq!(total(&chunks), (file.len(), 3000 * MS));
    assert!(chunks.iter().all(|c| c.duration <= 201 * MS));
}

#[test]
fn other_streams_in_an_ogg_file_have_no_time() {
    let mut file = ogg(b"OpusHead\x01\x01\0\0\x80\xBB\0\0\0\0\0");
    let mut other = page(2, 0, b"fishead\0");
    other[14] = 9;
    file.extend(other);
    let mut other = page(0, 9_000_000, &[5; 100]);
    other[14] = 9;
    file.extend(other);
    file.extend(page(4, 96_000, &[3; 1000]));
    assert_eq!(total(&read(&file, &options(None)).unwrap().1), (file.len(), 2000 * MS));
}

#[test]
fn ogg_with_vorbis_is_refused() {
    assert!(
        read(&ogg(b"\x01vorbis0123456789"), &options(None))
            .unwrap_err()
            .hint
            .unwrap()
            .starts_with("convert it, with your options at the end: ffmpeg -i ")
    );
}

#[test]
fn mp3_times_come_from_frames_and_tags_are_dropped() {
    // 128 kbit/s, 44.1 kHz, mono: 417 bytes, 26.122 ms.
    let mut frame = vec![0xFF, 0xFB, 0x90, 0xC0];
    frame.resize(417, 0x55);
    let mut file = b"ID3\x04\0\0\0\0\x01\x05".to_vec();
    file.extend([0xFF; 133]);
    for _ in 0..38 {
        file.extend(&frame);
    }
    file.extend(b"TAG");
    file.extend([0; 125]);
    let (content_type, chunks) = read(&file, &options(None)).unwrap();
    assert_eq!(content_type, "audio/mpeg");
    assert_eq!(total(&chunks), (38 * 417, Duration::from_micros(38 * 26_122)));
    assert!(chunks.iter().all(|c| c.data.len() % 417 == 0 && c.duration <= 200 * MS));
}

#[test]
fn containers_without_times_use_the_bit_rate() {
    let given = options(Some("audio/x-new;codecs=opus"));
    let (content_type, chunks) = read(&[7; 8000], &given).unwrap();
    assert_eq!(content_type, "audio/x-new;codecs=opus");
    assert_eq!(total(&chunks), (8000, 2000 * MS), "32 kbit/s");
    let (_, chunks) = read(&[7; 8000], &AudioOptions { bitrate: Some(64), ..given }).unwrap();
    assert_eq!(total(&chunks), (8000, 1000 * MS));
}

#[test]
fn flac_files_use_their_average_bit_rate() {
    let mut flac = b"fLaC\0\0\0\x22".to_vec();
    flac.extend([0; 10]);
    // 16 kHz, one channel, 16 bit, 32,000 samples: 2 s.
    let packed: u64 = (16_000 << 44) | (15 << 36) | 0x7d00;
    flac.extend(packed.to_be_bytes());
    flac.resize(20_000, 7);
    let (content_type, chunks) = read(&flac, &options(None)).unwrap();
    assert_eq!((content_type.as_str(), total(&chunks)), ("audio/flac", (20_000, 2000 * MS)));
}

#[test]
fn returns_none_for_an_empty_input() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("empty");
    std::fs::write(&path, b"").unwrap();
    assert!(run(Audio::open(Some(&path), &options(None))).unwrap().is_none());
}

#[test]
fn an_incomplete_header_is_refused() {
    for bytes in [b"RIFF\0\0\0\0WAVEfmt ".as_slice(), b"OggS\0\x02"] {
        assert!(read(bytes, &options(None)).is_err());
    }
}
