//! What must outlive a crash: atomic writes, locks, and where files lie.
//!
//! Nothing here knows what it keeps; see the files beside this one.

pub mod cache;
pub mod documents;
pub mod part;

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use tempfile::NamedTempFile;

use crate::error::{Failure, plain};

/// Who may read a written file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The old file's mode, else 0666 less umask.
    Usual,
    /// Its owner alone: 0600.
    Secret,
}

/// A file that appears under its name whole, or not at all. Dropped without [`AtomicFile::commit`] it leaves nothing.
///
/// Links are followed; a device or FIFO is written directly.
#[derive(Debug)]
pub struct AtomicFile {
    target: PathBuf,
    kind: Kind,
    mode: Mode,
}

#[derive(Debug)]
enum Kind {
    Temporary(NamedTempFile),
    Direct(File),
}

impl AtomicFile {
    /// Makes the temporary file beside the target, and missing parent directories.
    pub fn create(path: &Path, mode: Mode) -> Result<Self, Failure> {
        let fail = |e: io::Error| Failure::file("write", path, &e);
        if is_special(path) {
            let file = OpenOptions::new().write(true).open(path).map_err(fail)?;
            return Ok(Self { target: path.to_path_buf(), kind: Kind::Direct(file), mode });
        }
        if path.is_dir() {
            return Err(Failure::usage(format!("cannot write {}: it is a directory", path.display())));
        }
        let target = resolve(path);
        let parent = parent(&target);
        make_dirs(parent, mode)?;
        let file = tempfile::Builder::new().prefix(".tulk-").suffix(".tmp").tempfile_in(parent).map_err(fail)?;
        Ok(Self { target, kind: Kind::Temporary(file), mode })
    }

    /// Syncs the bytes, gives the file its mode and its name, syncs the directory.
    pub fn commit(self) -> Result<(), Failure> {
        let fail = |e: io::Error| Failure::file("write", &self.target, &e);
        match self.kind {
            Kind::Direct(mut file) => file.flush().map_err(fail),
            Kind::Temporary(file) => {
                if self.mode == Mode::Usual {
                    set_usual_mode(file.as_file(), &self.target).map_err(fail)?;
                }
                file.as_file().sync_all().map_err(fail)?;
                file.persist(&self.target).map_err(|e| fail(e.error))?;
                sync_dir(parent(&self.target));
                Ok(())
            }
        }
    }

    /// Gives the temporary file another name beside the target and keeps it: what a failure left, for people to see.
    pub fn keep_as(self, path: &Path) -> Result<(), Failure> {
        match self.kind {
            Kind::Direct(_) => Ok(()),
            Kind::Temporary(file) => file.persist(path).map(|_| ()).map_err(|e| Failure::file("write", path, &e.error)),
        }
    }

    /// Whether bytes go straight to a device or FIFO.
    pub fn is_direct(&self) -> bool {
        matches!(self.kind, Kind::Direct(_))
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.kind {
            Kind::Direct(file) => file.write(bytes),
            Kind::Temporary(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.kind {
            Kind::Direct(file) => file.flush(),
            Kind::Temporary(file) => file.flush(),
        }
    }
}

/// Writes a file whole, or not at all.
pub fn write_atomic(path: &Path, bytes: &[u8], mode: Mode) -> Result<(), Failure> {
    let mut file = AtomicFile::create(path, mode)?;
    file.write_all(bytes).map_err(|e| Failure::file("write", path, &e))?;
    file.commit()
}

/// Whether a path exists and is neither file nor directory: a device, a FIFO.
pub fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir())
}

/// The file a path leads to, links followed, whether or not it exists.
pub fn resolve(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // A chain of links to a file that is not there yet cannot be canonicalized whole.
    for _ in 0..40 {
        let Ok(to) = std::fs::read_link(&path) else { break };
        path = if to.is_absolute() { to } else { parent(&path).join(to) };
    }
    path
}

