//! Targets for audio files, which check the audio that the client sends.

use tulk_formats::input::audio::in_memory::{SplitAudio, split};
use tulk_formats::input::audio::{AudioOptions, pcm::PcmFormat};

use super::{FuzzTarget, with_file};

pub const TARGETS: &[FuzzTarget] = &[
    FuzzTarget { name: "audio_flac", check: |input| check_unchanged(b"fLaC", input) },
    FuzzTarget { name: "audio_matroska", check: |input| check_unchanged(b"\x1A\x45\xDF\xA3", input) },
    FuzzTarget { name: "audio_mp3", check: mp3 },
    FuzzTarget { name: "audio_mp4", check: mp4 },
    FuzzTarget { name: "audio_ogg", check: |input| check_unchanged(b"OggS", input) },
    FuzzTarget { name: "audio_pcm", check: pcm },
    FuzzTarget { name: "audio_wav", check: wav },
];

fn split_twice(input: &[u8], file: Option<&std::path::Path>, options: &AudioOptions) -> Option<SplitAudio> {
    let step = usize::from(input.last().copied().unwrap_or(0)) + 1;
    let (whole, steps) = (split(input, usize::MAX, file, options), split(input, step, file, options));
    match (whole, steps) {
        (Ok(whole), Ok(steps)) => {
            assert_eq!(whole.content_type, steps.content_type, "blocks of {step} bytes");
            assert!(whole.sent == steps.sent, "blocks of {step} bytes change what is sent");
            Some(whole)
        }
        (Err(whole), Err(_)) => {
            assert!(whole.what.contains("input") || whole.what.contains("--content-type"), "{whole}");
            None
        }
        (whole, steps) => {
            assert_eq!(whole.is_ok(), steps.is_ok(), "blocks of {step} bytes");
            None
        }
    }
}

fn options(content_type: Option<&str>) -> AudioOptions {
    AudioOptions { content_type: content_type.map(str::to_owned), bitrate: None, check: true }
}

fn check_unchanged(signature: &[u8], input: &[u8]) {
    let input = [signature, input].concat();
    for options in [options(None), options(Some("audio/x-new"))] {
        if let Some(split) = split_twice(&input, None, &options) {
            assert!(split.sent == input, "the audio is changed");
        }
    }
}

/// No more is sent than the input has. Bytes outside of frames are left out.
fn mp3(input: &[u8]) {
    let input = [b"ID3", input].concat();
    if let Some(split) = split_twice(&input, None, &options(None)) {
        assert!(split.sent.len() <= input.len(), "more is sent than the input has");
    }
}

/// Reads MP4 from a stream, and also from a file, in which the index is read before the data. The first box is smaller than 16 MiB,
/// because a larger size may look like the start of an MP3 frame.
fn mp4(input: &[u8]) {
    let (size, rest) =
        input.split_at_checked(4).filter(|(size, _)| size.starts_with(&[0])).unwrap_or((&[0, 0, 0, 8], input));
    let input = [size, b"ftyp", rest].concat();
    for split in [
        split_twice(&input, None, &options(None)),
        with_file("talk.mp4", &input, |path| split_twice(&input, Some(path), &options(None))).flatten(),
    ]
    .into_iter()
    .flatten()
    {
        assert!(split.sent == input, "the audio is changed");
    }
}

/// Complete samples are sent. A conversion turns one byte into at most four samples of two bytes.
fn wav(input: &[u8]) {
    let input = [b"RIFF\xFF\xFF\xFF\xFFWAVE", input].concat();
    let Some(split) = split_twice(&input, None, &options(None)) else { return };
    let format = PcmFormat::parse(&split.content_type);
    assert!(format.is_some_and(PcmFormat::is_supported), "{}", split.content_type);
    assert!(split.sent.len().is_multiple_of(format.map_or(1, PcmFormat::sample_bytes)));
    assert!(split.sent.len() <= 8 * input.len(), "more is sent than the input has");
}

/// The first line is a content type as a user may type it; the rest is audio.
fn pcm(input: &[u8]) {
    let (first, audio) = memchr::memchr(b'\n', input).and_then(|at| input.split_at_checked(at)).unwrap_or((input, b""));
    let Ok(content_type) = std::str::from_utf8(first) else { return };
    let Some(split) = split_twice(audio, None, &options(Some(content_type))) else { return };
    if let Some(format) = PcmFormat::parse(content_type).filter(|_| !audio.starts_with(b"R")) {
        assert_eq!(PcmFormat::parse(&format.content_type()), Some(format));
        let whole = audio.len() / format.sample_bytes() * format.sample_bytes();
        assert_eq!(Some(split.sent.as_slice()), audio.get(..whole));
    }
}
