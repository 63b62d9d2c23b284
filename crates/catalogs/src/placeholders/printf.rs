//! Finds printf placeholders: C, Python, PHP, Java, Apple, Qt.

use std::sync::LazyLock;

use regex::Regex;

/// Flags, width and precision. In PHP, `'` precedes the padding character.
const LAYOUT: &str =
    r"(?<flags>(?:[-+\ 0\#,] | '[.*_]?)*) (?<width>\*(?:[0-9]+\$)? | [0-9]+)? (?:\.(?:\*(?:[0-9]+\$)? | [0-9]*))?";

/// Placeholders other than conversions, after their `%`: `%%`, a C macro in gettext, a stringsdict variable, a Java date.
static FIXED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let (before, after) =
        (r"(?x)^(?:% | <PRI[0-9A-Za-z]*> | (?:[0-9]+\$)?\#@[0-9A-Za-z_\-.\ ]+@ | [0-9]+\$", "t[A-Za-z])");
    Regex::new(&[before, LAYOUT, after].concat()).ok()
});
/// A conversion after its `%`, with an optional argument number or (Python) name.
static CONVERSION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let (before, after) = (
        r"(?x)^(?:(?<number>[0-9]+\$) | (?<name>\([^()%\n]+\)))?",
        r"(?<length>hh | ll | [hlzjtLq])? [diouxXeEfFgGaAcCsSpnmrb@]",
    );
    Regex::new(&[before, LAYOUT, after].concat()).ok()
});
/// A Python conversion with a space before its letter.
static SPACED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(?<name>\([^()%\n]+\))? [diouxXeEfFgGcsra]").ok());
/// A Qt argument after its `%`.
static QT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("^L?(?:n|(?<number>[1-9][0-9]?))").ok());

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Directive {
    len: usize,
    /// Whether it has neither a name nor a number, so that it takes the next argument.
    is_positional: bool,
}

/// The `%` is at `at`.
pub(super) fn len_at(text: &str, at: usize) -> Option<usize> {
    directive(text, at).map(|directive| directive.len)
}

/// Returns the length of the Android or Apple placeholder at `at`. Unlike [`len_at`], takes "%5 daha" and "%-a" for prose.
pub(super) fn mobile_len_at(text: &str, at: usize) -> Option<usize> {
    let len = len_at(text, at)?;
    let rest = text.get(at + 1..at + len)?;
    let is_prose = rest.ends_with(|c: char| c.is_ascii_digit())
        || rest.strip_prefix('-').is_some_and(|rest| !rest.contains(|c: char| c.is_ascii_digit() || c == '*'));
    (!is_prose).then_some(len)
}

/// Returns the length of the Python placeholder at `at` with a space before its conversion, as translators write `% s` and
/// `%(name) s` for `%s` and `%(name)s`. Before a word, the percent sign is prose ("50 % sure"). After a number, it is prose too,
/// unless the placeholder has a name.
pub(super) fn spaced_len_at(text: &str, at: usize) -> Option<usize> {
    let (before, rest) = (text.get(..at)?, text.get(at + 1..)?);
    let found = SPACED.as_ref()?.captures(rest)?;
    let len = found.get(0)?.len();
    let is_before_word = rest.get(len..)?.starts_with(|c: char| c.is_ascii_alphanumeric() || !c.is_ascii());
    let is_after_number = || before.trim_end().ends_with(|c: char| c.is_ascii_digit());
    (!is_before_word && (found.name("name").is_some() || !is_after_number())).then_some(len + 1)
}

/// `%s` is positional; `%1$s`, `%(name)s` and `%%` are not.
pub(super) fn is_positional(token: &str) -> bool {
    token.starts_with("% ")
        || token.starts_with('%') && directive(token, 0).is_some_and(|directive| directive.is_positional)
}

/// Returns whether a text is only a `strftime` format, such as `%b %d, %Y`. Extractors mistake it for printf.
pub(crate) fn is_date_format(text: &str) -> bool {
    let has_letters = |text: &str| text.contains(char::is_alphabetic);
    let mut words = text.split('%');
    has_date(text)
        && text.matches('%').nth(1).is_some()
        && !words.next().is_some_and(has_letters)
        && date_directives(text)
            .all(|(letter, rest)| letter.is_ascii_alphabetic() && letter != 's' && !has_letters(rest))
}

/// Returns whether a text has a `strftime` directive that printf lacks.
pub(crate) fn has_date(text: &str) -> bool {
    date_directives(text).any(|(letter, _)| matches!(letter, 'b' | 'B' | 'H' | 'I' | 'j' | 'm' | 'M' | 'y' | 'Y'))
}

fn date_directives(text: &str) -> impl Iterator<Item = (char, &str)> {
    text.split('%').skip(1).map(|directive| {
        let directive = directive.trim_start_matches(['-', '_', '0', '#', '^']);
        let mut chars = directive.chars();
        (chars.next().unwrap_or('%'), chars.as_str())
    })
}

fn directive(text: &str, at: usize) -> Option<Directive> {
    let (before, rest) = (text.get(..at)?, text.get(at + 1..)?);
    let is_after_digit = before.ends_with(|c: char| c.is_ascii_digit());
    let is_argument = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric());
    let fixed = match rest.strip_prefix("arg") {
        Some(behind) if is_argument(behind) => Some("arg".len()),
        _ => FIXED.as_ref()?.find(rest).map(|found| found.len()),
    };
    if let Some(len) = fixed {
        return Some(Directive { len: len + 1, is_positional: false });
    }
    conversion(rest, is_after_digit).or_else(|| {
        let found = QT.as_ref()?.captures(rest).filter(|found| !is_after_digit && found.name("number").is_some())?;
        let len = found.get(0)?.len();
        let is_text = rest.get(len..)?.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '%');
        (!is_text).then_some(Directive { len: len + 1, is_positional: false })
    })
}

/// Any text may follow the placeholder.
pub(super) fn qt_len_at(text: &str) -> Option<usize> {
    Some(QT.as_ref()?.find(text.get(1..)?)?.len() + 1)
}

/// Matches a conversion after its `%`. In prose, a space or letters may follow a percent sign ("100% sure", "100%ig"), so
/// these rules apply:
///
/// - A space is a flag only in `% d` and before a width, and never if a digit precedes the `%`.
/// - If a digit precedes the `%`, a conversion that has neither a name, a number nor a width must have no flags. A word may
///   directly follow it only if it has a length modifier such as `l`.
fn conversion(rest: &str, is_after_digit: bool) -> Option<Directive> {
    let found = CONVERSION.as_ref()?.captures(rest)?;
    let (all, flags) = (found.get(0)?.as_str(), found.name("flags")?.as_str());
    let has = |part: &str| found.name(part).is_some();
    let (is_named, has_width, has_space) = (has("number") || has("name"), has("width"), flags.contains(' '));
    let behind = rest.get(all.len()..)?;
    let is_before_word = behind.starts_with(|c: char| c.is_ascii_alphabetic() || !c.is_ascii());
    // A hyphen before a suffix, as in "20 %-os".
    let is_hyphen = !is_named && !has_width && is_before_word && rest.starts_with('-');
    let is_space = has_space && !has_width && (!all.ends_with('d') || is_before_word || behind.starts_with('\''));
    let is_percent = is_after_digit
        && (has_space || !is_named && !has_width && (!flags.is_empty() || is_before_word && !has("length")));
    (!is_hyphen && !is_space && !is_percent).then_some(Directive { len: all.len() + 1, is_positional: !is_named })
}
