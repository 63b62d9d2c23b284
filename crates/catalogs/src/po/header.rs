//! The header of a PO file (fields in the translation of the empty text), and edits of its fields.

use std::ops::Range;

use super::literal::{PoLayout, decode_line, encode_within};
use super::parse::PoString;
use crate::plural::{GettextPlural, gettext_header};
use crate::{CatalogError, Edit};

const LANGUAGE: &str = "Language";
const PLURAL_FORMS: &str = "Plural-Forms";
const CONTENT_TYPE: &str = "Content-Type";
/// The fields that declare UTF-8 as encoding.
const ENCODING_FIELDS: [(&str, &str); 3] =
    [("MIME-Version", "1.0"), (CONTENT_TYPE, "text/plain; charset=UTF-8"), ("Content-Transfer-Encoding", "8bit")];

#[derive(Debug)]
pub struct PoHeader {
    text: String,
    /// The offset in the file of each byte of `text`, then of the closing quote.
    offsets: Vec<usize>,
}

impl PoHeader {
    /// Parses the header from its `msgstr`. Fails if it declares a character set other than UTF-8 and ASCII.
    pub fn parse(text: &str, value: &PoString) -> Result<Self, CatalogError> {
        let (mut bytes, mut offsets) = (Vec::new(), Vec::new());
        let mut start = value.range.start;
        for line in text.get(value.range.clone()).unwrap_or_default().split_inclusive('\n') {
            let end = start + line.trim_end().len();
            let quote = start + line.find('"').unwrap_or(line.len()).min(end - start);
            decode_line(text, quote..end, &mut bytes, Some(&mut offsets))?;
            start += line.len();
        }
        offsets.push(value.range.end.saturating_sub(1));
        let text = String::from_utf8(bytes).unwrap_or_default();
        let header = Self { text, offsets };
        if let Some(charset) = header.charset() {
            let name = header.text.get(charset.clone()).unwrap_or_default();
            let known = ["utf-8", "utf8", "us-ascii", "ascii", "ansi_x3.4-1968", "charset", ""];
            if !known.contains(&name.to_ascii_lowercase().as_str()) {
                let what = format!("the header names the character set {name}, but only UTF-8 can be read");
                let hint = "convert the file with `msgconv --to-code=UTF-8`";
                return Err(CatalogError::new(header.file_offset(charset.start), what).hint(hint));
            }
        }
        Ok(header)
    }

    pub fn field(&self, name: &str) -> Option<&str> {
        self.text.get(self.field_range(name)?.1)
    }

    pub fn language(&self) -> Option<&str> {
        self.field(LANGUAGE).filter(|language| !language.is_empty())
    }

    /// Returns `None` for the placeholders of a template.
    pub fn plural_forms(&self) -> Option<&str> {
        let is_template = |value: &str| value.contains("INTEGER") || value.contains("EXPRESSION");
        self.field(PLURAL_FORMS).filter(|value| !value.is_empty() && !is_template(value))
    }

    pub fn check_plural_forms(&self) -> Result<(), CatalogError> {
        let Some(forms) = self.plural_forms() else { return Ok(()) };
        GettextPlural::parse(forms).map(drop).map_err(|why| {
            let at = self.field_range(PLURAL_FORMS).map_or(0, |(start, _)| self.file_offset(start));
            CatalogError::new(at, format!("the plural forms of the header cannot be read: {why}"))
                .hint("correct `Plural-Forms`, or remove it to use the forms of the language")
        })
    }

    /// Sets the language (BCP 47), and adds plural forms if they are missing. In a copy, or in a header without a language, adds
    /// missing encoding fields. In a copy, also replaces the plural forms, and the names of the translators if the original has
    /// a language.
    pub fn language_edits(&self, tag: &str, is_copy: bool, layout: PoLayout) -> Vec<Edit> {
        let (mut edits, mut added) = (Vec::new(), Vec::new());
        let is_new = is_copy || self.language().is_none();
        if is_copy && self.language().is_some() {
            let own = [("Last-Translator", "Automatically generated"), ("Language-Team", "none")];
            let fields = own.into_iter().filter_map(|(name, value)| Some((self.field_range(name)?.1, value)));
            let fields = fields.filter(|(range, _)| !range.is_empty());
            edits.extend(fields.map(|(range, value)| Edit::replace(self.file_range(range), value)));
        }
        let posix = posix_language(tag);
        match self.field_range(LANGUAGE) {
            None => match self.field_range("Language-Team") {
                Some((_, team)) => edits.push(self.insert_fields(&[(LANGUAGE, &posix)], Some(team.end), layout)),
                None => added.push((LANGUAGE, posix.as_str())),
            },
            Some((_, value)) if !is_same_language(self.text.get(value.clone()).unwrap_or_default(), &posix) => {
                let blank = if self.text.get(..value.start).is_some_and(|text| text.ends_with(':')) { " " } else { "" };
                edits.push(Edit::replace(self.file_range(value), [blank, &posix].concat()));
            }
            Some(_) => {}
        }
        if is_new {
            added.extend(ENCODING_FIELDS.iter().filter(|(name, _)| self.field_range(name).is_none()));
        }
        if (is_copy || self.plural_forms().is_none())
            && let Some(forms) = gettext_header(tag)
        {
            match self.field_range(PLURAL_FORMS) {
                None => added.push((PLURAL_FORMS, forms)),
                Some((start, value)) => {
                    let line = [PLURAL_FORMS, ": ", forms].concat();
                    edits.push(Edit::replace(self.file_range(start..value.end), encode_within(&line, layout)));
                }
            }
        }
        if !added.is_empty() {
            edits.push(self.insert_fields(&added, None, layout));
        }
        edits
    }

