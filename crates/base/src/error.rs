//! Failures with their kinds and exit codes, and the messages of I/O errors. A [`Failure`] is created where its kind is known. It
//! travels inside an `anyhow::Error`, to which commands add context; [`ErrorReport::new`] extracts it again.

use std::fmt;
use std::path::Path;

use crate::files::TooLarge;

/// Kind of a failure, which determines the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A check found a difference or a problem. This is a result, not an error.
    No,
    /// Wrong usage or input; nothing was sent.
    Usage,
    /// No server or key is set, or the key is not authorised (401, 403).
    Key,
    /// 404, or an unknown name.
    NotFound,
    /// The service refused the request (any other 4xx), a document failed, or a placeholder was lost.
    Refused,
    /// The quota is exhausted (456), or `--max-characters` was reached.
    Quota,
    /// Rate limited, overloaded or down after the last retry.
    Busy,
    /// No connection, a TLS error, a timeout, a redirect, or an unusable answer.
    Network,
    /// Some files, targets or entries failed; the others are done.
    Partly,
    /// A wait reached `--max-wait` or its default limit, or a document is not translated yet.
    Unfinished,
    /// A bug, or a failure of this machine such as a full disk.
    Internal,
    /// Stopped by SIGHUP.
    Hangup,
    /// Stopped by Ctrl-C.
    Interrupted,
    /// Stopped by SIGTERM.
    Terminated,
    /// The reader of stdout closed the pipe. Nothing is printed.
    PipeClosed,
    /// `--dry-run` printed as much of the plan as it could. Nothing else is printed.
    Planned,
}

impl Kind {
    /// Returns the exit code of the process.
    pub const fn code(self) -> u8 {
        match self {
            Self::PipeClosed | Self::Planned => 0,
            Self::No => 1,
            Self::Usage => 2,
            Self::Key => 3,
            Self::NotFound => 4,
            Self::Refused => 5,
            Self::Quota => 6,
            Self::Busy => 7,
            Self::Network => 8,
            Self::Partly => 9,
            Self::Unfinished => 10,
            Self::Internal => 70,
            Self::Hangup => 129,
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }

    /// Returns the name of the kind in JSON error messages.
    pub const fn word(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Usage => "usage",
            Self::Key => "key",
            Self::NotFound => "not_found",
            Self::Refused => "refused",
            Self::Quota => "quota",
            Self::Busy => "busy",
            Self::Network => "network",
            Self::Partly => "partly",
            Self::Unfinished => "unfinished",
            Self::Internal => "internal",
            Self::Hangup | Self::Interrupted | Self::Terminated => "stopped",
            Self::PipeClosed => "closed",
            Self::Planned => "planned",
        }
    }

    /// Returns whether the command exits without an error message.
    pub const fn is_quiet(self) -> bool {
        matches!(self, Self::PipeClosed | Self::Planned)
    }

    /// Returns whether a signal ended the command.
    pub const fn is_stop(self) -> bool {
        matches!(self, Self::Hangup | Self::Interrupted | Self::Terminated)
    }
}

/// A position in the input: a file (or `stdin`, `TEXT 2`), a line and a column.
///
/// Line 0 means the whole input; column 0 means the whole line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// File name as the user wrote it, `stdin`, or `TEXT n`.
    pub source: std::sync::Arc<str>,
    /// Line, from 1.
    pub line: u64,
    /// Column in characters, from 1.
    pub column: u64,
}

impl Origin {
    /// Creates the origin of a complete input.
    pub fn whole(source: &str) -> Self {
        Self { source: source.into(), line: 0, column: 0 }
    }

    /// Creates the origin of a line and column.
    pub fn at(source: &str, line: u64, column: u64) -> Self {
        Self { source: source.into(), line, column }
    }

