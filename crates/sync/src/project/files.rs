//! The files of a project: each source with its targets. Fails if two rules use the same file or a path leaves the
//! project.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use tulk_base::error::Failure;
use tulk_base::files::FileIdentity;
use tulk_base::suggest::one_line;
use tulk_catalogs::CatalogKind;

use super::path_pattern::PathPattern;
use super::root::ResolvedPath;
use super::rule::ProjectRule;
use super::settings::ProjectLang;
use super::walk::{FileFinder, MatchedFile, not_a_file};
use super::{LOCK_FILE, PROJECT_FILE, Project};

/// Sorted by lock name.
#[derive(Clone, Debug, Default)]
pub struct ProjectFiles {
    pub files: Vec<ProjectFile>,
    pub warnings: Vec<String>,
    /// Errors of rules without any file, except those with `optional = true`.
    pub unmatched: Vec<Failure>,
}

/// A source and its targets, or targets that hold the source texts.
#[derive(Clone, Debug)]
pub struct ProjectFile {
    /// Position of its rule.
    pub rule: usize,
    /// The format.
    pub kind: &'static CatalogKind,
    /// Path of the source, relative to the project; `None` if the targets hold the source texts.
    pub source: Option<PathBuf>,
    /// Name in the lock: the path of the source, or the path of the targets with `{lang}`.
    pub lock_name: String,
    /// Without a source: an existing target, which also holds the source texts. Missing targets are created from it.
    pub template: Option<PathBuf>,
    /// Targets: position of the language in [`super::ProjectSettings::langs`], and path relative to the project.
    pub targets: Vec<(usize, PathBuf)>,
}

/// How a file is used. Each file has only one role.
#[derive(Clone, Copy, Debug)]
enum FileRole<'a> {
    OfTulk,
    Source(&'a ProjectRule),
    Target(&'a ProjectRule, &'a ProjectLang),
}

impl Project {
    /// Returns the files of the project. Lists folders, but opens no file.
    pub fn files(&self) -> Result<ProjectFiles, Failure> {
        let mut search = FileSearch {
            project: self,
            finder: FileFinder::new(&self.root),
            roles: HashMap::new(),
            found: ProjectFiles::default(),
        };
        let own = [self.path.clone(), self.root.real().join(LOCK_FILE)];
        search.roles.extend(own.iter().map(|path| (FileIdentity::new(path), FileRole::OfTulk)));
        for (number, rule, files) in search.sources()? {
            for file in files {
                search.add_source(number, rule, file)?;
            }
        }
        for (number, rule) in self.settings.rules.iter().enumerate() {
            if let (None, Some(target)) = (&rule.source, &rule.target) {
                search.add_targets_without_source(number, rule, target)?;
            }
        }
        let FileSearch { finder, mut found, .. } = search;
        found.warnings.extend(finder.warnings.into_values());
        for lang in &self.settings.langs {
            if !self.settings.rules.iter().any(|rule| rule.has_lang(lang)) {
                let to_do = "add it to those under [[sync.files]]";
                found.warnings.push(format!("{} is in `target_langs` of [sync], but in no rule; {to_do}", lang.tag));
            }
        }
        found.files.sort_by(|a, b| a.lock_name.cmp(&b.lock_name));
        Ok(found)
    }
}

struct FileSearch<'a> {
    project: &'a Project,
    finder: FileFinder<'a>,
    roles: HashMap<FileIdentity, FileRole<'a>>,
    found: ProjectFiles,
}

type RuleSources<'a> = (usize, &'a ProjectRule, Vec<MatchedFile>);

