//! Collections as a whole, and their lists: shown, renamed and deleted.

use tulk_base::error::{Failure, ServiceError};
use tulk_client::http::endpoint::Endpoint;

use super::{Collection, RemoteList};
use crate::context::Context;
use crate::named::{self, known_names};
use crate::output::grouped;

/// Shows a collection, by its name or ID.
pub async fn show<C: Collection>(ctx: &Context, text: &str) -> Result<(), Failure> {
    // The list has the same fields as a request for one collection.
    let found = if C::is_id(text) {
        ctx.client().await?.send(&C::get_request(text)).await?
    } else {
        named::pick(C::all(ctx).await?, text)?
    };
    ctx.out.one(&found)
}

/// Renames a collection and shows it.
pub async fn rename<C: Collection>(ctx: &Context, text: &str, name: String) -> Result<(), Failure> {
    let id = C::find(ctx, text).await?;
    let renamed = ctx.client().await?.send(&C::edit_request(&id, Some(name), None)).await?;
    known_names::keep(ctx, &renamed).await;
    ctx.out.one(&renamed)
}

/// Deletes a collection after confirmation. `parts` is what else is lost, such as `all its dictionaries`.
pub async fn delete<C: Collection, E: Endpoint>(
    ctx: &Context,
    text: &str,
    parts: &str,
    request: impl FnOnce(String) -> E,
) -> Result<(), Failure> {
    let id = C::find(ctx, text).await?;
    ctx.confirm(&format!("delete {} {} with {parts}", C::WHAT, named::name_and_id(text, &id)))?;
    ctx.client().await?.send(&request(id.clone())).await?;
    known_names::forget::<C>(ctx, &id).await;
    ctx.report_done(&format!("deleted {} {id}", C::WHAT));
    Ok(())
}

/// Deletes a list, which is called `list`, after confirmation.
pub async fn delete_list<C: Collection>(ctx: &Context, text: &str, key: &C::Key, list: &str) -> Result<(), Failure> {
    C::check_key(ctx, key)?;
    let id = C::find(ctx, text).await?;
    ctx.confirm(&format!("delete {list} from {} {}", C::WHAT, named::name_and_id(text, &id)))?;
    RemoteList::<C>::new(ctx, &id, key).await?.delete().await?;
    ctx.report_done(&format!("deleted {list} from {} {id}", C::WHAT));
    Ok(())
}

/// Adds a hint to a refusal that is about the language of a list.
pub fn explain_language<'a, C>(failure: Failure, keys: impl IntoIterator<Item = &'a C::Key>) -> Failure
where
    C: Collection<Key: 'a>,
{
    let is_language = |service: &ServiceError| {
        service.status == Some(400) && ["source_lang", "target_lang", "lang"].iter().any(|name| service.names(name))
    };
    if failure.hint.is_none() && failure.service.as_deref().is_some_and(is_language) {
        return failure.hint(C::language_hint(keys));
    }
    failure
}

/// Returns the phase of an upload.
pub fn uploading<C: Collection>(entries: usize) -> String {
    format!("uploading {} {}", grouped(entries as u64), C::ENTRY[usize::from(entries != 1)])
}
