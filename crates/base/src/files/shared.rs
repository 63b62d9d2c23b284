//! Refuses links and files of other users in sticky directories that anyone can write to, such as `/tmp`.
//!
//! The Linux kernel has the same rule where `fs.protected_symlinks`, `protected_regular` and `protected_fifos` are set. They do not
//! cover links that tulk resolves itself, nor other platforms.

use std::path::Path;

use crate::error::Failure;

/// Fails if a path goes through a link, or leads to a file, that another user put into a sticky directory that anyone can write to.
///
/// A link, FIFO or socket of the directory's owner is accepted. So are paths below `/proc` and `/dev/fd`, which are open files.
#[cfg(unix)]
pub fn check_shared(path: &Path) -> Result<(), Failure> {
    use std::path::{Component, PathBuf};
    let here = Path::new(".");
    let Ok(mut around) = here.metadata() else { return Ok(()) };
    let mut dir = PathBuf::new();
    let mut rest: Vec<PathBuf> = components(path);
    let mut links = 0;
    while let Some(next) = rest.pop() {
        let at = dir.join(&next);
        if at.starts_with("/proc") || at.starts_with("/dev/fd") {
            return Ok(());
        }
        // Below a missing directory, everything is missing.
        let Ok(entry) = at.symlink_metadata() else { return Ok(()) };
        if matches!(next.components().next(), Some(Component::Normal(_))) {
            check_in(&at, &entry, &around)?;
        }
        if !entry.is_symlink() {
            (dir, around) = (at, entry);
            continue;
        }
        links += 1;
        match std::fs::read_link(&at) {
            Ok(target) if links <= super::path::MAX_LINKS => rest.extend(components(&target)),
            _ => return Ok(()),
        }
    }
    Ok(())
}

/// Returns the components of a path, the last one first.
#[cfg(unix)]
fn components(path: &Path) -> Vec<std::path::PathBuf> {
    path.components().rev().map(|component| component.as_os_str().into()).collect()
}

/// Fails if a file belongs to another user and is in a sticky directory that anyone can write to. `file` is the metadata of `path` itself.
#[cfg(unix)]
pub fn check_entry(path: &Path, file: &std::fs::Metadata) -> Result<(), Failure> {
    super::path::parent_dir(path).metadata().map_or(Ok(()), |dir| check_in(path, file, &dir))
}

#[cfg(unix)]
fn check_in(path: &Path, file: &std::fs::Metadata, dir: &std::fs::Metadata) -> Result<(), Failure> {
    use std::os::unix::fs::MetadataExt as _;
    const STICKY_AND_WRITABLE: u32 = 0o1002;
    let is_mine = || file.uid() == rustix::process::geteuid().as_raw();
    // A regular file of the directory's owner is refused: it may have replaced a file of this user.
    let is_of_directory = || !file.is_file() && file.uid() == dir.uid();
    if dir.mode() & STICKY_AND_WRITABLE != STICKY_AND_WRITABLE || file.is_dir() || is_mine() || is_of_directory() {
        return Ok(());
    }
    let kind = if file.is_symlink() { "symbolic link" } else { "file" };
    let dir = super::path::parent_dir(path);
    let dir = dir.canonicalize().unwrap_or_else(|_| dir.to_path_buf());
    let (name, owner, dir) = (path.display(), super::trusted::user(file.uid()), dir.display());
    Err(Failure::usage(format!("{name} is a {kind} of {owner}, in a directory that anyone can write to: {dir}"))
        .hint("use another name, or a directory that only you can write"))
}

/// Accepts every path, because this platform has no such directories.
#[cfg(not(unix))]
pub fn check_shared(_: &Path) -> Result<(), Failure> {
    Ok(())
}

/// Accepts every file, because this platform has no such directories.
#[cfg(not(unix))]
pub fn check_entry(_: &Path, _: &std::fs::Metadata) -> Result<(), Failure> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt as _, lchown, symlink};

    use super::*;
    use crate::files::is_root_to;

    const OTHER: u32 = 65_534;

    #[test]
    fn links_and_files_of_others_are_refused_in_a_directory_that_anyone_can_write_to() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("tmp")).unwrap();
        fs::create_dir(at("home")).unwrap();
        fs::write(at("tmp/file"), "").unwrap();
        symlink("../home", at("tmp/link")).unwrap();
        symlink("tmp/link", at("way")).unwrap();
        symlink("loop", at("loop")).unwrap();
        let paths = ["tmp/file", "tmp/link", "tmp/link/new", "way/new", "tmp/../way/./new"].map(at);
        let set = |mode| fs::set_permissions(at("tmp"), Permissions::from_mode(mode)).unwrap();
        set(0o1777);
        assert!(paths.iter().all(|path| check_shared(path).is_ok()));
        if !is_root_to("make files of other users") {
            return;
        }
        lchown(at("tmp/file"), Some(OTHER), None).unwrap();
        lchown(at("tmp/link"), Some(OTHER), None).unwrap();
        for path in &paths {
            let failure = check_shared(path).unwrap_err();
            assert!(failure.what.contains(&format!("anyone can write to: {}", at("tmp").display())), "{failure}");
        }
        check_shared(&at("tmp/new")).unwrap();
        check_shared(&at("loop")).unwrap();
        // A link of the directory's owner is accepted. A regular file is not.
        lchown(at("tmp"), Some(OTHER), None).unwrap();
        check_shared(&at("tmp/link/new")).unwrap();
        assert!(check_shared(&at("tmp/file")).is_err());
        lchown(at("tmp"), Some(0), None).unwrap();
        for mode in [0o755, 0o777, 0o1775, 0o2775] {
            set(mode);
            assert!(paths.iter().all(|path| check_shared(path).is_ok()));
        }
    }
}
