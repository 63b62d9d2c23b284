//! `tulk tm show` and `delete`: show or delete one memory.

use clap::Args;
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;
use tulk_client::api::tm::{DeleteTranslationMemory, GetTranslationMemory, TranslationMemory};

use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::{self, Named as _, known_names, names};

#[derive(Args, Debug)]
pub struct TmNameArgs {
    /// Name or ID of the memory
    #[arg(value_name = "MEMORY", add = names::<TranslationMemory>())]
    pub memory: String,
}

/// Show a translation memory
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<TranslationMemory>())]
#[command(after_help = "tulk tm show Manuals")]
pub struct TmShowArgs {
    #[command(flatten)]
    pub name: TmNameArgs,
}

impl Run for TmShowArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        Ok(ctx.out.object(&find(ctx, &self.name.memory).await?)?)
    }
}

pub async fn find(ctx: &Context, text: &str) -> Result<WithRaw<TranslationMemory>, Failure> {
    if TranslationMemory::is_id(text) {
        return ctx.client().await?.send(&GetTranslationMemory { translation_memory_id: text.to_owned() }).await;
    }
    // For a name, the list is enough: its items have the same fields as the reply for one memory.
    named::pick(named::all_memories(ctx).await?, text)
}

/// Delete a translation memory with all its segments
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks_before_changes())]
#[command(after_help = "tulk tm delete Manuals --yes")]
pub struct TmDeleteArgs {
    #[command(flatten)]
    pub name: TmNameArgs,
}

impl Run for TmDeleteArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let text = self.name.memory;
        let translation_memory_id = named::memory(ctx, &text).await?;
        let id = translation_memory_id.clone();
        ctx.confirm(&format!("delete translation memory {} with all its segments", named::name_and_id(&text, &id)))?;
        ctx.client().await?.send(&DeleteTranslationMemory { translation_memory_id }).await?;
        known_names::forget::<TranslationMemory>(ctx, &id).await;
        ctx.report_done(&format!("deleted translation memory {id}"));
        Ok(())
    }
}
