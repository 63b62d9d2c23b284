//! The text of a file, and places in it.

use std::path::Path;

use tulk_base::error::{Failure, Origin};
use tulk_formats::input::whole;

use crate::context::Context;

/// Reads a file, `-` for stdin. Returns its name in messages and its text without byte-order mark.
pub(super) fn read_text(ctx: &Context, path: &Path) -> Result<(String, String), Failure> {
    let is_stdin = path == Path::new("-");
    if is_stdin && ctx.args.key_file.as_deref() == Some(path) {
        return Err(Failure::usage("--key-file and the file cannot both be read from stdin")
            .hint("read one of them from a file"));
    }
    let source = source_name(path);
    let text = String::from_utf8(whole::read_bytes(path)?).map_err(|e| {
        let offset = e.utf8_error().valid_up_to();
        Failure::usage(format!("invalid UTF-8 at byte offset {offset}")).at(Origin::whole(&source))
    })?;
    Ok((source, text.trim_start_matches('\u{feff}').to_owned()))
}

/// Returns the name of a file in messages.
pub fn source_name(path: &Path) -> String {
    if path == Path::new("-") { "stdin".to_owned() } else { path.display().to_string() }
}

/// Returns the place of a byte offset.
pub(super) fn origin_at(source: &str, text: &str, offset: usize) -> Origin {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Origin::at(source, line as u64, column as u64)
}

/// Returns a TOML error as a failure with its place.
pub(super) fn toml_failure(source: &str, text: &str, error: &toml::de::Error) -> Failure {
    let offset = error.span().map_or(0, |span| span.start);
    Failure::usage(error.message().trim_end_matches('.').to_owned()).at(origin_at(source, text, offset))
}
