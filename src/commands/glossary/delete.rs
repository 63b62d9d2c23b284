//! `tulk glossary delete` and `delete-dictionary`.

use clap::Args;

use crate::api::glossary::{DeleteDictionary, DeleteGlossary, LanguagePair};
use crate::commands::named;
use crate::context::Context;

/// Delete a glossary
#[derive(Args, Debug)]
pub struct DeleteArgs {
    /// Name or ID
    #[arg(value_name = "GLOSSARY")]
    pub glossary: String,
}

/// Deletes a glossary, after a question.
pub async fn run(ctx: &Context, args: DeleteArgs) -> Result<(), anyhow::Error> {
    let glossary_id = named::glossary_as_it_is(ctx, &args.glossary).await?;
    super::confirm(
        ctx,
        &format!("delete glossary {} with all its dictionaries", called(&args.glossary, &glossary_id)),
    )?;
    ctx.client().await?.send(&DeleteGlossary { glossary_id: glossary_id.clone() }).await?;
    super::done(ctx, &format!("deleted glossary {glossary_id}"));
    Ok(())
}

/// Delete one dictionary of a glossary
#[derive(Args, Debug)]
pub struct DeleteDictionaryArgs {
    /// Name or ID
    #[arg(value_name = "GLOSSARY")]
    pub glossary: String,
    /// Source and target language, such as en:de
    #[arg(value_name = "PAIR")]
    pub pair: LanguagePair,
}

/// Deletes one dictionary, after a question.
pub async fn run_dictionary(ctx: &Context, args: DeleteDictionaryArgs) -> Result<(), anyhow::Error> {
    let glossary_id = named::glossary_as_it_is(ctx, &args.glossary).await?;
    let pair = args.pair;
    super::confirm(ctx, &format!("delete the dictionary {pair} of glossary {}", called(&args.glossary, &glossary_id)))?;
    ctx.client().await?.send(&DeleteDictionary { glossary_id: glossary_id.clone(), pair: pair.clone() }).await?;
    super::done(ctx, &format!("deleted the dictionary {pair} of glossary {glossary_id}"));
    Ok(())
}

/// A glossary in a question: what was typed, and its ID if that was a name.
pub fn called(typed: &str, id: &str) -> String {
    if typed == id { id.to_owned() } else { format!("`{typed}` ({id})") }
}
