//! The files that a pattern matches.
//!
//! Input: a pattern. Output: paths with what the wildcards match, sorted. A folder is read once, whatever the number of
//! patterns. `**` does not follow links; no wildcard follows a link out of the project.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use tulk_base::error::Failure;
use tulk_base::suggest::one_line;

use super::path_pattern::{PathPart, PathPattern, is_open};
use super::root::{Place, PlaceFinder, ProjectRoot};

/// How many folders may stand in each other below one that `**` stands for.
const DEPTH: usize = 128;

/// A file that a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchedFile {
    /// Its path in the project.
    pub path: String,
    /// Its real path.
    pub place: Place,
    /// What the wildcards match.
    pub captures: Vec<String>,
}

/// Finds files by patterns, and remembers the content of folders.
#[derive(Debug)]
pub struct FileFinder<'a> {
    /// Where paths lead.
    pub places: PlaceFinder<'a>,
    folders: HashMap<String, Rc<[FolderEntry]>>,
    /// Links that were not followed, with what is to be said about each.
    pub warnings: BTreeMap<String, String>,
}

#[derive(Debug)]
struct FolderEntry {
    name: String,
    kind: EntryKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryKind {
    Folder,
    Link,
    File,
}

impl<'a> FileFinder<'a> {
    /// A finder for a project.
    pub fn new(root: &'a ProjectRoot) -> Self {
        Self { places: PlaceFinder::new(root), folders: HashMap::new(), warnings: BTreeMap::new() }
    }

    /// Returns the files that a pattern matches, sorted by path.
    ///
    /// Fails if one of them is no regular file, or lies outside of the project.
    pub fn find(&mut self, pattern: &PathPattern) -> Result<Vec<MatchedFile>, Failure> {
        if !pattern.has_wildcards() {
            let path = pattern.fill(&[]);
            return match self.places.place(&path)? {
                Place::Missing(_) => Ok(Vec::new()),
                place @ Place::File(_) => Ok(vec![MatchedFile { path, place, captures: Vec::new() }]),
                place => Err(not_a_file(&path, &place)),
            };
        }
        let mut found = Vec::new();
        let mut open = vec![(String::new(), 0)];
        while let Some((folder, depth)) = open.pop() {
            let entries = self.entries(&folder)?;
            for entry in entries.iter() {
                let step = step(pattern, depth, &entry.name);
                let path = if folder.is_empty() { entry.name.clone() } else { format!("{folder}/{}", entry.name) };
                if step.is_file
                    && entry.kind != EntryKind::Folder
                    && let Some(captures) = pattern.captures(&path)
                {
                    match self.places.place(&path)? {
                        place @ Place::File(_) => found.push(MatchedFile { path: path.clone(), place, captures }),
                        Place::Folder(_) => {}
                        place => return Err(not_a_file(&path, &place)),
                    }
                }
                if self.is_followed(&path, entry.kind, step.folder)? {
                    if depth >= DEPTH {
                        return Err(Failure::usage(format!("{} is in more than {DEPTH} folders", one_line(&path)))
                            .hint("name the folders in tulk.toml, in place of `**`"));
                    }
                    open.push((path, depth + 1));
                }
            }
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    /// Returns whether what a pattern may have as a folder is read.
    fn is_followed(&mut self, path: &str, kind: EntryKind, step: FolderStep) -> Result<bool, Failure> {
        match (kind, step) {
            (EntryKind::File, _) | (_, FolderStep::Unfit) | (EntryKind::Link, FolderStep::AnyFolders) => Ok(false),
            (EntryKind::Folder, _) => Ok(true),
            (EntryKind::Link, FolderStep::Named) => Ok(matches!(self.places.folder(path)?, Place::Folder(_))),
            (EntryKind::Link, FolderStep::Wildcard) => match self.places.folder(path) {
                Ok(place) => Ok(matches!(place, Place::Folder(_))),
                Err(failure) => {
                    self.warnings.insert(path.to_owned(), format!("{}; it is not followed", failure.what));
                    Ok(false)
                }
            },
        }
    }

    /// Returns what is in a folder, sorted. Names that are not UTF-8 are left out: no path can name them.
    fn entries(&mut self, folder: &str) -> Result<Rc<[FolderEntry]>, Failure> {
        if let Some(entries) = self.folders.get(folder) {
            return Ok(Rc::clone(entries));
        }
        let entries: Rc<[FolderEntry]> = match self.places.folder(folder)? {
            Place::Folder(path) => {
                let fail = |error: std::io::Error| Failure::file("read", &path, &error);
                let mut entries = Vec::new();
                for entry in path.read_dir().map_err(fail)? {
                    let entry = entry.map_err(fail)?;
                    let kind = entry.file_type().map_err(fail)?;
                    let kind = if kind.is_symlink() {
                        EntryKind::Link
                    } else if kind.is_dir() {
                        EntryKind::Folder
                    } else {
                        EntryKind::File
                    };
                    entries.extend(entry.file_name().into_string().ok().map(|name| FolderEntry { name, kind }));
                }
                entries.sort_by(|a, b| a.name.cmp(&b.name));
                entries.into()
            }
            _ => Rc::new([]),
        };
        self.folders.insert(folder.to_owned(), Rc::clone(&entries));
        Ok(entries)
    }
}

/// What a name may be for a pattern.
#[derive(Clone, Copy, Debug)]
struct WalkStep {
    is_file: bool,
    folder: FolderStep,
}

/// As what a folder fits a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FolderStep {
    Unfit,
    /// By its name.
    Named,
    /// By a name with stars.
    Wildcard,
    /// As one of the folders of `**`, or what follows them.
    AnyFolders,
}

/// Returns what a name at a depth may be.
fn step(pattern: &PathPattern, depth: usize, name: &str) -> WalkStep {
    let parts = pattern.parts();
    if parts.iter().take(depth + 1).any(|part| *part == PathPart::Folders) {
        // What follows `**` may stand at any depth.
        let is_folder = is_open(name) || pattern.has_name(name);
        return WalkStep { is_file: true, folder: if is_folder { FolderStep::AnyFolders } else { FolderStep::Unfit } };
    }
    let is_last = depth + 1 == parts.len();
    match parts.get(depth) {
        Some(PathPart::Name(pattern)) if pattern.matches(name) => {
            let folder = match pattern.literal() {
                _ if is_last => FolderStep::Unfit,
                Some(_) => FolderStep::Named,
                None => FolderStep::Wildcard,
            };
            WalkStep { is_file: is_last, folder }
        }
        _ => WalkStep { is_file: false, folder: FolderStep::Unfit },
    }
}

/// Returns the failure for something at a path that is not a regular file.
pub(super) fn not_a_file(path: &str, place: &Place) -> Failure {
    let what = if matches!(place, Place::Folder(_)) { "a folder" } else { "not a regular file" };
    Failure::usage(format!("{} is {what}", one_line(path)))
}
