//! No home directory, closed streams, few file descriptors, odd clocks, odd file names.

mod clocks;
mod homes;
mod limits;
mod links;
mod names;
mod sizes;
mod streams;
