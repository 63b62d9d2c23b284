//! Full disks and unwritable directories. The disk has room for a varying number of pages, from none to enough, so every write fails once.

#![cfg(target_os = "linux")]
#![allow(clippy::case_sensitive_file_extension_comparisons)] // tulk writes extensions in lower case

mod full;
mod read_only;
mod small_disk;
mod stdout;
