//! Arguments for files of glossaries and spoken terms: `KEY=FILE`, `-` for stdin, and their names in messages.

use std::path::{Path, PathBuf};

use tulk_base::error::Failure;
use tulk_base::value_error::ValueError;

/// An argument `KEY=FILE`, such as `en:de=terms.tsv`. One file may have several keys.
#[derive(Clone, Debug)]
pub struct KeyedFile<K> {
    /// Languages or language pairs that the file is for.
    pub keys: Vec<K>,
    /// Path of the file; `-` is stdin.
    pub file: PathBuf,
}

impl<K> KeyedFile<K> {
    /// Parses an argument. `form` describes it in the error message, such as `PAIR=FILE, such as en:de=FILE`; `keys` parses the text
    /// before the `=`.
    pub fn parse(
        text: &str,
        form: &str,
        keys: impl FnOnce(&str) -> Result<Vec<K>, ValueError>,
    ) -> Result<Self, ValueError> {
        let invalid = || ValueError::new(text, format!("`{text}` is not {form}"));
        let (key, file) = text.split_once('=').ok_or_else(invalid)?;
        if file.is_empty() {
            return Err(invalid());
        }
        Ok(Self { keys: keys(key)?, file: file.into() })
    }
}

impl<K: PartialEq + std::fmt::Display> KeyedFile<K> {
    /// Fails if two files have the same key, which messages call `noun`, or if more than one reads stdin.
    pub fn check_all(files: &[Self], noun: &str) -> Result<(), Failure> {
        let all: Vec<(&K, &Path)> = files.iter().flat_map(|one| one.keys.iter().map(|key| (key, &*one.file))).collect();
        for (index, (key, file)) in all.iter().enumerate() {
            if let Some((_, other)) = all.iter().take(index).find(|(other, _)| other == key) {
                let (first, second) = (display_name(other), display_name(file));
                return Err(Failure::usage(format!("the {noun} {key} has two files: {first} and {second}")));
            }
        }
        check_single_stdin(files.iter().map(|one| (format!("{}={}", one.key_list(), one.file.display()), &*one.file)))
    }

    pub fn key_list(&self) -> String {
        self.keys.iter().map(K::to_string).collect::<Vec<_>>().join(",")
    }
}

pub fn display_name(file: &Path) -> String {
    if is_stdin(file) { "stdin".to_owned() } else { file.display().to_string() }
}

fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Fails if more than one argument reads stdin. `files` are pairs of an argument and its file.
pub fn check_single_stdin<'a>(files: impl IntoIterator<Item = (String, &'a Path)>) -> Result<(), Failure> {
    let readers: Vec<String> = files.into_iter().filter(|(_, file)| is_stdin(file)).map(|(arg, _)| arg).collect();
    if readers.len() < 2 {
        return Ok(());
    }
    Err(Failure::usage(format!("only one argument can read stdin: {}", readers.join(", "))))
}
