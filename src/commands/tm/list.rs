//! `tulk tm list`: lists translation memories.

use clap::Args;
use tulk_client::api::tm::{ListTranslationMemories, TranslationMemory};

use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::known_names;
use crate::output::{Column, EmptyNote, Row};
use crate::reports::list_limit::ListLimitArgs;

/// List the translation memories of the account
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<TranslationMemory>())]
#[command(after_help = "tulk tm list\n\
                        tulk tm list --json")]
pub struct TmListArgs {
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Row for TranslationMemory {
    const COLUMNS: &'static [Column] = &[
        Column::id("translation_memory_id").header("ID"),
        Column::name("name"),
        Column::text("source_language").header("FROM"),
        Column::text("target_languages").header("TO"),
        Column::count("segment_count").header("SEGMENTS"),
        Column::time("creation_time").header("CREATED").rank(4),
        Column::time("updated_time").header("UPDATED"),
    ];
}

impl Run for TmListArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let limit = self.limit.count();
        if limit == 0 {
            ctx.out.list::<TranslationMemory>(&[])?;
            return Ok(());
        }
        let all = ListTranslationMemories::all();
        let memories = ctx.client().await?.send_all(all, self.limit.given(), |_, _| false).await?;
        if memories.translation_memories.len() < limit {
            known_names::keep_all(ctx, &memories.translation_memories).await;
        }
        let note = EmptyNote::new("No translation memories in this account.");
        Ok(self.limit.list(ctx, &memories.translation_memories, &note)?)
    }
}
