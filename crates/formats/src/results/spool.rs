//! Buffer for output that must wait for another target; large output moves to a temporary file.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write};

const SPOOL_BYTES: usize = 64 * 1024;

/// Waiting output. It stays in memory if no temporary file can be created, because it may be billed already and must not
/// be lost.
#[derive(Debug, Default)]
pub struct Spool {
    memory: Vec<u8>,
    file: Option<File>,
    has_no_directory: bool,
}

impl Spool {
    pub fn empty_into(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let spool = std::mem::take(self);
        let Some(mut file) = spool.file else { return out.write_all(&spool.memory) };
        file.seek(SeekFrom::Start(0))?;
        io::copy(&mut file, out).map(|_| ())
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(file) = &mut self.file {
            return file.write(bytes);
        }
        if self.memory.len() + bytes.len() > SPOOL_BYTES && !self.has_no_directory {
            match tempfile::tempfile() {
                Ok(mut file) => {
                    file.write_all(&self.memory)?;
                    self.memory = Vec::new();
                    return self.file.insert(file).write(bytes);
                }
                Err(_) => self.has_no_directory = true,
            }
        }
        self.memory.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_the_bytes_in_order_and_once() {
        for has_no_directory in [false, true] {
            let mut spool = Spool { has_no_directory, ..Spool::default() };
            let (mut expected, mut out) = (Vec::new(), Vec::new());
            for n in 0..20_000 {
                writeln!(spool, "line {n}").unwrap();
                writeln!(expected, "line {n}").unwrap();
            }
            assert_eq!(spool.file.is_none(), has_no_directory);
            spool.empty_into(&mut out).unwrap();
            assert_eq!(out, expected);
            spool.write_all(b"more").unwrap();
            out.clear();
            spool.empty_into(&mut out).unwrap();
            spool.empty_into(&mut out).unwrap();
            assert_eq!(out, b"more");
        }
    }
}
