//! Parses ICU messages and Java message patterns.

use std::ops::Range;

use super::{IcuQuoting, MAX_DEPTH};
use crate::CatalogError;
use crate::message::tree::{ChoiceKind, ChoiceLayout, MessageBranch, MessageChoice, MessagePart};
use crate::placeholders::braces;
use crate::plural::{PluralCategory, PluralForm, PluralKind};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IcuMessage {
    pub(crate) parts: Vec<MessagePart>,
    /// Quoted text does not count.
    pub(crate) has_doubled_apostrophe: bool,
}

impl IcuMessage {
    /// `markup` are the ranges of the file's markup, in order; braces in it are text. Fails at an invalid argument, or if
    /// branches are nested too deeply.
    pub(crate) fn parse(text: &str, quoting: IcuQuoting, markup: &[Range<usize>]) -> Result<Self, CatalogError> {
        let mut parser = IcuParser { text, at: 0, quoting, markup, choices: 0, has_doubled_apostrophe: false };
        let parts = parser.parts(0, Surrounding::default())?;
        Ok(Self { parts, has_doubled_apostrophe: parser.has_doubled_apostrophe })
    }
}

/// The choices around a part.
#[derive(Clone, Copy, Debug, Default)]
struct Surrounding {
    /// The id of the innermost plural.
    plural: Option<usize>,
    in_select: bool,
}

struct IcuParser<'a> {
    text: &'a str,
    at: usize,
    quoting: IcuQuoting,
    markup: &'a [Range<usize>],
    choices: usize,
    has_doubled_apostrophe: bool,
}

