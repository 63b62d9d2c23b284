//! Implements `Collection` for glossaries.
//!
//! Valid entries are sent as TSV, whatever the file format. With `--no-check`, a file with problems is sent unchanged,
//! in its own format, if the service can read that.

use std::path::Path;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use tulk_base::error::{Failure, Kind, ServiceError};
use tulk_base::json::WithRaw;
use tulk_base::limits::{ANSWER_BYTES, DICTIONARY_FILE};
use tulk_client::api::glossary::{
    CSV, CreateGlossary, DeleteDictionary, DictionaryContent, DictionaryEntries, DictionaryInfo, EditGlossary,
    GetDictionaryEntries, GetGlossary, Glossary, LanguagePair, PutDictionary, TSV,
};
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::http::endpoint::Endpoint;
use tulk_client::http::reply::Empty;
use tulk_formats::input::dictionary::{
    CheckedDictionary, Dictionary, DictionaryDiff, DictionaryFormat, DictionaryProblem, DictionaryRule, EntryChange,
};
use tulk_formats::input::whole;

use super::entries;
use super::files::{self, DictionaryFileOptions, EntriesFormat};
use crate::collections::{Collection, EntryChanges, ListEdit, LoadedList, RemoteList, SyncStep, file_text};
use crate::context::Context;
use crate::named;
use crate::output::Column;

pub type RemoteDictionary<'a> = RemoteList<'a, Glossary>;
pub type DictionaryEdit = ListEdit<Glossary>;
pub type GlossarySyncStep = SyncStep<Glossary>;

impl Collection for Glossary {
    type Key = LanguagePair;
    type List = Dictionary;
    type Content = DictionaryContent;
    type Info = DictionaryInfo;
    type Entries = DictionaryEntries;
    type Rule = DictionaryRule;
    type FileOptions = DictionaryFileOptions;

