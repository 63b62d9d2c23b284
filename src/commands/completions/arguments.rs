//! What completes the values of each argument: the one place that knows it, by command and name of the value.

use clap::Arg;

use tulk_client::api::language_names::LanguageUse;

/// What the values of an argument are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A file. A prefix such as `en:de=` is left alone.
    Files,
    /// A directory.
    Directories,
    /// Language codes.
    Languages(LanguageUse, LanguageSide),
    /// Target languages of the project around the current directory.
    ProjectLanguages,
    /// Source and target language: `en:de`.
    Pair,
    /// Source and target language and a file: `en:de=FILE`.
    PairFile,
    /// A file, or source and target language in front of it: `en:de=FILE`.
    OptionalPairFile,
    /// A field whose value can be a file: `name=@FILE`.
    FieldFile,
    /// Language and file: `en=FILE`.
    LanguageFile,
    /// Names of resources that the service listed.
    Names(&'static str),
    /// Document IDs; `true`: of unfinished documents only.
    Documents(bool),
    /// Profiles.
    Profiles,
    /// Names of settings; `true`: of those that are set only.
    Settings(bool),
    /// Names of services.
    Services,
    /// Topics and commands of `help`.
    HelpWords,
    /// Output formats of the command.
    Formats,
    /// Columns of the command's table.
    Columns,
    /// Style rules; `true`: with an option, `category.rule=option`.
    StyleRules(bool),
    /// Presets of `--protect`.
    Placeholders,
    /// These words.
    Words(&'static [&'static str]),
}

/// In which role a language is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LanguageSide {
    /// As source language.
    Source,
    /// As target language.
    Target,
}

/// Nouns under which the names of resources are kept, as in `commands::named`.
const GLOSSARIES: &str = "glossary";
const GLOSSARIES_V2: &str = "v2 glossary";
const STYLES: &str = "style rule list";
const MEMORIES: &str = "translation memory";
const SPOKEN_TERMS: &str = "spoken terms collection";

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
const AUDIO_TYPES: &[&str] = &[
    "audio/flac",
    "audio/mpeg",
    "audio/ogg;codecs=flac",
    "audio/ogg;codecs=opus",
    "audio/pcm;encoding=alaw;rate=8000",
    "audio/pcm;encoding=s16le;rate=16000",
    "audio/pcm;encoding=s16le;rate=44100",
    "audio/pcm;encoding=s16le;rate=48000",
    "audio/pcm;encoding=s16le;rate=8000",
    "audio/pcm;encoding=ulaw;rate=8000",
    "audio/webm;codecs=opus",
    "audio/x-matroska;codecs=opus",
];
const SPEECH_TYPES: &[&str] = &[
    "audio/flac",
    "audio/ogg;codecs=opus",
    "audio/opus",
    "audio/pcm;encoding=s16le;rate=24000",
    "audio/webm;codecs=opus",
    "audio/x-matroska;codecs=opus",
];
const DATES: &[&str] = &["today", "-7d", "-30d", "-90d"];
const METHODS: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE"];

/// Returns what completes an argument; `None` for free text, and for closed values, which the engine knows.
pub fn kind_of(path: &[String], arg: &Arg) -> Option<ValueKind> {
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let value = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
    // `LANG[,LANG]...` is a list.
    let value = value.split("[,").next().unwrap_or_default();
    if arg.get_id() == "format" {
        return Some(ValueKind::Formats);
    }
    if !arg.get_possible_values().is_empty() {
        return None;
    }
    match (path.as_slice(), arg.get_id().as_str()) {
        (_, "profile") => Some(ValueKind::Profiles),
        (_, "columns") => Some(ValueKind::Columns),
        (["help"], "words") => Some(ValueKind::HelpWords),
        (["config", "set"], "key") => Some(ValueKind::Settings(false)),
        (["config", _], "key") => Some(ValueKind::Settings(true)),
        (["auth", _], "service") => Some(ValueKind::Services),
        (["style", "rules", "set"], "rules") => Some(ValueKind::StyleRules(true)),
        (["style", "rules", "catalogue"], _) => Some(ValueKind::StyleRules(false)),
        (["doc", verb], "id" | "ids") => Some(ValueKind::Documents(!["status", "forget"].contains(verb))),
        (["voice", _], "content_type") => Some(ValueKind::Words(AUDIO_TYPES)),
        (["voice", _], "audio_content_type") => Some(ValueKind::Words(SPEECH_TYPES)),
        (["voice", _], "voice") => Some(ValueKind::Words(&["male", "female"])),
        (["api"], "method") => Some(ValueKind::Words(METHODS)),
        (["api"], "field") => Some(ValueKind::FieldFile),
        (["sync", ..], "to") => Some(ValueKind::ProjectLanguages),
        (["sync", ..], "file") => Some(ValueKind::Files),
        // The path of a request.
        (["api"], "path") => None,
        (_, "protect") => Some(ValueKind::Placeholders),
        (_, "tag_handling_version") => Some(ValueKind::Words(&["v1", "v2"])),
        (["doc", _], "output_format") => Some(ValueKind::Words(&["docx"])),
        _ => by_value(&path, arg, value),
    }
}

