//! Check of this machine's clock against the date of an answer.

use std::time::{Duration, SystemTime};

use tulk_base::error::{Failure, Kind};
use tulk_client::http::answer::Answer;

use super::Check;

/// Difference of the clocks above which certificates and dates of answers may be misjudged.
const TOLERANCE: Duration = Duration::from_secs(300);

/// Compares the date of an answer, which took some time, with the clock at the moment when it was received.
pub(super) fn check(answer: &Answer, took: Duration, received: SystemTime) -> Check {
    let date = answer.headers.get("date").and_then(|date| httpdate::parse_http_date(date.to_str().ok()?).ok());
    let Some(date) = date else { return Check::skipped("clock", "the answer has no date") };
    let (apart, how) = match received.duration_since(date) {
        Ok(ahead) => (ahead, "ahead of"),
        Err(behind) => (behind.duration(), "behind"),
    };
    // A date has whole seconds, and the answer took its time.
    if apart <= took + Duration::from_secs(2) {
        return Check::ok("clock", "same as the server's");
    }
    let text = format!("this clock is {} {how} the server's", rounded(apart));
    if apart <= TOLERANCE {
        return Check::ok("clock", text);
    }
    let failure = Failure::new(Kind::Internal, text);
    Check::failed(
        "clock",
        &failure.hint("check the clock of this machine (`date -u`); if it is right, the server's clock is wrong"),
    )
}

/// Returns a time in the unit that people would use, rounded to a whole number.
fn rounded(time: Duration) -> String {
    let seconds = time.as_secs();
    let (size, unit) = match seconds {
        0..120 => (1, "second"),
        120..7_200 => (60, "minute"),
        7_200..172_800 => (3_600, "hour"),
        _ => (86_400, "day"),
    };
    match (seconds + size / 2) / size {
        1 => format!("1 {unit}"),
        count => format!("{count} {unit}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_rounded_to_the_unit_that_people_use() {
        for (seconds, text) in [
            (1, "1 second"),
            (119, "119 seconds"),
            (120, "2 minutes"),
            (3_540, "59 minutes"),
            (3_599, "60 minutes"),
            (7_199, "120 minutes"),
            (7_200, "2 hours"),
            (172_800, "2 days"),
            (1_000_000, "12 days"),
        ] {
            assert_eq!(rounded(Duration::from_secs(seconds)), text);
        }
    }
}
