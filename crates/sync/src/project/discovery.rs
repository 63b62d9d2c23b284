//! Where the project file is.
//!
//! Input: the current directory, or a path of the user. Output: the path and the text of the project file.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use tulk_base::error::Failure;
use tulk_base::limits::PROJECT_FILE_BYTES;

use super::PROJECT_FILE;
use super::root::{Place, PlaceFinder, ProjectRoot};

/// Returns the path of the project file: in the current directory or above it, up to the folder that holds `.git`, else up to
/// the home directory.
///
/// Without either, only the current directory counts: what stands above it may be somebody else's.
pub fn find_file(current: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let repository = current.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok());
    let last = repository.or_else(|| current.ancestors().find(|folder| Some(*folder) == home)).unwrap_or(current);
    let folders = current.ancestors().take_while(|folder| folder.starts_with(last));
    folders.map(|folder| folder.join(PROJECT_FILE)).find(|path| path.symlink_metadata().is_ok())
}

/// Returns the failure for a project file that is nowhere.
pub fn not_found() -> Failure {
    Failure::usage(format!("there is no {PROJECT_FILE} here or in a folder above"))
        .hint("`tulk sync init` writes one, and --project FILE names one elsewhere")
}

/// Returns the text of a project file that was found. Links that leave its folder are not followed.
pub fn read_found(path: &Path, root: &ProjectRoot) -> Result<String, Failure> {
    match PlaceFinder::new(root).place(PROJECT_FILE)? {
        Place::File(real) => read(&real, path),
        _ => Err(Failure::usage(format!("{} is not a regular file", path.display()))),
    }
}

/// Returns the text of a project file that the user named.
pub fn read_named(path: &Path) -> Result<String, Failure> {
    let metadata = path.metadata().map_err(|error| Failure::file("read", path, &error))?;
    if metadata.is_dir() {
        let what = format!("{} is a folder", path.display());
        return Err(Failure::usage(what).hint(format!("name the file: {}", path.join(PROJECT_FILE).display())));
    }
    if !metadata.is_file() {
        return Err(Failure::usage(format!("{} is not a regular file", path.display())));
    }
    read(path, path)
}

/// Returns the text of a file; `shown` is its name in messages.
fn read(path: &Path, shown: &Path) -> Result<String, Failure> {
    let fail = |error: std::io::Error| Failure::file("read", shown, &error);
    let mut bytes = Vec::new();
    File::open(path).map_err(fail)?.take(PROJECT_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > PROJECT_FILE_BYTES {
        let what =
            format!("{} is larger than {PROJECT_FILE_BYTES} bytes, the limit of a project file", shown.display());
        return Err(Failure::usage(what));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::usage(format!("{}: invalid UTF-8 at byte {at}", shown.display()))
    })
}