impl<'a> IcuParser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn error<T>(&self, what: &str) -> Result<T, CatalogError> {
        Err(CatalogError::new(self.at, what))
    }

    fn skip_blanks(&mut self) {
        let is_blank = |c: char| c.is_whitespace() || matches!(c, '\u{200e}' | '\u{200f}');
        self.at = self.text.len() - self.rest().trim_start_matches(is_blank).len();
    }

    /// Skips `wanted` if it is the next character, and returns whether it was.
    fn take(&mut self, wanted: char) -> bool {
        let found = self.rest().starts_with(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    /// A word ends at whitespace or a special character.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | ',' | '\'' | '"' | '<' | '>' | '|' | '#');
        let word = rest.get(..rest.find(ends).unwrap_or(rest.len())).unwrap_or_default();
        self.at += word.len();
        word
    }

    fn next_markup(&mut self) -> Option<Range<usize>> {
        while let [first, rest @ ..] = self.markup {
            if first.start >= self.at {
                return Some(first.clone());
            }
            self.markup = rest;
        }
        None
    }

    /// The parts end at the closing brace of a branch or at the end of the text.
    fn parts(&mut self, depth: usize, around: Surrounding) -> Result<Vec<MessagePart>, CatalogError> {
        let mut parts = Vec::new();
        loop {
            let markup = self.next_markup();
            let end = markup.as_ref().map_or(self.text.len(), |markup| markup.start);
            let rest = self.text.get(self.at..end).unwrap_or_default();
            let plain = rest.find(['{', '}', '\'', '#']).unwrap_or(rest.len());
            push_text(&mut parts, rest.get(..plain).unwrap_or_default());
            self.at += plain;
            if let Some(markup) = markup.filter(|_| plain == rest.len()) {
                self.at = markup.end;
                parts.push(MessagePart::Markup(self.text.get(markup).unwrap_or_default().to_owned()));
                continue;
            }
            match (self.rest().chars().next(), around.plural) {
                (None, _) if depth > 0 => return self.error("a branch of the message has no `}`"),
                (None, _) => return Ok(parts),
                (Some('}'), _) if depth > 0 => return Ok(parts),
                (Some('}'), _) => {
                    self.at += 1;
                    parts.push(MessagePart::Quoted("}".to_owned()));
                }
                (Some('{'), _) => parts.push(self.argument(depth, around)?),
                (Some('\''), _) => self.apostrophe(&mut parts, around),
                (Some('#'), Some(plural)) => {
                    self.at += 1;
                    parts.push(MessagePart::Count { plural, in_select: around.in_select });
                }
                (Some(other), _) => {
                    self.at += other.len_utf8();
                    push_text(&mut parts, other.encode_utf8(&mut [0; 4]));
                }
            }
        }
    }

    fn apostrophe(&mut self, parts: &mut Vec<MessagePart>, around: Surrounding) {
        let before = self.text.get(..self.at).unwrap_or_default();
        let after = self.rest().get(1..).unwrap_or_default();
        let is_hash_quoted = around.plural.is_some() && !around.in_select;
        let quotes = match (self.quoting, after.chars().next()) {
            (_, Some('\'')) => {
                self.at += 2;
                self.has_doubled_apostrophe = true;
                return push_text(parts, "'");
            }
            (_, None) => false,
            (IcuQuoting::Optional, Some('#')) => is_hash_quoted,
            (IcuQuoting::Optional, Some('<')) => quoted_tag_len(after).is_some(),
            (IcuQuoting::Optional, Some(next)) => matches!(next, '{' | '}'),
            // Treat the apostrophe in `don't` as text, as its author meant it, although Java would drop it.
            (IcuQuoting::Required, Some(next)) => {
                let is_in_word = next.is_alphabetic() && before.ends_with(char::is_alphabetic);
                !is_in_word && memchr::memchr(b'\'', after.as_bytes()).is_some()
            }
        };
        self.at += 1;
        if !quotes {
            return push_text(parts, "'");
        }
        let mut content = String::new();
        loop {
            let rest = self.rest();
            let len = memchr::memchr(b'\'', rest.as_bytes()).unwrap_or(rest.len());
            content.push_str(rest.get(..len).unwrap_or_default());
            self.at += len;
            let is_doubled = self.rest().starts_with("''");
            self.at = (self.at + if is_doubled { 2 } else { 1 }).min(self.text.len());
            if !is_doubled {
                break;
            }
            content.push('\'');
        }
        push_quoted(parts, &content, is_hash_quoted);
    }

    fn argument(&mut self, depth: usize, around: Surrounding) -> Result<MessagePart, CatalogError> {
        let start = self.at;
        self.at += 1;
        self.skip_blanks();
        let name = self.word().to_owned();
        if name.is_empty() {
            return self.error("an argument of the message has no name");
        }
        self.skip_blanks();
        let mut type_name = "";
        if !self.take('}') {
            if !self.take(',') {
                return self.error("an argument of the message has no `}`");
            }
            self.skip_blanks();
            type_name = self.word();
            self.skip_blanks();
            if let Some(kind) = self.choice_kind(type_name) {
                return self.choice(start, name, kind, depth, around);
            }
            self.style()?;
        }
        let spelling = self.text.get(start..self.at).unwrap_or_default().to_owned();
        Ok(MessagePart::Argument { spelling, name, type_name: type_name.to_ascii_lowercase() })
    }

    fn choice_kind(&self, type_name: &str) -> Option<ChoiceKind> {
        let plural = |kind| Some(ChoiceKind::Plural { kind, offset: 0 });
        match type_name.to_ascii_lowercase().as_str() {
            _ if self.quoting == IcuQuoting::Required => None,
            "plural" => plural(PluralKind::Cardinal),
            "selectordinal" => plural(PluralKind::Ordinal),
            "select" => Some(ChoiceKind::Select),
            _ => None,
        }
    }

    /// Skips the style of an argument and its closing brace.
    fn style(&mut self) -> Result<(), CatalogError> {
        let start = self.at;
        let mut depth = 1;
        while let Some(found) = self.rest().find(['{', '}', '\'']) {
            self.at += found + 1;
            match self.text.as_bytes().get(self.at - 1) {
                Some(b'{') => depth += 1,
                Some(b'}') => depth -= 1,
                _ => match memchr::memchr(b'\'', self.rest().as_bytes()) {
                    Some(len) => self.at += len + 1,
                    None => break,
                },
            }
            if depth == 0 {
                return Ok(());
            }
        }
        self.at = start;
        self.error("an argument of the message has no `}`")
    }

    /// Reads the branches and the closing brace.
    fn choice(
        &mut self,
        start: usize,
        argument: String,
        mut kind: ChoiceKind,
        depth: usize,
        around: Surrounding,
    ) -> Result<MessagePart, CatalogError> {
        if depth >= MAX_DEPTH {
            return self.error("branches of the message are nested too deeply");
        }
        if !self.take(',') {
            return self.error("a plural or select of the message has no branches");
        }
        self.skip_blanks();
        self.offset(&mut kind)?;
        let id = self.choices;
        self.choices += 1;
        let around = match kind {
            ChoiceKind::Plural { .. } => Surrounding { plural: Some(id), in_select: false },
            ChoiceKind::Select => Surrounding { in_select: true, ..around },
        };
        let head = self.text.get(start..self.at).unwrap_or_default().to_owned();
        let (gap, before_brace) = (" ".to_owned(), " ".to_owned());
        let mut layout = ChoiceLayout { head, gap, before_brace, ..ChoiceLayout::default() };
        let mut branches: Vec<MessageBranch> = Vec::new();
        let mut keys = std::collections::HashSet::new();
        loop {
            let blank_start = self.at;
            self.skip_blanks();
            let blanks = self.text.get(blank_start..self.at).unwrap_or_default();
            if self.take('}') {
                blanks.clone_into(&mut layout.tail);
                break;
            }
            if self.rest().is_empty() {
                return self.error("a plural or select of the message has no `}`");
            }
            if branches.len() == 1 && !blanks.is_empty() {
                blanks.clone_into(&mut layout.gap);
            }
            let branch = self.branch(kind, &mut layout, branches.is_empty(), depth, around)?;
            if !keys.insert(branch.key.clone()) {
                return self.error("a branch of the message occurs twice");
            }
            branches.push(branch);
        }
        if branches.is_empty() {
            return self.error("a plural or select of the message has no branches");
        }
        Ok(MessagePart::Choice(MessageChoice { id, kind, argument, layout, branches }))
    }

    fn offset(&mut self, kind: &mut ChoiceKind) -> Result<(), CatalogError> {
        let ChoiceKind::Plural { offset, .. } = kind else { return Ok(()) };
        if !self.rest().starts_with("offset:") {
            return Ok(());
        }
        self.at += "offset:".len();
        self.skip_blanks();
        match self.word().parse::<u32>() {
            Ok(number) => *offset = u64::from(number),
            Err(_) => return self.error("the offset of a plural is not a number"),
        }
        self.skip_blanks();
        Ok(())
    }

    fn branch(
        &mut self,
        kind: ChoiceKind,
        layout: &mut ChoiceLayout,
        is_first: bool,
        depth: usize,
        around: Surrounding,
    ) -> Result<MessageBranch, CatalogError> {
        let key_start = self.at;
        let key = self.word().to_owned();
        let form = match (kind, key.strip_prefix('=')) {
            (ChoiceKind::Select, _) => None,
            (ChoiceKind::Plural { .. }, Some(number)) => number.parse().ok().map(PluralForm::Exact),
            (ChoiceKind::Plural { .. }, None) => PluralCategory::from_name(&key).map(PluralForm::Category),
        };
        if key.is_empty() || form.is_none() && kind != ChoiceKind::Select {
            self.at = key_start;
            return self.error("a branch of the message has an invalid keyword");
        }
        let blank_start = self.at;
        self.skip_blanks();
        if is_first {
            self.text.get(blank_start..self.at).unwrap_or_default().clone_into(&mut layout.before_brace);
        }
        if !self.take('{') {
            return self.error("a branch of the message has no `{`");
        }
        let parts = self.parts(depth + 1, around)?;
        self.at += 1;
        let is_default = key == "other";
        Ok(MessageBranch { key, form, is_default, parts })
    }
}

