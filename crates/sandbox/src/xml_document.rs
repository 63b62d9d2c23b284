//! Whether a text is a well-formed XML document: one root, references that are declared, characters that XML allows.
//!
//! Names of namespaces are not resolved, and the rules of a document type are not applied.

use std::collections::HashSet;

use quick_xml::events::{BytesDecl, BytesStart, Event};

use super::xml::{XmlEvents, check_tag, is_name};

/// Returns what is wrong with a document, with the line; `None` if it is well formed.
pub fn document_error(text: &str) -> Option<String> {
    let (place, error) = check(text).err()?;
    let lines = text.get(..place).unwrap_or(text).matches('\n').count();
    Some(format!("line {}: {error}", lines + 1))
}

/// An error and its place in the text.
type PlacedError = (usize, String);

fn check(text: &str) -> Result<(), PlacedError> {
    if let Some((at, c)) = text.char_indices().find(|(_, c)| !is_allowed(*c)) {
        return Err((at, format!("the character U+{:04X} is not allowed", u32::from(c))));
    }
    let mut document = XmlDocument::default();
    let mut events = XmlEvents::new(text);
    loop {
        let (event, range) = match events.next() {
            Ok(read) => read,
            Err(error) => return Err((events.error_position(), reason(error))),
        };
        let place = range.start
            + match &event {
                Event::Text(text) => text.find("]]>").or_else(|| text.find(|c| !is_space(c))).unwrap_or_default(),
                _ => 0,
            };
        if matches!(event, Event::Eof) {
            return document.finish().map_err(|error| (place, error));
        }
        let raw = text.get(range.clone()).unwrap_or_default();
        document.add(&event, raw, range.start == 0).map_err(|error| (place, error))?;
    }
}

/// Returns the message of an error, without its kind.
fn reason(error: quick_xml::Error) -> String {
    match error {
        quick_xml::Error::IllFormed(error) => error.to_string(),
        quick_xml::Error::Syntax(error) => error.to_string(),
        error => error.to_string(),
    }
}

/// What was read of a document.
#[derive(Default)]
struct XmlDocument {
    /// Names of the open elements.
    open: Vec<String>,
    has_root: bool,
    has_doctype: bool,
    entities: HashSet<String>,
    /// Whether entities may be declared in a place that is not read.
    has_external_entities: bool,
}

impl XmlDocument {
    fn add(&mut self, event: &Event, raw: &str, is_first: bool) -> Result<(), String> {
        match event {
            Event::Start(tag) => {
                self.add_tag(tag)?;
                self.open.push(tag.name().as_ref().to_owned());
            }
            Event::Empty(tag) => self.add_tag(tag)?,
            Event::End(_) => drop(self.open.pop()),
            Event::Text(text) => {
                if self.open.is_empty() && text.contains(|c: char| !is_space(c)) {
                    return Err("text outside of the root element".to_owned());
                }
                if text.contains("]]>") {
                    return Err("']]>' in a text".to_owned());
                }
            }
            Event::CData(_) if self.open.is_empty() => return Err("text outside of the root element".to_owned()),
            Event::GeneralRef(_) if self.open.is_empty() => {
                return Err("an entity outside of the root element".to_owned());
            }
            Event::GeneralRef(entity) => self.check_reference(entity)?,
            Event::Decl(declaration) => {
                if !is_first {
                    return Err("an XML declaration that is not at the start".to_owned());
                }
                check_declaration(declaration)?;
            }
            Event::PI(instruction) if !is_name(instruction.target()) => {
                return Err("a processing instruction without a name".to_owned());
            }
            Event::PI(instruction) if instruction.target().eq_ignore_ascii_case("xml") => {
                return Err("a processing instruction with the reserved name 'xml'".to_owned());
            }
            Event::DocType(_) if !raw.strip_prefix("<!DOCTYPE").is_some_and(|rest| rest.starts_with(is_space)) => {
                return Err("a document type declaration that does not start with '<!DOCTYPE '".to_owned());
            }
            Event::DocType(doctype) => {
                if self.has_root || self.has_doctype {
                    return Err("a document type declaration that is not before the root element".to_owned());
                }
                self.has_doctype = true;
                self.declare_entities(doctype);
            }
            Event::CData(_) | Event::Comment(_) | Event::PI(_) | Event::Eof => {}
        }
        Ok(())
    }

    fn add_tag(&mut self, tag: &BytesStart) -> Result<(), String> {
        if self.open.is_empty() && std::mem::replace(&mut self.has_root, true) {
            return Err("more than one root element".to_owned());
        }
        check_tag(tag)?;
        // The check has read all attributes.
        for attribute in tag.attributes().flatten() {
            for reference in attribute.value.split('&').skip(1) {
                let (name, _) = reference.split_once(';').ok_or("a '&' that is not part of an entity")?;
                self.check_reference(name)?;
            }
        }
        Ok(())
    }

    fn check_reference(&self, name: &str) -> Result<(), String> {
        let is_known = match name.strip_prefix('#') {
            Some(_) => referenced_char(name).is_some_and(is_allowed),
            None => referenced_char(name).is_some() || self.has_external_entities || self.entities.contains(name),
        };
        if is_known { Ok(()) } else { Err(format!("unknown entity '&{name};'")) }
    }

