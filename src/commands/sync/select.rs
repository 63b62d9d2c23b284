//! Which part of a project a command looks at, and the project as it is on the disk.

use std::path::PathBuf;

use clap::Args;

use crate::catalogs::UnitKey;
use crate::context::Context;
use crate::error::Failure;
use crate::suggest::closest;
use crate::sync::compare::ComparedUnit;
use crate::sync::lock::{Lock, text_hash};
use crate::sync::plan::Selection;
use crate::sync::project::{KeyPattern, LangTag, Project, ProjectFile};

/// The files, languages and keys that a command looks at.
#[derive(Args, Clone, Debug, Default)]
pub struct SelectArgs {
    /// Target languages of the project, comma-separated [default: all]
    #[arg(short = 't', long, value_name = "LANG", value_delimiter = ',', help_heading = "Selection")]
    pub to: Vec<String>,
    /// Source files to look at, such as 'locales/*'
    #[arg(long, value_name = "GLOB", help_heading = "Selection")]
    pub file: Vec<String>,
    /// Keys to look at, such as 'cart.*'
    #[arg(long, value_name = "GLOB", help_heading = "Selection")]
    pub key: Vec<String>,
    /// Project file to use instead of searching for tulk.toml
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub project: Option<PathBuf>,
}

/// A project that was read.
pub struct LoadedProject {
    /// The project.
    pub project: Project,
    /// Its files.
    pub files: Vec<ProjectFile>,
    /// The lock.
    pub lock: Lock,
}

impl LoadedProject {
    /// Reads the project, and prints what is noticeable about its files.
    pub fn read(ctx: &Context, args: &SelectArgs) -> Result<Self, Failure> {
        let project = Project::find(args.project.as_deref())?;
        let found = project.files()?;
        for warning in &found.warnings {
            ctx.out.warn(warning);
        }
        let lock = read_lock(ctx, &project)?;
        Ok(Self { project, files: found.files, lock })
    }

    /// Reads the lock again, once no other run can change it.
    pub fn refresh_lock(&mut self) {
        let text = std::fs::read_to_string(self.project.lock_path()).ok();
        if let Some(text) = text.filter(|text| !self.lock.exists || text_hash(text) != self.lock.hash) {
            self.lock = Lock::parse(&text);
        }
    }

    /// Returns the selected languages: target languages, or with `is_pseudo` pseudo-languages.
    pub fn langs(&self, args: &SelectArgs, is_pseudo: bool) -> Result<Vec<usize>, Failure> {
        let langs = self.project.settings.langs.iter().enumerate();
        let langs: Vec<(usize, &str)> =
            langs.filter(|(_, lang)| lang.is_pseudo == is_pseudo).map(|(at, lang)| (at, lang.tag.as_str())).collect();
        if args.to.is_empty() {
            return Ok(langs.into_iter().map(|(at, _)| at).collect());
        }
        let mut chosen = Vec::with_capacity(args.to.len());
        for name in &args.to {
            let tag =
                LangTag::parse(&name.replace('_', "-")).map(|tag| tag.to_string()).unwrap_or_else(|_| name.clone());
            match langs.iter().find(|(_, known)| *known == tag) {
                Some((at, _)) if !chosen.contains(at) => chosen.push(*at),
                Some(_) => {}
                None => return Err(unknown_lang(name, &tag, &langs, is_pseudo)),
            }
        }
        chosen.sort_unstable();
        Ok(chosen)
    }

    /// Returns what a plan looks at. `lists` tells which units it lists besides those that need something.
    pub fn selection(
        &self,
        args: &SelectArgs,
        langs: Vec<usize>,
        lists: impl Fn(&ComparedUnit) -> bool + Sync + 'static,
    ) -> Result<Selection, Failure> {
        let patterns = |globs: &[String], flag: &str| {
            let parse =
                |glob: &String| KeyPattern::parse(glob).map_err(|why| Failure::usage(format!("{flag} {glob}: {why}")));
            globs.iter().map(parse).collect::<Result<Vec<_>, _>>()
        };
        let (files, keys) = (patterns(&args.file, "--file")?, patterns(&args.key, "--key")?);
        if !files.is_empty() && !self.files.iter().any(|file| fits(&files, &UnitKey::name(&file.lock_name))) {
            let what = format!("--file {}: no source of the project fits", args.file.join(", "));
            return Err(Failure::usage(what).hint("`tulk sync status` lists the files"));
        }
        Ok(Selection {
            langs,
            file: Box::new(move |name| files.is_empty() || fits(&files, &UnitKey::name(name))),
            key: Box::new(move |key| keys.is_empty() || fits(&keys, key)),
            lists: Box::new(lists),
            finds: false,
        })
    }
}

fn fits(patterns: &[KeyPattern], key: &UnitKey) -> bool {
    patterns.iter().any(|pattern| pattern.matches(key))
}

fn unknown_lang(name: &str, tag: &str, langs: &[(usize, &str)], is_pseudo: bool) -> Failure {
    let kind = if is_pseudo { "pseudo-language" } else { "target language" };
    let failure = Failure::usage(format!("--to {name}: the project has no such {kind}"));
    match closest(tag, langs.iter().map(|(_, known)| *known)) {
        Some(near) => failure.hint(format!("did you mean {near}?")),
        None if langs.is_empty() => failure.hint("the project has none"),
        None => {
            let known: Vec<&str> = langs.iter().map(|(_, known)| *known).collect();
            failure.hint(format!("{kind}s of the project: {}", known.join(", ")))
        }
    }
}

/// Reads the lock. Lines that cannot be read are named and dropped.
fn read_lock(ctx: &Context, project: &Project) -> Result<Lock, Failure> {
    let path = project.lock_path();
    let text = match std::fs::read(&path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Lock::default()),
        Err(error) => return Err(Failure::file("read", &path, &error)),
    };
    let lock = Lock::parse(&text);
    for line in lock.unreadable.iter().take(10) {
        ctx.out.warn(&format!("{}:{line}: the line cannot be read and is dropped", path.display()));
    }
    if let Some(more) = lock.unreadable.len().checked_sub(10).filter(|more| *more > 0) {
        ctx.out.warn(&format!("{}: {more} more lines cannot be read and are dropped", path.display()));
    }
    Ok(lock)
}