/// A path's directory; `.` for a bare name.
pub fn parent(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a directory and those above it; for secrets readable by the owner alone.
pub fn make_dirs(dir: &Path, mode: Mode) -> Result<(), Failure> {
    if dir.is_dir() {
        return Ok(());
    }
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    if mode == Mode::Secret {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    #[cfg(not(unix))]
    let _ = mode;
    builder.create(dir).map_err(|e| Failure::file("make directory", dir, &e))
}

/// Makes names in a directory last; where that is not supported nothing is lost but a guarantee.
pub fn sync_dir(dir: &Path) {
    if let Ok(dir) = File::open(dir) {
        let _ = dir.sync_all();
    }
}

#[cfg(unix)]
fn set_usual_mode(file: &File, target: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = match target.metadata() {
        Ok(old) => old.permissions().mode() & 0o7777,
        Err(_) => 0o666 & !umask(parent(target)),
    };
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_usual_mode(_: &File, _: &Path) -> io::Result<()> {
    Ok(())
}

/// The process's umask, read off a file made and removed at once: asking the kernel needs unsafe code.
#[cfg(unix)]
fn umask(dir: &Path) -> u32 {
    use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
    let probe = dir.join(format!(".tulk-{}-{:x}.tmp", std::process::id(), fastrand::u64(..)));
    let made = OpenOptions::new().write(true).create_new(true).mode(0o666).open(&probe);
    let bits = made.and_then(|f| f.metadata()).map(|m| m.permissions().mode());
    let _ = std::fs::remove_file(&probe);
    bits.map_or(0o022, |bits| 0o666 & !bits)
}

/// An exclusive lock, held until dropped. The file stays: removing it would let two holders in.
#[derive(Debug)]
pub struct Lock(#[allow(dead_code)] File); // held for its lock

/// Waits for the lock of a file made for it.
pub fn lock(path: &Path) -> Result<Lock, Failure> {
    let file = open_lock(path)?;
    file.lock().map_err(|e| Failure::file("lock", path, &e))?;
    Ok(Lock(file))
}

/// Takes a lock if nobody holds it.
pub fn try_lock(path: &Path) -> Result<Option<Lock>, Failure> {
    let file = open_lock(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock(file))),
        Err(std::fs::TryLockError::WouldBlock) => Ok(None),
        Err(std::fs::TryLockError::Error(e)) => Err(Failure::file("lock", path, &e)),
    }
}

fn open_lock(path: &Path) -> Result<File, Failure> {
    make_dirs(parent(path), Mode::Secret)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path).map_err(|e| Failure::file("open", path, &e))
}

fn project() -> Result<ProjectDirs, Failure> {
    ProjectDirs::from("", "", "tulk").ok_or_else(|| {
        Failure::usage("no home directory is known").hint("set HOME, or name the settings file with --config")
    })
}

/// Where settings and keys lie.
pub fn config_dir() -> Result<PathBuf, Failure> {
    Ok(project()?.config_dir().to_path_buf())
}

/// Where answers are kept that can be asked for again.
pub fn cache_dir() -> Result<PathBuf, Failure> {
    Ok(project()?.cache_dir().to_path_buf())
}

/// Where state lies that must not be lost: document handles, the sandbox.
pub fn state_dir() -> Result<PathBuf, Failure> {
    let project = project()?;
    Ok(project.state_dir().unwrap_or_else(|| project.data_local_dir()).to_path_buf())
}

/// Why a file that holds secrets is refused: others can read it.
#[cfg(unix)]
pub fn refuse_if_readable_by_others(path: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt as _;
    let metadata =
        path.metadata().map_err(|e| Failure::usage(format!("cannot read {}: {}", path.display(), plain(&e))))?;
    let mode = metadata.permissions().mode() & 0o777;
    let others = mode & 0o077;
    if others == 0 {
        return Ok(());
    }
    Err(Failure::usage(format!("{} can be read by others (mode {mode:o})", path.display()))
        .hint(format!("run: chmod 600 {}", path.display())))
}

/// Why a file that holds secrets is refused; not known on this platform.
#[cfg(not(unix))]
pub fn refuse_if_readable_by_others(_: &Path) -> Result<(), Failure> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_whole_through_links_and_makes_parents() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("a/b.txt");
        write_atomic(&target, b"one", Mode::Usual).unwrap();
        #[cfg(unix)]
        {
            let link = dir.path().join("link");
            std::os::unix::fs::symlink("a/b.txt", &link).unwrap();
            write_atomic(&link, b"two", Mode::Usual).unwrap();
            assert!(link.symlink_metadata().unwrap().is_symlink());
        }
        #[cfg(not(unix))]
        write_atomic(&target, b"two", Mode::Usual).unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"two");
    }

    #[test]
    fn a_file_that_is_not_committed_leaves_the_old_one() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("x");
        std::fs::write(&target, "old").unwrap();
        let mut file = AtomicFile::create(&target, Mode::Usual).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(std::fs::read(&target).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn modes_are_kept_and_secrets_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let mode = |p: &Path| p.metadata().unwrap().permissions().mode() & 0o777;
        let script = dir.path().join("run");
        std::fs::write(&script, "").unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o754)).unwrap();
        write_atomic(&script, b"x", Mode::Usual).unwrap();
        assert_eq!(mode(&script), 0o754);
        let secret = dir.path().join("s/secret");
        write_atomic(&secret, b"x", Mode::Secret).unwrap();
        assert_eq!((mode(&secret), mode(secret.parent().unwrap())), (0o600, 0o700));
        assert!(refuse_if_readable_by_others(&script).unwrap_err().what.contains("754"));
    }

    #[test]
    fn a_lock_has_one_holder() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let held = lock(&path).unwrap();
        assert!(try_lock(&path).unwrap().is_none());
        drop(held);
        assert!(try_lock(&path).unwrap().is_some());
    }
}
