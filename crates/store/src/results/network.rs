//! Network file systems: machines that share one cannot share a database on it.

use std::path::Path;

use super::trouble::CacheTrouble;

/// Types of network file systems in Linux: NFS, SMB, SMB2 and CIFS, AFS, Coda, 9P, Ceph, Lustre, GPFS, BeeGFS, OrangeFS, OCFS2, GFS2.
#[cfg(target_os = "linux")]
const NETWORK: [u32; 14] = [
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
    use tulk_base::error::Failure;
    // The kernel has 32 bits for it; the C library extends some of them with a sign.
    let kind =
        rustix::fs::statfs(dir).ok().and_then(|found| u32::try_from(i128::from(found.f_type) & 0xffff_ffff).ok());
    if kind.is_some_and(|kind| NETWORK.contains(&kind)) {
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
