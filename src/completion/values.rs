//! Candidates for each kind of value, from built-in lists and local files.

use std::collections::HashSet;

use clap::ValueEnum;
use clap_complete::engine::CompletionCandidate;
use tulk_client::SANDBOX_NAME;
use tulk_client::api::language_names::{self, LanguageName, LanguageUse};
use tulk_client::api::style::catalogue;
use tulk_pipeline::PROTECT_PRESETS;
use tulk_store::documents::DocumentRecord;
use tulk_store::names::{KnownName, NameCache};
use tulk_sync::project::Project;

use super::{LanguageSide, ValueKind};
use crate::command::CommandSpec;
use crate::commands::doc;
use crate::config::schema::SettingSchema;
use crate::config::{Config, GlobalArgs, OutputFormat};
use crate::context::Context;

/// ID of a candidate after which the shell completes a file.
pub const FILES: &str = "files";
/// ID of a candidate after which the shell completes a directory.
pub const DIRECTORIES: &str = "directories";

pub struct KnownData {
    pub typed: String,
    /// Created from the flags of the command line. Reads settings and local files.
    pub ctx: Context,
    pub help_words: Vec<(String, String)>,
    pub columns: Vec<&'static str>,
    /// Declaration of the command; `None` before a command is typed.
    pub spec: Option<CommandSpec>,
}

pub fn candidates(kind: &ValueKind, known: &KnownData, typed: &str) -> Vec<CompletionCandidate> {
    let words: Vec<(String, String)> = match kind {
        ValueKind::Files => return vec![path(FILES, "")],
        ValueKind::OptionalPairFile => return vec![path(FILES, file_prefix(typed))],
        ValueKind::FieldFile => match typed.split_once("=@") {
            Some((name, _)) => return vec![path(FILES, &format!("{name}=@"))],
            None => Vec::new(),
        },
        ValueKind::Directories => return vec![path(DIRECTORIES, "")],
        ValueKind::Languages(wanted, role) => languages(*wanted, *role, &earlier_items(known)),
        ValueKind::ProjectLanguages => project_languages(&earlier_items(known)),
        ValueKind::Pair => pairs(typed, ""),
        ValueKind::PairFile | ValueKind::LanguageFile if typed.contains('=') => {
            return vec![path(FILES, file_prefix(typed))];
        }
        ValueKind::PairFile => pairs(typed, "="),
        ValueKind::LanguageFile => {
            let all = languages(LanguageUse::Voice, LanguageSide::Source, &[]);
            all.into_iter().map(|(code, help)| (code + "=", help)).collect()
        }
        ValueKind::Names(noun) => names(known, noun),
        ValueKind::Documents(unfinished) => documents(known, *unfinished),
        ValueKind::Profiles => without_help(known.profiles()),
        ValueKind::Settings(set) => settings(known, *set, typed),
        ValueKind::Services => {
            without_help(["deepl".to_owned(), "service".to_owned()].into_iter().chain(known.services()))
        }
        ValueKind::HelpWords => known.help_words.clone(),
        ValueKind::Formats => formats(known.spec.as_ref()),
        ValueKind::Columns => without_help(known.columns.iter().map(|&name| name.to_owned())),
        ValueKind::StyleRules(with_option) => style_rules(*with_option, typed),
        ValueKind::ProtectPresets => {
            PROTECT_PRESETS.iter().map(|preset| (preset.name.to_owned(), preset.help.to_owned())).collect()
        }
        ValueKind::FreeText => Vec::new(),
        ValueKind::Words(words) => without_help(words.iter().map(|&word| word.to_owned())),
    };
    let candidate = |(order, (word, help)): (usize, (String, String))| {
        let help = Some(help).filter(|help| !help.is_empty());
        CompletionCandidate::new(word).help(help.map(Into::into)).display_order(Some(order))
    };
    let matching = words.into_iter().filter(|(word, _)| word.starts_with(typed));
    matching.enumerate().map(candidate).collect()
}

/// Returns the candidate that leaves the rest of the word to the shell.
fn path(kind: &str, prefix: &str) -> CompletionCandidate {
    CompletionCandidate::new(prefix).id(Some(kind.to_owned()))
}

/// Returns the prefix of a value before the file: `en:de=`.
fn file_prefix(typed: &str) -> &str {
    typed.find('=').and_then(|at| typed.get(..=at)).unwrap_or_default()
}

/// Returns the output formats of the command, or all before a command is typed.
fn formats(spec: Option<&CommandSpec>) -> Vec<(String, String)> {
    let accepted = spec.map(CommandSpec::accepted_formats);
    let is_accepted = |format: &&OutputFormat| accepted.is_none_or(|accepted| accepted.contains(*format));
    let values = OutputFormat::value_variants().iter().filter(is_accepted).filter_map(ValueEnum::to_possible_value);
    values
        .map(|value| (value.get_name().to_owned(), value.get_help().map(ToString::to_string).unwrap_or_default()))
        .collect()
}

