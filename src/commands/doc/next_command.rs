//! Builds the commands that messages suggest. Each works as printed, in the shell and directory of this run.
//!
//! `output::messages` adds the flags for server, key and profile when it prints a message.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tulk_base::error::{Failure, Kind};
use tulk_base::shell::{self, quote};
use tulk_client::api::translate::Formality;
use tulk_store::documents::{DocumentRecord, DocumentSource, DocumentStore};

use super::records::SharedRecord;
use super::result_path::{ResultDestination, ResultFiles, ResultTemplate};
use crate::config::Config;

/// The options of an upload: request field, flag, and profile setting (empty if there is none).
const OPTIONS: [(&str, &str, &str); 12] = [
    ("source_lang", "--from", "source_lang"),
    ("formality", "--formality", "formality"),
    ("glossary_id", "--glossary", "glossary"),
    ("glossary_ids", "--glossary", "glossary"),
    ("style_id", "--style", "style"),
    ("translation_memory_id", "--translation-memory", "translation_memory"),
    ("style_profile_id", "--style-profile", "style_profile"),
    ("translation_memory_threshold", "--translation-memory-threshold", ""),
    ("output_format", "--output-format", ""),
    ("enable_watermark", "--watermark", ""),
    ("input_conversion_options", "--input-conversion-options", ""),
    ("enable_quality_evaluation", "--evaluate", ""),
];

pub struct NextCommands<'a> {
    store: &'a DocumentStore,
    /// Flags for which the profile in use has a setting.
    profile_flags: Vec<&'static str>,
    /// The command that continues, if it is not `doc resume`.
    custom_continue_command: Option<String>,
}

impl<'a> NextCommands<'a> {
    pub fn new(config: &Config, store: &'a DocumentStore) -> Self {
        let set = OPTIONS.iter().filter(|(_, _, setting)| config.defaults().get(*setting).is_some());
        let mut profile_flags: Vec<&'static str> = set.map(|(_, flag, _)| *flag).collect();
        profile_flags.dedup();
        Self { store, profile_flags, custom_continue_command: None }
    }

    #[must_use]
    pub fn with_continue_command(mut self, command: String) -> Self {
        self.custom_continue_command = Some(command);
        self
    }

    pub fn continue_command(&self, record: &DocumentRecord) -> String {
        self.custom_continue_command.clone().unwrap_or_else(|| format!("tulk doc resume {}", record.id()))
    }

    pub fn force_command(&self, record: &DocumentRecord) -> String {
        format!("{} --force", self.continue_command(record))
    }

    /// Adds the command that continues, if `--max-wait` ended the wait.
    pub fn with_continue_hint(&self, failure: Failure, record: &DocumentRecord) -> Failure {
        match failure.kind {
            Kind::Unfinished => failure.hint(format!("continue with `{}`", self.continue_command(record))),
            _ => failure,
        }
    }

    /// Adds the command that continues, if a signal stopped a command that works on one document.
    pub fn with_stop_hint(&self, failure: Failure, shared: &SharedRecord) -> Failure {
        match shared.resumable() {
            Some(record) => stopped_hint(failure, &self.continue_command(&record)),
            None => failure,
        }
    }

    /// Adds how to proceed if the result path is taken: replace the file or choose another path.
    pub fn with_choice_hint(&self, failure: Failure, record: &DocumentRecord) -> Failure {
        let (id, replace) = (record.id(), self.force_command(record));
        failure
            .hint(format!("replace it with `{replace}`, or choose another path with `tulk doc download {id} -o FILE`"))
    }

    /// Returns the advice to upload a document again, with the command if its source is known.
    pub fn upload_again_hint(&self, record: &DocumentRecord) -> String {
        let files = ResultFiles::of(self.store, record, &record.upload_target());
        // The partial result of an earlier download would block the new one.
        let force = files.result.is_some() && files.received() > 0;
        match upload_again_command(&self.profile_flags, self.store, record, force) {
            Some(command) => format!("upload the document again with `{command}`"),
            None => "upload the document again where its file is".to_owned(),
        }
    }

    /// Returns the failure of an upload that may have reached the service.
    pub fn in_doubt_failure(&self, record: &DocumentRecord, cause: Option<Failure>) -> Failure {
        let (name, source) = (&record.name, record.display_name());
        let what = match &cause {
            Some(failure) if failure.service.is_some() => {
                let cause = failure.cause();
                format!("the upload of {source} is in doubt, since the service may have accepted it: {cause}")
            }
            Some(Failure { what, .. }) => {
                format!("the upload of {source} is in doubt, since no response was received: {what}")
            }
            None => format!("the upload of {source} is in doubt: it may have reached the service"),
        };
        let kind = cause.as_ref().map_or(Kind::Network, |cause| cause.kind);
        let failure = Failure::new(kind, what).names_file(source).hint(format!(
            "a result that is never downloaded is not billed: {}, or remove the record with `tulk doc forget {name} --yes`",
            self.upload_again_hint(record)
        ));
        match cause.and_then(|cause| cause.service) {
            Some(service) => failure.service(*service),
            None => failure,
        }
    }
}

