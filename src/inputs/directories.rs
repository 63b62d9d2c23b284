//! Finds the input files in directories.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use ignore::overrides::{Override, OverrideBuilder};
use tulk_base::error::Failure;
use tulk_base::numbers::grouped;
use tulk_base::shell;
use tulk_client::api::language_names;
use tulk_pipeline::output_path::{OutputTemplate, Placeholder};

use super::wildcards;
use crate::context::Context;

pub struct FileSelection<'a> {
    /// Values of `--glob`. If there are none, the files that `is_known` accepts are taken.
    pub globs: &'a [String],
    /// Returns whether the extension of a file tells how to read it.
    pub is_known: &'a dyn Fn(&Path) -> bool,
    /// What the skipped files lack, such as `a format that tulk knows`; for messages.
    pub missing_property: &'static str,
    /// Template for output files, to skip the results of earlier runs.
    pub template: Option<&'a OutputTemplate>,
    /// Returns the extension of a file's result, without the dot.
    pub extension: &'a dyn Fn(&Path) -> String,
}

#[derive(Clone, Debug, Default)]
pub struct InputFiles {
    /// In the order given; files of a directory are sorted.
    pub files: Vec<PathBuf>,
    pub has_directory: bool,
    /// For each file found in a given directory: the path from that directory to the directory of the file.
    below: HashMap<PathBuf, PathBuf>,
}

#[derive(Debug, Default)]
struct SkippedFiles {
    /// First file without a known extension.
    unknown: Option<PathBuf>,
    unknown_count: usize,
    links: usize,
    results: usize,
}

impl InputFiles {
    /// Creates inputs that are read as given, even if one is a directory.
    pub fn as_given(files: Vec<PathBuf>) -> Self {
        Self { files, ..Self::default() }
    }

    /// Returns the directory of a file relative to the given directory, for `{path}` in templates. It is empty for a file that was
    /// given itself.
    pub fn below(&self, file: &Path) -> &Path {
        self.below.get(file).map_or(Path::new(""), PathBuf::as_path)
    }

    /// Replaces directories with the files in them, and prints how many files are skipped. Fails if no file is left. On Windows, also
    /// replaces paths with `*` or `?`.
    pub fn find(ctx: &Context, given: &[PathBuf], selection: &FileSelection<'_>) -> Result<Self, Failure> {
        let mut found = Self::default();
        let given = wildcards::expand(given)?;
        // Read a file once, even if it is also in a directory.
        let mut seen: HashSet<PathBuf> = given.iter().map(|path| absolute(path)).collect();
        let mut without_files = Vec::new();
        for path in &given {
            if path == Path::new("-") || !path.is_dir() {
                found.files.push(path.clone());
                continue;
            }
            found.has_directory = true;
            without_files.extend(found.add_directory(ctx, path, selection, &mut seen)?);
        }
        if !found.has_directory && !selection.globs.is_empty() {
            return Err(Failure::usage("--glob needs a directory")
                .hint("pass a directory; files are read regardless of their names"));
        }
        let mut without_files = without_files.into_iter();
        match without_files.next() {
            Some(failure) if found.files.is_empty() => Err(failure),
            first => {
                first.into_iter().chain(without_files).for_each(|failure| ctx.out.warn(&failure.what));
                Ok(found)
            }
        }
    }

    /// Adds the files of a directory. If there are none, returns a failure with the reason.
    fn add_directory(
        &mut self,
        ctx: &Context,
        dir: &Path,
        selection: &FileSelection<'_>,
        seen: &mut HashSet<PathBuf>,
    ) -> Result<Option<Failure>, Failure> {
        let (mut files, links) = walk(dir, selection.globs)?;
        let mut skipped = SkippedFiles { links, ..SkippedFiles::default() };
        if selection.globs.is_empty() {
            files.retain(|(file, _)| {
                let is_known = (selection.is_known)(file);
                if !is_known {
                    skipped.unknown_count += 1;
                    skipped.unknown.get_or_insert_with(|| file.clone());
                }
                is_known
            });
        }
        if let Some(template) = selection.template {
            let results = earlier_results(dir, &files, template, selection.extension);
            let before = files.len();
            files.retain(|(file, _)| !results.contains(&absolute(file)));
            skipped.results = before - files.len();
        }
        if files.is_empty() {
            return Ok(Some(skipped.failure(dir, selection)));
        }
        if let Some(line) = skipped.skipped_message(dir) {
            ctx.out.status(&line);
        }
        for (file, below) in files {
            if seen.insert(absolute(&file)) {
                self.files.push(file.clone());
                self.below.insert(file, below);
            }
        }
        Ok(None)
    }
}

impl SkippedFiles {
    /// Returns a message with the numbers of skipped files and the reasons; `None` if no file is skipped.
    fn skipped_message(&self, dir: &Path) -> Option<String> {
        let part = |count: usize, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{} {many}", grouped(count))),
        };
        let parts = [
            part(self.unknown_count, "file of another format", "files of other formats"),
            part(self.results, "result of an earlier run", "results of earlier runs"),
            part(self.links, "link", "links"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| format!("{}: skipped {}", dir.display(), parts.join(", ")))
    }

