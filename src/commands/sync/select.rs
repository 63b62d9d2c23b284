//! Flags that select a part of a project, and reading the project from disk.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use tulk_base::error::{ErrorReport, Failure};
use tulk_base::files;
use tulk_base::limits::CATALOG_FILE;
use tulk_base::numbers::grouped;
use tulk_base::shell;
use tulk_base::suggest::{closest, one_line};
use tulk_catalogs::UnitKey;
use tulk_sync::compare::ComparedUnit;
use tulk_sync::lock::{Lock, text_hash};
use tulk_sync::plan::{PlannedTarget, Selection, SyncPlan};
use tulk_sync::project::{KeyPattern, LOCK_FILE, LangTag, PathPattern, Project, ProjectFile};

use crate::completion::ValueKind;
use crate::context::Context;

#[derive(Args, Clone, Debug, Default)]
pub struct SelectArgs {
    /// Target languages, comma-separated [default: all]
    #[arg(short = 't', long, visible_alias = "lang", value_name = "LANG", value_delimiter = ',')]
    #[arg(help_heading = "Selection", value_parser = NonEmptyStringValueParser::new(), add = ValueKind::ProjectLanguages)]
    pub to: Vec<String>,
    /// Source files, such as 'locales/en/*.json' [default: all]
    #[arg(long, value_name = "GLOB", help_heading = "Selection")]
    #[arg(add = ValueKind::Files)]
    pub file: Vec<String>,
    /// Keys with dots between their parts, such as 'cart.*' [default: all]
    #[arg(long, value_name = "GLOB", help_heading = "Selection")]
    pub key: Vec<String>,
    /// Project file [default: the nearest tulk.toml, here or above]
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub project: Option<PathBuf>,
}

impl SelectArgs {
    pub fn is_whole_project(&self) -> bool {
        self.to.is_empty() && self.file.is_empty() && self.key.is_empty()
    }

    /// Returns these flags as words, for a suggested command with the same selection.
    pub fn repeated(&self) -> Vec<String> {
        let to = (!self.to.is_empty()).then(|| self.to.join(","));
        let project = self.project.as_ref().map(|path| path.display().to_string());
        let flags = [("--to", to)].into_iter().chain(self.file.iter().map(|glob| ("--file", Some(glob.clone()))));
        let flags =
            flags.chain(self.key.iter().map(|glob| ("--key", Some(glob.clone())))).chain([("--project", project)]);
        flags.filter_map(|(flag, value)| Some([flag.to_owned(), value?])).flatten().collect()
    }
}

pub struct LoadedProject {
    pub project: Project,
    pub files: Vec<ProjectFile>,
    pub lock: Lock,
}

#[derive(Clone, Debug)]
pub struct ChosenKeys {
    globs: Vec<String>,
    is_found: Arc<AtomicBool>,
}

impl ChosenKeys {
    /// Fails if there are patterns and no unit of the plan matches any, unless a file was unreadable.
    pub fn check(&self, plan: &SyncPlan) -> Result<(), Failure> {
        if self.globs.is_empty() || self.is_found.load(Ordering::Relaxed) || !plan.unreadable.is_empty() {
            return Ok(());
        }
        let what = format!("--key {}: no key in the selected files matches", one_line(&self.globs.join(", ")));
        Err(Failure::usage(what).hint("`*` matches any characters; write a dot inside a name as `\\.`"))
    }
}

impl LoadedProject {
    pub fn read(ctx: &Context, args: &SelectArgs) -> Result<Self, Failure> {
        let project = Project::find(args.project.as_deref())?;
        if let Some(failure) = project.settings.unknown_words.first().filter(|_| !ctx.args.no_check) {
            let hint = failure.hint.as_ref().map(|hint| format!("{hint} ")).unwrap_or_default();
            return Err(failure.clone().hint(format!("{hint}--no-check accepts any other word")));
        }
        let found = project.files()?;
        for warning in &found.warnings {
            ctx.out.warn(warning);
        }
        if let [first, others @ ..] = found.unmatched.as_slice() {
            for failure in others {
                ctx.out.item_error(&ErrorReport::new(&failure.clone().into()));
            }
            return Err(first.clone());
        }
        let lock = read_lock(ctx, &project)?;
        Ok(Self { project, files: found.files, lock })
    }

    /// Reads the lock again, after the journal has locked the project.
    pub fn refresh_lock(&mut self) {
        let path = self.project.lock_path();
        let text = path.ok().and_then(|path| files::read_text_bounded(&path, CATALOG_FILE).ok());
        if let Some(text) = text.filter(|text| !self.lock.exists || text_hash(text) != self.lock.hash) {
            self.lock = Lock::parse(&text);
        }
    }

    pub fn lang(&self, target: &PlannedTarget) -> &str {
        self.project.settings.langs.get(target.lang).map(|lang| lang.tag.as_str()).unwrap_or_default()
    }

