//! Settings of a project file: validated languages, rules, notes and options, or an error with the location of the first
//! wrong setting.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;
use tulk_base::error::{Failure, Origin};
use tulk_base::suggest::{closest, one_line};
use tulk_base::toml_file::{self, TomlError};
use tulk_catalogs::CatalogKind;

use super::key_pattern::{KeyPattern, KeyPatterns};
use super::language::LangTag;
use super::options::{ProjectOptions, refusal, table_with_options};
use super::path_check::check_path;
use super::path_pattern::PathPattern;
use super::project_text::{ProjectText, parsed_texts};
use super::rule::{ProjectRule, RuleTable};

/// Settings of `[sync]` that are not options.
const SETTINGS: [&str; 8] =
    ["source_lang", "target_langs", "pseudo_langs", "context", "adopt", "notes", "files", "langs"];

/// Context to send with a text.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum ContextMode {
    /// No context.
    None,
    /// The note of the text.
    #[default]
    Notes,
    /// The note, and the source texts of units with the same parent.
    Section,
}

/// The author to assume for targets that are not in the lock.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Adoption {
    /// A person: the targets are kept.
    #[default]
    Person,
    /// Tulk: the targets are translated again when their source changes.
    Tulk,
}

/// A language of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectLang {
    /// BCP 47 tag in canonical case.
    pub tag: String,
    /// Tag as in the project file.
    pub written: String,
    /// Language code for the service.
    pub service: String,
    /// Whether the project file sets `service`.
    pub has_service: bool,
    /// Notation in paths that overrides the style of the rule.
    pub path: Option<String>,
    /// Language whose plural rules apply.
    pub plurals: String,
    /// Translation options.
    pub options: ProjectOptions,
    /// Whether targets are written only with `--sandbox`.
    pub is_pseudo: bool,
}

/// Validated settings.
#[derive(Clone, Debug)]
pub struct ProjectSettings {
    /// The source language.
    pub source_lang: ProjectLang,
    /// Target languages in the order of the file, then pseudo-languages.
    pub langs: Vec<ProjectLang>,
    /// Context to send with texts.
    pub context: ContextMode,
    /// Author of targets that are not in the lock.
    pub adopt: Adoption,
    /// Key patterns of `notes`, in the same order.
    pub note_keys: KeyPatterns,
    /// Notes for translators.
    pub notes: Vec<String>,
    /// Rules in the order of the file.
    pub rules: Vec<ProjectRule>,
    /// Translation options.
    pub options: ProjectOptions,
    /// Errors for unknown option values. The service may still support them.
    pub unknown_words: Vec<Failure>,
}

/// A tag and its notation in the file.
pub struct WrittenLang(pub LangTag, pub String);

struct LangPath(String);

struct Note(String);

