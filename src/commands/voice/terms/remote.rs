//! One term list on the service: read, replaced, merged into, deleted, and the report of an edit.

use tulk_base::error::{Failure, Kind};
use tulk_base::json::Kept;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::voice::terms::{
    DeleteTermList, EditSpokenTerms, GetSpokenTermsEntries, PutTermList, TermListContent,
};
use tulk_client::http::client::Client;
use tulk_formats::input::term_list::TermList;

use super::edit::TermListEdit;
use crate::context::Context;
use crate::named;

/// A term list on the service, which may not exist yet.
pub struct RemoteTermList<'a> {
    ctx: &'a Context,
    client: &'a Client,
    spoken_terms_id: String,
    lang: LangCode,
}

impl<'a> RemoteTermList<'a> {
    /// Names the term list of a collection, by the collection's ID.
    pub async fn new(ctx: &'a Context, spoken_terms_id: &str, lang: &LangCode) -> Result<Self, Failure> {
        let client = ctx.client().await?;
        Ok(Self { ctx, client, spoken_terms_id: spoken_terms_id.to_owned(), lang: lang.clone() })
    }

    /// Looks the collection up by name or ID.
    pub async fn find(ctx: &'a Context, collection: &str, lang: &LangCode) -> Result<Self, Failure> {
        let spoken_terms_id = named::spoken_terms(ctx, collection).await?;
        Self::new(ctx, &spoken_terms_id, lang).await
    }

    /// Returns the terms and the reply they are from.
    pub async fn read_reply(&self) -> Result<(TermList, Kept<TermListContent>), Failure> {
        let Self { spoken_terms_id, lang, .. } = self;
        let request = GetSpokenTermsEntries { spoken_terms_id: spoken_terms_id.clone(), lang: lang.clone() };
        let reply = self.client.send(&request).await.map_err(|failure| self.explain_not_found(failure))?;
        Ok((TermList::from_entries(&reply.entries), reply))
    }

    /// Returns the list; `None` if the service does not have it.
    pub async fn read_if_exists(&self) -> Result<Option<TermList>, Failure> {
        match self.read_reply().await {
            Ok((list, _)) => Ok(Some(list)),
            Err(failure) if failure.kind == Kind::NotFound => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Returns the terms, or none if the service does not have the list.
    pub async fn read_or_empty(&self) -> Result<TermList, Failure> {
        Ok(self.read_if_exists().await?.unwrap_or_default())
    }

    /// Creates or replaces the list. Returns the new number of terms, if the service reports it.
    pub async fn replace(&self, content: TermListContent) -> Result<Option<u64>, Failure> {
        let reply = self.client.send(&PutTermList { spoken_terms_id: self.spoken_terms_id.clone(), content }).await?;
        Ok(reply.entry_count)
    }

    /// Adds terms at the end of the list. Returns the new number of terms, if the service reports it.
    pub async fn merge(&self, content: TermListContent) -> Result<Option<u64>, Failure> {
        let spoken_terms_id = self.spoken_terms_id.clone();
        let edit = EditSpokenTerms { spoken_terms_id, name: None, term_lists: Some(vec![content]) };
        let reply = self.client.send(&edit).await?;
        Ok(reply.term_list(&self.lang).and_then(|list| list.entry_count))
    }

    /// Deletes the list.
    pub async fn delete(&self) -> Result<(), Failure> {
        let request = DeleteTermList { spoken_terms_id: self.spoken_terms_id.clone(), lang: self.lang.clone() };
        self.client.send(&request).await.map_err(|failure| self.explain_not_found(failure))?;
        Ok(())
    }

    /// Adds to a "not found" how to find out whether the collection or only the list is missing.
    fn explain_not_found(&self, mut failure: Failure) -> Failure {
        if failure.kind == Kind::NotFound {
            let hint = failure.hint.take().map(|hint| format!("; {hint}")).unwrap_or_default();
            failure.hint = Some(format!("`tulk voice terms show {}` lists its languages{hint}", self.spoken_terms_id));
        }
        failure
    }

    /// Shows what an edit changed.
    pub fn show_edit(&self, entry_count: u64, added: usize, removed: usize) -> Result<(), Failure> {
        TermListEdit::new(&self.spoken_terms_id, &self.lang, entry_count, added, removed).show(self.ctx)
    }
}
