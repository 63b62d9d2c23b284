//! `tulk voice terms lint`: reports all problems of all files in one pass, without a server.

use std::path::PathBuf;

use clap::Args;
use tulk_base::limits;
use tulk_base::numbers::counted;
use tulk_formats::input::term_list::CheckedTermList;
use tulk_formats::input::whole;

use crate::command::{CommandSpec, FINDINGS, Run};
use crate::context::Context;
use crate::inputs::keyed_files::check_single_stdin;
use crate::inputs::wildcards;
use crate::reports::problems::{FileProblemRow, LintReport};

/// Check files of terms offline
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<FileProblemRow>().formats(FINDINGS))]
#[command(
    long_about = format!(
        "Check files of terms offline\n\n\
         A file is UTF-8 text with one term per line, without blank lines, repeated terms, tabs or other control characters. It \
         has at most {}, counting the line breaks between the terms. Exits with 1 if there are problems.",
        counted(limits::TERM_LIST_CHARS, "character")
    ),
    after_help = "tulk voice terms lint talk.en.txt talk.de.txt"
)]
pub struct TermsLintArgs {
    /// File with one term per line (- for stdin)
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}

impl Run for TermsLintArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let mut report = LintReport::new(ctx)?;
        let files = wildcards::expand(&self.files)?;
        check_single_stdin(files.iter().map(|file| (file.display().to_string(), &**file)))?;
        for file in &files {
            let checked = CheckedTermList::read(&whole::read_bytes(file, limits::TERM_FILE)?);
            report.add(file, &checked.problems)?;
        }
        Ok(report.finish()?)
    }
}
