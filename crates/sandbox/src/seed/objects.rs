//! Converts the tables of a seed file to objects, with the checks of the routes.

use std::collections::HashSet;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use toml::Spanned;
use tulk_base::error::{Failure, FileContext as _, Origin};
use tulk_base::files::read_text_bounded;

use super::SeedObject;
use super::document::{
    DeveloperKeyTable, DictionaryTable, GlossaryTable, MemoryTable, SeedDocument, StyleProfileTable, StyleTable,
};
use super::usage::{self, SeedUsage, SeedUsageTable, UsageDay};
use crate::memories::StoredMemory;
use crate::options::{FILE_LIMIT, SandboxOptions};
use crate::quota::BilledProduct;
use crate::reply::Refusal;
use crate::routes::seeded::{self, DictionaryBody, KnownParts, PartLanguages, ProfileBody, SeededInstruction};
use crate::state::kind;
use crate::strict::check_rules;
use crate::{auth, ids, languages, memories};

const ACTIVE_KEYS_MAX: usize = 25;
const GLOSSARIES_MAX: usize = 1000;

pub(super) struct SeedReader<'a> {
    document: &'a SeedDocument<'a>,
    options: &'a SandboxOptions,
    /// Kinds and IDs of the objects so far.
    known: HashSet<(&'static str, String)>,
    pub(super) objects: Vec<SeedObject>,
    pub(super) usage: Vec<SeedUsage>,
    /// Digest of all files read so far.
    pub(super) digest: Sha256,
}

impl<'a> SeedReader<'a> {
    /// `digest` already includes the seed file itself.
    pub(super) fn new(document: &'a SeedDocument<'a>, options: &'a SandboxOptions, digest: Sha256) -> Self {
        Self { document, options, known: HashSet::new(), objects: Vec::new(), usage: Vec::new(), digest }
    }

    /// Fails at the first table that breaks a rule.
    pub(super) fn read(&mut self) -> Result<(), Failure> {
        let tables = &self.document.tables;
        tables.glossaries.iter().try_for_each(|table| self.read_glossary(table))?;
        tables.style_rules.iter().try_for_each(|table| self.read_style(table))?;
        tables.translation_memories.iter().try_for_each(|table| self.read_memory(table))?;
        tables.style_profiles.iter().try_for_each(|table| self.read_style_profile(table))?;
        tables.developer_keys.iter().try_for_each(|table| self.read_developer_key(table))?;
        tables.usage.iter().try_for_each(|table| self.read_usage(table))?;
        if let Some(table) = tables.glossaries.get(GLOSSARIES_MAX) {
            return Err(self.failure_at(table, format!("an account has at most {GLOSSARIES_MAX} glossaries")));
        }
        if let Some(table) = tables.developer_keys.iter().filter(|key| !key.get_ref().deactivated).nth(ACTIVE_KEYS_MAX)
        {
            return Err(
                self.failure_at(table, format!("an account has at most {ACTIVE_KEYS_MAX} active developer keys"))
            );
        }
        Ok(())
    }

    fn read_glossary(&mut self, table: &Spanned<GlossaryTable>) -> Result<(), Failure> {
        let glossary = table.get_ref();
        let id = self.read_id(table, kind::GLOSSARY, glossary.id.as_deref(), &glossary.name)?;
        let mut dictionaries = Vec::new();
        for dictionary in &glossary.dictionaries {
            let (body, origin) = self.read_dictionary(dictionary)?;
            dictionaries.push(body.check().map_err(|refusal| failure_of(&refusal).at(origin))?);
        }
        let (body, texts) = seeded::glossary(&glossary.name, &dictionaries).map_err(|e| self.refusal_at(table, &e))?;
        self.objects.push(SeedObject { kind: kind::GLOSSARY, id, body, times: &[], texts });
        Ok(())
    }

