//! The ground floor for everything that touches files: atomic replacement, private files, locks, identity, digests.
//!
//! In come paths and bytes; out come files that are whole or unchanged, locks, and failures that name the path.
//! Nothing here knows what a file holds; records and settings are the business of `store` and `config`.

mod atomic;
mod digest;
mod dirs;
mod lock;
mod path;
mod private;

pub use self::atomic::{AtomicFile, FileMode, write_atomic};
pub use self::digest::{Digest, sha256_hex};
pub use self::dirs::{cache_dir, config_dir, state_dir};
pub use self::lock::{FileLock, lock, try_lock};
pub use self::path::{FileIdentity, follow_links, is_special, make_dirs, parent_dir, same_file, sync_dir, with_suffix};
pub use self::private::{check_private, private};
