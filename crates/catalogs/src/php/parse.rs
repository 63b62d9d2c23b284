//! Parses the array that a PHP file returns.

use std::ops::Range;

use super::literal::decode;
use super::scan::PhpScanner;
use crate::{CatalogError, UnitKey, UnitKeyPart};

const MAX_DEPTH: usize = 128;

const HINT: &str = "the file must contain `return [ … ];`";

#[derive(Debug, Default)]
pub struct PhpFile {
    /// The returned array, then the nested arrays with known keys; empty if the file returns nothing.
    pub arrays: Vec<PhpArray>,
    /// Whether a file that returns nothing has other code.
    pub has_other_code: bool,
}

#[derive(Debug, Default)]
pub struct PhpArray {
    /// The enclosing array, and the item in it.
    pub parent: Option<(usize, usize)>,
    pub key: UnitKey,
    /// Excludes the brackets.
    pub inner: Range<usize>,
    /// Whether it is written as `[…]`, not `array(…)`.
    pub is_short: bool,
    pub items: Vec<PhpItem>,
}

#[derive(Debug, Default)]
pub struct PhpItem {
    /// The start of the comments directly above.
    pub comments: Option<usize>,
    pub note: Option<String>,
    pub range: Range<usize>,
    pub key_range: Option<Range<usize>>,
    /// `None` if the key is not a literal.
    pub key: Option<UnitKeyPart>,
    pub comma: Option<usize>,
    pub value: PhpValue,
    pub value_range: Range<usize>,
}

#[derive(Debug, Default)]
pub enum PhpValue {
    /// A string literal without variables.
    Text(String),
    /// The index in [`PhpFile::arrays`].
    Array(usize),
    #[default]
    Other,
}

/// The start of an item: its key, or its value.
#[derive(Debug)]
enum PhpOperand {
    Value(PhpValue),
    Number(u64),
    Unknown,
}

impl PhpFile {
    /// Fails if the file returns anything but a literal array, or if the array has a syntax error.
    pub fn parse(text: &str) -> Result<Self, CatalogError> {
        let Some(open) = memchr::memmem::find(text.as_bytes(), b"<?php") else {
            return Err(CatalogError::new(0, "the file has no `<?php`").hint(HINT));
        };
        let mut parser = PhpParser { scanner: PhpScanner { text, at: open + 5 }, file: Self::default() };
        if !parser.find_return()? {
            return Ok(parser.file);
        }
        let at = parser.scanner.at;
        match parser.array_start()? {
            Some(is_short) => parser.array(None, &UnitKey::default(), is_short, 1)?,
            None => return Err(CatalogError::new(at, "the file returns something other than an array").hint(HINT)),
        };
        Ok(parser.file)
    }

    pub(super) fn no_array(text: &str) -> CatalogError {
        CatalogError::new(text.len(), "the file returns no array").hint(HINT)
    }

    pub(super) fn item(&self, (array, item): (usize, usize)) -> Option<(&UnitKey, &PhpItem)> {
        let array = self.arrays.get(array)?;
        Some((&array.key, array.items.get(item)?))
    }
}

#[derive(Debug)]
struct PhpParser<'t> {
    scanner: PhpScanner<'t>,
    file: PhpFile,
}