    const COMMAND: &'static str = "tulk glossary";
    const COLLECTION_NOUN: &'static str = "glossary";
    const ENTRY_NOUN: &'static str = "entry";
    const LIST_NOUN: &'static str = "dictionary";
    const KEY_NOUNS: [&'static str; 2] = ["pair", "language pairs"];
    const FILES_NOUN: &'static str = "dictionary files";
    const MAX_LISTED_BY_SYNC: usize = 20;
    const ID_FIELD: &'static str = "glossary_id";
    const ENTRY_COLUMNS: &'static [Column] = entries::COLUMNS;
    const EDIT_COLUMNS: &'static [Column] = &[
        Column::id("glossary_id").header("ID"),
        Column::text("source_lang").header("FROM"),
        Column::text("target_lang").header("TO"),
        Column::count("entry_count").header("ENTRIES"),
        Column::count("added"),
        Column::count("changed"),
        Column::count("removed"),
    ];
    const STEP_COLUMNS: &'static [Column] = &[
        Column::text("action").rank(0),
        Column::text("source_lang").header("FROM").rank(0),
        Column::text("target_lang").header("TO").rank(0),
        Column::count("added"),
        Column::count("changed"),
        Column::count("removed"),
        Column::count("kept"),
    ];

    async fn all(ctx: &Context) -> Result<Vec<WithRaw<Self>>, Failure> {
        named::all_glossaries(ctx).await
    }

    async fn find(ctx: &Context, text: &str) -> Result<String, Failure> {
        named::glossary_without_waiting(ctx, text).await
    }

    async fn find_ready(ctx: &Context, text: &str) -> Result<String, Failure> {
        named::glossary(ctx, text).await
    }

    async fn wait_until_ready(ctx: &Context, found: WithRaw<Self>) -> Result<WithRaw<Self>, Failure> {
        let waits = !found.is_ready() && !ctx.args.dry_run;
        if waits { named::wait_for_glossary(ctx, &found.glossary_id).await } else { Ok(found) }
    }

    fn lists(&self) -> &[DictionaryInfo] {
        &self.dictionaries
    }

    fn key_and_entry_count(info: &DictionaryInfo) -> Result<(LanguagePair, Option<u64>), Failure> {
        Ok((LanguagePair::from_codes(&info.source_lang, &info.target_lang)?, info.entry_count))
    }

    fn get_request(id: &str) -> impl Endpoint<Reply = WithRaw<Self>> {
        GetGlossary { glossary_id: id.to_owned() }
    }

    fn create_request(name: &str, dictionaries: Vec<DictionaryContent>) -> impl Endpoint<Reply = WithRaw<Self>> {
        CreateGlossary { name: name.to_owned(), dictionaries }
    }

    fn edit_request(
        id: &str,
        name: Option<String>,
        dictionary: Option<DictionaryContent>,
    ) -> impl Endpoint<Reply = WithRaw<Self>> {
        EditGlossary { glossary_id: id.to_owned(), name, dictionaries: dictionary.map(|dictionary| [dictionary]) }
    }

    fn entries_request(id: &str, pair: &LanguagePair) -> impl Endpoint<Reply = WithRaw<DictionaryEntries>> {
        GetDictionaryEntries { glossary_id: id.to_owned(), pair: pair.clone() }
    }

    fn put_request(id: &str, content: DictionaryContent) -> impl Endpoint<Reply = WithRaw<DictionaryInfo>> {
        PutDictionary { glossary_id: id.to_owned(), content }
    }

    fn delete_list_request(id: &str, pair: &LanguagePair) -> impl Endpoint<Reply = Empty> {
        DeleteDictionary { glossary_id: id.to_owned(), pair: pair.clone() }
    }

    fn language_hint<'a>(service: &ServiceError, pairs: impl IntoIterator<Item = &'a LanguagePair>) -> Option<String> {
        let roles = pairs
            .into_iter()
            .flat_map(|pair| [("source_lang", &pair.source, true), ("target_lang", &pair.target, false)]);
        LangCode::hint_when_refused(LanguageUse::Glossary, service, roles)
    }

    fn content(pair: &LanguagePair, dictionary: &Dictionary) -> DictionaryContent {
        content(pair, dictionary.tsv().to_owned(), TSV)
    }

    fn content_text(content: &DictionaryContent) -> &str {
        &content.entries
    }

    fn parse(reply: &DictionaryEntries, pair: &LanguagePair) -> Result<Dictionary, Failure> {
        let text = reply.text(pair).ok_or_else(|| {
            Failure::new(Kind::Network, format!("the service's response contains no entries for {pair}"))
        })?;
        parse_reply(text, &format!("entries for {pair}"))
    }

    fn entries_json(replies: &[WithRaw<DictionaryEntries>]) -> Result<String, Failure> {
        #[derive(Deserialize)]
        struct Contents<'a> {
            #[serde(borrow, default)]
            dictionaries: Vec<&'a RawValue>,
        }
        #[derive(Serialize)]
        struct Joined<'a> {
            dictionaries: Vec<&'a RawValue>,
        }
        let mut dictionaries = Vec::with_capacity(replies.len());
        for reply in replies {
            match serde_json::from_str::<Contents<'_>>(reply.raw().get())?.dictionaries {
                contents if contents.is_empty() => dictionaries.push(reply.raw()),
                contents => dictionaries.extend(contents),
            }
        }
        Ok(serde_json::to_string(&Joined { dictionaries })?)
    }

    fn read_file(file: &Path) -> Result<Vec<u8>, Failure> {
        whole::read_bytes(file, DICTIONARY_FILE)
    }

    fn read(
        ctx: &Context,
        pair: &LanguagePair,
        file: &Path,
        bytes: &[u8],
        options: &DictionaryFileOptions,
    ) -> Result<(LoadedList<Self>, Vec<DictionaryProblem>), Failure> {
        let (format, checked) = files::read_dictionary(ctx, file, bytes, Some(pair), options)?;
        let CheckedDictionary { dictionary: list, entry_lines, mut problems, is_readable_by_service, .. } = checked;
        let mut unchecked = None;
        // Requests are JSON, so only UTF-8 can be sent.
        let is_utf8 = !problems.iter().any(|problem| matches!(problem.rule, DictionaryRule::Utf8 { .. }));
        if ctx.args.no_check && is_utf8 && !problems.is_empty() {
            // Send a file unchanged only if the service knows its separators and columns, otherwise the entries that could
            // be read.
            if is_readable_by_service {
                let format = if format == DictionaryFormat::Csv { CSV } else { TSV };
                unchecked = Some(content(pair, file_text(bytes, options.header_row), format));
            }
            problems.clear();
        }
        Ok((LoadedList { key: pair.clone(), list, entry_lines, unchecked }, problems))
    }

    fn option_words(options: &DictionaryFileOptions) -> Vec<&'static str> {
        let format: &[&str] = match options.entries_format {
            Some(EntriesFormat::Csv) => &["--entries-format", "csv"],
            Some(EntriesFormat::Tsv) => &["--entries-format", "tsv"],
            None => &[],
        };
        let flags = [
            options.header_row.then_some("--header-row"),
            options.columns_are_languages.then_some("--columns-are-languages"),
        ];
        format.iter().copied().chain(flags.into_iter().flatten()).collect()
    }

    fn len(dictionary: &Dictionary) -> usize {
        dictionary.len()
    }

    fn file_text(dictionary: &Dictionary) -> String {
        dictionary.to_file_text()
    }

    fn rows(pair: &LanguagePair, dictionary: &Dictionary) -> impl Iterator<Item = Vec<String>> {
        dictionary.entries().map(|(source, target)| {
            vec![pair.source.to_string(), pair.target.to_string(), source.to_owned(), target.to_owned()]
        })
    }

    fn changes(old: &Dictionary, new: &Dictionary) -> EntryChanges {
        let DictionaryDiff { added, changed, removed, .. } = DictionaryDiff::between(old, new);
        EntryChanges { added, changed: Some(changed), removed }
    }

    fn entries_to_merge(old: &Dictionary, new: &Dictionary) -> Dictionary {
        DictionaryDiff::between(old, new).to_merge()
    }

    fn only_in_old(old: &Dictionary, new: &Dictionary) -> Vec<String> {
        let diff = DictionaryDiff::between(old, new);
        let removed = diff.entries().filter(|entry| entry.change == EntryChange::Removed);
        removed.take(Self::MAX_LISTED_BY_SYNC).map(|entry| entry.source.to_owned()).collect()
    }

    fn serialize_key<S: Serializer>(pair: &LanguagePair, serializer: S) -> Result<S::Ok, S::Error> {
        pair.serialize(serializer)
    }
}

fn content(pair: &LanguagePair, entries: String, format: &str) -> DictionaryContent {
    DictionaryContent {
        source_lang: pair.source.to_string(),
        target_lang: pair.target.to_string(),
        entries,
        entries_format: format.to_owned(),
    }
}

/// Parses entries from a reply. `what` names them in messages.
///
/// Fails with `Kind::Network` if the source and target of an entry cannot be separated, or if the reply is far larger
/// than any dictionary. Ignores other broken rules.
pub fn parse_reply(tsv: &str, what: &str) -> Result<Dictionary, Failure> {
    if tsv.len() > ANSWER_BYTES {
        let limit = ANSWER_BYTES / (1024 * 1024);
        return Err(Failure::new(Kind::Network, format!("the service's {what} are larger than {limit} MiB"))
            .hint("check the server address (--server, `tulk auth status`); a dictionary has at most 10 MiB"));
    }
    Dictionary::from_reply(tsv).map_err(|problem| {
        let what = format!("cannot read the service's {what}: line {}: {}", problem.line, problem.rule);
        Failure::new(Kind::Network, what)
    })
}
