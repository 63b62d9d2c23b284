//! The project: `tulk.toml`, and the files that it names.
//!
//! Input: a project file, found or named, and the folder around it. Output: a [`Project`] with its languages, options, notes and
//! rules, and its `ProjectFiles`. A project may be somebody else's: no setting steers requests, and no path leaves its folder,
//! which is checked before anything is read.
//!
//! ```text
//! let project = Project::find(args.project.as_deref())?;
//! let found = project.files()?;                       // sources, targets, warnings
//! for file in &found.files {
//!     for (lang, target) in &file.targets {
//!         let options = project.options(file.rule, *lang);
//!         let place = project.place(target)?;         // checked again before it is opened
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
use self::root::PlaceFinder;

pub use self::files::ProjectFile;
pub use self::key_pattern::KeyPattern;
pub(crate) use self::language::OLD_CODES;
pub use self::language::{LangStyle, LangTag, probably_meant};
pub use self::options::ProjectOptions;
pub use self::path_pattern::PathPattern;
pub use self::root::{Place, ProjectRoot};
pub use self::rule::ProjectRule;
pub use self::settings::{Adoption, ContextMode, ProjectLang, ProjectSettings};
pub(crate) use self::walk::{path_below, project_walk};

/// Name of the project file.
pub const PROJECT_FILE: &str = "tulk.toml";
/// Name of the lock, which stands beside it.
pub const LOCK_FILE: &str = "tulk.lock";

/// A project.
#[derive(Clone, Debug)]
pub struct Project {
    /// The project file, as it is shown.
    pub path: PathBuf,
    /// Its folder.
    pub root: ProjectRoot,
    /// What it says.
    pub settings: ProjectSettings,
}

impl Project {
    /// Finds and reads the project file: `explicit`, or the one of the current directory.
    pub fn find(explicit: Option<&Path>) -> Result<Self, Failure> {
        if let Some(path) = explicit {
            let text = read_named(path)?;
            return Self::parse(path, &text, ProjectRoot::new(folder_of(path))?, CATALOG_FORMATS);
        }
        let fail = |error: std::io::Error| Failure::file("find", Path::new("."), &error);
        let current = std::env::current_dir().map_err(fail)?;
        Self::find_from(&current, std::env::home_dir().as_deref(), CATALOG_FORMATS)
    }

    /// As [`Self::find`], from any directory.
    fn find_from(current: &Path, home: Option<&Path>, formats: &'static [CatalogKind]) -> Result<Self, Failure> {
        let path = find_project_file(current, home).ok_or_else(no_project_file)?;
        let root = ProjectRoot::new(folder_of(&path))?;
        let shown = path.strip_prefix(current).unwrap_or(&path);
        let text = read_found(shown, &root)?;
        let mut project = Self::parse(shown, &text, root, formats)?;
        project.path = path;
        Ok(project)
    }

    /// Reads the text of a project file.
    pub fn parse(path: &Path, text: &str, root: ProjectRoot, formats: &'static [CatalogKind]) -> Result<Self, Failure> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let settings = ProjectSettings::read(ProjectText { name: &path.display().to_string(), text }, formats)?;
        Ok(Self { path: path.to_path_buf(), root, settings })
    }

    /// Returns the options of a rule and a language, by position: those of the language over those of the rule over those of the
    /// project.
    pub fn options(&self, rule: usize, lang: usize) -> ProjectOptions {
        let rule = self.settings.rules.get(rule).map(|rule| &rule.options);
        let lang = self.settings.langs.get(lang).map(|lang| &lang.options);
        let mut options = self.settings.options.clone();
        for narrower in rule.into_iter().chain(lang) {
            options.extend(narrower.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        options
    }

    /// Returns the note of `[sync.notes]` for a key: that of the first pattern that fits.
    pub fn note(&self, key: &UnitKey) -> Option<&str> {
        let at = self.settings.note_keys.position(key)?;
        self.settings.notes.get(at).map(String::as_str)
    }

    /// Returns what is at a path of the project. Fails if a link on the way leaves the project.
    pub fn place(&self, path: &Path) -> Result<Place, Failure> {
        let text = path.to_str().ok_or_else(|| Failure::usage(format!("{} is not UTF-8", path.display())))?;
        PlaceFinder::new(&self.root).place(text)
    }

    /// Returns the real path of the lock, which may not exist yet. Fails if it leads out of the project, or if it is not a file.
    pub fn lock_path(&self) -> Result<PathBuf, Failure> {
        match self.place(Path::new(LOCK_FILE))? {
            Place::Missing(path) | Place::File(path) => Ok(path),
            Place::Folder(_) | Place::Other(_) => Err(Failure::usage(format!("{LOCK_FILE} is not a regular file"))),
        }
    }
}

/// Returns the folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Returns the path of the project file: in the current directory or above it, up to the folder that holds `.git`, else up to
/// the home directory.
///
/// Without either, only the current directory counts: what stands above it may be somebody else's.
fn find_project_file(current: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let repository = current.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok());
    let last = repository.or_else(|| current.ancestors().find(|folder| Some(*folder) == home)).unwrap_or(current);
    let folders = current.ancestors().take_while(|folder| folder.starts_with(last));
    folders.map(|folder| folder.join(PROJECT_FILE)).find(|path| path.symlink_metadata().is_ok())
}

/// Returns the failure for a project file that is nowhere.
fn no_project_file() -> Failure {
    Failure::usage(format!("there is no {PROJECT_FILE} here or in a folder above"))
        .hint("`tulk sync init` writes one, and --project FILE names one elsewhere")
}

/// Returns the text of a project file that was found. Links that leave its folder are not followed.
fn read_found(path: &Path, root: &ProjectRoot) -> Result<String, Failure> {
    match PlaceFinder::new(root).place(PROJECT_FILE)? {
        Place::File(real) => read_project_file(&real, path),
        _ => Err(Failure::usage(format!("{} is not a regular file", path.display()))),
    }
}

/// Returns the text of a project file that the user named.
fn read_named(path: &Path) -> Result<String, Failure> {
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

/// Returns the text of a file; `shown` is its name in messages.
fn read_project_file(path: &Path, shown: &Path) -> Result<String, Failure> {
    let bytes = read_bounded(path, limits::PROJECT_FILE).file_context("read", shown)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::usage(format!("{}: invalid UTF-8 at byte {at}", shown.display()))
    })
}

#[cfg(test)]
pub(crate) mod tests;
