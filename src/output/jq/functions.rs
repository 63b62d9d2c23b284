//! Functions of jq that need more than its own language: texts of values, encodings, mathematics, regular expressions, dates.
//!
//! Regular expressions are those of `test`, `match`, `capture`, `scan`, `split` and `sub`: the definitions of the library build these on
//! a list of matches and of what is between them. Dates are in UTC: seconds since 1970, texts, and lists of their parts such as
//! `[2026,10,21,19,54,7,6,324]`.

use base64::engine::general_purpose::{GeneralPurpose, STANDARD};
use base64::engine::{DecodePaddingMode, GeneralPurposeConfig};
use base64::{Engine as _, alphabet};
use jaq_core::native::{Fun, bome, run, unary, v};
use jaq_core::{Bind, Cv, Error, ValR, ValT as _};
use jaq_json::Val;
use jaq_std::ValT as _;
use jiff::civil::DateTime;
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, percent_encode};
use regex_bites::{Regex, RegexBuilder};

use super::{Data, value};

/// Characters that `@uri` encodes: all but those that RFC 3986 does not reserve.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Decodes base64 with and without padding.
const BASE64_DECODER: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Returns the functions.
pub fn all() -> impl Iterator<Item = Fun<Data>> {
    let pattern_and_flags = || -> Box<[Bind]> { Box::new([Bind::Var(()), Bind::Var(())]) };
    let functions: [jaq_core::native::Filter<jaq_core::RunPtr<Data>>; 20] = [
        ("encode_base64", v(0), |cv| bome(bytes(&cv.1).map(|bytes| text(STANDARD.encode(bytes))))),
        ("decode_base64", v(0), |cv| bome(decode_base64(&cv.1))),
        ("encode_uri", v(0), |cv| bome(bytes(&cv.1).map(|bytes| text(percent_encode(bytes, ENCODED).to_string())))),
        ("decode_uri", v(0), |cv| {
            bome(bytes(&cv.1).map(|bytes| text(percent_decode(bytes).decode_utf8_lossy().into_owned())))
        }),
        ("tojson", v(0), |cv| bome(Ok(text(value::to_json(&cv.1))))),
        ("tostring", v(0), |cv| bome(Ok(if cv.1.as_bytes().is_some() { cv.1 } else { text(value::to_json(&cv.1)) }))),
        ("fromjson", v(0), |cv| {
            bome(string(&cv.1).and_then(|json| value::parse(json).map_err(|e| not_json(json, &e))))
        }),
        ("sqrt", v(0), |cv| bome(calculate(&cv.1, f64::sqrt))),
        ("trunc", v(0), |cv| bome(calculate(&cv.1, f64::trunc))),
        ("fabs", v(0), |cv| bome(calculate(&cv.1, f64::abs))),
        ("exp", v(0), |cv| bome(calculate(&cv.1, f64::exp))),
        ("exp2", v(0), |cv| bome(calculate(&cv.1, f64::exp2))),
        ("exp10", v(0), |cv| bome(calculate(&cv.1, |exponent| 10f64.powf(exponent)))),
        ("log", v(0), |cv| bome(calculate(&cv.1, f64::ln))),
        ("log2", v(0), |cv| bome(calculate(&cv.1, f64::log2))),
        ("log10", v(0), |cv| bome(calculate(&cv.1, f64::log10))),
        ("pow", v(2), |mut cv| {
            let (exponent, base) = (cv.0.pop_var(), cv.0.pop_var());
            bome(number(&base).and_then(|base| Ok(Val::from(base.powf(number(&exponent)?)))))
        }),
        ("matches", pattern_and_flags(), |cv| bome(search(RegexParts::Matches, cv))),
        ("split_matches", pattern_and_flags(), |cv| bome(search(RegexParts::Both, cv))),
        ("split_", pattern_and_flags(), |cv| bome(search(RegexParts::Between, cv))),
    ];
    functions.into_iter().map(run::<Data>)
}

fn bytes(value: &Val) -> Result<&[u8], Error<Val>> {
    value.as_bytes().ok_or_else(|| Error::typ(value.clone(), "string"))
}

/// Returns a string.
fn string(value: &Val) -> Result<&str, Error<Val>> {
    std::str::from_utf8(bytes(value)?).map_err(Error::str)
}

/// Returns a number.
fn number(value: &Val) -> Result<f64, Error<Val>> {
    value.as_f64().ok_or_else(|| Error::typ(value.clone(), "number"))
}

/// Returns the value of a text.
fn text(text: String) -> Val {
    Val::from(text)
}

