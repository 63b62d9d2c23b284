//! Which output formats a command accepts. Commands declare them; `commands::formats` collects the declarations.

use crate::config::OutputFormat::{self, Auto, Github, Json, Jsonl, Table, Text, Tsv};

/// Formats of commands that print rows.
pub const LISTING: &[OutputFormat] = &[Auto, Table, Json, Jsonl, Tsv, Text];
/// Formats of translated and improved texts.
pub const RESULTS: &[OutputFormat] = &[Auto, Json, Jsonl, Tsv, Text];
/// Formats of findings in files: rows, or annotations of a workflow.
pub const FINDINGS: &[OutputFormat] = &[Auto, Table, Json, Jsonl, Tsv, Text, Github];
/// Formats of improved texts, or with `--check` of findings.
pub const RESULTS_OR_FINDINGS: &[OutputFormat] = &[Auto, Json, Jsonl, Tsv, Text, Github];
/// Formats of one value, and of messages: text or JSON.
pub const TEXT_OR_JSON: &[OutputFormat] = &[Auto, Json, Jsonl, Text];
/// Formats of output that is text by nature.
pub const TEXT_ONLY: &[OutputFormat] = &[Auto, Text];

/// The formats that some commands accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandFormats {
    /// The commands, such as `glossary list, show`. A group stands for all its commands that are not listed themselves.
    pub commands: &'static str,
    /// The formats.
    pub formats: &'static [OutputFormat],
    /// Whether the command prints a result. If not, the format is that of its messages.
    pub has_result: bool,
}

impl CommandFormats {
    /// Returns the formats of commands that print a result.
    pub const fn new(commands: &'static str, formats: &'static [OutputFormat]) -> Self {
        Self { commands, formats, has_result: true }
    }

    /// Returns the formats of commands that print only messages.
    pub const fn without_result(commands: &'static str) -> Self {
        Self { commands, formats: TEXT_OR_JSON, has_result: false }
    }

    /// Returns the formats of commands that print text for people or for a shell, which is no result in rows.
    pub const fn text(commands: &'static str) -> Self {
        Self { commands, formats: TEXT_ONLY, has_result: false }
    }

    /// Returns the full names of the commands.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let mut parts = self.commands.split(", ");
        let first = parts.next().unwrap_or_default();
        let group = first.rsplit_once(' ').map(|(group, _)| group);
        let rest = parts.map(move |name| group.map_or_else(|| name.to_owned(), |group| format!("{group} {name}")));
        std::iter::once(first.to_owned()).chain(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_expanded_with_their_group() {
        let names = |commands| CommandFormats::new(commands, LISTING).names().collect::<Vec<_>>();
        assert_eq!(names("usage"), ["usage"]);
        assert_eq!(names("completions, man"), ["completions", "man"]);
        assert_eq!(names("style rules show, set"), ["style rules show", "style rules set"]);
    }
}
