//! Implements `Collection` for spoken terms.

use std::path::Path;

use serde::Serializer;
use tulk_base::error::{Failure, Kind, ServiceError};
use tulk_base::json::WithRaw;
use tulk_base::limits;
use tulk_base::numbers::{counted, grouped};
use tulk_base::value_error::ValueError;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::voice::terms::{
    CreateSpokenTerms, DeleteTermList, EditSpokenTerms, GetSpokenTerms, GetSpokenTermsEntries, PutTermList,
    SpokenTerms, TermListContent, TermListInfo, check_term_language,
};
use tulk_client::http::endpoint::Endpoint;
use tulk_client::http::reply::Empty;
use tulk_formats::input::term_list::{CheckedTermList, TermList, TermListProblem, TermListRule};
use tulk_formats::input::whole;

use super::entries;
use crate::collections::{Collection, EntryChanges, ListEdit, LoadedList, SyncStep, file_text, serialize_field};
use crate::context::Context;
use crate::named;
use crate::output::Column;

pub type TermListEdit = ListEdit<SpokenTerms>;
pub type TermsSyncStep = SyncStep<SpokenTerms>;

impl Collection for SpokenTerms {
    type Key = LangCode;
    type List = TermList;
    type Content = TermListContent;
    type Info = TermListInfo;
    type Entries = TermListContent;
    type Rule = TermListRule;
    type FileOptions = ();

