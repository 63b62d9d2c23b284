//! Flags of `tulk translate`.

use std::path::PathBuf;

use clap::{Args, Command};
use tulk_client::api::translate::TranslateOptions;

use crate::assets::AssetArgs;
use crate::assets::languages::LanguageArgs;
use crate::command::{CommandSpec, RESULTS};
use crate::inputs::structure::StructureArgs;
use crate::inputs::texts::{ProtectArgs, TextInputArgs};
use crate::outputs::OutputArgs;
use crate::runs::result_cache::ResultCacheArgs;
use crate::runs::result_form::TRANSLATION_COLUMNS;
use crate::runs::totals::RunArgs;

/// Adds the flags that a profile can set defaults for.
pub fn profile_flags(command: Command) -> Command {
    let command = AssetArgs::augment_args(LanguageArgs::augment_args(TranslateOptions::augment_args(command)));
    ResultCacheArgs::add_default(command)
}

/// Translate text or files: Markdown, HTML, CSV, subtitles
///
/// Input is TEXT, the files of -i, or stdin. Each TEXT is one text; a file or stdin is one text, or one per line with --lines.
/// --csv, --tsv, --jsonl and --as translate the texts in a file and keep everything else as it is. The result has the line breaks
/// and the whitespace of the input.
#[allow(clippy::struct_excessive_bools)] // each is one flag
#[derive(Args, Debug, Default)]
#[command(add = CommandSpec::prints_result_in(RESULTS)
    .columns(TRANSLATION_COLUMNS)
    .note("printed with several targets, --format tsv or --format table; the first two are the default")
    .with_common_options(&["to", "from", "input", "output", "glossary", "formality"])
    .concurrent()
    .tagged()
    .checks_before_sending())]
#[command(after_help = "tulk translate --to de \"Hello, world\"\n\
                        tulk translate --to de,fr -i letter.txt -o '{stem}.{lang}{ext}'\n\
                        tail -f app.log | tulk translate --to de --lines")]
pub struct TranslateArgs {
    #[command(flatten)]
    pub languages: LanguageArgs,
    #[command(flatten)]
    pub inputs: TextInputArgs,
    #[command(flatten)]
    pub structure: StructureArgs,
    #[command(flatten)]
    pub protect: ProtectArgs,
    #[command(flatten)]
    pub assets: AssetArgs,
    /// File with additional context
    #[arg(long, value_name = "FILE", conflicts_with = "context", help_heading = "Translation")]
    pub context_file: Option<PathBuf>,
    /// Do not detect the structure of XML; use the tags of --splitting-tags
    #[arg(long, conflicts_with = "outline_detection", help_heading = "Markup")]
    pub no_outline_detection: bool,
    /// Add a request field that tulk does not know, repeatable
    #[arg(long, value_name = "KEY=JSON", help_heading = "Translation")]
    pub param: Vec<String>,
    #[command(flatten)]
    pub options: TranslateOptions,
    /// Send N texts before each request as context [default: 0; srt, vtt: 3]
    #[arg(long, value_name = "N", help_heading = "Translation")]
    pub context_lines: Option<usize>,
    #[command(flatten)]
    pub outputs: OutputArgs,
    #[command(flatten)]
    pub running: RunArgs,
}
