//! Where a result goes: templates, and proof that it can be written before anything is paid for.
//!
//! Spec: command line, "Files" and "doc".

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::api::language_code::LangCode;
use crate::error::{Failure, Kind, io_message};
use crate::files::{self, is_special};

/// Where results go when nothing is said: beside the source.
const BESIDE: &str = "{dir}/{stem}.{lang}.{ext}";

/// The result of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Stdout.
    Stdout,
    /// A file.
    File(PathBuf),
    /// There will be none: the source cannot be read.
    Nowhere,
}

impl Target {
    /// The file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Stdout | Self::Nowhere => None,
        }
    }
}

/// What `-o` and `--out-dir` ask for.
#[derive(Clone, Debug)]
pub struct Template(String);

impl Template {
    /// From the flags; `from_stdin` makes stdout the usual place.
    pub fn of(output: Option<&str>, out_dir: Option<&Path>, from_stdin: bool) -> Result<Self, Failure> {
        if let Some(dir) = out_dir {
            let dir = dir.to_str().ok_or_else(|| Failure::usage("--out-dir is not valid UTF-8"))?;
            // A brace in the directory's own name is no placeholder.
            return Ok(Self(format!("{}/{{stem}}.{{lang}}.{{ext}}", dir.replace('{', "{{").replace('}', "}}"))));
        }
        let template = match output {
            Some(template) => template.to_owned(),
            None if from_stdin => "-".to_owned(),
            None => BESIDE.to_owned(),
        };
        if template.is_empty() {
            return Err(Failure::usage("-o is empty").hint("name a file, a template, or - for stdout"));
        }
        if template.ends_with('/') || Path::new(&template).is_dir() {
            return Err(Failure::usage(format!("-o {template} is a directory")).hint("use --out-dir for a directory"));
        }
        Ok(Self(template))
    }

    /// Fills in one document's names. `source` is its path, or its file name when it came from stdin.
    pub fn fill(&self, source: &Path, lang: &LangCode, ext: &str) -> Result<Target, Failure> {
        if self.0 == "-" {
            return Ok(Target::Stdout);
        }
        let part = |part: Option<&std::ffi::OsStr>| -> Result<String, Failure> {
            let text = part.unwrap_or_default().to_str();
            text.map(str::to_owned).ok_or_else(|| {
                Failure::usage(format!("{}: the name is not valid UTF-8; name it with -o", source.display()))
            })
        };
        let dir = part(source.parent().map(Path::as_os_str))?;
        let dir = if dir.is_empty() { ".".to_owned() } else { dir };
        let stem = part(source.file_stem())?;
        let mut path = String::new();
        let mut rest = self.0.as_str();
        while let Some(at) = rest.find(['{', '}']) {
            let (before, from) = rest.split_at(at);
            path.push_str(before);
            let doubled = ["{{", "}}"].iter().find(|d| from.starts_with(**d));
            if let Some(doubled) = doubled {
                path.push_str(&doubled.chars().take(1).collect::<String>());
                rest = from.strip_prefix(doubled).unwrap_or_default();
                continue;
            }
            let known = [("{dir}", &*dir), ("{stem}", &*stem), ("{lang}", lang.bcp47()), ("{ext}", ext)];
            let Some((name, value)) = known.iter().find(|(name, _)| from.starts_with(name)) else {
                return Err(Failure::usage(format!("-o {}: unknown placeholder at `{from}`", self.0))
                    .hint("templates know {dir}, {stem}, {lang} and {ext}; write {{ for a brace"));
            };
            path.push_str(value);
            rest = from.strip_prefix(name).unwrap_or_default();
        }
        path.push_str(rest);
        let path = path.strip_prefix("./").unwrap_or(&path);
        // A source without an ending leaves a dot behind.
        Ok(Target::File(PathBuf::from(if ext.is_empty() { path.trim_end_matches('.') } else { path })))
    }
}

/// Refuses two results with one path, before anything is sent.
pub fn refuse_doubles<'a>(targets: impl IntoIterator<Item = (&'a str, &'a Target)>) -> Result<(), Failure> {
    let mut seen: HashMap<PathBuf, &str> = HashMap::new();
    let mut to_stdout = None;
    for (source, target) in targets {
        let first = match target {
            Target::Stdout => to_stdout.replace(source),
            Target::Nowhere => None,
            Target::File(path) if is_special(path) => None,
            Target::File(path) => seen.insert(real(path), source),
        };
        if let Some(first) = first {
            let place = match target {
                Target::File(path) => path.display().to_string(),
                Target::Stdout | Target::Nowhere => "stdout".to_owned(),
            };
            return Err(Failure::usage(format!("two results have the same path: {place} ({first} and {source})"))
                .hint("use a template with {stem} and {lang}, such as -o '{dir}/{stem}.{lang}.{ext}'"));
        }
    }
    Ok(())
}

/// The path with links followed, as far as it exists.
pub fn real(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    let parent = files::parent_dir(path);
    // A link that leads nowhere yet: what it names is what is to be made.
    if let Ok(linked) = fs::read_link(path) {
        return real(&parent.join(linked));
    }
    match path.file_name() {
        Some(name) if parent != path => real_dir(parent).join(name),
        _ => path.to_owned(),
    }
}

