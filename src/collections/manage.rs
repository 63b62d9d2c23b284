//! Shows, creates, renames and deletes collections, and deletes single lists.

use tulk_base::error::Failure;
use tulk_base::json::WithRaw;
use tulk_base::numbers::counted;
use tulk_base::shell;
use tulk_client::http::endpoint::Endpoint;

use super::{Collection, LoadedList, RemoteList, load_all};
use crate::context::Context;
use crate::inputs::keyed_files::KeyedFile;
use crate::named::{self, known_names};

pub async fn show<C: Collection>(ctx: &Context, text: &str) -> Result<(), Failure> {
    // For a name, listing all collections is enough: the items have the same fields as the reply for one collection.
    let found = if C::is_id(text) {
        ctx.client().await?.send(&C::get_request(text)).await?
    } else {
        named::pick(C::all(ctx).await?, text)?
    };
    ctx.out.object(&found)
}

/// Creates a collection from files. Refuses a name that is already used, unless `--no-check` is given.
pub async fn create<C: Collection>(
    ctx: &Context,
    name: &str,
    files: &[KeyedFile<C::Key>],
    options: &C::FileOptions,
) -> Result<WithRaw<C>, Failure> {
    let loaded = load_all::<C>(ctx, files, options)?;
    let request = C::create_request(name, loaded.iter().map(LoadedList::content).collect());
    ctx.check(&request)?;
    if !ctx.args.no_check {
        named::check_new_name(&C::all(ctx).await?, name, None, &existing_hint::<C>(name, files, options))?;
    }
    let task = ctx.out.phase(name, &upload_phase::<C>(loaded.iter().map(|file| C::len(&file.list)).sum()));
    let explain = |failure| explain_language::<C>(failure, loaded.iter().map(|file| &file.key));
    let created = ctx.client().await?.send(&request).await.map_err(explain)?;
    drop(task);
    known_names::keep(ctx, &created).await;
    Ok(created)
}

/// Returns a hint on how to change the existing collection instead of creating another one with the same name.
fn existing_hint<C: Collection>(name: &str, files: &[KeyedFile<C::Key>], options: &C::FileOptions) -> String {
    let (command, name, list) = (C::COMMAND, shell::quote(name), C::LIST_NOUN);
    let file = |file: &KeyedFile<C::Key>| shell::quote(&file.file.display().to_string()).into_owned();
    let all: Vec<String> = files.iter().map(|one| format!("{}={}", one.key_list(), file(one))).collect();
    let first = files.first().and_then(|one| Some(format!("{} {}", one.keys.first()?, file(one)))).unwrap_or_default();
    let (all, flags) =
        (all.join(" "), C::option_words(options).into_iter().map(|word| format!(" {word}")).collect::<String>());
    format!(
        "`{command} sync {name} {all}{flags}` updates it, `{command} set {name} {first}{flags}` replaces a {list}; --no-check \
         creates another one"
    )
}

/// Renames a collection and shows it. Refuses a name that is already used, unless `--no-check` is given.
pub async fn rename<C: Collection>(ctx: &Context, text: &str, name: String) -> Result<(), Failure> {
    ctx.check(&C::edit_request(text, Some(name.clone()), None))?;
    let id = named::id_to_rename(ctx, text, &name, C::all(ctx)).await?;
    let renamed = ctx.client().await?.send(&C::edit_request(&id, Some(name), None)).await?;
    known_names::keep(ctx, &renamed).await;
    ctx.out.object(&renamed)
}

/// Deletes a collection after confirmation. `parts` names what is deleted with it, such as `all its dictionaries`.
pub async fn delete<C: Collection, E: Endpoint>(
    ctx: &Context,
    text: &str,
    parts: &str,
    request: impl FnOnce(String) -> E,
) -> Result<(), Failure> {
    let id = C::find(ctx, text).await?;
    ctx.confirm(&format!("delete {} {} with {parts}", C::COLLECTION_NOUN, named::name_and_id(text, &id)))?;
    ctx.client().await?.send(&request(id.clone())).await?;
    known_names::forget::<C>(ctx, &id).await;
    ctx.report_done(&format!("deleted {} {id}", C::COLLECTION_NOUN));
    Ok(())
}

/// Deletes a list after confirmation. `list` is its name in messages.
pub async fn delete_list<C: Collection>(ctx: &Context, text: &str, key: &C::Key, list: &str) -> Result<(), Failure> {
    C::check_key(ctx, key)?;
    let id = C::find(ctx, text).await?;
    ctx.confirm(&format!("delete {list} from {} {}", C::COLLECTION_NOUN, named::name_and_id(text, &id)))?;
    RemoteList::<C>::new(ctx, &id, key).await?.delete().await?;
    ctx.report_done(&format!("deleted {list} from {} {id}", C::COLLECTION_NOUN));
    Ok(())
}

pub fn explain_language<'a, C>(failure: Failure, keys: impl IntoIterator<Item = &'a C::Key>) -> Failure
where
    C: Collection<Key: 'a>,
{
    let refused = failure.service.as_deref().filter(|service| service.status == Some(400));
    match refused.filter(|_| failure.hint.is_none()).and_then(|service| C::language_hint(service, keys)) {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

pub fn upload_phase<C: Collection>(entries: usize) -> String {
    format!("uploading {}", counted(entries, C::ENTRY_NOUN))
}
