//! What is to be translated: files by name, or stdin, which is copied to a private file first.
//!
//! The copy lets an upload be repeated, and gone on with by another process. Spec: command line, "doc".

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tokio::sync::OnceCell;

use super::life::{blocking, digest};
use crate::error::{Failure, io_message};
use crate::store::documents::{Documents, Source};

/// One source as the user named it.
#[derive(Debug, Default)]
pub struct Input {
    /// As given; `-` is stdin.
    pub shown: String,
    /// The name told to the service.
    pub filename: String,
    /// Where it is; for stdin only known once it was copied.
    pub path: PathBuf,
    /// What one reading found, for all target languages.
    read: OnceCell<Read>,
}

/// What a reading of a source found.
#[derive(Debug)]
struct Read {
    /// The copy of stdin; each document gets a link to it.
    copy: Option<PathBuf>,
    bytes: u64,
    sha256: String,
}

impl Drop for Read {
    fn drop(&mut self) {
        if let Some(copy) = &self.copy {
            // What a kill leaves is removed when it is old.
            let _ = fs::remove_file(copy);
        }
    }
}

impl Input {
    /// Checks that a source can be read, without reading it.
    pub fn of(file: &Path, filename: Option<&str>) -> Result<Self, Failure> {
        if file == Path::new("-") {
            let Some(filename) = filename else {
                return Err(Failure::usage("reading the document from stdin needs --filename")
                    .hint("its ending tells the type: --filename report.docx"));
            };
            let filename = file_name(Path::new(filename))?;
            return Ok(Self { shown: "-".to_owned(), filename, ..Self::default() });
        }
        let data = fs::metadata(file).map_err(|e| Failure::file("read", file, &e))?;
        if !data.is_file() {
            return Err(Failure::usage(format!("{} is no regular file", file.display()))
                .hint("pipe other things in: `tulk doc translate - --filename NAME`"));
        }
        fs::File::open(file).map_err(|e| Failure::file("read", file, &e))?;
        let filename = file_name(filename.map_or(file, Path::new))?;
        let path = std::path::absolute(file).map_err(|e| Failure::file("read", file, &e))?;
        Ok(Self { shown: file.display().to_string(), filename, path, ..Self::default() })
    }

    /// A source that cannot be read, for reports.
    pub fn unread(file: &Path) -> Self {
        Self { shown: file.display().to_string(), path: file.to_owned(), ..Self::default() }
    }

    /// Whether it is stdin.
    pub fn is_stdin(&self) -> bool {
        self.shown == "-"
    }

    /// What templates take names from.
    pub fn for_template(&self) -> &Path {
        if self.is_stdin() { Path::new(&self.filename) } else { Path::new(&self.shown) }
    }

    /// Its size and digest, read once; the bytes of stdin are kept for the record `name`.
    pub async fn read(&self, store: &Documents, name: &str) -> Result<Source, Failure> {
        let read = self.read.get_or_try_init(|| self.read_once(store)).await?;
        let mut path = self.path.clone();
        if let Some(copy) = &read.copy {
            path = store.spool(name, "input");
            let linked = fs::hard_link(copy, &path).or_else(|_| fs::copy(copy, &path).map(|_| ()));
            linked.map_err(|e| Failure::internal(format!("cannot write {}: {}", path.display(), io_message(&e))))?;
        }
        let (shown, filename) = (self.shown.clone(), self.filename.clone());
        Ok(Source { path, shown, filename, bytes: read.bytes, sha256: read.sha256.clone() })
    }

    async fn read_once(&self, store: &Documents) -> Result<Read, Failure> {
        let mut path = self.path.clone();
        let mut copy = None;
        if self.is_stdin() {
            let name = Documents::new_name();
            path = store.spool(&name, "stdin");
            copy = Some(path.clone());
            let store = store.clone();
            blocking(move || copy_stdin(&store, &name)).await?;
        }
        let (bytes, sha256) = blocking(move || digest(&path)).await?;
        Ok(Read { copy, bytes, sha256 })
    }

    /// Its size alone, for a dry run.
    pub async fn size(&self) -> Result<u64, Failure> {
        if self.is_stdin() {
            return blocking(|| {
                io::copy(&mut io::stdin().lock(), &mut io::sink())
                    .map_err(|e| Failure::internal(format!("cannot read stdin: {}", io_message(&e))))
            })
            .await;
        }
        fs::metadata(&self.path).map(|data| data.len()).map_err(|e| Failure::file("read", &self.path, &e))
    }
}

fn copy_stdin(store: &Documents, name: &str) -> Result<(), Failure> {
    let mut file = store.create_spool(name, "stdin")?;
    let copied = io::copy(&mut io::stdin().lock(), &mut file).and_then(|_| file.sync_all());
    copied.map_err(|e| {
        let path = store.spool(name, "stdin");
        // Half a document is of no use.
        let _ = fs::remove_file(&path);
        Failure::internal(format!("cannot copy stdin to {}: {}", path.display(), io_message(&e)))
    })
}

fn file_name(path: &Path) -> Result<String, Failure> {
    let name = path.file_name().and_then(|name| name.to_str());
    name.map(str::to_owned).ok_or_else(|| {
        Failure::usage(format!("{} is no usable file name", path.display()))
            .hint("tell the service one with --filename")
    })
}
