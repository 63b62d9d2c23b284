//! Prints the entries of a collection: one list as a file, or all lists as a table.

use std::marker::PhantomData;

use serde::{Serialize, Serializer};
use tulk_base::error::Failure;

use super::{Collection, RemoteList};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::output::{Cell, Column, EmptyNote, Row};

pub struct EntriesOutput<'a> {
    /// Name or ID.
    pub collection: &'a str,
    /// First line of the file with `--header`.
    pub header: &'a str,
    pub note: EmptyNote,
}

impl EntriesOutput<'_> {
    /// Prints the entries. With `key`, text and TSV output is the file itself, without escapes. JSON output is the service's own JSON.
    pub async fn print<C: Collection>(self, ctx: &Context, key: Option<&C::Key>) -> Result<(), Failure> {
        let format = ctx.out.settings().format();
        ctx.out.settings().check_columns(format)?;
        key.map_or(Ok(()), |key| C::check_key(ctx, key))?;
        let id = C::find_ready(ctx, self.collection).await?;
        let keys = if let Some(key) = key {
            vec![key.clone()]
        } else {
            let collection = ctx.client().await?.send(&C::get_request(&id)).await?;
            collection.lists().iter().map(|info| Ok(C::key_and_entry_count(info)?.0)).collect::<Result<_, Failure>>()?
        };
        let (mut lists, mut replies) = (Vec::new(), Vec::new());
        for list_key in keys {
            let (list, reply) = RemoteList::<C>::new(ctx, &id, &list_key).await?.read_reply().await?;
            if format == OutputFormat::Json {
                replies.push(reply);
            } else {
                lists.push((list_key, list));
            }
        }
        if format == OutputFormat::Json {
            let only = key.and_then(|_| replies.pop());
            return ctx
                .out
                .stdout()
                .json(only.map_or_else(|| C::entries_json(&replies), |reply| Ok(reply.into_json()))?);
        }
        if key.is_some() && is_file_format(ctx) {
            return lists.iter().try_for_each(|(_, list)| print_file(ctx, self.header, &C::file_text(list)));
        }
        let rows = lists.iter().flat_map(|(key, list)| C::rows(key, list));
        ctx.out.list_in_chunks(rows.map(|texts| EntryRow::<C>(texts, PhantomData)))?;
        if lists.iter().all(|(_, list)| C::len(list) == 0) {
            ctx.out.print_empty_note(&self.note);
        }
        Ok(())
    }
}

/// Returns whether the output for one list is its file: text or TSV with all columns.
pub fn is_file_format(ctx: &Context) -> bool {
    matches!(ctx.out.settings().format(), OutputFormat::Tsv | OutputFormat::Text) && ctx.args.columns.is_empty()
}

pub fn print_file(ctx: &Context, header: &str, text: &str) -> Result<(), Failure> {
    if ctx.args.header {
        ctx.out.text(format!("{header}\n"))?;
    }
    ctx.out.text(text)
}

struct EntryRow<C>(Vec<String>, PhantomData<C>);

impl<C: Collection> Serialize for EntryRow<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(C::ENTRY_COLUMNS.iter().map(Column::as_str).zip(&self.0))
    }
}

impl<C: Collection> Row for EntryRow<C> {
    const COLUMNS: &'static [Column] = C::ENTRY_COLUMNS;

    fn cells(&self) -> Vec<Cell> {
        self.0.iter().map(Cell::from).collect()
    }
}
