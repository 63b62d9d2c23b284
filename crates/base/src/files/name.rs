//! Names of files beside other files: a suffix after the name, which is shortened if the file system takes no longer one.

use std::path::{Path, PathBuf};

use super::digest::sha256_hex;
use super::path::parent_dir;

/// Size of the longest suffix, `.part.state`. Shorter suffixes shorten a name alike, so that they share its beginning.
const SUFFIX_BYTES: usize = 11;
/// Digits of the digest that stands for what was cut off.
const DIGEST_DIGITS: usize = 16;
/// Maximum size of a name where the file system does not tell.
const NAME_BYTES: usize = 255;

/// Appends a suffix to the file name: `a.txt` and `.part` give `a.txt.part`.
///
/// A long name is cut and gets a digest of the whole, always the same one.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    let max = name_bytes(parent_dir(path));
    if name.len() + SUFFIX_BYTES <= max {
        let mut whole = path.as_os_str().to_owned();
        whole.push(suffix);
        return whole.into();
    }
    let mut digest = sha256_hex(name.as_encoded_bytes());
    digest.truncate(DIGEST_DIGITS);
    let name = name.to_string_lossy();
    let kept = max.saturating_sub(SUFFIX_BYTES + DIGEST_DIGITS + 1);
    let kept = (0..=kept).rev().find_map(|end| name.get(..end)).unwrap_or_default();
    path.with_file_name(format!("{kept}.{digest}{suffix}"))
}

/// Returns the maximum size of a name in a directory, which may be missing.
fn name_bytes(dir: &Path) -> usize {
    #[cfg(unix)]
    {
        let existing = dir.ancestors().find(|dir| dir.is_dir()).unwrap_or(Path::new("."));
        if let Ok(limits) = rustix::fs::statvfs(existing) {
            return usize::try_from(limits.f_namemax).unwrap_or(NAME_BYTES).min(NAME_BYTES);
        }
    }
    let _ = dir;
    NAME_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suffix_is_appended_to_the_whole_name() {
        assert_eq!(with_suffix(Path::new("d/a.txt"), ".part"), Path::new("d/a.txt.part"));
        assert_eq!(with_suffix(Path::new("a"), ".part.state"), Path::new("a.part.state"));
    }

    #[test]
    fn a_long_name_is_shortened_and_stays_its_own() {
        let dir = tempfile::tempdir().unwrap();
        for length in 240..=255 {
            let names = ["x".repeat(length), format!("{}y", "x".repeat(length - 1)), "é".repeat(length / 2)];
            let mut parts = std::collections::HashSet::new();
            for name in &names {
                let path = dir.path().join(name);
                for suffix in [".part", ".part.state"] {
                    let part = with_suffix(&path, suffix);
                    assert_eq!(part, with_suffix(&path, suffix));
                    std::fs::write(&part, "x").unwrap();
                    assert!(parts.insert(part));
                }
            }
        }
    }
}
