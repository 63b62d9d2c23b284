//! Writers of input files.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

/// Writes distinct lines.
pub fn write_lines(path: &Path, lines: u64) {
    write_numbered_lines(path, 0..lines);
}

pub fn write_numbered_lines(path: &Path, numbers: impl Iterator<Item = u64>) {
    let mut file = BufWriter::new(File::create(path).expect("a file"));
    for number in numbers {
        writeln!(file, "This is line number {number} of a longer text").expect("a line");
    }
    file.flush().expect("a file");
}

/// Writes distinct lines of `size` bytes each, about `bytes` bytes in total.
pub fn write_entries(path: &Path, bytes: usize, size: usize) {
    let mut file = BufWriter::new(File::create(path).expect("a file"));
    let words = "words of a longer entry ".repeat(size.div_ceil(24));
    for number in 0..bytes / size {
        let number = number.to_string();
        let rest = words.get(..size.saturating_sub(number.len() + 2)).unwrap_or_default();
        writeln!(file, "{number} {rest}").expect("an entry");
    }
    file.flush().expect("a file");
}
