//! GitHub Actions: findings as annotations for `--format github`, and a guard for all other output.
//!
//! An annotation appears next to the lines of a file. It is a workflow command: `::error file=F,line=L,col=C,title=T::MESSAGE`.
//! The runner executes every line of a step's output that starts with `::`, even after whitespace. Therefore, text of inputs and of
//! the service is written with a space between the colons.

use std::path::{Path, PathBuf};

use super::terminals::stdout_is_file;
use crate::config::env;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnotationLevel {
    Error,
    /// Something that differs or would change.
    Warning,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    pub level: AnnotationLevel,
    /// `None` if the text is not in a file.
    pub file: Option<PathBuf>,
    /// Line in the file, counted from 1.
    pub line: Option<u32>,
    /// Column in the line, counted from 1.
    pub column: Option<u32>,
    pub title: String,
    pub message: String,
}

impl Annotation {
    /// Returns the workflow command. Paths inside of the repository are relative to it.
    pub(super) fn command(&self, repository: Option<&Path>) -> String {
        let name = match self.level {
            AnnotationLevel::Error => "error",
            AnnotationLevel::Warning => "warning",
        };
        let file = self.file.as_deref().map(|file| relative(file, repository));
        let number = |n: Option<u32>| n.map(|n| n.to_string());
        let title = (!self.title.is_empty()).then(|| self.title.clone());
        let properties = [("file", file), ("line", number(self.line)), ("col", number(self.column)), ("title", title)];
        let properties: Vec<String> = properties
            .into_iter()
            .filter_map(|(name, value)| Some(format!("{name}={}", escape_property(&value?))))
            .collect();
        let space = if properties.is_empty() { "" } else { " " };
        format!("::{name}{space}{}::{}\n", properties.join(","), escape_data(&self.message))
    }
}

/// Returns the root of the repository: `GITHUB_WORKSPACE`, or the nearest directory with `.git`, from the current one upwards.
pub(super) fn repository() -> Option<PathBuf> {
    if let Some(workspace) = env::text(env::GITHUB_WORKSPACE) {
        return Some(workspace.into());
    }
    let current = std::env::current_dir().ok()?;
    current.ancestors().find(|directory| directory.join(".git").exists()).map(Path::to_owned)
}

/// Returns a path relative to the repository, or unchanged if it is outside.
fn relative(file: &Path, repository: Option<&Path>) -> String {
    let inside = repository.and_then(|root| {
        let (root, file) = (root.canonicalize().ok()?, file.canonicalize().ok()?);
        file.strip_prefix(root).ok().map(Path::to_owned)
    });
    let path = inside.unwrap_or_else(|| file.to_owned()).display().to_string();
    if cfg!(windows) { path.replace('\\', "/") } else { path }
}

fn escape_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Watches a stream of bytes for lines that start with `::`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkflowGuard(LineState);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineState {
    /// The line has only whitespace so far.
    Start,
    /// The line has only whitespace and one colon so far.
    Colon,
    Inside,
}

impl WorkflowGuard {
    /// Returns a guard at the start of a line, if a workflow may read the stream.
    pub fn of_process() -> Option<Self> {
        env::text(env::GITHUB_ACTIONS).map(|_| Self(LineState::Start))
    }

    /// Like [`WorkflowGuard::of_process`], for stdout. If stdout is a file, its bytes are not changed.
    pub fn of_stdout() -> Option<Self> {
        Self::of_process().filter(|_| !stdout_is_file())
    }

    /// Returns the next bytes of the stream with a space between two colons at the start of a line.
    pub fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        for byte in bytes {
            self.0 = match (self.0, *byte) {
                (_, b'\n' | b'\r') => LineState::Start,
                (LineState::Start, b':') => LineState::Colon,
                (LineState::Start, byte) if may_be_whitespace(byte) => LineState::Start,
                (LineState::Colon, b':') => {
                    out.push(b' ');
                    LineState::Inside
                }
                _ => LineState::Inside,
            };
            out.push(*byte);
        }
        out
    }

    /// Returns a complete text that starts a line, with spaces as in [`WorkflowGuard::pass`].
    pub fn text(mut self, text: &str) -> String {
        String::from_utf8(self.pass(text.as_bytes())).unwrap_or_default()
    }
}

/// Returns whether a byte is whitespace or a control character, or may be part of Unicode whitespace.
fn may_be_whitespace(byte: u8) -> bool {
    matches!(byte, 0..=b' ' | 0x7f..=0x8a | 0x9a | 0x9f | 0xa0 | 0xa8 | 0xa9 | 0xaf | 0xbb | 0xbf | 0xc2 | 0xe1..=0xe3 | 0xef)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_encoded() {
        let mut annotation = Annotation {
            level: AnnotationLevel::Error,
            file: Some("a, b:c.tsv".into()),
            line: Some(3),
            column: Some(14),
            title: "100 %: all\nof it".into(),
            message: "50 %, a:b\r\nnext".into(),
        };
        let wanted = "::error file=a%2C b%3Ac.tsv,line=3,col=14,title=100 %25%3A all%0Aof it::50 %25, a:b%0D%0Anext\n";
        assert_eq!(annotation.command(None), wanted);
        annotation = Annotation { level: AnnotationLevel::Warning, file: None, line: None, column: None, ..annotation };
        annotation.title.clear();
        assert_eq!(annotation.command(None), "::warning::50 %25, a:b%0D%0Anext\n");
    }

    fn guard(chunks: &[&str]) -> String {
        let mut guard = WorkflowGuard(LineState::Start);
        chunks.iter().map(|chunk| String::from_utf8(guard.pass(chunk.as_bytes())).unwrap()).collect()
    }

    #[test]
    fn no_line_begins_with_a_command() {
        assert_eq!(
            guard(&["::error::x\n  ::set-env\r\t::a\u{a0}\n\u{3000}::b"]),
            ": :error::x\n  : :set-env\r\t: :a\u{a0}\n\u{3000}: :b"
        );
        assert_eq!(guard(&["a ::b\n: ::c\n:d:\n"]), "a ::b\n: ::c\n:d:\n");
        assert_eq!(guard(&[":", ":x", "\n", " ", ":", ":"]), ": :x\n : :");
    }
}