fn without_help(words: impl IntoIterator<Item = String>) -> Vec<(String, String)> {
    words.into_iter().map(|word| (word, String::new())).collect()
}

fn earlier_items(known: &KnownData) -> Vec<String> {
    let earlier = known.typed.rsplit_once(',').map_or("", |(earlier, _)| earlier);
    earlier.split([',', '=']).map(str::to_lowercase).collect()
}

fn languages(wanted: LanguageUse, role: LanguageSide, without: &[String]) -> Vec<(String, String)> {
    let is_listed = |language: &&LanguageName| {
        language.is_for(wanted, role == LanguageSide::Source) && !without.contains(&language.code.to_lowercase())
    };
    language_names::all().iter().filter(is_listed).map(|l| (l.code.to_owned(), l.description())).collect()
}

fn project_languages(without: &[String]) -> Vec<(String, String)> {
    let Ok(project) = Project::find(None) else { return Vec::new() };
    let tags = project.settings.langs.into_iter().map(|lang| lang.tag);
    let tags = tags.filter(|tag| !without.contains(&tag.to_lowercase()));
    let names = language_names::all();
    tags.map(|tag| {
        let known = names.iter().find(|language| language.code.eq_ignore_ascii_case(&tag));
        let help = known.map(LanguageName::description).unwrap_or_default();
        (tag, help)
    })
    .collect()
}

/// Returns source languages, or target languages after a source language and a colon. `end` is appended to the target.
fn pairs(typed: &str, end: &str) -> Vec<(String, String)> {
    let all = |role| languages(LanguageUse::Glossary, role, &[]).into_iter();
    match typed.split_once(':') {
        None => all(LanguageSide::Source).map(|(code, help)| (code + ":", help)).collect(),
        Some((source, targets)) => {
            // Only a pair with a file can have several target languages.
            let comma = targets.rfind(',').filter(|_| !end.is_empty());
            let earlier = comma.and_then(|at| targets.get(..=at)).unwrap_or_default();
            let is_used = |code: &str| earlier.split(',').chain([source]).any(|used| used.eq_ignore_ascii_case(code));
            let targets = all(LanguageSide::Target).filter(|(code, _)| !is_used(code));
            targets.map(|(code, help)| (format!("{source}:{earlier}{code}{end}"), help)).collect()
        }
    }
}

/// Returns names. If several resources share a name, returns their IDs instead.
fn names(known: &KnownData, noun: &str) -> Vec<(String, String)> {
    let mut known = known.names(noun);
    known.sort_by_cached_key(|one| (one.name.to_lowercase(), one.name.clone()));
    let shared: HashSet<String> = known
        .windows(2)
        .filter_map(|pair| match pair {
            [one, next] if one.name == next.name => Some(one.name.clone()),
            _ => None,
        })
        .collect();
    let candidate = |one: KnownName| {
        if shared.contains(&one.name) { (one.id, one.name) } else { (one.name, one.id) }
    };
    known.into_iter().map(candidate).collect()
}

fn documents(known: &KnownData, unfinished: bool) -> Vec<(String, String)> {
    let describe = |record: &DocumentRecord| {
        let (name, lang, stage) = (record.display_name(), &record.target_lang, record.stage.as_str());
        (record.id().to_owned(), format!("{name} → {lang}, {stage}"))
    };
    known
        .documents()
        .iter()
        .filter(|record| !unfinished || record.stage.is_unfinished() || record.awaits_evaluation())
        .map(describe)
        .collect()
}

/// Returns setting names up to the next dot.
fn settings(known: &KnownData, set: bool, typed: &str) -> Vec<(String, String)> {
    let parts: Vec<&str> = typed.split('.').collect();
    let all: Vec<(Vec<String>, String)> = if set {
        known.settings().into_iter().map(|path| (path, String::new())).collect()
    } else {
        every_setting(known, &parts)
    };
    let mut found: Vec<(String, String)> = Vec::new();
    for (path, help) in all {
        // A part with other characters would have to be quoted in the setting name.
        let is_bare = |part: &String| part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if !path.iter().all(is_bare) || path.len() < parts.len() {
            continue;
        }
        let is_whole = path.len() == parts.len();
        let word = path.get(..parts.len()).unwrap_or_default().join(".") + if is_whole { "" } else { "." };
        if !found.iter().any(|(known, _)| *known == word) {
            found.push((word, if is_whole { help } else { String::new() }));
        }
    }
    found
}

