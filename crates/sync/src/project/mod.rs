//! The project: `tulk.toml`, and the files that it names.
//!
//! Input: a project file, found or named, and the folder around it. Output: a [`Project`] with its languages, options, notes and
//! rules, and its [`ProjectFiles`]. A project may be somebody else's: no setting steers requests, and no path leaves its folder,
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

mod discovery;
mod files;
mod key_pattern;
mod language;
mod options;
mod path_check;
mod path_pattern;
mod root;
mod rule;
mod settings;
#[cfg(test)]
pub mod tests;
mod toml_reader;
mod walk;

use std::path::{Path, PathBuf};

use tulk_base::error::Failure;
use tulk_catalogs::{CATALOG_FORMATS, CatalogKind, UnitKey};

pub use self::files::ProjectFile;
pub use self::key_pattern::KeyPattern;
pub use self::language::{LangStyle, LangTag, probably_meant};
pub use self::options::ProjectOptions;
pub use self::path_pattern::PathPattern;
pub use self::root::{Place, ProjectRoot};
pub use self::rule::ProjectRule;
pub use self::settings::{Adoption, ContextMode, ProjectLang, ProjectSettings};

use self::root::PlaceFinder;
use self::toml_reader::TomlText;

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
            let text = discovery::read_named(path)?;
            return Self::parse(path, &text, ProjectRoot::new(folder_of(path))?, CATALOG_FORMATS);
        }
        let fail = |error: std::io::Error| Failure::file("find", Path::new("."), &error);
        let current = std::env::current_dir().map_err(fail)?;
        Self::find_from(&current, std::env::home_dir().as_deref(), CATALOG_FORMATS)
    }

    /// As [`Self::find`], from any directory.
    fn find_from(current: &Path, home: Option<&Path>, formats: &'static [CatalogKind]) -> Result<Self, Failure> {
        let path = discovery::find_file(current, home).ok_or_else(discovery::not_found)?;
        let root = ProjectRoot::new(folder_of(&path))?;
        let shown = path.strip_prefix(current).unwrap_or(&path);
        let text = discovery::read_found(shown, &root)?;
        let mut project = Self::parse(shown, &text, root, formats)?;
        project.path = path;
        Ok(project)
    }

    /// Reads the text of a project file.
    pub fn parse(path: &Path, text: &str, root: ProjectRoot, formats: &'static [CatalogKind]) -> Result<Self, Failure> {
        let text = TomlText::new(&path.display().to_string(), text);
        Ok(Self { path: path.to_path_buf(), root, settings: ProjectSettings::read(&text, formats)? })
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
