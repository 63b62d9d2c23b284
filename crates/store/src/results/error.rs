//! What can be wrong with the database of results, and how it is told: also that it is on a network file system, because machines that
//! share one cannot share a database on it.

use std::path::Path;

use rusqlite::{Error, ErrorCode};
use tulk_base::error::Failure;

/// Why the database cannot be used.
#[derive(Debug)]
pub(super) enum CacheTrouble {
    /// It is damaged, or something else has its name.
    Broken,
    /// A later version of tulk wrote it.
    Newer,
    /// Another process has locked it for longer than we wait.
    Busy,
    /// SQLite failed: the disk is full, for example.
    Database(Error),
    /// Its directory cannot be used.
    Directory(Failure),
}

impl From<Error> for CacheTrouble {
    fn from(error: Error) -> Self {
        match &error {
            Error::SqliteFailure(cause, _) => match cause.code {
                // The last one says that tables or columns are missing.
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown => Self::Broken,
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed => {
                    Self::Busy
                }
                _ => Self::Database(error),
            },
            Error::SqlInputError { .. }
            | Error::FromSqlConversionFailure(..)
            | Error::IntegralValueOutOfRange(..)
            | Error::InvalidColumnType(..)
            | Error::InvalidColumnIndex(_)
            | Error::Utf8Error(..) => Self::Broken,
            _ => Self::Database(error),
        }
    }
}

const OTHER_DIRECTORY: &str = "set TULK_CACHE_DIR to a directory that you can write";

impl CacheTrouble {
    /// Returns the failure to tell the user. `path` is that of the database.
    pub(super) fn failure(self, path: &Path) -> Failure {
        let path = path.display();
        match self {
            Self::Broken => Failure::internal(format!("the cached results are damaged: {path}"))
                .hint("`tulk cache clear` removes them"),
            Self::Newer => Failure::internal(format!("a newer version of tulk wrote the cached results: {path}"))
                .hint("update tulk, or set TULK_CACHE_DIR to another directory"),
            Self::Busy => Failure::internal(format!("another process has locked the cached results: {path}"))
                .hint("end that process, or use --no-cache"),
            Self::Directory(failure) if failure.hint.is_some() => failure,
            Self::Directory(failure) => failure.hint(OTHER_DIRECTORY),
            Self::Database(error) => {
                let hint = match error.sqlite_error_code() {
                    Some(ErrorCode::DiskFull) => "free some space; `tulk cache clear` removes cached results",
                    Some(ErrorCode::SystemIoFailure) => "check the disk, or set TULK_CACHE_DIR to another directory",
                    _ => OTHER_DIRECTORY,
                };
                Failure::internal(format!("cannot use the cached results in {path}: {error}")).hint(hint)
            }
        }
    }
}

/// Returns the failure of a database that was set aside as `aside`.
pub(super) fn replaced(path: &Path, aside: &Path) -> Failure {
    Failure::internal(format!("the cached results were damaged, so the cache starts empty: {}", path.display()))
        .hint(format!("the damaged file is now {}; `tulk cache clear` removes it", aside.display()))
}

/// Returns the failure of results that came faster than they could be stored, or too late.
pub(super) fn too_slow(path: &Path) -> Failure {
    Failure::internal(format!("some results were not cached, since writing them took too long: {}", path.display()))
        .hint("set TULK_CACHE_DIR to a directory on a faster disk")
}

/// Types of network file systems in Linux: NFS, SMB, SMB2 and CIFS, AFS, Coda, 9P, Ceph, Lustre, GPFS, BeeGFS, OrangeFS, OCFS2, GFS2.
#[cfg(target_os = "linux")]
const NETWORK_FILE_SYSTEMS: [u32; 14] = [
    0x6969,
    0x517b,
    0xfe53_4d42,
    0xff53_4d42,
    0x5346_414f,
    0x7375_7245,
    0x0102_1997,
    0x00c3_6400,
    0x0bd0_0bd0,
    0x4750_4653,
    0x1983_0326,
    0x2003_0528,
    0x7461_636f,
    0x0116_1970,
];

/// Refuses a directory on a network file system.
///
/// Processes on one machine share the index of the log through memory. On another machine they do not see it, and would
/// overwrite each other's results without an error.
#[cfg(target_os = "linux")]
pub(super) fn check_local(dir: &Path) -> Result<(), CacheTrouble> {
    // The kernel has 32 bits for it; the C library extends some of them with a sign.
    let kind =
        rustix::fs::statfs(dir).ok().and_then(|found| u32::try_from(i128::from(found.f_type) & 0xffff_ffff).ok());
    if kind.is_some_and(|kind| NETWORK_FILE_SYSTEMS.contains(&kind)) {
        let failure =
            Failure::internal(format!("cached results cannot be on a network file system: {}", dir.display()));
        return Err(CacheTrouble::Directory(failure.hint("set TULK_CACHE_DIR to a directory on a local disk")));
    }
    Ok(())
}

/// Accepts every directory: only Linux tells the type of a file system in this way.
#[cfg(not(target_os = "linux"))]
#[allow(clippy::unnecessary_wraps)] // the signature of Linux
pub(super) fn check_local(_: &Path) -> Result<(), CacheTrouble> {
    Ok(())
}