    /// Creates the origin of the byte at `at`.
    pub fn of_byte(source: &str, text: &str, at: usize) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Self::at(source, line as u64, column as u64)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
            if self.column > 0 {
                write!(f, ":{}", self.column)?;
            }
        }
        Ok(())
    }
}

/// The service's description of an error, kept separate for JSON errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceError {
    /// HTTP status.
    pub status: Option<u16>,
    /// The service's `message`.
    pub message: Option<String>,
    /// The service's `detail`.
    pub detail: Option<String>,
    /// The service's `code`.
    pub code: Option<String>,
    /// The `X-Trace-ID` header.
    pub trace_id: Option<String>,
    /// The quoted words in message and detail, which name request parameters or their values.
    pub quoted: Vec<String>,
    /// The request, such as `GET http://x/v2/usage`, if it helps to understand the error; for voice, the name of the message.
    pub request: Option<String>,
}

impl ServiceError {
    /// Returns whether the service named `word`, which is a request parameter or a value. Named items count too: `text[1]` for `text`.
    pub fn names(&self, word: &str) -> bool {
        self.quoted.iter().any(|quoted| quoted == word || quoted.split(['[', '=']).next() == Some(word))
    }

    /// Returns whether the error may concern one of these parameters: the service named one of them, or named nothing.
    pub fn may_be_about(&self, parameters: &[&str]) -> bool {
        self.quoted.is_empty() || parameters.iter().any(|parameter| self.names(parameter))
    }

    /// Returns whether the error is about a language. The service would then refuse every request for that language.
    pub fn is_about_language(&self) -> bool {
        self.names("target_lang") || self.names("source_lang")
    }

    /// Returns the index, from 0, of the list item that the service named: 1 for `text[1]`.
    pub fn named_item(&self, parameter: &str) -> Option<usize> {
        let item = |quoted: &String| quoted.strip_prefix(parameter)?.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
        self.quoted.iter().find_map(item)
    }

    /// Returns the service's message without the full stop, followed by its detail if that adds something.
    pub fn words(&self) -> Option<String> {
        let words = |text: &str| Some(without_stop(text).to_owned()).filter(|text| !text.is_empty());
        match (self.message.as_deref().and_then(words), self.detail.as_deref().and_then(words)) {
            (Some(message), Some(detail)) if !has_context(&message, &detail) => Some(format!("{message}: {detail}")),
            (message, detail) => message.or(detail),
        }
    }
}

fn without_stop(text: &str) -> &str {
    text.trim().trim_end_matches('.')
}

/// A failure: what happened, at which input, and what to do next.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Kind, which determines the exit code.
    pub kind: Kind,
    /// The message, without a full stop. Never contains a key or a complete text.
    pub what: String,
    /// Position in the input.
    pub at: Option<Origin>,
    /// What to do next.
    pub hint: Option<String>,
    /// The service's description of the error.
    pub service: Option<Box<ServiceError>>,
    /// The file named in the message.
    pub file: Option<Box<Path>>,
    /// Length in bytes of the first part of the hint, if the second part suggests a flag: see [`Failure::hint_or_flag`]. If the flag is
    /// already set, only the first part is printed.
    pub hint_with_flag: Option<u32>,
    /// Whether the hint already says how to go on or start over. If so, no advice to resume the run is added to it.
    pub starts_over: bool,
}

impl Failure {
    /// Creates a failure.
    pub fn new(kind: Kind, what: impl Into<String>) -> Self {
        Self {
            kind,
            what: what.into(),
            at: None,
            hint: None,
            service: None,
            file: None,
            hint_with_flag: None,
            starts_over: false,
        }
    }

    /// Creates a failure for wrong usage or input.
    pub fn usage(what: impl Into<String>) -> Self {
        Self::new(Kind::Usage, what)
    }

    /// Creates a failure for a bug or a failure of this machine.
    pub fn internal(what: impl Into<String>) -> Self {
        Self::new(Kind::Internal, what)
    }