/// Returns the length of a tag in quotes, such as `'<b>'`, up to its closing apostrophe.
fn quoted_tag_len(after: &str) -> Option<usize> {
    let len = after.get(1..)?.find(['\'', '<', '>', '{', '}', '\n'])? + 1;
    match after.as_bytes().get(len)? {
        b'\'' => Some(len),
        b'>' if after.as_bytes().get(len + 1) == Some(&b'\'') => Some(len + 1),
        _ => None,
    }
}

fn push_text(parts: &mut Vec<MessagePart>, text: &str) {
    match parts.last_mut() {
        _ if text.is_empty() => {}
        Some(MessagePart::Text(last)) => last.push_str(text),
        _ => parts.push(MessagePart::Text(text.to_owned())),
    }
}

/// Appends the content of a quote: special characters as quoted parts, other characters as text.
fn push_quoted(parts: &mut Vec<MessagePart>, content: &str, is_hash_special: bool) {
    if content.starts_with('<') {
        return parts.push(MessagePart::Quoted(content.to_owned()));
    }
    let is_special = |c: char| matches!(c, '{' | '}') || c == '#' && is_hash_special;
    let mut rest = content;
    while let Some(start) = rest.find(is_special) {
        let (before, from) = rest.split_at(start);
        push_text(parts, before);
        // `'{name}'` is literal text about a placeholder, `'{{ name }}'` a template for another program.
        let name = from.strip_prefix('{').unwrap_or_default();
        let name_len = name.find(['{', '}']).filter(|end| name.as_bytes().get(*end) == Some(&b'}'));
        let whole = braces::double_brace_len(from).or_else(|| name_len.map(|len| len + 2));
        let len = whole.unwrap_or_else(|| from.find(|c| !is_special(c)).unwrap_or(from.len()));
        parts.push(MessagePart::Quoted(from.get(..len).unwrap_or_default().to_owned()));
        rest = from.get(len..).unwrap_or_default();
    }
    push_text(parts, rest);
}
