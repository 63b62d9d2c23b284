//! The command that continues this one: the same words with `--resume` or another flag, quoted for a shell.
//!
//! `words` is the command line of this process, beginning with the program.

use std::ffi::OsString;

use tulk_base::shell;

/// Bytes of a command that can still be printed as a hint.
const LONGEST_COMMAND: usize = 1000;

/// Returns what to run to continue this process.
pub fn resume_hint(words: &[OsString]) -> String {
    match same_command(words, "--resume", "--force") {
        Some(command) => format!("continue with `{command}`"),
        None => "run the same command with --resume to continue".to_owned(),
    }
}

/// Returns the command of this process with the flag `added` and without the flag `removed`. `None` if it is too long for
/// a hint.
pub fn same_command(words: &[OsString], added: &str, removed: &str) -> Option<String> {
    let words: Option<Vec<&str>> = words.iter().skip(1).map(|word| word.to_str()).collect();
    let command = words.map(|words| changed_command(&words, added, removed));
    command.filter(|command| command.len() <= LONGEST_COMMAND)
}

/// Returns the command line with these arguments, one flag added and another one removed.
fn changed_command(words: &[&str], added: &str, removed: &str) -> String {
    let end = words.iter().position(|word| *word == "--").unwrap_or(words.len());
    let (flags, rest) = words.split_at(end);
    let mut line = vec!["tulk"];
    line.extend(flags.iter().filter(|word| ![added, removed].contains(word)));
    line.push(added);
    line.extend(rest);
    shell::command_line(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_quoted_and_resume_comes_before_the_texts() {
        let command = |line: &str| {
            let words = shlex::split(line).unwrap();
            changed_command(&words.iter().map(String::as_str).collect::<Vec<_>>(), "--resume", "--force")
        };
        assert_eq!(
            command("-p 'my work' translate --to de -i 'a b' -o '{stem}.{lang}{ext}' --force"),
            "tulk -p 'my work' translate --to de -i 'a b' -o '{stem}.{lang}{ext}' --resume"
        );
        assert_eq!(command("translate -o x -- --force"), "tulk translate -o x --resume -- --force");
        assert_eq!(command("translate --resume -o x"), "tulk translate -o x --resume");
    }
}