/// Adds the command that continues, if a signal stopped this one and there is no other hint.
pub fn stopped_hint(failure: Failure, command: &str) -> Failure {
    if failure.kind.is_stop() && failure.hint.is_none() {
        failure.hint(format!("continue with `{command}`"))
    } else {
        failure
    }
}

/// Returns the command that resumes documents. It names them if there are at most 10, and otherwise resumes all.
pub fn resume_command(ids: &[String]) -> String {
    const MAX_IDS: usize = 10;
    let mut command = "tulk doc resume".to_owned();
    if ids.len() <= MAX_IDS {
        for id in ids {
            command.push(' ');
            command.push_str(&quote(id));
        }
    }
    command
}

/// Repeats the options and the result path. `None` if the document was uploaded on another machine.
///
/// With `force`, the command replaces what an earlier download left behind.
fn upload_again_command(
    profile_flags: &[&str],
    store: &DocumentStore,
    record: &DocumentRecord,
    force: bool,
) -> Option<String> {
    let source = record.source.as_ref()?;
    let mut words: Vec<String> = vec!["tulk doc translate".to_owned()];
    words.push(if source.is_stdin() { "-".to_owned() } else { quoted_relative_path(&source.path) });
    let own_name = source.path.file_name().and_then(|name| name.to_str());
    if source.is_stdin() || own_name != Some(&source.filename) {
        words.extend(["--filename".to_owned(), quote(&source.filename).into_owned()]);
    }
    words.extend(["--to".to_owned(), quote(&record.target_lang).into_owned()]);
    let params = record.params.as_object();
    for (field, value) in params.into_iter().flatten().filter(|(field, _)| *field != "target_lang") {
        match OPTIONS.iter().find(|(known, ..)| known == field) {
            Some((_, flag, _)) if matches!(value, Value::Bool(true)) => words.push((*flag).to_owned()),
            Some((_, flag, _)) if is_flag_value(field, value) => {
                words.extend([(*flag).to_owned(), quote(&flag_value(value)).into_owned()]);
            }
            _ => words.extend(["--param".to_owned(), quote(&format!("{field}={value}")).into_owned()]),
        }
    }
    for flag in profile_flags {
        if !words.iter().any(|word| word == flag) {
            words.extend([(*flag).to_owned(), "none".to_owned()]);
        }
    }
    words.extend(output_flag(source, record));
    words.push("--again".to_owned());
    if force || record.force {
        words.push("--force".to_owned());
    }
    if source.is_stdin() {
        words.extend(["<".to_owned(), quoted_relative_path(&store.spool_path(&record.name, "input"))]);
    }
    Some(words.join(" "))
}

/// Returns `-o` with the result path, unless it is the default one.
fn output_flag(source: &DocumentSource, record: &DocumentRecord) -> Vec<String> {
    let default = if source.is_stdin() { None } else { default_path(source, record) };
    match &record.result_path {
        path if *path == default => Vec::new(),
        None => vec!["-o".to_owned(), "-".to_owned()],
        Some(path) => {
            // Templates must be UTF-8, so the command can only approximate other paths.
            let path = relative_path(path).to_string_lossy().replace('{', "{{").replace('}', "}}");
            vec!["-o".to_owned(), quote(&path).into_owned()]
        }
    }
}

fn default_path(source: &DocumentSource, record: &DocumentRecord) -> Option<PathBuf> {
    let format = record.params.get("output_format").and_then(Value::as_str);
    let extension = tulk_client::api::doc::file_type::result_extension(&source.filename, format);
    let template = ResultTemplate::new(None, None, false).ok()?;
    match template.fill(&source.path, Path::new(""), &record.target_lang.parse().ok()?, &extension) {
        ResultDestination::File(path) => Some(path),
        ResultDestination::Stdout | ResultDestination::None => None,
    }
}

/// Returns whether the field's flag accepts this value without `--no-check`.
fn is_flag_value(field: &str, value: &Value) -> bool {
    field != "formality" || serde_json::from_value::<Formality>(value.clone()).is_ok()
}

fn flag_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(flag_value).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Returns a path relative to the current directory if it is inside, to keep the command short.
pub fn relative_path(path: &Path) -> PathBuf {
    let relative = std::env::current_dir().ok().and_then(|dir| path.strip_prefix(dir).ok().map(Path::to_path_buf));
    match relative.filter(|relative| !relative.as_os_str().is_empty()) {
        Some(relative) if relative.as_os_str().as_encoded_bytes().starts_with(b"-") => Path::new(".").join(relative),
        Some(relative) => relative,
        None => path.to_path_buf(),
    }
}

/// Quotes a path as one shell word, relative to the current directory if it is inside.
pub fn quoted_relative_path(path: &Path) -> String {
    shell::quote_path(&relative_path(path))
}