fn real_dir(dir: &Path) -> PathBuf {
    fs::canonicalize(dir).or_else(|_| std::path::absolute(dir)).unwrap_or_else(|_| dir.to_owned())
}

/// The file a result grows in, beside its target.
pub fn part_of(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

/// Whether the result must not be written there: a file that is in the way, a directory, the source itself.
pub fn refuse_existing(target: &Path, force: bool) -> Result<(), Failure> {
    let Ok(data) = fs::metadata(target) else { return Ok(()) };
    if data.is_dir() {
        return Err(Failure::usage(format!("{} is a directory", target.display())).hint("name a file with -o"));
    }
    if data.is_file() && !force {
        return Err(Failure::usage(format!("{} is there already", target.display()))
            .hint("--force replaces it, --if-newer only when the source is newer"));
    }
    Ok(())
}

/// Proves that a result can be written: makes the directories, and a file beside the target that goes at once.
pub fn prove_writable(target: &Path) -> Result<(), Failure> {
    if is_special(target) {
        return Ok(());
    }
    let part = part_of(target);
    if part.exists() {
        return Err(Failure::usage(format!("{} is left over from another run", part.display()))
            .hint("look at it and remove it, or replace it with --force"));
    }
    let dir = files::parent_dir(target);
    let proof = fs::create_dir_all(dir).and_then(|()| tempfile::Builder::new().prefix(".tulk-").tempfile_in(dir));
    match proof {
        Ok(_) => Ok(()),
        Err(e) => {
            let what = format!("cannot write {}: {}", target.display(), io_message(&e));
            let full = matches!(e.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
            Err(Failure::new(if full { Kind::Internal } else { Kind::Usage }, what)
                .hint("nothing was uploaded; name another place with -o or --out-dir"))
        }
    }
}

/// Whether a result is there and not older than its source.
pub fn is_up_to_date(source: &Path, target: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    matches!((changed(source), changed(target)), (Some(source), Some(target)) if target >= source)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(template: &str, source: &str, ext: &str) -> String {
        let template = Template::of((!template.is_empty()).then_some(template), None, false).unwrap();
        match template.fill(Path::new(source), &"pt_br".parse().unwrap(), ext).unwrap() {
            Target::Stdout | Target::Nowhere => "-".to_owned(),
            Target::File(path) => path.display().to_string(),
        }
    }

    #[test]
    fn fills_templates() {
        for (template, source, ext, path) in [
            ("", "report.docx", "docx", "report.pt-BR.docx"),
            ("", "a/b.c/report.v2.doc", "docx", "a/b.c/report.v2.pt-BR.docx"),
            ("", "/abs/x.txt", "txt", "/abs/x.pt-BR.txt"),
            ("out/{lang}/{stem}.{ext}", "a/x.html", "html", "out/pt-BR/x.html"),
            ("one.txt", "a/x.txt", "txt", "one.txt"),
            ("{{{stem}}}.{ext}", "x.txt", "txt", "{x}.txt"),
            ("", "noending", "", "noending.pt-BR"),
            ("-", "x.txt", "txt", "-"),
        ] {
            assert_eq!(fill(template, source, ext), path, "{template} {source}");
        }
    }

    #[test]
    fn a_directory_with_braces_stays_as_it_is() {
        let template = Template::of(None, Some(Path::new("o{lang}")), false).unwrap();
        let target = template.fill(Path::new("a/x.txt"), &"de".parse().unwrap(), "txt").unwrap();
        assert_eq!(target, Target::File("o{lang}/x.de.txt".into()));
    }

    #[test]
    fn refuses_what_is_no_template() {
        let template = Template::of(Some("{name}.txt"), None, false).unwrap();
        assert!(template.fill(Path::new("x.txt"), &"de".parse().unwrap(), "txt").unwrap_err().what.contains("{name}"));
        assert!(Template::of(Some("dir/"), None, false).is_err());
        assert!(Template::of(Some(""), None, false).is_err());
    }

    #[test]
    fn two_results_with_one_path_are_refused_however_it_is_spelt() {
        let dir = tempfile::tempdir().unwrap();
        let target = |name: &str| Target::File(dir.path().join(name));
        let (one, two) = (target("x.txt"), target("./x.txt"));
        assert!(refuse_doubles([("a", &one), ("b", &two)]).unwrap_err().what.contains("a and b"));
        assert!(refuse_doubles([("a", &one), ("b", &target("y.txt"))]).is_ok());
        assert!(refuse_doubles([("a", &Target::Stdout), ("b", &Target::Stdout)]).is_err());
        let null = Target::File("/dev/null".into());
        assert!(refuse_doubles([("a", &null), ("b", &null)]).is_ok());
    }

    #[test]
    fn proving_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("new/x.txt");
        prove_writable(&target).unwrap();
        assert_eq!(fs::read_dir(dir.path().join("new")).unwrap().count(), 0);
        fs::write(part_of(&target), "half").unwrap();
        assert!(prove_writable(&target).unwrap_err().what.contains("x.txt.part"));
        assert!(prove_writable(&part_of(&target).join("x")).is_err(), "a file is no directory");
    }
}
