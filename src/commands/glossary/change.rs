//! Reading a dictionary of the service, and what edits of one dictionary share.

use crate::api::glossary::{DictionaryContent, EditGlossary, GetDictionaryEntries, LanguagePair, PutDictionary};
use crate::error::{Failure, Kind};
use crate::http::client::Client;
use crate::input::dictionary::{Checked, Dictionary, Reading, Rule};

/// The dictionary of a pair as the service has it.
pub async fn read(client: &Client, glossary_id: &str, pair: &LanguagePair) -> Result<Dictionary, Failure> {
    let reply = client.send(&GetDictionaryEntries { glossary_id: glossary_id.to_owned(), pair: pair.clone() }).await?;
    let text = reply
        .text(pair)
        .ok_or_else(|| Failure::new(Kind::Network, format!("the service's answer holds no entries of {pair}")))?;
    parse(text, pair)
}

/// The same; `None` where the service knows no such dictionary.
pub async fn read_if_any(
    client: &Client,
    glossary_id: &str,
    pair: &LanguagePair,
) -> Result<Option<Dictionary>, Failure> {
    match read(client, glossary_id, pair).await {
        Ok(dictionary) => Ok(Some(dictionary)),
        Err(failure) if failure.kind == Kind::NotFound => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Entries of the service. What cannot be told apart into source and target is an unusable answer, never a guess.
pub fn parse(text: &str, pair: &LanguagePair) -> Result<Dictionary, Failure> {
    let checked = Checked::read(text.as_bytes(), &Reading::TSV);
    match checked.problems.iter().find(|problem| matches!(problem.rule, Rule::Columns { .. })) {
        None => Ok(checked.dictionary),
        Some(problem) => Err(Failure::new(
            Kind::Network,
            format!("the service's entries of {pair} are unusable: line {}: {}", problem.line, problem.rule),
        )),
    }
}

/// Replaces a dictionary; how many entries it has then.
pub async fn put(client: &Client, glossary_id: &str, content: DictionaryContent) -> Result<Option<u64>, Failure> {
    let reply = client.send(&PutDictionary { glossary_id: glossary_id.to_owned(), content }).await?;
    Ok(reply.entry_count)
}

/// Merges entries into a dictionary; how many entries it has then.
pub async fn merge(
    client: &Client,
    glossary_id: &str,
    pair: &LanguagePair,
    content: DictionaryContent,
) -> Result<Option<u64>, Failure> {
    let edit = EditGlossary { glossary_id: glossary_id.to_owned(), name: None, dictionaries: Some([content]) };
    let reply = client.send(&edit).await?;
    Ok(reply.dictionary(pair).and_then(|dictionary| dictionary.entry_count))
}

/// A count of the service, or our own where it gave none.
pub fn count_or(counted: Option<u64>, own: usize) -> u64 {
    counted.unwrap_or(own as u64)
}

/// Checks one entry from the command line.
pub fn check_entry(source: &str, target: &str) -> Result<(), Failure> {
    match Checked::entry(source, target).first() {
        None => Ok(()),
        Some(problem) => Err(Failure::usage(problem.rule.to_string())),
    }
}
