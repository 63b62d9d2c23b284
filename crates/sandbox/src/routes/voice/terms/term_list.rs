//! Term lists: the terms of one language, in requests and as stored. See docs/service.md, "Spoken terms".

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::languages;
use crate::reply::Refusal;
use crate::routes::fields::unsupported;

/// Maximum length of a list, including line breaks, in characters.
const LIST_CHARS_MAX: usize = 300;

#[derive(Deserialize)]
pub(super) struct TermListBody {
    lang: String,
    entries: String,
}

impl TermListBody {
    pub(super) fn check(&self) -> Result<StoredTermList, Refusal> {
        let lang = check_lang(&self.lang)?;
        check_length(lang, self.entries.chars().count())?;
        let mut list = StoredTermList { lang: lang.to_owned(), terms: Vec::new() };
        for (at, line) in self.entries.split('\n').enumerate() {
            let line = line.strip_suffix('\r').unwrap_or(line);
            // Keep tabs, so that the check below refuses them: at the start of a line they are probably a mistake.
            let term = line.trim_matches(|c: char| c.is_whitespace() && !is_control(c));
            if term.chars().any(is_control) {
                let detail = format!("line {} of '{lang}' has a control character or a tab", at + 1);
                return Err(Refusal::bad_request("The terms are not valid.").detail(detail));
            }
            list.add(term);
        }
        if list.terms.is_empty() {
            return Err(Refusal::bad_request("The term list has no terms.").detail(format!("lang '{lang}'")));
        }
        Ok(list)
    }
}

/// The terms of one language, in order and without duplicates.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredTermList {
    /// Base code in lower case.
    pub(super) lang: String,
    terms: Vec<String>,
}

impl StoredTermList {
    pub(super) fn summary(&self) -> Value {
        json!({ "lang": self.lang, "entry_count": self.terms.len() })
    }

    /// Returns one term per line, without a final line feed.
    pub(super) fn entries(&self) -> String {
        self.terms.join("\n")
    }

    /// Adds the terms that the list does not contain yet; 400 if it becomes too long.
    pub(super) fn merge(&mut self, new: &Self) -> Result<(), Refusal> {
        new.terms.iter().for_each(|term| self.add(term));
        check_length(&self.lang, self.entries().chars().count())
    }

    fn add(&mut self, term: &str) {
        if !term.is_empty() && !self.terms.iter().any(|known| known == term) {
            self.terms.push(term.to_owned());
        }
    }
}

/// Refuses two lists for one language.
pub(super) fn check_lists(bodies: &[TermListBody]) -> Result<Vec<StoredTermList>, Refusal> {
    let mut lists: Vec<StoredTermList> = Vec::with_capacity(bodies.len());
    for body in bodies {
        let list = body.check()?;
        if lists.iter().any(|known| known.lang == list.lang) {
            return Err(Refusal::bad_request("A language may have one term list.")
                .detail(format!("'{}' is given twice", list.lang)));
        }
        lists.push(list);
    }
    Ok(lists)
}

/// Returns the code of a language that supports spoken terms, in lower case.
pub(super) fn check_lang(code: &str) -> Result<&'static str, Refusal> {
    match languages::find_source("voice", code) {
        Some((language, support)) if support.has_feature("spoken_terms") => Ok(language.lang),
        _ => Err(unsupported("lang").detail(format!("'{code}' is not a language of spoken terms"))),
    }
}

fn check_length(lang: &str, chars: usize) -> Result<(), Refusal> {
    if chars <= LIST_CHARS_MAX {
        return Ok(());
    }
    let detail = format!("the list for '{lang}' has {chars} characters, {LIST_CHARS_MAX} are allowed");
    Err(Refusal::bad_request("The term list is too long.").detail(detail))
}

/// Returns whether a character is forbidden in a term. U+2028 and U+2029 are included because they end lines.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}