impl<'a> FileSearch<'a> {
    /// Finds the sources of each rule. Must run before targets are searched, so that conflicts are found.
    fn sources(&mut self) -> Result<Vec<RuleSources<'a>>, Failure> {
        let mut sources = Vec::new();
        for (number, rule) in self.project.settings.rules.iter().enumerate() {
            let Some(pattern) = &rule.source else { continue };
            let mut files = self.finder.find(pattern, false).map_err(|failure| at_rule(rule, failure))?;
            files.retain(|file| !rule.excludes(&file.path));
            if files.is_empty() {
                self.add_unmatched(rule, "source", pattern)?;
            }
            sources.push((number, rule, files));
        }
        self.leave_out_links(&mut sources);
        for (_, rule, files) in &sources {
            for file in files {
                self.claim(&file.resolved, &file.path, FileRole::Source(rule))?;
            }
        }
        Ok(sources)
    }

    /// Keeps one path of each source: the direct one or, if only links lead to it, the first link.
    fn leave_out_links(&self, sources: &mut [RuleSources<'a>]) {
        let all = sources.iter().flat_map(|(_, _, files)| files);
        let direct = all.filter(|file| !self.is_link(&file.path, &file.resolved));
        let mut seen: HashSet<PathBuf> = direct.map(|file| file.resolved.path().to_path_buf()).collect();
        for (_, _, files) in sources {
            files.retain(|file| {
                !self.is_link(&file.path, &file.resolved) || seen.insert(file.resolved.path().to_path_buf())
            });
        }
    }

    fn is_link(&self, path: &str, resolved: &ResolvedPath) -> bool {
        let mut direct = self.project.root.real().to_path_buf();
        direct.extend(path.split('/'));
        resolved.path() != direct
    }

    fn add_unmatched(&mut self, rule: &ProjectRule, what: &str, pattern: &PathPattern) -> Result<(), Failure> {
        if rule.optional {
            return Ok(());
        }
        let is_ignored = !self.finder.find(pattern, true).map_err(|failure| at_rule(rule, failure))?.is_empty();
        let (where_else, hint) = if is_ignored {
            (" except those in .gitignore", "write its full path, without wildcards")
        } else {
            ("", "correct the pattern, or add `optional = true` to the rule")
        };
        let failure = Failure::usage(format!("no file matches the {what} {pattern}{where_else}"));
        self.found.unmatched.push(failure.at(rule.origin.clone()).hint(hint));
        Ok(())
    }

    fn add_source(&mut self, number: usize, rule: &'a ProjectRule, file: MatchedFile) -> Result<(), Failure> {
        let targets = match &rule.target {
            Some(pattern) => self.targets(rule, pattern, &file.captures, Some(&file.resolved))?,
            None => self.langs(rule).map(|(at, _)| (at, PathBuf::from(&file.path))).collect(),
        };
        let (source, lock_name) = (Some(PathBuf::from(&file.path)), file.path);
        self.found.files.push(ProjectFile {
            rule: number,
            kind: rule.kind,
            source,
            lock_name,
            template: None,
            targets,
        });
        Ok(())
    }

    /// Adds the targets of a rule without sources. A file that exists in one language is added for all languages. The
    /// template is the first existing one, starting with the source language.
    fn add_targets_without_source(
        &mut self,
        number: usize,
        rule: &'a ProjectRule,
        pattern: &PathPattern,
    ) -> Result<(), Failure> {
        let mut all: BTreeMap<Vec<String>, String> = BTreeMap::new();
        let langs = self.langs(rule).map(|(_, lang)| lang);
        for lang in std::iter::once(&self.project.settings.source_lang).chain(langs) {
            let files = self.finder.find(&pattern.with_lang(&rule.lang_path(lang)), false);
            for file in files.map_err(|failure| at_rule(rule, failure))? {
                if !rule.excludes(&file.path) {
                    all.entry(file.captures).or_insert(file.path);
                }
            }
        }
        if all.is_empty() {
            self.add_unmatched(rule, "target", pattern)?;
        }
        for (captures, template) in all {
            let targets = self.targets(rule, pattern, &captures, None)?;
            let (lock_name, template) = (pattern.fill(&captures), Some(PathBuf::from(template)));
            self.found.files.push(ProjectFile {
                rule: number,
                kind: rule.kind,
                source: None,
                lock_name,
                template,
                targets,
            });
        }
        Ok(())
    }

    fn langs(&self, rule: &'a ProjectRule) -> impl Iterator<Item = (usize, &'a ProjectLang)> + use<'a> {
        self.project.settings.langs.iter().enumerate().filter(|(_, lang)| rule.has_lang(lang))
    }

    /// Returns the targets in all languages for the given wildcard matches. Skips links to the source or to the target
    /// of another language.
    fn targets(
        &mut self,
        rule: &'a ProjectRule,
        pattern: &PathPattern,
        captures: &[String],
        source: Option<&ResolvedPath>,
    ) -> Result<Vec<(usize, PathBuf)>, Failure> {
        let mut found = Vec::new();
        for (at, lang) in self.langs(rule) {
            let path = pattern.with_lang(&rule.lang_path(lang)).fill(captures);
            if rule.excludes(&path) {
                continue;
            }
            match self.finder.resolver.resolve(&path) {
                Ok(resolved @ (ResolvedPath::Missing(_) | ResolvedPath::File(_))) => {
                    found.push((at, lang, path, resolved));
                }
                Ok(resolved) => return Err(at_rule(rule, not_a_file(&path, &resolved))),
                Err(failure) => return Err(at_rule(rule, failure)),
            }
        }
        let direct =
            found.iter().filter(|(_, _, path, resolved)| !self.is_link(path, resolved)).map(|(.., resolved)| resolved);
        let mut seen: HashSet<PathBuf> =
            source.into_iter().chain(direct).map(|resolved| resolved.path().to_owned()).collect();
        let mut targets = Vec::new();
        for (at, lang, path, resolved) in found {
            if self.is_link(&path, &resolved) && !seen.insert(resolved.path().to_owned()) {
                let real = resolved.path().strip_prefix(self.project.root.real()).unwrap_or(resolved.path());
                let (shown, real) = (one_line(&path), one_line(&real.display().to_string()));
                self.found.warnings.push(format!("{shown} is a link to {real}; {} is left out", lang.tag));
                continue;
            }
            self.claim(&resolved, &path, FileRole::Target(rule, lang))?;
            targets.push((at, PathBuf::from(path)));
        }
        Ok(targets)
    }

    /// Fails if the file is already used, even under another name.
    fn claim(&mut self, resolved: &ResolvedPath, path: &str, role: FileRole<'a>) -> Result<(), Failure> {
        let identity = match resolved {
            // The folder of this path is already canonical.
            ResolvedPath::Missing(path) => FileIdentity::Path(path.clone()),
            resolved => FileIdentity::new(resolved.path()),
        };
        let first = self.roles.insert(identity, role);
        // Some file systems ignore case.
        let is_of_tulk = [PROJECT_FILE, LOCK_FILE].iter().any(|own| path.eq_ignore_ascii_case(own));
        let Some(first) = first.or(is_of_tulk.then_some(FileRole::OfTulk)) else { return Ok(()) };
        let failure =
            Failure::usage(format!("{} is {}, and {}", one_line(path), role.description(), first.description()));
        Err(match role {
            FileRole::Source(by) | FileRole::Target(by, _) => at_rule(by, failure),
            FileRole::OfTulk => failure,
        })
    }
}

impl FileRole<'_> {
    /// For messages. Includes the line of the rule.
    fn description(self) -> String {
        match self {
            Self::OfTulk => "a file of tulk itself".to_owned(),
            Self::Source(rule) => format!("a source of the rule in line {}", rule.origin.line),
            Self::Target(rule, lang) => format!("the {} target of the rule in line {}", lang.tag, rule.origin.line),
        }
    }
}

fn at_rule(rule: &ProjectRule, failure: Failure) -> Failure {
    if failure.at.is_some() { failure } else { failure.at(rule.origin.clone()) }
}
