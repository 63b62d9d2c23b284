//! Full disks and directories that cannot be written.
