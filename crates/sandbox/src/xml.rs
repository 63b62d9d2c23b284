//! Reads XML events with their positions in the text, and checks whether a text is well formed.

use std::collections::BTreeSet;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::Event;
use roxmltree::{Document, Error, ParsingOptions};

pub struct XmlEvents<'a> {
    reader: Reader<&'a [u8]>,
}

impl<'a> XmlEvents<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { reader: Reader::from_str(text) }
    }

    /// Reads the next event, which is [`Event::Eof`] at the end of the text.
    pub fn next(&mut self) -> Result<(Event<'a>, Range<usize>), quick_xml::Error> {
        let start = position(self.reader.buffer_position());
        let event = self.reader.read_event()?;
        Ok((event, start..position(self.reader.buffer_position())))
    }
}

fn position(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// Returns what is wrong with an XML fragment; `None` if it is well formed. A fragment may have any number of elements and text
/// at the top level, and its prefixes need not be declared.
pub fn xml_error(text: &str) -> Option<String> {
    if text.rfind('<') > text.rfind('>') {
        return Some("a tag does not end with '>'".to_owned());
    }
    let is_name = |c: char| c.is_alphanumeric() || "_.-".contains(c);
    let prefixes = text.match_indices(':').filter_map(|(at, _)| text.get(..at)?.rsplit(|c| !is_name(c)).next());
    let prefixes: BTreeSet<&str> = prefixes.filter(|prefix| !["", "xml", "xmlns"].contains(prefix)).collect();
    let is_declared = |prefix: &&&str| prefix.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let namespaces: String = prefixes.iter().filter(is_declared).map(|p| format!(" xmlns:{p}='{p}'")).collect();
    Document::parse(&format!("<piece{namespaces}>{text}</piece>")).err().map(|error| reason(&error))
}

/// Returns what is wrong with a document, with the line number; `None` if it is well formed.
pub fn document_error(text: &str) -> Option<String> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let error = Document::parse_with_options(text, options).err()?;
    // `roxmltree` reads neither external DTDs nor parameter entities, which may declare other entities.
    let has_other_entities =
        |(_, doctype): (&str, &str)| ["SYSTEM", "PUBLIC", "%"].iter().any(|word| doctype.contains(word));
    let line = match &error {
        Error::UnknownEntityReference(..) | Error::UnknownToken(_)
            if text.split_once("<!DOCTYPE").is_some_and(has_other_entities) =>
        {
            return None;
        }
        Error::NoRootNode | Error::UnclosedRootNode | Error::UnexpectedEndOfStream => {
            u32::try_from(text.split('\n').count()).unwrap_or(u32::MAX)
        }
        error => error.pos().row,
    };
    Some(format!("line {line}: {}", reason(&error)))
}

/// Returns the message of an error, without its position.
fn reason(error: &Error) -> String {
    match error {
        Error::UnexpectedCloseTag(open, close, _) if close == "piece" => format!("element '{open}' is never closed"),
        Error::UnexpectedCloseTag(open, close, _) if open == "piece" => format!("'</{close}>' closes no element"),
        Error::UnknownToken(_) => "unexpected text".to_owned(),
        error => error.to_string().replace(&format!(" at {}", error.pos()), ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_well_formed_fragments() {
        for text in [
            "a<b c='d'>e</b>&amp;<f/>",
            "<a><b/></a> <!-- x --> <c x=\"1\" y=\"2\"/>",
            "&#169;&#xA9;",
            "plain: 1:2",
            "",
            "<t:a t:b = '1'\n/>",
            "<x:a xml:lang='de'><x:b>10:30 :-) ::</x:b></x:a>",
            "<![CDATA[a < b & c]]>",
        ] {
            assert_eq!(xml_error(text), None, "{text}");
        }
    }

    #[test]
    fn explains_what_is_wrong_with_a_fragment() {
        for (text, expected) in [
            ("<a>", "element 'a' is never closed"),
            ("</a>", "'</a>' closes no element"),
            ("<a></b>", "expected 'a' tag, not 'b'"),
            ("</piece><piece>", "unexpected text"),
            ("a & b", "malformed entity reference"),
            ("&nbsp;", "unknown entity reference 'nbsp'"),
            ("<a b=c/>", "expected a quote not 'c'"),
            ("<a b/>", "expected '=' not '/'"),
            ("3 < 4", "a tag does not end with '>'"),
            ("3 < 4 > 2", "invalid name token"),
            ("<3>", "invalid name token"),
            ("<a 3='1'>", "invalid name token"),
            ("<a b='1' b='2'/>", "attribute 'b' is already defined"),
            ("<a b='1'c='2'/>", "expected a whitespace not 'c'"),
            ("<a b='<'/>", "expected ''' not '<'"),
            ("<!-- a", "a tag does not end with '>'"),
            ("<a b='1/>", "expected ''' not '<'"),
        ] {
            assert_eq!(xml_error(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn accepts_well_formed_documents() {
        for text in [
            "<a/>",
            "<?xml version='1.0' encoding='UTF-8'?>\n<!-- x --><a b='&amp;&#x41;'>&lt;<b/><![CDATA[&]]></a>\n<?p x?>",
            "<!DOCTYPE a [<!ENTITY co \"T > ]> Co\"><!-- ' --> ]><a>&co;<b c='&co;'/></a>",
            "<!DOCTYPE topic PUBLIC \"-//x//DTD y//EN\" 'topic.dtd'><topic>&nbsp;</topic>",
            "<!DOCTYPE a [<!ENTITY % x SYSTEM 'x.ent'>%x;]><a>&defined-in-x;</a>",
            "<ä:b-c.d xmlns:ä='u'>]] ></ä:b-c.d>",
        ] {
            assert_eq!(document_error(text), None, "{text}");
        }
        let deep = "<a>".repeat(200_000) + &"</a>".repeat(200_000);
        assert_eq!(document_error(&deep), None);
    }

    #[test]
    fn reports_the_line_of_an_error_in_a_document() {
        for (text, expected) in [
            ("", "line 1: the document does not have a root node"),
            ("\n<!-- x -->", "line 2: the document does not have a root node"),
            ("<a/>\n<b/>", "line 2: unexpected text"),
            ("<a>\n<b>\n</a>", "line 3: expected 'b' tag, not 'a'"),
            ("<a>\n<b/>\n", "line 3: the root node was opened but never closed"),
            ("x<a/>", "line 1: unexpected text"),
            ("<a/>\n\nx", "line 3: unexpected text"),
            ("<a>\nx\n]]></a>", "line 3: ']]>' is not allowed inside a character data"),
            ("<a>&nbsp;</a>", "line 1: unknown entity reference 'nbsp'"),
            ("<a>&#0;</a>", "line 1: malformed entity reference"),
            ("<a b='x & y'/>", "line 1: malformed entity reference"),
            ("<a>\u{1}</a>", "line 1: a non-XML character '\\u{1}' found"),
            ("\n<?xml version='1.0'?><a/>", "line 2: unexpected XML declaration"),
            ("<a/><!DOCTYPE a>", "line 1: unexpected text"),
            ("<a><!-- x -- y --></a>", "line 1: comment contains '--'"),
            ("<a:b/>", "line 1: an unknown namespace prefix 'a'"),
        ] {
            assert_eq!(document_error(text).as_deref(), Some(expected), "{text}");
        }
    }
}
