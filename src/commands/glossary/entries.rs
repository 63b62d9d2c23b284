//! `tulk glossary entries`: one dictionary as the TSV file it is, or all as a listing.

use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::api::glossary::{DictionaryEntries, GetDictionaryEntries, GetGlossary, LanguagePair};
use crate::commands::named;
use crate::config::OutputFormat;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::input::dictionary::Dictionary;
use crate::json::Kept;
use crate::output::{Cell, Table, View};

use super::change;

/// Print the entries of a dictionary, or of all
#[derive(Args, Debug)]
pub struct EntriesArgs {
    /// Name or ID
    #[arg(value_name = "GLOSSARY")]
    pub glossary: String,
    /// Source and target language, such as en:de [default: all pairs]
    #[arg(value_name = "PAIR")]
    pub pair: Option<LanguagePair>,
}

/// Prints entries: with a pair, in a pipe, the raw TSV file.
pub async fn run(ctx: &Context, args: EntriesArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let glossary_id = named::glossary(ctx, &args.glossary).await?;
    let client = ctx.client().await?;
    let pairs = if let Some(pair) = &args.pair {
        vec![pair.clone()]
    } else {
        let glossary = client.send(&GetGlossary { glossary_id: glossary_id.clone() }).await?;
        let pair = |d: &crate::api::glossary::DictionaryInfo| LanguagePair::from_codes(&d.source_lang, &d.target_lang);
        glossary.dictionaries.iter().map(pair).collect::<Result<_, _>>()?
    };
    let mut read = Vec::new();
    for pair in pairs {
        let reply = client.send(&GetDictionaryEntries { glossary_id: glossary_id.clone(), pair: pair.clone() }).await?;
        let text = reply
            .text(&pair)
            .ok_or_else(|| Failure::new(Kind::Network, format!("the service's answer holds no entries of {pair}")))?;
        let dictionary = change::parse(text, &pair)?;
        read.push((pair, dictionary, reply));
    }
    let format = ctx.out.settings().format();
    if args.pair.is_some() && matches!(format, OutputFormat::Tsv | OutputFormat::Text) && ctx.args.columns.is_empty() {
        let header = if ctx.args.header { "source\ttarget\n" } else { "" };
        let file: String = read.iter().map(|(_, dictionary, _)| dictionary.file()).collect();
        ctx.out.text(format!("{header}{file}"))?;
        return Ok(());
    }
    let with_items = format == OutputFormat::Jsonl || !ctx.args.columns.is_empty();
    ctx.out.show(&Shown::new(read, with_items)?)?;
    Ok(())
}

/// Entries as a listing; their JSON is the service's.
struct Shown {
    read: Vec<(LanguagePair, Dictionary, Kept<DictionaryEntries>)>,
    items: Vec<Box<RawValue>>,
}

#[derive(Serialize)]
struct Item<'a> {
    #[serde(flatten)]
    pair: &'a LanguagePair,
    source: &'a str,
    target: &'a str,
}

impl Shown {
    fn new(read: Vec<(LanguagePair, Dictionary, Kept<DictionaryEntries>)>, with_items: bool) -> Result<Self, Failure> {
        let mut items = Vec::new();
        for (pair, dictionary, _) in read.iter().filter(|_| with_items) {
            for (source, target) in dictionary.entries() {
                let item = serde_json::value::to_raw_value(&Item { pair, source, target });
                items.push(item.map_err(|e| Failure::internal(e.to_string()))?);
            }
        }
        Ok(Self { read, items })
    }
}

impl Serialize for Shown {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct All<'a> {
            dictionaries: Vec<&'a RawValue>,
        }
        if let [(_, _, only)] = self.read.as_slice() {
            return only.serialize(serializer);
        }
        let contents = |reply: &'_ Kept<DictionaryEntries>| -> Vec<Box<RawValue>> {
            match reply.dictionaries.as_slice() {
                [] => vec![reply.raw().to_owned()],
                contents => contents.iter().map(|content| content.raw().to_owned()).collect(),
            }
        };
        let contents: Vec<Box<RawValue>> = self.read.iter().flat_map(|(_, _, reply)| contents(reply)).collect();
        All { dictionaries: contents.iter().map(AsRef::as_ref).collect() }.serialize(serializer)
    }
}

/// Columns of the entries.
pub const COLUMNS: &[&str] = &["source_lang", "target_lang", "source", "target"];

impl View for Shown {
    fn table(&self) -> Table {
        let mut table = Table::new(COLUMNS.iter().copied());
        for (pair, dictionary, _) in &self.read {
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
