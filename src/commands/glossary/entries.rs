//! `tulk glossary entries`: prints one dictionary as a TSV file, or lists the entries of all dictionaries.

use clap::Args;
use tulk_base::shell;
use tulk_client::api::glossary::{Glossary, LanguagePair};

use crate::collections::EntriesOutput;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::names;
use crate::output::{Column, EmptyNote};

/// Print the entries of one or all dictionaries
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(COLUMNS).note("with a pair, a pipe gets the raw TSV file"))]
#[command(after_help = "tulk glossary entries Kitchen\n\
                        tulk glossary entries Kitchen en:de > kitchen.tsv")]
pub struct GlossaryEntriesArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY", add = names::<Glossary>())]
    pub glossary: String,
    /// Source and target language, such as en:de [default: all pairs]
    #[arg(value_name = "PAIR")]
    pub pair: Option<LanguagePair>,
}

impl Run for GlossaryEntriesArgs {
    /// With a pair, text and TSV output are the dictionary file itself, without escapes.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let set = format!("tulk glossary set {} en:de FILE", shell::quote(&self.glossary));
        let note = EmptyNote::new("No entries yet.").next("Add a dictionary", &set);
        let output = EntriesOutput { collection: &self.glossary, header: HEADER, note };
        Ok(output.print::<Glossary>(ctx, self.pair.as_ref()).await?)
    }
}

pub const HEADER: &str = "source\ttarget";

pub const COLUMNS: &[Column] = &[
    Column::text("source_lang").header("FROM"),
    Column::text("target_lang").header("TO"),
    Column::text("source").rank(0),
    Column::text("target").rank(0),
];
