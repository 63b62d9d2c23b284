//! Detects the type of an input: from its first bytes, or else from `--content-type`.

use tulk_base::error::Failure;

use super::detected::{AudioOptions, AudioStart, ConstantBitrate, DetectedAudio, conversion_hint, ffmpeg_command};
use super::pcm::PcmFormat;
use super::{flac, matroska, mp3, mp4, ogg, wav};

/// Number of bytes that identify every container.
const SIGNATURE_BYTES: usize = 64;

pub struct Probe<'a> {
    pub start: AudioStart<'a>,
    pub options: &'a AudioOptions,
}

impl Probe<'_> {
    /// Returns the type; `None` if more bytes are needed. Fails if the service is known not to support it.
    pub fn identify(&self) -> Result<Option<DetectedAudio>, Failure> {
        let mut detected = self.detect_container()?;
        if let Some(detected) =
            detected.as_mut().filter(|detected| detected.has_exact_times && self.options.bitrate.is_some())
        {
            detected.notices.push(format!("--bitrate has no effect: {} contains its times", self.start.name));
        }
        Ok(detected)
    }

    fn detect_container(&self) -> Result<Option<DetectedAudio>, Failure> {
        let (start, options) = (&self.start, self.options);
        let bytes = start.bytes;
        if bytes.len() < SIGNATURE_BYTES && !start.is_complete {
            return Ok(None);
        }
        if wav::is_wav(bytes) {
            return wav::read(start, options);
        }
        let found = if bytes.starts_with(b"OggS") {
            ogg::read(start)?
        } else if bytes.starts_with(b"fLaC") {
            Some(flac::read(start, options))
        } else if bytes.starts_with(&matroska::SIGNATURE) {
            matroska::read(start, options)?
        } else if mp3::is_mp3(bytes) {
            Some(mp3::read(start))
        } else if mp4::is_mp4(bytes) {
            mp4::read(start, options)
        } else {
            return self.detect_by_content_type().map(Some);
        };
        let Some(mut detected) = found else { return Ok(None) };
        if let Some(given) = &options.content_type {
            if PcmFormat::parse(given).is_some() && options.check {
                let what = format!("--content-type is {given}, but {} is {}", start.name, detected.content_type);
                return Err(Failure::usage(what).hint("omit --content-type: it is read from the file"));
            }
            detected.content_type.clone_from(given);
        }
        Ok(Some(detected))
    }

    fn detect_by_content_type(&self) -> Result<DetectedAudio, Failure> {
        let options = self.options;
        let Some(given) = &options.content_type else { return Err(self.unknown_type_failure()) };
        if let Some(format) = PcmFormat::parse(given) {
            if !format.is_supported() && options.check {
                return Err(Failure::usage(format!(
                    "--content-type {given}: the service accepts s16le at 8000, 16000, 44100 or 48000 Hz, \
                     and alaw or ulaw at 8000 Hz"
                ))
                .hint(conversion_hint(self.start.name)));
            }
            return Ok(DetectedAudio {
                content_type: given.clone(),
                header_bytes: 0,
                splitter: format.splitter(None),
                has_exact_times: true,
                notices: Vec::new(),
            });
        }
        if given.starts_with("audio/pcm") && options.check {
            return Err(Failure::usage(format!("--content-type {given} lacks the encoding or the rate"))
                .hint("write audio/pcm;encoding=s16le;rate=16000"));
        }
        let codec = [("flac", 256), ("opus", 32), ("aac", 96)].iter().find(|(codec, _)| given.contains(codec));
        Ok(ConstantBitrate::detected(given, options.bitrate, codec.map_or(128, |(_, kilobits)| *kilobits), Vec::new()))
    }

    pub fn unknown_type_failure(&self) -> Failure {
        let name = self.start.name;
        Failure::usage(format!("{name} is not WAV, Ogg, MP3, MP4, FLAC, WebM or Matroska audio")).hint(format!(
            "describe raw PCM with --content-type 'audio/pcm;encoding=s16le;rate=16000', or convert other audio, with your \
             options at the end: {}",
            ffmpeg_command(name)
        ))
    }
}
