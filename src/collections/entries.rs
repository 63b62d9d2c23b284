//! The entries of a collection: one list as a file, or those of all lists as a listing.

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use tulk_base::error::Failure;

use super::{Collection, EntriesOf, RemoteList};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::output::{Column, EmptyNote, Table, View};

/// Prints the entries of one list, or of all.
pub struct EntriesOutput<'a> {
    /// Name or ID of the collection.
    pub collection: &'a str,
    /// The first line of a file with `--header`.
    pub header: &'a str,
    /// The message for an empty list of entries.
    pub note: EmptyNote,
}

impl EntriesOutput<'_> {
    /// Prints entries. With a key, text output and TSV are the file itself, without escapes.
    pub async fn print<C: Collection>(self, ctx: &Context, key: Option<&C::Key>) -> Result<(), Failure> {
        key.map_or(Ok(()), |key| C::check_key(ctx, key))?;
        let id = C::find_ready(ctx, self.collection).await?;
        let keys = if let Some(key) = key {
            vec![key.clone()]
        } else {
            let collection = ctx.client().await?.send(&C::get_request(&id)).await?;
            collection.lists().iter().map(|info| Ok(C::info(info)?.0)).collect::<Result<_, Failure>>()?
        };
        let mut lists = Vec::<ReadList<C>>::with_capacity(keys.len());
        for key in keys {
            let (list, reply) = RemoteList::<C>::new(ctx, &id, &key).await?.read_reply().await?;
            lists.push(ReadList { key, list, reply });
        }
        if key.is_some() && is_file_format(ctx) {
            let text: String = lists.iter().map(|read| C::file_text(&read.list)).collect();
            return print_file(ctx, self.header, &text);
        }
        let with_items = ctx.out.settings().format() == OutputFormat::Jsonl || !ctx.args.columns.is_empty();
        let is_empty = lists.iter().all(|read| C::len(&read.list) == 0);
        let rows = lists.iter().filter(|_| with_items).flat_map(|read| C::rows(&read.key, &read.list));
        let items = rows.map(|row| serde_json::value::to_raw_value(&EntryItem(C::ENTRY_COLUMNS, row)));
        let items = items.collect::<Result<_, _>>()?;
        ctx.out.show(&EntriesView { lists, items, is_single: key.is_some() })?;
        if is_empty {
            ctx.out.empty(&self.note);
        }
        Ok(())
    }
}

/// Returns whether the output of one list is its file: text or TSV with all columns.
pub fn is_file_format(ctx: &Context) -> bool {
    matches!(ctx.out.settings().format(), OutputFormat::Tsv | OutputFormat::Text) && ctx.args.columns.is_empty()
}

/// Prints the text of a file, after its header if `--header` is given.
pub fn print_file(ctx: &Context, header: &str, text: &str) -> Result<(), Failure> {
    ctx.out.text(if ctx.args.header { format!("{header}\n{text}") } else { text.to_owned() })
}

/// One list, and the reply it is from.
struct ReadList<C: Collection> {
    key: C::Key,
    list: C::List,
    reply: EntriesOf<C>,
}

/// The entries of lists as a listing. Its JSON is that of the service.
struct EntriesView<C: Collection> {
    lists: Vec<ReadList<C>>,
    items: Vec<Box<RawValue>>,
    /// Whether one list was asked for.
    is_single: bool,
}

/// One entry as a line of JSON, with the columns as fields.
struct EntryItem(&'static [Column], Vec<String>);

impl Serialize for EntryItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(Column::as_str).zip(&self.1))
    }
}

impl<C: Collection> Serialize for EntriesView<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.lists.as_slice() {
            [only] if self.is_single => only.reply.serialize(serializer),
            lists => C::entries_json(&lists.iter().map(|read| &read.reply).collect::<Vec<_>>(), serializer),
        }
    }
}

impl<C: Collection> View for EntriesView<C> {
    fn table(&self) -> Table {
        let mut table = Table::new(C::ENTRY_COLUMNS);
        for ReadList { key, list, .. } in &self.lists {
            let rows = C::rows(key, list).into_iter();
            table.rows.extend(rows.map(|row| row.into_iter().map(Into::into).collect::<Vec<_>>()));
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        self.items.iter().map(AsRef::as_ref).collect()
    }
}
