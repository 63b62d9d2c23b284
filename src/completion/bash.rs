//! Bash: its command line as words, and candidates as the text that replaces a part of the line.
//!
//! Bash breaks words at `:` and `=` as well, and replaces only the part after the last break. So the line is read here as
//! the shell reads it, with quotes, and candidates begin where bash replaces the line.

/// A command line up to the cursor.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct BashLine {
    /// The words without quotes. The last one is the word to complete.
    pub words: Vec<String>,
    /// The open quote, if there is one.
    quote: Option<char>,
    /// The part of the last word, without quotes, that bash leaves alone.
    kept: String,
    /// Whether the last word is the file of a redirection.
    pub is_redirected: bool,
}

impl BashLine {
    /// Reads a line. `breaks` are the characters at which bash breaks words.
    pub fn read(line: &str, breaks: &str) -> Self {
        let mut read = Self::default();
        let (mut word, mut kept, mut is_word) = (String::new(), String::new(), false);
        let (mut before_quote, mut redirection) = (String::new(), None);
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            match (read.quote, c) {
                (Some(open), _) if c == open => (read.quote, kept) = (None, std::mem::take(&mut before_quote)),
                (Some('"'), '\\') => match chars.next() {
                    Some(next) if "\"\\$`".contains(next) => word.push(next),
                    next => word.extend(std::iter::once('\\').chain(next)),
                },
                (Some(_), _) => word.push(c),
                (None, '\\') => (is_word, word) = (true, word + &chars.next().map_or(String::new(), String::from)),
                (None, '"' | '\'') => {
                    (read.quote, is_word) = (Some(c), true);
                    before_quote = std::mem::replace(&mut kept, word.clone());
                }
                (None, '<' | '>') => {
                    read.end_word(&mut word, &mut is_word, &mut redirection);
                    redirection = Some(read.words.len());
                    kept.clear();
                }
                (None, _) if c.is_whitespace() => {
                    read.end_word(&mut word, &mut is_word, &mut redirection);
                    kept.clear();
                }
                (None, _) => {
                    (is_word, word) = (true, word + &c.to_string());
                    if breaks.contains(c) {
                        kept.clone_from(&word);
                    }
                }
            }
        }
        read.is_redirected = redirection == Some(read.words.len());
        read.words.push(word);
        read.kept = kept;
        read
    }

    /// Ends a word. The file of a redirection is not a word of the command.
    fn end_word(&mut self, word: &mut String, is_word: &mut bool, redirection: &mut Option<usize>) {
        if !std::mem::take(is_word) {
            return;
        }
        let word = std::mem::take(word);
        if redirection.take().is_none() {
            self.words.push(word);
        }
    }

    /// Returns the text by which bash replaces its part of the line, with quotes where they are needed.
    pub fn replacement(&self, candidate: &str) -> String {
        let text = candidate.strip_prefix(self.kept.as_str()).unwrap_or(candidate);
        let mut replacement = String::with_capacity(text.len());
        for c in text.chars() {
            match self.quote {
                Some('\'') if c == '\'' => replacement.push_str("'\\''"),
                Some('"') if "\"\\$`".contains(c) => replacement.extend(['\\', c]),
                None if c.is_ascii() && !c.is_ascii_alphanumeric() && !"_-./,:=@%+".contains(c) => {
                    replacement.extend(['\\', c]);
                }
                _ => replacement.push(c),
            }
        }
        replacement
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BREAKS: &str = " \t\n\"'@><=;|&(:";

    fn read(line: &str) -> BashLine {
        BashLine::read(line, BREAKS)
    }

    #[test]
    fn words_are_read_as_by_the_shell() {
        for (line, words) in [
            ("tulk ", "tulk|"),
            ("tulk  tr", "tulk|tr"),
            ("tulk -g \"Tea ho", "tulk|-g|Tea ho"),
            ("tulk -g Tea\\ ho", "tulk|-g|Tea ho"),
            ("tulk 'it'\\''s' x\"y\"", "tulk|it's|xy"),
            ("tulk \"a\\\"b\\c\" '' ", "tulk|a\"b\\c||"),
            ("tulk --dictionary en:de=fi", "tulk|--dictionary|en:de=fi"),
            ("tulk < in.txt tr", "tulk|tr"),
            ("tulk usage >out --", "tulk|usage|--"),
        ] {
            assert_eq!(read(line).words.join("|"), words, "{line}");
        }
        assert!(read("tulk usage > ou").is_redirected && read("tulk usage >").is_redirected);
        assert!(!read("tulk usage > out ").is_redirected);
    }

    #[test]
    fn a_replacement_begins_after_the_last_break_and_is_quoted() {
        for (line, candidate, replacement) in [
            ("tulk t", "translate", "translate"),
            ("tulk -g Te", "Tea house", "Tea\\ house"),
            ("tulk -g Tea\\ h", "Tea house", "Tea\\ house"),
            ("tulk -g \"Tea h", "Tea house", "Tea house"),
            ("tulk -g \"Te", "Tea \"$\" house", "Tea \\\"\\$\\\" house"),
            ("tulk -g 'Te", "Tea's", "Tea'\\''s"),
            ("tulk -g T", "Tea's", "Tea\\'s"),
            ("tulk -g Ü", "Übung", "Übung"),
            ("tulk x en:d", "en:de", "de"),
            ("tulk x en:de=", "en:de=", ""),
            ("tulk x \"en:d", "en:de", "en:de"),
            ("tulk --to=d", "--to=de", "de"),
            ("tulk --to=\"d", "--to=de", "de"),
        ] {
            assert_eq!(read(line).replacement(candidate), replacement, "{line}");
        }
    }
}
