//! Skips results that are not older than their sources, for `--if-newer`.

use std::fs;
use std::path::Path;

use tulk_base::numbers::grouped;

use super::passes::{PassSource, TextPass};
use crate::context::Context;

/// Returns whether a result exists and is not older than its source.
pub fn is_up_to_date(source: &Path, result: &Path) -> bool {
    let modified = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    matches!((modified(source), modified(result)), (Some(source), Some(result)) if result >= source)
}

/// Removes from the plan the outputs that are up to date, and the passes that then have no outputs. Prints how many outputs are skipped.
pub fn remove_up_to_date(ctx: &Context, passes: &mut Vec<TextPass>) {
    let mut skipped = 0;
    for pass in passes.iter_mut() {
        let PassSource::File(source) = &pass.source else { continue };
        let all = pass.outputs.len();
        pass.outputs.retain(|output| !output.path.as_ref().is_some_and(|path| is_up_to_date(source, path)));
        skipped += all - pass.outputs.len();
    }
    passes.retain(|pass| !pass.outputs.is_empty());
    match skipped {
        0 => {}
        1 => ctx.out.status("1 result is skipped: it is newer than its file"),
        _ => ctx.out.status(&format!("{} results are skipped: they are newer than their files", grouped(skipped))),
    }
}
