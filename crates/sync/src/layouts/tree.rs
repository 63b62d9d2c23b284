//! File names of a project: files that may be catalogues or that identify a framework.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::super::project::{PathPattern, path_below, project_walk};

/// Less than the 128 segments that a path in a project file may have.
const MAX_DEPTH: usize = 127;
/// Larger files count as empty.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// Folders of dependencies and build output. Hidden folders are skipped too.
const SKIPPED_FOLDERS: [&str; 14] = [
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
/// Extensions of catalogues and of files that identify a framework.
const EXTENSIONS: [&str; 21] = [
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
const FRAMEWORK_FILES: [&str; 10] = [
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

#[derive(Debug)]
pub struct ProjectTree {
    root: PathBuf,
    files: BTreeSet<String>,
    folders: BTreeSet<String>,
}

impl ProjectTree {
    /// Skips unreadable folders.
    pub fn scan(root: &Path) -> Self {
        let mut tree = Self { root: root.to_path_buf(), files: BTreeSet::new(), folders: BTreeSet::new() };
        let mut walk = project_walk(root);
        walk.max_depth(Some(MAX_DEPTH)).filter_entry(|entry| {
            let name = entry.file_name().to_string_lossy();
            // These characters have a special meaning in patterns or are not allowed there.
            let is_plain = !name.contains(['*', '{', '}', '\\']) && !name.contains(char::is_control);
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            entry.depth() == 0 || is_plain && !(is_folder && SKIPPED_FOLDERS.contains(&&*name))
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

    pub fn has_file(&self, path: &str) -> bool {
        self.files.contains(path)
    }

    pub fn is_folder(&self, path: &str) -> bool {
        self.folders.contains(path)
    }

    /// Returns the files below a folder, sorted. Paths are relative to the folder.
    pub fn relative_paths_below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a str> {
        let length = if folder.is_empty() { 0 } else { folder.len() + 1 };
        self.paths_below(folder).filter_map(move |path| path.get(length..))
    }

    /// Like [`Self::relative_paths_below`], with paths relative to the project.
    pub fn paths_below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a str> {
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let range = self.files.range(start.clone()..);
        range.take_while(move |path| path.starts_with(&start)).map(String::as_str)
    }

    /// Returns the files that match a pattern without `{lang}`, sorted.
    pub fn files_matching(&self, pattern: &str) -> Vec<String> {
        if !pattern.contains('*') {
            return self.has_file(pattern).then(|| pattern.to_owned()).into_iter().collect();
        }
        let Ok(parsed) = PathPattern::parse(pattern) else { return Vec::new() };
        let folder = folder_of(pattern.split('*').next().unwrap_or(pattern));
        self.paths_below(folder).filter(|path| parsed.matches(path)).map(str::to_owned).collect()
    }

    pub fn folders_named<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = &'a str> {
        self.folders.iter().map(String::as_str).filter(|folder| names.contains(&file_name(folder)))
    }

    pub fn files_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.files.iter().map(String::as_str).filter(move |path| file_name(path) == name)
    }

    /// Files with an extension such as `.resx`, sorted.
    pub fn files_ending<'a>(&'a self, ending: &'a str) -> impl Iterator<Item = &'a str> {
        self.files.iter().map(String::as_str).filter(move |path| path.ends_with(ending))
    }

    /// Empty if the file is unreadable or too large.
    pub fn text(&self, path: &str) -> String {
        let mut bytes = Vec::new();
        let file = std::fs::File::open(self.root.join(path)).map(|file| file.take(MAX_FILE_BYTES));
        match file.and_then(|mut file| file.read_to_end(&mut bytes)) {
            Ok(length) if (length as u64) < MAX_FILE_BYTES => String::from_utf8_lossy(&bytes).into_owned(),
            _ => String::new(),
        }
    }

    /// Null if the file is unreadable.
    pub fn json(&self, path: &str) -> serde_json::Value {
        serde_json::from_str(&self.text(path)).unwrap_or_default()
    }
}

fn is_of_interest(name: &str) -> bool {
    FRAMEWORK_FILES.contains(&name) || name.rsplit_once('.').is_some_and(|(_, ending)| EXTENSIONS.contains(&ending))
}

/// An empty folder is the project root.
pub fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Empty for the project root.
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// `ending` has no dot.
pub fn has_extension(path: &str, ending: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, found)| found == ending)
}

/// Returns the first word after `name`, without quotes and separators: the value of a setting in any syntax. Skips
/// lines that start with `#` or `//`.
pub fn value_after<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let is_comment = |line: &&str| ["#", "//"].iter().any(|start| line.trim_start().starts_with(start));
    let (_, rest) = text.lines().filter(|line| !is_comment(line)).find_map(|line| line.split_once(name))?;
    let rest = rest.trim_start_matches([' ', '\t', '=', ':', '"', '\'', '>']);
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"-_./".contains(c)).unwrap_or(rest.len());
    rest.get(..end).filter(|value| !value.is_empty())
}
