//! The languages of the service with their names. Used for suggestions and completion, never to refuse a code, since the service may
//! add languages at any time.
//!
//! `language_names.tsv` has one language per line: code, English name as the service writes it, own name, other names (separated by
//! commas), and uses. `voice` means both source and target language, `voice:s` source only, `voice:t` target only.

use std::sync::LazyLock;

/// Minimum length of a text that may be a misspelled name. A shorter text must be exactly a name.
const MIN_SIMILAR_CHARS: usize = 4;
const MAX_SUGGESTIONS: usize = 5;

/// A language with its names.
#[derive(Debug, PartialEq, Eq)]
pub struct LanguageName {
    /// Language code, BCP 47.
    pub code: &'static str,
    /// English name, as the service writes it: `German`, `Portuguese (Brazilian)`.
    pub name: &'static str,
    /// Name in the language itself: `Deutsch`.
    pub own_name: &'static str,
    /// Other names in any language, separated by commas.
    other_names: &'static str,
    /// Uses, separated by spaces.
    uses: &'static str,
}

/// A use of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LanguageUse {
    /// `tulk translate`.
    Text,
    /// `tulk doc`.
    Document,
    /// `tulk voice`.
    Voice,
    /// `tulk write`.
    Write,
    /// Dictionaries of glossaries.
    Glossary,
    /// Style rule lists.
    Style,
}

impl LanguageUse {
    /// Returns a hint with the command that lists the languages of this use.
    pub fn list_hint(self, as_source: bool) -> String {
        let side = if as_source { " --source" } else { " --target" };
        match self {
            Self::Text => list_hint("translate_text", side),
            Self::Document => list_hint("translate_document", side),
            Self::Voice => list_hint("voice", side),
            Self::Write => list_hint("write", side),
            // These resources do not distinguish source and target languages.
            Self::Glossary => list_hint("glossary", ""),
            Self::Style => list_hint("style_rules", ""),
        }
    }
}

/// Returns a hint with the command that lists the languages of a resource. `side` is a flag with a space before it, or empty.
pub fn list_hint(resource: &str, side: &str) -> String {
    let resource = if resource == "translate_text" { String::new() } else { format!(" --resource {resource}") };
    format!("`tulk langs list{resource}{side}` lists the supported languages")
}

static LANGUAGES: LazyLock<Vec<LanguageName>> = LazyLock::new(|| {
    include_str!("language_names.tsv")
        .lines()
        .filter_map(|line| {
            let mut cells = line.split('\t');
            let (code, name, own_name) = (cells.next()?, cells.next()?, cells.next()?);
            Some(LanguageName { code, name, own_name, other_names: cells.next()?, uses: cells.next()? })
        })
        .collect()
});

/// Returns all languages, ordered by code.
pub fn all() -> &'static [LanguageName] {
    &LANGUAGES
}

/// Returns the codes that a use supports as source language, or as target language.
pub fn codes_for(wanted: LanguageUse, as_source: bool) -> Vec<&'static str> {
    all().iter().filter(|language| language.is_for(wanted, as_source)).map(|language| language.code).collect()
}

/// Returns the languages with this name. Case, punctuation and word order do not matter: `Brazilian Portuguese` finds
/// `Portuguese (Brazilian)`.
pub fn named(text: &str) -> Vec<&'static LanguageName> {
    let wanted = sorted_words(text);
    if wanted.is_empty() {
        return Vec::new();
    }
    all().iter().filter(|language| language.names().any(|name| sorted_words(name) == wanted)).collect()
}

/// Returns the languages that a text probably names: languages with exactly this name, or else with the most similar name. In a similar
/// name, at most a third of the letters differ. A short text has no similar names.
pub fn similar_to(text: &str) -> Vec<&'static LanguageName> {
    let exact = named(text);
    let wanted = sorted_words(text).join(" ");
    let letters = wanted.chars().count();
    if !exact.is_empty() || letters < MIN_SIMILAR_CHARS {
        return exact;
    }
    let distance = |name: &str| strsim::osa_distance(&sorted_words(name).join(" "), &wanted);
    let mut found: Vec<(usize, &LanguageName)> = all()
        .iter()
        .filter_map(|language| Some((language.names().map(distance).min()?, language)))
        .filter(|(distance, _)| *distance <= letters / 3)
        .collect();
    found.sort_by_key(|(distance, _)| *distance);
    let best = found.first().map_or(0, |(distance, _)| *distance);
    // Suggest only the most similar names.
    found.retain(|(distance, _)| *distance == best);
    found.into_iter().take(MAX_SUGGESTIONS).map(|(_, language)| language).collect()
}

impl LanguageName {
    /// Returns whether a use supports the language as source language, or as target language.
    pub fn is_for(&self, wanted: LanguageUse, as_source: bool) -> bool {
        let wanted = match wanted {
            LanguageUse::Text => "text",
            LanguageUse::Document => "document",
            LanguageUse::Voice => "voice",
            LanguageUse::Write => "write",
            LanguageUse::Glossary => "glossary",
            LanguageUse::Style => "style",
        };
        let role = if as_source { "s" } else { "t" };
        self.uses.split(' ').map(|word| word.split_once(':').unwrap_or((word, role))).any(|pair| pair == (wanted, role))
    }

