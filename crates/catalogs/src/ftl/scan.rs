//! A scanner for the grammar of Fluent patterns and placeables. It returns byte ranges, or `None` for invalid text.

use std::ops::Range;

const MAX_NESTING: usize = 64;

#[derive(Clone, Debug, Default)]
pub(crate) struct ScannedPattern {
    pub parts: Vec<ScannedPart>,
    /// The position of the first character that is not whitespace.
    pub start: usize,
    /// Excludes trailing spaces.
    pub end: usize,
    /// The indentation of the first line in spaces; `None` if the first line is the line of the key.
    pub first_indent: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum ScannedPart {
    Text(Range<usize>),
    Break { line_ends: usize, indent: usize },
    Placeable(Range<usize>, Option<ScannedSelect>),
}

#[derive(Clone, Debug)]
pub(crate) struct ScannedSelect {
    pub selector: Range<usize>,
    pub variants: Vec<ScannedVariant>,
}

#[derive(Clone, Debug)]
pub(crate) struct ScannedVariant {
    pub key: Range<usize>,
    pub is_default: bool,
    pub pattern: ScannedPattern,
}

#[derive(Debug)]
pub(crate) struct FtlScanner<'a> {
    text: &'a str,
    pub at: usize,
    depth: usize,
    /// The positions of the placeables being read. All of them are invalid if reading fails.
    pub open: Vec<usize>,
    /// Whether the indentation was removed from the text. A line of the pattern then need not be indented.
    is_dedented: bool,
}

impl<'a> FtlScanner<'a> {
    pub fn new(text: &'a str, at: usize) -> Self {
        Self { text, at, depth: 0, open: Vec::new(), is_dedented: false }
    }

    pub fn of_unit(text: &'a str, at: usize) -> Self {
        Self { is_dedented: true, ..Self::new(text, at) }
    }

    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn take_while(&mut self, is_wanted: impl Fn(u8) -> bool) -> Range<usize> {
        let start = self.at;
        while self.peek().is_some_and(&is_wanted) {
            self.at += 1;
        }
        start..self.at
    }

    pub fn skip_spaces(&mut self) -> usize {
        self.take_while(|byte| byte == b' ').len()
    }

    /// Consumes a line ending. The end of the text counts as one.
    pub fn take_line_end(&mut self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
        self.at += length;
        length > 0 || rest.is_empty()
    }

    fn is_at_line_end(&self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n")
    }

    fn skip_blank(&mut self) {
        loop {
            self.skip_spaces();
            if self.at >= self.text.len() || !self.take_line_end() {
                return;
            }
        }
    }

    pub fn identifier(&mut self) -> Option<Range<usize>> {
        self.peek().filter(u8::is_ascii_alphabetic)?;
        Some(self.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')))
    }

    fn number(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        self.take(b'-');
        let digits = |scanner: &mut Self| !scanner.take_while(|byte| byte.is_ascii_digit()).is_empty();
        let is_number = digits(self) && (!self.take(b'.') || digits(self));
        is_number.then_some(start..self.at)
    }

    pub fn placeable(&mut self) -> Option<ScannedPart> {
        let start = self.at;
        if self.depth >= MAX_NESTING || !self.take(b'{') {
            return None;
        }
        self.open.push(start);
        self.depth += 1;
        self.skip_blank();
        let selector = self.expression()?;
        self.skip_blank();
        let mut select = None;
        if self.take(b'-') {
            if !self.take(b'>') {
                return None;
            }
            let variants = self.variants()?;
            select = Some(ScannedSelect { selector, variants });
            self.skip_blank();
        }
        if !self.take(b'}') {
            return None;
        }
        self.depth -= 1;
        self.open.pop();
        Some(ScannedPart::Placeable(start..self.at, select))
    }

    fn expression(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        match self.peek()? {
            b'"' => self.string_literal()?,
            b'{' => {
                self.placeable()?;
            }
            b'$' => {
                self.at += 1;
                self.identifier()?;
            }
            b'-' if !self.text.as_bytes().get(self.at + 1).is_some_and(u8::is_ascii_digit) => {
                self.at += 1;
                self.identifier()?;
                self.attribute()?;
                self.arguments()?;
            }
            byte if byte.is_ascii_alphabetic() => {
                let name = self.identifier()?;
                let is_function = !self.text.as_bytes().get(name)?.iter().any(u8::is_ascii_lowercase);
                let before = self.at;
                self.skip_blank();
                let has_arguments = self.peek() == Some(b'(');
                self.at = before;
                if has_arguments {
                    is_function.then_some(())?;
                    self.arguments()?;
                } else {
                    self.attribute()?;
                }
            }
            _ => {
                self.number()?;
            }
        }
        Some(start..self.at)
    }

    fn attribute(&mut self) -> Option<()> {
        if self.take(b'.') {
            self.identifier()?;
        }
        Some(())
    }

    fn arguments(&mut self) -> Option<()> {
        let before = self.at;
        self.skip_blank();
        if !self.take(b'(') {
            self.at = before;
            return Some(());
        }
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return None;
        }
        loop {
            self.skip_blank();
            if self.take(b')') {
                break;
            }
            let expression = self.expression()?;
            self.skip_blank();
            if self.take(b':') {
                let mut name = Self::new(self.text, expression.start);
                if name.identifier()?.end != expression.end {
                    return None;
                }
                self.skip_blank();
                match self.peek()? {
                    b'"' => self.string_literal()?,
                    _ => {
                        self.number()?;
                    }
                }
                self.skip_blank();
            }
            if !self.take(b',') && self.peek() != Some(b')') {
                return None;
            }
        }
        self.depth -= 1;
        Some(())
    }

