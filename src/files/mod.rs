//! File operations that the whole crate shares: atomic replacement, private files, locks, identity, digests, directories.
//!
//! Input: paths and bytes. Output: files that are either complete or unchanged, locks, and failures that name the path.
//! The content of files is defined elsewhere: records in `store`, settings in `config`.

mod atomic;
mod digest;
mod dirs;
mod lock;
mod mode;
mod path;

pub use self::atomic::{AtomicFile, write_atomic};
pub use self::digest::{Digest, sha256_hex};
pub use self::dirs::{cache_dir, config_dir, state_dir};
pub use self::lock::{FileLock, lock, try_lock};
pub use self::mode::{FileMode, check_private, private};
pub use self::path::{FileIdentity, follow_links, is_special, make_dirs, parent_dir, sync_dir, with_suffix};
