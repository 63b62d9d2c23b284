//! Result paths, and the checks that run before anything is uploaded.

use std::fs;
use std::path::{Path, PathBuf};

use tulk_base::error::Failure;
use tulk_base::files::{
    AtomicFile, FileMode, check_shared, follow_links, is_locked, is_special, open_existing, with_suffix,
};
use tulk_client::api::language_code::LangCode;
use tulk_pipeline::output_path::OutputTemplate;
use tulk_store::documents::{DocumentRecord, DocumentStore, ResultTarget};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultDestination {
    Stdout,
    File(PathBuf),
    /// No result, because the input cannot be read.
    None,
}

impl ResultDestination {
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Stdout | Self::None => None,
        }
    }

    pub fn path_text(&self) -> Option<String> {
        self.file().map(|path| path.display().to_string())
    }
}

/// The parsed flags `-o` and `--out-dir`.
#[derive(Clone, Debug)]
pub enum ResultTemplate {
    Stdout,
    Path(OutputTemplate),
}

impl ResultTemplate {
    /// Without flags, results go to stdout if `stdout_by_default`, else beside their inputs.
    pub fn new(output: Option<&str>, out_dir: Option<&Path>, stdout_by_default: bool) -> Result<Self, Failure> {
        if let Some(dir) = out_dir {
            return Ok(Self::Path(OutputTemplate::in_dir(dir)));
        }
        match output {
            Some("-") => Ok(Self::Stdout),
            Some(path) if path.ends_with('/') || Path::new(path).is_dir() => {
                Err(Failure::usage(format!("-o {path} is a directory")).hint("use --out-dir for a directory"))
            }
            Some(template) => Ok(Self::Path(OutputTemplate::parse("-o", template)?)),
            None if stdout_by_default => Ok(Self::Stdout),
            None => Ok(Self::Path(OutputTemplate::beside_input())),
        }
    }

    pub fn path(&self) -> Option<&OutputTemplate> {
        match self {
            Self::Stdout => None,
            Self::Path(template) => Some(template),
        }
    }

    /// Returns the destination of one result. `below` is the input's directory, relative to the directory on the command line;
    /// `extension` has no dot.
    pub fn fill(&self, input: &Path, below: &Path, lang: &LangCode, extension: &str) -> ResultDestination {
        match self {
            Self::Stdout => ResultDestination::Stdout,
            Self::Path(template) => ResultDestination::File(template.fill_below(input, below, lang.bcp47(), extension)),
        }
    }
}

/// Returns the path that a result is downloaded to, beside the file it will replace.
pub fn part_path(result: &Path) -> PathBuf {
    with_suffix(&follow_links(result), ".part")
}

pub struct ResultFiles {
    pub part: PathBuf,
    /// The final path of the file; `None` for stdout and devices, to which the file is copied.
    pub result: Option<PathBuf>,
}

impl ResultFiles {
    pub fn of(store: &DocumentStore, record: &DocumentRecord, target: &ResultTarget) -> Self {
        match &target.path {
            Some(path) if !is_special(path) => Self { part: part_path(path), result: Some(follow_links(path)) },
            _ => Self { part: store.spool_path(&record.name, "result"), result: None },
        }
    }

    pub fn received(&self) -> u64 {
        fs::symlink_metadata(&self.part).map_or(0, |data| if data.is_file() { data.len() } else { 0 })
    }

    pub fn is_in_use(&self) -> bool {
        matches!(open_existing(&self.part), Ok(Some(part)) if is_locked(&part))
    }

    /// Removes the part file if it is a regular file. If that fails, the next download replaces it.
    pub fn remove_part(&self) {
        if fs::symlink_metadata(&self.part).is_ok_and(|data| data.is_file()) {
            let _ = fs::remove_file(&self.part);
        }
    }
}