    /// Creates the failure for a closed pipe.
    pub fn pipe_closed() -> Self {
        Self::new(Kind::PipeClosed, "the reader of stdout closed the pipe")
    }

    /// Creates a failure that has already been printed: only its exit code still matters.
    pub fn printed(kind: Kind) -> Self {
        Self::new(kind, "")
    }

    /// Sets the hint: what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the hint if there is one.
    #[must_use]
    pub fn maybe_hint(self, hint: Option<impl Into<String>>) -> Self {
        Self { hint: hint.map(Into::into).or(self.hint), ..self }
    }

    /// Sets a hint that ends with what a flag would do, such as "; --keep-going copies it". A run that already has the flag prints only
    /// the first part.
    #[must_use]
    pub fn hint_or_flag(self, hint: &str, flag: &str) -> Self {
        Self { hint_with_flag: u32::try_from(hint.len()).ok(), ..self.hint(format!("{hint}{flag}")) }
    }

    /// Sets the position in the input.
    #[must_use]
    pub fn at(mut self, at: Origin) -> Self {
        self.at = Some(at);
        self
    }

    /// Sets the service's description of the error.
    #[must_use]
    pub fn service(mut self, service: ServiceError) -> Self {
        self.service = Some(Box::new(service));
        self
    }

    /// Returns the service's message, or else what happened. Use it in messages that already say that the service refused something.
    pub fn cause(&self) -> String {
        self.service.as_ref().and_then(|service| service.words()).unwrap_or_else(|| self.what.clone())
    }

    /// Creates the failure of a file operation. The kind depends on the I/O error.
    ///
    /// `verb` completes the message "cannot … FILE".
    pub fn file(verb: &str, path: &Path, error: &std::io::Error) -> Self {
        use std::io::ErrorKind as Io;
        if let Some(failure) = Self::stopped(error).or_else(|| Self::too_large(path, error)) {
            return failure;
        }
        let kind = match error.kind() {
            Io::NotFound
            | Io::PermissionDenied
            | Io::IsADirectory
            | Io::NotADirectory
            | Io::InvalidFilename
            | Io::InvalidInput
            | Io::AlreadyExists
            | Io::InvalidData => Kind::Usage,
            Io::BrokenPipe => Kind::PipeClosed,
            _ if is_link_loop(error) => Kind::Usage,
            _ => Kind::Internal,
        };
        let failure = Self::new(kind, format!("cannot {verb} {}: {}", path.display(), io_message(error)));
        Self { file: Some(path.into()), ..failure.hint_for(error) }
    }

    /// Creates the failure for a directory that was given instead of a file.
    pub fn directory(path: &Path) -> Self {
        Self::usage(format!("cannot read {}: it is a directory", path.display())).names_file(path)
    }

    /// Sets the file named in the message, as the user wrote it.
    #[must_use]
    pub fn names_file(self, file: impl AsRef<Path>) -> Self {
        Self { file: Some(file.as_ref().into()), ..self }
    }

    /// Sets a hint that says what `--force` would do. No advice to resume the run is added to it.
    #[must_use]
    pub fn hint_to_start_over(self, hint: impl Into<String>) -> Self {
        Self { starts_over: true, ..self.hint(hint) }
    }

    /// Sets a hint if the user can fix the cause of the I/O error.
    #[must_use]
    pub fn hint_for(self, error: &std::io::Error) -> Self {
        let hint = match error.get_ref().and_then(|inner| inner.downcast_ref::<Self>()) {
            Some(inner) => inner.hint.clone(),
            None if is_out_of_files(error) => Some(OUT_OF_FILES_HINT.to_owned()),
            None if is_link_loop(error) => Some(LINK_LOOP_HINT.to_owned()),
            None => crate::machine::file_size_hint(error),
        };
        self.maybe_hint(hint)
    }

