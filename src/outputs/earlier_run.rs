//! Finds the outputs that an earlier run finished and that have not changed since.
//!
//! A pipe is read to its end before anything is sent, so that it can be compared with the input of the earlier run.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::Path;

use tulk_base::error::{Failure, FileContext as _, io_message};
use tulk_base::files::{self, file_digest, is_special};
use tulk_base::machine;
use tulk_base::stop::Stop;
use tulk_formats::input::source::Source;
use tulk_pipeline::PipelineInput;
use tulk_store::part::PartPaths;
use tulk_store::runs::{FinishedOutput, FinishedOutputs};

use super::output_run::OutputArgs;
use super::passes::{PassOutput, PassSource, TextPass};
use crate::context::Context;
use crate::inputs::texts::TextInputs;

/// Removes from the plan the outputs that an earlier run finished, and the passes that then have no outputs. Fails if the source or the
/// result of such an output has changed since.
pub async fn remove_finished(
    ctx: &Context,
    inputs: &TextInputs<'_>,
    args: &OutputArgs,
    earlier: &FinishedOutputs,
    passes: &mut Vec<TextPass>,
) -> Result<(), Failure> {
    for pass in passes.iter_mut() {
        let finished: Vec<Option<FinishedOutput>> =
            pass.outputs.iter().map(|output| earlier.get(output.key.as_ref()?).cloned()).collect();
        if finished.iter().all(Option::is_none) {
            continue;
        }
        let source = if args.in_place { None } else { source_digest(ctx, inputs, pass).await? };
        let mut unfinished = Vec::new();
        for (output, finished) in std::mem::take(&mut pass.outputs).into_iter().zip(finished) {
            match finished {
                Some(finished) if is_finished(&pass.source, source.as_deref(), &output, &finished)? => {}
                _ => unfinished.push(output),
            }
        }
        pass.outputs = unfinished;
    }
    passes.retain(|pass| !pass.outputs.is_empty());
    Ok(())
}

/// For `--in-place`: fails if an unfinished run has already replaced one of the files with its result.
pub fn refuse_finished(earlier: &FinishedOutputs, passes: &[TextPass]) -> Result<(), Failure> {
    for output in passes.iter().flat_map(|pass| &pass.outputs) {
        let recorded = output.key.as_ref().and_then(|key| earlier.get(key));
        let (Some(recorded), Some(path)) = (recorded, &output.path) else { continue };
        if file_digest(path)? == recorded.result {
            let what = format!("{} is already the result of an unfinished run", path.display());
            return Err(Failure::usage(what)
                .hint_to_start_over("finish that run with --resume; --force would process the file again"));
        }
    }
    Ok(())
}

/// Returns the digest of the input of a pass; `None` for arguments. Reads a pipe to its end.
async fn source_digest(ctx: &Context, inputs: &TextInputs<'_>, pass: &mut TextPass) -> Result<Option<String>, Failure> {
    match &pass.source {
        PassSource::Texts(_) | PassSource::All(_) => Ok(None),
        PassSource::File(path) if path.is_file() => file_digest(path).map(Some),
        pipe => {
            let (input, digest) = spool(ctx, pipe, inputs).await?;
            pass.input = input;
            Ok(Some(digest))
        }
    }
}

/// Returns whether an output is finished. `digest` is the current digest of the source, if the source must be unchanged.
fn is_finished(
    source: &PassSource,
    digest: Option<&str>,
    output: &PassOutput,
    recorded: &FinishedOutput,
) -> Result<bool, Failure> {
    let Some(path) = output.path.as_deref().filter(|path| !is_special(path)) else { return Ok(false) };
    if digest.is_some_and(|digest| digest != recorded.source) {
        let what = format!("{} has changed since {} was written", source.name().unwrap_or_default(), path.display());
        return Err(Failure::usage(what).hint_to_start_over("use the same input, or start over with --force"));
    }
    let paths = PartPaths::new(path)?;
    if path.exists() && file_digest(path)? == recorded.result {
        paths.remove_leftovers(&recorded.source);
        return Ok(true);
    }
    if paths.has_part() {
        // The earlier run was killed before the part replaced the file.
        return Ok(false);
    }
    Err(changed_failure(path))
}

fn changed_failure(path: &Path) -> Failure {
    let how = if path.exists() { "has changed" } else { "was removed" };
    Failure::usage(format!("{} {how} since the earlier run finished it", path.display()))
        .hint_to_start_over("omit it to keep it unchanged, or start over with --force")
}

/// Spools stdin or another pipe to a temporary file that only this process can open. Returns it as an input, and its digest.
pub async fn spool(
    ctx: &Context,
    source: &PassSource,
    inputs: &TextInputs<'_>,
) -> Result<(PipelineInput, String), Failure> {
    let name = source.name().unwrap_or_default();
    let (reader, file): (Box<dyn Read + Send>, &Path) = match source {
        PassSource::File(path) => (Box::new(File::open(path).file_context("read", path)?), path),
        _ => (Box::new(inputs.stdin()), Path::new("-")),
    };
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let spool = tempfile::tempfile().map_err(|e| files::temporary_failure(&e))?;
    let read = move || {
        // An error means that a signal has dropped the receiver.
        let _ = sender.send(spool_with_digest(reader, spool));
    };
    machine::spawn("spool", read)?;
    let spooled = tokio::select! {
        spooled = receiver => spooled.map_err(|e| Failure::internal(e.to_string()))?,
        kind = ctx.stop.wait() => return Err(Stop::failure(kind, None)),
    };
    let (spool, digest) = spooled.map_err(|e| Failure::internal(format!("cannot read {name}: {}", io_message(&e))))?;
    Ok((inputs.read(Source::reader(&name, Box::new(spool)), file), digest))
}

fn spool_with_digest(mut reader: impl Read, mut file: File) -> io::Result<(File, String)> {
    io::copy(&mut reader, &mut file)?;
    file.seek(SeekFrom::Start(0))?;
    let digest = files::digest_of(&file)?;
    file.seek(SeekFrom::Start(0))?;
    Ok((file, digest))
}
