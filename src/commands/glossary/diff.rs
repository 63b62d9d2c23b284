//! `tulk glossary diff`: what `set` with this file would change.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::commands::named;
use crate::config::OutputFormat;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::input::dictionary::{Change, Diff, Entry};
use crate::json::Kept;
use crate::output::{Cell, Row, TextStyle, escape_terminal};

use super::set::SetArgs;
use super::{change, files};

/// Compare a dictionary with a file
#[derive(Args, Debug)]
pub struct DiffArgs {
    /// Glossary, pair and file.
    #[command(flatten)]
    pub what: SetArgs,
}

/// An entry that differs, as data.
#[skip_serializing_none]
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Differs {
    change: String,
    source: String,
    /// In the file.
    target: Option<String>,
    /// On the service.
    old_target: Option<String>,
}

impl Row for Differs {
    const COLUMNS: &'static [&'static str] = &["change", "source", "target", "old_target"];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(&self.change),
            Cell::from(&self.source),
            Cell::from(self.target.as_deref()),
            Cell::from(self.old_target.as_deref()),
        ]
    }
}

/// Prints the entries that differ; `+`, `-` and `~` lines unless another form is asked for.
pub async fn run(ctx: &Context, args: DiffArgs) -> Result<(), anyhow::Error> {
    let format = ctx.out.settings().format_or(OutputFormat::Text);
    ctx.out.settings().refuse_formats(&[OutputFormat::Srt, OutputFormat::Vtt])?;
    ctx.out.settings().check_columns(format)?;
    let SetArgs { glossary, pair, file, files } = args.what;
    let new = files::load(ctx, &pair, &file, &files)?;
    let glossary_id = named::glossary(ctx, &glossary).await?;
    let old = change::read(ctx.client().await?, &glossary_id, &pair).await?;
    let diff = Diff::between(&old, &new.dictionary);
    if format == OutputFormat::Text {
        ctx.out.stdout().write(diff.entries.iter().map(|entry| line(entry, ctx)).collect::<String>().as_bytes())?;
    } else {
        let rows: Result<Vec<_>, Failure> = diff.entries.iter().map(|entry| Kept::made(row(entry))).collect();
        ctx.out.list(&rows?)?;
    }
    if diff.is_empty() {
        return Ok(());
    }
    let Diff { added, changed, removed, .. } = diff;
    Err(Failure::new(Kind::No, format!("they differ: {added} added, {changed} changed, {removed} removed")).into())
}

fn row(entry: &Entry<'_>) -> Differs {
    Differs {
        change: entry.change.word().to_owned(),
        source: entry.source.to_owned(),
        target: entry.new.map(str::to_owned),
        old_target: entry.old.map(str::to_owned),
    }
}

fn line(entry: &Entry<'_>, ctx: &Context) -> String {
    let (old, new) = (entry.old.unwrap_or_default(), entry.new.unwrap_or_default());
    let source = entry.source;
    let (paint, text) = match entry.change {
        Change::Added => (TextStyle::Green, format!("+ {source}\t{new}")),
        Change::Removed => (TextStyle::Red, format!("- {source}\t{old}")),
        Change::Changed => (TextStyle::Yellow, format!("~ {source}\t{old} -> {new}")),
    };
    let text = if ctx.out.settings().stdout_is_terminal() { escape_terminal(&text).into_owned() } else { text };
    paint.paint(&text, ctx.out.settings().color_stdout()) + "\n"
}
