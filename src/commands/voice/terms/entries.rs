//! `tulk voice terms entries`: one term list as a file, or the terms of all lists as a listing.

use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;
use tulk_base::error::{Failure, Kind};
use tulk_base::json::Kept;
use tulk_base::shell;
use tulk_base::value_error::ValueError;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::voice::terms::{GetSpokenTerms, SpokenTerms, TermListContent};
use tulk_formats::input::term_list::TermList;

use super::files;
use super::remote::RemoteTermList;
use crate::command::{CommandSpec, Run};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::named::{self, names};
use crate::output::{Cell, Column, EmptyNote, Table, View};

/// Print the terms of one or all languages
///
/// With LANG, the output in a pipe is a file that `lint`, `set`, `merge` and `sync` read.
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(COLUMNS).note("with a language, a pipe gets the raw file").checks().languages(LanguageUse::Voice))]
#[command(after_help = "tulk voice terms entries \"Subtitles talk\"\n\
                        tulk voice terms entries \"Subtitles talk\" en > talk.en.txt")]
pub struct TermsEntriesArgs {
    /// Name or ID of the collection
    #[arg(value_name = "TERMS", add = names::<SpokenTerms>())]
    pub collection: String,
    /// Language of the list, such as en [default: all]
    #[arg(value_name = "LANG")]
    pub lang: Option<LangCode>,
}

impl Run for TermsEntriesArgs {
    /// Prints terms. With a language, text output and TSV are the file itself, without escapes.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let settings = ctx.out.settings();
        if let Some(lang) = &self.lang {
            files::check_language(ctx, lang)?;
        }
        let spoken_terms_id = named::spoken_terms(ctx, &self.collection).await?;
        let langs = match &self.lang {
            Some(lang) => vec![lang.clone()],
            None => languages(ctx, &spoken_terms_id).await?,
        };
        let mut lists = Vec::with_capacity(langs.len());
        for lang in langs {
            let (list, reply) = RemoteTermList::new(ctx, &spoken_terms_id, &lang).await?.read_reply().await?;
            lists.push(ReadTermList { lang, list, reply });
        }
        let is_file =
            matches!(settings.format(), OutputFormat::Tsv | OutputFormat::Text) && ctx.args.columns.is_empty();
        if self.lang.is_some() && is_file {
            let header = if ctx.args.header { "term\n" } else { "" };
            let text: String = lists.iter().map(|read| read.list.to_file_text()).collect();
            return Ok(ctx.out.text(format!("{header}{text}"))?);
        }
        let items = items(&lists, settings.format() == OutputFormat::Jsonl || !ctx.args.columns.is_empty())?;
        let is_empty = lists.iter().all(|read| read.list.is_empty());
        ctx.out.show(&TermsEntriesView { lists, items, is_single: self.lang.is_some() })?;
        if is_empty {
            let set = format!("tulk voice terms set {} en FILE", shell::quote(&self.collection));
            ctx.out.empty(&EmptyNote::new("No terms yet.").next("Add a list", &set));
        }
        Ok(())
    }
}

/// Returns the languages of a collection's term lists.
async fn languages(ctx: &Context, spoken_terms_id: &str) -> Result<Vec<LangCode>, Failure> {
    let terms = ctx.client().await?.send(&GetSpokenTerms { spoken_terms_id: spoken_terms_id.to_owned() }).await?;
    let code = |text: &str| text.parse().map_err(|why: ValueError| Failure::new(Kind::Network, why));
    terms.term_lists.iter().map(|list| code(&list.lang)).collect()
}

/// One term list, and the reply it is from.
struct ReadTermList {
    lang: LangCode,
    list: TermList,
    reply: Kept<TermListContent>,
}

/// One term as a line of JSON.
#[derive(Serialize)]
struct TermItem<'a> {
    lang: &'a LangCode,
    term: &'a str,
}

fn items(lists: &[ReadTermList], wanted: bool) -> Result<Vec<Box<RawValue>>, Failure> {
    let terms = lists.iter().filter(|_| wanted).flat_map(|ReadTermList { lang, list, .. }| {
        list.terms().map(move |term| serde_json::value::to_raw_value(&TermItem { lang, term }))
    });
    terms.map(|item| item.map_err(|e| Failure::internal(e.to_string()))).collect()
}

/// The terms of lists as a listing. Its JSON is that of the service: a list, or an array of all lists.
struct TermsEntriesView {
    lists: Vec<ReadTermList>,
    items: Vec<Box<RawValue>>,
    /// Whether one language was asked for.
    is_single: bool,
}

impl Serialize for TermsEntriesView {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.lists.as_slice() {
            [only] if self.is_single => only.reply.serialize(serializer),
            lists => serializer.collect_seq(lists.iter().map(|read| &read.reply)),
        }
    }
}

/// Columns of the terms.
pub const COLUMNS: &[Column] = &[Column::text("lang").header("LANGUAGE"), Column::text("term").rank(0)];

impl View for TermsEntriesView {
    fn table(&self) -> Table {
        let mut table = Table::new(COLUMNS);
        for ReadTermList { lang, list, .. } in &self.lists {
            for term in list.terms() {
                table.push(vec![lang.to_string().into(), Cell::from(term)]);
            }
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        self.items.iter().map(AsRef::as_ref).collect()
    }
}
