//! MarkupSyntax and entities in texts: where they are, which stretches must stay, and whether XML is well formed.
//!
//! Spec: "Text", tag handling: `ignore_tags`, `translate="no"` and `class="notranslate"` in HTML, strict XML of `v2`,
//! tags are not billed.

/// How a text's tags are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MarkupSyntax {
    /// There are none: `<` is a character.
    #[default]
    None,
    /// XML: names have case, every element is closed.
    Xml,
    /// HTML: names have no case, some elements are never closed.
    Html,
}

const VOID: &[&str] =
    &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

/// The bytes of the tag, comment, section or instruction a text begins with; 0 when it begins with none.
pub fn tag_len(text: &str) -> usize {
    let after = |end: &str| text.find(end).map_or(0, |at| at + end.len());
    if text.starts_with("<!--") {
        return after("-->");
    }
    if text.starts_with("<![CDATA[") {
        return after("]]>");
    }
    if text.starts_with("<?") {
        return after("?>");
    }
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

/// The bytes of the entity a text begins with (`&amp;`, `&#39;`, `&#x27;`); 0 when it begins with none.
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

/// The characters of a text without its tags: what is billed.
pub fn characters(text: &str, tags: MarkupSyntax) -> u64 {
    let mut count = 0;
    let mut rest = text;
    if tags != MarkupSyntax::None {
        while let Some(at) = memchr::memchr(b'<', rest.as_bytes()) {
            let (before, from) = rest.split_at(at);
            count += before.chars().count();
            let len = tag_len(from);
            if len == 0 {
                count += 1;
            }
            rest = from.get(len.max(1)..).unwrap_or_default();
        }
    }
    (count + rest.chars().count()) as u64
}

/// Follows the elements that are open, to know whether the text stays as it is.
pub struct OpenElements<'a> {
    tags: MarkupSyntax,
    ignore: &'a [String],
    elements: Vec<(String, bool)>,
    kept: usize,
}

impl<'a> OpenElements<'a> {
    /// Nothing open yet; the text of the elements in `ignore` stays.
    pub fn new(tags: MarkupSyntax, ignore: &'a [String]) -> Self {
        Self { tags, ignore, elements: Vec::new(), kept: 0 }
    }

    /// Whether the text here stays as it is.
    pub fn is_untranslated(&self) -> bool {
        self.kept > 0
    }

    /// Passes one tag.
    pub fn push_tag(&mut self, tag: &str) {
        if let Some(name) = tag.strip_prefix("</") {
            let name = self.name(name);
            if let Some(at) = self.elements.iter().rposition(|(open, _)| *open == name) {
                self.kept -= self.elements.drain(at..).filter(|(_, kept)| *kept).count();
            }
            return;
        }
        let Some(inner) = tag.strip_prefix('<').filter(|inner| !inner.starts_with(['!', '?'])) else { return };
        let name = self.name(inner);
        let html = self.tags == MarkupSyntax::Html;
        if tag.ends_with("/>") || html && VOID.contains(&name.as_str()) {
            return;
        }
        let ignored = |known: &String| if html { known.eq_ignore_ascii_case(&name) } else { *known == name };
        let kept = self.ignore.iter().any(ignored)
            || html && (name == "script" || name == "style" || untranslated(&attributes(inner)));
        self.kept += usize::from(kept);
        self.elements.push((name, kept));
    }

    fn name(&self, text: &str) -> String {
        let end = text.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(text.len());
        let name = text.get(..end).unwrap_or_default();
        if self.tags == MarkupSyntax::Html { name.to_ascii_lowercase() } else { name.to_owned() }
    }
}

fn untranslated(attributes: &[(String, String)]) -> bool {
    attributes.iter().any(|(name, value)| match name.to_ascii_lowercase().as_str() {
        "translate" => value.eq_ignore_ascii_case("no"),
        "class" => value.split_whitespace().any(|class| class == "notranslate"),
        _ => false,
    })
}

/// The attributes of a tag, given from its name on.
fn attributes(tag: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let name_end = tag.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(tag.len());
    let mut rest = tag.get(name_end..).unwrap_or_default();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/' || c == '>');
        if rest.is_empty() {
            return found;
        }
        let end = rest.find(|c: char| c.is_whitespace() || c == '=' || c == '>').unwrap_or(rest.len());
        let (name, after) = rest.split_at(end.max(1).min(rest.len()));
        rest = after.trim_start();
        let Some(value) = rest.strip_prefix('=').map(str::trim_start) else {
            found.push((name.to_owned(), String::new()));
            continue;
        };
        let (value, after) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let inner = value.get(1..).unwrap_or_default();
                inner.split_once(quote).unwrap_or((inner, ""))
            }
            _ => value.split_at(value.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(value.len())),
        };
        found.push((name.to_owned(), value.to_owned()));
        rest = after;
    }
}

