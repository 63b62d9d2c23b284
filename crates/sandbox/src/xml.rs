//! XML: events with their places in the text, and the strict check of tag handling `v2`.
//!
//! The check of whole documents is in `xml_document`.

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// The events of an XML text, each with the bytes that it has in the text.
pub struct XmlEvents<'a> {
    reader: Reader<&'a [u8]>,
}

impl<'a> XmlEvents<'a> {
    /// Starts at the beginning of a text.
    pub fn new(text: &'a str) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().check_comments = true;
        Self { reader }
    }

    /// Reads the next event; at the end of the text, [`Event::Eof`].
    pub fn next(&mut self) -> Result<(Event<'a>, Range<usize>), quick_xml::Error> {
        let start = position(self.reader.buffer_position());
        let event = self.reader.read_event()?;
        Ok((event, start..position(self.reader.buffer_position())))
    }

    /// Returns the place of the last error in the text.
    pub fn error_position(&self) -> usize {
        position(self.reader.error_position())
    }
}

fn position(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// Returns what is wrong with a piece of XML; `None` if it is well formed.
///
/// The piece can have any number of elements and text at the top level.
pub fn xml_error(text: &str) -> Option<String> {
    check(text).err()
}

fn check(text: &str) -> Result<(), String> {
    let mut reader = Reader::from_str(text);
    let mut open = Vec::new();
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(tag) => {
                check_tag(&tag)?;
                open.push(name(&tag));
            }
            Event::Empty(tag) => check_tag(&tag)?,
            Event::End(_) => drop(open.pop()),
            Event::GeneralRef(entity) if !is_known(&entity) => {
                return Err(format!("unknown entity '&{};'", &*entity));
            }
            Event::Eof => break,
            _ => {}
        }
    }
    open.pop().map_or(Ok(()), |name| Err(format!("element '{name}' is never closed")))
}

/// Checks the names and values of a tag.
pub(super) fn check_tag(tag: &BytesStart) -> Result<(), String> {
    let name = name(tag);
    if !is_name(&name) {
        return Err(format!("'{name}' is not an element name"));
    }
    if !are_separated(tag.attributes_raw()) {
        return Err(format!("element '{name}': attributes must be separated by white space"));
    }
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| format!("element '{name}': {error}"))?;
        let key = attribute.key.as_ref();
        if !is_name(key) {
            return Err(format!("element '{name}': '{key}' is not an attribute name"));
        }
        if attribute.value.contains('<') {
            return Err(format!("element '{name}': the value of attribute '{key}' contains '<'"));
        }
    }
    Ok(())
}

/// Returns whether each attribute is preceded by white space, which the parser does not check.
fn are_separated(attributes: &str) -> bool {
    let mut rest = attributes;
    while let Some((before, quoted)) = rest.split_once(['"', '\'']) {
        if !before.starts_with(char::is_whitespace) {
            return false;
        }
        let quote = rest.chars().nth(before.chars().count()).unwrap_or('"');
        rest = quoted.split_once(quote).map_or("", |(_, after)| after);
    }
    true
}

fn name(tag: &BytesStart) -> String {
    tag.name().as_ref().to_owned()
}

/// Returns whether a text is the name of an element, an attribute or a processing instruction.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || "_:".contains(c))
        && name.chars().all(|c| c.is_alphanumeric() || "_:.-".contains(c))
}

fn is_known(entity: &str) -> bool {
    let is_number = entity.strip_prefix('#').is_some_and(|number| match number.strip_prefix('x') {
        Some(hex) => u32::from_str_radix(hex, 16).is_ok(),
        None => number.parse::<u32>().is_ok(),
    });
    is_number || ["amp", "lt", "gt", "quot", "apos"].contains(&entity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_well_formed_pieces() {
        for text in [
            "a<b c='d'>e</b>&amp;<f/>",
            "<a><b/></a> <!-- x --> <c x=\"1\" y=\"2\"/>",
            "&#169;&#xA9;",
            "plain",
            "",
            "<t:a t:b = '1'\n/>",
            "<![CDATA[a < b & c]]>",
        ] {
            assert_eq!(xml_error(text), None, "{text}");
        }
    }

    #[test]
    fn says_what_is_wrong() {
        for (text, part) in [
            ("<a>", "element 'a' is never closed"),
            ("</a>", "`</a>` does not match any open tag"),
            ("<a></b>", "expected `</a>`, but `</b>` was found"),
            ("a & b", "`;` not found before end of input"),
            ("a & b;", "unknown entity '& b;'"),
            ("&nbsp;", "unknown entity '&nbsp;'"),
            ("&#x;", "unknown entity '&#x;'"),
            ("<a b=c/>", "element 'a': position 4: attribute value must be enclosed"),
            ("<a b/>", "element 'a': position 3: attribute key must be directly followed by `=`"),
            ("3 < 4", "`>` not found before end of input"),
            ("3 < 4 > 2", "'' is not an element name"),
            ("<3>", "'3' is not an element name"),
            ("<a 3='1'>", "element 'a': '3' is not an attribute name"),
            ("<a b='1' b='2'/>", "element 'a': position 8: duplicated attribute"),
            ("<a b='1'c='2'/>", "element 'a': attributes must be separated by white space"),
            ("<a b='\"1'c=\"2\"/>", "element 'a': attributes must be separated by white space"),
            ("<a b='<'/>", "element 'a': the value of attribute 'b' contains '<'"),
            ("<!-- a", "`-->` not found before end of input"),
            ("<a b='1/>", "`'` not found before end of input"),
        ] {
            let error = xml_error(text).unwrap_or_default();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
