//! `tulk voice terms sync`: makes a collection match files of terms.

use clap::Args;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::voice::terms::SpokenTerms;

use super::files::{self, LanguageFile};
use super::term_lists::TermsSyncStep;
use crate::collections;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::names;

/// Make a collection match files
///
/// On a terminal, prints the plan before applying it; in a pipe or as JSON, prints what was done. Without --prune,
/// nothing is removed.
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<TermsSyncStep>()
    .asks_before_changes()
    .checks_before_sending()
    .languages(LanguageUse::Voice))]
#[command(after_help = "tulk voice terms sync \"Subtitles talk\" en=talk.en.txt de=talk.de.txt\n\
                        tulk voice terms sync \"Subtitles talk\" en=talk.en.txt --prune --dry-run")]
pub struct TermsSyncArgs {
    /// Name or ID of the collection; created if none has this name
    #[arg(value_name = "TERMS", add = names::<SpokenTerms>())]
    pub collection: String,
    /// Language and file, such as en=terms.txt (- for stdin)
    #[arg(value_name = "LANG=FILE", required = true, value_parser = files::parse_language_file)]
    pub lists: Vec<LanguageFile>,
    /// Remove terms and term lists that are not in the files
    #[arg(long)]
    pub prune: bool,
}

impl Run for TermsSyncArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let files = collections::load_all::<SpokenTerms>(ctx, &self.lists, &())?;
        collections::sync(ctx, &self.collection, &files, self.prune).await
    }
}
