//! Commands that are printed for the user to run, quoted so that a shell reads them back as they were.

use std::borrow::Cow;

/// Quotes a word for a POSIX shell, if it needs quotes.
pub fn quote(word: &str) -> Cow<'_, str> {
    // Arguments cannot contain NUL, the only character that cannot be quoted.
    shlex::try_quote(word).unwrap_or(Cow::Borrowed(word))
}

/// Returns a command line of these words.
pub fn command_line<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    words.into_iter().map(|word| quote(word.as_ref()).into_owned()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_the_words_back() {
        let words = ["tulk", "-p", "my work", "doc", "resume", "it's", "$HOME", "", "a\nb", "ü", "--to=de,fr", "-"];
        let line = command_line(words);
        assert_eq!(shlex::split(&line).unwrap(), words);
        assert_eq!(command_line(["tulk", "-p", "my work"]), "tulk -p 'my work'");
    }
}
