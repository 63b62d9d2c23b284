//! Command lines of the user, such as `key_command` and the editor, in the shell of the platform.

use std::path::Path;
use std::process::Command;

/// The editor if none is set.
pub const DEFAULT_EDITOR: &str = if cfg!(windows) { "notepad" } else { "vi" };

/// Returns the process that runs a command line.
#[cfg(not(windows))]
pub fn shell(line: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]);
    shell
}

/// Returns the process that runs a command line with a file as its last argument.
#[cfg(not(windows))]
pub fn shell_with_file(line: &str, file: &Path) -> Command {
    let mut shell = shell(&format!("{line} \"$1\""));
    shell.arg("sh").arg(file);
    shell
}

/// Returns the process that runs a command line.
///
/// `cmd` gets it as it is, between two quotes, which `/S` removes: escaped quotes it would not understand.
#[cfg(windows)]
pub fn shell(line: &str) -> Command {
    use std::os::windows::process::CommandExt as _;
    let mut shell = Command::new("cmd");
    shell.args(["/D", "/S", "/C"]).raw_arg(format!("\"{line}\""));
    shell
}

/// Returns the process that runs a command line with a file as its last argument. Names of files have no quotes there.
#[cfg(windows)]
pub fn shell_with_file(line: &str, file: &Path) -> Command {
    shell(&format!("{line} \"{}\"", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_keeps_its_quotes_and_gets_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("my file");
        std::fs::write(&file, "text").unwrap();
        let printed = |command: &mut Command| {
            let printed = command.output().unwrap().stdout;
            String::from_utf8(printed).unwrap().trim_end().to_owned()
        };
        let (print, quoted) = if cfg!(windows) { ("type", "\"a b\"") } else { ("cat", "a b") };
        assert_eq!(printed(&mut shell_with_file(print, &file)), "text");
        assert_eq!(printed(&mut shell("echo \"a b\"")), quoted, "cmd prints the quotes too");
        assert_eq!(printed(&mut shell(&format!("{print} \"{}\"", file.display()))), "text");
    }
}
