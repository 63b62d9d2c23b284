//! Finds the files that match a pattern. Patterns that search a folder in the same way share one listing of it.
//! Wildcards skip files in `.gitignore`. `**` does not follow symbolic links, and no wildcard follows a link out of the
//! project.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::rc::Rc;

use ignore::WalkBuilder;
use tulk_base::error::Failure;
use tulk_base::suggest::one_line;

use super::path_check::is_off_limits;
use super::path_pattern::PathPattern;
use super::root::{PathResolver, ProjectRoot, ResolvedPath};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchedFile {
    pub path: String,
    pub resolved: ResolvedPath,
    /// The text of each wildcard.
    pub captures: Vec<String>,
}

/// Caches folder listings.
#[derive(Debug)]
pub struct FileFinder<'a> {
    pub resolver: PathResolver<'a>,
    walks: HashMap<WalkScope, Rc<[WalkEntry]>>,
    /// Links that were not followed, by path.
    pub warnings: BTreeMap<String, String>,
}

/// The key of the cache.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct WalkScope {
    folder: String,
    depth: Option<usize>,
    /// Includes names that start with a dot.
    hidden: bool,
    /// Includes `node_modules`.
    modules: bool,
    /// Includes files in `.gitignore`.
    ignored: bool,
}

#[derive(Debug)]
struct WalkEntry {
    path: String,
    is_link: bool,
}

impl<'a> FileFinder<'a> {
    pub fn new(root: &'a ProjectRoot) -> Self {
        Self { resolver: PathResolver::new(root), walks: HashMap::new(), warnings: BTreeMap::new() }
    }

    /// Returns all matching files, sorted by path. Skips files in `.gitignore`, unless the pattern has no wildcards or
    /// `ignored` is set. Fails if a match is outside the project or is not a regular file. A folder is an error only if the
    /// pattern has no wildcards; otherwise it is skipped.
    pub fn find(&mut self, pattern: &PathPattern, ignored: bool) -> Result<Vec<MatchedFile>, Failure> {
        if pattern.wildcards().is_empty() {
            let path = pattern.to_string();
            return match self.resolver.resolve(&path)? {
                ResolvedPath::Missing(_) => Ok(Vec::new()),
                resolved @ ResolvedPath::File(_) => Ok(vec![MatchedFile { path, resolved, captures: Vec::new() }]),
                resolved => Err(not_a_file(&path, &resolved)),
            };
        }
        let mut found = Vec::new();
        let mut open = vec![pattern.fixed_folder().to_owned()];
        while let Some(folder) = open.pop() {
            for WalkEntry { path, is_link } in self.entries(folder, pattern, ignored)?.iter() {
                if let Some(captures) = pattern.captures(path) {
                    match self.resolver.resolve(path)? {
                        resolved @ ResolvedPath::File(_) => {
                            found.push(MatchedFile { path: path.clone(), resolved, captures });
                        }
                        ResolvedPath::Folder(_) => {}
                        resolved => return Err(not_a_file(path, &resolved)),
                    }
                } else if *is_link && pattern.folder_of_depth(path).is_some_and(|folder| folder.matches(path)) {
                    match self.resolver.resolve_folder(path) {
                        Ok(ResolvedPath::Folder(_)) => open.push(path.clone()),
                        Ok(_) => {}
                        Err(failure) => {
                            self.warnings.insert(path.clone(), format!("{}; it is not followed", failure.what));
                        }
                    }
                }
            }
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    /// Lists files and links below a folder that the pattern may match.
    fn entries(&mut self, folder: String, pattern: &PathPattern, ignored: bool) -> Result<Rc<[WalkEntry]>, Failure> {
        let ResolvedPath::Folder(real) = self.resolver.resolve_folder(&folder)? else { return Ok(Rc::new([])) };
        let names = || pattern.parts();
        let above = folder.split('/').filter(|name| !name.is_empty()).count();
        let scope = WalkScope {
            depth: names().all(|name| name != "**").then(|| names().count() - above),
            hidden: names().any(|name| name.starts_with('.')),
            modules: names().any(|name| name == "node_modules"),
            folder,
            ignored,
        };
        if let Some(entries) = self.walks.get(&scope) {
            return Ok(Rc::clone(entries));
        }
        let mut walk = project_walk(&real);
        walk.max_depth(scope.depth).hidden(!scope.hidden).git_ignore(!ignored);
        let modules = scope.modules;
        walk.filter_entry(move |entry| {
            let name = entry.file_name().to_string_lossy();
            entry.depth() == 0 || !is_off_limits(&name) && (modules || name != "node_modules")
        });
        let mut entries = Vec::new();
        for entry in walk.build() {
            let entry = entry.map_err(|error| match error.into_io_error() {
                Some(error) => Failure::file("read", &real, &error),
                None => Failure::usage(format!("cannot read {}", real.display())),
            })?;
            let Some(kind) = entry.file_type().filter(|kind| !kind.is_dir()) else { continue };
            if let Some(path) = path_below(&scope.folder, &real, entry.path()) {
                entries.push(WalkEntry { path, is_link: kind.is_symlink() });
            }
        }
        let entries: Rc<[WalkEntry]> = entries.into();
        self.walks.insert(scope, Rc::clone(&entries));
        Ok(entries)
    }
}

/// Respects `.gitignore`, but not the ignore files of this user or machine, because everyone who works on a project must
/// find the same files.
pub fn project_walk(folder: &Path) -> WalkBuilder {
    let mut walk = WalkBuilder::new(folder);
    walk.ignore(false).git_global(false).git_exclude(false);
    walk
}

/// Makes a path relative to the project; `None` for a name that is not UTF-8, which no pattern can match.
pub fn path_below(folder: &str, real: &Path, path: &Path) -> Option<String> {
    let above = Some(folder).filter(|folder| !folder.is_empty()).map(Some);
    let names = path.strip_prefix(real).ok()?.iter().map(|name| name.to_str());
    Some(above.into_iter().chain(names).collect::<Option<Vec<_>>>()?.join("/"))
}

pub(super) fn not_a_file(path: &str, resolved: &ResolvedPath) -> Failure {
    let what = if matches!(resolved, ResolvedPath::Folder(_)) { "a folder" } else { "not a regular file" };
    Failure::usage(format!("{} is {what}", one_line(path)))
}
