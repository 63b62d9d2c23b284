//! A rule in `[[sync.files]]`: sources, targets, format and options.

use serde::Deserialize;
use toml::Spanned;
use tulk_base::error::{Failure, Origin};
use tulk_base::suggest::one_line;
use tulk_catalogs::{CatalogKind, DIALECT_FORMATS, Dialect, TextEncoding};

use super::key_pattern::{KeyPattern, KeyPatterns};
use super::language::{LangStyle, LangTag};
use super::options::{ProjectOptions, table_with_options};
use super::path_pattern::PathPattern;
use super::project_text::ProjectText;
use super::settings::{LangList, ProjectLang, WrittenLang};

/// The only format whose files hold all languages.
const ALL_LANGUAGES: &str = "xcstrings";

/// A validated rule.
#[derive(Clone, Debug)]
pub struct ProjectRule {
    /// Pattern of the sources; `None` if the targets hold the source texts.
    pub source: Option<PathPattern>,
    /// Pattern of the targets; `None` if the sources hold all languages.
    pub target: Option<PathPattern>,
    /// Format of all files.
    pub kind: &'static CatalogKind,
    /// Dialect of the texts; detected if `None`.
    pub dialect: Option<Dialect>,
    /// Text encoding; detected if `None`.
    pub encoding: Option<TextEncoding>,
    /// Sources and targets to skip.
    pub exclude: Vec<PathPattern>,
    /// Keys that are not translated.
    pub exclude_keys: KeyPatterns,
    /// Notation of languages in paths.
    pub lang_style: LangStyle,
    /// Target languages, if not all of the project's.
    pub target_langs: Option<Vec<LangTag>>,
    /// Whether the rule may match no file.
    pub optional: bool,
    /// Translation options.
    pub options: ProjectOptions,
    /// Location in the project file.
    pub origin: Origin,
}

table_with_options! {
    /// A rule as in the project file.
    #[serde(expecting = "a table [[sync.files]] with source and target")]
    pub struct RuleTable {
        source: Option<Spanned<PathPattern>>,
        target: Option<Spanned<PathPattern>>,
        #[serde(rename = "as")]
        format: Option<Spanned<String>>,
        dialect: Option<Spanned<String>>,
        encoding: Option<Spanned<String>>,
        #[serde(default)]
        exclude: Vec<PathPattern>,
        #[serde(default)]
        exclude_keys: Vec<KeyPattern>,
        #[serde(default)]
        lang_style: LangStyle,
        target_langs: Option<LangList>,
        #[serde(default)]
        optional: bool,
    }
}

impl ProjectRule {
    /// Validates a rule. Errors for unknown option values are only collected, because the service may support them.
    pub fn read(
        text: ProjectText<'_>,
        table: Spanned<RuleTable>,
        formats: &'static [CatalogKind],
        langs: &[ProjectLang],
        unknown_words: &mut Vec<Failure>,
    ) -> Result<Self, Failure> {
        let origin = text.origin(&table);
        let mut table = table.into_inner();
        let target_langs = table.target_langs.take().map(|list| langs_of_rule(text, list, langs)).transpose()?;
        unknown_words.extend(table.unknown_words(text, "sync.files"));
        let wrong = |value: &Spanned<String>, name: &str, names: &mut dyn Iterator<Item = &'static str>| {
            let names: Vec<&str> = names.collect();
            text.unknown_word(value, &format!("sync.files.{name}"), value.get_ref(), &names)
        };
        let kind = match &table.format {
            Some(name) => {
                let found = formats.iter().find(|kind| kind.name == name.get_ref());
                found.ok_or_else(|| wrong(name, "as", &mut formats.iter().map(|kind| kind.name)))?
            }
            None => table.inferred_kind(text, formats, &origin)?,
        };
        table.check_paths(text, kind, &origin)?;
        let dialect = match &table.dialect {
            Some(name) if !DIALECT_FORMATS.contains(&kind.name) => {
                let with_dialect = DIALECT_FORMATS.join(", ");
                let what = format!(
                    "sync.files.dialect: {} files have no dialect; the setting is for {with_dialect}",
                    kind.name
                );
                return Err(text.wrong(name, what));
            }
            Some(name) => {
                let found = Dialect::ALL.iter().find(|(_, known)| known == name.get_ref());
                let names = &mut Dialect::ALL.iter().map(|(_, name)| *name);
                Some(found.ok_or_else(|| wrong(name, "dialect", names))?.0)
            }
            None => None,
        };
        let encoding = match &table.encoding {
            Some(name) if !kind.can_be_latin1() => {
                let what = format!(
                    "sync.files.encoding: {} files are UTF-8 or UTF-16; the setting is for properties files",
                    kind.name
                );
                return Err(text.wrong(name, what));
            }
            Some(name) => {
                let found = TextEncoding::ALL.iter().find(|(_, known)| known == name.get_ref());
                let names = &mut TextEncoding::ALL.iter().map(|(_, name)| *name);
                Some(found.ok_or_else(|| wrong(name, "encoding", names))?.0)
            }
            None => None,
        };
        let options = table.options();
        Ok(Self {
            source: table.source.map(Spanned::into_inner),
            target: table.target.map(Spanned::into_inner),
            kind,
            dialect,
            encoding,
            exclude: table.exclude,
            exclude_keys: KeyPatterns(table.exclude_keys),
            lang_style: table.lang_style,
            target_langs,
            optional: table.optional,
            options,
            origin,
        })
    }

    /// Returns whether `exclude` matches a source or target path.
    pub fn excludes(&self, path: &str) -> bool {
        self.exclude.iter().any(|pattern| pattern.matches(path))
    }

    /// Returns whether the rule has targets in a language. All rules have targets in pseudo-languages.
    pub fn has_lang(&self, lang: &ProjectLang) -> bool {
        let listed = self.target_langs.as_ref();
        lang.is_pseudo || listed.is_none_or(|listed| listed.iter().any(|tag| tag.as_str() == lang.tag))
    }

    /// Returns the notation of a language in paths of this rule.
    pub fn lang_path(&self, lang: &ProjectLang) -> String {
        match (&lang.path, self.lang_style) {
            (Some(path), _) => path.clone(),
            (None, LangStyle::Bcp47) => lang.written.clone(),
            (None, style) => style.path(&lang.tag),
        }
    }
}

