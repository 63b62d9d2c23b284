//! The last line of a run that is billed: `3 files, 120 texts, 4,321 characters sent, 80 from the cache, 2.3 s`.

use std::time::Duration;

use tulk_base::numbers::{counted, grouped};

use super::quota;
use crate::context::Context;

/// What a run did, or would do. Parts that are 0 are omitted.
#[derive(Clone, Debug, Default)]
pub struct RunSummary {
    pub files: u64,
    pub documents: u64,
    /// Texts, counted once for all languages.
    pub texts: u64,
    /// Playing time of the audio that was sent.
    pub audio: Duration,
    /// Characters that were sent; `None` if unknown.
    pub sent: Option<u64>,
    /// Whether a dry run knows only the minimum number of characters.
    pub is_minimum: bool,
    /// Characters that were billed, if the service reported any.
    pub billed: Option<u64>,
    /// Requests; only for a dry run.
    pub requests: u64,
    pub cached: u64,
    pub took: Duration,
}

impl RunSummary {
    /// Prints what a run did, if a person reads it and there is anything to report.
    pub fn print(&self, ctx: &Context) {
        if ctx.out.settings().stderr_is_terminal
            && (self.files + self.documents + self.texts > 0 || !self.audio.is_zero())
        {
            let sent = self.sent.filter(|sent| *sent > 0).map(|sent| format!("{} sent", counted(sent, "character")));
            let billed = self.billed.map(|billed| format!("{} billed", counted(billed, "character")));
            let took = Some(seconds(self.took));
            ctx.out.status(&self.line_with_parts([billed.or(sent), self.cached_part(), took]));
        }
    }

    /// Prints what a dry run would send, and for people the share of the remaining characters.
    pub async fn print_planned(&self, ctx: &Context) {
        let at_least = if self.is_minimum { "at least " } else { "" };
        let characters = self.sent.map(|sent| format!("{at_least}{}", counted(sent, "character")));
        let requests = (self.requests > 0).then(|| counted(self.requests, "request"));
        let mut line = format!("would send: {}", self.line_with_parts([characters, requests, self.cached_part()]));
        let is_read = ctx.out.settings().stderr_is_terminal && ctx.out.shows_status();
        if let Some(characters) = self.sent.filter(|sent| is_read && *sent > 0)
            && let Some(left) = quota::characters_left(ctx).await
        {
            line = format!("{line}; {}", quota::share_in_words(characters, left));
        }
        if ctx.out.settings().is_json() { ctx.out.log(&line) } else { ctx.out.status(&line) }
    }

    fn cached_part(&self) -> Option<String> {
        (self.cached > 0).then(|| format!("{} from the cache", grouped(self.cached)))
    }

    /// Returns the counts of the input, followed by these parts.
    fn line_with_parts(&self, parts: [Option<String>; 3]) -> String {
        let count = |number: u64, noun: &str| (number > 0).then(|| counted(number, noun));
        let audio = (!self.audio.is_zero()).then(|| format!("{} of audio", seconds(self.audio)));
        let read = [count(self.files, "file"), count(self.documents, "document"), count(self.texts, "text"), audio];
        read.into_iter().chain(parts).flatten().collect::<Vec<_>>().join(", ")
    }
}

/// Formats a duration: `2.3 s`, `3 min 20 s`, `1 h 5 min`.
fn seconds(time: Duration) -> String {
    match time.as_secs() {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        seconds @ 60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", grouped(seconds / 3600), seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_are_0_are_omitted() {
        let summary = RunSummary { files: 1, texts: 1200, ..RunSummary::default() };
        assert_eq!(summary.line_with_parts([None, summary.cached_part(), None]), "1 file, 1,200 texts");
        let summary = RunSummary { documents: 2, cached: 1, ..RunSummary::default() };
        assert_eq!(summary.line_with_parts([None, summary.cached_part(), None]), "2 documents, 1 from the cache");
        let summary = RunSummary { audio: Duration::from_secs(83), ..RunSummary::default() };
        assert_eq!(summary.line_with_parts([None, None, None]), "1 min 23 s of audio");
    }

    #[test]
    fn durations_have_two_units() {
        let of = |milliseconds| seconds(Duration::from_millis(milliseconds));
        assert_eq!([of(0), of(2340), of(59_990)], ["0.0 s", "2.3 s", "60.0 s"]);
        assert_eq!([of(200_000), of(3_900_000)], ["3 min 20 s", "1 h 5 min"]);
    }
}
