//! One dictionary on the service: read, replaced, merged into, deleted, and the report of an edit.

use tulk_base::error::{Failure, Kind};
use tulk_base::json::Kept;
use tulk_client::api::glossary::{
    DeleteDictionary, DictionaryContent, DictionaryEntries, EditGlossary, GetDictionaryEntries, LanguagePair,
    PutDictionary,
};
use tulk_client::http::client::Client;
use tulk_formats::input::dictionary::{
    CheckedDictionary, Dictionary, DictionaryDiff, DictionaryReadOptions, DictionaryRule,
};

use super::edit::DictionaryEdit;
use crate::context::Context;
use crate::named;
use crate::output::{Output, ProgressTask, grouped};

/// A dictionary on the service, which may not exist yet.
pub struct RemoteDictionary<'a> {
    client: &'a Client,
    out: &'a Output,
    glossary_id: String,
    pair: LanguagePair,
}

impl<'a> RemoteDictionary<'a> {
    /// Names the dictionary of a glossary, by the glossary's ID.
    pub fn new(ctx: &'a Context, client: &'a Client, glossary_id: &str, pair: &LanguagePair) -> Self {
        Self { client, out: &ctx.out, glossary_id: glossary_id.to_owned(), pair: pair.clone() }
    }

    /// Looks the glossary up by name or ID, and waits until it is ready.
    pub async fn find(ctx: &'a Context, glossary: &str, pair: &LanguagePair) -> Result<Self, Failure> {
        let glossary_id = named::glossary(ctx, glossary).await?;
        Ok(Self::new(ctx, ctx.client().await?, &glossary_id, pair))
    }

    /// Returns the entries.
    pub async fn read(&self) -> Result<Dictionary, Failure> {
        Ok(self.read_reply().await?.0)
    }

    /// Returns the entries; `None` if the service does not have the dictionary.
    pub async fn read_if_exists(&self) -> Result<Option<Dictionary>, Failure> {
        match self.read().await {
            Ok(dictionary) => Ok(Some(dictionary)),
            Err(failure) if failure.kind == Kind::NotFound => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Returns the entries, or none if the service does not have the dictionary.
    pub async fn read_or_empty(&self) -> Result<Dictionary, Failure> {
        Ok(self.read_if_exists().await?.unwrap_or_default())
    }

    /// Returns the entries and the reply they are from.
    pub async fn read_reply(&self) -> Result<(Dictionary, Kept<DictionaryEntries>), Failure> {
        let Self { glossary_id, pair, .. } = self;
        let _task = self.out.phase(&pair.to_string(), "reading entries");
        let request = GetDictionaryEntries { glossary_id: glossary_id.clone(), pair: pair.clone() };
        let reply = self.client.send(&request).await.map_err(|failure| self.explain_not_found(failure))?;
        let text = reply.text(pair).ok_or_else(|| {
            Failure::new(Kind::Network, format!("the service's response contains no entries for {pair}"))
        })?;
        let dictionary = parse_reply(text, &format!("entries for {pair}"))?;
        Ok((dictionary, reply))
    }

    /// Replaces all entries. Returns the new number of entries, if the service reports it.
    pub async fn replace(&self, content: DictionaryContent) -> Result<Option<u64>, Failure> {
        let _task = self.upload_task(&content);
        let reply = self.client.send(&PutDictionary { glossary_id: self.glossary_id.clone(), content }).await?;
        Ok(reply.entry_count)
    }

    /// Adds entries and changes targets. Returns the new number of entries, if the service reports it.
    pub async fn merge(&self, content: DictionaryContent) -> Result<Option<u64>, Failure> {
        let _task = self.upload_task(&content);
        let edit = EditGlossary { glossary_id: self.glossary_id.clone(), name: None, dictionaries: Some([content]) };
        let reply = self.client.send(&edit).await?;
        Ok(reply.dictionary(&self.pair).and_then(|dictionary| dictionary.entry_count))
    }

    fn upload_task(&self, content: &DictionaryContent) -> ProgressTask {
        self.out.phase(&self.pair.to_string(), &uploading(content.entries.lines().count()))
    }

    /// Deletes the dictionary.
    pub async fn delete(&self) -> Result<(), Failure> {
        let request = DeleteDictionary { glossary_id: self.glossary_id.clone(), pair: self.pair.clone() };
        self.client.send(&request).await.map_err(|failure| self.explain_not_found(failure))?;
        Ok(())
    }

    /// Adds to a "not found" how to find out whether the glossary or only the dictionary is missing.
    fn explain_not_found(&self, mut failure: Failure) -> Failure {
        if failure.kind == Kind::NotFound {
            let hint = failure.hint.take().map(|hint| format!("; {hint}")).unwrap_or_default();
            failure.hint = Some(format!("`tulk glossary show {}` lists its language pairs{hint}", self.glossary_id));
        }
        failure
    }

    /// Shows what an edit changed.
    pub fn show_edit(&self, ctx: &Context, entry_count: u64, diff: &DictionaryDiff<'_>) -> Result<(), Failure> {
        DictionaryEdit::new(&self.glossary_id, &self.pair, entry_count, diff).show(ctx)
    }
}

/// Returns the phase of an upload.
pub fn uploading(entries: usize) -> String {
    if entries == 1 { "uploading 1 entry".to_owned() } else { format!("uploading {} entries", grouped(entries as u64)) }
}

/// Parses entries that the service sent. `what` names them in messages.
///
/// Fails with `Kind::Network` if source and target of an entry cannot be separated. Broken rules do not matter here.
pub fn parse_reply(tsv: &str, what: &str) -> Result<Dictionary, Failure> {
    let checked = CheckedDictionary::read(tsv.as_bytes(), &DictionaryReadOptions::TSV);
    match checked.problems.iter().find(|problem| matches!(problem.rule, DictionaryRule::Columns { .. })) {
        None => Ok(checked.dictionary),
        Some(problem) => Err(Failure::new(
            Kind::Network,
            format!("cannot read the service's {what}: line {}: {}", problem.line, problem.rule),
        )),
    }
}
