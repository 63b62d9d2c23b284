//! Reads and checks files for the service, and converts them to the content of a request.
//!
//! With `--no-check`, a file with problems is sent too: unchanged if the service can read its format, otherwise only the entries that
//! could be read. A file that is not UTF-8 is always refused.

use std::collections::HashSet;
use std::slice;

use tulk_base::error::Failure;
use tulk_formats::input::problem::FileRule as _;

use super::Collection;
use crate::context::Context;
use crate::inputs::keyed_files::KeyedFile;
use crate::reports::problems::refuse_problems;

pub struct LoadedList<C: Collection> {
    pub key: C::Key,
    pub list: C::List,
    /// For a dictionary, the line of each entry in the file.
    pub entry_lines: Vec<u32>,
    /// Content of the request if the file is sent unchecked.
    pub unchecked: Option<C::Content>,
}

impl<C: Collection> LoadedList<C> {
    pub fn content(&self) -> C::Content {
        self.unchecked.clone().unwrap_or_else(|| C::content(&self.key, &self.list))
    }
}

/// Reads and checks a file. Prints all problems before it fails.
pub fn load<C: Collection>(
    ctx: &Context,
    file: &KeyedFile<C::Key>,
    options: &C::FileOptions,
) -> Result<LoadedList<C>, Failure> {
    let mut loaded = load_all(ctx, slice::from_ref(file), options)?;
    loaded.pop().ok_or_else(|| Failure::internal("a file was not read"))
}

/// Reads and checks several files. Prints the problems of all files before it fails. Refuses two files for one key.
pub fn load_all<C: Collection>(
    ctx: &Context,
    files: &[KeyedFile<C::Key>],
    options: &C::FileOptions,
) -> Result<Vec<LoadedList<C>>, Failure> {
    KeyedFile::check_all(files, C::KEY_NOUNS[0])?;
    files.iter().flat_map(|file| &file.keys).try_for_each(|key| C::check_key(ctx, key))?;
    let (mut all_loaded, mut all_problems) = (Vec::with_capacity(files.len()), Vec::new());
    for KeyedFile { keys, file } in files {
        let bytes = C::read_file(file)?;
        let mut seen = HashSet::new();
        for key in keys {
            let (loaded, problems) = C::read(ctx, key, file, &bytes, options)?;
            all_loaded.push(loaded);
            // If a file has several pairs, a problem of a source phrase is found once per pair: report it once.
            let new = problems
                .into_iter()
                .filter(|one| one.line == 0 || seen.insert((one.line, one.column, one.rule.word())));
            all_problems.extend(new.map(|problem| (&**file, problem)));
        }
    }
    let flags: String = C::option_words(options).into_iter().map(|word| format!(" {word}")).collect();
    refuse_problems(ctx, &all_problems, C::FILES_NOUN, &format!("{} lint{flags}", C::COMMAND))?;
    Ok(all_loaded)
}

/// Returns the text of a file without its byte-order mark, and without its first line if `header` is set.
pub fn file_text(bytes: &[u8], header: bool) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    match text.split_once('\n') {
        Some((_, rest)) if header => rest.to_owned(),
        _ => text.to_owned(),
    }
}
