//! Finds markup in the text of a cue: tags, override codes in braces, times and character references.

use std::ops::Range;

use super::SubtitleSyntax;

/// Elements in SRT. Other words in angle brackets are text, such as `<laughs>`.
const SRT_ELEMENTS: &[&str] = &[
    "a", "b", "big", "br", "c", "center", "em", "font", "i", "lang", "p", "rp", "rt", "ruby", "s", "small", "span",
    "strike", "strong", "sub", "sup", "tt", "u", "v",
];
const VOID_ELEMENTS: &[&str] = &["br", "hr", "img", "wbr"];
/// Maximum length of a character reference, in bytes.
const REFERENCE_BYTES: usize = 34;
/// Maximum number of open elements to search for a start tag.
const SEARCHED_ELEMENTS: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Markup<'a> {
    pub(super) range: Range<usize>,
    pub(super) source: &'a str,
    pub(super) kind: MarkupKind<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkupKind<'a> {
    Start(&'a str),
    End(&'a str),
    /// Other markup: a time, an override code.
    Unpaired,
    /// A character reference, such as `&amp;`.
    Reference,
}

impl Markup<'_> {
    /// Returns whether it shows a character other than whitespace.
    pub(super) fn is_visible(&self) -> bool {
        self.kind == MarkupKind::Reference && !matches!(self.source, "&nbsp;" | "&lrm;" | "&rlm;")
    }

    /// Returns the character of a reference that is sent as a character, because it is part of the sentence.
    pub(super) fn character(&self) -> Option<char> {
        match self.source {
            "&amp;" => Some('&'),
            "&nbsp;" => Some('\u{a0}'),
            _ => None,
        }
    }
}

pub(super) fn find_markup(text: &str, syntax: SubtitleSyntax) -> Vec<Markup<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.as_bytes().get(from..).and_then(|rest| memchr::memchr3(b'<', b'{', b'&', rest)) {
        let start = from + at;
        let rest = text.get(start..).unwrap_or_default();
        let markup = match rest.as_bytes().first() {
            Some(b'<') => tag(rest, syntax),
            // Braces are not part of WebVTT, but many files were converted from formats that have them.
            Some(b'{') => override_code(rest),
            Some(b'&') => reference_len(rest).map(|len| (len, MarkupKind::Reference)),
            _ => None,
        };
        let Some((source, kind)) = markup.and_then(|(len, kind)| Some((rest.get(..len)?, kind))) else {
            from = start + 1;
            continue;
        };
        from = start + source.len();
        found.push(Markup { range: start..from, source, kind });
    }
    found
}

fn tag(text: &str, syntax: SubtitleSyntax) -> Option<(usize, MarkupKind<'_>)> {
    let close = 1 + memchr::memchr2(b'<', b'>', text.as_bytes().get(1..)?)?;
    let inner = text.get(1..close).filter(|_| text.as_bytes().get(close) == Some(&b'>'))?;
    let (is_end, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner));
    let name_len = inner.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inner.len());
    let (name, after) = inner.split_at_checked(name_len)?;
    let is_time = inner.starts_with(|c: char| c.is_ascii_digit()) && after.starts_with(':');
    let is_element = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_known = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    let is_tag = match syntax {
        SubtitleSyntax::Vtt => is_time || is_element || inner.is_empty(),
        SubtitleSyntax::Srt => {
            is_known(SRT_ELEMENTS) && after.chars().next().is_none_or(|c| c.is_whitespace() || "/.=".contains(c))
        }
    };
    let kind = match () {
        () if !is_tag => return None,
        () if !is_element || is_known(VOID_ELEMENTS) || after.ends_with('/') => MarkupKind::Unpaired,
        () if is_end => MarkupKind::End(name),
        () => MarkupKind::Start(name),
    };
    Some((close + 1, kind))
}

/// Parses an override code: `{\an8}`, `{\i1}`, `{y:i}`.
fn override_code(text: &str) -> Option<(usize, MarkupKind<'_>)> {
    let close = 1 + memchr::memchr3(b'{', b'}', b'\n', text.as_bytes().get(1..)?)?;
    let inner = text.get(1..close)?.as_bytes();
    let is_code =
        matches!(inner, [b'\\', _, ..]) || matches!(inner, [letter, b':', ..] if letter.is_ascii_alphabetic());
    (is_code && text.as_bytes().get(close) == Some(&b'}')).then_some((close + 1, MarkupKind::Unpaired))
}