    const COMMAND: &'static str = "tulk voice terms";
    const COLLECTION_NOUN: &'static str = "spoken terms";
    const ENTRY_NOUN: &'static str = "term";
    const LIST_NOUN: &'static str = "term list";
    const KEY_NOUNS: [&'static str; 2] = ["language", "languages"];
    const FILES_NOUN: &'static str = "files of terms";
    // Print all terms, because a list has only a few and no `diff` command shows the others.
    const MAX_LISTED_BY_SYNC: usize = usize::MAX;
    const ID_FIELD: &'static str = "spoken_terms_id";
    const ENTRY_COLUMNS: &'static [Column] = entries::COLUMNS;
    const EDIT_COLUMNS: &'static [Column] = &[
        Column::id("spoken_terms_id").header("ID"),
        Column::text("lang").header("LANGUAGE"),
        Column::count("entry_count").header("TERMS"),
        Column::count("added"),
        Column::count("removed"),
    ];
    const STEP_COLUMNS: &'static [Column] = &[
        Column::text("action").rank(0),
        Column::text("lang").header("LANGUAGE").rank(0),
        Column::count("added"),
        Column::count("removed"),
        Column::count("kept"),
    ];

    async fn all(ctx: &Context) -> Result<Vec<WithRaw<Self>>, Failure> {
        named::all_spoken_terms(ctx).await
    }

    async fn find(ctx: &Context, text: &str) -> Result<String, Failure> {
        named::spoken_terms(ctx, text).await
    }

    fn lists(&self) -> &[TermListInfo] {
        &self.term_lists
    }

    fn key_and_entry_count(info: &TermListInfo) -> Result<(LangCode, Option<u64>), Failure> {
        let lang = info.lang.parse().map_err(|why: ValueError| Failure::new(Kind::Network, why))?;
        Ok((lang, info.entry_count))
    }

    fn get_request(id: &str) -> impl Endpoint<Reply = WithRaw<Self>> {
        GetSpokenTerms { spoken_terms_id: id.to_owned() }
    }

    fn create_request(name: &str, term_lists: Vec<TermListContent>) -> impl Endpoint<Reply = WithRaw<Self>> {
        CreateSpokenTerms { name: name.to_owned(), term_lists }
    }

    fn edit_request(
        id: &str,
        name: Option<String>,
        list: Option<TermListContent>,
    ) -> impl Endpoint<Reply = WithRaw<Self>> {
        EditSpokenTerms { spoken_terms_id: id.to_owned(), name, term_lists: list.map(|list| vec![list]) }
    }

    fn entries_request(id: &str, lang: &LangCode) -> impl Endpoint<Reply = WithRaw<TermListContent>> {
        GetSpokenTermsEntries { spoken_terms_id: id.to_owned(), lang: lang.clone() }
    }

    fn put_request(id: &str, content: TermListContent) -> impl Endpoint<Reply = WithRaw<TermListInfo>> {
        PutTermList { spoken_terms_id: id.to_owned(), content }
    }

    fn delete_list_request(id: &str, lang: &LangCode) -> impl Endpoint<Reply = Empty> {
        DeleteTermList { spoken_terms_id: id.to_owned(), lang: lang.clone() }
    }

    fn language_hint<'a>(service: &ServiceError, langs: impl IntoIterator<Item = &'a LangCode>) -> Option<String> {
        let roles = langs.into_iter().map(|lang| ("lang", lang, true));
        LangCode::hint_when_refused(LanguageUse::Voice, service, roles)
    }

    fn content(lang: &LangCode, list: &TermList) -> TermListContent {
        TermListContent { lang: lang.to_string(), entries: list.entries() }
    }

    fn content_text(content: &TermListContent) -> &str {
        &content.entries
    }

    fn parse(reply: &TermListContent, _: &LangCode) -> Result<TermList, Failure> {
        Ok(TermList::from_entries(&reply.entries))
    }

    fn entries_json(replies: &[WithRaw<TermListContent>]) -> Result<String, Failure> {
        Ok(serde_json::to_string(replies)?)
    }

    fn read_file(file: &Path) -> Result<Vec<u8>, Failure> {
        whole::read_bytes(file, limits::TERM_FILE)
    }

    fn read(
        ctx: &Context,
        lang: &LangCode,
        _: &Path,
        bytes: &[u8],
        (): &(),
    ) -> Result<(LoadedList<Self>, Vec<TermListProblem>), Failure> {
        let mut checked = CheckedTermList::read(bytes);
        let mut unchecked = None;
        // Requests are JSON, so only UTF-8 can be sent.
        if ctx.args.no_check && checked.is_utf8() && !checked.problems.is_empty() {
            unchecked = Some(TermListContent { lang: lang.to_string(), entries: file_text(bytes, false) });
            checked.problems.clear();
        }
        let loaded = LoadedList { key: lang.clone(), list: checked.list, entry_lines: Vec::new(), unchecked };
        Ok((loaded, checked.problems))
    }

    /// `--no-check` accepts any code.
    fn check_key(ctx: &Context, lang: &LangCode) -> Result<(), Failure> {
        if ctx.args.no_check { Ok(()) } else { check_term_language(lang.bcp47()) }
    }

    fn check_merge(ctx: &Context, lang: &LangCode, old: &TermList, new: &TermList, hint: &str) -> Result<(), Failure> {
        let (chars, limit) = (old.merged_with(new).chars(), limits::TERM_LIST_CHARS);
        if ctx.args.no_check || chars <= limit {
            return Ok(());
        }
        let new_chars = new.missing_in(old).chars();
        let what = format!(
            "the merged {lang} list would have {} ({} on the service, {} in new terms); the limit is {}",
            counted(chars, "character"),
            grouped(old.chars()),
            grouped(new_chars),
            grouped(limit)
        );
        Err(Failure::usage(what).hint(hint))
    }

    fn len(list: &TermList) -> usize {
        list.len()
    }

    fn file_text(list: &TermList) -> String {
        list.to_file_text()
    }

    fn rows(lang: &LangCode, list: &TermList) -> impl Iterator<Item = Vec<String>> {
        list.terms().map(|term| vec![lang.to_string(), term.to_owned()])
    }

    fn changes(old: &TermList, new: &TermList) -> EntryChanges {
        EntryChanges { added: new.missing_in(old).len(), changed: None, removed: old.missing_in(new).len() }
    }

    fn entries_to_merge(old: &TermList, new: &TermList) -> TermList {
        new.missing_in(old)
    }

    fn only_in_old(old: &TermList, new: &TermList) -> Vec<String> {
        old.missing_in(new).terms().map(str::to_owned).collect()
    }

    fn serialize_key<S: Serializer>(lang: &LangCode, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_field("lang", lang, serializer)
    }
}
