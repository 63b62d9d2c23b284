//! Regular expressions of `test`, `match`, `capture`, `scan`, `split` and `sub`.
//!
//! The definitions of the library build these on a list of matches and of what is between them.

use jaq_core::{Error, ValR, ValT as _};
use jaq_json::Val;
use regex_bites::{Regex, RegexBuilder};

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
pub fn search(parts: RegexParts, text: &str, pattern: &str, flags: &str) -> ValR<Val> {
    let (flags, regex) = compile(pattern, flags)?;
    let mut found: Vec<Val> = Vec::new();
    let mut end = 0;
    for captures in regex.captures_iter(text) {
        let Some(whole) = captures.get(0) else { continue };
        if flags.without_empty && whole.as_str().is_empty() {
            continue;
        }
        if parts != RegexParts::Matches {
            found.push(string(text.get(end..whole.start()).unwrap_or_default()));
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
        found.push(string(text.get(end..).unwrap_or_default()));
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
    let fields = [("offset", offset), ("length", length), ("string", text.map_or(Val::Null, string))];
    let name = name.map(|name| ("name", string(name)));
    Val::from_map(fields.into_iter().chain(name).map(|(key, value)| (string(key), value)))
}

fn count(n: usize) -> Val {
    Val::from(isize::try_from(n).unwrap_or(isize::MAX))
}

fn string(text: &str) -> Val {
    Val::from(text.to_owned())
}
