//! The folder of a project, and the check that paths do not lead out of it. Each symbolic link in a path is resolved and
//! checked before anything behind it is accessed. Links above the project are allowed.

use std::collections::HashMap;
use std::fs::FileType;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::{check_entry, check_shared};
use tulk_base::suggest::one_line;

use super::path_check::{check_path, is_off_limits};

/// The folder of a project, with symbolic links resolved.
#[derive(Clone, Debug)]
pub struct ProjectRoot {
    /// The folder for messages.
    pub path: PathBuf,
    real: PathBuf,
}

/// What a path of the project resolves to, with the real path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResolvedPath {
    /// Does not exist yet.
    Missing(PathBuf),
    /// A regular file.
    File(PathBuf),
    /// A folder.
    Folder(PathBuf),
    /// A FIFO, a device or a socket.
    Other(PathBuf),
}

impl ResolvedPath {
    /// Returns the real path.
    pub fn path(&self) -> &Path {
        match self {
            Self::Missing(path) | Self::File(path) | Self::Folder(path) | Self::Other(path) => path,
        }
    }
}

impl ProjectRoot {
    /// Fails if the folder does not exist.
    pub fn new(path: &Path) -> Result<Self, Failure> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let real = path.canonicalize().file_context("open", path)?;
        Ok(Self { path: path.to_path_buf(), real })
    }

    /// Returns the real path of the folder.
    pub fn real(&self) -> &Path {
        &self.real
    }
}

/// Resolves paths. Caches folders.
#[derive(Debug)]
pub struct PathResolver<'a> {
    root: &'a ProjectRoot,
    folders: HashMap<String, ResolvedPath>,
}

impl<'a> PathResolver<'a> {
    pub fn new(root: &'a ProjectRoot) -> Self {
        Self { root, folders: HashMap::new() }
    }

    /// Fails if the path leads out of the project, through a dangling link, or through a file.
    pub fn resolve(&mut self, path: &str) -> Result<ResolvedPath, Failure> {
        check_path(path).map_err(Failure::usage)?;
        match path.rsplit_once('/') {
            None => self.root.resolve_name(&ResolvedPath::Folder(self.root.real.clone()), path, path),
            Some((folder, name)) => {
                let folder = self.resolve_folder(folder)?;
                self.root.resolve_name(&folder, name, path)
            }
        }
    }

    /// An empty path is the project folder.
    pub fn resolve_folder(&mut self, path: &str) -> Result<ResolvedPath, Failure> {
        let mut resolved = ResolvedPath::Folder(self.root.real.clone());
        if path.is_empty() {
            return Ok(resolved);
        }
        if let Some(resolved) = self.folders.get(path) {
            return Ok(resolved.clone());
        }
        let mut start = 0;
        for name in path.split('/') {
            let end = start + name.len();
            let so_far = path.get(..end).unwrap_or(path);
            resolved = if let Some(resolved) = self.folders.get(so_far) {
                resolved.clone()
            } else {
                let next = self.root.resolve_name(&resolved, name, so_far)?;
                self.folders.insert(so_far.to_owned(), next.clone());
                next
            };
            start = end + 1;
        }
        Ok(resolved)
    }
}

impl ProjectRoot {
    /// `path` is for messages.
    fn resolve_name(&self, folder: &ResolvedPath, name: &str, path: &str) -> Result<ResolvedPath, Failure> {
        let within = match folder {
            ResolvedPath::Missing(folder) => return Ok(ResolvedPath::Missing(folder.join(name))),
            ResolvedPath::Folder(folder) => folder,
            ResolvedPath::File(_) | ResolvedPath::Other(_) => {
                let above = path.rsplit_once('/').map_or("", |(above, _)| above);
                return Err(Failure::usage(format!("{} is not a folder", one_line(above))));
            }
        };
        let next = within.join(name);
        let metadata = match next.symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(ResolvedPath::Missing(next)),
            Err(error) => return Err(Failure::file("open", &self.path.join(path), &error)),
            Ok(metadata) => metadata,
        };
        check_entry(&next, &metadata)?;
        // On Windows, a junction is a link that looks like a folder.
        if !metadata.is_symlink() && !metadata.is_dir() {
            return Ok(resolved_path(metadata.file_type(), next));
        }
        let real = next.canonicalize().map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                Failure::usage(format!("{} is a link to a file that does not exist", one_line(path)))
                    .hint("remove the link, or create the file")
            }
            _ => Failure::file("open", &self.path.join(path), &error),
        })?;
        self.check_inside(&real, path)?;
        check_shared(&next)?;
        let metadata = real.symlink_metadata().file_context("open", self.path.join(path))?;
        Ok(resolved_path(metadata.file_type(), real))
    }

    /// Fails if a real path is outside the project or in a folder that is off limits.
    fn check_inside(&self, real: &Path, path: &str) -> Result<(), Failure> {
        let Ok(inside) = real.strip_prefix(&self.real) else {
            return Err(Failure::usage(format!(
                "{} is a link that leaves the project: it leads to {}",
                one_line(path),
                one_line(&real.display().to_string())
            ))
            .hint("replace the link with the file, or use a path inside the project"));
        };
        if inside.components().any(|part| is_off_limits(&part.as_os_str().to_string_lossy())) {
            let what = format!(
                "{} is a link to {}, which is off limits",
                one_line(path),
                one_line(&inside.display().to_string())
            );
            return Err(Failure::usage(what).hint("no file in .git or .github may be read or written"));
        }
        Ok(())
    }
}

fn resolved_path(kind: FileType, path: PathBuf) -> ResolvedPath {
    if kind.is_file() {
        ResolvedPath::File(path)
    } else if kind.is_dir() {
        ResolvedPath::Folder(path)
    } else {
        ResolvedPath::Other(path)
    }
}
