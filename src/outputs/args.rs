//! The flags that say where results go, and what to do with those of an earlier run.

use clap::Args;
use tulk_base::error::Failure;
use tulk_pipeline::ExistingPart;

use crate::context::Context;

/// Where results go.
#[derive(Args, Clone, Debug, Default)]
pub struct OutputArgs {
    /// File, or template of {dir} {stem} {lang} {ext}
    #[arg(short, long, value_name = "FILE|TEMPLATE", conflicts_with = "in_place")]
    pub output: Option<String>,
    /// Replace the input files with their results
    #[arg(long, requires = "input")]
    pub in_place: bool,
    /// Continue an unfinished run
    #[arg(long, help_heading = "Running")]
    pub resume: bool,
    /// Start over, and overwrite what an unfinished run left
    #[arg(long, help_heading = "Running", conflicts_with = "resume", hide_short_help = true)]
    pub force: bool,
}

impl OutputArgs {
    /// Returns the value of `-o` unless it is stdout.
    pub fn file(&self) -> Option<&str> {
        self.output.as_deref().filter(|output| *output != "-")
    }

    /// Returns whether results go to stdout.
    pub fn to_stdout(&self) -> bool {
        self.file().is_none() && !self.in_place
    }

    /// Returns what to do with parts of an earlier run.
    pub fn existing_part(&self) -> ExistingPart {
        match (self.resume, self.force) {
            (true, _) => ExistingPart::Resume,
            (_, true) => ExistingPart::Overwrite,
            _ => ExistingPart::Refuse,
        }
    }

    /// Prints a hint if `--force` has nothing to overwrite.
    pub fn hint_without_effect(&self, ctx: &Context) {
        if self.force && self.to_stdout() {
            ctx.out.hint("--force has no effect without -o");
        }
    }

    /// Refuses `--resume` without files that could be resumed, and `--jq` with files.
    pub fn check(&self, ctx: &Context) -> Result<(), Failure> {
        if !self.to_stdout() {
            ctx.out.settings().filter_conflicts_with("-o")?;
        }
        if self.resume && self.to_stdout() {
            return Err(Failure::usage("--resume needs files").hint("write files with -o FILE, or use --in-place"));
        }
        Ok(())
    }
}
