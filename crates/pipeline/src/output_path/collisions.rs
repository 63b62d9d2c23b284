//! No result replaces another result, or an input.

use std::collections::HashMap;
use std::path::Path;

use tulk_base::error::Failure;
use tulk_base::files::{FileIdentity, is_special};

/// The inputs and outputs of a run, compared as files rather than as spellings.
///
/// Devices and FIFOs, such as `/dev/null`, may be named any number of times.
#[derive(Debug, Default)]
pub struct OutputCollisions {
    inputs: HashMap<FileIdentity, String>,
    outputs: HashMap<FileIdentity, String>,
}

impl OutputCollisions {
    /// Adds an input, which no output may replace. `-` is stdin and is left out.
    pub fn add_input(&mut self, input: &Path) {
        // A file may be read through a descriptor, as with `-i /dev/stdin`.
        if input != Path::new("-") && !input.metadata().is_ok_and(|m| !m.is_file()) {
            self.inputs.insert(FileIdentity::new(input), input.display().to_string());
        }
    }

    /// Adds an output and what it is the result of. Fails if it is an input or another output.
    pub fn add_output(&mut self, output: &Path, result_of: &str) -> Result<(), Failure> {
        let identity = FileIdentity::new(output);
        if self.inputs.contains_key(&identity) {
            return Err(Failure::usage(format!("{} is both an input and an output", output.display()))
                .hint("choose another name with -o"));
        }
        self.add(output, result_of, "use {stem} and {lang} in -o, such as -o '{dir}/{stem}.{lang}{ext}'")
    }

    /// Adds an output that may replace its own input, as with `--in-place`. Fails if it is another output.
    pub fn add_replacement(&mut self, output: &Path, result_of: &str) -> Result<(), Failure> {
        self.add(output, result_of, "name each file only once")
    }

    fn add(&mut self, output: &Path, result_of: &str, hint: &str) -> Result<(), Failure> {
        if is_special(output) {
            return Ok(());
        }
        match self.outputs.insert(FileIdentity::new(output), result_of.to_owned()) {
            None => Ok(()),
            Some(first) => Err(Failure::usage(format!(
                "two results have the same path: {} ({first} and {result_of})",
                output.display()
            ))
            .hint(hint)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_path_for_two_results_is_refused_however_it_is_spelled() {
        let dir = tempfile::tempdir().unwrap();
        let mut run = OutputCollisions::default();
        run.add_output(&dir.path().join("x.txt"), "a").unwrap();
        run.add_output(&dir.path().join("y.txt"), "b").unwrap();
        let failure = run.add_output(&dir.path().join("./x.txt"), "c").unwrap_err();
        assert!(failure.what.starts_with("two results have the same path") && failure.what.ends_with("(a and c)"));
    }

    #[cfg(unix)]
    #[test]
    fn an_input_is_not_replaced_through_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let (input, link) = (dir.path().join("in.txt"), dir.path().join("link.txt"));
        std::fs::write(&input, "text").unwrap();
        std::os::unix::fs::symlink("in.txt", &link).unwrap();
        let mut run = OutputCollisions::default();
        run.add_input(&input);
        assert!(run.add_output(&link, "in.txt").unwrap_err().what.contains("both an input and an output"));
        run.add_replacement(&input, "in.txt").unwrap();
    }

    #[test]
    fn a_file_that_is_replaced_twice_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let mut run = OutputCollisions::default();
        run.add_replacement(&dir.path().join("x.txt"), "a").unwrap();
        let failure = run.add_replacement(&dir.path().join("x.txt"), "b").unwrap_err();
        assert_eq!(failure.hint.as_deref(), Some("name each file only once"));
    }

    #[test]
    fn stdin_and_what_is_no_file_are_no_inputs() {
        let dir = tempfile::tempdir().unwrap();
        let mut run = OutputCollisions::default();
        run.add_input(Path::new("-"));
        run.add_input(dir.path());
        run.add_output(Path::new("-"), "a").unwrap();
        run.add_output(dir.path(), "b").unwrap();
        // A file that does not exist is an input all the same.
        run.add_input(&dir.path().join("later.txt"));
        assert!(run.add_output(&dir.path().join("later.txt"), "c").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn devices_may_be_named_twice() {
        let mut run = OutputCollisions::default();
        run.add_output(Path::new("/dev/null"), "a").unwrap();
        run.add_output(Path::new("/dev/null"), "b").unwrap();
    }
}
