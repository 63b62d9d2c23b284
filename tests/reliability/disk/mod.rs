//! Full disks and directories that cannot be written.
//!
//! The disk has room for a number of pages, from none to more than is needed, so that each write fails once.

#![cfg(target_os = "linux")]

mod full;
mod read_only;
mod small_disk;
mod stdout;