    fn string_literal(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            match self.peek()? {
                b'"' => break,
                b'\n' => return None,
                b'\\' => {
                    self.at += 1;
                    let digits = match self.peek()? {
                        b'\\' | b'"' => 0,
                        b'u' => 4,
                        b'U' => 6,
                        _ => return None,
                    };
                    self.at += 1;
                    let code = self.text.get(self.at..self.at + digits)?;
                    if !code.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                        return None;
                    }
                    self.at += digits;
                }
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(())
    }

    fn variants(&mut self) -> Option<Vec<ScannedVariant>> {
        let mut variants: Vec<ScannedVariant> = Vec::new();
        self.skip_spaces();
        loop {
            if !self.is_at_line_end() {
                return None;
            }
            self.skip_blank();
            let is_default = self.take(b'*');
            if !self.take(b'[') {
                // Exactly one variant must be the default.
                let defaults = variants.iter().filter(|variant| variant.is_default).count();
                return (!is_default && defaults == 1).then_some(variants);
            }
            self.skip_blank();
            let key = if self.peek().is_some_and(|byte| byte.is_ascii_alphabetic()) {
                self.identifier()?
            } else {
                self.number()?
            };
            self.skip_blank();
            if !self.take(b']') {
                return None;
            }
            let pattern = self.pattern()?;
            variants.push(ScannedVariant { key, is_default, pattern });
        }
    }

    /// Reads a pattern, which may span several lines, up to the line ending after it. Fails if it is empty.
    pub fn pattern(&mut self) -> Option<ScannedPattern> {
        self.skip_spaces();
        let mut pattern = ScannedPattern { end: self.at, ..ScannedPattern::default() };
        if self.is_at_line_end() {
            match self.next_line()? {
                ScannedPart::Break { indent, .. } => pattern.first_indent = Some(indent),
                _ => return None,
            }
        }
        pattern.start = self.at;
        loop {
            match self.peek() {
                Some(b'{') => {
                    let placeable = self.placeable()?;
                    pattern.parts.push(placeable);
                    pattern.end = self.at;
                }
                Some(b'}') => break,
                _ if self.is_at_line_end() => match self.next_line() {
                    Some(line) => pattern.parts.push(line),
                    None => break,
                },
                _ => {
                    let start = self.at;
                    while !matches!(self.peek(), None | Some(b'{' | b'}')) && !self.is_at_line_end() {
                        self.at += 1;
                        while !self.text.is_char_boundary(self.at) {
                            self.at += 1;
                        }
                    }
                    let text = self.text.get(start..self.at)?;
                    let length = text.trim_end_matches(' ').len();
                    if length > 0 {
                        pattern.end = start + length;
                    }
                    pattern.parts.push(ScannedPart::Text(start..self.at));
                }
            }
        }
        // Remove trailing spaces and line endings.
        while let Some(last) = pattern.parts.last_mut() {
            match last {
                ScannedPart::Text(range) if range.start < pattern.end => {
                    range.end = range.end.min(pattern.end);
                    break;
                }
                ScannedPart::Placeable(..) => break,
                _ => {
                    pattern.parts.pop();
                }
            }
        }
        (!pattern.parts.is_empty()).then_some(pattern)
    }

    /// Moves to the next line of a pattern; `None` if the pattern ends here.
    fn next_line(&mut self) -> Option<ScannedPart> {
        let before = self.at;
        let mut line_ends = 0;
        loop {
            let had_line_end = self.at < self.text.len() && self.take_line_end();
            if !had_line_end {
                self.at = before;
                return None;
            }
            line_ends += 1;
            let indent = self.skip_spaces();
            if self.is_at_line_end() {
                continue;
            }
            let goes_on = match self.peek() {
                Some(b'{') => true,
                None | Some(b'[' | b'*' | b'.' | b'}') => false,
                _ => indent > 0 || self.is_dedented,
            };
            if !goes_on {
                self.at = before;
                return None;
            }
            return Some(ScannedPart::Break { line_ends, indent });
        }
    }
}