/// Returns the settings that can exist in the tables typed so far.
fn every_setting(known: &KnownData, typed: &[&str]) -> Vec<(Vec<String>, String)> {
    let in_tables = |table: &str, names: Vec<String>| -> Vec<(Vec<String>, String)> {
        let keys = if typed.len() == 3 { known.keys_of(table) } else { vec![("key".to_owned(), String::new())] };
        let path = |name: &String, key: &String| vec![table.to_owned(), name.clone(), key.clone()];
        names.iter().flat_map(|name| keys.iter().map(|(key, help)| (path(name, key), help.clone()))).collect()
    };
    let with = |mut names: Vec<String>, more: &[&str]| {
        names.extend(more.iter().map(|&name| name.to_owned()));
        names
    };
    match typed.first() {
        Some(&"profiles") => in_tables("profiles", with(known.profiles(), &["default"])),
        Some(&"services") => in_tables("services", with(known.services(), &["deepl", "service"])),
        Some(&"sandbox") if typed.len() > 1 => {
            known.keys_of("sandbox").into_iter().map(|(key, help)| (vec!["sandbox".to_owned(), key], help)).collect()
        }
        _ => ["default_profile", "profiles.x.x", "sandbox.x", "services.x.x"]
            .map(|path| (path.split('.').map(str::to_owned).collect(), String::new()))
            .into(),
    }
}

/// Returns categories, rules or options, depending on what is typed.
fn style_rules(with_option: bool, typed: &str) -> Vec<(String, String)> {
    let rules = catalogue::rules().iter();
    let mut words: Vec<String> = match (typed.split_once('='), typed.split_once('.')) {
        (Some((name, _)), _) if with_option => rules
            .filter(|rule| format!("{}.{}", rule.category, rule.rule) == name)
            .flat_map(|rule| rule.options.iter().map(|option| format!("{name}={option}")))
            .collect(),
        (_, Some(_)) => {
            let end = if with_option { "=" } else { "" };
            rules.map(|rule| format!("{}.{}{end}", rule.category, rule.rule)).collect()
        }
        _ => rules.map(|rule| format!("{}.", rule.category)).collect(),
    };
    words.dedup();
    without_help(words)
}

impl KnownData {
    /// Returns the names of resources of one kind on the server in use.
    fn names(&self, kind: &str) -> Vec<KnownName> {
        let Ok(cache) = NameCache::open() else { return Vec::new() };
        let servers = self.servers();
        cache.names(kind, |server| servers.iter().any(|known| known == server))
    }

    /// Returns the documents on the server in use, or all documents if no server is known; the newest first.
    fn documents(&self) -> Vec<DocumentRecord> {
        let servers = self.servers();
        let listing = doc::document_store().and_then(|store| store.list()).unwrap_or_default();
        let mut records = listing.records;
        records.retain(|record| servers.is_empty() || servers.contains(&record.server));
        records.reverse();
        records
    }

    /// Returns the names of the profiles with settings or a key.
    fn profiles(&self) -> Vec<String> {
        let Some(config) = self.config_to_create() else { return Vec::new() };
        let stored = config.stored_keys().map(|stored| stored.profiles()).unwrap_or_default();
        let mut profiles = [config.file.profiles.clone(), stored].concat();
        profiles.sort_unstable();
        profiles.dedup();
        profiles
    }

    fn services(&self) -> Vec<String> {
        let paths = self.settings().into_iter();
        let mut names: Vec<String> = paths
            .filter_map(|path| match path.as_slice() {
                [group, name, _] if group == "services" => Some(name.clone()),
                _ => None,
            })
            .collect();
        names.dedup();
        names
    }

    /// Returns the names of all settings in the settings file, split at the dots.
    fn settings(&self) -> Vec<Vec<String>> {
        let config = self.config_to_create();
        config.map(|config| config.file.entries.iter().map(|entry| entry.path.clone()).collect()).unwrap_or_default()
    }

    fn keys_of(&self, table: &str) -> Vec<(String, String)> {
        SettingSchema::new(self.ctx.setting_flags()).keys_of(table)
    }

    /// Returns the possible addresses of the server in use. Only the key, which is not read here, would tell which one is right.
    fn servers(&self) -> Vec<String> {
        if self.ctx.args.is_sandbox() {
            return vec![SANDBOX_NAME.to_owned()];
        }
        self.ctx.config().map(|config| config.possible_addresses()).unwrap_or_default()
    }

    /// Returns the settings without applying `--profile`, whose value may be incomplete.
    fn config_to_create(&self) -> Option<Config> {
        let args = GlobalArgs { profile: None, ..self.ctx.args.clone() };
        Config::open(&args, self.ctx.setting_flags()).ok()
    }
}
