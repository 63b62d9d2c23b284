//! `tulk doc upload`: uploads a document. `doc resume` or `doc download` fetches the result later.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::{AtomicFile, FileMode, check_shared};
use tulk_base::json::WithRaw;
use tulk_client::api::language_names::LanguageUse;

use super::batch::{DocumentProgress, with_source};
use super::claim::claim;
use super::lifecycle::Lifecycle;
use super::outcome::DocumentResultRow;
use super::plan::{DocumentPlan, JobDecision, PlanOptions};
use super::records::ServerDocuments;
use super::upload_flags::UploadFlags;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::inputs::directories::InputFiles;

/// Upload a file without waiting for the result
#[derive(Args, Debug)]
#[command(mut_arg("output", |arg| arg.help("File, or template with {dir} {path} {stem} {lang} {ext}")))]
#[command(add = CommandSpec::change::<DocumentResultRow>()
    .with_common_options(&["to", "from", "output", "glossary", "key-out"])
    .checks_before_sending()
    .languages(LanguageUse::Document))]
#[command(after_help = "tulk doc upload report.docx --to de\n\
                        tulk doc upload report.docx --to de --key-out report.key")]
pub struct DocUploadArgs {
    /// File to upload (- for stdin)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub upload: UploadFlags,
    /// Also write the document key to a private file
    #[arg(long, value_name = "FILE")]
    pub key_out: Option<PathBuf>,
}

impl Run for DocUploadArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let options = PlanOptions { detach: true, ..PlanOptions::default() };
        let inputs = InputFiles::as_given(vec![self.file.clone()]);
        let plan = DocumentPlan::new(ctx, &inputs, &self.upload, options).await?;
        if plan.jobs.len() > 1 {
            let what = format!("`doc upload` takes one target language, but {} were given", plan.jobs.len());
            return Err(Failure::usage(what).hint("use `tulk doc translate --detach` for several").into());
        }
        let client = ctx.client().await?;
        if client.is_dry_run() {
            return Ok(plan.print_planned(ctx, client).await?);
        }
        let Some(job) = plan.jobs.first() else { return Ok(()) };
        let source = &job.input.display_name;
        if let JobDecision::Refuse(failure) = &job.decision {
            return Err(with_source(failure.clone(), source).into());
        }
        let key_file = self.key_out.as_deref().map(|path| KeyFile::create(path, self.upload.force)).transpose()?;
        let documents = ServerDocuments::open(ctx).await?;
        let lifecycle = Lifecycle::new(ctx, client, &documents.store, false)?;
        let bar = DocumentProgress::new(ctx, 1).add(ctx, source, job.params.target_lang.bcp47());
        let claimed = claim(&lifecycle, &documents, job, plan.again).await?;
        let uploaded = lifecycle.ensure_uploaded(&claimed.shared, &bar, claimed.was_just_recorded).await;
        uploaded.map_err(|failure| with_source(lifecycle.next.with_stop_hint(failure, &claimed.shared), source))?;
        bar.finish();
        if let Some(file) = key_file {
            let (id, key) = claimed.shared.id_and_key()?;
            file.write(&key).map_err(|failure| {
                let command = lifecycle.next.continue_command(&claimed.shared.get());
                failure.hint(format!(
                    "document {id} is uploaded and its key is in the local record: continue with `{command}`"
                ))
            })?;
        }
        let row = DocumentResultRow::new(&claimed.shared.get(), job.destination.path_text(), "uploaded");
        bar.succeeded(&row.in_words());
        if ctx.out.final_lines_show_all() {
            return Ok(());
        }
        Ok(ctx.out.object(&WithRaw::from_typed(row)?)?)
    }
}

struct KeyFile<'a> {
    path: &'a Path,
    file: AtomicFile,
    may_replace: bool,
}

impl<'a> KeyFile<'a> {
    /// Creates the file before the upload, so an unwritable path is reported in time.
    fn create(path: &'a Path, force: bool) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Err(Failure::usage("a document key is never printed").hint("pass a file with --key-out"));
        }
        check_shared(path)?;
        if path.exists() && !force {
            return Err(Failure::usage(format!("{} already exists", path.display())).hint("replace it with --force"));
        }
        Ok(Self { path, file: AtomicFile::create(path, FileMode::Private)?, may_replace: force })
    }

    fn write(mut self, key: &str) -> Result<(), Failure> {
        let written = self.file.write_all(format!("{key}\n").as_bytes());
        written.file_context("write", self.path)?;
        if self.may_replace { self.file.commit() } else { self.file.commit_new() }
    }
}
