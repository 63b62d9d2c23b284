//! `tulk voice terms create`.

use clap::Args;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::voice::terms::CreateSpokenTerms;
use tulk_client::api::voice::terms::SpokenTerms;

use super::files::{self, LanguageFile, LoadedTermList};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::known_names;

/// Create a collection from files with one term per line
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<SpokenTerms>().checks().languages(LanguageUse::Voice))]
#[command(after_help = "tulk voice terms create \"Team call\" en=talk.en.txt de=talk.de.txt\n\
                        tulk voice stream talk.wav --from en --to fr --spoken-terms \"Team call\"")]
pub struct TermsCreateArgs {
    /// Name of the collection
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Language and file, such as en=terms.txt (- for stdin)
    #[arg(value_name = "LANG=FILE", required = true, value_parser = files::parse_language_file)]
    pub lists: Vec<LanguageFile>,
}

impl Run for TermsCreateArgs {
    /// Creates a collection and shows it.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let loaded = files::load_all(ctx, &self.lists)?;
        let term_lists = loaded.iter().map(LoadedTermList::content).collect();
        let task = ctx.out.phase(&self.name, "uploading");
        let terms = ctx.client().await?.send(&CreateSpokenTerms { name: self.name, term_lists }).await?;
        drop(task);
        known_names::keep(ctx, &terms).await;
        ctx.out.status(&format!("created spoken terms {}", terms.spoken_terms_id));
        ctx.out.one(&terms)?;
        Ok(())
    }
}
