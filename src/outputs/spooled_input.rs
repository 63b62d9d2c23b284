//! A pipe that is read to its end before anything is sent, so that it can be compared with what an earlier run read.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};

use tulk_base::error::{Failure, io_message};
use tulk_base::files;
use tulk_base::stop::Stop;
use tulk_formats::input::source::Source;
use tulk_pipeline::PipelineInput;

use super::passes::PassSource;
use crate::context::Context;
use crate::inputs::texts::TextInputs;

/// Reads stdin or another pipe into a temporary file that only this process can open. Returns it as an input, and its digest.
pub async fn spool(
    ctx: &Context,
    source: &PassSource,
    inputs: &TextInputs<'_>,
) -> Result<(PipelineInput, String), Failure> {
    let name = source.name().unwrap_or_default();
    let reader: Box<dyn Read + Send> = match source {
        PassSource::File(path) => Box::new(File::open(path).map_err(|e| Failure::file("read", path, &e))?),
        _ => Box::new(inputs.stdin()),
    };
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let file = tempfile::tempfile().map_err(|e| {
        Failure::file("write to the directory", &std::env::temp_dir(), &e)
            .hint("set TMPDIR to a directory that you can write to")
    })?;
    let read = move || {
        // The receiver is gone after a signal.
        let _ = sender.send(read_whole(reader, file));
    };
    std::thread::Builder::new().name("spool".into()).spawn(read).map_err(|e| Failure::internal(e.to_string()))?;
    let spooled = tokio::select! {
        spooled = receiver => spooled.map_err(|e| Failure::internal(e.to_string()))?,
        kind = ctx.stop.wait() => return Err(Stop::failure(kind, None)),
    };
    let (file, digest) = spooled.map_err(|e| Failure::internal(format!("cannot read {name}: {}", io_message(&e))))?;
    Ok((inputs.read(Source::reader(&name, Box::new(file))), digest))
}

fn read_whole(mut reader: impl Read, mut file: File) -> io::Result<(File, String)> {
    io::copy(&mut reader, &mut file)?;
    file.seek(SeekFrom::Start(0))?;
    let digest = files::digest_of(&file)?;
    file.seek(SeekFrom::Start(0))?;
    Ok((file, digest))
}