impl PhpParser<'_> {
    /// Skips past the `return` of the file, ignoring `return` in functions. Returns whether there is one.
    fn find_return(&mut self) -> Result<bool, CatalogError> {
        self.scanner.skip_whitespace_and_comments()?;
        let rest = self.scanner.rest();
        self.file.has_other_code = !rest.is_empty() && !rest.starts_with("?>");
        let mut depth = 0_usize;
        loop {
            self.scanner.skip_whitespace_and_comments()?;
            match self.scanner.peek() {
                None => return Ok(false),
                Some(b'(' | b'[' | b'{') => {
                    depth += 1;
                    self.scanner.at += 1;
                }
                Some(b')' | b']' | b'}') => {
                    depth = depth.saturating_sub(1);
                    self.scanner.at += 1;
                }
                Some(b'r' | b'R') => {
                    if self.scanner.word().eq_ignore_ascii_case("return") && depth == 0 {
                        self.scanner.skip_whitespace_and_comments()?;
                        return Ok(true);
                    }
                }
                Some(_) => self.scanner.token()?,
            }
        }
    }

    /// Skips the start of an array. Returns `true` for `[`, `false` for `array(`, and `None` for anything else.
    fn array_start(&mut self) -> Result<Option<bool>, CatalogError> {
        let start = self.scanner.at;
        if self.scanner.peek() == Some(b'[') {
            self.scanner.at += 1;
            return Ok(Some(true));
        }
        if matches!(self.scanner.peek(), Some(b'a' | b'A')) && self.scanner.word().eq_ignore_ascii_case("array") {
            self.scanner.skip_whitespace_and_comments()?;
            if self.scanner.peek() == Some(b'(') {
                self.scanner.at += 1;
                return Ok(Some(false));
            }
        }
        self.scanner.at = start;
        Ok(None)
    }

    /// Starts after the opening bracket. Returns the index of the array.
    fn array(
        &mut self,
        parent: Option<(usize, usize)>,
        key: &UnitKey,
        is_short: bool,
        depth: usize,
    ) -> Result<usize, CatalogError> {
        let open = self.scanner.at;
        if depth > MAX_DEPTH {
            return Err(CatalogError::new(open, format!("arrays are nested more than {MAX_DEPTH} levels deep")));
        }
        let number = self.file.arrays.len();
        let close = if is_short { b']' } else { b')' };
        self.file.arrays.push(PhpArray { parent, key: key.clone(), is_short, ..PhpArray::default() });
        let mut items: Vec<PhpItem> = Vec::new();
        let mut index = 0_usize;
        loop {
            let above = self.scanner.skip_whitespace_and_comments()?;
            match self.scanner.peek() {
                None => return Err(CatalogError::new(open - 1, "the array is not closed")),
                Some(byte) if byte == close => break,
                Some(_) => {}
            }
            let mut item = self.item((number, items.len()), key, index, close, depth)?;
            match &item.key {
                Some(UnitKeyPart::Name(name)) => {
                    let number = name.parse::<usize>().ok().filter(|number| number.to_string() == *name);
                    index = number.map_or(index, |number| index.max(number.saturating_add(1)));
                }
                Some(UnitKeyPart::Item(_)) => index += 1,
                None => {}
            }
            (item.comments, item.note) = self.note(&above, item.range.start);
            self.scanner.skip_whitespace_and_comments()?;
            let at = self.scanner.at;
            match self.scanner.peek() {
                Some(b',') => {
                    item.comma = Some(at);
                    self.scanner.at += 1;
                }
                Some(byte) if byte == close => {}
                None => return Err(CatalogError::new(open - 1, "the array is not closed")),
                Some(_) => return Err(CatalogError::new(at, "expected a comma or the end of the array")),
            }
            items.push(item);
        }
        if let Some(array) = self.file.arrays.get_mut(number) {
            array.inner = open..self.scanner.at;
            array.items = items;
        }
        self.scanner.at += 1;
        Ok(number)
    }

    /// `location` has the index of the array and the index of the item.
    fn item(
        &mut self,
        location: (usize, usize),
        path: &UnitKey,
        index: usize,
        close: u8,
        depth: usize,
    ) -> Result<PhpItem, CatalogError> {
        let start = self.scanner.at;
        let arrays = self.file.arrays.len();
        let first = self.operand(location, || path.with(UnitKeyPart::Item(index)), depth)?;
        let end = self.scanner.at;
        self.scanner.skip_whitespace_and_comments()?;
        let mut item = PhpItem { range: start..end, value_range: start..end, ..PhpItem::default() };
        if self.is_at_end(close) {
            if let PhpOperand::Value(value) = first {
                item.value = value;
            }
            item.key = (end > start).then_some(UnitKeyPart::Item(index));
            return Ok(item);
        }
        let key = match first {
            PhpOperand::Value(PhpValue::Text(text)) => Some(text),
            PhpOperand::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let mut key = key.map(UnitKeyPart::Name);
        item.key_range = Some(start..end);
        if !self.scanner.rest().starts_with("=>") {
            let end = self.scanner.expression(true)?;
            self.file.arrays.truncate(arrays);
            if self.scanner.at == start {
                return Err(CatalogError::new(start, "expected an array item"));
            }
            key = None;
            item.key_range = None;
            item.range.end = end;
            item.value_range.end = end;
            if !self.scanner.rest().starts_with("=>") {
                // `...` inserts all items of another array, so the item has no single key.
                let is_spread = self.scanner.text.get(start..).is_some_and(|rest| rest.starts_with("..."));
                item.key = (!is_spread).then_some(UnitKeyPart::Item(index));
                return Ok(item);
            }
        }
        self.scanner.at += 2;
        self.scanner.skip_whitespace_and_comments()?;
        let start = self.scanner.at;
        let arrays = self.file.arrays.len();
        let value =
            self.operand(location, || key.clone().map_or_else(UnitKey::default, |key| path.with(key)), depth)?;
        item.value_range = start..self.scanner.at;
        self.scanner.skip_whitespace_and_comments()?;
        match value {
            PhpOperand::Value(value) if self.is_at_end(close) && key.is_some() => item.value = value,
            _ => {
                self.file.arrays.truncate(arrays);
                if !self.is_at_end(close) {
                    item.value_range.end = self.scanner.expression(false)?;
                }
            }
        }
        item.range.end = item.value_range.end;
        item.key = key;
        Ok(item)
    }

    fn is_at_end(&self, close: u8) -> bool {
        self.scanner.peek().is_none_or(|byte| byte == b',' || byte == close)
    }

    /// Parses a string, a number, or an array, if there is one.
    fn operand(
        &mut self,
        location: (usize, usize),
        path: impl FnOnce() -> UnitKey,
        depth: usize,
    ) -> Result<PhpOperand, CatalogError> {
        let start = self.scanner.at;
        match self.scanner.peek() {
            Some(b'\'' | b'"') => {
                self.scanner.string()?;
                let literal = self.scanner.text.get(start..self.scanner.at).unwrap_or_default();
                Ok(PhpOperand::Value(decode(literal).map_or(PhpValue::Other, PhpValue::Text)))
            }
            Some(b'0'..=b'9') => {
                let word = self.scanner.word();
                let is_canonical = word == "0" || !word.starts_with('0');
                Ok(word.parse().ok().filter(|_| is_canonical).map_or(PhpOperand::Unknown, PhpOperand::Number))
            }
            Some(b'[' | b'a' | b'A') => match self.array_start()? {
                Some(is_short) => {
                    let array = self.array(Some(location), &path(), is_short, depth + 1)?;
                    Ok(PhpOperand::Value(PhpValue::Array(array)))
                }
                None => Ok(PhpOperand::Unknown),
            },
            _ => Ok(PhpOperand::Unknown),
        }
    }

    /// Returns the start of the comments directly above an item, and their text.
    fn note(&self, comments: &[Range<usize>], item: usize) -> (Option<usize>, Option<String>) {
        let text = self.scanner.text;
        let mut start = item;
        let mut lines = Vec::new();
        for comment in comments.iter().rev() {
            let between = text.get(comment.end..start).unwrap_or_default();
            let before = text.get(..comment.start).unwrap_or_default();
            let is_alone = before.trim_end_matches([' ', '\t']).ends_with(['\n', '\r']);
            if !is_alone || between.matches('\n').count() > 1 {
                break;
            }
            start = comment.start;
            lines.push(comment_text(text.get(comment.clone()).unwrap_or_default()));
        }
        lines.reverse();
        let note = lines.join("\n");
        ((start < item).then_some(start), Some(note.trim().to_owned()).filter(|note| !note.is_empty()))
    }
}

fn comment_text(comment: &str) -> String {
    let inner = comment.strip_prefix("/*").and_then(|inner| inner.strip_suffix("*/"));
    let inner = inner.unwrap_or_else(|| comment.trim_start_matches(['/', '#']));
    let lines = inner.lines().map(|line| line.trim().trim_start_matches(['*', '|']).trim());
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}
