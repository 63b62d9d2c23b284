//! What is to be translated: files by name, or stdin, which is copied to a private file first.
//!
//! The copy lets an upload be repeated, and gone on with by another process. Spec: command line, "doc".

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::life::{blocking, digest};
use crate::error::{Failure, plain};
use crate::store::documents::{Documents, Source};

/// One source as the user named it.
#[derive(Clone, Debug)]
pub struct Input {
    /// As given; `-` is stdin.
    pub shown: String,
    /// The name told to the service.
    pub filename: String,
    /// Where it is; for stdin only known once it was copied.
    pub path: PathBuf,
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
            return Ok(Self { shown: "-".to_owned(), filename, path: PathBuf::new() });
        }
        let data = fs::metadata(file).map_err(|e| Failure::file("read", file, &e))?;
        if !data.is_file() {
            return Err(Failure::usage(format!("{} is no regular file", file.display()))
                .hint("pipe other things in: `tulk doc translate - --filename NAME`"));
        }
        fs::File::open(file).map_err(|e| Failure::file("read", file, &e))?;
        let filename = file_name(filename.map_or(file, Path::new))?;
        let path = std::path::absolute(file).map_err(|e| Failure::file("read", file, &e))?;
        Ok(Self { shown: file.display().to_string(), filename, path })
    }

    /// A source that cannot be read, for reports.
    pub fn unread(file: &Path) -> Self {
        Self { shown: file.display().to_string(), filename: String::new(), path: file.to_owned() }
    }

    /// Whether it is stdin.
    pub fn is_stdin(&self) -> bool {
        self.shown == "-"
    }

    /// What templates take names from.
    pub fn for_template(&self) -> &Path {
        if self.is_stdin() { Path::new(&self.filename) } else { Path::new(&self.shown) }
    }

    /// Reads it once, for its size and digest; stdin is copied to the file of the record `name`.
    pub async fn read(&self, store: &Documents, name: &str) -> Result<Source, Failure> {
        let mut path = self.path.clone();
        if self.is_stdin() {
            path = store.spool(name, "input");
            let (store, name) = (store.clone(), name.to_owned());
            blocking(move || copy_stdin(&store, &name)).await?;
        }
        let read = path.clone();
        let (bytes, sha256) = blocking(move || digest(&read)).await?;
        Ok(Source { path, shown: self.shown.clone(), filename: self.filename.clone(), bytes, sha256 })
    }

    /// Its size alone, for a dry run.
    pub async fn size(&self) -> Result<u64, Failure> {
        if self.is_stdin() {
            return blocking(|| {
                io::copy(&mut io::stdin().lock(), &mut io::sink())
                    .map_err(|e| Failure::internal(format!("cannot read stdin: {}", plain(&e))))
            })
            .await;
        }
        fs::metadata(&self.path).map(|data| data.len()).map_err(|e| Failure::file("read", &self.path, &e))
    }
}

fn copy_stdin(store: &Documents, name: &str) -> Result<(), Failure> {
    let mut file = store.create_spool(name, "input")?;
    let copied = io::copy(&mut io::stdin().lock(), &mut file).and_then(|_| file.sync_all());
    copied.map_err(|e| {
        let path = store.spool(name, "input");
        // Half a document is of no use.
        let _ = fs::remove_file(&path);
        Failure::internal(format!("cannot copy stdin to {}: {}", path.display(), plain(&e)))
    })
}

fn file_name(path: &Path) -> Result<String, Failure> {
    let name = path.file_name().and_then(|name| name.to_str());
    name.map(str::to_owned).ok_or_else(|| {
        Failure::usage(format!("{} is no usable file name", path.display()))
            .hint("tell the service one with --filename")
    })
}
