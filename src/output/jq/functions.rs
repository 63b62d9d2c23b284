//! Functions of jq that need more than its own language: encodings, dates, roots and powers, regular expressions.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jaq_core::native::{Fun, bome, run, v};
use jaq_core::{Bind, Cv, Error, ValR};
use jaq_json::Val;
use jaq_std::ValT as _;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, percent_encode};

use super::Data;
use super::regex::{self, RegexParts};

/// Characters that `@uri` encodes: all but those that RFC 3986 does not reserve.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Returns the functions.
pub fn all() -> impl Iterator<Item = Fun<Data>> {
    let pattern_and_flags = || -> Box<[Bind]> { Box::new([Bind::Var(()), Bind::Var(())]) };
    let functions: [jaq_core::native::Filter<jaq_core::RunPtr<Data>>; 12] = [
        ("encode_base64", v(0), |cv| bome(bytes(&cv.1).map(|bytes| text(STANDARD.encode(bytes))))),
        ("decode_base64", v(0), |cv| bome(decode_base64(&cv.1))),
        ("encode_uri", v(0), |cv| bome(bytes(&cv.1).map(|bytes| text(percent_encode(bytes, ENCODED).to_string())))),
        ("decode_uri", v(0), |cv| {
            bome(bytes(&cv.1).map(|bytes| text(percent_decode(bytes).decode_utf8_lossy().into_owned())))
        }),
        ("now", v(0), |_| bome(Ok(Val::from(jiff::Timestamp::now().as_duration().as_secs_f64())))),
        ("todateiso8601", v(0), |cv| bome(to_date(&cv.1))),
        ("fromdateiso8601", v(0), |cv| bome(from_date(&cv.1))),
        ("sqrt", v(0), |cv| bome(number(&cv.1).map(|number| Val::from(number.sqrt())))),
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

fn string(value: &Val) -> Result<&str, Error<Val>> {
    std::str::from_utf8(bytes(value)?).map_err(Error::str)
}

fn number(value: &Val) -> Result<f64, Error<Val>> {
    value.as_f64().ok_or_else(|| Error::typ(value.clone(), "number"))
}

fn text(text: String) -> Val {
    Val::from(text)
}

fn decode_base64(value: &Val) -> ValR<Val> {
    let decoded = STANDARD.decode(bytes(value)?).map_err(Error::str)?;
    Ok(text(String::from_utf8_lossy(&decoded).into_owned()))
}

/// Returns seconds since 1970 as a date such as `2026-11-21T19:54:07Z`.
fn to_date(value: &Val) -> ValR<Val> {
    let seconds = jiff::SignedDuration::try_from_secs_f64(number(value)?.floor()).map_err(Error::str)?;
    let date = jiff::Timestamp::from_duration(seconds).map_err(Error::str)?;
    Ok(text(date.to_string()))
}

/// Returns a date as seconds since 1970, whole if the date has no fraction.
fn from_date(value: &Val) -> ValR<Val> {
    let date: jiff::Timestamp = string(value)?.parse().map_err(Error::str)?;
    if date.subsec_nanosecond() != 0 {
        return Ok(Val::from(date.as_duration().as_secs_f64()));
    }
    Ok(Val::from(isize::try_from(date.as_second()).map_err(Error::str)?))
}

/// Searches the input with a regular expression and flags, the two arguments.
fn search(parts: RegexParts, mut cv: Cv<'_, Data>) -> ValR<Val> {
    let (flags, pattern) = (cv.0.pop_var(), cv.0.pop_var());
    regex::search(parts, string(&cv.1)?, string(&pattern)?, string(&flags)?)
}
