//! FLAC: paced by its average bit rate where that can be known, else by `--bitrate`.

use super::kind::{Seen, be, channels_note};
use super::rate::Steady;
use super::{Asked, Head};

/// Kilobits a second that the service advises.
const USUAL: u32 = 256;

/// What the stream information says.
pub struct Info {
    /// Samples a second.
    pub rate: u32,
    /// Channels.
    pub channels: u8,
    /// Samples in all; 0 is unknown.
    pub samples: u64,
}

/// Reads a stream information block.
pub fn info(block: &[u8]) -> Option<Info> {
    // 20 bits rate, 3 bits channels less one, 5 bits width, 36 bits samples.
    let packed = be(block, 10, 8)?;
    let rate = u32::try_from(packed >> 44).ok().filter(|rate| *rate > 0)?;
    let channels = u8::try_from(packed >> 41 & 7).ok()? + 1;
    Some(Info { rate, channels, samples: packed & 0xF_FFFF_FFFF })
}

/// The head of a file.
pub fn read(seen: &Seen<'_>, asked: &Asked) -> Head {
    let info = seen.bytes.get(8..).and_then(info);
    let notes = info.as_ref().map(|info| channels_note(seen.name, info.channels)).unwrap_or_default();
    let average = info.filter(|info| info.samples > 0).zip(seen.size).and_then(|(info, size)| {
        let millis = info.samples * 1000 / u64::from(info.rate);
        u32::try_from(size.saturating_mul(8).checked_div(millis)?).ok()
    });
    Steady::head("audio/flac", asked.bitrate.or(average), USUAL, notes)
}
