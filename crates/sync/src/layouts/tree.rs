//! The names of the files of a project, as far as layouts need them.
//!
//! Input: a folder. Output: the paths of files that may be catalogues or say which framework is used; and their text.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::super::project::{PathPattern, path_below, project_walk};

/// How deep folders are looked at: a project file names no path with more parts.
const DEPTH: usize = 127;
/// Maximum size of a file that is read.
const FILE_BYTES: u64 = 16 * 1024 * 1024;

/// Folders of dependencies and of what is built. Hidden folders are left out too.
const SKIPPED: [&str; 14] = [
    "node_modules",
    "vendor",
    "target",
    "build",
    "dist",
    "out",
    "bin",
    "obj",
    "Pods",
    "Carthage",
    "DerivedData",
    "venv",
    "site-packages",
    "__pycache__",
];
/// The endings of catalogues, and of files that say which framework is used.
const ENDINGS: [&str; 21] = [
    "json",
    "json5",
    "yaml",
    "yml",
    "toml",
    "po",
    "pot",
    "arb",
    "xml",
    "properties",
    "strings",
    "stringsdict",
    "xcstrings",
    "xlf",
    "xliff",
    "resx",
    "resw",
    "php",
    "ftl",
    "csproj",
    "pbxproj",
];
/// Other files that say which framework is used.
const NAMES: [&str; 10] = [
    "Gemfile",
    "application.rb",
    "artisan",
    "manage.py",
    "settings.py",
    "base.py",
    "go.mod",
    "build.gradle",
    "build.gradle.kts",
    "pom.xml",
];

/// The files of a project.
#[derive(Debug)]
pub struct ProjectTree {
    root: PathBuf,
    files: BTreeSet<String>,
    folders: BTreeSet<String>,
}

impl ProjectTree {
    /// Reads the names of files. Folders that cannot be read are left out.
    pub fn scan(root: &Path) -> Self {
        let mut tree = Self { root: root.to_path_buf(), files: BTreeSet::new(), folders: BTreeSet::new() };
        let mut walk = project_walk(root);
        walk.max_depth(Some(DEPTH)).filter_entry(|entry| {
            let name = entry.file_name().to_string_lossy();
            // Such names would mean something else in a pattern.
            let is_plain = !name.contains(['*', '{', '}', '\\']) && !name.contains(char::is_control);
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            entry.depth() == 0 || is_plain && !(is_folder && SKIPPED.contains(&&*name))
        });
        for entry in walk.build().flatten() {
            let Some((kind, path)) = entry.file_type().zip(path_below("", root, entry.path())) else { continue };
            if kind.is_file() && is_of_interest(file_name(&path)) {
                tree.files.insert(path);
            } else if kind.is_dir() {
                tree.folders.insert(path);
            }
        }
        tree
    }

    /// Returns whether a file exists.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains(path)
    }

    /// Returns whether a folder exists.
    pub fn is_folder(&self, path: &str) -> bool {
        self.folders.contains(path)
    }

    /// Returns the files below a folder, by their paths in it, sorted.
    pub fn below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a str> {
        let length = if folder.is_empty() { 0 } else { folder.len() + 1 };
        self.paths_below(folder).filter_map(move |path| path.get(length..))
    }

    /// Returns the files below a folder, by their paths in the project, sorted.
    pub fn paths_below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a str> {
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let range = self.files.range(start.clone()..);
        range.take_while(move |path| path.starts_with(&start)).map(String::as_str)
    }

    /// Returns the files that a pattern without `{lang}` matches, sorted.
    pub fn matching(&self, pattern: &str) -> Vec<String> {
        if !pattern.contains('*') {
            return self.has(pattern).then(|| pattern.to_owned()).into_iter().collect();
        }
        let Ok(parsed) = PathPattern::parse(pattern) else { return Vec::new() };
        let folder = folder_of(pattern.split('*').next().unwrap_or(pattern));
        self.paths_below(folder).filter(|path| parsed.matches(path)).map(str::to_owned).collect()
    }

    /// Returns the folders with one of several names, sorted.
    pub fn folders_named<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = &'a str> {
        self.folders.iter().map(String::as_str).filter(|folder| names.contains(&file_name(folder)))
    }

    /// Returns the files with a name, sorted.
    pub fn files_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.files.iter().map(String::as_str).filter(move |path| file_name(path) == name)
    }

    /// Returns the files with an ending, such as `.resx`, sorted.
    pub fn files_ending<'a>(&'a self, ending: &'a str) -> impl Iterator<Item = &'a str> {
        self.files.iter().map(String::as_str).filter(move |path| path.ends_with(ending))
    }

    /// Returns the text of a file; empty if it cannot be read or is too large.
    pub fn text(&self, path: &str) -> String {
        let mut bytes = Vec::new();
        let file = std::fs::File::open(self.root.join(path)).map(|file| file.take(FILE_BYTES));
        match file.and_then(|mut file| file.read_to_end(&mut bytes)) {
            Ok(length) if (length as u64) < FILE_BYTES => String::from_utf8_lossy(&bytes).into_owned(),
            _ => String::new(),
        }
    }

    /// Returns the value of a JSON file; null if it cannot be read.
    pub fn json(&self, path: &str) -> serde_json::Value {
        serde_json::from_str(&self.text(path)).unwrap_or_default()
    }
}

fn is_of_interest(name: &str) -> bool {
    NAMES.contains(&name) || name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Returns the path of a name in a folder, which may be the project.
pub fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Returns the folder of a path; empty for the project.
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the last name of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Returns whether a path has an ending, which is given without its dot.
pub fn has_ending(path: &str, ending: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, found)| found == ending)
}

/// Returns the word that follows a name in a text, without quotes, colons and equal signs: the value of a setting. Lines that
/// begin with `#` or `//` are comments.
pub fn value_after<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let is_comment = |line: &&str| ["#", "//"].iter().any(|start| line.trim_start().starts_with(start));
    let (_, rest) = text.lines().filter(|line| !is_comment(line)).find_map(|line| line.split_once(name))?;
    let rest = rest.trim_start_matches([' ', '\t', '=', ':', '"', '\'', '>']);
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"-_./".contains(c)).unwrap_or(rest.len());
    rest.get(..end).filter(|value| !value.is_empty())
}