    /// Collects the names of the entities that a document type declares.
    fn declare_entities(&mut self, doctype: &str) {
        let (external, subset) = doctype.split_once('[').unwrap_or((doctype, ""));
        self.has_external_entities = external.contains("SYSTEM") || external.contains("PUBLIC") || subset.contains('%');
        let names = subset.split("<!ENTITY").skip(1).filter_map(|rest| rest.split_whitespace().next());
        self.entities.extend(names.map(str::to_owned));
    }

    fn finish(mut self) -> Result<(), String> {
        match self.open.pop() {
            Some(name) => Err(format!("element '{name}' is never closed")),
            None if self.has_root => Ok(()),
            None => Err("no root element".to_owned()),
        }
    }
}

/// Checks the XML declaration. Whether its encoding exists is not checked.
fn check_declaration(declaration: &BytesDecl) -> Result<(), String> {
    let tag = BytesStart::from_content(&**declaration, "xml".len());
    check_tag(&tag)?;
    let attributes: Vec<_> = tag.attributes().flatten().collect();
    let names: Vec<&str> = attributes.iter().map(|attribute| attribute.key.as_ref()).collect();
    if !matches!(
        names[..],
        ["version"] | ["version", "encoding" | "standalone"] | ["version", "encoding", "standalone"]
    ) {
        return Err(
            "the XML declaration must have a version, then an encoding and 'standalone' if it has these".to_owned()
        );
    }
    for attribute in &attributes {
        let values: &[&str] = match attribute.key.as_ref() {
            "version" => &["1.0", "1.1"],
            "standalone" => &["yes", "no"],
            _ => continue,
        };
        if !values.contains(&&*attribute.value) {
            return Err(format!("the XML declaration has an unknown value '{}'", attribute.value));
        }
    }
    Ok(())
}

/// Returns the character that a predefined entity or a character reference stands for. `name` is without `&` and `;`.
pub fn referenced_char(name: &str) -> Option<char> {
    let number = match name {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => name.strip_prefix('#')?,
    };
    let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |hex| (hex, 16));
    // The parser of numbers accepts a sign.
    let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let code = u32::from_str_radix(digits, radix).ok().filter(|_| is_number)?;
    char::from_u32(code)
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn is_allowed(c: char) -> bool {
    is_space(c) || (c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_well_formed_documents() {
        for text in [
            "<a/>",
            "<?xml version='1.0' encoding='UTF-8'?>\n<!-- x --><a b='&amp;&#x41;'>&lt;<b/><![CDATA[&]]></a>\n<?p x?>",
            "<!DOCTYPE a [<!ENTITY co \"T > ]> & Co\"><!-- ' --> ]><a>&co;<b c='&co;'/></a>",
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
    fn says_what_is_wrong_and_where() {
        for (text, expected) in [
            ("", "line 1: no root element"),
            ("\n<!-- x -->", "line 2: no root element"),
            ("<a/>\n<b/>", "line 2: more than one root element"),
            ("<a>\n<b>\n</a>", "line 3: expected `</b>`, but `</a>` was found"),
            ("<a>\n<b/>\n", "line 3: element 'a' is never closed"),
            ("x<a/>", "line 1: text outside of the root element"),
            ("<a/><![CDATA[]]>", "line 1: text outside of the root element"),
            ("<a/>&amp;", "line 1: an entity outside of the root element"),
            ("<a/>\n\nx", "line 3: text outside of the root element"),
            ("<a>\nx\n]]></a>", "line 3: ']]>' in a text"),
            ("<a>&nbsp;</a>", "line 1: unknown entity '&nbsp;'"),
            ("<a>&#0;</a>", "line 1: unknown entity '&#0;'"),
            ("<a>&#+65;</a>", "line 1: unknown entity '&#+65;'"),
            ("<a b='x & y'/>", "line 1: a '&' that is not part of an entity"),
            ("<a b='&x;'/>", "line 1: unknown entity '&x;'"),
            ("<a>\u{1}</a>", "line 1: the character U+0001 is not allowed"),
            ("\n<?xml version='1.0'?><a/>", "line 2: an XML declaration that is not at the start"),
            ("<a><?XML x?></a>", "line 1: a processing instruction with the reserved name 'xml'"),
            ("<?xml version='1.0' standalone='x'?><a/>", "line 1: the XML declaration has an unknown value 'x'"),
            ("<?xml version='2'?><a/>", "line 1: the XML declaration has an unknown value '2'"),
            (
                "<?xml encoding='UTF-8' version='1.0'?><a/>",
                "line 1: the XML declaration must have a version, then an encoding and 'standalone' if it has these",
            ),
            ("<a><? x?></a>", "line 1: a processing instruction without a name"),
            ("<!doctype a><a/>", "line 1: a document type declaration that does not start with '<!DOCTYPE '"),
            ("<a/><!DOCTYPE a>", "line 1: a document type declaration that is not before the root element"),
            (
                "<a b='1' b='2'/>",
                "line 1: element 'a': position 8: duplicated attribute, previous declaration at position 2",
            ),
            ("<a><!-- x -- y --></a>", "line 1: forbidden string `--` was found in a comment"),
        ] {
            assert_eq!(document_error(text).as_deref(), Some(expected), "{text}");
        }
    }
}
