//! Kinds of argument values, for completion: declared on the argument with `#[arg(add = ValueKind::...)]`, or derived from the
//! value name, such as `FILE`.

use clap::Arg;
use clap::builder::ArgExt;

use tulk_client::api::language_names::LanguageUse;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A file, without a prefix such as `en:de=`.
    Files,
    Directories,
    Languages(LanguageUse, LanguageSide),
    /// Target languages of the project around the current directory.
    ProjectLanguages,
    /// Source and target language: `en:de`.
    Pair,
    /// Source and target language and a file: `en:de=FILE`.
    PairFile,
    /// A file, with an optional pair in front of it: `en:de=FILE`.
    OptionalPairFile,
    /// A field whose value can be a file: `name=@FILE`.
    FieldFile,
    /// Language and file: `en=FILE`.
    LanguageFile,
    /// Names of resources in the local name cache, by the noun of the resource.
    Names(&'static str),
    /// Document IDs. With `true`, only unfinished documents.
    Documents(bool),
    Profiles,
    /// Setting names. With `true`, only settings that are set.
    Settings(bool),
    Services,
    /// Topics and commands for `tulk help`.
    HelpWords,
    Formats,
    Columns,
    /// Style rules. With `true`, each with an option: `category.rule=option`.
    StyleRules(bool),
    /// Presets of `--protect`.
    ProtectPresets,
    /// Free text, whatever the value name suggests.
    FreeText,
    Words(&'static [&'static str]),
}

impl ArgExt for ValueKind {}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LanguageSide {
    Source,
    Target,
}

const RESOURCES: &[&str] =
    &["translate_text", "translate_document", "voice", "write", "glossary", "style_rules", "translation_memory"];
const FEATURES: &[&str] = &[
    "auto_detection",
    "formality",
    "glossary",
    "spoken_terms",
    "style_rules",
    "tag_handling",
    "tone",
    "transcription",
    "translated_speech",
    "translation_memory",
    "writing_style",
];
const DATES: &[&str] = &["today", "-7d", "-30d", "-90d"];

impl ValueKind {
    /// Returns the declared kind of an argument's values, or else the kind that the value name suggests. Returns `None` for free text, and
    /// for closed sets of values, which the completion engine knows. `languages` are the languages that the command supports.
    pub fn of(arg: &Arg, languages: LanguageUse) -> Option<Self> {
        if let Some(kind) = arg.get::<Self>() {
            return Some(kind.clone()).filter(|kind| *kind != Self::FreeText);
        }
        if !arg.get_possible_values().is_empty() {
            return None;
        }
        let value = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
        // The value name of a list is `LANG[,LANG]...`.
        let value = value.split("[,").next().unwrap_or_default();
        let id = arg.get_id().as_str();
        Some(match value {
            // The language of an instruction's prompt.
            "LANG" if id == "source_language" => Self::Languages(LanguageUse::Text, LanguageSide::Source),
            // `lang` is the language of spoken terms.
            "LANG" if ["from", "lang"].contains(&id) => Self::Languages(languages, LanguageSide::Source),
            "LANG" => Self::Languages(languages, LanguageSide::Target),
            "PAIR" => Self::Pair,
            "[PAIR=]FILE" => Self::OptionalPairFile,
            "PAIR=FILE" => Self::PairFile,
            "LANG=FILE" => Self::LanguageFile,
            "RESOURCE" => Self::Words(RESOURCES),
            "FEATURE" => Self::Words(FEATURES),
            "DATE" => Self::Words(DATES),
            "VERSION" => Self::Words(&["v1", "v2"]),
            "N|auto" => Self::Words(&["auto"]),
            _ if id == "output_format" => Self::Words(&["docx"]),
            _ if ["FILE", "PATH", "TEMPLATE"].iter().any(|word| has_word(value, word)) => Self::Files,
            _ if has_word(value, "DIR") => Self::Directories,
            _ => return None,
        })
    }
}

/// Returns whether a value name contains a word, as `[PAIR=]FILE` and `FILE|TEMPLATE` contain `FILE`.
fn has_word(value: &str, word: &str) -> bool {
    value.split(|c: char| !c.is_ascii_uppercase()).any(|part| part == word)
}

#[cfg(test)]
impl ValueKind {
    /// Returns whether a help text lists all words of this kind. Ignores the sample rates of PCM types.
    pub fn is_listed_in(&self, help: &str) -> bool {
        let is_listed = |word: &&str| help.contains(word.split(";rate=").next().unwrap_or_default());
        matches!(self, Self::Words(words) if words.iter().all(is_listed))
    }
}

/// An argument that takes a value: the names of its command and of the argument, the value name, the help, and the kind.
#[cfg(test)]
pub type CompletedValue = (String, String, String, Option<ValueKind>);

#[cfg(test)]
pub fn every_value(tree: &clap::Command) -> Vec<CompletedValue> {
    fn go(command: &clap::Command, path: &str, all: &mut Vec<CompletedValue>) {
        let is_own = |arg: &&Arg| arg.get_action().takes_values() && (path.is_empty() || !arg.is_global_set());
        for arg in command.get_arguments().filter(is_own) {
            let value = arg.get_value_names().map_or(String::new(), |names| names.join(" "));
            let name = format!("{path} {}", arg.get_id()).trim().to_owned();
            let help = arg.get_long_help().map(ToString::to_string).unwrap_or_default();
            all.push((name, value, help, ValueKind::of(arg, LanguageUse::Text)));
        }
        for subcommand in command.get_subcommands() {
            go(subcommand, format!("{path} {}", subcommand.get_name()).trim(), all);
        }
    }
    let mut all = Vec::new();
    go(tree, "", &mut all);
    all
}