    fn read_dictionary(&mut self, table: &Spanned<DictionaryTable>) -> Result<(DictionaryBody, Origin), Failure> {
        let dictionary = table.get_ref();
        let origin = self.document.origin(table);
        let (entries, format, origin) = match (&dictionary.entries, &dictionary.entries_file) {
            (Some(toml::Value::String(text)), None) => (text.clone(), "tsv", origin),
            (Some(toml::Value::Table(entries)), None) => {
                (tsv_of(entries).map_err(|e| e.at(origin.clone()))?, "tsv", origin)
            }
            (Some(_), None) => {
                let what = "`entries` must be a table of source and target phrases, or TSV";
                return Err(self.failure_at(table, what.to_owned()));
            }
            (None, Some(file)) => {
                let path = self.document.resolve(file);
                let text = read_text_bounded(&path, FILE_LIMIT).file_context("read", &path)?;
                self.digest.update(text.as_bytes());
                let format = if is_csv(file) { "csv" } else { "tsv" };
                (text, format, Origin::whole(&path.to_string_lossy()))
            }
            _ => return Err(self.failure_at(table, "a dictionary needs either `entries` or `entries_file`".to_owned())),
        };
        let dictionary = DictionaryBody {
            source_lang: dictionary.source_lang.clone(),
            target_lang: dictionary.target_lang.clone(),
            entries,
            entries_format: format.to_owned(),
        };
        Ok((dictionary, origin))
    }

    fn read_style(&mut self, table: &Spanned<StyleTable>) -> Result<(), Failure> {
        let style = table.get_ref();
        let id = self.read_id(table, kind::STYLE, style.id.as_deref(), &style.name)?;
        let mut instructions = Vec::new();
        for instruction in &style.custom_instructions {
            let fields = instruction.get_ref();
            let name = format!("{id} {}", fields.label);
            let seeded = SeededInstruction {
                id: self.read_id(instruction, "instruction", fields.id.as_deref(), &name)?,
                label: fields.label.clone(),
                prompt: fields.prompt.clone(),
                source_language: fields.source_language.clone(),
            };
            seeded.check().map_err(|e| self.refusal_at(instruction, &e))?;
            instructions.push(seeded);
        }
        let rules = &style.configured_rules;
        if self.options.strict {
            check_rules(rules).map_err(|e| self.refusal_at(table, &e))?;
        }
        let body = seeded::seeded_style(self.options.rules, &id, &style.name, &style.language, rules, &instructions)
            .map_err(|e| self.refusal_at(table, &e))?;
        let times = &["creation_time", "updated_time"];
        self.objects.push(SeedObject { kind: kind::STYLE, id, body, times, texts: Vec::new() });
        Ok(())
    }

    fn read_memory(&mut self, table: &Spanned<MemoryTable>) -> Result<(), Failure> {
        let memory = table.get_ref();
        let id = self.read_id(table, kind::MEMORY, memory.id.as_deref(), &memory.name)?;
        let is_target =
            |code: &str| memory.target_languages.iter().any(|target| languages::have_same_base(target, code));
        if let Some(segment) = memory.segments.iter().find(|segment| !is_target(&segment.target_lang)) {
            let what = format!("the language `{}` of a segment is not in `target_languages`", segment.target_lang);
            return Err(self.failure_at(table, what));
        }
        let codes = memory.segments.iter().map(|segment| &segment.target_lang);
        for code in codes.chain([&memory.source_language]).chain(&memory.target_languages) {
            if !languages::all().iter().any(|known| languages::have_same_base(known.lang, code)) {
                return Err(self.failure_at(table, format!("unknown language `{code}`")));
            }
        }
        let stored = StoredMemory {
            translation_memory_id: id.clone(),
            name: memory.name.clone(),
            source_language: memory.source_language.clone(),
            target_languages: memory.target_languages.clone(),
            segments: memories::group_by_source(memory.segments.iter().cloned()),
            segment_count: 0,
            creation_time: memory.creation_time,
            updated_time: memory.updated_time,
        };
        let (body, text) = stored.stored_parts();
        self.objects.push(SeedObject { kind: kind::MEMORY, id, body, times: &[], texts: vec![text] });
        Ok(())
    }

