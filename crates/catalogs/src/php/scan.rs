//! Scans PHP tokens, as far as needed to find the items of an array: comments, strings and expressions.

use std::ops::Range;

use crate::CatalogError;

#[derive(Debug)]
pub struct PhpScanner<'t> {
    pub text: &'t str,
    /// The start of the next token.
    pub at: usize,
}

impl<'t> PhpScanner<'t> {
    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub fn advance(&mut self) {
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
    }

    /// Returns an empty word if there is none here.
    pub fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii();
        let word = rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len())).unwrap_or_default();
        self.at += word.len();
        word
    }

    pub fn skip_whitespace_and_comments(&mut self) -> Result<Vec<Range<usize>>, CatalogError> {
        let mut comments = Vec::new();
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']);
            self.at += rest.len() - trimmed.len();
            let start = self.at;
            if trimmed.starts_with("/*") {
                let length = memchr::memmem::find(trimmed.as_bytes().get(2..).unwrap_or_default(), b"*/");
                let length = length.ok_or_else(|| CatalogError::new(start, "the comment is not closed"))?;
                self.at += length + 4;
            } else if trimmed.starts_with("//") || (trimmed.starts_with('#') && !trimmed.starts_with("#[")) {
                let line = memchr::memchr2(b'\n', b'\r', trimmed.as_bytes()).unwrap_or(trimmed.len());
                let line = trimmed.get(..line).unwrap_or_default();
                self.at += line.find("?>").unwrap_or(line.len());
            } else {
                return Ok(comments);
            }
            comments.push(start..self.at);
        }
    }

    pub fn string(&mut self) -> Result<(), CatalogError> {
        let start = self.at;
        let quote = self.peek().unwrap_or_default();
        self.at += 1;
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let length = memchr::memchr2(quote, b'\\', rest);
            let length = length.ok_or_else(|| CatalogError::new(start, "the string is not closed"))?;
            let is_escape = rest.get(length) == Some(&b'\\');
            self.at += length + 1;
            if !is_escape {
                return Ok(());
            }
            self.advance();
        }
    }

    /// Skips a heredoc or nowdoc. Returns whether there is one here.
    fn heredoc(&mut self) -> Result<bool, CatalogError> {
        let start = self.at;
        let Some(rest) = self.rest().strip_prefix("<<<") else { return Ok(false) };
        let rest = rest.trim_start_matches([' ', '\t']);
        let rest = rest.strip_prefix(['\'', '"']).unwrap_or(rest);
        self.at = self.text.len() - rest.len();
        let name = self.word();
        if name.is_empty() {
            return Ok(true);
        }
        let mut lines = self.rest().split_inclusive('\n');
        self.at += lines.next().map_or(0, str::len);
        for line in lines {
            let content = line.trim_start_matches([' ', '\t']);
            let closes = content.strip_prefix(name).is_some_and(|rest| {
                !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii())
            });
            if closes {
                self.at += line.len() - content.len() + name.len();
                return Ok(true);
            }
            self.at += line.len();
        }
        Err(CatalogError::new(start, "the text after `<<<` is not closed"))
    }

    /// Skips an expression, up to a comma, a closing bracket, the end of the statement, or, with `has_key`, `=>`. Returns the
    /// end of its last token.
    pub fn expression(&mut self, has_key: bool) -> Result<usize, CatalogError> {
        let mut depth = 0_usize;
        let mut end = self.at;
        loop {
            self.skip_whitespace_and_comments()?;
            match self.peek() {
                None => return Ok(end),
                Some(b',' | b';' | b')' | b']' | b'}') if depth == 0 => return Ok(end),
                Some(b'=') if depth == 0 && has_key && self.rest().starts_with("=>") => return Ok(end),
                Some(b')' | b']' | b'}') => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b'(' | b'[' | b'{') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(_) => self.token()?,
            }
            end = self.at;
        }
    }

    /// A token is a string, a word, or any other character.
    pub fn token(&mut self) -> Result<(), CatalogError> {
        match self.peek() {
            Some(b'\'' | b'"' | b'`') => self.string()?,
            Some(b'<') if self.heredoc()? => {}
            Some(b'$') => {
                self.at += 1;
                self.word();
            }
            _ => {
                if self.word().is_empty() {
                    self.advance();
                }
            }
        }
        Ok(())
    }
}
