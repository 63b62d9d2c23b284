//! Collections of lists: glossaries with their dictionaries, and spoken terms with their term lists.
//!
//! A collection has a name and one list per key; a key is a language or a language pair. An implementation of [`Collection`]
//! defines the words for messages, the requests, and how lists are read and compared; everything else is shared. Input: arguments
//! and files. Output: requests to the service, and lists, edits and plans as rows. Used by `tulk glossary` and `tulk voice terms`.

mod entries;
mod files;
mod manage;
mod remote;
mod sync;

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use tulk_base::error::{Failure, ServiceError};
use tulk_base::json::WithRaw;
use tulk_base::value_error::ValueError;
use tulk_client::http::endpoint::Endpoint;
use tulk_client::http::reply::Empty;
use tulk_formats::input::problem::{FileProblem, FileRule};

pub use self::entries::{EntriesOutput, is_file_format, print_file};
pub use self::files::{LoadedList, file_text, load, load_all};
pub use self::manage::{create, delete, delete_list, explain_language, rename, show, upload_phase};
pub use self::remote::{ListEdit, RemoteList, set};
pub use self::sync::{SyncStep, sync};
use crate::context::Context;
use crate::named::Named;
use crate::output::{Column, Row};

/// The service's reply with the entries of a list.
pub type EntriesOf<C> = WithRaw<<C as Collection>::Entries>;
pub type ProblemOf<C> = FileProblem<<C as Collection>::Rule>;

pub trait Collection: Named + Row + DeserializeOwned + Clone {
    /// Language or language pair of a list.
    type Key: Clone + PartialEq + Display + FromStr<Err = ValueError>;
    type List: Default;
    /// A list as it is sent in a request.
    type Content: Clone;
    /// A list in a reply, without its entries.
    type Info: DeserializeOwned;
    /// The reply with the entries of a list.
    type Entries: DeserializeOwned;
    type Rule: FileRule;
    type FileOptions;

    /// Command group, such as `tulk glossary`.
    const COMMAND: &'static str;
    /// Noun for questions.
    const COLLECTION_NOUN: &'static str;
    /// See `tulk_base::numbers::plural`.
    const ENTRY_NOUN: &'static str;
    const LIST_NOUN: &'static str;
    /// Singular and plural.
    const KEY_NOUNS: [&'static str; 2];
    /// Plural.
    const FILES_NOUN: &'static str;
    /// Maximum number of entries that `sync` lists if only the service has them. `diff` lists all.
    const MAX_LISTED_BY_SYNC: usize;
    const ID_FIELD: &'static str;
    /// Columns of the entries: the fields of the key, then the fields of an entry.
    const ENTRY_COLUMNS: &'static [Column];
    const EDIT_COLUMNS: &'static [Column];
    const STEP_COLUMNS: &'static [Column];

    async fn all(ctx: &Context) -> Result<Vec<WithRaw<Self>>, Failure>;
    async fn find(ctx: &Context, text: &str) -> Result<String, Failure>;

    /// Like [`Collection::find`], but waits until the collection can be used.
    async fn find_ready(ctx: &Context, text: &str) -> Result<String, Failure> {
        Self::find(ctx, text).await
    }

    /// Waits until a collection can be used, and returns it.
    async fn wait_until_ready(_: &Context, found: WithRaw<Self>) -> Result<WithRaw<Self>, Failure> {
        Ok(found)
    }

    /// Some replies omit the lists.
    fn lists(&self) -> &[Self::Info];
    fn key_and_entry_count(info: &Self::Info) -> Result<(Self::Key, Option<u64>), Failure>;

    /// Reads a collection without its entries.
    fn get_request(id: &str) -> impl Endpoint<Reply = WithRaw<Self>>;
    fn create_request(name: &str, lists: Vec<Self::Content>) -> impl Endpoint<Reply = WithRaw<Self>>;
    /// Renames a collection, merges entries into a list, or both.
    fn edit_request(
        id: &str,
        name: Option<String>,
        list: Option<Self::Content>,
    ) -> impl Endpoint<Reply = WithRaw<Self>>;
    fn entries_request(id: &str, key: &Self::Key) -> impl Endpoint<Reply = EntriesOf<Self>>;
    /// Creates or replaces a list.
    fn put_request(id: &str, list: Self::Content) -> impl Endpoint<Reply = WithRaw<Self::Info>>;
    fn delete_list_request(id: &str, key: &Self::Key) -> impl Endpoint<Reply = Empty>;

    /// Returns a hint for a language that the service refused in one of these lists.
    fn language_hint<'a>(service: &ServiceError, keys: impl IntoIterator<Item = &'a Self::Key>) -> Option<String>
    where
        Self::Key: 'a;