/// Fails if a result cannot be written to a path: a directory, an existing file without `force`, or another user's link
/// in a world-writable directory.
pub fn check_not_existing(result: &Path, force: bool) -> Result<(), Failure> {
    check_shared(result)?;
    let Ok(metadata) = fs::metadata(result) else { return Ok(()) };
    if metadata.is_dir() {
        return Err(Failure::usage(format!("{} is a directory", result.display())).hint("pass a file with -o"));
    }
    if metadata.is_file() && !force {
        return Err(already_exists(result));
    }
    Ok(())
}

pub fn already_exists(result: &Path) -> Failure {
    Failure::usage(format!("{} already exists", result.display()))
        .hint("replace it with --force, or with --if-newer if the source is newer")
}

/// Fails if the part file exists. Accepts an empty regular file and, with `may_replace`, any regular file.
pub fn check_part(part: &Path, may_replace: bool) -> Result<(), Failure> {
    check_shared(part)?;
    match fs::symlink_metadata(part) {
        Ok(data) if data.is_file() && (may_replace || data.len() == 0) => Ok(()),
        Ok(data) if data.is_file() => Err(Failure::usage(format!("{} was left by an earlier run", part.display()))
            .hint("check it and remove it, or replace it with --force")),
        Ok(_) => Err(Failure::usage(format!("{} is in the way: it is not a regular file", part.display()))
            .hint("check it and remove it, or choose another path with -o")),
        Err(_) => Ok(()),
    }
}

/// Fails if a result cannot be written to a path. Creates missing directories and, briefly, a temporary file.
pub fn check_writable(result: &Path, force: bool) -> Result<(), Failure> {
    check_shared(result)?;
    if is_special(result) {
        return check_device(result);
    }
    check_part(&part_path(result), force)?;
    let created = AtomicFile::create(result, FileMode::Inherit).map(|_| ());
    created.map_err(|failure| failure.hint("nothing was uploaded; choose another path with -o or --out-dir"))
}

/// Fails if a device or FIFO is not writable. Does not open it: opening a FIFO waits for its reader.
#[cfg(unix)]
fn check_device(path: &Path) -> Result<(), Failure> {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK)
        .map_err(|e| Failure::file("write", path, &e.into()).hint("nothing was uploaded; choose another path with -o"))
}

/// Accepts every device, because this platform has no file modes.
#[cfg(not(unix))]
fn check_device(_: &Path) -> Result<(), Failure> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(output: Option<&str>, out_dir: Option<&str>, input: &str) -> ResultDestination {
        let template = ResultTemplate::new(output, out_dir.map(Path::new), false).unwrap();
        template.fill(Path::new(input), Path::new(""), &"pt_br".parse().unwrap(), "docx")
    }

    #[test]
    fn flags_select_the_destination() {
        for (output, out_dir, path) in [
            (None, None, "a/report.pt-BR.docx"),
            (Some("{stem}.{ext}"), None, "report.docx"),
            (None, Some("o{lang}"), "o{lang}/report.pt-BR.docx"),
        ] {
            assert_eq!(fill(output, out_dir, "a/report.doc"), ResultDestination::File(path.into()));
        }
        assert_eq!(fill(Some("-"), None, "a.doc"), ResultDestination::Stdout);
    }

    #[test]
    fn a_directory_or_an_unknown_placeholder_is_not_a_template() {
        for output in ["", "dir/", ".", "{name}.txt"] {
            assert!(ResultTemplate::new(Some(output), None, false).is_err(), "{output}");
        }
    }

    #[test]
    fn checking_a_path_leaves_no_file_behind() {
        let dir = tempfile::tempdir().unwrap();
        let result = dir.path().join("new/x.txt");
        check_writable(&result, false).unwrap();
        assert_eq!(fs::read_dir(dir.path().join("new")).unwrap().count(), 0);
        fs::write(part_path(&result), "").unwrap();
        check_writable(&result, false).unwrap();
        fs::write(part_path(&result), "half").unwrap();
        assert!(check_writable(&result, false).unwrap_err().what.contains("x.txt.part"));
        check_writable(&result, true).unwrap();
        assert!(check_writable(&part_path(&result).join("x"), true).is_err(), "a file instead of a directory");
    }
}
