//! The documents to translate: files, or stdin, which is first copied to a private file.
//!
//! The copy allows repeating the upload, and resuming it in another process.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use tokio::sync::OnceCell;
use tulk_base::error::{Failure, FileContext as _, io_message};
use tulk_base::files::{FileVersion, sample_digest};
use tulk_base::shell;
use tulk_base::stop;
use tulk_store::documents::{DocumentSource, DocumentStore};

use super::content::{run_blocking, size_and_digest};
use crate::context::Context;

/// Maximum size of a file whose digest is computed before the upload; this takes at most 4 ms. The digest of a larger file is computed
/// while the service translates, or earlier if its content must be compared with the content of another document.
const DIGEST_BYTES: u64 = 4 * 1024 * 1024;

#[derive(Debug, Default)]
pub struct DocumentInput {
    /// Name as the user wrote it; `-` for stdin.
    pub display_name: String,
    pub filename: String,
    /// Absolute path; empty for stdin.
    pub path: PathBuf,
    /// Path for filling output templates: as the user wrote it, or `filename` for stdin.
    pub template_path: PathBuf,
    allow_empty: bool,
    /// Read once for all target languages.
    content: OnceCell<InputContent>,
    /// Computed when first needed.
    large_file_digest: OnceCell<String>,
}

#[derive(Debug)]
struct InputContent {
    /// Copy of stdin, which each document links to.
    stdin_copy: Option<PathBuf>,
    bytes: u64,
    /// Also the digest of stdin.
    small_file_digest: Option<String>,
    /// Digest of samples of a large file.
    sample_digest: Option<String>,
    version: Option<FileVersion>,
}

impl Drop for InputContent {
    fn drop(&mut self) {
        if let Some(copy) = &self.stdin_copy {
            // If a killed process leaves a copy behind, the store removes it after a month.
            let _ = fs::remove_file(copy);
        }
    }
}

impl DocumentInput {
    /// Checks that an input can be opened, without reading it.
    pub fn new(ctx: &Context, file: &Path, filename: Option<&str>) -> Result<Self, Failure> {
        let allow_empty = ctx.args.no_check;
        if file == Path::new("-") {
            let Some(filename) = filename else {
                return Err(Failure::usage("a document from stdin needs --filename")
                    .hint("add it with the extension of the document, such as --filename report.docx"));
            };
            let filename = file_name(Path::new(filename))?;
            let template_path = PathBuf::from(&filename);
            let display_name = "-".to_owned();
            return Ok(Self { display_name, filename, template_path, allow_empty, ..Self::default() });
        }
        let metadata = fs::metadata(file).file_context("read", file)?;
        if metadata.is_dir() {
            let files = format!("{}*", shell::quote_path(&file.join("")));
            let command = command_with(ctx.words(), file, &files);
            return Err(Failure::directory(file).hint(format!("pass the files in it: `{command}`")));
        }
        if !metadata.is_file() {
            let stdin = if filename.is_some() { "-" } else { "- --filename NAME" };
            return Err(Failure::usage(format!("{} is not a regular file", file.display()))
                .names_file(file)
                .hint(format!("pipe it instead: `{}`", command_with(ctx.words(), file, stdin))));
        }
        fs::File::open(file).file_context("read", file)?;
        let filename = file_name(filename.map_or(file, Path::new))?;
        let path = std::path::absolute(file).file_context("read", file)?;
        let (display_name, template_path) = (file.display().to_string(), file.to_owned());
        let input = Self { display_name, filename, path, template_path, allow_empty, ..Self::default() };
        input.check_size(metadata.len())?;
        Ok(input)
    }

    fn check_size(&self, bytes: u64) -> Result<(), Failure> {
        if bytes > 0 || self.allow_empty {
            return Ok(());
        }
        let name = if self.is_stdin() { "stdin" } else { &self.display_name };
        Err(Failure::usage(format!("{name} is empty"))
            .names_file(&self.display_name)
            .hint("--no-check sends it anyway"))
    }

    /// Creates an input that cannot be opened, so the report can name it.
    pub fn unreadable(file: &Path) -> Self {
        Self { display_name: file.display().to_string(), path: file.to_owned(), ..Self::default() }
    }

    pub fn is_stdin(&self) -> bool {
        self.display_name == "-"
    }

