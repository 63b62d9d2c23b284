//! Validates paths in a project file: relative, below the project, in one notation. Does not access the file system.

use tulk_base::numbers::counted;
use tulk_base::suggest::one_line;

const MAX_PARTS: usize = 128;
const MAX_BYTES: usize = 4096;

/// Folders that cannot contain catalogues, because their files are executed or configure the repository. `git~1` is the
/// short name of `.git` on Windows.
const OFF_LIMITS_FOLDERS: [&str; 3] = [".git", ".github", "git~1"];

/// Refuses `..`, absolute paths, `.git` and `.github`, backslashes and control characters.
pub fn check_path(path: &str) -> Result<(), String> {
    let quoted = one_line(path);
    if path.is_empty() {
        return Err("the path is empty".to_owned());
    }
    if path.chars().any(char::is_control) {
        return Err(format!("`{quoted}` has control characters"));
    }
    if path.contains('\\') {
        return Err(format!("`{quoted}`: write `/` between folders"));
    }
    let is_drive = matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if path.starts_with('/') || path.starts_with('~') || is_drive {
        return Err(format!("`{quoted}` is not relative; paths are relative to the directory of tulk.toml"));
    }
    if path.len() > MAX_BYTES || path.split('/').count() > MAX_PARTS {
        return Err(format!("a path has more than {} or {MAX_PARTS} parts", counted(MAX_BYTES, "byte")));
    }
    for part in path.split('/') {
        match part {
            ".." => return Err(format!("`{quoted}`: `..` is not allowed, since all files are in the project")),
            "" | "." => return Err(format!("`{quoted}` has an empty part")),
            _ if is_off_limits(part) => {
                return Err(format!("`{quoted}`: no file in `{}` may be read or written", one_line(part)));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns whether a file system may resolve this name to a folder that is off limits. Some file systems ignore case,
/// trailing dots and spaces, invisible characters, or a colon and the text after it.
pub fn is_off_limits(name: &str) -> bool {
    let is_ignored =
        |c: char| matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    let name: String = name.chars().filter(|c| !is_ignored(*c)).flat_map(char::to_lowercase).collect();
    let name = name.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    OFF_LIMITS_FOLDERS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_paths_below_the_project() {
        for path in [
            "a",
            "a/b.json",
            "locales/{lang}/**/*.json",
            "a..b/c",
            "…/x",
            ".gitignore",
            ".github2/x",
            "a b/c",
            "[lang]/x",
            "git/x",
        ] {
            assert_eq!(check_path(path), Ok(()), "{path}");
        }
    }

    #[test]
    fn refuses_other_paths() {
        for (path, why) in [
            ("", "the path is empty"),
            ("/etc/passwd", "`/etc/passwd` is not relative; paths are relative to the directory of tulk.toml"),
            ("~/x", "`~/x` is not relative; paths are relative to the directory of tulk.toml"),
            ("C:/x", "`C:/x` is not relative; paths are relative to the directory of tulk.toml"),
            ("a/../../b", "`a/../../b`: `..` is not allowed, since all files are in the project"),
            ("a\\b", "`a\\b`: write `/` between folders"),
            ("a//b", "`a//b` has an empty part"),
            ("a/./b", "`a/./b` has an empty part"),
            ("a\n/b", "`a\\n/b` has control characters"),
            (".git/config", "`.git/config`: no file in `.git` may be read or written"),
            ("x/.GitHub/workflows/a.yml", "`x/.GitHub/workflows/a.yml`: no file in `.GitHub` may be read or written"),
        ] {
            assert_eq!(check_path(path), Err(why.to_owned()), "{path:?}");
        }
        for path in [".git./x", ".GIT /x", ".git::$INDEX_ALLOCATION/x", "git~1/x", ".g\u{200c}it/x", "a/.git"] {
            assert!(check_path(path).is_err(), "{path:?}");
        }
        assert!(check_path(&"a/".repeat(200)).is_err() && check_path(&"a".repeat(5000)).is_err());
    }
}
