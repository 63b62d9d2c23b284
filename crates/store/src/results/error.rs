//! Errors of the results database and their messages. Refuses network file systems.

use std::path::Path;

use rusqlite::{Error, ErrorCode};
use tulk_base::error::Failure;

/// Why the database cannot be used.
#[derive(Debug)]
pub(super) enum CacheError {
    /// The database is damaged, or another file has its name.
    Broken,
    /// A newer version of tulk wrote the database.
    Newer,
    /// Another process held the lock until the timeout.
    Busy,
    /// SQLite failed, for example because the disk is full.
    Database(Error),
    Directory(Failure),
}

impl From<Error> for CacheError {
    fn from(error: Error) -> Self {
        match &error {
            Error::SqliteFailure(cause, _) => match cause.code {
                // `Unknown` means that tables or columns are missing.
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

const OTHER_DIRECTORY: &str = "set TULK_CACHE_DIR to a directory that you can write to";

impl CacheError {
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

pub(super) fn replaced(path: &Path, aside: &Path) -> Failure {
    Failure::internal(format!("the cached results were damaged, so the cache starts empty: {}", path.display()))
        .hint(format!("the damaged file is now {}; `tulk cache clear` removes it", aside.display()))
}

/// Returns the failure for results that were dropped because the disk is slow: while the command ran, or when it exited.
pub(super) fn too_slow(path: &Path) -> Failure {
    Failure::internal(format!("some results were not cached, since writing them took too long: {}", path.display()))
        .hint("set TULK_CACHE_DIR to a directory on a faster disk")
}

/// Magic numbers of network file systems in Linux: NFS, SMB, SMB2 and CIFS, AFS, Coda, 9P, Ceph, Lustre, GPFS, BeeGFS, OrangeFS,
/// OCFS2, GFS2.
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

/// Refuses a network file system. Processes on one machine share the index of the log in memory. Processes on other machines cannot
/// see that index, so they would overwrite each other's results without an error.
#[cfg(target_os = "linux")]
pub(super) fn check_local(dir: &Path) -> Result<(), CacheError> {
    // The kernel uses 32 bits; the C library sign-extends them on some platforms.
    let kind =
        rustix::fs::statfs(dir).ok().and_then(|found| u32::try_from(i128::from(found.f_type) & 0xffff_ffff).ok());
    if kind.is_some_and(|kind| NETWORK_FILE_SYSTEMS.contains(&kind)) {
        let failure =
            Failure::internal(format!("cached results cannot be on a network file system: {}", dir.display()));
        return Err(CacheError::Directory(failure.hint("set TULK_CACHE_DIR to a directory on a local disk")));
    }
    Ok(())
}

/// Accepts every directory, because only Linux reports the type of a file system this way.
#[cfg(not(target_os = "linux"))]
#[allow(clippy::unnecessary_wraps)] // the signature of Linux
pub(super) fn check_local(_: &Path) -> Result<(), CacheError> {
    Ok(())
}
