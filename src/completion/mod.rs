//! Shell completion: the script of each shell asks tulk for the candidates.
//!
//! A script calls `TULK_COMPLETE=SHELL tulk -- WORDS`; [`answer`] handles this before the command line is parsed. Input: the words up
//! to the one to complete, the command tree, built-in lists and local files. Output: candidates in the format of the shell. Completion
//! sends nothing, looks up no key and writes nothing, and a problem only means that there are no candidates. The engine of
//! clap_complete finds them; every argument declares the kind of its values with [`ValueKind`].
//!
//! tulk does not use the scripts of clap_complete: in bash they break at `:` and `=` and do not quote names, in zsh and fish they do
//! not find names in quotes, none of them lets the shell complete files, and the PowerShell script evaluates what is typed.

mod suggestions;
mod value_kind;
mod values;

use std::ffi::OsString;

use clap::ValueEnum;

use self::suggestions::Suggestions;
#[cfg(test)]
pub use self::value_kind::every_value;
pub use self::value_kind::{LanguageSide, ValueKind};
use crate::config::env;
use crate::context::Invocation;

/// Shells with a completion script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShellName {
    /// Bash
    Bash,
    /// Zsh
    Zsh,
    /// Fish
    Fish,
    /// PowerShell
    Powershell,
    /// Elvish
    Elvish,
}

/// Answers a completion script if `TULK_COMPLETE` is a shell and the first argument is `--`. Returns whether it did.
pub fn answer(invocation: &Invocation) -> bool {
    let Some(shell) = env::text(env::COMPLETE).and_then(|name| ShellName::from_str(&name, false).ok()) else {
        return false;
    };
    let mut args = std::env::args_os().skip(1);
    if args.next().is_none_or(|arg| arg != "--") {
        return false;
    }
    let text = answer_to(shell, args.collect(), invocation).unwrap_or_default();
    // An error means that the shell has stopped reading.
    let _ = std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes());
    true
}

fn answer_to(shell: ShellName, mut args: Vec<OsString>, invocation: &Invocation) -> Option<String> {
    if matches!(shell, ShellName::Zsh | ShellName::Elvish) {
        let found = Suggestions::find(args, invocation)?;
        return Some(if shell == ShellName::Zsh { found.to_zsh() } else { found.to_lines("") });
    }
    let typed = args.pop()?.into_string().ok()?;
    match shell {
        // The script passes the part of the last word that bash replaces (after the last `:` or `=`), then the complete line.
        ShellName::Bash => {
            let words = split_words(&typed)?;
            let last = words.last()?.clone();
            // The script of version 0.2 sends three arguments before the line: word breaks, type of completion and width.
            let is_old = args.len() == 3;
            let kept = match args.pop()?.to_str()? {
                _ if is_old => last.rfind([':', '=']).and_then(|at| last.get(..=at)),
                replaced => last.strip_suffix(replaced),
            };
            let is_assignment = |word: &String| word.contains('=');
            let words = words.into_iter().skip_while(is_assignment).map(OsString::from).collect();
            let answer = Suggestions::find(words, invocation)?.to_lines(kept.unwrap_or_default());
            // The old script inserts complete lines, so they must not contain help.
            let word = |line: &str| line.split('\t').next().unwrap_or_default().replace(' ', "\\ ") + "\n";
            return Some(if is_old { answer.lines().map(word).collect() } else { answer });
        }
        // The last word is sent with quotes, as typed.
        ShellName::Fish => args.push(split_words(&typed)?.pop()?.into()),
        // The script puts a colon before the word, so that the argument is never empty.
        _ => args.push(typed.strip_prefix(':')?.into()),
    }
    Some(Suggestions::find(args, invocation)?.to_lines(""))
}

/// Splits an unfinished line into words and removes quotes. The last word is the one at the end of the line; it may be empty.
fn split_words(line: &str) -> Option<Vec<String>> {
    // Append a letter to get a word at the cursor even if it is empty, and close an open quote.
    let mut words = ["_", "_\"", "_'"].iter().find_map(|end| shlex::split(&format!("{line}{end}")))?;
    (words.last_mut()?.pop()? == '_').then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_an_unfinished_line_like_the_shell() {
        for (line, words) in [
            ("tulk ", "tulk|"),
            ("tulk  tr", "tulk|tr"),
            ("tulk -g \"Tea ho", "tulk|-g|Tea ho"),
            ("tulk -g Tea\\ ho", "tulk|-g|Tea ho"),
            ("tulk -g Tea\\", "tulk|-g|Tea"),
            ("tulk 'it'\\''s' 'x y", "tulk|it's|x y"),
            ("tulk \"a\\\"b\\c\" '' ", "tulk|a\"b\\c||"),
            ("tulk --dictionary en:de=fi", "tulk|--dictionary|en:de=fi"),
        ] {
            assert_eq!(split_words(line).unwrap().join("|"), words, "{line}");
        }
    }
}
