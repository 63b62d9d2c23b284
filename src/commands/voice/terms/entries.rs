//! `tulk voice terms entries`: prints one term list as a file, or lists the terms of all lists.

use clap::Args;
use tulk_base::shell;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::voice::terms::SpokenTerms;

use crate::collections::EntriesOutput;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::names;
use crate::output::{Column, EmptyNote};

/// Print the terms of one or all languages
///
/// With LANG, the output in a pipe is a file that `lint`, `set`, `merge` and `sync` read.
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(COLUMNS)
    .note("with a language, a pipe gets the raw file")
    .checks_before_sending()
    .languages(LanguageUse::Voice))]
#[command(after_help = "tulk voice terms entries \"Subtitles talk\"\n\
                        tulk voice terms entries \"Subtitles talk\" en > talk.en.txt")]
pub struct TermsEntriesArgs {
    /// Name or ID of the collection
    #[arg(value_name = "TERMS", add = names::<SpokenTerms>())]
    pub collection: String,
    /// Language of the list, such as en [default: all]
    #[arg(value_name = "LANG")]
    pub lang: Option<LangCode>,
}

impl Run for TermsEntriesArgs {
    /// With a language, text and TSV output are the file itself, without escapes.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let set = format!("tulk voice terms set {} en FILE", shell::quote(&self.collection));
        let note = EmptyNote::new("No terms yet.").next("Add a list", &set);
        let output = EntriesOutput { collection: &self.collection, header: "term", note };
        Ok(output.print::<SpokenTerms>(ctx, self.lang.as_ref()).await?)
    }
}

pub const COLUMNS: &[Column] = &[Column::text("lang").header("LANGUAGE"), Column::text("term").rank(0)];