/// Returns what completes an argument by the name of its value.
fn by_value(path: &[&str], arg: &Arg, value: &str) -> Option<ValueKind> {
    Some(match value {
        "LANG" => languages(path, arg.get_id().as_str()),
        "PAIR" => ValueKind::Pair,
        "[PAIR=]FILE" => ValueKind::OptionalPairFile,
        "PAIR=FILE" => ValueKind::PairFile,
        "LANG=FILE" => ValueKind::LanguageFile,
        "GLOSSARY" if path.get(1) == Some(&"v2") => ValueKind::Names(GLOSSARIES_V2),
        "GLOSSARY" => ValueKind::Names(GLOSSARIES),
        "STYLE" => ValueKind::Names(STYLES),
        "MEMORY" => ValueKind::Names(MEMORIES),
        "TERMS" => ValueKind::Names(SPOKEN_TERMS),
        "RESOURCE" => ValueKind::Words(RESOURCES),
        "FEATURE" => ValueKind::Words(FEATURES),
        "DATE" => ValueKind::Words(DATES),
        "N|auto" => ValueKind::Words(&["auto"]),
        _ if takes_path(value, "DIR") => ValueKind::Directories,
        _ if ["FILE", "PATH", "TEMPLATE"].iter().any(|word| takes_path(value, word)) => ValueKind::Files,
        _ => return None,
    })
}

/// Returns whether the name of a value contains a word: `[PAIR=]FILE`, `FILE|TEMPLATE`.
fn takes_path(value: &str, word: &str) -> bool {
    value.split(|c: char| !c.is_ascii_uppercase()).any(|part| part == word)
}

fn languages(path: &[&str], id: &str) -> ValueKind {
    let wanted = match path.first().copied() {
        Some("doc") => LanguageUse::Document,
        Some("voice") => LanguageUse::Voice,
        Some("write") => LanguageUse::Write,
        Some("style") => LanguageUse::Style,
        Some("glossary") => LanguageUse::Glossary,
        _ => LanguageUse::Text,
    };
    // Terms are spoken, and an instruction has the language of the source text.
    let role = match id {
        "from" | "lang" => LanguageSide::Source,
        "source_language" => return ValueKind::Languages(LanguageUse::Text, LanguageSide::Source),
        _ => LanguageSide::Target,
    };
    ValueKind::Languages(wanted, role)
}

#[cfg(test)]
impl ValueKind {
    /// Returns whether a help text lists all known words; of PCM it has one rate.
    pub fn is_in(&self, help: &str) -> bool {
        let is_listed = |word: &&str| help.contains(word.split(";rate=").next().unwrap_or_default());
        matches!(self, Self::Words(words) if words.iter().all(is_listed))
    }
}

/// An argument that takes a value: its name after that of its command, the name of its value, its help, and what completes it.
#[cfg(test)]
pub type CompletedValue = (String, String, String, Option<ValueKind>);

/// Returns each argument of the tree that takes a value.
#[cfg(test)]
pub fn every_value(tree: &clap::Command) -> Vec<CompletedValue> {
    fn go(command: &clap::Command, path: &[String], all: &mut Vec<CompletedValue>) {
        let is_own = |arg: &&Arg| arg.get_action().takes_values() && (path.is_empty() || !arg.is_global_set());
        for arg in command.get_arguments().filter(is_own) {
            let value = arg.get_value_names().map_or(String::new(), |names| names.join(" "));
            let name = format!("{} {}", path.join(" "), arg.get_id()).trim().to_owned();
            let help = arg.get_long_help().map(ToString::to_string).unwrap_or_default();
            all.push((name, value, help, kind_of(path, arg)));
        }
        for subcommand in command.get_subcommands() {
            go(subcommand, &[path, &[subcommand.get_name().to_owned()]].concat(), all);
        }
    }
    let mut all = Vec::new();
    go(tree, &[], &mut all);
    all
}
