//! The project: `tulk.toml` and the files it names.
//!
//! Input: a project file, found or given, and the folder around it. Output: a [`Project`] with languages, options,
//! notes and rules, and its `ProjectFiles`. Projects are untrusted input: settings cannot redirect requests, and paths
//! cannot leave the folder, which is checked before any file is read.
//!
//! ```text
//! let project = Project::find(args.project.as_deref())?;
//! let found = project.files()?;                       // sources, targets, warnings
//! for file in &found.files {
//!     for (lang, target) in &file.targets {
//!         let options = project.options(file.rule, *lang);
//!         let resolved = project.resolve(target)?;    // checked again before it is opened
//!     }
//! }
//! ```

mod files;
mod key_pattern;
mod language;
mod options;
mod path_check;
mod path_pattern;
mod project_text;
mod root;
mod rule;
mod settings;
mod walk;

use std::path::{Path, PathBuf};

use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::read_bounded;
use tulk_base::limits;
use tulk_catalogs::{CATALOG_FORMATS, CatalogKind, UnitKey};

use self::project_text::ProjectText;
use self::root::PathResolver;

pub use self::files::ProjectFile;
pub use self::key_pattern::KeyPattern;
pub(crate) use self::language::OLD_CODES;
pub use self::language::{LangStyle, LangTag, guess_tag};
pub use self::options::ProjectOptions;
pub use self::path_pattern::PathPattern;
pub use self::root::{ProjectRoot, ResolvedPath};
pub use self::rule::ProjectRule;
pub use self::settings::{Adoption, ContextMode, ProjectLang, ProjectSettings};
pub(crate) use self::walk::{path_below, project_walk};

/// Name of the project file.
pub const PROJECT_FILE: &str = "tulk.toml";
/// Name of the lock, next to the project file.
pub const LOCK_FILE: &str = "tulk.lock";

/// A parsed project file and its folder.
#[derive(Clone, Debug)]
pub struct Project {
    /// Path of the project file, for messages.
    pub path: PathBuf,
    /// Folder of the project file.
    pub root: ProjectRoot,
    /// Parsed settings.
    pub settings: ProjectSettings,
}

impl Project {
    /// Reads the project file: `explicit` if given, otherwise the one found from the current directory.
    pub fn find(explicit: Option<&Path>) -> Result<Self, Failure> {
        if let Some(path) = explicit {
            let text = read_given_project_file(path)?;
            return Self::parse(path, &text, ProjectRoot::new(folder_of(path))?, CATALOG_FORMATS);
        }
        let fail = |error: std::io::Error| Failure::file("find", Path::new("."), &error);
        let current = std::env::current_dir().map_err(fail)?;
        Self::find_from(&current, std::env::home_dir().as_deref(), CATALOG_FORMATS)
    }

    /// Like [`Self::find`], from any directory.
    fn find_from(current: &Path, home: Option<&Path>, formats: &'static [CatalogKind]) -> Result<Self, Failure> {
        let path = find_project_file(current, home).ok_or_else(no_project_file)?;
        let root = ProjectRoot::new(folder_of(&path))?;
        let shown = path.strip_prefix(current).unwrap_or(&path);
        let text = read_found_project_file(shown, &root)?;
        let mut project = Self::parse(shown, &text, root, formats)?;
        project.path = path;
        Ok(project)
    }

    /// Parses the text of a project file.
    pub fn parse(path: &Path, text: &str, root: ProjectRoot, formats: &'static [CatalogKind]) -> Result<Self, Failure> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let settings = ProjectSettings::read(ProjectText { name: &path.display().to_string(), text }, formats)?;
        Ok(Self { path: path.to_path_buf(), root, settings })
    }

    /// Returns the options for a rule and a language, by position. Options of the language override those of the rule,
    /// which override those of the project.
    pub fn options(&self, rule: usize, lang: usize) -> ProjectOptions {
        let rule = self.settings.rules.get(rule).map(|rule| &rule.options);
        let lang = self.settings.langs.get(lang).map(|lang| &lang.options);
        let mut options = self.settings.options.clone();
        for narrower in rule.into_iter().chain(lang) {
            options.extend(narrower.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        options
    }

    /// Returns the note for a key. The first matching pattern in `[sync.notes]` wins.
    pub fn note(&self, key: &UnitKey) -> Option<&str> {
        let at = self.settings.note_keys.position(key)?;
        self.settings.notes.get(at).map(String::as_str)
    }

    /// Resolves a path of the project. Fails if a symbolic link leads out of the project.
    pub fn resolve(&self, path: &Path) -> Result<ResolvedPath, Failure> {
        let text = path.to_str().ok_or_else(|| Failure::usage(format!("{} is not UTF-8", path.display())))?;
        PathResolver::new(&self.root).resolve(text)
    }

    /// Returns the real path of the lock, which may not exist yet. Fails if it leads out of the project or is not a
    /// regular file.
    pub fn lock_path(&self) -> Result<PathBuf, Failure> {
        match self.resolve(Path::new(LOCK_FILE))? {
            ResolvedPath::Missing(path) | ResolvedPath::File(path) => Ok(path),
            ResolvedPath::Folder(_) | ResolvedPath::Other(_) => {
                Err(Failure::usage(format!("{LOCK_FILE} is not a regular file")))
            }
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Searches the current directory and those above it, up to the folder with `.git`, or else up to the home directory.
///
/// If neither is above it, searches only the current directory, because a project file further up may belong to another
/// user.
fn find_project_file(current: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let repository = current.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok());
    let last = repository.or_else(|| current.ancestors().find(|folder| Some(*folder) == home)).unwrap_or(current);
    let folders = current.ancestors().take_while(|folder| folder.starts_with(last));
    folders.map(|folder| folder.join(PROJECT_FILE)).find(|path| path.symlink_metadata().is_ok())
}

fn no_project_file() -> Failure {
    Failure::usage(format!("there is no {PROJECT_FILE} in this directory or above"))
        .hint("`tulk sync init` writes one, and --project FILE names one elsewhere")
}

/// Refuses links that leave the folder of the project file.
fn read_found_project_file(path: &Path, root: &ProjectRoot) -> Result<String, Failure> {
    match PathResolver::new(root).resolve(PROJECT_FILE)? {
        ResolvedPath::File(real) => read_project_file(&real, path),
        _ => Err(Failure::usage(format!("{} is not a regular file", path.display()))),
    }
}

/// Follows any link, because the user named the file.
fn read_given_project_file(path: &Path) -> Result<String, Failure> {
    let metadata = path.metadata().file_context("read", path)?;
    if metadata.is_dir() {
        let what = format!("{} is a folder", path.display());
        return Err(Failure::usage(what).hint(format!("name the file: {}", path.join(PROJECT_FILE).display())));
    }
    if !metadata.is_file() {
        return Err(Failure::usage(format!("{} is not a regular file", path.display())));
    }
    read_project_file(path, path)
}

fn read_project_file(path: &Path, shown: &Path) -> Result<String, Failure> {
    let bytes = read_bounded(path, limits::PROJECT_FILE).file_context("read", shown)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::usage(format!("{}: invalid UTF-8 at byte {at}", shown.display()))
    })
}

#[cfg(test)]
pub(crate) mod tests;
