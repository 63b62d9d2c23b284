//! Which global options have an effect on which command, so that the help of a command lists no others.
//!
//! They are accepted everywhere all the same: scripts and aliases may give the same options to all commands.

use super::columns;
use crate::commands::formats;
use crate::config::OutputFormat;

/// A set of commands: their names without `tulk`. A group stands for all its commands.
type CommandNames = &'static [&'static str];

/// Commands that work without a server.
const OFFLINE: CommandNames = &[
    "cache",
    "completions",
    "config",
    "doc forget",
    "doc list",
    "glossary lint",
    "help",
    "man",
    "sandbox",
    "style rules catalogue",
    "sync accept",
    "sync init",
    "sync status",
    "voice terms lint",
];
/// Commands that do not read the settings file.
const WITHOUT_SETTINGS: CommandNames = &[
    "completions",
    "glossary lint",
    "help",
    "man",
    "style rules catalogue",
    "sync accept",
    "sync init",
    "sync status",
    "voice terms lint",
];
/// Commands that neither send nor change anything that `--dry-run` could print instead.
const READING: CommandNames = &[
    "admin keys list",
    "admin tags",
    "admin usage",
    "auth status",
    "auth token",
    "cache stats",
    "completions",
    "config get",
    "config list",
    "config path",
    "doc list",
    "doc status",
    "doc wait",
    "doctor",
    "glossary diff",
    "glossary entries",
    "glossary lint",
    "glossary list",
    "glossary show",
    "glossary v2 entries",
    "glossary v2 list",
    "glossary v2 pairs",
    "glossary v2 show",
    "glossary wait",
    "help",
    "langs",
    "man",
    "sandbox serve",
    "sandbox status",
    "style export",
    "style instruction list",
    "style instruction show",
    "style list",
    "style rules catalogue",
    "style rules show",
    "style show",
    "sync status",
    "tm",
    "usage",
    "voice terms entries",
    "voice terms lint",
    "voice terms list",
    "voice terms show",
];
/// Commands that ask before they change something.
const ASKING: CommandNames = &[
    "admin keys deactivate",
    "doc forget",
    "glossary delete",
    "glossary delete-dictionary",
    "glossary remove",
    "glossary sync",
    "glossary v2 delete",
    "sandbox reset",
    "style apply",
    "style delete",
    "style instruction remove",
    "voice terms delete",
    "voice terms delete-list",
    "voice terms sync",
];
/// Commands that send several requests at once.
const CONCURRENT: CommandNames = &["doc resume", "doc translate", "translate", "write"];
/// Commands that send each request once, to see whether it is answered.
const PROBING: CommandNames = &["auth status", "doctor"];
/// Commands that send the reporting tag.
const TAGGED: CommandNames = &["api", "translate"];
/// Commands that check limits and rules before they send something.
const CHECKING: CommandNames = &[
    "doc translate",
    "doc upload",
    "glossary add",
    "glossary create",
    "glossary diff",
    "glossary merge",
    "glossary set",
    "glossary sync",
    "glossary v2 create",
    "style apply",
    "style create",
    "style instruction add",
    "style instruction edit",
    "style rename",
    "style rules set",
    "translate",
    "voice session",
    "voice stream",
    "voice terms create",
    "voice terms merge",
    "voice terms set",
    "voice terms sync",
    "write",
];

/// Returns whether a global option, by its field in `GlobalArgs`, has an effect on a command or a group such as `tulk usage`.
///
/// The help of a group has all options, which may be given before the name of its command.
pub fn applies(path: &str, option: &str, is_group: bool) -> bool {
    let name = path.strip_prefix("tulk ").unwrap_or_default();
    let is_one_of = |names: CommandNames| names.iter().any(|listed| contains(listed, name));
    if is_group || name.is_empty() {
        return true;
    }
    match option {
        "config" => !is_one_of(WITHOUT_SETTINGS),
        "profile" => !is_one_of(OFFLINE) || name.starts_with("doc "),
        "server" | "sandbox" | "key_file" | "verbose" | "timeout" | "proxy" | "no_proxy" | "ca_file"
        | "insecure_http" => !is_one_of(OFFLINE),
        "retries" | "max_wait" | "rate" => !is_one_of(OFFLINE) && !is_one_of(PROBING),
        "json" | "jq" => {
            formats::of_command(name).is_none_or(|accepted| accepted.formats.contains(&OutputFormat::Json))
        }
        "header" | "columns" => columns::has(name),
        "dry_run" => !is_one_of(READING),
        "yes" => is_one_of(ASKING),
        "concurrency" => is_one_of(CONCURRENT),
        "reporting_tag" => is_one_of(TAGGED),
        "no_check" => is_one_of(CHECKING),
        _ => true,
    }
}

/// Returns whether `listed` is the command `name` or its group.
fn contains(listed: &str, name: &str) -> bool {
    name.strip_prefix(listed).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
pub fn listed_commands() -> impl Iterator<Item = &'static str> {
    let lists = [OFFLINE, WITHOUT_SETTINGS, READING, ASKING, CONCURRENT, PROBING, TAGGED, CHECKING];
    lists.into_iter().flatten().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_has_the_options_that_it_uses() {
        let applies = |path, option| applies(path, option, false);
        assert!(applies("tulk glossary delete", "yes") && !applies("tulk glossary list", "yes"));
        assert!(applies("tulk write correct", "concurrency") && !applies("tulk usage", "concurrency"));
        assert!(applies("tulk usage", "columns") && !applies("tulk completions", "columns"));
        assert!(applies("tulk config list", "columns") && !applies("tulk config list", "server"));
        assert!(applies("tulk voice session", "dry_run") && !applies("tulk langs list", "dry_run"));
        assert!(applies("tulk usage", "retries") && !applies("tulk doctor", "retries"));
    }

    #[test]
    fn a_group_has_all_options() {
        assert!(super::applies("tulk config", "server", true));
    }
}
