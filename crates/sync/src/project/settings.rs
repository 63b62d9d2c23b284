//! The settings of a project file.
//!
//! Input: its text. Output: the languages, rules, notes and options of the project, checked; or a failure with the place of the
//! first setting that is wrong.

use std::collections::BTreeMap;

use tulk_base::error::{Failure, Origin};
use tulk_base::suggest::{closest, one_line};
use tulk_catalogs::CatalogKind;

use super::key_pattern::{KeyPattern, KeyPatterns};
use super::language::LangTag;
use super::options::{ProjectOptions, choice, read_option, unknown_setting};
use super::path_check::check_path;
use super::rule::ProjectRule;
use super::toml_reader::{TomlSetting, TomlTable, TomlText};

/// The settings of `[sync]` besides options.
const SETTINGS: [&str; 8] =
    ["source_lang", "target_langs", "pseudo_langs", "context", "adopt", "notes", "files", "langs"];
/// The settings of `[sync.langs.X]` besides options.
const LANG_SETTINGS: [&str; 3] = ["service", "path", "plurals"];

/// What goes along with a text as its context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContextMode {
    /// Nothing.
    None,
    /// Its note.
    #[default]
    Notes,
    /// Its note, and the source texts of units with the same parent.
    Section,
}

/// Whose targets are that no run has recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Adoption {
    /// A person's: they are kept.
    #[default]
    Person,
    /// Ours: they are translated again when their source changes.
    Tulk,
}

/// A language of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectLang {
    /// The language (BCP 47), in its usual case.
    pub tag: String,
    /// As it is written in the project file.
    pub written: String,
    /// How it is sent.
    pub service: String,
    /// How it is written in paths, whatever the style.
    pub path: Option<String>,
    /// The language whose plural rules apply.
    pub plurals: String,
    /// Its options.
    pub options: ProjectOptions,
    /// Whether it is written only under `--sandbox`.
    pub is_pseudo: bool,
}

/// The settings of a project.
#[derive(Clone, Debug)]
pub struct ProjectSettings {
    /// The source language.
    pub source_lang: ProjectLang,
    /// The target languages in the order of the file, then the pseudo-languages.
    pub langs: Vec<ProjectLang>,
    /// What goes along as context.
    pub context: ContextMode,
    /// Whose unrecorded targets are.
    pub adopt: Adoption,
    /// The keys with a note, and the notes, in the same order.
    pub note_keys: KeyPatterns,
    /// The notes.
    pub notes: Vec<String>,
    /// The rules, in the order of the file.
    pub rules: Vec<ProjectRule>,
    /// The options of the project.
    pub options: ProjectOptions,
}

/// A language of a list, with its place.
type ListedLang = (LangTag, String, Origin);

/// The tables of `[sync]` as they are read.
#[derive(Default)]
struct SyncTable {
    source: Option<ListedLang>,
    targets: Option<Vec<ListedLang>>,
    pseudo: Vec<ListedLang>,
    own: BTreeMap<LangTag, LangSettings>,
    context: ContextMode,
    adopt: Adoption,
    note_keys: KeyPatterns,
    notes: Vec<String>,
    rules: Vec<ProjectRule>,
    options: ProjectOptions,
}

/// The settings of `[sync.langs.X]`.
struct LangSettings {
    service: Option<String>,
    path: Option<String>,
    plurals: Option<String>,
    options: ProjectOptions,
    origin: Origin,
}

impl ProjectSettings {
    /// Reads the text of a project file.
    pub fn read(text: &TomlText, formats: &'static [CatalogKind]) -> Result<Self, Failure> {
        let document = text.parse()?;
        let root = TomlTable::root(text, &document);
        let mut sync = None;
        for setting in root.settings() {
            match setting.key {
                "sync" => sync = Some(setting),
                key if SETTINGS.contains(&key) => {
                    return Err(setting.wrong("it stands outside of [sync]").hint("put it below the line [sync]"));
                }
                _ => return Err(unknown_setting(&setting, &["sync"], false)),
            }
        }
        let sync = sync.ok_or_else(|| missing(&root.origin(), "a table [sync]", EXAMPLE))?;
        let (mut read, at) = (SyncTable::default(), sync.origin());
        for setting in sync.table()?.settings() {
            read.add(&setting, formats)?;
        }
        read.checked(&at)
    }
}

