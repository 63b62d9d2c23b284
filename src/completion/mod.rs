//! Completion of command lines: each script of a shell asks tulk for the candidates.
//!
//! A script calls `TULK_COMPLETE=SHELL tulk -- WORDS`, which [`answer`] reads before the command line is parsed. Input: the words up to
//! the one to complete, the command tree, built-in lists and local files. Output: candidates in the form that the shell reads. Nothing
//! is sent, no key is looked up, nothing is written, and problems only mean that there are no candidates. The engine of clap_complete
//! finds them; every argument declares with [`ValueKind`] what its values are.
//!
//! The scripts of clap_complete are not used: in bash they break at `:` and `=` and do not quote names, in zsh and fish they do not
//! find names in quotes, none of them leaves files to the shell, and that of PowerShell evaluates what is typed.

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

/// Answers a completion script: `TULK_COMPLETE` is a shell, and the first argument is `--`. Returns whether it did.
pub fn answer(invocation: &Invocation) -> bool {
    let Some(shell) = env::text(env::COMPLETE).and_then(|name| ShellName::from_str(&name, false).ok()) else {
        return false;
    };
    let mut args = std::env::args_os().skip(1);
    if args.next().is_none_or(|arg| arg != "--") {
        return false;
    }
    let text = answer_to(shell, args.collect(), invocation).unwrap_or_default();
    // The shell may have stopped reading.
    let _ = std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes());
    true
}

/// Returns the lines that the script of a shell reads.
fn answer_to(shell: ShellName, mut args: Vec<OsString>, invocation: &Invocation) -> Option<String> {
    if matches!(shell, ShellName::Zsh | ShellName::Elvish) {
        let found = Suggestions::find(args, invocation)?;
        return Some(if shell == ShellName::Zsh { found.to_zsh() } else { found.to_lines("") });
    }
    let typed = args.pop()?.into_string().ok()?;
    match shell {
        // The whole line, before it the part of the last word that bash replaces: what follows the last `:` or `=`.
        ShellName::Bash => {
            let words = unquoted(&typed)?;
            let last = words.last()?.clone();
            // The script of version 0.2 also sends where bash breaks words, the type of completion and the width.
            let is_old = args.len() == 3;
            let kept = match args.pop()?.to_str()? {
                _ if is_old => last.rfind([':', '=']).and_then(|at| last.get(..=at)),
                replaced => last.strip_suffix(replaced),
            };
            let is_assignment = |word: &String| word.contains('=');
            let words = words.into_iter().skip_while(is_assignment).map(OsString::from).collect();
            let answer = Suggestions::find(words, invocation)?.to_lines(kept.unwrap_or_default());
            // It inserts whole lines.
            let word = |line: &str| line.split('\t').next().unwrap_or_default().replace(' ', "\\ ") + "\n";
            return Some(if is_old { answer.lines().map(word).collect() } else { answer });
        }
        // The last word has the quotes as typed.
        ShellName::Fish => args.push(unquoted(&typed)?.pop()?.into()),
        // It follows a colon, so that it is never empty.
        _ => args.push(typed.strip_prefix(':')?.into()),
    }
    Some(Suggestions::find(args, invocation)?.to_lines(""))
}

/// Splits an unfinished line into words without quotes. The last one is the word at its end, which may be empty.
fn unquoted(line: &str) -> Option<Vec<String>> {
    // A letter at the cursor makes a word there, and a quote that is open is closed.
    let mut words = ["_", "_\"", "_'"].iter().find_map(|end| shlex::split(&format!("{line}{end}")))?;
    (words.last_mut()?.pop()? == '_').then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_line_is_read_as_by_the_shell() {
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
            assert_eq!(unquoted(line).unwrap().join("|"), words, "{line}");
        }
    }
}
