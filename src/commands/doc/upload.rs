//! `tulk doc upload`: the first half of a translation; `doc resume` or `doc download` does the other.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::many::{Progress, at_source};
use super::options::UploadFlags;
use super::plan::{self, Manner, Verdict};
use super::row::Translated;
use super::translate::{begin, dry};
use super::{Place, program};
use crate::context::Context;
use crate::error::Failure;
use crate::files::{AtomicFile, FileMode};
use crate::json::Kept;

/// Upload a file and end; fetch the result later
#[derive(Args, Debug)]
pub struct UploadArgs {
    /// File to upload, - for stdin
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// What every upload takes.
    #[command(flatten)]
    pub flags: UploadFlags,
    /// Write the document key to this private file too
    #[arg(long, value_name = "FILE")]
    pub key_out: Option<PathBuf>,
}

/// Runs the command.
pub async fn run(ctx: &Context, args: UploadArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let manner = Manner { detach: true, ..Manner::default() };
    let jobs = plan::jobs(ctx, std::slice::from_ref(&args.file), &args.flags, manner).await?;
    if jobs.len() > 1 {
        return Err(Failure::usage(format!("an upload has one target language, {} were given", jobs.len()))
            .hint("`tulk doc translate --detach` takes several")
            .into());
    }
    let client = ctx.client().await?;
    if client.is_dry_run() {
        return Ok(dry(client, &jobs, manner).await?);
    }
    let Some(job) = jobs.first() else { return Ok(()) };
    if let Verdict::Refuse(failure) = &job.verdict {
        return Err(at_source(failure.clone(), &job.input.shown).into());
    }
    let key_file = args.key_out.as_deref().map(|path| key_file(path, args.flags.force)).transpose()?;
    let place = Place::of(ctx).await?;
    let program = program(ctx);
    let life = place.life(ctx, client, &program, false)?;
    let meter = Progress::One.meter(ctx, &job.input.shown, job.params.target_lang.bcp47());
    let (shared, fresh) = begin(&life, &place, job, &args.flags).await?;
    life.arrive(&shared, &meter, fresh).await.map_err(|failure| at_source(failure, &job.input.shown))?;
    meter.finish();
    let record = shared.record();
    if let Some(mut file) = key_file {
        let (id, key) = shared.id_and_key()?;
        let path = args.key_out.as_deref().unwrap_or(Path::new("-"));
        let written = file.write_all(format!("{key}\n").as_bytes()).map_err(|e| Failure::file("write", path, &e));
        written.and_then(|()| file.commit()).map_err(|failure| {
            failure.hint(format!("document {id} is uploaded, and its key is kept: `{program} doc resume {id}` goes on"))
        })?;
    }
    let path = job.target.file().map(|path| path.display().to_string());
    ctx.out.one(&Kept::made(Translated::of(&record, path, "uploaded"))?)?;
    Ok(())
}

/// The private file for the key, proved writable before the upload.
fn key_file(path: &Path, force: bool) -> Result<AtomicFile, Failure> {
    if path == Path::new("-") {
        return Err(Failure::usage("a document key is never printed").hint("name a file with --key-out"));
    }
    if path.exists() && !force {
        return Err(Failure::usage(format!("{} is there already", path.display())).hint("--force replaces it"));
    }
    AtomicFile::create(path, FileMode::Private)
}
