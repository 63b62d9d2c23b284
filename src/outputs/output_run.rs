//! The outputs of a run: checked before anything is sent, opened for each pass, and recorded when they are finished.

use std::path::{Path, PathBuf};

use clap::Args;
use tulk_base::error::Failure;
use tulk_base::files::{SharedDigest, check_stdout, file_digest, is_special};
use tulk_formats::InputFormat;
use tulk_pipeline::{Destination, ExistingPart, Job, PipelineInput, RunOptions, Sink, TargetIndex};
use tulk_store::part::PartPaths;
use tulk_store::runs::{FinishedOutputs, OutputKey, RunRecord, RunStore};

use super::passes::{PassOutput, TextPass, path_identity};
use super::{earlier_run, up_to_date};
use crate::command::RESULTS_IN_FILES;
use crate::context::Context;
use crate::inputs::texts::TextInputs;
use crate::runs::client_call;
use crate::runs::result_form::ResultForm;

/// Flags for the destination of results.
#[allow(clippy::struct_excessive_bools)] // each is one flag
#[derive(Args, Clone, Debug, Default)]
pub struct OutputArgs {
    /// File, or template with {dir} {path} {stem} {lang} {ext}
    #[arg(short, long, value_name = "FILE|TEMPLATE", conflicts_with = "in_place")]
    pub output: Option<String>,
    /// Replace the input files with their results
    #[arg(long, requires = "input")]
    pub in_place: bool,
    /// Skip files that have not changed since their result
    #[arg(long, help_heading = "Running", requires = "input", conflicts_with = "in_place")]
    pub if_newer: bool,
    /// Continue an unfinished run
    #[arg(long, help_heading = "Running")]
    pub resume: bool,
    /// Start over, and overwrite what an unfinished run left
    #[arg(long, help_heading = "Running", conflicts_with = "resume")]
    pub force: bool,
}

impl OutputArgs {
    /// Returns the value of `-o` unless it is stdout.
    pub fn file(&self) -> Option<&str> {
        self.output.as_deref().filter(|output| *output != "-")
    }

    pub fn to_stdout(&self) -> bool {
        self.file().is_none() && !self.in_place
    }

    /// Returns the name of the stream that all results go to: stdout, or a special file such as a pipe.
    pub fn stream(&self) -> Option<&str> {
        match self.file() {
            Some(file) => Some(file).filter(|file| is_special(Path::new(file))),
            None => Some("stdout").filter(|_| !self.in_place),
        }
    }

    /// Returns what to do with part files of an earlier run.
    pub fn existing_part(&self) -> ExistingPart {
        match (self.resume, self.force) {
            (true, _) => ExistingPart::Resume,
            (_, true) => ExistingPart::Overwrite,
            _ => ExistingPart::Refuse,
        }
    }

    /// Prints a hint if `--force` has nothing to overwrite.
    pub fn hint_if_force_has_no_effect(&self, ctx: &Context) {
        if self.force && self.to_stdout() {
            ctx.out.hint("--force has no effect without -o");
        }
    }

    /// Refuses `--jq` and tables for files, and `--resume` and `--if-newer` for stdout. Also refuses a stdout that cannot be written,
    /// because the results of the sent texts would be lost.
    pub fn check(&self, ctx: &Context) -> Result<(), Failure> {
        if !self.to_stdout() {
            ctx.out.settings().filter_conflicts_with("-o")?;
            ctx.out.settings().accept_format_with_flag("-o", RESULTS_IN_FILES)?;
        }
        if self.to_stdout() {
            check_stdout()?;
        }
        if self.resume && self.to_stdout() {
            return Err(Failure::usage("--resume needs files").hint("write files with -o FILE, or use --in-place"));
        }
        if self.if_newer && self.to_stdout() {
            return Err(Failure::usage("--if-newer needs files").hint("write files with -o FILE"));
        }
        Ok(())
    }
}

pub struct OutputRun {
    form: ResultForm,
    existing: ExistingPart,
    in_place: bool,
    /// Server and options. A run resumes a part only if these, the formats and the targets are unchanged.
    identity: String,
    /// Record of finished outputs, if a later run may have to skip some of them.
    record: Option<RunRecord>,
    /// The only output, if there is no record.
    single: Option<SingleOutput>,
}

/// The only output of a run. Recorded only if a signal comes too late to stop the run: `--resume` then does not send the texts again.
struct SingleOutput {
    key: OutputKey,
    path: PathBuf,
    source: SharedDigest,
}

