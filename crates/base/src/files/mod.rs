//! File operations for all crates: atomic replacement, private files, locks, identity, digests, directories.
//!
//! Input: paths and bytes. Output: files that are either complete or unchanged, locks, and failures that name the path.
//! The formats of the files are defined elsewhere: records in `store`, settings in `config`.

mod atomic;
mod bounded;
mod digest;
mod dirs;
mod lock;
mod mode;
mod path;
mod regular;
mod replace;
mod shared;
mod standard;
mod trusted;
mod version;

pub use self::atomic::{AtomicFile, remove_abandoned, write_atomic};
pub use self::bounded::{
    SizeLimit, TooLarge, has_content, read_bounded, read_opened, read_stdin_bounded, read_stdin_line_bounded,
    read_text_bounded,
};
pub use self::digest::{Digest, SharedDigest, digest_of, file_digest, sample_digest, sha256_hex};
pub use self::dirs::{cache_dir, config_dir, home_dir, state_dir};
pub use self::lock::{FileLock, lock, try_lock};
pub use self::mode::{FileMode, check_private, inherit_mode, private, temporary_dir, temporary_failure};
pub use self::path::{
    FileIdentity, canonical, check_creatable, follow_links, is_missing, is_special, link_target, long_path, make_dirs,
    open_special, parent_dir, sync_dir, with_suffix,
};
pub use self::regular::{
    in_the_way_failure, is_at, is_locked, is_regular_with_one_name, make_private, open_existing, open_locked,
    open_regular_file,
};
pub use self::replace::{
    ReadContent, edit_file, edited_failure, rename_beside, rename_new, rename_over, write_beside, write_over,
};
pub use self::shared::{check_entry, check_shared};
pub use self::standard::{check_stdin, check_stdout, stdout_fault};
pub use self::trusted::{check_runnable, check_trusted_dir, check_trusted_file};
pub use self::version::FileVersion;

/// Returns whether this user is root. Otherwise reports that a test is skipped.
///
/// Written to stderr directly, because the test harness hides captured output of passing tests.
#[cfg(all(test, unix))]
fn is_root_to(act: &str) -> bool {
    use std::io::Write as _;

    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        let _ = writeln!(std::io::stderr(), "skipped: only root can {act}");
    }
    is_root
}
