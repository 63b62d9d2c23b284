//! Finds placeholders in braces, and those with a special notation in some frameworks.

use std::sync::LazyLock;

use regex::Regex;

use super::SyntaxMatch;

/// How deep braces may nest, which limits how often each byte of a hostile text is scanned.
const MAX_DEPTH: usize = 32;
/// The length in bytes, limited for the same reason.
const MAX_EXPRESSION_LEN: usize = 1 << 10;

/// Matches `{name}`, `{}`, `{{name}}`, `${name}`, `%{name}` and `%name%`.
pub(super) fn any_notation(rest: &str) -> Option<SyntaxMatch> {
    if let Some(len) = percent_name_len(rest) {
        return Some(SyntaxMatch::Token(len));
    }
    if let Some(found) = dollar_expression(rest) {
        return Some(found);
    }
    let mark = usize::from(!rest.starts_with('{'));
    let braces = rest.get(mark..)?;
    if braces.starts_with("{{")
        && let Some(len) = double_brace_len(braces)
    {
        return Some(SyntaxMatch::Token(mark + len));
    }
    single_brace_len(braces).map(|len| SyntaxMatch::Token(mark + len))
}

/// Matches `${…}` with an expression, such as `${n > 1 ? 'items' : 'item'}`, which may contain braces and quotes.
pub(super) fn dollar_expression(rest: &str) -> Option<SyntaxMatch> {
    let braces = rest.strip_prefix('$').filter(|braces| braces.starts_with('{') && !braces.starts_with("{{"))?;
    let start = (0..4).find_map(|less| braces.get(..MAX_EXPRESSION_LEN - less)).unwrap_or(braces);
    Some(SyntaxMatch::Token(balanced_len(start, b'{', b'}', Some(QuotedText::Strings))? + 1))
}

/// Returns the length of `%name%` (Symfony).
pub(crate) fn percent_name_len(rest: &str) -> Option<usize> {
    static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^%[A-Za-z_][0-9A-Za-z_.\-]*%").ok());
    Some(NAME.as_ref()?.find(rest)?.len())
}

/// Matches a name with an optional format: `{name}`, `{0}`, `{0:N2}`.
fn single_brace_len(rest: &str) -> Option<usize> {
    let content = rest.strip_prefix('{')?;
    let len = content.bytes().position(|byte| matches!(byte, b'{' | b'}' | b'\n'))?;
    if content.as_bytes().get(len) != Some(&b'}') {
        return None;
    }
    is_name(content.get(..len)?).then_some(len + 2)
}

/// A name may be a number, and may have a format. Other contents of braces are prose.
fn is_name(content: &str) -> bool {
    let content = content.trim_matches([' ', '\t']);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '-' | '[' | ']' | '@');
    let after = content.trim_start_matches(is_part);
    let format = after.trim_start();
    format.is_empty()
        || format.starts_with([':', '!'])
        || (format.len() < content.len() && format.starts_with([',', '|', '(']))
}

/// Returns the length of `{{name}}` or `{{.Name}}`, without further braces inside.
pub(crate) fn double_brace_len(rest: &str) -> Option<usize> {
    let content = rest.strip_prefix("{{").filter(|content| !content.starts_with('{'))?;
    let mut from = 0;
    loop {
        let at = from + memchr::memchr2(b'{', b'}', content.as_bytes().get(from..)?)?;
        match content.as_bytes().get(at..)? {
            [b'}', b'}', ..] => return Some(at + 4),
            [b'{', b'{', ..] => return None,
            _ => from = at + 1,
        }
    }
}

/// Matches `{{name}}`, `$t(key)` and `$t(key, { "count": {{n}} })`.
pub(super) fn i18next(rest: &str) -> Option<SyntaxMatch> {
    if rest.starts_with("$t(") {
        let len = balanced_len(rest.get(2..)?, b'(', b')', None)?;
        return Some(SyntaxMatch::Token(len + 2));
    }
    double_brace_len(rest).map(SyntaxMatch::Token)
}

/// Matches `{name}`, `{0}`, `{'literal'}`, `%{name}`, `@:key`, `@.lower:key`, `@:(key)` and `@:{name}`.
pub(super) fn vue(text: &str, at: usize) -> Option<SyntaxMatch> {
    let rest = text.get(at..)?;
    if rest.starts_with('@') {
        return linked_len(rest).map(SyntaxMatch::Token);
    }
    let literal = rest.strip_prefix("{'").and_then(|content| {
        let len = memchr::memchr(b'\'', content.as_bytes().get(..MAX_DEPTH.min(content.len()))?)?;
        (content.as_bytes().get(len + 1) == Some(&b'}')).then_some(len + 4)
    });
    match literal {
        Some(len) => Some(SyntaxMatch::Token(len)),
        None if rest.starts_with('{') => single_brace_len(rest).map(SyntaxMatch::Token),
        None => rest.strip_prefix('%').and_then(single_brace_len).map(|len| SyntaxMatch::Token(len + 1)),
    }
}

/// Returns the length of `@:key` or `@.modifier:key`. A final dot belongs to the sentence.
pub(crate) fn linked_len(rest: &str) -> Option<usize> {
    static LINKED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"^@(?:\.[0-9A-Za-z_]+)?:(?:\([^()\n]*\)|\{[^{}\n]*\}|[\w\-.|\[\]]*[\w\[\]])").ok()
    });
    Some(LINKED.as_ref()?.find(rest)?.len())
}

