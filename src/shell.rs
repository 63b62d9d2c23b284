//! Commands that are printed for the user to run, quoted so that a shell reads them back as they were.

use std::borrow::Cow;

/// Quotes a word for a POSIX shell, if it needs quotes.
pub fn quote(word: &str) -> Cow<'_, str> {
    // Arguments cannot contain NUL, the only character that cannot be quoted.
    shlex::try_quote(word).unwrap_or(Cow::Borrowed(word))
}

/// Quotes the name of a file as an argument of a command: one that begins with `-` is no flag. `-` stays, which is stdin.
pub fn quote_file(name: &str) -> Cow<'_, str> {
    match name {
        "-" => Cow::Borrowed(name),
        _ if name.starts_with('-') => Cow::Owned(quote(&format!("./{name}")).into_owned()),
        _ => quote(name),
    }
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

    #[test]
    fn a_file_is_no_flag() {
        assert_eq!(quote_file("-x.txt"), "./-x.txt");
        assert_eq!(quote_file("-my file"), "'./-my file'");
        assert_eq!(quote_file("my file"), "'my file'");
        assert_eq!(quote_file("-"), "-");
    }
}