impl RuleTable {
    fn inferred_kind(
        &self,
        text: ProjectText<'_>,
        formats: &'static [CatalogKind],
        origin: &Origin,
    ) -> Result<&'static CatalogKind, Failure> {
        let (key, pattern) = match (&self.source, &self.target) {
            (Some(source), _) => ("source", source),
            (None, Some(target)) => ("target", target),
            (None, None) => return Err(missing_setting(origin, "source and target", "source = \"locales/en.json\"")),
        };
        let name = pattern.get_ref().file_name();
        let kinds = kinds_of(name, formats);
        let (what, kinds) = match kinds.as_slice() {
            [kind] => return Ok(kind),
            [] => ("does not say which format the files have", formats.iter().collect()),
            _ => ("can mean several formats", kinds),
        };
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
        Err(text
            .wrong(pattern, format!("sync.files.{key}: the name `{}` {what}", one_line(name)))
            .hint(format!("add `as`, one of {}", names.join(", "))))
    }

    /// Fails if the format needs a source or a target that is missing, or forbids one that is present. Also checks `{lang}` and the
    /// wildcards.
    fn check_paths(&self, text: ProjectText<'_>, kind: &CatalogKind, origin: &Origin) -> Result<(), Failure> {
        let name = kind.name;
        let wrong =
            |target: &Spanned<PathPattern>, what: &str| Err(text.wrong(target, format!("sync.files.target: {what}")));
        if let Some(source) = self.source.as_ref().filter(|source| source.get_ref().has_lang()) {
            let what = "sync.files.source: `{lang}` is only allowed in targets; a source is in the source language";
            return Err(text.wrong(source, what));
        }
        match (&self.source, &self.target) {
            (_, Some(target)) if name == ALL_LANGUAGES => {
                wrong(target, &format!("an {name} file holds all languages, so it has no target"))
            }
            (Some(_), None) if name == ALL_LANGUAGES => Ok(()),
            (_, None) => Err(missing_setting(origin, "target", "target = \"locales/{lang}.json\"")),
            (_, Some(target)) if !target.get_ref().has_lang() => {
                wrong(target, "`{lang}` is missing: all languages would be written to one file")
            }
            (None, Some(_)) if kind.is_bilingual => Ok(()),
            (None, Some(_)) => Err(missing_setting(origin, "source", &format!("{name} files hold one language each"))),
            (Some(source), Some(target)) => {
                let (from, to) = (source.get_ref().wildcards(), target.get_ref().wildcards());
                if from == to {
                    return Ok(());
                }
                let list = |wildcards: &[&str]| match wildcards {
                    [] => "none".to_owned(),
                    _ => format!("`{}`", wildcards.join(" ").replace('/', "")),
                };
                wrong(
                    target,
                    &format!("its wildcards ({}) differ from those of the source ({})", list(&to), list(&from)),
                )
                .map_err(|failure| {
                    failure
                        .hint("use the same wildcards in the same order: the target gets what they match in the source")
                })
            }
        }
    }
}

fn langs_of_rule(text: ProjectText<'_>, list: LangList, langs: &[ProjectLang]) -> Result<Vec<LangTag>, Failure> {
    if list.get_ref().is_empty() {
        let failure = text.wrong(&list, "sync.files.target_langs: the list is empty");
        return Err(failure.hint("name at least one language, such as [\"de\"]"));
    }
    let tags = list.into_inner().into_iter().map(|lang| {
        let WrittenLang(tag, written) = lang.get_ref();
        if langs.iter().any(|lang| lang.tag == tag.as_str()) {
            return Ok(tag.clone());
        }
        let what = format!("sync.files.target_langs: `{}` is not in target_langs of [sync]", one_line(written));
        Err(text.wrong(&lang, what).hint("add it there; a rule can only leave out languages of the project"))
    });
    tags.collect()
}

fn missing_setting(origin: &Origin, what: &str, hint: &str) -> Failure {
    Failure::usage(format!("[[sync.files]] has no {what}")).at(origin.clone()).hint(hint)
}

/// Returns the possible formats of a file name. The only XML file with a known format is `strings.xml`.
fn kinds_of(name: &str, formats: &'static [CatalogKind]) -> Vec<&'static CatalogKind> {
    if name == "strings.xml" {
        return formats.iter().filter(|kind| kind.name == "android").collect();
    }
    let Some((_, ending)) = name.rsplit_once('.').filter(|(_, ending)| !ending.eq_ignore_ascii_case("xml")) else {
        return Vec::new();
    };
    formats.iter().filter(|kind| kind.extensions.iter().any(|known| known.eq_ignore_ascii_case(ending))).collect()
}
