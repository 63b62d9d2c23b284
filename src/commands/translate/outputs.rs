//! Where results go: stdout, a file, a template, or the input's own place.

use std::path::{Path, PathBuf};

use crate::api::language_code::LangCode;
use crate::error::Failure;

/// Where one result goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Standard output.
    Stdout,
    /// A file.
    File(PathBuf),
}

/// Whether an `-o` value holds a placeholder.
pub fn is_template(output: &str) -> bool {
    ["{dir}", "{stem}", "{lang}", "{ext}"].iter().any(|p| output.contains(p))
}

/// Fills in a template for an input and a target. `{ext}` is the input's, with its dot.
///
/// Without a directory `{dir}` is `.`; a template that starts elsewhere is relative to the current directory.
pub fn fill(template: &str, input: &Path, lang: &LangCode) -> PathBuf {
    let dir = input.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let stem = input.file_stem().unwrap_or_default().to_string_lossy();
    let ext = input.extension().map(|e| format!(".{}", e.to_string_lossy())).unwrap_or_default();
    // `{stem}.{ext}` is written by people who expect no dot in {ext}.
    let template = if ext.is_empty() { template.replace(".{ext}", "") } else { template.replace(".{ext}", "{ext}") };
    let filled = template
        .replace("{dir}", &dir.to_string_lossy())
        .replace("{stem}", &stem)
        .replace("{lang}", lang.bcp47())
        .replace("{ext}", &ext);
    PathBuf::from(filled)
}

/// Refuses two results with one path, and a result that is an input unless `in_place`.
pub fn check(places: &[(PathBuf, PathBuf)], inputs: &[PathBuf], in_place: bool) -> Result<(), Failure> {
    let mut seen: Vec<(PathBuf, &Path)> = Vec::new();
    for (input, output) in places {
        let real = real(output);
        if let Some((_, first)) = seen.iter().find(|(path, _)| *path == real && !is_device(output)) {
            return Err(Failure::usage(format!(
                "two results go to {}: of {} and of {}",
                output.display(),
                first.display(),
                input.display()
            ))
            .hint("use {lang} and {stem} in -o"));
        }
        seen.push((real.clone(), input));
        if !in_place && inputs.iter().any(|i| self::real(i) == real && i != Path::new("-")) {
            return Err(Failure::usage(format!("{} is an input and the output", output.display()))
                .hint("use --in-place to replace it"));
        }
    }
    Ok(())
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| {
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let parent = parent.canonicalize().unwrap_or_else(|_| parent.to_path_buf());
        parent.join(path.file_name().unwrap_or_default())
    })
}

fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_templates() {
        let lang: LangCode = "pt-br".parse().unwrap();
        for (template, input, path) in [
            ("{dir}/{stem}.{lang}{ext}", "a/b.c.txt", "a/b.c.pt-BR.txt"),
            ("{dir}/{stem}.{lang}.{ext}", "a/b.txt", "a/b.pt-BR.txt"),
            ("out/{lang}/{stem}{ext}", "b", "out/pt-BR/b"),
            ("{stem}.{lang}.{ext}", "b", "b.pt-BR"),
            ("{dir}/x", "b", "./x"),
        ] {
            assert_eq!(fill(template, Path::new(input), &lang), Path::new(path), "{template}");
        }
    }

    #[test]
    fn refuses_two_results_with_one_path() {
        let places = [("a".into(), "out.txt".into()), ("b".into(), "./out.txt".into())];
        assert!(check(&places, &[], false).unwrap_err().what.contains("out.txt"));
    }
}
