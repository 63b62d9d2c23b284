//! The presets of `--protect`: named kinds of placeholders.
//!
//! A preset finds the next placeholder of its kind in a text. Most presets search for the first character and then measure the
//! placeholder, because a regular expression cannot match nested brackets. Except for URLs and e-mail addresses, a placeholder has at
//! most [`limits::PLACEHOLDER_BYTES`] bytes, so the time is bounded for any text.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use tulk_base::addresses::{next_email, next_url};
use tulk_base::limits;

/// Maximum nesting depth of brackets. It limits the time for a text with many opening brackets.
const BRACKET_DEPTH: usize = 32;

/// A kind of placeholder.
#[derive(Debug)]
pub struct ProtectPreset {
    /// Name on the command line.
    pub name: &'static str,
    /// Examples of what it protects, for the help.
    pub help: &'static str,
    /// Returns the next placeholder that starts at or after an offset.
    pub find: fn(&str, usize) -> Option<Range<usize>>,
}

/// All presets, in the order of the help.
pub const PROTECT_PRESETS: &[ProtectPreset] = &[
    ProtectPreset {
        name: "printf",
        help: "%s, %1$d, %-5.2f, %(name)s, %@, %%",
        find: |text, at| next_match(b"%", printf, text, at),
    },
    ProtectPreset {
        name: "braces",
        help: "{0}, {name}, {n, plural, other {#}}",
        find: |text, at| next_match(b"{", braces, text, at),
    },
    ProtectPreset {
        name: "mustache",
        help: "{{name}}, {{#if x}}, {{{raw}}}",
        find: |text, at| next_match(b"{", mustache, text, at),
    },
    ProtectPreset {
        name: "ruby",
        help: "%{name}, %<n>.2f, #{expression}",
        find: |text, at| next_match(b"%#", ruby, text, at),
    },
    ProtectPreset {
        name: "shell",
        help: "$NAME, ${NAME:-x}, $(command)",
        find: |text, at| next_match(b"$", shell, text, at),
    },
    ProtectPreset { name: "url", help: "https://example.org/a, www.example.org", find: next_url },
    ProtectPreset { name: "email", help: "name@example.org", find: next_email },
    ProtectPreset { name: "code", help: "`code` and ``code`` in backticks", find: next_code },
];

/// Returns the next placeholder that starts with a character of `first`, which has one or two. `measure` returns the length of the
/// placeholder at the start of a text.
fn next_match(first: &[u8], measure: fn(&str) -> Option<usize>, text: &str, mut at: usize) -> Option<Range<usize>> {
    loop {
        let rest = text.get(at..)?;
        let found = match *first {
            [one, other] => memchr::memchr2(one, other, rest.as_bytes()),
            [one] => memchr::memchr(one, rest.as_bytes()),
            _ => None,
        };
        let start = at + found?;
        let from = text.get(start..)?;
        match measure(within_max_length(from)) {
            Some(len) => return Some(start..start + len),
            None => at = start + 1,
        }
    }
}

fn within_max_length(text: &str) -> &str {
    let max = limits::PLACEHOLDER_BYTES;
    (max.saturating_sub(3)..=max).rev().find_map(|end| text.get(..end)).unwrap_or(text)
}

/// Flags, width, precision, length and conversion letter. `t` and `q` are used by Go.
///
/// Unlike in C, a space after `%` is not a flag: `100 % sure` and `5% de` are prose.
macro_rules! conversion {
    () => {
        r"[-+#0']*(?:\*(?:[0-9]+\$)?|[0-9]*)(?:\.(?:\*(?:[0-9]+\$)?|[0-9]*))?(?:I64|I32)?[hlLqjzt]*[diouxXeEfFgGaAcCsSpnrvTb@tq]"
    };
}

static PRINTF: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(concat!(r"^%(?:%|(?:\([^)\n]+\))?(?:[0-9]+\$)?", conversion!(), ")")).ok());
static RUBY_FORMAT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(concat!(r"^%<\w+>", conversion!())).ok());

/// Measures `%s`, `%1$d`, `%-5.2f`, `%*d`, `%lld`, `%(name)s`, `%@` and `%%`.
fn printf(text: &str) -> Option<usize> {
    Some(PRINTF.as_ref()?.find(text)?.end())
}

/// Measures `{0}`, `{}`, `{name}`, and nested braces. They may span several lines, but no blank line.
fn braces(text: &str) -> Option<usize> {
    balanced(text, b'{', b'}')
}

