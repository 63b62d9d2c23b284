//! Which paths a project may name: those below it, written one way.
//!
//! Input: a path or a pattern as text. Output: what is wrong with it. Nothing here looks at files.

use tulk_base::numbers::counted;
use tulk_base::suggest::one_line;

/// Maximum number of parts of a path.
const PARTS: usize = 128;
/// Maximum length of a path.
const BYTES: usize = 4096;

/// Folders of which no part of a project's catalogues is: what stands there is run or steers the repository.
const CLOSED: [&str; 3] = [".git", ".github", "git~1"];

/// Fails with what is wrong with a relative path: `..`, an absolute path, `.git`, a backslash, control characters.
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
        return Err(format!("`{quoted}` is not relative; paths are relative to the folder of tulk.toml"));
    }
    if path.len() > BYTES || path.split('/').count() > PARTS {
        return Err(format!("a path has more than {} or {PARTS} parts", counted(BYTES, "byte")));
    }
    for part in path.split('/') {
        match part {
            ".." => return Err(format!("`{quoted}`: `..` is not allowed, since all files are in the project")),
            "" | "." => return Err(format!("`{quoted}` has an empty part")),
            _ if is_closed(part) => {
                return Err(format!("`{quoted}`: no file in `{}` may be read or written", one_line(part)));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns whether a name is that of a closed folder, in any case, and as file systems may read it: without dots and blanks at
/// the end, a stream after a colon, or characters that are ignored.
pub fn is_closed(name: &str) -> bool {
    let is_ignored =
        |c: char| matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    let name: String = name.chars().filter(|c| !is_ignored(*c)).flat_map(char::to_lowercase).collect();
    let name = name.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    CLOSED.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_below_the_project_are_fine() {
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
    fn other_paths_are_refused() {
        for (path, why) in [
            ("", "the path is empty"),
            ("/etc/passwd", "`/etc/passwd` is not relative; paths are relative to the folder of tulk.toml"),
            ("~/x", "`~/x` is not relative; paths are relative to the folder of tulk.toml"),
            ("C:/x", "`C:/x` is not relative; paths are relative to the folder of tulk.toml"),
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