/// Matches `%{name}` and `%<name>d`.
pub(super) fn ruby(rest: &str) -> Option<SyntaxMatch> {
    static NAMED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^%(?:\{[^}\n]+\}|<[0-9A-Za-z_]+>[-+ .#*0-9]*[diouxXeEfgGaAcspb])").ok());
    if rest.starts_with("%%") {
        return Some(SyntaxMatch::Text(2));
    }
    Some(SyntaxMatch::Token(NAMED.as_ref()?.find(rest)?.len()))
}

/// Matches ICU arguments such as `{name}` and `{0, number, integer}`. Quoted braces are text.
pub(super) fn icu(rest: &str) -> Option<SyntaxMatch> {
    match rest.as_bytes() {
        [b'\'', b'\'', ..] => Some(SyntaxMatch::Text(2)),
        [b'\'', b'{' | b'}', ..] => Some(SyntaxMatch::Text(quoted_len(rest))),
        [b'\'', ..] => None,
        _ => argument(rest, QuotedText::Braces),
    }
}

/// Matches `{0}` and `{0,number,#.##}` of Java, and `${…}` of Bean Validation. All text between apostrophes is literal.
pub(super) fn message_format(rest: &str) -> Option<SyntaxMatch> {
    match rest.as_bytes() {
        [b'\'', ..] => Some(SyntaxMatch::Text(quoted_len(rest))),
        [b'$', ..] => dollar_expression(rest),
        _ => argument(rest, QuotedText::All),
    }
}

fn argument(rest: &str, quoted: QuotedText) -> Option<SyntaxMatch> {
    let len = balanced_len(rest, b'{', b'}', Some(quoted))?;
    let content = rest.get(1..len - 1)?;
    let name = content.split(',').next().unwrap_or_default().trim();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    (!name.is_empty() && name.chars().all(is_part)).then_some(SyntaxMatch::Token(len))
}

/// Includes all branches of the ICU argument.
pub(crate) fn message_len(rest: &str) -> Option<usize> {
    balanced_len(rest, b'{', b'}', Some(QuotedText::Braces))
}

pub(crate) fn has_branches(text: &str) -> bool {
    memchr::memchr_iter(b'{', text.as_bytes()).any(|at| {
        let content = text.get(at + 1..).unwrap_or_default();
        let head = content.split(['{', '}', '\n']).next().unwrap_or_default();
        let mut parts = head.split(',').skip(1);
        let kind = parts.next().map(str::trim);
        matches!(kind, Some("plural" | "select" | "selectordinal")) && parts.next().is_some()
    })
}

/// Includes the closing quote; `None` if it is missing.
fn string_len(content: &[u8], quote: u8) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(quote, b'\\', content.get(at..)?)?;
        if content.get(at) == Some(&quote) {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// Includes the apostrophes. An unclosed quote extends to the end of the text.
fn quoted_len(rest: &str) -> usize {
    let mut at = 1;
    while let Some(found) = rest.as_bytes().get(at..).and_then(|bytes| memchr::memchr(b'\'', bytes)) {
        at += found + 1;
        if rest.as_bytes().get(at) != Some(&b'\'') || at == 2 {
            return at;
        }
        at += 1;
    }
    rest.len()
}

/// Matches `{0}`, `{0,-10:N2}` and `{name}`; `{{` and `}}` are escaped braces.
pub(super) fn dot_net(rest: &str) -> Option<SyntaxMatch> {
    match rest.as_bytes() {
        [b'{', b'{', ..] | [b'}', b'}', ..] => Some(SyntaxMatch::Token(2)),
        [b'{', ..] => single_brace_len(rest).filter(|len| *len > 2).map(SyntaxMatch::Token),
        _ => None,
    }
}

/// Matches `:name`, `:Name`, `:NAME` and `:%name%`, also after a non-ASCII letter, and `|`.
pub(super) fn laravel(text: &str, at: usize) -> Option<SyntaxMatch> {
    if text.as_bytes().get(at) == Some(&b'|') {
        return Some(SyntaxMatch::Token(1));
    }
    if let Some(len) = percent_name_len(text.get(at + 1..)?) {
        return Some(SyntaxMatch::Token(len + 1));
    }
    let before = at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
    if before.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b':') {
        return None;
    }
    let name = text.as_bytes().get(at + 1..)?;
    name.first().filter(|byte| byte.is_ascii_alphabetic() || **byte == b'_')?;
    let len = name.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    // A word before `://` is the scheme of a URL, as in `链接:https://…`, not a placeholder.
    (!name.get(len..)?.starts_with(b"://")).then_some(SyntaxMatch::Token(len + 1))
}

/// The quotes within a placeholder that hide braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuotedText {
    /// An apostrophe quotes if a brace directly follows it.
    Braces,
    /// Every apostrophe quotes.
    All,
    /// Strings in single or double quotes, with backslash escapes.
    Strings,
}

/// Returns the length up to the bracket that closes the first one.
fn balanced_len(rest: &str, open: u8, close: u8, quoted: Option<QuotedText>) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut depth = 0;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        if *byte == open {
            depth += 1;
            if depth > MAX_DEPTH {
                return None;
            }
        } else if *byte == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        } else {
            let next = bytes.get(at).copied();
            match (byte, quoted) {
                (b'\'', Some(QuotedText::Braces)) if matches!(next, Some(b'{' | b'}')) => {
                    at += quoted_len(rest.get(at - 1..)?) - 1;
                }
                (b'\'', Some(QuotedText::All)) => at += quoted_len(rest.get(at - 1..)?) - 1,
                (b'\'' | b'"', Some(QuotedText::Strings)) => at += string_len(bytes.get(at..)?, *byte)?,
                _ => {}
            }
        }
    }
    None
}
