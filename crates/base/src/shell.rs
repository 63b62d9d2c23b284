//! Quotes commands that are printed for the user to run, so that they work when pasted into a shell.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

use crate::json::is_terminal_control;

/// Quotes a word for a POSIX shell, if it needs quotes.
///
/// Control characters are written as escapes in `$'…'`, so that the word can be printed on a terminal and pasted from there.
pub fn quote(word: &str) -> Cow<'_, str> {
    if word.chars().any(|c| is_terminal_control(c) && c != '\n' && c != '\t') {
        return Cow::Owned(with_escapes(word.as_bytes()));
    }
    // NUL is the only character that cannot be quoted, and arguments cannot contain it.
    shlex::try_quote(word).unwrap_or(Cow::Borrowed(word))
}

/// Quotes a file name as an argument. Prefixes `./` to a name that starts with `-`, except for `-`, which is stdin.
pub fn quote_file(name: &str) -> Cow<'_, str> {
    match name {
        "-" => Cow::Borrowed(name),
        _ if name.starts_with('-') => Cow::Owned(quote(&format!("./{name}")).into_owned()),
        _ => quote(name),
    }
}

/// Quotes a path, which need not be UTF-8.
pub fn quote_path(path: &Path) -> String {
    path.to_str().map_or_else(|| with_escapes(path.as_os_str().as_encoded_bytes()), |text| quote(text).into_owned())
}

/// Quotes arbitrary bytes as `$'…'`.
fn with_escapes(bytes: &[u8]) -> String {
    let mut quoted = String::from("$'");
    for &byte in bytes {
        match byte {
            b'\\' | b'\'' => quoted.extend(['\\', char::from(byte)]),
            b'\n' => quoted.push_str("\\n"),
            b' '..=b'~' => quoted.push(char::from(byte)),
            _ => {
                let _ = write!(quoted, "\\{byte:03o}");
            }
        }
    }
    quoted.push('\'');
    quoted
}

/// Joins words to a command line, quoting where needed.
pub fn command_line<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    words.into_iter().map(|word| quote(word.as_ref()).into_owned()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_parses_the_quoted_words() {
        let words = ["tulk", "-p", "my work", "doc", "resume", "it's", "$HOME", "", "a\nb", "ü", "--to=de,fr", "-"];
        let line = command_line(words);
        assert_eq!(shlex::split(&line).unwrap(), words);
        assert_eq!(command_line(["tulk", "-p", "my work"]), "tulk -p 'my work'");
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(quote("a\u{1b}[31m it's\\\n"), r"$'a\033[31m it\'s\\\n'");
        assert_eq!(quote("\u{202e}x"), r"$'\342\200\256x'");
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt as _;
            assert_eq!(quote_path(Path::new(std::ffi::OsStr::from_bytes(b"a\xff"))), r"$'a\377'");
        }
        assert_eq!(quote_path(Path::new("a b")), "'a b'");
    }

    #[test]
    fn a_file_name_is_not_read_as_a_flag() {
        assert_eq!(quote_file("-x.txt"), "./-x.txt");
        assert_eq!(quote_file("-my file"), "'./-my file'");
        assert_eq!(quote_file("my file"), "'my file'");
        assert_eq!(quote_file("-"), "-");
    }
}
