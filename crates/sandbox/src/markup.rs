//! Finds tags and entities in texts, and the elements that must not be translated.
//!
//! The elements that must not be translated are those in `ignore_tags` and, in HTML, scripts, style sheets, and elements
//! with `translate="no"` or `class="notranslate"`. With tag handling, tags are not billed. See docs/service.md, "Text
//! translation".

use quick_xml::events::attributes::Attributes;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MarkupSyntax {
    /// No tag handling: tags are billed, and the text of every element is translated.
    #[default]
    None,
    Xml,
    Html,
}

const VOID_ELEMENTS: &[&str] =
    &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

/// Start and end delimiters of comments, CDATA sections and processing instructions.
const SECTIONS: [(&str, &str); 3] = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];

/// Measures the tags of one text, from its start to its end.
#[derive(Clone, Copy, Debug, Default)]
pub struct TagMeter {
    /// For each of `SECTIONS`, whether its end was missing from the rest of the text, which is then not searched again.
    missing_ends: [bool; 3],
}

impl TagMeter {
    /// Returns the length in bytes of the tag, comment, CDATA section or processing instruction at the start of `rest`,
    /// or 0.
    pub fn tag_len(&mut self, rest: &str) -> usize {
        for ((start, end), is_missing) in SECTIONS.iter().zip(&mut self.missing_ends) {
            if rest.starts_with(start) {
                let at = if *is_missing { None } else { memchr::memmem::find(rest.as_bytes(), end.as_bytes()) };
                *is_missing = at.is_none();
                return at.map_or(0, |at| at + end.len());
            }
        }
        simple_tag_len(rest)
    }
}

/// Returns the length in bytes of the start tag, end tag or declaration at the start of a text, or 0.
fn simple_tag_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let [b'<', second, ..] = bytes else { return 0 };
    let starts = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_' || byte == b':' || byte >= 0x80;
    match second {
        b'!' => {}
        b'/' if bytes.get(2).copied().is_some_and(starts) => {}
        &byte if starts(byte) => {}
        _ => return 0,
    }
    let mut quote = None;
    for (at, &byte) in bytes.iter().enumerate().skip(1) {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return at + 1,
            (None, b'<') => return 0,
            _ => {}
        }
    }
    0
}

/// Returns the length in bytes of the entity (`&amp;`, `&#39;`, `&#x27;`) at the start of a text, or 0.
pub fn entity_len(text: &str) -> usize {
    let Some(end) = text.bytes().take(12).position(|byte| byte == b';') else { return 0 };
    let Some(name) = text.get(1..end).filter(|_| text.starts_with('&')) else { return 0 };
    let valid = match (name.strip_prefix("#x"), name.strip_prefix('#')) {
        (Some(hex), _) => !hex.is_empty() && hex.bytes().all(|byte| byte.is_ascii_hexdigit()),
        (None, Some(number)) => !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()),
        (None, None) => {
            name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.bytes().all(|b| b.is_ascii_alphanumeric())
        }
    };
    if valid { end + 1 } else { 0 }
}

/// Counts the billed characters of a text: all or, with tag handling, all but its tags.
pub fn characters(text: &str, syntax: MarkupSyntax) -> u64 {
    let mut count = 0;
    let mut rest = text;
    let mut tags = TagMeter::default();
    if syntax != MarkupSyntax::None {
        while let Some(at) = memchr::memchr(b'<', rest.as_bytes()) {
            let (before, from) = rest.split_at(at);
            count += before.chars().count();
            let len = tags.tag_len(from);
            if len == 0 {
                count += 1;
            }
            rest = from.get(len.max(1)..).unwrap_or_default();
        }
    }
    (count + rest.chars().count()) as u64
}

pub struct OpenElements<'a> {
    syntax: MarkupSyntax,
    ignored: &'a [String],
    /// Names, and whether the content must not be translated.
    elements: Vec<(String, bool)>,
    untranslated: usize,
}

impl<'a> OpenElements<'a> {
    /// `ignored` has the names of elements that must not be translated.
    pub fn new(syntax: MarkupSyntax, ignored: &'a [String]) -> Self {
        Self { syntax, ignored, elements: Vec::new(), untranslated: 0 }
    }

    pub fn is_untranslated(&self) -> bool {
        self.untranslated > 0
    }

    pub fn push_tag(&mut self, tag: &str) {
        if let Some(name) = tag.strip_prefix("</") {
            let name = self.name(name);
            if let Some(at) = self.elements.iter().rposition(|(open, _)| *open == name) {
                self.untranslated -= self.elements.drain(at..).filter(|(_, untranslated)| *untranslated).count();
            }
            return;
        }
        let Some(inner) = tag.strip_prefix('<').filter(|inner| !inner.starts_with(['!', '?'])) else { return };
        let name = self.name(inner);
        let html = self.syntax == MarkupSyntax::Html;
        if tag.ends_with("/>") || html && VOID_ELEMENTS.contains(&name.as_str()) {
            return;
        }
        let ignored = |known: &String| if html { known.eq_ignore_ascii_case(&name) } else { *known == name };
        let untranslated = self.ignored.iter().any(ignored)
            || html && (name == "script" || name == "style" || is_marked_untranslated(inner));
        self.untranslated += usize::from(untranslated);
        self.elements.push((name, untranslated));
    }

    fn name(&self, text: &str) -> String {
        let end = text.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(text.len());
        let name = text.get(..end).unwrap_or_default();
        if self.syntax == MarkupSyntax::Html { name.to_ascii_lowercase() } else { name.to_owned() }
    }
}

/// Returns whether an attribute forbids the translation of an element. `tag` starts with the element's name.
fn is_marked_untranslated(tag: &str) -> bool {
    let tag = tag.trim_end_matches('>');
    let name_end = tag.find(char::is_whitespace).unwrap_or(tag.len());
    let mut attributes = Attributes::html(tag, name_end);
    attributes.with_checks(false).flatten().any(|attribute| {
        match attribute.key.as_ref().to_ascii_lowercase().as_str() {
            "translate" => attribute.value.eq_ignore_ascii_case("no"),
            "class" => attribute.value.split_whitespace().any(|class| class == "notranslate"),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_tags_and_entities() {
        for (text, len) in [
            ("<b>x", 3),
            ("</b>", 4),
            ("<a href=\"x>y\">z", 14),
            ("<!-- > -->x", 10),
            ("<br/>", 5),
            ("< b>", 0),
            ("<3 you", 0),
            ("<b", 0),
            ("<b <c>", 0),
        ] {
            assert_eq!(TagMeter::default().tag_len(text), len, "{text}");
        }
        for (text, len) in
            [("&amp; x", 5), ("&#39;", 5), ("&#x2F;", 6), ("& x;", 0), ("&;", 0), ("&#x;", 0), ("x&;", 0)]
        {
            assert_eq!(entity_len(text), len, "{text}");
        }
    }

    #[test]
    fn a_section_without_end_is_searched_once() {
        for section in ["<!--", "<![CDATA[", "<?"] {
            let text = section.repeat(1_000_000);
            // Searching to the end of the text for each start would take hours.
            assert_eq!(characters(&text, MarkupSyntax::Html), text.len() as u64, "{section}");
        }
        assert_eq!(characters("<!-- a --> b <!-- c", MarkupSyntax::Xml), 9);
    }

    #[test]
    fn does_not_count_tags() {
        assert_eq!(characters("<b>Tea</b> ü", MarkupSyntax::Xml), 5);
        assert_eq!(characters("<b>Tea</b>", MarkupSyntax::None), 10);
        assert_eq!(characters("3 < 4", MarkupSyntax::Html), 5);
    }
}