const EXAMPLE: &str = "`tulk sync init` writes one that fits the files of the project";

fn missing(origin: &Origin, what: &str, hint: &str) -> Failure {
    Failure::usage(format!("the project file has no {}", what.trim_start_matches("a "))).at(origin.clone()).hint(hint)
}

impl SyncTable {
    fn add(&mut self, setting: &TomlSetting<'_>, formats: &'static [CatalogKind]) -> Result<(), Failure> {
        match setting.key {
            "source_lang" => self.source = Some(listed(setting, setting.text()?, setting.origin())?),
            "target_langs" => self.targets = Some(list(setting)?),
            "pseudo_langs" => self.pseudo = list(setting)?,
            "context" => {
                self.context = match choice(setting, &["none", "notes", "section"])? {
                    "none" => ContextMode::None,
                    "section" => ContextMode::Section,
                    _ => ContextMode::Notes,
                }
            }
            "adopt" => {
                let is_ours = choice(setting, &["person", "tulk"])? == "tulk";
                self.adopt = if is_ours { Adoption::Tulk } else { Adoption::Person };
            }
            "notes" => {
                for note in setting.table()?.settings() {
                    self.note_keys.0.push(KeyPattern::parse(note.key).map_err(|why| note.wrong(&why))?);
                    let text =
                        note.text().map_err(|failure| failure.hint("write the keys in quotes: \"cart.*\" = \"…\""))?;
                    self.notes.push(text.to_owned());
                }
            }
            "files" => {
                for table in setting.tables()? {
                    self.rules.push(ProjectRule::read(&table, formats)?);
                }
            }
            "langs" => {
                for lang in setting.table()?.settings() {
                    let (tag, _, origin) = listed(&lang, lang.key, lang.origin())?;
                    let settings = LangSettings::read(&lang.table()?, &origin)?;
                    if self.own.insert(tag, settings).is_some() {
                        return Err(lang.wrong("the language has two tables"));
                    }
                }
            }
            _ if read_option(setting, &mut self.options)? => {}
            _ => return Err(unknown_setting(setting, &SETTINGS, true)),
        }
        Ok(())
    }

    /// Checks what depends on several settings.
    fn checked(mut self, at: &Origin) -> Result<ProjectSettings, Failure> {
        let source = self.source.take();
        let source = source.ok_or_else(|| missing(at, "source_lang", "source_lang = \"en\" below [sync]"))?;
        let targets = self.targets.take();
        let targets =
            targets.ok_or_else(|| missing(at, "target_langs", "target_langs = [\"de\", \"fr\"] below [sync]"))?;
        if self.rules.is_empty() {
            return Err(missing(at, "files", "a table [[sync.files]] names them: source = \"locales/en.json\""));
        }
        let pseudo = std::mem::take(&mut self.pseudo);
        check_distinct(&source, targets.iter().chain(&pseudo))?;
        self.check_own(&source, &targets, &pseudo)?;
        // The service knows source languages without regions only.
        let service = self.service(&source.0).unwrap_or_else(|| source.0.base().to_owned());
        let source_lang = ProjectLang { service, ..self.lang(source, false) };
        let mut langs: Vec<ProjectLang> = targets.into_iter().map(|lang| self.lang(lang, false)).collect();
        langs.extend(pseudo.into_iter().map(|lang| self.lang(lang, true)));
        Ok(ProjectSettings {
            source_lang,
            langs,
            context: self.context,
            adopt: self.adopt,
            note_keys: self.note_keys,
            notes: self.notes,
            rules: self.rules,
            options: self.options,
        })
    }

