//! FLAC: playing time from the average bit rate of a file, or from `--bitrate`.

use super::detected::{AudioOptions, AudioStart, ConstantBitrate, DetectedAudio, big_endian, channels_notice};

/// Bit rate in kbit/s that the service recommends.
const DEFAULT_KILOBITS: u32 = 256;

pub struct FlacStreamInfo {
    pub rate: u32,
    pub channels: u8,
    /// Total samples per channel; 0 if unknown.
    pub samples: u64,
}

impl FlacStreamInfo {
    pub fn parse(block: &[u8]) -> Option<Self> {
        // 20 bits sample rate, 3 bits channels minus 1, 5 bits sample size minus 1, 36 bits total samples.
        let packed = big_endian(block, 10, 8)?;
        let rate = u32::try_from(packed >> 44).ok().filter(|rate| *rate > 0)?;
        let channels = u8::try_from(packed >> 41 & 7).ok()? + 1;
        Some(Self { rate, channels, samples: packed & 0xF_FFFF_FFFF })
    }
}

pub fn read(start: &AudioStart<'_>, options: &AudioOptions) -> DetectedAudio {
    let info = start.bytes.get(8..).and_then(FlacStreamInfo::parse);
    let notices = info.as_ref().map(|info| channels_notice(start.name, info.channels)).unwrap_or_default();
    let average = info.filter(|info| info.samples > 0).zip(start.size).and_then(|(info, size)| {
        let millis = info.samples * 1000 / u64::from(info.rate);
        u32::try_from(size.saturating_mul(8).checked_div(millis)?).ok()
    });
    ConstantBitrate::detected("audio/flac", options.bitrate.or(average), DEFAULT_KILOBITS, notices)
}
