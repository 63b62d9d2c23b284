//! Completion of command lines: each script of a shell asks tulk for the candidates.
//!
//! A script calls `TULK_COMPLETE=SHELL tulk -- WORDS`, which [`answer`] reads before the command line is parsed. Input: the words up to
//! the one to complete, the command tree, built-in lists and local files. Output: candidates in the form that the shell reads. Nothing
//! is sent, no key is looked up, nothing is written, and problems only mean that there are no candidates. Every command declares with
//! [`ValueKind`] what its values are.

mod bash;
mod line;
mod suggestions;
mod value_kind;
mod values;

use std::ffi::OsString;

use clap::ValueEnum;

use self::bash::BashLine;
use self::line::CommandLine;
use self::suggestions::Suggestions;
#[cfg(test)]
pub use self::value_kind::every_value;
pub use self::value_kind::{LanguageSide, ValueKind};
use self::values::LocalData;
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
fn answer_to(shell: ShellName, args: Vec<OsString>, invocation: &Invocation) -> Option<String> {
    let complete = |words: Vec<OsString>| -> Option<Suggestions> {
        let mut tree = (invocation.tree)();
        tree.build();
        let line = CommandLine::read(&tree, without_assignments(words));
        let local = LocalData::new(&line, invocation.clone());
        Suggestions::find(tree, line, local)
    };
    match shell {
        ShellName::Bash => {
            let [breaks, completion_type, columns, line] =
                <[OsString; 4]>::try_from(args).ok()?.map(OsString::into_string);
            let line = BashLine::read(&line.ok()?, &breaks.ok()?);
            if line.is_redirected {
                return Some(Suggestions::files().to_bash(&line, false, 0));
            }
            let answer = complete(line.words.iter().map(OsString::from).collect())?;
            // How bash asks for a list of candidates, which is shown and not inserted.
            let is_list = ["33", "63", "64"].contains(&completion_type.ok()?.as_str());
            Some(answer.to_bash(&line, is_list, columns.ok()?.parse().unwrap_or(80)))
        }
        ShellName::Zsh => Some(complete(args)?.to_zsh()),
        ShellName::Fish => {
            let mut words = args;
            // The last word has the quotes as typed.
            let typed = words.pop()?.into_string().ok()?;
            words.push(BashLine::read(&typed, "").words.pop()?.into());
            Some(complete(words)?.to_lines())
        }
        ShellName::Powershell => {
            let mut words = args;
            let typed = words.pop()?.into_string().ok()?;
            words.push(typed.strip_prefix(':')?.into());
            Some(complete(words)?.to_lines())
        }
        ShellName::Elvish => Some(complete(args)?.to_lines()),
    }
}

/// Removes the variables that are set in front of the program: `LANG=C tulk`.
fn without_assignments(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_assignment = |word: &OsString| {
        let name = word.to_str().and_then(|text| text.split_once('=')).map(|(name, _)| name);
        name.is_some_and(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
    };
    let count = words.iter().take_while(|word| is_assignment(word)).count();
    if count < words.len() {
        words.drain(..count);
    }
    words
}
