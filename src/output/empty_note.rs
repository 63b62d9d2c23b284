//! What a terminal shows instead of an empty table: that there is nothing yet, and the command that changes it.

use std::borrow::Cow;

use super::commands::with_flags;

/// A note about an empty listing. Pipes never get it.
#[derive(Clone, Debug)]
pub struct EmptyNote {
    text: Cow<'static, str>,
    command: Option<Cow<'static, str>>,
}

impl EmptyNote {
    /// Returns a note such as `No glossaries yet.`
    pub const fn new(text: &'static str) -> Self {
        Self { text: Cow::Borrowed(text), command: None }
    }

    /// Returns a note whose text depends on the arguments.
    pub const fn about(text: String) -> Self {
        Self { text: Cow::Owned(text), command: None }
    }

    /// Adds what to do next, such as `Create one`, and the command, which begins with `tulk`.
    #[must_use]
    pub fn next(self, what: &str, command: &str) -> Self {
        Self { text: format!("{} {what}:", self.text).into(), command: Some(command.to_owned().into()) }
    }

    /// Returns the line. The command gets these flags, which choose server, key and profile.
    pub(super) fn line(&self, flags: &str) -> String {
        match &self.command {
            Some(command) => format!("{} {}", self.text, with_flags(&format!("`{command}`"), flags).trim_matches('`')),
            None => self.text.clone().into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_has_the_flags_of_the_run() {
        let note = EmptyNote::new("No documents yet.").next("Translate one", "tulk doc translate FILE --to de");
        assert_eq!(note.line(""), "No documents yet. Translate one: tulk doc translate FILE --to de");
        assert_eq!(
            note.line("--sandbox -p 'my work'"),
            "No documents yet. Translate one: tulk --sandbox -p 'my work' doc translate FILE --to de"
        );
        assert_eq!(EmptyNote::new("No languages match.").line("--sandbox"), "No languages match.");
    }
}