/// Measures `{{name}}`, `{{#if x}}`, `{{/if}}`, `{{! note }}` and `{{{raw}}}`.
fn mustache(text: &str) -> Option<usize> {
    if !text.starts_with("{{") {
        return None;
    }
    let balanced = balanced(text, b'{', b'}').filter(|len| text.get(..*len).is_some_and(|all| all.ends_with("}}")));
    // A brace in quotes may be unmatched.
    balanced.or_else(|| before_blank_line(text).find("}}").map(|at| at + 2))
}

/// Measures `%{name}`, `%<name>.2f` and `#{expression}`.
fn ruby(text: &str) -> Option<usize> {
    let rest = text.get(1..)?;
    if rest.starts_with('{') {
        return Some(1 + braces(rest)?);
    }
    Some(RUBY_FORMAT.as_ref()?.find(text)?.end())
}

/// Measures `$NAME`, `${NAME:-x}`, `$(command)` and `$@`. A parameter with a number needs braces (`${5}`), because `$5.00` is an amount
/// of money.
fn shell(text: &str) -> Option<usize> {
    let rest = text.get(1..)?;
    match rest.bytes().next()? {
        b'{' => Some(1 + balanced(rest, b'{', b'}')?),
        b'(' => Some(1 + balanced(rest, b'(', b')')?),
        first if first.is_ascii_alphabetic() || first == b'_' => {
            let end = rest.bytes().position(|byte| !(byte.is_ascii_alphanumeric() || byte == b'_'));
            Some(1 + end.unwrap_or(rest.len()))
        }
        b'@' | b'#' | b'?' | b'*' | b'$' | b'!' => Some(2),
        _ => None,
    }
}

/// Returns the next code span. Both of its ends have the same number of backticks. With fewer than three backticks, it cannot contain a
/// blank line.
fn next_code(text: &str, mut at: usize) -> Option<Range<usize>> {
    loop {
        let start = at + memchr::memchr(b'`', text.get(at..)?.as_bytes())?;
        let escapes = text.get(at..start)?.bytes().rev().take_while(|byte| *byte == b'\\').count();
        if escapes % 2 == 1 {
            at = start + 1;
            continue;
        }
        let from = text.get(start..)?;
        let run = run_len(from);
        let bounded = within_max_length(from);
        let bounded = if run < 3 { before_blank_line(bounded) } else { bounded };
        let mut end = run;
        while let Some(found) = bounded.get(end..).and_then(|rest| rest.find('`')) {
            let len = run_len(bounded.get(end + found..)?);
            end += found + len;
            if len == run {
                return Some(start..start + end);
            }
        }
        at = start + run;
    }
}

fn run_len(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b'`').count()
}

/// Returns the length of the bracketed part at the start of a text, up to the bracket that matches the first. It cannot contain a blank
/// line.
fn balanced(text: &str, open: u8, close: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut line_is_blank = false;
    let mut searched = 0;
    for at in memchr::memchr3_iter(open, close, b'\n', bytes) {
        let between = bytes.get(searched..at)?;
        if line_is_blank && bytes.get(at) == Some(&b'\n') && between.iter().all(u8::is_ascii_whitespace) {
            return None;
        }
        line_is_blank = false;
        match bytes.get(at)? {
            b'\n' => line_is_blank = true,
            byte if *byte == open && depth == BRACKET_DEPTH => return None,
            byte if *byte == open => depth += 1,
            _ => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
        }
        searched = at + 1;
    }
    None
}

