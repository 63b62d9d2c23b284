//! Paths of outputs: templates, and a check that no output overwrites an input or another output.
//!
//! Input: the value of `-o` or `--out-dir`, and the names of an input. Output: paths, or a failure before anything is sent. Does not
//! open files. Used by translate, write, doc and voice.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use tulk_base::error::Failure;
use tulk_base::files::{FileIdentity, check_shared, is_special};

/// A placeholder in a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placeholder {
    /// Directory of the input. For a bare file name, this is `.`, which is dropped at the start of a path.
    Dir,
    /// Directory of the file, relative to the directory on the command line; empty if the file itself is on the command line.
    Path,
    /// File name of the input without its extension.
    Stem,
    /// Target language as a BCP 47 tag, such as `pt-BR`.
    Lang,
    /// Extension of the result with its dot; empty if there is none.
    Ext,
}

impl Placeholder {
    const ALL: [(&str, Self); 5] =
        [("dir", Self::Dir), ("path", Self::Path), ("stem", Self::Stem), ("lang", Self::Lang), ("ext", Self::Ext)];
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TemplatePart {
    Literal(OsString),
    Placeholder(Placeholder),
}

/// A parsed template. Without placeholders, it is the path of one file.
///
/// `{{` and `}}` are literal braces. A dot before `{ext}` is dropped, because the extension includes its dot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputTemplate(Vec<TemplatePart>);

impl OutputTemplate {
    /// Parses the value of an option such as `-o`. Fails on unknown names in braces and on unmatched braces.
    pub fn parse(option: &str, text: &str) -> Result<Self, Failure> {
        if text.is_empty() {
            return Err(Failure::usage(format!("{option} is empty")).hint("pass a file or a template"));
        }
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, from) = rest.split_at(at);
            literal.push_str(before);
            if let Some(after) = from.strip_prefix("{{") {
                literal.push('{');
                rest = after;
                continue;
            }
            if let Some(after) = from.strip_prefix("}}") {
                literal.push('}');
                rest = after;
                continue;
            }
            let named = from.strip_prefix('{').and_then(|inner| inner.split_once('}'));
            let known = named.and_then(|(name, after)| {
                Placeholder::ALL.iter().find(|(known, _)| *known == name).map(|(_, placeholder)| (*placeholder, after))
            });
            let Some((placeholder, after)) = known else { return Err(unknown_placeholder(option, text, named)) };
            if placeholder == Placeholder::Ext && literal.ends_with('.') {
                literal.pop();
            }
            if !literal.is_empty() {
                parts.push(TemplatePart::Literal(std::mem::take(&mut literal).into()));
            }
            parts.push(TemplatePart::Placeholder(placeholder));
            rest = after;
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            parts.push(TemplatePart::Literal(literal.into()));
        }
        Ok(Self(parts))
    }

    /// Returns the default of `doc`: `{dir}/{stem}.{lang}{ext}`.
    pub fn beside_input() -> Self {
        let mut parts = vec![TemplatePart::Placeholder(Placeholder::Dir), TemplatePart::Literal("/".into())];
        parts.extend(Self::name_parts());
        Self(parts)
    }

    /// Returns `{path}/{stem}.{lang}{ext}` in a directory. Braces in the directory's name are literal.
    pub fn in_dir(dir: &Path) -> Self {
        let mut prefix = dir.as_os_str().to_owned();
        prefix.push("/");
        let path = TemplatePart::Placeholder(Placeholder::Path);
        let mut parts = vec![TemplatePart::Literal(prefix), path, TemplatePart::Literal("/".into())];
        parts.extend(Self::name_parts());
        Self(parts)
    }

    fn name_parts() -> [TemplatePart; 4] {
        [
            TemplatePart::Placeholder(Placeholder::Stem),
            TemplatePart::Literal(".".into()),
            TemplatePart::Placeholder(Placeholder::Lang),
            TemplatePart::Placeholder(Placeholder::Ext),
        ]
    }

    /// Returns whether the template has this placeholder.
    pub fn has(&self, placeholder: Placeholder) -> bool {
        self.0.contains(&TemplatePart::Placeholder(placeholder))
    }

    /// Returns the directory that contains all results: the literal directory before the first placeholder.
    pub fn fixed_dir(&self) -> Option<&Path> {
        let Some(TemplatePart::Literal(text)) = self.0.first() else { return None };
        let text = Path::new(text);
        let is_dir = text.as_os_str().as_encoded_bytes().ends_with(b"/");
        if is_dir { Some(text) } else { text.parent() }.filter(|dir| !dir.as_os_str().is_empty())
    }

    /// Returns the path for an input that was given as a file.
    pub fn fill(&self, input: &Path, lang: &str, ext: &str) -> PathBuf {
        self.fill_below(input, Path::new(""), lang, ext)
    }

    /// Returns the path for an input that was found in the subdirectory `below` of a given directory. `ext` has no dot. If `ext` is
    /// empty, so is `{ext}`; if `below` is empty, the slash after `{path}` is dropped, unless other text directly precedes `{path}`.
    ///
    /// Braces in the names of the input are literal.
    pub fn fill_below(&self, input: &Path, below: &Path, lang: &str, ext: &str) -> PathBuf {
        let dir = input.parent().map(Path::as_os_str).filter(|dir| !dir.is_empty()).unwrap_or(OsStr::new("."));
        let mut path = OsString::new();
        let mut without_slash = false;
        for part in &self.0 {
            let follows_nothing = std::mem::replace(&mut without_slash, false);
            match part {
                TemplatePart::Literal(text) => match text.to_str().and_then(|text| text.strip_prefix('/')) {
                    Some(text) if follows_nothing => path.push(text),
                    _ => path.push(text),
                },
                TemplatePart::Placeholder(Placeholder::Path) => {
                    let starts_name = path.is_empty() || path.as_encoded_bytes().ends_with(b"/");
                    without_slash = starts_name && below.as_os_str().is_empty();
                    path.push(below);
                }
                TemplatePart::Placeholder(Placeholder::Dir) => path.push(dir),
                TemplatePart::Placeholder(Placeholder::Stem) => path.push(input.file_stem().unwrap_or_default()),
                TemplatePart::Placeholder(Placeholder::Lang) => path.push(lang),
                TemplatePart::Placeholder(Placeholder::Ext) if ext.is_empty() => {}
                TemplatePart::Placeholder(Placeholder::Ext) => {
                    path.push(".");
                    path.push(ext);
                }
            }
        }
        let path = PathBuf::from(path);
        path.strip_prefix(".").map_or_else(|_| path.clone(), Path::to_path_buf)
    }
}

