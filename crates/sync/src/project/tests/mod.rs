//! Tests of the project: settings, files, and malicious input.

mod discovery;
mod files;
mod hostile;
mod settings;

use std::path::Path;

use tempfile::TempDir;
use tulk_base::error::Failure;
use tulk_catalogs::{Catalog, CatalogChanges, CatalogError, CatalogFormat, CatalogKind, Edit, ReadOptions};

use super::files::ProjectFiles;
use super::{Project, ProjectRoot};

/// A format without content, so that these tests do not depend on the real formats.
#[derive(Debug)]
struct NoFormat;

impl CatalogFormat for NoFormat {
    fn read(&self, _: &str, _: &ReadOptions) -> Result<Catalog, CatalogError> {
        Ok(Catalog::default())
    }

    fn edits(&self, _: &str, _: &ReadOptions, _: &CatalogChanges<'_>) -> Result<Vec<Edit>, CatalogError> {
        Ok(Vec::new())
    }
}

const fn kind(name: &'static str, extensions: &'static [&'static str], is_bilingual: bool) -> CatalogKind {
    CatalogKind { name, help: "", extensions, format: &NoFormat, syntax: None, is_bilingual }
}

/// Names and file extensions of the real formats.
pub const FORMATS: &[CatalogKind] = &[
    kind("json", &["json", "json5"], false),
    kind("arb", &["arb"], false),
    kind("yaml", &["yaml", "yml"], false),
    kind("toml", &["toml"], false),
    kind("po", &["po", "pot"], true),
    kind("properties", &["properties"], false),
    kind("android", &["xml"], false),
    kind("strings", &["strings"], false),
    kind("stringsdict", &["stringsdict"], false),
    kind("xcstrings", &["xcstrings"], true),
    kind("xliff", &["xlf", "xliff"], true),
    kind("resx", &["resx", "resw"], false),
    kind("php", &["php"], false),
    kind("ftl", &["ftl"], false),
];

/// Each file contains its path.
pub fn tree(paths: &[&str]) -> TempDir {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    for path in paths {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, path.to_str().unwrap()).unwrap();
    }
    dir
}

pub fn project(dir: &Path, text: &str) -> Result<Project, Failure> {
    Project::parse(Path::new("tulk.toml"), text, ProjectRoot::new(dir).unwrap(), FORMATS)
}

fn with_rules(dir: &Path, rules: &str) -> Result<Project, Failure> {
    project(dir, &format!("[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\", \"pt-BR\"]\n{rules}"))
}

fn files(dir: &Path, rules: &str) -> Result<ProjectFiles, Failure> {
    with_rules(dir, rules)?.files()
}

/// Includes location and hint.
fn message(failure: &Failure) -> String {
    match &failure.hint {
        Some(hint) => format!("{failure} ({hint})"),
        None => failure.to_string(),
    }
}

/// One line per file: lock name, format, source, targets with languages.
fn shown(project: &Project, found: &ProjectFiles) -> Vec<String> {
    let target = |(lang, path): &(usize, std::path::PathBuf)| {
        format!("{}={}", project.settings.langs[*lang].tag, path.display())
    };
    let file = |file: &super::ProjectFile| {
        let source = file.source.as_ref().map_or("-".to_owned(), |source| source.display().to_string());
        let targets: Vec<String> = file.targets.iter().map(target).collect();
        format!("{} {} {source} {}", file.lock_name, file.kind.name, targets.join(" "))
    };
    found.files.iter().map(file).collect()
}