pub(super) fn reference_len(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let end = bytes.iter().take(REFERENCE_BYTES).position(|byte| *byte == b';')?;
    let is_reference = match bytes.get(1..end)? {
        [b'#', b'x' | b'X', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit),
        [b'#', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        [first, name @ ..] => {
            first.is_ascii_alphabetic() && !name.is_empty() && name.iter().all(u8::is_ascii_alphanumeric)
        }
        [] => false,
    };
    is_reference.then_some(end + 1)
}

/// Returns, for each start and end tag, the index of its counterpart, if the elements are properly nested.
pub(super) fn pair_elements(markup: &[Markup<'_>]) -> Vec<Option<usize>> {
    let mut partners = vec![None; markup.len()];
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (at, piece) in markup.iter().enumerate() {
        match piece.kind {
            MarkupKind::Start(name) => open.push((at, name)),
            MarkupKind::End(name) => {
                let searched = open.len().saturating_sub(SEARCHED_ELEMENTS);
                let mut inner = open.iter().skip(searched);
                let Some(found) = inner.rposition(|(_, other)| other.eq_ignore_ascii_case(name)) else { continue };
                if let Some((start, _)) = open.drain(searched + found..).next() {
                    if let Some(partner) = partners.get_mut(start) {
                        *partner = Some(at);
                    }
                    if let Some(partner) = partners.get_mut(at) {
                        *partner = Some(start);
                    }
                }
            }
            MarkupKind::Unpaired | MarkupKind::Reference => {}
        }
    }
    partners
}

#[cfg(test)]
mod tests {
    use tulk_growth::assert_linear;

    use super::*;

    fn sources(text: &str, syntax: SubtitleSyntax) -> Vec<&str> {
        find_markup(text, syntax).iter().map(|markup| markup.source).collect()
    }

    #[test]
    fn finds_srt_markup() {
        let found = |text| sources(text, SubtitleSyntax::Srt);
        assert_eq!(
            found("{\\an8}<i>a</i> <FONT color=\"#fff\" size=3>b</FONT>"),
            ["{\\an8}", "<i>", "</i>", "<FONT color=\"#fff\" size=3>", "</FONT>"]
        );
        assert_eq!(
            found("{y:i}a{\\i1}b{\\i0}<br/>c&nbsp;d&#39;e"),
            ["{y:i}", "{\\i1}", "{\\i0}", "<br/>", "&nbsp;", "&#39;"]
        );
        assert_eq!(found("<laughs> I <3 you, {name} {} {\\} AT&T & co; 1 < 2 > 0 <ix> <i"), [] as [&str; 0]);
    }

    #[test]
    fn finds_vtt_markup() {
        let found = |text| sources(text, SubtitleSyntax::Vtt);
        assert_eq!(
            found("<v.loud Mary Jane>a</v> <00:00:01.500><c.yellow.bg>b</c> <lang en-GB>c</lang>"),
            ["<v.loud Mary Jane>", "</v>", "<00:00:01.500>", "<c.yellow.bg>", "</c>", "<lang en-GB>", "</lang>"]
        );
        assert_eq!(
            found("<ruby>漢<rt>kan</rt></ruby> {\\an8} &lrm;&rlm; Q&A"),
            ["<ruby>", "<rt>", "</rt>", "</ruby>", "{\\an8}", "&lrm;", "&rlm;"]
        );
        assert_eq!(found("I <3 you <"), [] as [&str; 0]);
    }

    #[test]
    fn pairs_only_nested_elements() {
        let pairs = |text| pair_elements(&find_markup(text, SubtitleSyntax::Srt));
        assert_eq!(pairs("<i><b>a</b></I>"), [Some(3), Some(2), Some(1), Some(0)]);
        assert_eq!(pairs("<i><b>a</i></b>"), [Some(2), None, Some(0), None]);
        assert_eq!(pairs("</i>a<i>"), [None, None]);
        let deep = format!("<i>{}</i>", "<b>".repeat(SEARCHED_ELEMENTS));
        assert!(pairs(&deep).iter().all(Option::is_none));
    }

    #[test]
    fn finding_markup_takes_linear_time() {
        for unit in ["<", "{", "{\\", "&", "<i", "{\\an8"] {
            for syntax in [SubtitleSyntax::Srt, SubtitleSyntax::Vtt] {
                assert_linear(unit, 1000, |n| unit.repeat(n), |text| assert_eq!(find_markup(text, syntax), []));
            }
        }
        assert_linear(
            "crossed elements",
            1000,
            |n| "<b>".repeat(n) + &"</i>".repeat(n),
            |text| {
                let markup = find_markup(text, SubtitleSyntax::Srt);
                assert!(pair_elements(&markup).iter().all(Option::is_none));
            },
        );
    }
}
