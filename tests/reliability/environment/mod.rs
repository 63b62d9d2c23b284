//! Unusual environments: no home directory, closed streams, few file descriptors, wrong clocks, strange file names.

mod clocks;
mod homes;
mod limits;
mod links;
mod names;
mod sizes;
mod streams;
