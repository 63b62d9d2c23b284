//! Placeholders of printf and its relatives: C, Python, PHP, Java, Apple, Qt.

/// A placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Directive {
    len: usize,
    /// Whether it takes the next argument, as it has neither a name nor a number.
    is_positional: bool,
}

/// Returns the length of the placeholder at a `%`.
pub(super) fn len_at(text: &str, at: usize) -> Option<usize> {
    directive(text, at).map(|directive| directive.len)
}

/// Returns the length of the placeholder of Python at a `%` that has a blank before its conversion, as translators write: `% s` and
/// `%(name) s` mean `%s` and `%(name)s`.
///
/// After a number and before a word, a percent sign is one of prose: "50 % sure".
pub(super) fn blank_len_at(text: &str, at: usize) -> Option<usize> {
    let (before, rest) = (text.get(..at)?, text.as_bytes().get(at + 1..)?);
    let name = name_len(rest);
    let [b' ', conversion, behind @ ..] = rest.get(name..)? else { return None };
    let is_word_behind = behind.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
    let is_after_number = || before.trim_end().ends_with(|c: char| c.is_ascii_digit());
    let is_conversion = b"diouxXeEfFgGcsra".contains(conversion) && !is_word_behind;
    (is_conversion && (name > 0 || !is_after_number())).then_some(name + 3)
}

/// Returns whether a placeholder takes the next argument: `%s`, not `%1$s`, `%(name)s` or `%%`.
pub(super) fn is_positional(token: &str) -> bool {
    token.starts_with("% ")
        || token.starts_with('%') && directive(token, 0).is_some_and(|directive| directive.is_positional)
}

/// Returns whether a text is a format of `strftime` and nothing else, such as `%b %d, %Y`. Extractors take it for one of printf.
pub(crate) fn is_date_format(text: &str) -> bool {
    let has_letters = |text: &str| text.contains(char::is_alphabetic);
    let mut words = text.split('%');
    has_date(text)
        && text.matches('%').nth(1).is_some()
        && !words.next().is_some_and(has_letters)
        && date_directives(text)
            .all(|(letter, rest)| letter.is_ascii_alphabetic() && letter != 's' && !has_letters(rest))
}

/// Returns whether a text has a directive of `strftime` that printf does not have.
pub(crate) fn has_date(text: &str) -> bool {
    date_directives(text).any(|(letter, _)| matches!(letter, 'b' | 'B' | 'H' | 'I' | 'j' | 'm' | 'M' | 'y' | 'Y'))
}

/// Returns the letter of each directive and what follows it.
fn date_directives(text: &str) -> impl Iterator<Item = (char, &str)> {
    text.split('%').skip(1).map(|directive| {
        let directive = directive.trim_start_matches(['-', '_', '0', '#', '^']);
        let mut chars = directive.chars();
        (chars.next().unwrap_or('%'), chars.as_str())
    })
}

fn directive(text: &str, at: usize) -> Option<Directive> {
    let rest = text.as_bytes().get(at + 1..)?;
    let is_after_digit = at.checked_sub(1).and_then(|at| text.as_bytes().get(at)).is_some_and(u8::is_ascii_digit);
    let named = |len: usize| Some(Directive { len: len + 1, is_positional: false });
    match rest.first()? {
        b'%' => return named(1),
        b'<' => return macro_len(rest).and_then(named),
        b'a' if rest.starts_with(b"arg") && !rest.get(3).is_some_and(u8::is_ascii_alphanumeric) => return named(3),
        _ => {}
    }
    if let Some(len) = variable_len(rest) {
        return named(len);
    }
    match conversion_len(rest, is_after_digit) {
        Some((len, is_positional)) => Some(Directive { len: len + 1, is_positional }),
        None if !is_after_digit => qt_len(rest).and_then(named),
        None => None,
    }
}

/// `%<PRIu64>`: a macro of C in a message of gettext.
fn macro_len(rest: &[u8]) -> Option<usize> {
    let name = rest.get(1..)?.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    (name > 0 && rest.starts_with(b"<PRI") && rest.get(name + 1) == Some(&b'>')).then_some(name + 2)
}

/// `%#@name@`, `%1$#@name@`: a variable of a stringsdict.
fn variable_len(rest: &[u8]) -> Option<usize> {
    let number = number_len(rest);
    let start = if number > 0 && rest.get(number) == Some(&b'$') { number + 1 } else { 0 };
    let name = rest.get(start..)?.strip_prefix(b"#@")?;
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b' ');
    let len = name.iter().take_while(is_part).count();
    (len > 0 && name.get(len) == Some(&b'@')).then_some(start + len + 3)
}

