//! `tulk config edit`: a copy in the editor, checked before it takes the file's place.

use std::process::Command;

use crate::config::env;
use crate::config::file::File;
use crate::context::Context;
use crate::error::{Failure, plain};
use crate::store::{self, Mode};

/// Opens the editor and takes over what is valid; what is not is kept beside the file and named.
pub fn run(ctx: &Context) -> Result<(), Failure> {
    let path = super::path(ctx)?;
    let editor = env::EDITORS.iter().find_map(|v| env::text(v)).unwrap_or_else(|| "vi".to_owned());
    let old = std::fs::read(&path).unwrap_or_default();
    let copy = path.with_extension("edit.toml");
    store::write_atomic(&copy, &old, Mode::Usual)?;
    let status =
        Command::new("sh").args(["-c", &format!("{editor} \"$1\""), "sh"]).arg(&copy).status().map_err(|e| {
            Failure::usage(format!("cannot run the editor `{editor}`: {}", plain(&e))).hint("set EDITOR")
        })?;
    if !status.success() {
        let _ = std::fs::remove_file(&copy);
        return Err(Failure::usage(format!("the editor ended with {status}; nothing was changed")));
    }
    let new = std::fs::read_to_string(&copy).map_err(|e| Failure::file("read", &copy, &e))?;
    File::parse(&copy, &new).map_err(|f| f.hint(format!("nothing was changed; your text is in {}", copy.display())))?;
    if new.as_bytes() != old {
        store::write_atomic(&path, new.as_bytes(), Mode::Usual)?;
    }
    let _ = std::fs::remove_file(&copy);
    Ok(())
}