pub struct OutputSetup<'a> {
    pub inputs: &'a TextInputs<'a>,
    pub args: &'a OutputArgs,
    pub form: ResultForm,
    /// The server in the first line, then everything that changes requests or how the input is read, except formats and targets.
    pub identity: String,
    pub jobs: &'a [Job],
    pub options: &'a RunOptions,
}

pub struct OpenPass {
    pub input: PipelineInput,
    /// Targets that are not finished.
    pub targets: Vec<TargetIndex>,
    /// The job of each of these targets.
    pub jobs: Vec<Job>,
    pub sinks: Vec<Sink>,
}

impl OutputRun {
    /// Checks all inputs and outputs, starts the record of the run, and returns the passes that an earlier run has not finished.
    pub async fn prepare(
        ctx: &Context,
        setup: OutputSetup<'_>,
        mut passes: Vec<TextPass>,
    ) -> Result<(Self, Vec<TextPass>), Failure> {
        let OutputSetup { inputs, args, form, identity, jobs, options } = setup;
        args.check(ctx)?;
        if args.if_newer {
            up_to_date::remove_up_to_date(ctx, &mut passes);
        }
        let (existing, in_place) = (args.existing_part(), args.in_place);
        let mut run = Self { form, existing, in_place, identity, record: None, single: None };
        let keys = run.add_keys(&mut passes, jobs);
        // With --keep-going, a run can be resumed although its output is finished. Record the output, so that its texts are not sent again.
        let is_recorded = args.in_place || args.resume || keys.len() > 1 || options.keep_going;
        if let Some(store) = RunStore::user().ok().filter(|_| is_recorded) {
            store.check()?;
        }
        let earlier = if args.resume || args.in_place { finished_outputs() } else { FinishedOutputs::default() };
        if args.resume {
            earlier_run::remove_finished(ctx, inputs, args, &earlier, &mut passes).await?;
            if passes.is_empty() {
                ctx.out.status("an earlier run finished all results; nothing is sent");
            }
        } else if !args.force {
            earlier_run::refuse_finished(&earlier, &passes)?;
        }
        for (number, pass) in passes.iter_mut().enumerate() {
            let checks = run.inspect(pass, jobs)?;
            // The first pass checks its own input before it sends anything. Files of a directory fail one by one instead.
            if number > 0 && !inputs.args.found.has_directory {
                tulk_pipeline::check_input(&mut pass.input, jobs, options, checks)?;
            }
        }
        if !ctx.args.dry_run && is_recorded {
            let earlier = if args.resume { earlier } else { FinishedOutputs::default() };
            run.record = begin_record(ctx, keys, &earlier)?;
        } else if !ctx.args.dry_run {
            run.single = passes.iter().flat_map(|pass| &pass.outputs).find_map(SingleOutput::new);
        }
        Ok((run, passes))
    }

    /// Gives a key to every output that is a regular file, and returns the keys.
    fn add_keys(&self, passes: &mut [TextPass], jobs: &[Job]) -> Vec<OutputKey> {
        let mut keys = Vec::new();
        for pass in passes {
            let source = pass.source.identity();
            for output in &mut pass.outputs {
                let Some(path) = output.path.as_deref().filter(|path| !is_special(path)) else { continue };
                let identity = self.identity_of(&names(jobs, &output.targets), &pass.input.format);
                let key = OutputKey::new(&[&identity, &source, &path_identity(path)]);
                keys.push(key.clone());
                output.key = Some(key);
            }
        }
        keys
    }

    /// Examines the part files that an earlier run left for the outputs of a pass. Returns the checks for the input.
    fn inspect(&self, pass: &mut TextPass, jobs: &[Job]) -> Result<Vec<tulk_pipeline::InputCheck>, Failure> {
        let mut checks = Vec::new();
        for output in &mut pass.outputs {
            let Some(path) = output.path.as_deref().filter(|path| !is_special(path)) else { continue };
            let names = names(jobs, &output.targets);
            let point = PartPaths::new(path)?
                .find_resume_point(&self.identity_of(&names, &pass.input.format), self.existing)?;
            if let Some(point) = &point {
                if !self.form.writer(&names, &pass.input.format).is_resumable() {
                    return Err(tulk_pipeline::not_resumable_failure());
                }
                checks.push(point.input_check());
            }
            output.resume_point = point.map(Box::new);
        }
        Ok(checks)
    }

