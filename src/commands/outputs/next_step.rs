//! The command that goes on with an unfinished run.

use std::ffi::OsString;

use crate::commands::inputs::TextInputArgs;
use crate::shell;

/// Maximum size of a printed command. A longer one is described.
const COMMAND_BYTES: usize = 2000;

/// Returns the hint that names the command to continue with: the one that was typed, with `--resume`.
pub fn resume_hint(inputs: &TextInputArgs) -> String {
    // Texts are never printed whole.
    let command = if inputs.are_texts() { None } else { command(std::env::args_os().skip(1)) };
    match command {
        Some(command) => format!("to continue, run: {command}"),
        None => "run the same command with --resume to continue".to_owned(),
    }
}

/// Returns the command line of tulk with `--resume`, quoted for a shell; `None` if it is too long or not text.
fn command(args: impl Iterator<Item = OsString>) -> Option<String> {
    let mut words = vec!["tulk".to_owned()];
    for arg in args {
        let arg = arg.into_string().ok()?;
        if arg != "--resume" && arg != "--force" {
            words.push(arg);
        }
    }
    // What follows `--` is text.
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    words.insert(end, "--resume".to_owned());
    let command = shell::command_line(&words);
    (command.len() <= COMMAND_BYTES).then_some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(args: &[&str]) -> Option<String> {
        command(args.iter().map(OsString::from))
    }

    #[test]
    fn the_command_is_quoted_and_resumes() {
        let same = "tulk translate --to de -i 'my file.txt' -o '{stem}.{lang}{ext}' --resume";
        let args = ["translate", "--to", "de", "-i", "my file.txt", "-o", "{stem}.{lang}{ext}"];
        assert_eq!(printed(&args).as_deref(), Some(same));
        assert_eq!(printed(&[&args[..], &["--resume"]].concat()).as_deref(), Some(same));
        assert_eq!(printed(&[&args[..], &["--force"]].concat()).as_deref(), Some(same));
        assert_eq!(printed(&["translate", "--", "-i"]).as_deref(), Some("tulk translate --resume -- -i"));
        assert_eq!(printed(&["x".repeat(3000).as_str()]), None);
    }
}