    /// Reads the content on the first call only. Links stdin to a spool file of the record `name`.
    pub async fn read(&self, store: &DocumentStore, name: &str) -> Result<DocumentSource, Failure> {
        let content = self.content.get_or_try_init(|| self.read_once(store)).await?;
        let mut path = self.path.clone();
        if let Some(copy) = &content.stdin_copy {
            path = store.spool_path(name, "input");
            let linked = fs::hard_link(copy, &path).or_else(|_| fs::copy(copy, &path).map(|_| ()));
            linked.map_err(|e| Failure::internal(format!("cannot write {}: {}", path.display(), io_message(&e))))?;
        }
        Ok(DocumentSource {
            path,
            display_name: self.display_name.clone(),
            filename: self.filename.clone(),
            bytes: content.bytes,
            sha256: content.small_file_digest.clone(),
            sample: content.sample_digest.clone(),
            version: content.version,
        })
    }

    pub async fn large_file_digest(&self) -> Result<String, Failure> {
        let digest =
            self.large_file_digest.get_or_try_init(|| async { Ok(size_and_digest(self.path.clone()).await?.1) });
        digest.await.cloned()
    }

    async fn read_once(&self, store: &DocumentStore) -> Result<InputContent, Failure> {
        let mut path = self.path.clone();
        let mut stdin_copy = None;
        if self.is_stdin() {
            let name = DocumentStore::new_name();
            path = store.spool_path(&name, "stdin");
            stdin_copy = Some(path.clone());
            let store = store.clone();
            run_blocking(move || copy_stdin(&store, &name)).await?;
        } else {
            let version = FileVersion::of(&path).file_context("read", &path)?;
            if version.bytes > DIGEST_BYTES {
                let sample = Some(run_blocking(move || sample_digest(&path, version.bytes)).await?);
                let (bytes, version) = (version.bytes, Some(version));
                return Ok(InputContent { stdin_copy, bytes, small_file_digest: None, sample_digest: sample, version });
            }
        }
        let (bytes, sha256) = size_and_digest(path).await?;
        let content =
            InputContent { stdin_copy, bytes, small_file_digest: Some(sha256), sample_digest: None, version: None };
        self.check_size(bytes)?;
        Ok(content)
    }

    /// Returns the size in bytes, for a dry run. Reads stdin to its end.
    pub async fn size(&self) -> Result<u64, Failure> {
        if self.is_stdin() {
            let bytes = run_blocking(|| {
                stop::interruptible(|| io::copy(&mut io::stdin().lock(), &mut io::sink()))?
                    .map_err(|e| Failure::internal(format!("cannot read stdin: {}", io_message(&e))))
            })
            .await?;
            return self.check_size(bytes).map(|()| bytes);
        }
        fs::metadata(&self.path).map(|data| data.len()).file_context("read", &self.path)
    }
}

fn copy_stdin(store: &DocumentStore, name: &str) -> Result<(), Failure> {
    let mut file = store.create_spool(name, "stdin")?;
    let copied =
        stop::interruptible(move || io::copy(&mut io::stdin().lock(), &mut file).and_then(|_| file.sync_all()));
    let path = store.spool_path(name, "stdin");
    let copied = copied.and_then(|copied| {
        copied.map_err(|e| Failure::internal(format!("cannot copy stdin to {}: {}", path.display(), io_message(&e))))
    });
    copied.inspect_err(|_| {
        let _ = fs::remove_file(&path);
    })
}

/// Returns this process's command line with a file replaced by `others`, which must already be quoted for a shell.
fn command_with(words: &[OsString], file: &Path, others: &str) -> String {
    let word = |word: &OsString| {
        if word == file.as_os_str() { others.to_owned() } else { shell::quote_path(Path::new(word)) }
    };
    let words: Vec<String> = words.iter().skip(1).map(word).collect();
    format!("tulk {}", words.join(" "))
}

fn file_name(path: &Path) -> Result<String, Failure> {
    let name = path.file_name().and_then(|name| name.to_str());
    // The name becomes part of a header.
    name.filter(|name| !name.contains(char::is_control)).map(str::to_owned).ok_or_else(|| {
        Failure::usage(format!("{} is not a valid file name", path.display()))
            .names_file(path)
            .hint("set the name sent to the service with --filename")
    })
}
