//! No home directory, closed streams, few file descriptors, odd clocks, odd file names.