    /// Returns the selected target languages or, with `is_pseudo`, pseudo-languages.
    pub fn langs(&self, args: &SelectArgs, is_pseudo: bool) -> Result<Vec<usize>, Failure> {
        let langs = self.project.settings.langs.iter().enumerate();
        let langs: Vec<(usize, &str)> =
            langs.filter(|(_, lang)| lang.is_pseudo == is_pseudo).map(|(at, lang)| (at, lang.tag.as_str())).collect();
        if args.to.is_empty() {
            return Ok(langs.into_iter().map(|(at, _)| at).collect());
        }
        let mut chosen = Vec::with_capacity(args.to.len());
        for name in &args.to {
            let tag = LangTag::parse(&name.replace('_', "-")).map_or_else(|_| name.clone(), |tag| tag.to_string());
            match langs.iter().find(|(_, known)| *known == tag) {
                Some((at, _)) if !chosen.contains(at) => chosen.push(*at),
                Some(_) => {}
                None => return Err(self.unknown_lang(name, &tag, &langs, is_pseudo)),
            }
        }
        chosen.sort_unstable();
        Ok(chosen)
    }

    fn unknown_lang(&self, name: &str, tag: &str, langs: &[(usize, &str)], is_pseudo: bool) -> Failure {
        let kind = if is_pseudo { "pseudo-language" } else { "target language" };
        let failure = Failure::usage(format!("--to {}: the project has no such {kind}", one_line(name)));
        let known: Vec<&str> = langs.iter().map(|(_, known)| *known).collect();
        if tag == self.project.settings.source_lang.tag {
            return failure.hint("it is the source language");
        }
        if is_pseudo && self.project.settings.langs.iter().any(|lang| lang.tag == tag) {
            return failure.hint("with --sandbox only pseudo_langs are written");
        }
        match closest(tag, known.iter().copied()) {
            Some(near) => failure.hint(format!("did you mean {near}?")),
            None if langs.is_empty() => failure.hint(format!("the project has no {kind}s")),
            None => failure.hint(format!("{kind}s of the project: {}", known.join(", "))),
        }
    }

    /// Returns the source file that was probably meant: the only one with this file name, else one with a similar path.
    fn nearest_file(&self, wanted: &str) -> Option<&str> {
        let names = || self.files.iter().map(|file| file.lock_name.as_str());
        let file_name = |path: &'_ str| path.rsplit('/').next().unwrap_or_default().to_owned();
        let mut same = names().filter(|name| file_name(name) == file_name(wanted));
        let only = same.next().filter(|_| same.next().is_none());
        only.or_else(|| closest(wanted, names()))
    }

    /// Returns the selection for a plan. `lists` selects further units to list besides those that need work.
    pub fn selection(
        &self,
        args: &SelectArgs,
        langs: Vec<usize>,
        lists: impl Fn(&ComparedUnit) -> bool + Sync + 'static,
    ) -> Result<(Selection, ChosenKeys), Failure> {
        let files = parse_patterns("--file", &args.file, PathPattern::parse)?;
        let keys = parse_patterns("--key", &args.key, KeyPattern::parse)?;
        for (glob, pattern) in args.file.iter().zip(&files) {
            if !self.files.iter().any(|file| pattern.matches(&file.lock_name)) {
                let what = format!("--file {}: the project has no such source", one_line(glob));
                let hint = match self.nearest_file(glob) {
                    Some(near) => format!("did you mean --file {}?", shell::command_line([near])),
                    None => "`tulk sync status` lists the files".to_owned(),
                };
                return Err(Failure::usage(what).hint(hint));
            }
        }
        let chosen = ChosenKeys { globs: args.key.clone(), is_found: Arc::default() };
        let is_found = chosen.is_found.clone();
        let is_chosen = move |key: &UnitKey| {
            let fits = keys.is_empty() || keys.iter().any(|pattern| pattern.matches(key));
            if fits && !keys.is_empty() {
                is_found.store(true, Ordering::Relaxed);
            }
            fits
        };
        let selection = Selection {
            langs,
            has_file: Box::new(move |name| files.is_empty() || files.iter().any(|pattern| pattern.matches(name))),
            has_key: Box::new(is_chosen),
            is_listed: Box::new(lists),
            reports_all_states: false,
        };
        Ok((selection, chosen))
    }
}

fn parse_patterns<T>(
    flag: &str,
    globs: &[String],
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, Failure> {
    let parse = |glob: &String| parse(glob).map_err(|why| Failure::usage(format!("{flag}: {why}")));
    globs.iter().map(parse).collect()
}

/// Reads the lock. Warns about unreadable lines and drops them.
fn read_lock(ctx: &Context, project: &Project) -> Result<Lock, Failure> {
    let path = project.root.path.join(LOCK_FILE);
    let text = match files::read_bounded(&project.lock_path()?, CATALOG_FILE) {
        Ok(bytes) => {
            String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Lock::default()),
        Err(error) => return Err(Failure::file("read", &path, &error)),
    };
    let lock = Lock::parse(&text);
    for line in lock.unreadable.iter().take(10) {
        ctx.out.warn(&format!("{}:{line}: the line cannot be read and is dropped", path.display()));
    }
    if let Some(more) = lock.unreadable.len().checked_sub(10).filter(|more| *more > 0) {
        ctx.out.warn(&format!("{}: {} more lines cannot be read and are dropped", path.display(), grouped(more)));
    }
    Ok(lock)
}