    fn failure(&self, dir: &Path, selection: &FileSelection<'_>) -> Failure {
        let name = dir.display();
        if self.results > 0 {
            let what = format!("{name} has only results of earlier runs");
            return Failure::usage(what).hint("write results to another directory with -o");
        }
        if let Some(unknown) = &self.unknown {
            let what = format!("no file in {name} has {}", selection.missing_property);
            let glob = unknown.extension().map_or_else(|| "*".to_owned(), |ext| format!("*.{}", ext.display()));
            return Failure::usage(what)
                .hint(format!("choose files with --glob, such as --glob {}", shell::quote(&glob)));
        }
        if self.links > 0 {
            return Failure::usage(format!("{name} has only links")).hint("links are not followed; pass the files");
        }
        if selection.globs.is_empty() {
            return Failure::usage(format!("{name} has no files"))
                .hint("hidden files and files in .gitignore are skipped; pass the file itself");
        }
        let globs: Vec<_> = selection.globs.iter().map(|glob| shell::quote(glob)).collect();
        Failure::usage(format!("no file in {name} matches --glob {}", globs.join(" ")))
            .hint("a pattern is relative to the directory; hidden files and files in .gitignore are skipped")
    }
}

/// Returns the files below a directory that match the patterns, sorted, each with its directory relative to `dir`; and the number of
/// links, which are not followed.
fn walk(dir: &Path, globs: &[String]) -> Result<(Vec<(PathBuf, PathBuf)>, usize), Failure> {
    let overrides = overrides(dir, globs)?;
    let mut walk = WalkBuilder::new(dir);
    // Outside of a repository, .gitignore files count too. Inside a repository, .gitignore files above it do not count.
    walk.ignore(false).git_global(false).git_exclude(false).require_git(is_in_repository(dir));
    walk.filter_entry(move |entry| {
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        entry.depth() == 0 || !overrides.matched(entry.path(), is_dir).is_ignore()
    });
    let (mut files, mut links) = (Vec::new(), 0);
    for entry in walk.build() {
        let entry = entry.map_err(|error| {
            let what = format!("cannot read {}: {error}", dir.display());
            Failure::usage(what).hint("exclude a directory with --glob '!NAME/'")
        })?;
        let Some(kind) = entry.file_type().filter(|_| entry.depth() > 0) else { continue };
        links += usize::from(kind.is_symlink());
        let Some(below) = entry.path().strip_prefix(dir).ok().filter(|_| kind.is_file()) else { continue };
        let below = below.parent().unwrap_or(Path::new("")).to_owned();
        files.push((entry.path().strip_prefix(".").unwrap_or(entry.path()).to_owned(), below));
    }
    files.sort();
    Ok((files, links))
}

/// Returns the patterns of `--glob`, relative to a directory. A pattern that ends in a slash matches all files of a directory.
fn overrides(dir: &Path, globs: &[String]) -> Result<Override, Failure> {
    let mut overrides = OverrideBuilder::new(dir);
    for glob in globs {
        let all = if glob.ends_with('/') { "**" } else { "" };
        overrides.add(&format!("{glob}{all}")).map_err(|error| {
            let why = match error {
                ignore::Error::Glob { err, .. } => err,
                other => other.to_string(),
            };
            Failure::usage(format!("invalid --glob {}: {why}", shell::quote(glob)))
                .hint("write it like a line of .gitignore, such as --glob '*.md'")
        })?;
    }
    overrides.build().map_err(|error| Failure::usage(format!("invalid --glob: {error}")))
}

fn is_in_repository(dir: &Path) -> bool {
    dir.canonicalize().is_ok_and(|dir| dir.ancestors().any(|dir| dir.join(".git").exists()))
}

/// Returns the files that earlier runs with this template may have written, in any target language.
///
/// A file in `files` may be the result of another one, or it may be in the directory with which the template starts, such as `out` in
/// `out/{lang}/{stem}`.
fn earlier_results(
    dir: &Path,
    files: &[(PathBuf, PathBuf)],
    template: &OutputTemplate,
    extension: &dyn Fn(&Path) -> String,
) -> HashSet<PathBuf> {
    let dir = absolute(dir);
    let of_results = template.fixed_dir().map(absolute).filter(|fixed| fixed.starts_with(&dir) && *fixed != dir);
    let mut results = HashSet::new();
    let languages = if template.has(Placeholder::Lang) { languages_in(files) } else { vec![""] };
    for (file, below) in files {
        let path = absolute(file);
        let extension = extension(file);
        let written = languages.iter().map(|lang| absolute(&template.fill_below(file, below, lang, &extension)));
        results.extend(written.filter(|written| *written != path));
        results.extend(of_results.as_ref().filter(|of_results| path.starts_with(of_results)).map(|_| path.clone()));
    }
    results
}

/// Returns the language codes that occur as words in file names.
fn languages_in(files: &[(PathBuf, PathBuf)]) -> Vec<&'static str> {
    let names: Vec<_> = files.iter().map(|(file, _)| file.to_string_lossy()).collect();
    let codes = language_names::all().iter().map(|language| language.code);
    codes.filter(|code| names.iter().any(|name| has_word(name, code))).collect()
}

fn has_word(name: &str, word: &str) -> bool {
    name.match_indices(word).any(|(at, _)| {
        let (before, after) = (name.get(..at), name.get(at + word.len()..));
        let before = before.and_then(|before| before.chars().next_back());
        let after = after.and_then(|after| after.chars().next());
        [before, after].into_iter().flatten().all(|char| !char.is_alphanumeric())
    })
}

/// Returns an absolute path without resolving links.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
