//! Collections of lists: glossaries with their dictionaries, and spoken terms with their term lists.
//!
//! A collection has a name and one list per key, which is a language or a language pair. [`Collection`] is what a kind of them is
//! called, the requests of its operations, and how its lists are read and compared; the rest works alike. Input: arguments and
//! files. Output: requests to the service, and lists, edits and plans as rows. Used by `tulk glossary` and `tulk voice terms`.

mod entries;
mod files;
mod remote;
mod sync;
mod whole;

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use tulk_base::error::{Failure, ServiceError};
use tulk_base::json::Kept;
use tulk_base::value_error::ValueError;
use tulk_client::http::endpoint::Endpoint;
use tulk_client::http::reply::Empty;
use tulk_formats::input::problem::{FileProblem, FileRule};

pub use self::entries::{EntriesOutput, is_file_format, print_file};
pub use self::files::{LoadedList, file_text, load, load_all};
pub use self::remote::{ListEdit, RemoteList, set};
pub use self::sync::{SyncStep, sync};
pub use self::whole::{create, delete, delete_list, explain_language, rename, show, uploading};
use crate::context::Context;
use crate::named::Named;
use crate::output::{Column, Row};

/// The service's reply with the entries of a list.
pub type EntriesOf<C> = Kept<<C as Collection>::Entries>;
/// A problem of a file.
pub type ProblemOf<C> = FileProblem<<C as Collection>::Rule>;

/// A kind of collection.
pub trait Collection: Named + Row + DeserializeOwned + Clone {
    /// The language or language pair of a list.
    type Key: Clone + PartialEq + Display + FromStr<Err = ValueError>;
    /// The entries of one list.
    type List: Default;
    /// A list in a request.
    type Content: Clone;
    /// A list in a reply, without its entries.
    type Info: DeserializeOwned;
    /// The reply with the entries of a list.
    type Entries: DeserializeOwned;
    /// The rules for files.
    type Rule: FileRule;
    /// How files are read.
    type FileOptions;

    /// The command group.
    const COMMAND: &'static str;
    /// One collection, or several, in questions.
    const WHAT: &'static str;
    /// One entry, and several.
    const ENTRY: &'static str;
    /// One list, and several.
    const LIST_NOUN: &'static str;
    /// One key, and several.
    const KEY: [&'static str; 2];
    /// Its files.
    const FILES: &'static str;
    /// The number of entries without a file that are listed for a list. `diff` shows all of them.
    const LISTED: usize;
    /// The field of the ID.
    const ID_FIELD: &'static str;
    /// Columns of the entries: the fields of the key, and those of an entry.
    const ENTRY_COLUMNS: &'static [Column];
    /// Columns of a [`ListEdit`].
    const EDIT_COLUMNS: &'static [Column];
    /// Columns of a [`SyncStep`].
    const STEP_COLUMNS: &'static [Column];

    /// Returns all collections.
    async fn all(ctx: &Context) -> Result<Vec<Kept<Self>>, Failure>;
    /// Returns the ID of a collection, by its name or ID.
    async fn find(ctx: &Context, text: &str) -> Result<String, Failure>;

    /// As [`Collection::find`], but waits until it can be used, if it was looked up by name.
    async fn find_ready(ctx: &Context, text: &str) -> Result<String, Failure> {
        Self::find(ctx, text).await
    }

    /// Returns it once it can be used.
    async fn ready(_: &Context, found: Kept<Self>) -> Result<Kept<Self>, Failure> {
        Ok(found)
    }

    /// Its lists, of which a reply may leave out all.
    fn lists(&self) -> &[Self::Info];
    /// Returns key and number of entries of a list.
    fn info(info: &Self::Info) -> Result<(Self::Key, Option<u64>), Failure>;

    /// Reads a collection without its entries.
    fn get_request(id: &str) -> impl Endpoint<Reply = Kept<Self>>;
    /// Creates a collection.
    fn create_request(name: &str, lists: Vec<Self::Content>) -> impl Endpoint<Reply = Kept<Self>>;
    /// Renames a collection, merges entries into a list, or both.
    fn edit_request(id: &str, name: Option<String>, list: Option<Self::Content>) -> impl Endpoint<Reply = Kept<Self>>;
    /// Reads the entries of a list.
    fn entries_request(id: &str, key: &Self::Key) -> impl Endpoint<Reply = EntriesOf<Self>>;
    /// Creates or replaces a list.
    fn put_request(id: &str, list: Self::Content) -> impl Endpoint<Reply = Kept<Self::Info>>;
    /// Deletes a list.
    fn delete_list_request(id: &str, key: &Self::Key) -> impl Endpoint<Reply = Empty>;

    /// Returns a hint for a language that the service refused in one of these lists.
    fn language_hint<'a>(service: &ServiceError, keys: impl IntoIterator<Item = &'a Self::Key>) -> Option<String>
    where
        Self::Key: 'a;