    /// Returns the failure of a read that was stopped by a signal, exceeded its limit, or ran out of file descriptors; `None` for
    /// other errors.
    pub fn of_read(path: &Path, error: &std::io::Error) -> Option<Self> {
        let is_known =
            is_out_of_files(error) || Self::stopped(error).or_else(|| Self::too_large(path, error)).is_some();
        is_known.then(|| Self::file("read", path, error))
    }

    fn too_large(path: &Path, error: &std::io::Error) -> Option<Self> {
        Some(error.get_ref()?.downcast_ref::<TooLarge>()?.failure(path))
    }

    /// Returns the failure inside an I/O error if a signal stopped the operation.
    pub fn stopped(error: &std::io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref::<Self>().filter(|failure| failure.kind.is_stop()).cloned()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.at {
            Some(at) => write!(f, "{at}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl std::error::Error for Failure {}

/// Converts an error in tulk's own JSON to an internal failure. Code that parses other JSON adds a position and a hint.
impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::internal(error.to_string())
    }
}

/// Adds the operation and the file to an I/O error.
pub trait FileContext<T> {
    /// Converts an error with [`Failure::file`].
    fn file_context(self, verb: &str, path: impl AsRef<Path>) -> Result<T, Failure>;
}

impl<T> FileContext<T> for std::io::Result<T> {
    fn file_context(self, verb: &str, path: impl AsRef<Path>) -> Result<T, Failure> {
        self.map_err(|error| Failure::file(verb, path.as_ref(), &error))
    }
}

/// A failure ready to print, with the context that commands added.
#[derive(Clone, Debug)]
pub struct ErrorReport {
    /// The failure inside the error. An error without one is `Internal`.
    pub failure: Failure,
    /// The complete message, context first.
    pub message: String,
}

impl ErrorReport {
    /// Extracts the failure from an error.
    pub fn new(error: &anyhow::Error) -> Self {
        let failure = error.chain().find_map(|e| e.downcast_ref::<Failure>()).cloned();
        let parts: Vec<String> = error.chain().map(ToString::to_string).collect();
        let message = parts.into_iter().rev().reduce(|message, context| {
            if has_context(&message, &context) { message } else { format!("{context}: {message}") }
        });
        let message = message.unwrap_or_default();
        match failure {
            Some(failure) => Self { failure, message },
            None => Self { failure: Failure::internal(message.clone()), message },
        }
    }

    /// Returns the exit code.
    pub fn code(&self) -> u8 {
        self.failure.kind.code()
    }
}

/// Returns whether a message already contains a context, such as a path, so that it need not be repeated.
fn has_context(message: &str, context: &str) -> bool {
    let continues = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "/\\._-".contains(c));
    message.match_indices(context).any(|(at, _)| {
        let (before, after) = (message.get(..at), message.get(at + context.len()..));
        !continues(before.and_then(|text| text.chars().next_back()))
            && !continues(after.and_then(|text| text.chars().next()))
    })
}

/// Hint if too many files are open.
pub const OUT_OF_FILES_HINT: &str = "raise the limit of open files, for example with `ulimit -n 256`";

/// Returns whether an operation failed because too many files are open.
pub fn is_out_of_files(error: &std::io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        error.raw_os_error().is_some_and(|code| [Errno::MFILE, Errno::NFILE].contains(&Errno::from_raw_os_error(code)))
    }
    #[cfg(not(unix))]
    {
        let _ = error;
        false
    }
}

/// Hint for a loop of symbolic links.
pub const LINK_LOOP_HINT: &str = "remove the link that leads to itself, or use another path";

/// Returns whether an operation failed because a path is a loop of symbolic links.
pub fn is_link_loop(error: &std::io::Error) -> bool {
    #[cfg(unix)]
    return error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error());
    #[cfg(not(unix))]
    {
        let _ = error;
        false
    }
}

