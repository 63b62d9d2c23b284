//! `tulk glossary sync`: makes a glossary match dictionary files.

use clap::Args;
use tulk_client::api::glossary::Glossary;

use super::dictionaries::GlossarySyncStep;
use super::files::{self, DictionaryFileOptions, PairFile};
use crate::collections;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::names;

/// Make a glossary match dictionary files
///
/// On a terminal, prints the plan before applying it; in a pipe or as JSON, prints what was done. Without --prune,
/// nothing is removed.
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<GlossarySyncStep>().asks_before_changes().checks_before_sending())]
#[command(after_help = "tulk glossary sync Kitchen en:de=kitchen.tsv en:fr=kitchen.fr.tsv\n\
                        tulk glossary sync Kitchen en:de=kitchen.tsv --prune --dry-run")]
pub struct GlossarySyncArgs {
    /// Glossary name or ID; created if no glossary has this name
    #[arg(value_name = "GLOSSARY", add = names::<Glossary>())]
    pub glossary: String,
    /// Language pairs and file, such as en:de=terms.tsv or en:de,fr=all.csv
    #[arg(value_name = "PAIR=FILE", required = true, value_parser = files::parse_pairs_file)]
    pub dictionaries: Vec<PairFile>,
    /// Remove entries and dictionaries that are not in the files
    #[arg(long)]
    pub prune: bool,
    #[command(flatten)]
    pub options: DictionaryFileOptions,
}

impl Run for GlossarySyncArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let files = collections::load_all::<Glossary>(ctx, &self.dictionaries, &self.options)?;
        collections::sync(ctx, &self.glossary, &files, self.prune).await
    }
}