fn before_blank_line(text: &str) -> &str {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if end > 0 && line.ends_with('\n') && line.trim().is_empty() {
            break;
        }
        end += line.len();
    }
    text.get(..end).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use tulk_growth::assert_linear;

    use super::*;

    fn placeholders_in<'a>(preset: &str, text: &'a str) -> Vec<&'a str> {
        let preset = PROTECT_PRESETS.iter().find(|known| known.name == preset).unwrap();
        let (mut at, mut all) = (0, Vec::new());
        while let Some(range) = (preset.find)(text, at) {
            assert!(range.start >= at && range.end > range.start, "{text}: {range:?}");
            at = range.end;
            all.push(text.get(range).unwrap());
        }
        all
    }

    /// Preset, text, and the placeholders in the text.
    const CASES: &[(&str, &str, &[&str])] = &[
        ("printf", "%s of %1$s, %-5.2f %% %@ %ld %lu %zu", &["%s", "%1$s", "%-5.2f", "%%", "%@", "%ld", "%lu", "%zu"]),
        ("printf", "%(name)s %(n).2f %*d %.*f %1$*2$d", &["%(name)s", "%(n).2f", "%*d", "%.*f", "%1$*2$d"]),
        ("printf", "%I64d %+v %t %q%d %dpx %lld%%", &["%I64d", "%+v", "%t", "%q", "%d", "%d", "%lld", "%%"]),
        ("printf", "100% sure, 5 % des, 50%, %(x) y, %() s, % d, %", &[]),
        ("braces", "{0} {} {name} {n, number} {a {b}} }{", &["{0}", "{}", "{name}", "{n, number}", "{a {b}}"]),
        ("braces", "{n, plural,\n one {# cup}\n} {open\n \nclosed}", &["{n, plural,\n one {# cup}\n}"]),
        ("braces", "{open {x} {{y}}", &["{x}", "{{y}}"]),
        ("mustache", "{{x}} {{#if a}}b{{/if}} {x}", &["{{x}}", "{{#if a}}", "{{/if}}"]),
        ("mustache", "{{{raw}}} {{ \"}\" }} {{> part }} {{open", &["{{{raw}}}", "{{ \"}\" }}", "{{> part }}"]),
        ("mustache", "{{ {\"a\": {\"b\": 1}} }}", &["{{ {\"a\": {\"b\": 1}} }}"]),
        ("ruby", "%{x} #{a + {b => c}} %<n>.2f %<x>s", &["%{x}", "#{a + {b => c}}", "%<n>.2f", "%<x>s"]),
        ("ruby", "%<> # 100% #{open", &[]),
        ("shell", "$X ${X:-y} ${X:-${Y}} $(ls $(pwd))", &["$X", "${X:-y}", "${X:-${Y}}", "$(ls $(pwd))"]),
        ("shell", "$HOME/a $x1- ${1} $@ $?", &["$HOME", "$x1", "${1}", "$@", "$?"]),
        ("shell", "$5.00 US$ 5$ $(open", &[]),
        (
            "url",
            "See https://example.org/a?b=c#d. Or www.example.org, ",
            &["https://example.org/a?b=c#d", "www.example.org"],
        ),
        ("url", "(mailto:a@b.example) 'ftp://h/a','x'", &["mailto:a@b.example", "ftp://h/a"]),
        (
            "url",
            "https://h/A_(b) (http://h/x) <http://h/{id}/y>",
            &["https://h/A_(b)", "http://h/x", "http://h/{id}/y"],
        ),
        ("url", "访问https://example.cn/a。再见 HTTP://H/ö", &["https://example.cn/a", "HTTP://H/ö"]),
        ("url", ":// http:// www. and/or a://b awww.x", &[]),
        ("email", "tea@example.org, a.b+c@x.y.example.", &["tea@example.org", "a.b+c@x.y.example"]),
        ("email", "@user tea@home a@b.c1 büro@firma.example!", &["büro@firma.example"]),
        ("code", "run `a` or ``b ` c`` \\`no` `open", &["`a`", "``b ` c``", "` `"]),
        ("code", "```\nx\n\ny\n``` `a\n\nb` `c`", &["```\nx\n\ny\n```", "` `"]),
    ];

    #[test]
    fn each_preset_finds_its_placeholders() {
        for (preset, text, expected) in CASES {
            assert_eq!(placeholders_in(preset, text), *expected, "{preset}: {text}");
        }
        for preset in PROTECT_PRESETS {
            assert!(CASES.iter().any(|(name, ..)| *name == preset.name), "no case for {}", preset.name);
        }
    }

    #[test]
    #[ignore = "long; .ci/run includes it"]
    fn pathological_texts_take_linear_time() {
        for unit in ["{", "{{", "${", "$(", "`", "`a``b", "%(", "#{", "a@", "://", "%<x", "www."] {
            for preset in PROTECT_PRESETS {
                let what = format!("{} in {unit}", preset.name);
                let search = |text: &String| drop(placeholders_in(preset.name, text));
                // Up to the maximum length of a placeholder, the time may be quadratic.
                assert_linear(&what, 4096 / unit.len(), |n| unit.repeat(n), search);
            }
        }
    }

    #[test]
    fn a_placeholder_has_a_maximum_length() {
        let text = |len: usize| format!("{{{}}}", "x".repeat(len - 2));
        assert_eq!(placeholders_in("braces", &text(4096)).len(), 1);
        assert!(placeholders_in("braces", &text(4097)).is_empty());
    }
}
