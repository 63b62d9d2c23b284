//! `tulk config edit`: a copy in the editor, checked before it takes the file's place.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use crate::config::env;
use crate::config::file::SettingsFile;
use crate::context::Context;
use crate::error::{Failure, io_message};
use crate::files::{self, FileMode};

/// Opens the editor and takes over what is valid; what is not is kept beside the file and named.
pub fn run(ctx: &Context) -> Result<(), Failure> {
    let path = super::path(ctx)?;
    let old = current(&path)?;
    let copy = copy(&path, &old)?;
    edit(&copy).inspect_err(|_| {
        let _ = std::fs::remove_file(&copy);
    })?;
    let new = std::fs::read_to_string(&copy).map_err(|e| Failure::file("read", &copy, &e))?;
    let kept = format!("nothing was changed; your text is in {}", copy.display());
    SettingsFile::parse(&copy, &new).map_err(|f| f.hint(kept.clone()))?;
    if new.as_bytes() != old {
        let _lock = super::lock(&path)?;
        if current(&path)? != old {
            return Err(Failure::usage(format!("{} was changed meanwhile", path.display())).hint(kept));
        }
        files::write_atomic(&path, new.as_bytes(), FileMode::Inherit)?;
    }
    let _ = std::fs::remove_file(&copy);
    Ok(())
}

/// The file's bytes; none when it is not there.
fn current(path: &Path) -> Result<Vec<u8>, Failure> {
    match std::fs::read(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(|e| Failure::file("read", path, &e)),
    }
}

/// A copy under a name of its own: one left by an earlier edit may be all that its writer has.
fn copy(path: &Path, bytes: &[u8]) -> Result<std::path::PathBuf, Failure> {
    let target = files::follow_links(path);
    let dir = files::parent_dir(&target);
    let fail = |e: std::io::Error| Failure::file("write", dir, &e);
    files::make_dirs(dir, FileMode::Private)?;
    let mut file = tempfile::Builder::new().prefix("config.").suffix(".edit.toml").tempfile_in(dir).map_err(fail)?;
    file.write_all(bytes).map_err(fail)?;
    file.into_temp_path().keep().map_err(|e| fail(e.error))
}

fn edit(copy: &Path) -> Result<(), Failure> {
    let editor = env::EDITORS.iter().find_map(|v| env::text(v)).unwrap_or_else(|| "vi".to_owned());
    // Through a shell, because the variable may hold arguments.
    let status =
        Command::new("sh").args(["-c", &format!("{editor} \"$1\""), "sh"]).arg(copy).status().map_err(|e| {
            Failure::usage(format!("cannot run the editor `{editor}`: {}", io_message(&e))).hint("set EDITOR")
        })?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::usage(format!("the editor `{editor}` ended with {status}; nothing was changed")).hint("set EDITOR"))
}