    /// Returns a list as it is sent.
    fn content(key: &Self::Key, list: &Self::List) -> Self::Content;
    /// Returns the entries of a list in a request, one per line.
    fn content_text(content: &Self::Content) -> &str;
    /// Reads the entries that the service sent.
    fn parse(reply: &Self::Entries, key: &Self::Key) -> Result<Self::List, Failure>;
    /// Returns the JSON of the replies for all lists of a collection.
    fn entries_json(replies: &[EntriesOf<Self>]) -> Result<String, Failure>;

    /// Returns the bytes of a file.
    fn read_file(file: &Path) -> Result<Vec<u8>, Failure>;
    /// Reads the list of a key from the bytes of a file, and returns the problems for which it must not be sent.
    fn read(
        ctx: &Context,
        key: &Self::Key,
        file: &Path,
        bytes: &[u8],
        options: &Self::FileOptions,
    ) -> Result<(LoadedList<Self>, Vec<ProblemOf<Self>>), Failure>;

    /// Returns the flags of these options, for a command that reads the same files.
    fn option_words(_: &Self::FileOptions) -> Vec<&'static str> {
        Vec::new()
    }

    /// Checks a key that was typed, before anything is sent.
    fn check_key(_: &Context, _: &Self::Key) -> Result<(), Failure> {
        Ok(())
    }

    /// Fails if a merge would make a list too long. `hint` is what to do then.
    fn check_merge(_: &Context, _: &Self::Key, _: &Self::List, _: &Self::List, _: &str) -> Result<(), Failure> {
        Ok(())
    }

    /// Returns the number of entries.
    fn len(list: &Self::List) -> usize;
    /// Returns the text of a file.
    fn file_text(list: &Self::List) -> String;
    /// Returns the values of [`Collection::ENTRY_COLUMNS`] of each entry.
    fn rows(key: &Self::Key, list: &Self::List) -> impl Iterator<Item = Vec<String>>;
    /// Compares two lists.
    fn changes(old: &Self::List, new: &Self::List) -> EntryChanges;
    /// Returns the entries to merge into an old list: those that are added or changed.
    fn to_merge(old: &Self::List, new: &Self::List) -> Self::List;
    /// Returns what people call the first [`Collection::LISTED`] entries that only the old list has.
    fn only_in_old(old: &Self::List, new: &Self::List) -> Vec<String>;

    /// Serializes the key as the fields of a row.
    fn serialize_key<S: Serializer>(key: &Self::Key, serializer: S) -> Result<S::Ok, S::Error>;

    /// Serializes the ID as a field of a row.
    fn serialize_id<S: Serializer>(id: &str, serializer: S) -> Result<S::Ok, S::Error> {
        one_field(Self::ID_FIELD, id, serializer)
    }
}

/// Serializes an object with one field.
pub fn one_field<S: Serializer>(name: &str, value: impl Serialize, serializer: S) -> Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_map(Some(1))?;
    object.serialize_entry(name, &value)?;
    object.end()
}

/// How many entries of a list change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct EntryChanges {
    /// Entries that are added.
    pub added: usize,
    /// Entries that get another content; `None` if an entry has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<usize>,
    /// Entries that are removed.
    pub removed: usize,
}

impl EntryChanges {
    /// Returns each count with its word.
    fn counts(self) -> impl Iterator<Item = (usize, &'static str)> {
        let changed = self.changed.map(|count| (count, "changed"));
        [Some((self.added, "added")), changed, Some((self.removed, "removed"))].into_iter().flatten()
    }
}