fn unknown_placeholder(option: &str, text: &str, named: Option<(&str, &str)>) -> Failure {
    let what = match named {
        Some((name, _)) => format!("{option} `{text}`: unknown placeholder `{{{name}}}`"),
        None => format!("{option} `{text}`: unmatched brace"),
    };
    Failure::usage(what).hint("placeholders are {dir}, {path}, {stem}, {lang} and {ext}; write {{ and }} for braces")
}

/// The inputs and outputs of a run. Different paths of the same file count as one.
///
/// Devices and FIFOs, such as `/dev/null`, may occur any number of times.
#[derive(Debug, Default)]
pub struct OutputCollisions {
    inputs: HashMap<FileIdentity, String>,
    outputs: HashMap<FileIdentity, String>,
}

impl OutputCollisions {
    /// Adds an input, which no output may overwrite. Ignores `-`, which is stdin.
    pub fn add_input(&mut self, input: &Path) {
        // A descriptor such as `-i /dev/stdin` may lead to a regular file.
        if input != Path::new("-") && !input.metadata().is_ok_and(|m| !m.is_file()) {
            self.inputs.insert(FileIdentity::new(input), input.display().to_string());
        }
    }

    /// Adds an output. `result_of` names its source in messages. Fails if the path is an input or another output, or if [`check_shared`]
    /// refuses it.
    pub fn add_output(&mut self, output: &Path, result_of: &str) -> Result<(), Failure> {
        let identity = FileIdentity::new(output);
        if self.inputs.contains_key(&identity) {
            return Err(Failure::usage(format!("{} is both an input and an output", output.display()))
                .hint("choose another name with -o"));
        }
        self.add(output, result_of, "use {stem} and {lang} in -o, such as -o '{dir}/{stem}.{lang}{ext}'")
    }

    /// Adds an output that may replace its own input, as with `--in-place`. Fails if the path is another output, or if [`check_shared`]
    /// refuses it.
    pub fn add_replacement(&mut self, output: &Path, result_of: &str) -> Result<(), Failure> {
        self.add(output, result_of, "list each file only once")
    }

