//! One list of a collection on the service: reads, replaces, merges and deletes it, and reports edits.

use serde::Serialize;
use tulk_base::error::{Failure, Kind};
use tulk_base::json::WithRaw;
use tulk_base::numbers::{grouped, plural};
use tulk_client::http::client::Client;

use super::{Collection, EntriesOf, EntryChanges, explain_language, load, upload_phase};
use crate::context::Context;
use crate::inputs::keyed_files::KeyedFile;
use crate::output::{Column, ProgressTask, Row};

/// A list on the service, which may not exist yet.
pub struct RemoteList<'a, C: Collection> {
    ctx: &'a Context,
    client: &'a Client,
    id: String,
    key: C::Key,
}

impl<'a, C: Collection> RemoteList<'a, C> {
    /// Creates a handle without sending anything. `id` is the ID of the collection.
    pub async fn new(ctx: &'a Context, id: &str, key: &C::Key) -> Result<Self, Failure> {
        Ok(Self { ctx, client: ctx.client().await?, id: id.to_owned(), key: key.clone() })
    }

    /// Looks up the collection by name or ID, and waits until it is ready.
    pub async fn find(ctx: &'a Context, collection: &str, key: &C::Key) -> Result<Self, Failure> {
        Self::new(ctx, &C::find_ready(ctx, collection).await?, key).await
    }

    pub async fn read_reply(&self) -> Result<(C::List, EntriesOf<C>), Failure> {
        let _task = self.ctx.out.phase(&self.key.to_string(), &format!("reading {}", plural(C::ENTRY_NOUN)));
        let request = C::entries_request(&self.id, &self.key);
        let reply = self.client.send(&request).await.map_err(|failure| self.explain_not_found(failure))?;
        Ok((C::parse(&reply, &self.key)?, reply))
    }

    pub async fn read(&self) -> Result<C::List, Failure> {
        Ok(self.read_reply().await?.0)
    }

    pub async fn read_if_exists(&self) -> Result<Option<C::List>, Failure> {
        match self.read().await {
            Ok(list) => Ok(Some(list)),
            Err(failure) if failure.kind == Kind::NotFound => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    pub async fn read_or_empty(&self) -> Result<C::List, Failure> {
        Ok(self.read_if_exists().await?.unwrap_or_default())
    }

    /// Creates or replaces the list. Returns the new number of entries, if the service reports it.
    pub async fn replace(&self, content: C::Content) -> Result<Option<u64>, Failure> {
        let _task = self.upload_task(&content);
        let explain = |failure| explain_language::<C>(failure, [&self.key]);
        let reply = self.client.send(&C::put_request(&self.id, content)).await.map_err(explain)?;
        Ok(C::key_and_entry_count(&reply).ok().and_then(|(_, count)| count))
    }

    /// Adds new entries and changes existing ones. Returns the new number of entries, if the service reports it.
    pub async fn merge(&self, content: C::Content) -> Result<Option<u64>, Failure> {
        let _task = self.upload_task(&content);
        let explain = |failure| explain_language::<C>(failure, [&self.key]);
        let reply = self.client.send(&C::edit_request(&self.id, None, Some(content))).await.map_err(explain)?;
        let infos = reply.lists().iter().filter_map(|info| C::key_and_entry_count(info).ok());
        Ok(infos.filter(|(key, _)| *key == self.key).find_map(|(_, count)| count))
    }

    fn upload_task(&self, content: &C::Content) -> ProgressTask {
        self.ctx.out.phase(&self.key.to_string(), &upload_phase::<C>(C::content_text(content).lines().count()))
    }

    pub async fn delete(&self) -> Result<(), Failure> {
        let request = C::delete_list_request(&self.id, &self.key);
        self.client.send(&request).await.map_err(|failure| self.explain_not_found(failure))?;
        Ok(())
    }

    /// Adds a hint to a "not found": the command that shows whether the collection or only the list is missing.
    fn explain_not_found(&self, mut failure: Failure) -> Failure {
        if failure.kind == Kind::NotFound {
            let hint = failure.hint.take().map(|hint| format!("; {hint}")).unwrap_or_default();
            failure.hint = Some(format!("`{} show {}` lists its {}{hint}", C::COMMAND, self.id, C::KEY_NOUNS[1]));
        }
        failure
    }

    pub fn show_edit(&self, entry_count: usize, reported: Option<u64>, changes: EntryChanges) -> Result<(), Failure> {
        let entry_count = reported.unwrap_or(entry_count as u64);
        let counts: Vec<String> = changes.counts().map(|(count, what)| format!("{} {what}", grouped(count))).collect();
        let total = grouped(entry_count);
        self.ctx.out.status(&format!("{}: {}, {total} in total", self.key, counts.join(", ")));
        let edit = ListEdit::<C> { id: self.id.clone(), key: self.key.clone(), entry_count, changes };
        self.ctx.out.object(&WithRaw::from_typed(edit)?)
    }
}

#[derive(Serialize)]
#[serde(bound = "")]
pub struct ListEdit<C: Collection> {
    #[serde(flatten, serialize_with = "C::serialize_id")]
    id: String,
    #[serde(flatten, serialize_with = "C::serialize_key")]
    key: C::Key,
    entry_count: u64,
    #[serde(flatten)]
    changes: EntryChanges,
}

impl<C: Collection> Row for ListEdit<C> {
    const COLUMNS: &'static [Column] = C::EDIT_COLUMNS;
}

/// Replaces a list with a file and shows what changed.
pub async fn set<C: Collection>(
    ctx: &Context,
    collection: &str,
    file: &KeyedFile<C::Key>,
    options: &C::FileOptions,
) -> Result<(), Failure> {
    let new = load::<C>(ctx, file, options)?;
    let remote = RemoteList::<C>::find(ctx, collection, &new.key).await?;
    let old = remote.read_or_empty().await?;
    let count = remote.replace(new.content()).await?;
    remote.show_edit(C::len(&new.list), count, C::changes(&old, &new.list))
}