    fn read_style_profile(&mut self, table: &Spanned<StyleProfileTable>) -> Result<(), Failure> {
        let profile = table.get_ref();
        let id = self.read_id(table, kind::STYLE_PROFILE, profile.id.as_deref(), &profile.name)?;
        let languages = |kind: &str, field: &str| -> PartLanguages {
            let language = |body: &Value| body[field].as_str().unwrap_or_default().to_owned();
            self.objects.iter().filter(|o| o.kind == kind).map(|o| (o.id.clone(), language(&o.body))).collect()
        };
        let ids = |kind: &str, names: &[String]| {
            let id = |name: &String| {
                let found = self.objects.iter().find(|o| o.kind == kind && o.body["name"] == name.as_str());
                found.map_or_else(|| name.clone(), |object| object.id.clone())
            };
            Some(names.iter().map(id).collect())
        };
        let parts = KnownParts {
            glossaries: languages(kind::GLOSSARY, ""),
            styles: languages(kind::STYLE, "language"),
            memories: languages(kind::MEMORY, "source_language"),
        };
        let fields = ProfileBody {
            name: Some(profile.name.clone()),
            description: profile.description.clone(),
            industry: profile.industry.clone(),
            glossary_ids: ids(kind::GLOSSARY, &profile.glossaries),
            style_rule_ids: ids(kind::STYLE, &profile.style_rules),
            translation_memory_ids: ids(kind::MEMORY, &profile.translation_memories),
            glossary_priority_order_enabled: Some(profile.glossary_priority_order_enabled),
        };
        let body = seeded::seeded_profile(id.clone(), fields, &parts).map_err(|e| self.refusal_at(table, &e))?;
        let times = &["creation_time", "updated_time"];
        self.objects.push(SeedObject { kind: kind::STYLE_PROFILE, id, body, times, texts: Vec::new() });
        Ok(())
    }

    fn read_developer_key(&mut self, table: &Spanned<DeveloperKeyTable>) -> Result<(), Failure> {
        let key = table.get_ref();
        let derived =
            || format!("{}:{}", ids::uuid_from_name(&key.label), ids::uuid_from_name(&format!("{} key", key.label)));
        let id = key.key.clone().unwrap_or_else(derived);
        if !auth::can_be_sent(&id) {
            return Err(self.failure_at(table, "a `key` must be printable ASCII text without spaces".to_owned()));
        }
        if self.options.keys.iter().chain(&self.options.admin_keys).any(|known| *known == id) {
            return Err(self.failure_at(
                table,
                format!("the developer key `{}` is also accepted by --key or --admin-key", key.label),
            ));
        }
        self.add_id(table, kind::DEVELOPER_KEY, &id, &key.label)?;
        let mut limits = json!({
            "characters": key.character_limit,
            "speech_to_text_milliseconds": key.speech_to_text_minutes_limit.map(|n| n.saturating_mul(60_000)),
        });
        if let Some(documents) = key.document_limit {
            limits["documents"] = documents.into();
        }
        let body = json!({
            "key_id": id, "label": key.label, "creation_time": "", "is_deactivated": key.deactivated,
            "usage_limits": limits,
        });
        let times: &[&str] = if key.deactivated { &["creation_time", "deactivated_time"] } else { &["creation_time"] };
        self.objects.push(SeedObject { kind: kind::DEVELOPER_KEY, id, body, times, texts: Vec::new() });
        Ok(())
    }