    fn add(&mut self, output: &Path, result_of: &str, hint: &str) -> Result<(), Failure> {
        check_shared(output)?;
        if is_special(output) {
            return Ok(());
        }
        match self.outputs.insert(FileIdentity::new(output), result_of.to_owned()) {
            None => Ok(()),
            Some(first) => Err(Failure::usage(format!(
                "two results have the same path: {} ({first} and {result_of})",
                output.display()
            ))
            .hint(hint)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(template: &str, input: &str, ext: &str) -> String {
        let template = OutputTemplate::parse("-o", template).unwrap();
        template.fill(Path::new(input), "pt-BR", ext).display().to_string()
    }

    #[test]
    fn placeholders_are_filled_in() {
        for (template, input, ext, path) in [
            ("{dir}/{stem}.{lang}{ext}", "a/b.c.txt", "txt", "a/b.c.pt-BR.txt"),
            ("{dir}/{stem}.{lang}.{ext}", "a/b.txt", "txt", "a/b.pt-BR.txt"),
            ("{dir}/{stem}.{lang}.{ext}", "report.docx", "docx", "report.pt-BR.docx"),
            ("{dir}/{stem}.{lang}{ext}", "/abs/x.doc", "docx", "/abs/x.pt-BR.docx"),
            ("out/{lang}/{stem}{ext}", "b", "", "out/pt-BR/b"),
            ("{stem}.{lang}.{ext}", "b", "", "b.pt-BR"),
            ("{{{stem}}}{ext}", "x.txt", "txt", "{x}.txt"),
            ("one.txt", "a/x.txt", "txt", "one.txt"),
        ] {
            assert_eq!(fill(template, input, ext), path, "{template} {input}");
        }
    }

    #[test]
    fn an_empty_subdirectory_adds_no_slash() {
        for (template, below, path) in [
            ("i18n/{lang}/{path}/{stem}{ext}", "", "i18n/de/b.txt"),
            ("i18n/{lang}/{path}/{stem}{ext}", "a/c", "i18n/de/a/c/b.txt"),
            ("{path}/{stem}.{lang}{ext}", "", "b.de.txt"),
            ("{path}/{stem}.{lang}{ext}", "a", "a/b.de.txt"),
            ("out{path}/{stem}{ext}", "", "out/b.txt"),
        ] {
            let parsed = OutputTemplate::parse("-o", template).unwrap();
            let filled = parsed.fill_below(Path::new("pages/a/b.txt"), Path::new(below), "de", "txt");
            assert_eq!(filled.display().to_string(), path, "{template} {below}");
        }
    }

    #[test]
    fn the_fixed_directory_ends_before_the_first_placeholder() {
        let fixed = |template| {
            let parsed = OutputTemplate::parse("-o", template).unwrap();
            parsed.fixed_dir().map(Path::to_path_buf)
        };
        assert_eq!(fixed("a/i18n/{lang}/{stem}"), Some("a/i18n/".into()));
        assert_eq!(fixed("a/x-{lang}"), Some("a".into()));
        assert_eq!(fixed("{lang}/{stem}"), None);
        assert_eq!(fixed("x-{lang}"), None);
    }

    #[test]
    fn keeps_braces_in_the_name_of_an_input() {
        assert_eq!(fill("{stem}.{lang}{ext}", "b{lang}.txt", "txt"), "b{lang}.pt-BR.txt");
        let dir = OutputTemplate::in_dir(Path::new("o{lang}"));
        assert_eq!(dir.fill(Path::new("a/x.txt"), "de", "txt"), Path::new("o{lang}/x.de.txt"));
    }

    #[test]
    fn refuses_unknown_names_and_unmatched_braces() {
        let what = |text| OutputTemplate::parse("-o", text).unwrap_err().what;
        assert_eq!(what("{name}.txt"), "-o `{name}.txt`: unknown placeholder `{name}`");
        for text in ["{stem", "a}b", "{", "{stem}}"] {
            assert!(what(text).ends_with("unmatched brace"), "{text}");
        }
        assert_eq!(what(""), "-o is empty");
    }

    #[test]
    fn refuses_two_results_for_the_same_file_under_different_paths() {
        let dir = tempfile::tempdir().unwrap();
        let mut run = OutputCollisions::default();
        run.add_output(&dir.path().join("x.txt"), "a").unwrap();
        run.add_output(&dir.path().join("y.txt"), "b").unwrap();
        let failure = run.add_output(&dir.path().join("./x.txt"), "c").unwrap_err();
        assert!(failure.what.starts_with("two results have the same path") && failure.what.ends_with("(a and c)"));
    }

    #[cfg(unix)]
    #[test]
    fn an_input_is_not_replaced_through_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let (input, link) = (dir.path().join("in.txt"), dir.path().join("link.txt"));
        std::fs::write(&input, "text").unwrap();
        std::os::unix::fs::symlink("in.txt", &link).unwrap();
        let mut run = OutputCollisions::default();
        run.add_input(&input);
        assert!(run.add_output(&link, "in.txt").unwrap_err().what.contains("both an input and an output"));
        run.add_replacement(&input, "in.txt").unwrap();
    }

    #[test]
    fn a_file_that_is_replaced_twice_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let mut run = OutputCollisions::default();
        run.add_replacement(&dir.path().join("x.txt"), "a").unwrap();
        let failure = run.add_replacement(&dir.path().join("x.txt"), "b").unwrap_err();
        assert_eq!(failure.hint.as_deref(), Some("list each file only once"));
    }

    #[test]
    fn ignores_stdin_and_directories_as_inputs() {
        let dir = tempfile::tempdir().unwrap();
        let mut run = OutputCollisions::default();
        run.add_input(Path::new("-"));
        run.add_input(dir.path());
        run.add_output(Path::new("-"), "a").unwrap();
        run.add_output(dir.path(), "b").unwrap();
        // A file that does not exist yet still counts as an input.
        run.add_input(&dir.path().join("later.txt"));
        assert!(run.add_output(&dir.path().join("later.txt"), "c").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn devices_may_be_named_twice() {
        let mut run = OutputCollisions::default();
        run.add_output(Path::new("/dev/null"), "a").unwrap();
        run.add_output(Path::new("/dev/null"), "b").unwrap();
    }
}