/// Returns the message of an I/O error without Rust's suffix `(os error 2)`.
pub fn io_message(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((message, _)) => message.to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};
    use std::path::Path;

    use super::*;

    #[test]
    fn every_kind_has_its_exit_code() {
        let table = [
            (Kind::PipeClosed, 0),
            (Kind::Planned, 0),
            (Kind::No, 1),
            (Kind::Usage, 2),
            (Kind::Key, 3),
            (Kind::NotFound, 4),
            (Kind::Refused, 5),
            (Kind::Quota, 6),
            (Kind::Busy, 7),
            (Kind::Network, 8),
            (Kind::Partly, 9),
            (Kind::Unfinished, 10),
            (Kind::Internal, 70),
            (Kind::Hangup, 129),
            (Kind::Interrupted, 130),
            (Kind::Terminated, 143),
        ];
        for (kind, code) in table {
            assert_eq!(kind.code(), code, "{kind:?}");
        }
    }

    #[test]
    fn a_report_puts_context_before_the_failure() {
        let error =
            anyhow::Error::from(Failure::usage("no tab").at(Origin::at("a.tsv", 3, 1))).context("glossary kitchen");
        let report = ErrorReport::new(&error);
        assert_eq!(report.message, "glossary kitchen: a.tsv:3:1: no tab");
        assert_eq!(report.code(), 2);
    }

    #[test]
    fn a_context_that_the_message_contains_is_omitted() {
        let message = |context: &str, what: &str| {
            ErrorReport::new(&anyhow::Error::from(Failure::usage(what)).context(context.to_owned())).message
        };
        assert_eq!(message("/dev/full", "cannot write /dev/full: no space"), "cannot write /dev/full: no space");
        assert_eq!(message("out.txt", "cannot write out.txt"), "cannot write out.txt");
        assert_eq!(message("a.txt", "cannot write b/a.txt"), "a.txt: cannot write b/a.txt");
        assert_eq!(message("out", "cannot write out.txt: x"), "out: cannot write out.txt: x");
    }

    #[test]
    fn an_error_without_a_failure_is_internal() {
        assert_eq!(ErrorReport::new(&anyhow::anyhow!("boom")).code(), 70);
    }

    #[test]
    fn every_kind_has_its_name_in_json_errors() {
        let table = [
            (Kind::No, "no"),
            (Kind::Usage, "usage"),
            (Kind::Key, "key"),
            (Kind::NotFound, "not_found"),
            (Kind::Refused, "refused"),
            (Kind::Quota, "quota"),
            (Kind::Busy, "busy"),
            (Kind::Network, "network"),
            (Kind::Partly, "partly"),
            (Kind::Unfinished, "unfinished"),
            (Kind::Internal, "internal"),
            (Kind::Hangup, "stopped"),
            (Kind::Interrupted, "stopped"),
            (Kind::Terminated, "stopped"),
            (Kind::PipeClosed, "closed"),
            (Kind::Planned, "planned"),
        ];
        for (kind, word) in table {
            assert_eq!(kind.word(), word, "{kind:?}");
            assert_eq!(kind.is_stop(), word == "stopped", "{kind:?}");
            assert_eq!(kind.is_quiet(), matches!(word, "closed" | "planned"), "{kind:?}");
        }
    }

    #[test]
    fn an_origin_shows_only_known_lines_and_columns() {
        assert_eq!(Origin::whole("a.txt").to_string(), "a.txt");
        assert_eq!(Origin::at("a.txt", 1, 0).to_string(), "a.txt:1");
        assert_eq!(Origin::at("a.txt", 7, 1).to_string(), "a.txt:7:1");
        assert_eq!(Origin::at("TEXT 2", 0, 3).to_string(), "TEXT 2");
    }

    #[test]
    fn appends_a_detail_that_the_message_does_not_contain() {
        let words = |message: Option<&str>, detail: Option<&str>| {
            let service = ServiceError {
                message: message.map(str::to_owned),
                detail: detail.map(str::to_owned),
                ..ServiceError::default()
            };
            service.words()
        };
        assert_eq!(words(Some("Bad request."), Some("entry 3")).as_deref(), Some("Bad request: entry 3"));
        assert_eq!(words(Some("Bad request: entry 3"), Some("entry 3.")).as_deref(), Some("Bad request: entry 3"));
        assert_eq!(words(Some(" No... "), None).as_deref(), Some("No"));
        assert_eq!(words(None, Some("entry 3")).as_deref(), Some("entry 3"));
        assert_eq!(words(Some("."), Some("entry 3")).as_deref(), Some("entry 3"));
        assert_eq!(words(Some(" "), None), None);
    }

    #[test]
    fn the_cause_is_the_message_of_the_service_or_what_happened() {
        let failure = Failure::new(Kind::Refused, "the service refused the request: No");
        assert_eq!(failure.cause(), "the service refused the request: No");
        let service = ServiceError { message: Some("No.".to_owned()), ..ServiceError::default() };
        assert_eq!(failure.service(service).cause(), "No");
    }

    #[test]
    fn the_failure_of_a_file_has_the_kind_of_its_cause() {
        let failure = |error: &Error| Failure::file("read", Path::new("a.txt"), error);
        let kinds = [
            (ErrorKind::NotFound, Kind::Usage),
            (ErrorKind::PermissionDenied, Kind::Usage),
            (ErrorKind::IsADirectory, Kind::Usage),
            (ErrorKind::NotADirectory, Kind::Usage),
            (ErrorKind::InvalidFilename, Kind::Usage),
            (ErrorKind::InvalidInput, Kind::Usage),
            (ErrorKind::AlreadyExists, Kind::Usage),
            (ErrorKind::InvalidData, Kind::Usage),
            (ErrorKind::BrokenPipe, Kind::PipeClosed),
            (ErrorKind::StorageFull, Kind::Internal),
            (ErrorKind::QuotaExceeded, Kind::Internal),
        ];
        for (cause, kind) in kinds {
            assert_eq!(failure(&cause.into()).kind, kind, "{cause:?}");
        }
        #[cfg(unix)]
        {
            let failure = failure(&Error::from_raw_os_error(rustix::io::Errno::LOOP.raw_os_error()));
            assert_eq!((failure.kind, failure.hint.as_deref()), (Kind::Usage, Some(LINK_LOOP_HINT)));
        }
        assert_eq!(failure(&Error::other("the disk is gone")).what, "cannot read a.txt: the disk is gone");
        #[cfg(unix)]
        assert_eq!(failure(&Error::from_raw_os_error(2)).what, "cannot read a.txt: No such file or directory");
    }

    #[test]
    fn a_signal_inside_an_error_of_a_file_is_kept() {
        let read = |failure: Failure| Failure::file("read", Path::new("a.txt"), &Error::other(failure));
        for kind in [Kind::Hangup, Kind::Interrupted, Kind::Terminated] {
            assert_eq!(read(Failure::new(kind, "stopped")).to_string(), "stopped", "{kind:?}");
            assert_eq!(read(Failure::new(kind, "stopped")).kind, kind);
        }
        let other = read(Failure::new(Kind::Busy, "busy"));
        assert_eq!((other.kind, other.what.as_str()), (Kind::Internal, "cannot read a.txt: busy"));
    }

    #[test]
    fn named_constructors_set_their_kinds() {
        let failures = [
            (Failure::usage("x"), Kind::Usage, "x"),
            (Failure::internal("x"), Kind::Internal, "x"),
            (Failure::pipe_closed(), Kind::PipeClosed, "the reader of stdout closed the pipe"),
            (Failure::printed(Kind::Partly), Kind::Partly, ""),
        ];
        for (failure, kind, what) in failures {
            assert_eq!((failure.kind, failure.what.as_str()), (kind, what));
        }
        assert_eq!(Failure::usage("x").hint("y").hint.as_deref(), Some("y"));
    }
}