/// Returns the length of a placeholder of Qt that a text begins with. Whatever stands behind it is text.
pub(super) fn qt_len_at(text: &str) -> Option<usize> {
    let rest = text.as_bytes().get(1..)?;
    let start = usize::from(rest.first() == Some(&b'L'));
    let number = rest.get(start..)?;
    match number.first()? {
        b'n' => Some(start + 2),
        b'1'..=b'9' => Some(start + 1 + number_len(number).min(2)),
        _ => None,
    }
}

/// `%1`, `%L1`: Qt.
fn qt_len(rest: &[u8]) -> Option<usize> {
    let start = usize::from(rest.first() == Some(&b'L'));
    let digits = number_len(rest.get(start..)?);
    let is_number = (1..=2).contains(&digits) && rest.get(start) != Some(&b'0');
    (is_number && !rest.get(start + digits).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'%'))
        .then_some(start + digits)
}

/// Returns the length of a conversion after its `%`, and whether it takes the next argument.
///
/// In prose a percent sign is followed by a blank or by letters that belong to a word ("100% sure", "100%ig"). So a blank counts as
/// a flag only in `% d` and before a width, and after a digit neither letters behind nor flags without a width are allowed.
fn conversion_len(rest: &[u8], is_after_digit: bool) -> Option<(usize, bool)> {
    let mut at = 0;
    let number = number_len(rest);
    let has_number = number > 0 && rest.get(number) == Some(&b'$');
    if has_number {
        at = number + 1;
    }
    let name = if has_number { 0 } else { name_len(rest) };
    at += name;
    let flags = flag_len(rest.get(at..)?);
    let has_blank = rest.get(at..at + flags)?.contains(&b' ');
    at += flags;
    let width = star_or_number_len(rest.get(at..)?);
    at += width;
    if rest.get(at) == Some(&b'.') {
        at += 1 + star_or_number_len(rest.get(at + 1..)?);
    }
    if has_number && rest.get(at) == Some(&b't') && rest.get(at + 1).is_some_and(u8::is_ascii_alphabetic) {
        // Dates of Java: `%1$tY`.
        return Some((at + 2, false));
    }
    let lengths = length_len(rest.get(at..)?);
    at += lengths;
    let conversion = *rest.get(at)?;
    at += 1;
    let is_word_behind = rest.get(at).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80);
    if !b"diouxXeEfFgGaAcCsSpnmrb@".contains(&conversion) {
        return None;
    }
    let is_named = has_number || name > 0;
    if !is_named && width == 0 && flags > 0 && is_word_behind && rest.first() == Some(&b'-') {
        // A word after a hyphen: "20 %-os".
        return None;
    }
    let is_blank_only =
        has_blank && width == 0 && (conversion != b'd' || is_word_behind || rest.get(at) == Some(&b'\''));
    if is_blank_only || (has_blank && is_after_digit) {
        return None;
    }
    if is_after_digit && !is_named && width == 0 && (flags > 0 || (is_word_behind && lengths == 0)) {
        return None;
    }
    Some((at, !is_named))
}

fn number_len(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// `(name)` of Python.
fn name_len(rest: &[u8]) -> usize {
    if rest.first() != Some(&b'(') {
        return 0;
    }
    let is_part = |byte: &&u8| !matches!(byte, b'(' | b')' | b'%' | b'\n');
    let len = rest.iter().skip(1).take_while(is_part).count();
    if len > 0 && rest.get(len + 1) == Some(&b')') { len + 2 } else { 0 }
}

fn flag_len(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'-' | b'+' | b' ' | b'0' | b'#' | b',' => at += 1,
            // The next character is what PHP pads with.
            b'\'' => at += 1 + usize::from(bytes.get(at + 1).is_some_and(|next| matches!(next, b'.' | b'*' | b'_'))),
            _ => break,
        }
    }
    at
}

fn star_or_number_len(bytes: &[u8]) -> usize {
    if bytes.first() != Some(&b'*') {
        return number_len(bytes);
    }
    let number = number_len(bytes.get(1..).unwrap_or_default());
    if number > 0 && bytes.get(number + 1) == Some(&b'$') { number + 2 } else { 1 }
}

fn length_len(bytes: &[u8]) -> usize {
    match bytes {
        [b'h', b'h', ..] | [b'l', b'l', ..] => 2,
        [b'h' | b'l' | b'z' | b'j' | b't' | b'L' | b'q', next, ..] if next.is_ascii_alphabetic() => 1,
        _ => 0,
    }
}
