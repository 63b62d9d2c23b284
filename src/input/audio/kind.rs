//! What an input is, by its first bytes; `--content-type` where they say nothing. Spec: "Voice", source content types.

use super::pcm::PcmFormat;
use super::rate::Steady;
use super::{Asked, Head, ebml, flac, mp3, ogg, wav};
use crate::error::Failure;

/// What was read of an input so far.
pub struct Seen<'a> {
    /// Its first bytes.
    pub bytes: &'a [u8],
    /// Whether that is all.
    pub ended: bool,
    /// What it is called.
    pub name: &'a str,
    /// How large it is, if it is a file.
    pub size: Option<u64>,
}

/// Bytes that are enough to tell every container.
const ENOUGH: usize = 64;

/// Tells what the input is; `None` when more bytes are needed.
pub fn read(seen: &Seen<'_>, asked: &Asked) -> Result<Option<Head>, Failure> {
    let bytes = seen.bytes;
    if bytes.len() < ENOUGH && !seen.ended {
        return Ok(None);
    }
    if wav::is(bytes) {
        return wav::read(seen, asked);
    }
    let head = if bytes.starts_with(b"OggS") {
        ogg::read(seen)?
    } else if bytes.starts_with(b"fLaC") {
        Some(flac::read(seen, asked))
    } else if bytes.starts_with(&ebml::MAGIC) {
        ebml::read(seen, asked)?
    } else if mp3::is(bytes) {
        Some(mp3::read(seen))
    } else if bytes.get(4..8) == Some(b"ftyp") {
        Some(Steady::head("audio/mpeg", asked.bitrate, 128, Vec::new()))
    } else {
        return by_content_type(seen, asked).map(Some);
    };
    let Some(mut head) = head else { return Ok(None) };
    if let Some(given) = &asked.content_type {
        if PcmFormat::of(given).is_some() && asked.check {
            return Err(Failure::usage(format!("--content-type {given}, but {} is {}", seen.name, head.content_type))
                .hint("leave --content-type out: the container says itself what it holds"));
        }
        head.content_type.clone_from(given);
    }
    Ok(Some(head))
}

/// An input that begins like no container.
fn by_content_type(seen: &Seen<'_>, asked: &Asked) -> Result<Head, Failure> {
    let Some(given) = &asked.content_type else { return Err(unknown(seen)) };
    if let Some(format) = PcmFormat::of(given) {
        if !format.is_taken() && asked.check {
            return Err(Failure::usage(format!(
                "--content-type {given}: the service takes s16le at 8000, 16000, 44100 or 48000 Hz, \
                 and alaw or ulaw at 8000 Hz"
            ))
            .hint(ffmpeg(seen.name)));
        }
        let splitter = format.splitter(None);
        return Ok(Head { content_type: given.clone(), skip: 0, splitter, exact: true, notes: Vec::new() });
    }
    if given.starts_with("audio/pcm") && asked.check {
        return Err(Failure::usage(format!("--content-type {given} names no encoding and rate"))
            .hint("write audio/pcm;encoding=s16le;rate=16000"));
    }
    let usual = [("flac", 256), ("opus", 32), ("aac", 96)].iter().find(|(codec, _)| given.contains(codec));
    Ok(Steady::head(given, asked.bitrate, usual.map_or(128, |(_, rate)| *rate), Vec::new()))
}

/// The failure of an input that is nothing known.
pub fn unknown(seen: &Seen<'_>) -> Failure {
    Failure::usage(format!("{} is no WAV, Ogg, MP3, FLAC, WebM or Matroska audio", seen.name)).hint(format!(
        "name raw PCM with --content-type 'audio/pcm;encoding=s16le;rate=16000'; for the rest: {}",
        ffmpeg(seen.name)
    ))
}

/// The line that makes any audio fit.
pub fn ffmpeg(name: &str) -> String {
    let input = if name == "stdin" { "-".to_owned() } else { quoted(name) };
    format!("ffmpeg -i {input} -ac 1 -ar 16000 -c:a pcm_s16le -f wav - | tulk voice stream -")
}

/// A file name as a shell takes it.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "._-/".contains(c);
    if name.chars().all(plain) && !name.starts_with('-') {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', r"'\''"))
    }
}

/// What to say of a container with more than one channel.
pub fn channels_note(name: &str, channels: u8) -> Vec<String> {
    if channels <= 1 {
        return Vec::new();
    }
    vec![format!("{name} has {channels} channels, the service asks for one; if it refuses: {}", ffmpeg(name))]
}

/// A little-endian number of `n` bytes.
pub fn le(bytes: &[u8], at: usize, n: usize) -> Option<u64> {
    Some(bytes.get(at..at + n)?.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

/// A big-endian number of `n` bytes.
pub fn be(bytes: &[u8], at: usize, n: usize) -> Option<u64> {
    Some(bytes.get(at..at + n)?.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}
