//! `tulk glossary diff`: shows what `set` would change with the same arguments.

use std::path::Path;

use clap::Args;
use serde::{Deserialize, Serialize};
use tulk_base::error::{Failure, Kind};
use tulk_client::api::glossary::Glossary;
use tulk_formats::input::dictionary::{DictionaryDiff, EntryChange, EntryDifference};

use super::dictionaries::RemoteDictionary;
use super::files::DictionaryAndFileArgs;
use crate::collections;
use crate::command::{CommandSpec, FINDINGS, Run};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::output::{Annotation, AnnotationLevel, Column, Row, TextStyle, escape_terminal};

#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct EntryDifferenceRow {
    change: String,
    source: String,
    /// Target in the dictionary of the service.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    /// Target in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    new_target: Option<String>,
}

impl From<&EntryDifference<'_>> for EntryDifferenceRow {
    fn from(entry: &EntryDifference<'_>) -> Self {
        Self {
            change: entry.change.word().to_owned(),
            source: entry.source.to_owned(),
            target: entry.old.map(str::to_owned),
            new_target: entry.new.map(str::to_owned),
        }
    }
}

impl Row for EntryDifferenceRow {
    const COLUMNS: &'static [Column] = &[
        Column::text("change").rank(0),
        Column::text("source").rank(0),
        Column::text("target"),
        Column::text("new_target").header("NEW TARGET"),
    ];
}

/// Compare a dictionary with a file
///
/// Exits with 1 if there are differences.
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<EntryDifferenceRow>().formats(FINDINGS).checks_before_sending())]
#[command(after_help = "tulk glossary diff Kitchen en:de kitchen.tsv")]
pub struct GlossaryDiffArgs {
    #[command(flatten)]
    pub dictionary: DictionaryAndFileArgs,
}

impl Run for GlossaryDiffArgs {
    /// Prints the entries that differ. Without a format, a terminal gets `+`, `-` and `~` lines, anything else gets rows. Fails with
    /// `Kind::No` if there are any.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = self.dictionary;
        let is_terminal = ctx.out.settings().stdout_is_terminal;
        let format = ctx.out.settings().format_or(if is_terminal { OutputFormat::Text } else { OutputFormat::Tsv });
        ctx.out.settings().check_columns(format)?;
        let new = collections::load::<Glossary>(ctx, &args.pair_file(), &args.options)?;
        let old = RemoteDictionary::find(ctx, &args.glossary, &args.pair).await?.read().await?;
        let diff = DictionaryDiff::between(&old, &new.list);
        if format == OutputFormat::Github {
            for entry in diff.entries() {
                ctx.out.annotations(&[annotation(&args.file, &entry, &new.entry_lines)])?;
            }
        } else if format == OutputFormat::Text {
            diff.entries().try_for_each(|entry| ctx.out.stdout().write(text_line(ctx, &entry).as_bytes()))?;
        } else {
            ctx.out.list_in_chunks(diff.entries().map(|entry| EntryDifferenceRow::from(&entry)))?;
        }
        if diff.is_empty() {
            return Ok(());
        }
        let DictionaryDiff { added, changed, removed, .. } = diff;
        let what = format!("the dictionary and the file differ: {added} added, {changed} changed, {removed} removed");
        Err(Failure::new(Kind::No, what).into())
    }
}

/// Uses the line of the entry in the file, if it is there.
fn annotation(file: &Path, entry: &EntryDifference<'_>, lines: &[u32]) -> Annotation {
    let (source, old, new) = (entry.source, entry.old.unwrap_or_default(), entry.new.unwrap_or_default());
    let message = match entry.change {
        EntryChange::Added => format!("the glossary lacks `{source}`: `{new}`"),
        EntryChange::Removed => format!("the file lacks `{source}`: `{old}`"),
        EntryChange::Changed => format!("`{source}` is `{old}` in the glossary and `{new}` in the file"),
    };
    Annotation {
        level: AnnotationLevel::Warning,
        file: (file != Path::new("-")).then(|| file.to_owned()),
        line: entry.new_entry.and_then(|number| lines.get(number)).copied(),
        column: None,
        title: format!("entry {}", entry.change.word()),
        message,
    }
}

fn text_line(ctx: &Context, entry: &EntryDifference<'_>) -> String {
    let (old, new) = (entry.old.unwrap_or_default(), entry.new.unwrap_or_default());
    let source = entry.source;
    let (style, text) = match entry.change {
        EntryChange::Added => (TextStyle::Green, format!("+ {source}\t{new}")),
        EntryChange::Removed => (TextStyle::Red, format!("- {source}\t{old}")),
        EntryChange::Changed => (TextStyle::Yellow, format!("~ {source}\t{old} -> {new}")),
    };
    let text = if ctx.out.settings().stdout_is_terminal { escape_terminal(&text).into_owned() } else { text };
    style.paint(&text, ctx.out.settings().color_stdout) + "\n"
}