parsed_texts! {
    WrittenLang, "a language in quotes", |text| Ok(Self(LangTag::parse(text)?, text.to_owned()));
    LangPath, "text in quotes", |path| {
        check_path(path)?;
        let is_name = !path.contains(['/', '*', '{', '}']);
        let wrong = || format!("`{}` is not a single file or folder name", one_line(path));
        is_name.then(|| Self(path.to_owned())).ok_or_else(wrong)
    };
    Note, "text (with a key in quotes, such as \"cart.*\" = \"…\")", |text| Ok(Self(text.to_owned()));
    PathPattern, "text in quotes", Self::parse;
    KeyPattern, "text in quotes", Self::parse;
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProjectTables {
    sync: Option<Spanned<SyncTable>>,
}

pub type LangList = Spanned<Vec<Spanned<WrittenLang>>>;

table_with_options! {
    #[serde(expecting = "a table")]
    pub struct SyncTable {
        source_lang: Option<Spanned<WrittenLang>>,
        target_langs: Option<LangList>,
        pseudo_langs: Option<LangList>,
        #[serde(default)]
        context: ContextMode,
        #[serde(default)]
        adopt: Adoption,
        #[serde(default)]
        notes: BTreeMap<Spanned<KeyPattern>, Note>,
        #[serde(default)]
        files: Vec<Spanned<RuleTable>>,
        #[serde(default)]
        langs: BTreeMap<Spanned<String>, LangTable>,
    }
}

table_with_options! {
    #[serde(expecting = "a table")]
    pub struct LangTable {
        service: Option<WrittenLang>,
        path: Option<LangPath>,
        plurals: Option<WrittenLang>,
    }
}

impl ProjectSettings {
    /// Parses and validates a project file.
    pub fn read(text: ProjectText<'_>, formats: &'static [CatalogKind]) -> Result<Self, Failure> {
        let tables: ProjectTables =
            toml_file::read(text.name, text.text, "setting").map_err(|error| explain_unknown_setting(*error))?;
        let start = Origin::of_byte(text.name, text.text, 0);
        let sync = tables.sync.ok_or_else(|| missing_setting(&start, "table [sync]", EXAMPLE))?;
        let (at, mut sync) = (text.origin(&sync), sync.into_inner());
        let source = sync.source_lang.take();
        let source = source.ok_or_else(|| missing_setting(&at, "source_lang", "source_lang = \"en\" below [sync]"))?;
        let targets = sync.target_langs.take();
        let targets = targets
            .ok_or_else(|| missing_setting(&at, "target_langs", "target_langs = [\"de\", \"fr\"] below [sync]"))?;
        if sync.files.is_empty() {
            return Err(missing_setting(&at, "files", "add a table [[sync.files]] with source = \"locales/en.json\""));
        }
        let pseudo = sync.pseudo_langs.take();
        for (name, list) in [("target_langs", Some(&targets)), ("pseudo_langs", pseudo.as_ref())] {
            if let Some(list) = list.filter(|list| list.get_ref().is_empty()) {
                return Err(text
                    .wrong(list, format!("sync.{name}: the list is empty"))
                    .hint("name at least one language, such as [\"de\"]"));
            }
        }
        let targets = targets.into_inner();
        let pseudo = pseudo.map(Spanned::into_inner).unwrap_or_default();
        check_distinct(text, &source, targets.iter().chain(&pseudo))?;
        let known: Vec<&LangTag> = targets.iter().chain(&pseudo).map(|lang| &lang.get_ref().0).collect();
        let mut unknown_words = sync.unknown_words(text, "sync");
        for (tag, table) in &sync.langs {
            unknown_words.extend(table.unknown_words(text, &format!("sync.langs.{}", one_line(tag.get_ref()))));
        }
        let mut own = tables_by_lang(text, std::mem::take(&mut sync.langs), &source.get_ref().0, &known)?;
        let source_lang = source_lang(source.into_inner(), &mut own);
        let targets = targets.into_iter().map(|lang| (lang, false));
        let langs = targets.chain(pseudo.into_iter().map(|lang| (lang, true)));
        let langs: Vec<ProjectLang> =
            langs.map(|(lang, is_pseudo)| project_lang(lang.into_inner(), &mut own, is_pseudo)).collect();
        let options = sync.options();
        let mut notes: Vec<_> = sync.notes.into_iter().collect();
        notes.sort_by_key(|(key, _)| key.span().start);
        let (note_keys, notes) = notes.into_iter().map(|(key, Note(text))| (key.into_inner(), text)).unzip();
        let tables = sync.files.into_iter();
        let rules = tables.map(|table| ProjectRule::read(text, table, formats, &langs, &mut unknown_words));
        let rules = rules.collect::<Result<_, _>>()?;
        Ok(Self {
            source_lang,
            langs,
            context: sync.context,
            adopt: sync.adopt,
            note_keys: KeyPatterns(note_keys),
            notes,
            rules,
            options,
            unknown_words,
        })
    }
}

const EXAMPLE: &str = "`tulk sync init` writes one that fits the files of the project";

fn missing_setting(origin: &Origin, what: &str, hint: &str) -> Failure {
    Failure::usage(format!("the project file has no {what}")).at(origin.clone()).hint(hint)
}

/// Improves the error for an unknown setting: names the table of a misplaced setting, or explains why a setting is refused.
fn explain_unknown_setting(error: TomlError) -> Failure {
    let Some(unknown) = &error.unknown else { return error.failure };
    let misplaced = || {
        let is_misplaced = unknown.known == ["sync"] && SETTINGS.contains(&unknown.key.as_str());
        let key = &unknown.key;
        let hint = match key.as_str() {
            "files" => "write [[sync.files]]".to_owned(),
            "notes" | "langs" => format!("write [sync.{key}]"),
            _ => "put it below the line [sync]".to_owned(),
        };
        is_misplaced.then(|| Failure::usage(format!("{key}: this setting belongs in [sync]")).hint(hint))
    };
    let at = error.failure.at.clone();
    match misplaced().or_else(|| refusal(unknown)) {
        Some(failure) => Failure { at, ..failure },
        None => error.failure,
    }
}

type TablesByLang = BTreeMap<LangTag, LangTable>;

/// Indexes the tables of `[sync.langs]` by language. Fails if a language is not in the project, or if the source
/// language has options.
fn tables_by_lang(
    text: ProjectText<'_>,
    tables: BTreeMap<Spanned<String>, LangTable>,
    source: &LangTag,
    known: &[&LangTag],
) -> Result<TablesByLang, Failure> {
    let mut own = TablesByLang::new();
    for (key, table) in tables {
        let wrong = |what: &str| text.wrong(&key, format!("sync.langs.{}{what}", one_line(key.get_ref())));
        let tag = LangTag::parse(key.get_ref()).map_err(|why| wrong(&format!(": {why}")))?;
        if tag == *source {
            if let Some(option) = table.options().keys().next() {
                return Err(wrong(&format!(".{option}: the source language has no options")));
            }
        } else if !known.contains(&&tag) {
            let failure = wrong(": the project has no such language");
            return Err(match closest(tag.as_str(), known.iter().map(|known| known.as_str())) {
                Some(near) => failure.hint(format!("did you mean `{near}`?")),
                None => failure.hint("add it to target_langs, or remove its table"),
            });
        }
        if own.insert(tag, table).is_some() {
            return Err(wrong(": the language has two tables"));
        }
    }
    Ok(own)
}

/// Without `service`, keeps only the base language, because the service has no regional source languages.
fn source_lang(source: WrittenLang, own: &mut TablesByLang) -> ProjectLang {
    let base = source.0.base().to_owned();
    let lang = project_lang(source, own, false);
    if lang.has_service { lang } else { ProjectLang { service: base, ..lang } }
}

fn project_lang(WrittenLang(tag, written): WrittenLang, own: &mut TablesByLang, is_pseudo: bool) -> ProjectLang {
    let own = own.remove(&tag);
    let options = own.as_ref().map(LangTable::options).unwrap_or_default();
    let (service, path, plurals) = own.map_or((None, None, None), |own| (own.service, own.path, own.plurals));
    let tag = tag.to_string();
    ProjectLang {
        has_service: service.is_some(),
        service: service.map_or_else(|| tag.clone(), |WrittenLang(_, written)| written),
        path: path.map(|LangPath(path)| path),
        plurals: plurals.map_or_else(|| tag.clone(), |WrittenLang(tag, _)| tag.to_string()),
        options,
        tag,
        written,
        is_pseudo,
    }
}

/// Fails if a language is listed twice or is the source language.
fn check_distinct<'a>(
    text: ProjectText<'_>,
    source: &Spanned<WrittenLang>,
    langs: impl Iterator<Item = &'a Spanned<WrittenLang>>,
) -> Result<(), Failure> {
    let mut seen: BTreeMap<&LangTag, &Spanned<WrittenLang>> = BTreeMap::new();
    for lang in langs {
        let WrittenLang(tag, written) = lang.get_ref();
        if *tag == source.get_ref().0 {
            let what = format!("`{written}` is the source language");
            return Err(text.wrong(lang, what).hint("remove it from the list"));
        }
        if let Some(first) = seen.insert(tag, lang) {
            let line = text.origin(first).line;
            let what = format!("the language `{written}` is listed twice, first in line {line}");
            return Err(text.wrong(lang, what).hint("remove one of them"));
        }
    }
    Ok(())
}