    fn read_usage(&mut self, table: &Spanned<SeedUsageTable>) -> Result<(), Failure> {
        let fields = table.get_ref();
        let day = match (&fields.day, fields.days_ago) {
            (None, None) => UsageDay::ThisMonth,
            (Some(day), None) => UsageDay::At(usage::parse_day(day).map_err(|why| self.failure_at(table, why))?),
            (None, Some(days)) => UsageDay::DaysAgo(days),
            (Some(_), Some(_)) => {
                return Err(self.failure_at(table, "usage can have a `day` or `days_ago`, not both".to_owned()));
            }
        };
        let tag =
            fields.tag.as_deref().map(seeded::reporting_tag).transpose().map_err(|e| self.refusal_at(table, &e))?;
        if tag.is_some() && matches!(day, UsageDay::ThisMonth) {
            let what = "usage with a `tag` needs a `day` or `days_ago`: tags appear only in reports by day";
            return Err(self.failure_at(table, what.to_owned()));
        }
        let counts = fields.counts().map_err(|why| self.failure_at(table, why))?;
        if tag.is_some() && !counts.iter().any(|(product, _)| *product == BilledProduct::Text) {
            return Err(self.failure_at(table, "usage with a `tag` needs `text_characters`".to_owned()));
        }
        let key = fields.key.clone().or_else(|| self.options.keys.first().cloned()).unwrap_or_default();
        if !self.is_known_key(&key) {
            let failure =
                self.failure_at(table, "the `key` of usage is neither an accepted key nor a developer key".to_owned());
            return Err(failure.hint("add it to [[developer_keys]] or to --key, or use --any-key"));
        }
        let pair = fields.pair().map_err(|why| self.failure_at(table, why))?;
        self.usage.push(SeedUsage { key, day, tag, pair, counts });
        Ok(())
    }

    fn is_known_key(&self, key: &str) -> bool {
        let SandboxOptions { keys, admin_keys, any_key, .. } = self.options;
        *any_key
            || keys.iter().chain(admin_keys).any(|known| known == key)
            || self.known.contains(&(kind::DEVELOPER_KEY, key.to_owned()))
    }

    /// Returns the ID of an object, or one that depends only on its name if the file sets none.
    fn read_id<T>(
        &mut self,
        table: &Spanned<T>,
        kind: &'static str,
        id: Option<&str>,
        name: &str,
    ) -> Result<String, Failure> {
        let id = match id {
            Some(id) if ids::is_uuid(id) => id.to_ascii_lowercase(),
            Some(id) => return Err(self.failure_at(table, format!("the `id` is not a UUID: `{id}`"))),
            None => ids::uuid_from_name(name),
        };
        self.add_id(table, kind, &id, name)?;
        Ok(id)
    }

    /// Refuses an ID that another object of this kind has.
    fn add_id<T>(&mut self, table: &Spanned<T>, kind: &'static str, id: &str, name: &str) -> Result<(), Failure> {
        if self.known.insert((kind, id.to_owned())) {
            return Ok(());
        }
        let field = if kind == kind::DEVELOPER_KEY { "key" } else { "id" };
        let failure = self.failure_at(table, format!("`{name}` has the same `{field}` as another one"));
        Err(failure.hint(format!(
            "if `{field}` is not set, it depends only on the name: set `{field}` or change one of the names"
        )))
    }

    fn refusal_at<T>(&self, table: &Spanned<T>, refusal: &Refusal) -> Failure {
        failure_of(refusal).at(self.document.origin(table))
    }

    fn failure_at<T>(&self, table: &Spanned<T>, what: String) -> Failure {
        Failure::usage(what).at(self.document.origin(table))
    }
}

fn failure_of(refusal: &Refusal) -> Failure {
    Failure::usage(refusal.text())
}

fn tsv_of(entries: &toml::Table) -> Result<String, Failure> {
    let mut lines = Vec::with_capacity(entries.len());
    for (source, target) in entries {
        let toml::Value::String(target) = target else {
            return Err(Failure::usage(format!("the entry `{source}` is not a string")));
        };
        if [source, target].into_iter().any(|phrase| phrase.contains(['\t', '\n', '\r'])) {
            return Err(Failure::usage(format!(
                "the entry `{}` contains a tab or a line break",
                source.escape_debug()
            )));
        }
        lines.push(format!("{source}\t{target}"));
    }
    Ok(lines.join("\n"))
}

fn is_csv(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}