/// What is wrong with a piece of XML; `None` when it is well formed. It needs no single root.
pub fn xml_error(text: &str) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&']) {
        let from = rest.get(at..).unwrap_or_default();
        let len = if from.starts_with('&') {
            let len = entity_len(from);
            let entity = from.get(..len).unwrap_or_default();
            let known = entity.starts_with("&#") || ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"].contains(&entity);
            if !known {
                return Some("an ampersand that is no known entity".to_owned());
            }
            len
        } else {
            let len = tag_len(from);
            if len == 0 {
                return Some("a tag that is not closed by '>'".to_owned());
            }
            if let Some(fault) = tag_fault(from.get(..len).unwrap_or_default(), &mut open) {
                return Some(fault);
            }
            len
        };
        rest = from.get(len..).unwrap_or_default();
    }
    open.pop().map(|name| format!("element '{name}' is never closed"))
}

fn tag_fault<'a>(tag: &'a str, open: &mut Vec<&'a str>) -> Option<String> {
    if tag.starts_with("<!") || tag.starts_with("<?") {
        return None;
    }
    if let Some(name) = tag.strip_prefix("</") {
        let name = name.trim_end_matches('>').trim_end();
        return match open.pop() {
            Some(expected) if expected == name => None,
            Some(expected) => Some(format!("'</{name}>' where '</{expected}>' was expected")),
            None => Some(format!("'</{name}>' closes nothing")),
        };
    }
    let inner = tag.strip_prefix('<').and_then(|tag| tag.strip_suffix('>')).unwrap_or_default();
    let (inner, empty) = inner.strip_suffix('/').map_or((inner, false), |inner| (inner, true));
    let end = inner.find(char::is_whitespace).unwrap_or(inner.len());
    let (name, attributes) = inner.split_at(end);
    if !name.chars().all(|c| c.is_alphanumeric() || "_:.-".contains(c)) {
        return Some(format!("'{name}' is no element name"));
    }
    if let Some(fault) = attribute_fault(attributes) {
        return Some(format!("element '{name}': {fault}"));
    }
    if !empty {
        open.push(name);
    }
    None
}

fn attribute_fault(text: &str) -> Option<String> {
    let mut names = Vec::new();
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start();
        if trimmed.is_empty() {
            return None;
        }
        if trimmed.len() == rest.len() {
            return Some("attributes without white space between them".to_owned());
        }
        let Some((name, value)) = trimmed.split_once('=') else {
            return Some("an attribute without a value".to_owned());
        };
        let (name, value) = (name.trim_end(), value.trim_start());
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || "_:.-".contains(c)) {
            return Some(format!("'{name}' is no attribute name"));
        }
        if names.contains(&name) {
            return Some(format!("attribute '{name}' is given twice"));
        }
        names.push(name);
        let Some(quote) = value.chars().next().filter(|c| *c == '"' || *c == '\'') else {
            return Some(format!("the value of attribute '{name}' is not quoted"));
        };
        let Some((value, after)) = value.get(1..).and_then(|value| value.split_once(quote)) else {
            return Some(format!("the value of attribute '{name}' has no end"));
        };
        if value.contains('<') {
            return Some(format!("the value of attribute '{name}' holds a '<'"));
        }
        rest = after;
    }
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
            assert_eq!(tag_len(text), len, "{text}");
        }
        for (text, len) in
            [("&amp; x", 5), ("&#39;", 5), ("&#x2F;", 6), ("& x;", 0), ("&;", 0), ("&#x;", 0), ("x&;", 0)]
        {
            assert_eq!(entity_len(text), len, "{text}");
        }
    }

    #[test]
    fn does_not_bill_tags() {
        assert_eq!(characters("<b>Tea</b> ü", MarkupSyntax::Xml), 5);
        assert_eq!(characters("<b>Tea</b>", MarkupSyntax::None), 10);
        assert_eq!(characters("3 < 4", MarkupSyntax::Html), 5);
    }

    #[test]
    fn finds_faults_in_xml() {
        for text in ["a<b c='d'>e</b>&amp;<f/>", "<a><b/></a> <!-- x --> <c x=\"1\" y=\"2\"/>", "&#169;", "plain"] {
            assert_eq!(xml_error(text), None, "{text}");
        }
        for text in [
            "<a>",
            "</a>",
            "<a></b>",
            "a & b",
            "&nbsp;",
            "<a b=c/>",
            "<a b/>",
            "3 < 4",
            "<a b='1' b='2'/>",
            "<a b='1'c='2'/>",
        ] {
            assert!(xml_error(text).is_some(), "{text}");
        }
    }
}
