//! How amounts, rates and times are written beside a bar.

use std::time::Duration;

use crate::output::render::group_digits;

/// What a task counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProgressUnit {
    /// Things without a name, such as documents.
    #[default]
    Items,
    /// Bytes of a file.
    Bytes,
    /// Entries of a text.
    Entries,
    /// Seconds of audio.
    Seconds,
}

impl ProgressUnit {
    /// Formats what is done, of how much if that is known. `None` if the bar and its percentage say enough.
    pub(super) fn amount(self, done: u64, total: Option<u64>) -> Option<String> {
        let with_total = |format: fn(u64) -> String| match total {
            Some(total) => format!("{} of {}", format(done), format(total)),
            None => format(done),
        };
        match (self, total) {
            (Self::Bytes, Some(_)) => None,
            (Self::Bytes, None) => Some(bytes(done)),
            (Self::Seconds, _) => Some(with_total(|seconds| clock(Duration::from_secs(seconds)))),
            (Self::Entries, _) if total.unwrap_or(done) == 1 => Some(format!("{} entry", with_total(grouped))),
            (Self::Entries, _) => Some(format!("{} entries", with_total(grouped))),
            (Self::Items, _) => Some(with_total(grouped)),
        }
    }

    /// Formats an amount per second. `None` for audio, which is sent at its own pace.
    pub(super) fn rate(self, per_second: u64) -> Option<String> {
        match self {
            Self::Bytes => Some(format!("{}/s", bytes(per_second))),
            Self::Entries | Self::Items => Some(format!("{}/s", grouped(per_second))),
            Self::Seconds => None,
        }
    }
}

/// Formats a size, such as `1.2 MiB`.
pub(super) fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let mut tenths = u128::from(bytes) * 10 / 1024;
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut units = UNITS.iter();
    let mut unit = units.next().unwrap_or(&"KiB");
    while tenths >= 10_240 {
        let Some(larger) = units.next() else { break };
        tenths /= 1024;
        unit = larger;
    }
    format!("{}.{} {unit}", tenths / 10, tenths % 10)
}

/// Formats a count with a comma between groups of three digits.
pub fn grouped(count: u64) -> String {
    group_digits(&count.to_string())
}

/// Formats a time, such as `0:14` or `1:02:03`.
pub(super) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_one_decimal() {
        let sizes = [0, 1023, 1024, 1_258_291, 1_048_575, u64::MAX].map(bytes);
        assert_eq!(sizes, ["0 B", "1023 B", "1.0 KiB", "1.1 MiB", "1023.9 KiB", "16777215.9 TiB"]);
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn times_look_like_a_clock() {
        assert_eq!([0, 14, 600, 3723].map(|s| clock(Duration::from_secs(s))), ["0:00", "0:14", "10:00", "1:02:03"]);
    }

    #[test]
    fn amounts_name_their_unit() {
        assert_eq!(ProgressUnit::Entries.amount(1200, Some(2000)).unwrap(), "1,200 of 2,000 entries");
        assert_eq!(ProgressUnit::Entries.amount(1, None).unwrap(), "1 entry");
        assert_eq!(ProgressUnit::Seconds.amount(42, Some(190)).unwrap(), "0:42 of 3:10");
        assert_eq!(ProgressUnit::Bytes.amount(42, Some(190)), None, "the bar shows it");
        assert_eq!(ProgressUnit::Bytes.amount(2048, None).unwrap(), "2.0 KiB");
        assert_eq!(ProgressUnit::Bytes.rate(2048).unwrap(), "2.0 KiB/s");
        assert_eq!(ProgressUnit::Seconds.rate(2), None);
    }
}