fn calculate(value: &Val, function: fn(f64) -> f64) -> ValR<Val> {
    number(value).map(|number| Val::from(function(number)))
}

fn not_json(text: &str, problem: &str) -> Error<Val> {
    Error::str(format!("{} {problem}", value::to_json(&Val::from(text.to_owned()))))
}

fn decode_base64(value: &Val) -> ValR<Val> {
    let decoded = BASE64_DECODER.decode(bytes(value)?).map_err(Error::str)?;
    Ok(text(String::from_utf8_lossy(&decoded).into_owned()))
}

/// Searches the input with a regular expression and flags, the two arguments.
fn search(parts: RegexParts, mut cv: Cv<'_, Data>) -> ValR<Val> {
    let (flags, pattern) = (cv.0.pop_var(), cv.0.pop_var());
    let flags = if matches!(flags, Val::Null) { "" } else { string(&flags)? };
    search_regex(parts, string(&cv.1)?, string(&pattern)?, flags)
}

/// What a search returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegexParts {
    /// A list of groups for each match.
    Matches,
    /// The texts between matches.
    Between,
    /// Both, in order.
    Both,
}

/// Flags of a search, as letters of jq.
#[derive(Clone, Copy, Debug, Default)]
struct SearchFlags {
    /// `g`: all matches, not only the first.
    all: bool,
    /// `n`: without empty matches.
    without_empty: bool,
}

/// Returns the parts of a text.
pub fn search_regex(parts: RegexParts, text: &str, pattern: &str, flags: &str) -> ValR<Val> {
    let (flags, regex) = compile(pattern, flags)?;
    let mut found: Vec<Val> = Vec::new();
    let mut end = 0;
    for captures in regex.captures_iter(text) {
        let Some(whole) = captures.get(0) else { continue };
        if flags.without_empty && whole.as_str().is_empty() {
            continue;
        }
        if parts != RegexParts::Matches {
            found.push(copied(text.get(end..whole.start()).unwrap_or_default()));
            end = whole.end();
        }
        if parts != RegexParts::Between {
            let groups = captures.iter().zip(regex.capture_names());
            let groups: Result<Vec<_>, _> = groups
                .map(|(group, name)| match group {
                    Some(group) => {
                        let offset = text.get(..group.start()).unwrap_or_default().chars().count();
                        match_object(count(offset), Some(group.as_str()), name)
                    }
                    None => match_object(Val::from(-1isize), None, name),
                })
                .collect();
            found.push(groups?.into_iter().collect());
        }
        if !flags.all {
            break;
        }
    }
    if parts != RegexParts::Matches {
        found.push(copied(text.get(end..).unwrap_or_default()));
    }
    Ok(found.into_iter().collect())
}

fn compile(pattern: &str, letters: &str) -> Result<(SearchFlags, Regex), Error<Val>> {
    let mut flags = SearchFlags::default();
    let mut builder = RegexBuilder::new(pattern);
    for letter in letters.chars() {
        match letter {
            'g' => flags.all = true,
            'n' => flags.without_empty = true,
            'i' => drop(builder.case_insensitive(true)),
            'x' => drop(builder.ignore_whitespace(true)),
            's' => drop(builder.dot_matches_new_line(true)),
            'l' => drop(builder.swap_greed(true)),
            'p' => drop(builder.multi_line(true).dot_matches_new_line(true)),
            other => return Err(Error::str(format!("invalid flag `{other}` of a regular expression"))),
        }
    }
    let regex = builder.build().map_err(|error| Error::str(format!("invalid regular expression: {error}")))?;
    Ok((flags, regex))
}

/// Returns a group as jq describes it: `offset` is in characters, `text` is `None` if the group did not take part.
fn match_object(offset: Val, text: Option<&str>, name: Option<&str>) -> ValR<Val> {
    let length = count(text.map_or(0, |text| text.chars().count()));
    let fields = [("offset", offset), ("length", length), ("string", text.map_or(Val::Null, copied))];
    let name = name.map(|name| ("name", copied(name)));
    Val::from_map(fields.into_iter().chain(name).map(|(key, value)| (copied(key), value)))
}

fn count(n: usize) -> Val {
    Val::from(isize::try_from(n).unwrap_or(isize::MAX))
}

/// Returns the value of a text that is part of another one.
fn copied(text: &str) -> Val {
    Val::from(text.to_owned())
}

/// Returns the functions.
pub fn dates() -> impl Iterator<Item = Fun<Data>> {
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
