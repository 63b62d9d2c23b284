//! Patterns of Fluent: texts, placeables and selects.
//!
//! Input: the text of a pattern, without the indentation of its file. Output: its parts, or the byte where it is wrong.

/// Maximum depth of selects within variants.
const MAX_DEPTH: usize = 128;

/// A pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FluentPattern(pub Vec<FluentPart>);

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FluentPart {
    /// Text.
    Text(String),
    /// A placeable, with its braces.
    Placeable(String),
    /// A choice between variants.
    Select {
        /// What is chosen by.
        selector: String,
        /// The variants.
        variants: Vec<FluentVariant>,
    },
}

/// A variant of a select.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FluentVariant {
    /// Its key.
    pub key: String,
    /// Whether it is taken when no other fits.
    pub is_default: bool,
    /// Its content, without the blanks around it.
    pub pattern: FluentPattern,
}

impl FluentPattern {
    /// Reads a pattern. Fails with the byte where it is wrong.
    pub fn parse(text: &str) -> Result<Self, usize> {
        let mut parser = FluentParser { text, at: 0 };
        let pattern = parser.pattern(0)?;
        if parser.at < text.len() { Err(parser.at) } else { Ok(pattern) }
    }
}

struct FluentParser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> FluentParser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\n', '\r', '\t']).len();
    }

    /// Reads up to the end of the text, or within a variant up to the next one or the brace.
    fn pattern(&mut self, depth: usize) -> Result<FluentPattern, usize> {
        let mut parts: Vec<FluentPart> = Vec::new();
        loop {
            let rest = self.rest();
            let len = rest.find(|c| matches!(c, '{' | '}') || c == '\n' && depth > 0).unwrap_or(rest.len());
            push_text(&mut parts, rest.get(..len).unwrap_or_default());
            self.at += len;
            match self.rest().bytes().next() {
                Some(b'{') => parts.push(self.placeable(depth)?),
                Some(b'\n') => {
                    let next = self.rest().trim_start();
                    if next.starts_with(['[', '*', '}']) {
                        break;
                    }
                    self.at += 1;
                    push_text(&mut parts, "\n");
                }
                Some(_) if depth == 0 => return Err(self.at),
                _ => break,
            }
        }
        if depth > 0 {
            trim(&mut parts);
        }
        Ok(FluentPattern(parts))
    }

    fn placeable(&mut self, depth: usize) -> Result<FluentPart, usize> {
        let start = self.at;
        let end = self.expression_end()?;
        let content = self.text.get(start + 1..end).unwrap_or_default();
        if self.text.as_bytes().get(end) == Some(&b'}') {
            if content.trim().is_empty() {
                return Err(start);
            }
            self.at = end + 1;
            return Ok(FluentPart::Placeable(self.text.get(start..self.at).unwrap_or_default().to_owned()));
        }
        if depth >= MAX_DEPTH {
            return Err(start);
        }
        self.at = end + 2;
        let variants = self.variants(depth)?;
        Ok(FluentPart::Select { selector: content.trim().to_owned(), variants })
    }

    /// Returns where the expression after a brace ends: at the `}` of a placeable, or at the arrow of a select.
    fn expression_end(&self) -> Result<usize, usize> {
        let bytes = self.text.as_bytes();
        let mut depth = 0;
        let mut is_string = false;
        let mut at = self.at;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => is_string = !is_string,
                b'\\' if is_string => at += 1,
                b'\n' if is_string => return Err(at),
                _ if is_string => {}
                b'{' => depth += 1,
                b'}' => depth -= 1,
                b'-' if depth == 1 && bytes.get(at + 1) == Some(&b'>') => return Ok(at),
                _ => {}
            }
            if depth == 0 {
                return Ok(at);
            }
            at += 1;
        }
        Err(self.at)
    }

    fn variants(&mut self, depth: usize) -> Result<Vec<FluentVariant>, usize> {
        let mut variants = Vec::new();
        loop {
            self.skip_blanks();
            let rest = self.rest();
            if rest.starts_with('}') && !variants.is_empty() {
                self.at += 1;
                return Ok(variants);
            }
            let is_default = rest.starts_with('*');
            let key = rest.strip_prefix('*').unwrap_or(rest).strip_prefix('[').ok_or(self.at)?;
            let len = key.find([']', '\n']).ok_or(self.at)?;
            if key.as_bytes().get(len) != Some(&b']') {
                return Err(self.at);
            }
            self.at += usize::from(is_default) + len + 2;
            let key = key.get(..len).unwrap_or_default().trim().to_owned();
            let pattern = self.pattern(depth + 1)?;
            variants.push(FluentVariant { key, is_default, pattern });
        }
    }
}

fn push_text(parts: &mut Vec<FluentPart>, text: &str) {
    match parts.last_mut() {
        _ if text.is_empty() => {}
        Some(FluentPart::Text(last)) => last.push_str(text),
        _ => parts.push(FluentPart::Text(text.to_owned())),
    }
}

/// Removes the blanks around a variant.
fn trim(parts: &mut Vec<FluentPart>) {
    if let Some(FluentPart::Text(text)) = parts.first_mut() {
        *text = text.trim_start().to_owned();
    }
    if let Some(FluentPart::Text(text)) = parts.last_mut() {
        text.truncate(text.trim_end().len());
    }
    parts.retain(|part| !matches!(part, FluentPart::Text(text) if text.is_empty()));
}