    pub fn open(&self, ctx: &Context, pass: TextPass, jobs: &[Job]) -> Result<OpenPass, Failure> {
        let TextPass { mut input, outputs, .. } = pass;
        let digest = self.single.as_ref().map(|single| single.source.clone()).unwrap_or_default();
        if self.record.is_some() || self.single.is_some() || self.in_place {
            input.source.digest_into(digest.clone());
        }
        let mut open = OpenPass { input, targets: Vec::new(), jobs: Vec::new(), sinks: Vec::new() };
        for output in outputs {
            let first = open.targets.len();
            open.targets.extend(&output.targets);
            open.jobs.extend(output.targets.iter().filter_map(|target| jobs.get(target.0)).cloned());
            let names = names(jobs, &output.targets);
            let writer = self.form.for_display(ctx, self.form.writer(&names, &open.input.format));
            let identity = self.identity_of(&names, &open.input.format);
            let to = self.destination(ctx, output, &identity, &digest)?;
            // Count the targets of this pass from zero, without those of finished outputs.
            let targets = (first..open.targets.len()).map(TargetIndex).collect();
            open.sinks.push(Sink { targets, writer, to });
        }
        Ok(open)
    }

    fn destination(
        &self,
        ctx: &Context,
        output: PassOutput,
        identity: &str,
        digest: &SharedDigest,
    ) -> Result<Destination, Failure> {
        let PassOutput { path, key, resume_point, .. } = output;
        let Some(path) = path else {
            return Ok(client_call::stdout(ctx));
        };
        if ctx.args.dry_run {
            return Ok(resume_point.map_or(Destination::Nothing, Destination::Resumed));
        }
        let mut to = Destination::file(&path, identity, self.existing)?;
        if self.in_place {
            to.replace_if_unchanged(digest.clone());
        }
        if let (Some(record), Some(key)) = (&self.record, key) {
            to.set_record(record.output(key, digest.clone()));
        }
        Ok(to)
    }

    fn identity_of(&self, names: &[String], input: &InputFormat) -> String {
        let ResultForm { format, columns, .. } = self.form;
        format!("{}\n{input:?}\n{format:?} {columns}\n{}", self.identity, names.join(","))
    }

    /// Returns whether any output is finished. Without `--resume`, the same command would write it again.
    pub fn has_finished(&self) -> bool {
        self.record.as_ref().is_some_and(RunRecord::has_finished)
    }

    /// Records the only output of a finished run, if a signal came too late to stop the run.
    pub fn record_single(&self, ctx: &Context) {
        if let Some(single) = self.single.as_ref().filter(|_| ctx.stop.raised().is_some()) {
            single.record(ctx);
        }
    }

    /// Ends the run, and deletes its record if the run is complete. A run is not complete if entries were refused, or if a signal came
    /// too late to stop it. When such a run is resumed, nothing that was billed is sent again.
    pub fn end(self, ctx: &Context, complete: bool) {
        let complete = complete && ctx.stop.raised().is_none();
        if let Some(failure) = self.record.and_then(|record| record.end(complete)).filter(|_| !complete) {
            warn_without_record(ctx, &failure);
        }
    }
}

impl SingleOutput {
    fn new(output: &PassOutput) -> Option<Self> {
        let (key, path) = (output.key.clone()?, output.path.clone()?);
        Some(Self { key, path, source: SharedDigest::default() })
    }

    /// Records that the output is finished. If the record cannot be written, only warns.
    fn record(&self, ctx: &Context) {
        let Ok(result) = file_digest(&self.path) else { return };
        let Ok(Some(record)) = begin_record(ctx, vec![self.key.clone()], &FinishedOutputs::default()) else { return };
        record.output(self.key.clone(), self.source.clone()).finished(&result);
        if let Some(failure) = record.end(false) {
            warn_without_record(ctx, &failure);
        }
    }
}

fn names(jobs: &[Job], targets: &[TargetIndex]) -> Vec<String> {
    targets.iter().filter_map(|target| jobs.get(target.0)).map(|job| job.target.clone()).collect()
}

fn finished_outputs() -> FinishedOutputs {
    RunStore::user().map(|store| store.finished()).unwrap_or_default()
}

/// Starts the record of a run. Fails if another process writes the same files. If the record cannot be written, warns and continues.
fn begin_record(ctx: &Context, keys: Vec<OutputKey>, earlier: &FinishedOutputs) -> Result<Option<RunRecord>, Failure> {
    match RunStore::user().and_then(|store| store.begin(keys, earlier)) {
        Ok(None) => Err(Failure::usage("another process is writing the same files").hint("wait until it ends")),
        Ok(record) => Ok(record),
        Err(failure) => {
            warn_without_record(ctx, &failure);
            Ok(None)
        }
    }
}

fn warn_without_record(ctx: &Context, failure: &Failure) {
    ctx.out.warn(&format!("{}; --resume will not know which files are finished", failure.what));
}
