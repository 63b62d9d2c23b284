//! Glossaries as they are kept, and as both versions of the service show them.
//!
//! `terms.rs` reads the same bodies for translations.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::sandbox::app::App;
use crate::sandbox::clock;
use crate::sandbox::reply::Refusal;

use super::entries;

/// Which version made a glossary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::sandbox::routes) enum Origin {
    /// The one with a single, fixed dictionary.
    V2,
    /// The one with dictionaries that change.
    V3,
}

#[derive(Serialize, Deserialize)]
pub(in crate::sandbox::routes) struct Glossary {
    pub name: String,
    pub origin: Origin,
    /// Whether v3 changed it after it was made.
    pub edited: bool,
    pub dictionaries: Vec<Dictionary>,
}

#[derive(Serialize, Deserialize)]
pub(in crate::sandbox::routes) struct Dictionary {
    pub source_lang: String,
    pub target_lang: String,
    pub entries: Vec<(String, String)>,
}

impl Glossary {
    pub fn of(body: Value) -> Result<Self, Refusal> {
        serde_json::from_value(body).map_err(|error| Refusal::internal(format!("stored glossary: {error}")))
    }

    pub fn body(&self) -> Value {
        json!(self)
    }

    /// The v3 form; `ready` stands in it only while it is false, missing means ready.
    pub fn v3(&self, id: &str, created: i64, app: &App) -> Value {
        let mut value = json!({
            "glossary_id": id,
            "name": self.name,
            "dictionaries": self.dictionaries.iter().map(Dictionary::info).collect::<Vec<_>>(),
            "creation_time": clock::iso(created),
        });
        if !app.glossaries.is_ready(created) {
            value["ready"] = json!(false);
        }
        value
    }

    /// The v2 form, of a glossary that v2 made and that has its dictionary still.
    pub fn v2(&self, id: &str, created: i64, app: &App) -> Option<Value> {
        let dictionary = self.dictionaries.first().filter(|_| self.origin == Origin::V2)?;
        Some(json!({
            "glossary_id": id,
            "name": self.name,
            "ready": app.glossaries.is_ready(created),
            "source_lang": dictionary.source_lang,
            "target_lang": dictionary.target_lang,
            "creation_time": clock::iso_seconds(created),
            "entry_count": dictionary.entries.len(),
        }))
    }

    pub fn dictionary(&self, source: &str, target: &str) -> Option<&Dictionary> {
        self.dictionaries.iter().find(|dictionary| dictionary.is_of(source, target))
    }

    pub fn dictionary_mut(&mut self, source: &str, target: &str) -> Option<&mut Dictionary> {
        self.dictionaries.iter_mut().find(|dictionary| dictionary.is_of(source, target))
    }
}

impl Dictionary {
    pub fn is_of(&self, source: &str, target: &str) -> bool {
        self.source_lang.eq_ignore_ascii_case(source) && self.target_lang.eq_ignore_ascii_case(target)
    }

    pub fn info(&self) -> Value {
        json!({
            "source_lang": self.source_lang,
            "target_lang": self.target_lang,
            "entry_count": self.entries.len(),
        })
    }

    /// The entries as they are read: joined by line feeds, none at the end.
    pub fn tsv(&self) -> String {
        let lines: Vec<String> = self.entries.iter().map(|(source, target)| format!("{source}\t{target}")).collect();
        lines.join("\n")
    }

    /// New targets for known source phrases, the others at the end. 400 when it becomes too large.
    pub fn merge(&mut self, new: Vec<(String, String)>) -> Result<(), Refusal> {
        let known: HashMap<String, usize> =
            self.entries.iter().enumerate().map(|(at, (source, _))| (source.clone(), at)).collect();
        for (source, target) in new {
            match known.get(&source).and_then(|&at| self.entries.get_mut(at)) {
                Some(entry) => entry.1 = target,
                None => self.entries.push((source, target)),
            }
        }
        entries::check_size(&self.entries)
    }
}