    /// Fails if a table of `[sync.langs]` belongs to no language of the project, or has options for the source language.
    fn check_own(&self, source: &ListedLang, targets: &[ListedLang], pseudo: &[ListedLang]) -> Result<(), Failure> {
        for (tag, own) in &self.own {
            if *tag == source.0 {
                if let Some((option, _)) = own.options.iter().next() {
                    let what = format!("sync.langs.{tag}.{option}: the source language has no options");
                    return Err(Failure::usage(what).at(own.origin.clone()));
                }
            } else if !targets.iter().chain(pseudo).any(|(known, ..)| known == tag) {
                let failure = Failure::usage(format!("sync.langs.{tag}: the project has no such language"))
                    .at(own.origin.clone());
                let known = targets.iter().chain(pseudo).map(|(known, ..)| known.as_str());
                return Err(match closest(tag.as_str(), known) {
                    Some(near) => failure.hint(format!("did you mean `{near}`?")),
                    None => failure.hint("add it to target_langs, or remove its table"),
                });
            }
        }
        Ok(())
    }

    fn service(&self, tag: &LangTag) -> Option<String> {
        self.own.get(tag)?.service.clone()
    }

    fn lang(&self, (tag, written, _): ListedLang, is_pseudo: bool) -> ProjectLang {
        let own = self.own.get(&tag);
        ProjectLang {
            service: self.service(&tag).unwrap_or_else(|| tag.to_string()),
            path: own.and_then(|own| own.path.clone()),
            plurals: own.and_then(|own| own.plurals.clone()).unwrap_or_else(|| tag.to_string()),
            options: own.map(|own| own.options.clone()).unwrap_or_default(),
            tag: tag.to_string(),
            written,
            is_pseudo,
        }
    }
}

impl LangSettings {
    fn read(table: &TomlTable<'_>, origin: &Origin) -> Result<Self, Failure> {
        let options = ProjectOptions::new();
        let mut read = Self { service: None, path: None, plurals: None, options, origin: origin.clone() };
        for setting in table.settings() {
            match setting.key {
                "service" => read.service = Some(listed(&setting, setting.text()?, setting.origin())?.1),
                "plurals" => read.plurals = Some(listed(&setting, setting.text()?, setting.origin())?.0.to_string()),
                "path" => {
                    let path = setting.text()?;
                    check_path(path).map_err(|why| setting.wrong(&why))?;
                    if path.contains(['/', '*', '{', '}']) {
                        return Err(setting.wrong(&format!("`{}` is not one part of a path", one_line(path))));
                    }
                    read.path = Some(path.to_owned());
                }
                _ if read_option(&setting, &mut read.options)? => {}
                _ => return Err(unknown_setting(&setting, &LANG_SETTINGS, true)),
            }
        }
        Ok(read)
    }
}

fn listed(setting: &TomlSetting<'_>, text: &str, at: Origin) -> Result<ListedLang, Failure> {
    match LangTag::parse(text) {
        Ok(tag) => Ok((tag, text.to_owned(), at)),
        Err(why) => Err(setting.wrong(&why).at(at)),
    }
}

fn list(setting: &TomlSetting<'_>) -> Result<Vec<ListedLang>, Failure> {
    let texts = setting.texts()?;
    if texts.is_empty() {
        return Err(setting.wrong("the list is empty").hint("name at least one language, such as [\"de\"]"));
    }
    texts.into_iter().map(|(text, at)| listed(setting, text, at)).collect()
}

/// Fails if a language is listed twice, or is the source language.
fn check_distinct<'a>(source: &ListedLang, langs: impl Iterator<Item = &'a ListedLang>) -> Result<(), Failure> {
    let mut seen: BTreeMap<&LangTag, &Origin> = BTreeMap::new();
    for (tag, written, at) in langs {
        let wrong = |what: String| Failure::usage(what).at(at.clone());
        if *tag == source.0 {
            return Err(wrong(format!("`{written}` is the source language")).hint("remove it from the list"));
        }
        if let Some(first) = seen.insert(tag, at) {
            let what = format!("the language `{written}` is listed twice, first in line {}", first.line);
            return Err(wrong(what).hint("remove one of them"));
        }
    }
    Ok(())
}
