//! Expands `*` and `?` in file arguments on Windows, where shells pass them to programs unchanged.

use std::path::{Path, PathBuf};

use glob::{MatchOptions, glob_with};
use tulk_base::error::Failure;

/// Replaces each path with `*` or `?` with the files and directories that it matches, sorted. Fails if nothing matches, if a pattern is
/// invalid, such as `a**`, or if a directory cannot be read. Except on Windows, returns the paths unchanged: shells expand them, and a
/// file name may contain these characters.
pub fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    if cfg!(windows) { expand_all(paths) } else { Ok(paths.to_vec()) }
}

fn expand_all(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        match pattern(path) {
            Some(pattern) => files.extend(matching(path, &pattern)?),
            None => files.push(path.clone()),
        }
    }
    Ok(files)
}

/// Returns the pattern of a path with wildcards. A verbatim path, such as `\\?\C:\a.md`, has none.
fn pattern(path: &Path) -> Option<String> {
    let text = path.to_str().filter(|text| text.contains(['*', '?']) && !text.starts_with(r"\\?\"))?;
    // A name may contain `[`, which starts a set of characters in a pattern.
    Some(text.replace('[', "[[]"))
}

fn matching(path: &Path, pattern: &str) -> Result<Vec<PathBuf>, Failure> {
    let name = path.display();
    let options = MatchOptions {
        case_sensitive: !cfg!(windows),
        require_literal_separator: true,
        require_literal_leading_dot: true,
    };
    let found = glob_with(pattern, options).map_err(|error| Failure::usage(format!("{name}: {}", error.msg)))?;
    let files: Result<Vec<PathBuf>, _> = found.collect();
    let files = files.map_err(|error| Failure::file("read", error.path(), error.error()))?;
    if files.is_empty() {
        return Err(Failure::usage(format!("no file matches {name}")));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expands arguments below a directory with some files, and returns the names relative to the directory, with `/`.
    fn expanded(args: &[&str]) -> Result<Vec<String>, Failure> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("sub")).unwrap();
        for name in ["b.md", "a.md", "ab.md", ".hidden.md", "c[1].md", "c1.md", "note.txt", "sub/d.md"] {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        let args: Vec<PathBuf> = args.iter().map(|arg| dir.path().join(arg)).collect();
        let name = |path: PathBuf| path.strip_prefix(dir.path()).unwrap().to_str().unwrap().replace('\\', "/");
        let without_dir = |mut failure: Failure| {
            let dir = format!("{}{}", dir.path().display(), std::path::MAIN_SEPARATOR);
            failure.what = failure.what.replace(&dir, "");
            failure
        };
        expand_all(&args).map(|files| files.into_iter().map(name).collect()).map_err(without_dir)
    }

    #[test]
    fn a_pattern_becomes_the_sorted_names_that_it_matches() {
        for (args, expected) in [
            (&["*.md"][..], &["a.md", "ab.md", "b.md", "c1.md", "c[1].md"][..]),
            (&["?.md"], &["a.md", "b.md"]),
            (&["c[1]*"], &["c[1].md"]),
            (&["*/*.md"], &["sub/d.md"]),
            (&["**/d.md"], &["sub/d.md"]),
            (&["s*"], &["sub"]),
            (&["note.txt", "a*.md", "missing"], &["note.txt", "a.md", "ab.md", "missing"]),
        ] {
            assert_eq!(expanded(args).unwrap(), expected, "{args:?}");
        }
    }

    #[test]
    fn a_pattern_without_files_is_refused() {
        assert_eq!(expanded(&["a.md", "*.docx"]).unwrap_err().what, "no file matches *.docx");
        assert!(expanded(&["a**.md"]).unwrap_err().what.starts_with("a**.md: recursive wildcards must"));
    }

    #[test]
    fn only_windows_expands_patterns() {
        let paths = [PathBuf::from("-"), PathBuf::from(r"\\?\C:\a.md")];
        assert_eq!(expand(&paths).unwrap(), paths);
        let missing = [PathBuf::from("missing-*")];
        assert_eq!(expand(&missing).is_err(), cfg!(windows));
    }
}
