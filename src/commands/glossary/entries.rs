//! `tulk glossary entries`: one dictionary as a TSV file, or the entries of all dictionaries as a listing.

use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;
use tulk_base::error::Failure;
use tulk_base::json::Kept;
use tulk_base::shell;
use tulk_client::api::glossary::{DictionaryEntries, DictionaryInfo, GetGlossary, Glossary, LanguagePair};
use tulk_formats::input::dictionary::Dictionary;

use super::remote::RemoteDictionary;
use crate::command::{CommandSpec, Run};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::named::{self, names};
use crate::output::{Cell, Column, EmptyNote, Table, View};

/// Print the entries of one or all dictionaries
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(COLUMNS).note("with a pair, a pipe gets the raw TSV file"))]
#[command(after_help = "tulk glossary entries Kitchen\n\
                        tulk glossary entries Kitchen en:de > kitchen.tsv")]
pub struct GlossaryEntriesArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY", add = names::<Glossary>())]
    pub glossary: String,
    /// Source and target language, such as en:de [default: all pairs]
    #[arg(value_name = "PAIR")]
    pub pair: Option<LanguagePair>,
}

impl Run for GlossaryEntriesArgs {
    /// Prints entries. With a pair, text output and TSV are the dictionary file itself, without escapes.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let glossary_id = named::glossary(ctx, &self.glossary).await?;
        let client = ctx.client().await?;
        let pairs = if let Some(pair) = &self.pair {
            vec![pair.clone()]
        } else {
            let glossary = client.send(&GetGlossary { glossary_id: glossary_id.clone() }).await?;
            let pair = |info: &DictionaryInfo| LanguagePair::from_codes(&info.source_lang, &info.target_lang);
            glossary.dictionaries.iter().map(pair).collect::<Result<_, _>>()?
        };
        let mut dictionaries = Vec::new();
        for pair in pairs {
            let (dictionary, reply) = RemoteDictionary::new(ctx, client, &glossary_id, &pair).read_reply().await?;
            dictionaries.push(ReadDictionary { pair, dictionary, reply });
        }
        if self.pair.is_some() && is_file_format(ctx) {
            let text: String = dictionaries.iter().map(|read| read.dictionary.to_file_text()).collect();
            return Ok(print_file(ctx, &text)?);
        }
        let with_items = ctx.out.settings().format() == OutputFormat::Jsonl || !ctx.args.columns.is_empty();
        let is_empty = dictionaries.iter().all(|read| read.dictionary.is_empty());
        ctx.out.show(&GlossaryEntriesView::new(dictionaries, with_items)?)?;
        if is_empty {
            let set = format!("tulk glossary set {} en:de FILE", shell::quote(&self.glossary));
            ctx.out.empty(&EmptyNote::new("No entries yet.").next("Add a dictionary", &set));
        }
        Ok(())
    }
}

/// Returns whether the output of one dictionary is its file: text or TSV with all columns.
pub fn is_file_format(ctx: &Context) -> bool {
    matches!(ctx.out.settings().format(), OutputFormat::Tsv | OutputFormat::Text) && ctx.args.columns.is_empty()
}

/// Prints the text of a dictionary file, after a header if `--header` is given.
pub fn print_file(ctx: &Context, text: &str) -> Result<(), Failure> {
    let header = if ctx.args.header { "source\ttarget\n" } else { "" };
    ctx.out.text(format!("{header}{text}"))
}

/// One dictionary, and the reply it is from.
struct ReadDictionary {
    pair: LanguagePair,
    dictionary: Dictionary,
    reply: Kept<DictionaryEntries>,
}

/// The entries of dictionaries as a listing. Its JSON is that of the service.
struct GlossaryEntriesView {
    dictionaries: Vec<ReadDictionary>,
    items: Vec<Box<RawValue>>,
}

/// One entry as a line of JSON.
#[derive(Serialize)]
struct GlossaryEntryItem<'a> {
    #[serde(flatten)]
    pair: &'a LanguagePair,
    source: &'a str,
    target: &'a str,
}

/// The JSON of several dictionaries, in the form of a reply.
#[derive(Serialize)]
struct GlossaryEntriesJson {
    dictionaries: Vec<Box<RawValue>>,
}

impl GlossaryEntriesView {
    fn new(dictionaries: Vec<ReadDictionary>, with_items: bool) -> Result<Self, Failure> {
        let mut items = Vec::new();
        for ReadDictionary { pair, dictionary, .. } in dictionaries.iter().filter(|_| with_items) {
            for (source, target) in dictionary.entries() {
                let item = serde_json::value::to_raw_value(&GlossaryEntryItem { pair, source, target });
                items.push(item.map_err(|e| Failure::internal(e.to_string()))?);
            }
        }
        Ok(Self { dictionaries, items })
    }
}

impl Serialize for GlossaryEntriesView {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let [only] = self.dictionaries.as_slice() {
            return only.reply.serialize(serializer);
        }
        let contents = |read: &ReadDictionary| -> Vec<Box<RawValue>> {
            match read.reply.dictionaries.as_slice() {
                [] => vec![read.reply.raw().to_owned()],
                contents => contents.iter().map(|content| content.raw().to_owned()).collect(),
            }
        };
        let dictionaries = self.dictionaries.iter().flat_map(contents).collect();
        GlossaryEntriesJson { dictionaries }.serialize(serializer)
    }
}

/// Columns of the entries.
pub const COLUMNS: &[Column] = &[
    Column::text("source_lang").header("FROM"),
    Column::text("target_lang").header("TO"),
    Column::text("source").rank(0),
    Column::text("target").rank(0),
];

impl View for GlossaryEntriesView {
    fn table(&self) -> Table {
        let mut table = Table::new(COLUMNS);
        for ReadDictionary { pair, dictionary, .. } in &self.dictionaries {
            for (source, target) in dictionary.entries() {
                let (from, to) = (pair.source.to_string(), pair.target.to_string());
                table.push(vec![from.into(), to.into(), Cell::from(source), Cell::from(target)]);
            }
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        self.items.iter().map(AsRef::as_ref).collect()
    }
}
