//! `tulk glossary delete` and `delete-dictionary`.

use clap::Args;
use tulk_client::api::glossary::{DeleteGlossary, Glossary, LanguagePair};

use super::GlossaryNameArgs;
use super::remote::RemoteDictionary;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::names;
use crate::named::{self, known_names};
use crate::reports::confirm::{confirm, report_done};

/// Delete a glossary
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks())]
#[command(after_help = "tulk glossary delete Kitchen --yes")]
pub struct GlossaryDeleteArgs {
    /// The glossary.
    #[command(flatten)]
    pub name: GlossaryNameArgs,
}

impl Run for GlossaryDeleteArgs {
    /// Deletes a glossary after confirmation.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = self.name;
        let glossary_id = named::glossary_without_waiting(ctx, &args.glossary).await?;
        let glossary = named::name_and_id(&args.glossary, &glossary_id);
        confirm(ctx, &format!("delete glossary {glossary} with all its dictionaries"))?;
        ctx.client().await?.send(&DeleteGlossary { glossary_id: glossary_id.clone() }).await?;
        known_names::forget::<Glossary>(ctx, &glossary_id).await;
        report_done(ctx, &format!("deleted glossary {glossary_id}"));
        Ok(())
    }
}

/// Delete a dictionary from a glossary
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks())]
#[command(after_help = "tulk glossary delete-dictionary Kitchen en:fr --yes")]
pub struct DeleteDictionaryArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY", add = names::<Glossary>())]
    pub glossary: String,
    /// Source and target language, such as en:de
    #[arg(value_name = "PAIR")]
    pub pair: LanguagePair,
}

impl Run for DeleteDictionaryArgs {
    /// Deletes one dictionary after confirmation.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let glossary_id = named::glossary_without_waiting(ctx, &self.glossary).await?;
        let (pair, glossary) = (&self.pair, named::name_and_id(&self.glossary, &glossary_id));
        confirm(ctx, &format!("delete dictionary {pair} from glossary {glossary}"))?;
        RemoteDictionary::new(ctx, ctx.client().await?, &glossary_id, pair).delete().await?;
        report_done(ctx, &format!("deleted dictionary {pair} from glossary {glossary_id}"));
        Ok(())
    }
}
