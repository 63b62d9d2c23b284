//! Functions that replace functions of the jaq library: conversion between values and text, and search with a regular expression.
//!
//! The library omits groups that match nothing, which shifts the groups after them.

use jaq_core::native::{Fun, bome, run, v};
use jaq_core::{Bind, Cv, Error, ValR, ValT as _};
use jaq_json::Val;
use jaq_std::ValT as _;
use regex::{Match, RegexBuilder};

use super::{Data, value};

pub fn all() -> impl Iterator<Item = Fun<Data>> {
    let pattern_and_flags = || -> Box<[Bind]> { Box::new([Bind::Var(()), Bind::Var(())]) };
    let functions: [jaq_core::native::Filter<jaq_core::RunPtr<Data>>; 6] = [
        ("tojson", v(0), |cv| bome(Ok(text(value::to_json(&cv.1))))),
        ("tostring", v(0), |cv| bome(Ok(if cv.1.as_bytes().is_some() { cv.1 } else { text(value::to_json(&cv.1)) }))),
        ("fromjson", v(0), |cv| {
            bome(string(&cv.1).and_then(|json| {
                value::parse(json).map_err(|problem| Error::str(format!("{} {problem}", value::to_json(&cv.1))))
            }))
        }),
        // The library's definitions of `test`, `match`, `capture`, `scan`, `split` and `sub` use these.
        ("matches", pattern_and_flags(), |cv| bome(search(cv, false, true))),
        ("split_matches", pattern_and_flags(), |cv| bome(search(cv, true, true))),
        ("split_", pattern_and_flags(), |cv| bome(search(cv, true, false))),
    ];
    functions.into_iter().map(run::<Data>)
}

fn string(value: &Val) -> Result<&str, Error<Val>> {
    let bytes = value.as_bytes().ok_or_else(|| Error::typ(value.clone(), "string"))?;
    std::str::from_utf8(bytes).map_err(Error::str)
}

fn text(text: impl Into<String>) -> Val {
    Val::from(text.into())
}

/// Searches the input with a regular expression and flags, which are the two arguments. Returns the texts between the matches if
/// `between` is set, the groups of the matches if `matches` is set, or both in order.
fn search(mut cv: Cv<'_, Data>, between: bool, matches: bool) -> ValR<Val> {
    let (flags, pattern, searched) = (cv.0.pop_var(), cv.0.pop_var(), string(&cv.1)?);
    let flags = if matches!(flags, Val::Null) { "" } else { string(&flags)? };
    if let Some(flag) = flags.chars().find(|flag| !"ginxslp".contains(*flag)) {
        return Err(Error::str(format!("invalid flag `{flag}` of a regular expression")));
    }
    let has = |flag| flags.contains(flag);
    let regex = RegexBuilder::new(string(&pattern)?)
        .case_insensitive(has('i'))
        .ignore_whitespace(has('x'))
        .dot_matches_new_line(has('s') || has('p'))
        .multi_line(has('p'))
        .swap_greed(has('l'))
        .build();
    let regex = regex.map_err(|error| {
        // The last line is the error; the lines before it show the position.
        let error = error.to_string();
        let what = error.lines().last().unwrap_or_default();
        Error::str(format!("invalid regular expression: {}", what.trim_start_matches("error: ")))
    })?;
    let mut found: Vec<Val> = Vec::new();
    let mut end = 0;
    for captures in regex.captures_iter(searched) {
        let whole = captures.get_match();
        if has('n') && whole.is_empty() {
            continue;
        }
        if between {
            found.push(text(searched.get(end..whole.start()).unwrap_or_default()));
            end = whole.end();
        }
        if matches {
            let groups = captures.iter().zip(regex.capture_names());
            let groups: ValR<Val> = groups.map(|(group, name)| match_object(searched, group, name)).collect();
            found.push(groups?);
        }
        if !has('g') {
            break;
        }
    }
    if between {
        found.push(text(searched.get(end..).unwrap_or_default()));
    }
    Ok(found.into_iter().collect())
}

/// Returns a group in the form of jq, with offset and length in characters.
fn match_object(searched: &str, group: Option<Match>, name: Option<&str>) -> ValR<Val> {
    let count = |text: &str| isize::try_from(text.chars().count()).unwrap_or(isize::MAX);
    let offset = group.map_or(-1, |group| count(searched.get(..group.start()).unwrap_or_default()));
    let fields = [
        ("offset", Val::from(offset)),
        ("length", Val::from(group.map_or(0, |group| count(group.as_str())))),
        ("string", group.map_or(Val::Null, |group| text(group.as_str()))),
    ];
    let name = name.map(|name| ("name", text(name)));
    Val::from_map(fields.into_iter().chain(name).map(|(key, value)| (text(key), value)))
}
