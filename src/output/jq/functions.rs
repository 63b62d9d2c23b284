//! Functions of jq that need more than its own language: texts of values, encodings, mathematics, regular expressions.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, STANDARD};
use base64::engine::{DecodePaddingMode, GeneralPurposeConfig};
use jaq_core::native::{Fun, bome, run, v};
use jaq_core::{Bind, Cv, Error, ValR};
use jaq_json::Val;
use jaq_std::ValT as _;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, percent_encode};

use super::regex::{self, RegexParts};
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
pub(super) fn string(value: &Val) -> Result<&str, Error<Val>> {
    std::str::from_utf8(bytes(value)?).map_err(Error::str)
}

/// Returns a number.
pub(super) fn number(value: &Val) -> Result<f64, Error<Val>> {
    value.as_f64().ok_or_else(|| Error::typ(value.clone(), "number"))
}

/// Returns the value of a text.
pub(super) fn text(text: String) -> Val {
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
    regex::search(parts, string(&cv.1)?, string(&pattern)?, flags)
}
