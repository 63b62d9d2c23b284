//! Dates of jq, in UTC: seconds since 1970, texts, and lists of their parts such as `[2026,10,21,19,54,7,6,324]`.

use jaq_core::native::{Fun, bome, run, unary, v};
use jaq_core::{Error, ValR};
use jaq_json::Val;
use jiff::civil::DateTime;
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::Data;
use super::functions::{number, string, text};

/// Returns the functions.
pub fn all() -> impl Iterator<Item = Fun<Data>> {
    let functions: [jaq_core::native::Filter<jaq_core::RunPtr<Data>>; 7] = [
        ("now", v(0), |_| bome(Ok(Val::from(Timestamp::now().as_duration().as_secs_f64())))),
        ("todateiso8601", v(0), |cv| bome(whole_seconds(&cv.1).map(|time| text(time.to_string())))),
        ("fromdateiso8601", v(0), |cv| bome(from_date(&cv.1))),
        ("gmtime", v(0), |cv| bome(timestamp(&cv.1).map(parts))),
        ("mktime", v(0), |cv| bome(whole_seconds(&cv.1).and_then(|time| integer(time.as_second())))),
        ("strftime", v(1), |cv| {
            unary(cv, |value, format| {
                let time = timestamp(&value)?.to_zoned(TimeZone::UTC);
                strtime::format(string(&format)?, &time).map(text).map_err(Error::str)
            })
        }),
        ("strptime", v(1), |cv| {
            unary(cv, |value, format| {
                let parsed = strtime::parse(string(&format)?, string(&value)?).map_err(Error::str)?;
                let time = match parsed.to_timestamp() {
                    Ok(time) => time,
                    Err(_) => parsed.to_datetime().map_err(Error::str).and_then(in_utc)?,
                };
                Ok(parts(time))
            })
        }),
    ];
    functions.into_iter().map(run::<Data>)
}

fn in_utc(time: DateTime) -> Result<Timestamp, Error<Val>> {
    TimeZone::UTC.to_timestamp(time).map_err(Error::str)
}

fn integer<T: TryInto<isize>>(n: T) -> ValR<Val> {
    n.try_into().map(Val::from).map_err(|_| Error::str("the number is too large"))
}

/// Returns the time of seconds since 1970, or of a list of parts.
fn timestamp(value: &Val) -> Result<Timestamp, Error<Val>> {
    let Val::Arr(parts) = value else {
        let seconds = SignedDuration::try_from_secs_f64(number(value)?).map_err(Error::str)?;
        return Timestamp::from_duration(seconds).map_err(Error::str);
    };
    let part = |i: usize| parts.get(i).and_then(jaq_std::ValT::as_f64).filter(|part| part.abs() < f64::from(i16::MAX));
    let time = || {
        // Below the largest number of 16 bits, so nothing is lost.
        #[allow(clippy::cast_possible_truncation)]
        let [year, month, day, hour, minute, second] =
            [part(0)?, part(1)? + 1.0, part(2)?, part(3)?, part(4)?, part(5)?].map(|part| part as i16);
        let [month, day, hour, minute, second] = [
            month.try_into().ok()?,
            day.try_into().ok()?,
            hour.try_into().ok()?,
            minute.try_into().ok()?,
            second.try_into().ok()?,
        ];
        DateTime::new(year, month, day, hour, minute, second, 0).ok()
    };
    in_utc(time().ok_or_else(|| Error::typ(value.clone(), "date"))?)
}

fn whole_seconds(value: &Val) -> Result<Timestamp, Error<Val>> {
    let time = timestamp(value)?;
    let second = time.as_second() - i64::from(time.subsec_nanosecond() < 0);
    Timestamp::from_second(second).map_err(Error::str)
}

/// Returns the list of parts: year, month from 0, day, hour, minute, second, day of the week from Sunday, day of the year from 0.
fn parts(time: Timestamp) -> Val {
    let time = time.to_zoned(TimeZone::UTC);
    let second = f64::from(time.second()) + f64::from(time.subsec_nanosecond()) / 1e9;
    let second = if second.fract() == 0.0 { Val::from(isize::from(time.second())) } else { Val::from(second) };
    let whole = |n: i16| Val::from(isize::from(n));
    [
        whole(time.year()),
        whole(i16::from(time.month()) - 1),
        whole(time.day().into()),
        whole(time.hour().into()),
        whole(time.minute().into()),
        second,
        whole(time.weekday().to_sunday_zero_offset().into()),
        whole(time.day_of_year() - 1),
    ]
    .into_iter()
    .collect()
}

/// Returns a date as seconds since 1970, whole if the date has no fraction.
fn from_date(value: &Val) -> ValR<Val> {
    let date: Timestamp = string(value)?.parse().map_err(Error::str)?;
    if date.subsec_nanosecond() != 0 {
        return Ok(Val::from(date.as_duration().as_secs_f64()));
    }
    integer(date.as_second())
}