    fn content(key: &Self::Key, list: &Self::List) -> Self::Content;
    /// Returns the entries of a list in a request, one per line.
    fn content_text(content: &Self::Content) -> &str;
    fn parse(reply: &Self::Entries, key: &Self::Key) -> Result<Self::List, Failure>;
    fn entries_json(replies: &[EntriesOf<Self>]) -> Result<String, Failure>;

    fn read_file(file: &Path) -> Result<Vec<u8>, Failure>;
    /// Parses the list of `key` from the bytes of a file. Also returns the problems that forbid sending it.
    fn read(
        ctx: &Context,
        key: &Self::Key,
        file: &Path,
        bytes: &[u8],
        options: &Self::FileOptions,
    ) -> Result<(LoadedList<Self>, Vec<ProblemOf<Self>>), Failure>;

    /// Returns the flags for these options, for another command that reads the same files.
    fn option_words(_: &Self::FileOptions) -> Vec<&'static str> {
        Vec::new()
    }

    /// Checks a key from the command line before anything is sent.
    fn check_key(_: &Context, _: &Self::Key) -> Result<(), Failure> {
        Ok(())
    }

    /// Fails if a merge would make the list too long. `hint` becomes the hint of that failure.
    fn check_merge(_: &Context, _: &Self::Key, _: &Self::List, _: &Self::List, _: &str) -> Result<(), Failure> {
        Ok(())
    }

    fn len(list: &Self::List) -> usize;
    fn file_text(list: &Self::List) -> String;
    /// Returns the values of [`Collection::ENTRY_COLUMNS`] of each entry.
    fn rows(key: &Self::Key, list: &Self::List) -> impl Iterator<Item = Vec<String>>;
    fn changes(old: &Self::List, new: &Self::List) -> EntryChanges;
    /// Returns the entries of the new list that must be merged into the old one: the added and changed ones.
    fn entries_to_merge(old: &Self::List, new: &Self::List) -> Self::List;
    /// Returns short descriptions of the first [`Collection::MAX_LISTED_BY_SYNC`] entries that only the old list contains.
    fn only_in_old(old: &Self::List, new: &Self::List) -> Vec<String>;

    /// Serializes the key as the fields of a row.
    fn serialize_key<S: Serializer>(key: &Self::Key, serializer: S) -> Result<S::Ok, S::Error>;

    fn serialize_id<S: Serializer>(id: &str, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_field(Self::ID_FIELD, id, serializer)
    }
}

pub fn serialize_field<S: Serializer>(name: &str, value: impl Serialize, serializer: S) -> Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_map(Some(1))?;
    object.serialize_entry(name, &value)?;
    object.end()
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct EntryChanges {
    pub added: usize,
    /// `None` for terms, which can only be added or removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<usize>,
    pub removed: usize,
}

impl EntryChanges {
    /// Returns each count with its word, such as `added`.
    fn counts(self) -> impl Iterator<Item = (usize, &'static str)> {
        let changed = self.changed.map(|count| (count, "changed"));
        [Some((self.added, "added")), changed, Some((self.removed, "removed"))].into_iter().flatten()
    }
}
