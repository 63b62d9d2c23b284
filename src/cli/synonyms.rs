//! Options and commands as other programs name them: what `tulk` calls them.

use clap::Command;

/// Options of other programs, and the options of tulk that may be meant. The first one that the command has is suggested.
const SYNONYMS: &[(&[&str], &[&str])] = &[
    (&["target-lang", "target-language", "target-languages", "target", "lang", "language", "languages"], &["to"]),
    (&["source-lang", "source-language", "source", "s"], &["from"]),
    (&["file", "files", "i", "input", "input-file", "infile"], &["input", "dictionary"]),
    (&["entries", "entries-file"], &["dictionary"]),
    (&["out", "output-file", "outfile"], &["output", "out-dir"]),
    (&["output-dir", "outdir"], &["out-dir", "output"]),
    (&["overwrite"], &["force"]),
    (&["output-format"], &["format"]),
    (&["url", "api-url", "server-url", "endpoint"], &["server"]),
    (&["jobs", "parallel", "threads"], &["concurrency"]),
    (&["debug"], &["verbose"]),
    (&["silent"], &["quiet"]),
];

/// Options of other programs that take a key. tulk has none.
const KEY_OPTIONS: &[&str] = &["key", "api-key", "auth-key"];

/// Returns the option of a command that a word of another program means.
pub fn of_command(word: &str, command: &Command) -> Option<&'static str> {
    let (_, meant) = SYNONYMS.iter().find(|(words, _)| words.contains(&word))?;
    let has = |long: &str| command.get_arguments().any(|arg| arg.get_long() == Some(long) && !arg.is_hide_set());
    meant.iter().copied().find(|meant| has(meant))
}

/// Commands of other programs, and the commands of tulk that may be meant. The first one that exists is suggested.
const COMMANDS: &[(&[&str], &[&str])] = &[
    (&["text"], &["translate"]),
    (&["document", "documents"], &["doc"]),
    (&["language", "languages"], &["langs"]),
    (&["glossaries"], &["glossary"]),
    (&["style-rules"], &["style"]),
    (&["quota"], &["usage"]),
    (&["settings"], &["config"]),
    (&["ls"], &["list"]),
    (&["rm", "remove", "delete"], &["remove", "delete"]),
    (&["get", "info"], &["show", "entries"]),
    (&["new"], &["create"]),
];

/// Returns the subcommand that a word of another program means.
pub fn of_subcommand(word: &str, command: &Command) -> Option<&'static str> {
    let (_, meant) = COMMANDS.iter().find(|(words, _)| words.contains(&word))?;
    meant.iter().copied().find(|meant| command.find_subcommand(meant).is_some())
}

/// Options of other programs that take a file.
const FILE_OPTIONS: &[&str] = &["i", "input", "file", "files", "input-file", "infile"];

/// Returns whether a word stands before the name of a file.
pub fn is_file(word: &str) -> bool {
    FILE_OPTIONS.contains(&word)
}

/// Returns whether a word means the key itself.
pub fn is_key(word: &str) -> bool {
    KEY_OPTIONS.contains(&word)
}
