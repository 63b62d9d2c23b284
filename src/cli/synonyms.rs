//! Names of options and commands in other programs, with the names in `tulk`, for hints.

use clap::Command;

/// Options of other programs, with the tulk options that may be meant. The hint suggests the first one that the command has.
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

/// Options of other programs that take a key. In tulk, only `sandbox serve` has such an option.
const KEY_OPTIONS: &[&str] = &["key", "api-key", "auth-key"];

pub fn matching_option(word: &str, command: &Command) -> Option<&'static str> {
    let (_, meant) = SYNONYMS.iter().find(|(words, _)| words.contains(&word))?;
    let has = |long: &str| command.get_arguments().any(|arg| arg.get_long() == Some(long) && !arg.is_hide_set());
    meant.iter().copied().find(|meant| has(meant))
}

/// Commands of other programs, with the tulk commands that may be meant. The hint suggests the first one that exists.
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

pub fn matching_subcommand(word: &str, command: &Command) -> Option<&'static str> {
    let (_, meant) = COMMANDS.iter().find(|(words, _)| words.contains(&word))?;
    meant.iter().copied().find(|meant| command.find_subcommand(meant).is_some())
}

const FILE_OPTIONS: &[&str] = &["i", "input", "file", "files", "input-file", "infile"];

pub fn is_file_option(word: &str) -> bool {
    FILE_OPTIONS.contains(&word)
}

pub fn is_key_option(word: &str) -> bool {
    KEY_OPTIONS.contains(&word)
}