    /// Returns English and own name, such as `German (Deutsch)`, or one name if they are the same.
    pub fn description(&self) -> String {
        let (name, own_name) = (self.name, self.own_name);
        match () {
            () if own_name.starts_with("English") || own_name == name => name.to_owned(),
            () if name.ends_with(')') => format!("{name}, {own_name}"),
            () => format!("{name} ({own_name})"),
        }
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        let others = self.other_names.split(',').map(str::trim).filter(|name| !name.is_empty());
        [self.name, self.own_name].into_iter().chain(others)
    }
}

fn sorted_words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    // Combining marks belong to words in many scripts, so words are split only at these separators.
    let is_separator = |c: char| c.is_whitespace() || "()[],;:/_-".contains(c);
    let mut words: Vec<String> = lower.split(is_separator).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    words.sort_unstable();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(languages: &[&LanguageName]) -> String {
        languages.iter().map(|language| language.code).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_table_matches_the_list_of_the_sandbox() {
        let listed: Vec<(String, String)> = include_str!("../../../sandbox/src/languages.jsonl")
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
            .map(|language| [&language["lang"], &language["name"]].map(|text| text.as_str().unwrap().to_owned()).into())
            .collect();
        let table: Vec<_> = all().iter().map(|l| (l.code.to_owned(), l.name.to_owned())).collect();
        assert_eq!(table, listed);
        assert_eq!(table.len(), 126);
        assert!(all().iter().all(|language| !language.own_name.is_empty()));
    }

    /// A language has a use if the sandbox lists it for `service` or for `deepl`. `st` means source and target, `t` target only.
    #[test]
    fn the_uses_of_a_language_match_the_list_of_the_sandbox() {
        use LanguageUse::{Document, Glossary, Style, Text, Voice, Write};
        for (line, language) in include_str!("../../../sandbox/src/languages.jsonl").lines().zip(all()) {
            let listed = serde_json::from_str::<serde_json::Value>(line).unwrap();
            for (wanted, resource) in [
                (Text, "translate_text"),
                (Document, "translate_document"),
                (Voice, "voice"),
                (Write, "write"),
                (Glossary, "glossary"),
                (Style, "style_rules"),
            ] {
                let roles = |name: &str| listed["resources"][name].as_str().unwrap_or_default().split(' ').next();
                let roles = [resource, &format!("{resource}@deepl")].map(|name| roles(name).unwrap()).concat();
                for (role, as_source) in [('s', true), ('t', false)] {
                    let is_for = language.is_for(wanted, as_source);
                    assert_eq!(is_for, roles.contains(role), "{} {resource} {role}", language.code);
                }
            }
        }
    }

    #[test]
    fn the_description_has_both_names() {
        let description = |code: &str| all().iter().find(|l| l.code == code).unwrap().description();
        assert_eq!(description("de"), "German (Deutsch)");
        assert_eq!(description("pt-BR"), "Portuguese (Brazilian), Português (Brasil)");
        assert_eq!(description("en-GB"), "English (British)");
        assert_eq!(description("af"), "Afrikaans");
    }

    #[test]
    fn a_name_is_found_in_any_form() {
        for (text, found) in [
            ("German", "de"),
            ("GERMAN", "de"),
            ("deutsch", "de"),
            ("Français", "fr"),
            ("日本語", "ja"),
            ("Українська", "uk"),
            ("Brazilian Portuguese", "pt-BR"),
            ("Portuguese (Brazil)", "pt-BR"),
            ("portuguese-brazilian", "pt-BR"),
            ("Português (Brasil)", "pt-BR"),
            ("Chinese simplified", "zh-Hans"),
            ("Traditional Chinese", "zh-Hant"),
            ("Swiss German", "de-CH"),
            ("English (UK)", "en-GB"),
            ("American English", "en-US"),
            ("Latin American Spanish", "es-419"),
            ("norwegian", "nb"),
            ("Farsi", "fa"),
            ("  english ", "en"),
        ] {
            assert_eq!(codes(&named(text)), found, "{text}");
            assert_eq!(codes(&similar_to(text)), found, "{text}");
        }
    }

    #[test]
    fn codes_and_other_words_are_not_names() {
        for text in ["", " ", "()", "de", "en-US", "Klingon", "German German"] {
            assert_eq!(codes(&named(text)), "", "{text}");
        }
    }

    #[test]
    fn every_name_leads_to_its_language() {
        for language in all() {
            for name in language.names() {
                assert_eq!(codes(&named(name)), language.code, "{name}");
            }
        }
    }

    #[test]
    fn finds_languages_despite_typos() {
        for (text, found) in [
            ("Geman", "de"),
            ("germna", "de"),
            ("espanol", "es"),
            ("portugues", "pt"),
            ("francais", "fr"),
            ("Brasilian Portuguese", "pt-BR"),
            ("klingon", ""),
            ("dee", ""),
            ("xx", ""),
        ] {
            assert_eq!(codes(&similar_to(text)), found, "{text}");
        }
    }
}