    /// Returns the edit that changes the character set to UTF-8, if it is ASCII or the placeholder of a template.
    pub fn charset_edit(&self) -> Option<Edit> {
        let charset = self.charset()?;
        let name = self.text.get(charset.clone()).unwrap_or_default();
        (!name.to_ascii_lowercase().starts_with("utf")).then(|| Edit::replace(self.file_range(charset), "UTF-8"))
    }

    fn charset(&self) -> Option<Range<usize>> {
        let (_, value) = self.field_range(CONTENT_TYPE)?;
        let content = self.text.get(value.clone())?;
        let start = content.find("charset=")? + "charset=".len();
        let rest = content.get(start..)?;
        let length = rest.find([';', ' ', '\t']).unwrap_or(rest.len());
        Some(value.start + start..value.start + start + length)
    }

    /// Returns the start of the field, and the range of its value without surrounding whitespace.
    fn field_range(&self, name: &str) -> Option<(usize, Range<usize>)> {
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let content = line.strip_suffix('\n').unwrap_or(line);
            let is_it = content.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
            if is_it && let Some(value) = content.get(name.len()..).and_then(|rest| rest.strip_prefix(':')) {
                let value_start = start + content.len() - value.trim_start().len();
                return Some((start, value_start..value_start + value.trim().len()));
            }
            start += line.len();
        }
        None
    }

    /// Inserts fields after the line that contains `after`, or at the end.
    fn insert_fields(&self, fields: &[(&str, &str)], after: Option<usize>, layout: PoLayout) -> Edit {
        let newline = after.and_then(|end| Some(end + self.text.get(end..)?.find('\n')?));
        let (at, is_complete, has_next) = match newline {
            Some(newline) => {
                // The line feed is the escape `\n`. Following text of the same string moves to its own line.
                let at = self.file_offset(newline) + 2;
                (at, true, newline + 1 < self.text.len() && self.file_offset(newline + 1) == at)
            }
            None => (self.file_offset(self.text.len()), self.text.is_empty() || self.text.ends_with('\n'), false),
        };
        let end = if is_complete { "" } else { "\\n" };
        let fold = ["\"", layout.newline, "\""].concat();
        let line = |(name, value): &(&str, &str)| {
            [&fold, encode_within(&[name, ": ", value, "\n"].concat(), layout).as_str()].concat()
        };
        let lines: String = fields.iter().map(line).collect();
        Edit::insert(at, [end, &lines, if has_next { &fold } else { "" }].concat())
    }

    fn file_range(&self, range: Range<usize>) -> Range<usize> {
        self.file_offset(range.start)..self.file_offset(range.end)
    }

    fn file_offset(&self, at: usize) -> usize {
        self.offsets.get(at).or(self.offsets.last()).copied().unwrap_or_default()
    }
}

pub fn new_header(tag: &str, layout: PoLayout) -> String {
    let posix = posix_language(tag);
    let fields = [(LANGUAGE, posix.as_str())].into_iter().chain(ENCODING_FIELDS);
    let fields = fields.chain(gettext_header(tag).map(|forms| (PLURAL_FORMS, forms)));
    let mut out = ["msgid \"\"", layout.newline, "msgstr \"\"", layout.newline].concat();
    for (name, value) in fields {
        let field = [name, ": ", value, "\n"].concat();
        out.extend(["\"", &encode_within(&field, layout), "\"", layout.newline]);
    }
    out + layout.newline
}

/// Such as `pt_BR` and `sr@latin`.
pub fn posix_language(tag: &str) -> String {
    let mut parts = tag.split(['-', '_']);
    let language = parts.next().unwrap_or_default().to_ascii_lowercase();
    let (mut script, mut region) = (None, None);
    for part in parts {
        match part.len() {
            // Variants and extensions have no equivalent in POSIX names.
            0 | 1 => break,
            4 if part.bytes().all(|byte| byte.is_ascii_alphabetic()) => script = Some(part),
            2 | 3 if region.is_none() => region = Some(part.to_ascii_uppercase()),
            _ => {}
        }
    }
    let modifier = script.and_then(|script| match script.to_ascii_lowercase().as_str() {
        "latn" => Some("@latin"),
        "cyrl" => Some("@cyrillic"),
        "arab" => Some("@arabic"),
        "deva" => Some("@devanagari"),
        _ => None,
    });
    let mut out = language;
    if let Some(script) = script.filter(|_| modifier.is_none()) {
        let mut chars = script.chars();
        out.push('_');
        out.extend(chars.next().map(|first| first.to_ascii_uppercase()));
        out.extend(chars.map(|c| c.to_ascii_lowercase()));
    }
    if let Some(region) = region {
        out.extend(["_", &region]);
    }
    out.extend(modifier);
    out
}

fn is_same_language(a: &str, b: &str) -> bool {
    a.replace('-', "_").eq_ignore_ascii_case(&b.replace('-', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_written_as_gettext_does() {
        for (tag, posix) in [
            ("de", "de"),
            ("pt-BR", "pt_BR"),
            ("sr-Latn", "sr@latin"),
            ("sr-Latn-RS", "sr_RS@latin"),
            ("zh-Hans", "zh_Hans"),
            ("zh-hant-HK", "zh_Hant_HK"),
            ("es-419", "es_419"),
            ("uz-Cyrl", "uz@cyrillic"),
            ("ca-ES-valencia", "ca_ES"),
            ("en-x-pirate", "en"),
        ] {
            assert_eq!(posix_language(tag), posix, "{tag}");
        }
    }
}
