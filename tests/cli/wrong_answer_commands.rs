//! Checks that the lists used by `wrong_answers.rs` cover every command.

use crate::common::service_commands::{ADMIN, DOCUMENT_AND_VOICE, GLOSSARY, STYLE, TEXT, VOICE_TERMS};

/// Commands that send no request, use only the embedded sandbox, or accept every answer.
const LOCAL: &[&str] = &[
    "auth login",
    "auth logout",
    "auth status",
    "auth token",
    "cache clear",
    "cache stats",
    "completions",
    "config edit",
    "config get",
    "config list",
    "config path",
    "config set",
    "config unset",
    "doc forget",
    "doc list",
    "doctor",
    "glossary lint",
    "help",
    "man",
    "sandbox reset",
    "sandbox serve",
    "sandbox status",
    "style rules catalogue",
    "sync accept",
    "sync export",
    "sync import",
    "sync init",
    "sync status",
    // `tm_move.rs` tests their answers, which contain addresses of files on another server.
    "tm export",
    "tm import",
    "tm job",
    "voice terms lint",
];

/// Collects the commands without subcommands, such as `glossary v2 list`.
fn leaves(command: &clap::Command, path: &str, found: &mut Vec<String>) {
    let mut subcommands = command.get_subcommands().filter(|command| command.get_name() != "help").peekable();
    if subcommands.peek().is_none() {
        found.push(path.to_owned());
    }
    for command in subcommands {
        let name = command.get_name();
        leaves(command, &if path.is_empty() { name.to_owned() } else { format!("{path} {name}") }, found);
    }
}

#[test]
fn the_lists_cover_every_command() {
    let mut tree = <tulk::cli::Cli as clap::CommandFactory>::command();
    tree.build();
    let mut all = Vec::new();
    leaves(&tree, "", &mut all);
    assert!(all.len() > 60, "{all:?}");
    let tried: Vec<&str> = [TEXT, GLOSSARY, STYLE, DOCUMENT_AND_VOICE, VOICE_TERMS, ADMIN].concat();
    for command in &all {
        let is_tried = tried.iter().any(|line| *line == command || line.starts_with(&format!("{command} ")));
        let is_local = LOCAL.contains(&command.as_str());
        assert!(is_tried != is_local, "list `{command}` in tests/common/service_commands.rs or here, once");
    }
    for name in LOCAL.iter().filter(|name| **name != "help") {
        assert!(all.iter().any(|command| command == name), "there is no command `{name}`");
    }
}
