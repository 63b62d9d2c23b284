//! A rule of `[[sync.files]]`: which files are sources, where their targets are, what format they have.
//!
//! Input: a table of the project file. Output: a [`ProjectRule`], or what is wrong with it.

use tulk_base::error::{Failure, Origin};
use tulk_base::suggest::{closest, one_line};
use tulk_catalogs::{CatalogKind, Dialect};

use super::key_pattern::{KeyPattern, KeyPatterns};
use super::language::LangStyle;
use super::options::{ProjectOptions, choice, read_option, unknown_setting};
use super::path_pattern::PathPattern;
use super::settings::ProjectLang;
use super::toml_reader::{TomlSetting, TomlTable};

/// The settings of a rule besides options.
const SETTINGS: [&str; 6] = ["source", "target", "as", "dialect", "exclude_keys", "lang_style"];
/// The formats whose texts mean what a dialect says.
const WITH_DIALECT: [&str; 4] = ["json", "yaml", "toml", "properties"];
/// The format whose files hold all languages.
const ALL_LANGUAGES: &str = "xcstrings";

/// A rule.
#[derive(Clone, Debug)]
pub struct ProjectRule {
    /// The files in the source language; `None` if the targets hold the source texts.
    pub source: Option<PathPattern>,
    /// The files in the target languages; `None` if a source holds all languages.
    pub target: Option<PathPattern>,
    /// The format of all of them.
    pub kind: &'static CatalogKind,
    /// What their texts mean; detected if `None`.
    pub dialect: Option<Dialect>,
    /// The keys that are not translated.
    pub exclude_keys: KeyPatterns,
    /// How languages are written in the paths.
    pub lang_style: LangStyle,
    /// Its options.
    pub options: ProjectOptions,
    /// Its place in the project file.
    pub origin: Origin,
}

/// The settings of a rule as they are read.
#[derive(Default)]
struct RuleSettings<'a> {
    source: Option<(PathPattern, TomlSetting<'a>)>,
    target: Option<(PathPattern, TomlSetting<'a>)>,
    kind: Option<&'static CatalogKind>,
    dialect: Option<(Dialect, TomlSetting<'a>)>,
    exclude_keys: KeyPatterns,
    lang_style: LangStyle,
    options: ProjectOptions,
}

impl ProjectRule {
    /// Reads a rule.
    pub fn read(table: &TomlTable<'_>, formats: &'static [CatalogKind]) -> Result<Self, Failure> {
        let mut read = RuleSettings::default();
        for setting in table.settings() {
            read.add(setting, formats)?;
        }
        let origin = table.origin();
        let kind = match read.kind {
            Some(kind) => kind,
            None => read.inferred_kind(formats, &origin)?,
        };
        read.check_paths(kind, &origin)?;
        if let Some((_, setting)) = read.dialect.as_ref().filter(|_| !WITH_DIALECT.contains(&kind.name)) {
            return Err(setting.wrong(&format!(
                "{} files have no dialect; it is for {}",
                kind.name,
                WITH_DIALECT.join(", ")
            )));
        }
        Ok(Self {
            source: read.source.map(|(pattern, _)| pattern),
            target: read.target.map(|(pattern, _)| pattern),
            kind,
            dialect: read.dialect.map(|(dialect, _)| dialect),
            exclude_keys: read.exclude_keys,
            lang_style: read.lang_style,
            options: read.options,
            origin,
        })
    }

    /// Returns how a language is written in its paths.
    pub fn lang_path(&self, lang: &ProjectLang) -> String {
        match (&lang.path, self.lang_style) {
            (Some(path), _) => path.clone(),
            (None, LangStyle::Bcp47) => lang.written.clone(),
            (None, style) => style.path(&lang.tag),
        }
    }
}

impl<'a> RuleSettings<'a> {
    fn add(&mut self, setting: TomlSetting<'a>, formats: &'static [CatalogKind]) -> Result<(), Failure> {
        match setting.key {
            "source" => {
                let pattern = path_pattern(&setting)?;
                if pattern.has_lang() {
                    return Err(setting.wrong("`{lang}` stands in targets; a source is in the source language"));
                }
                self.source = Some((pattern, setting));
            }
            "target" => self.target = Some((path_pattern(&setting)?, setting)),
            "as" => {
                let name = setting.text()?;
                let names = || formats.iter().map(|kind| kind.name);
                self.kind = formats.iter().find(|kind| kind.name == name);
                if self.kind.is_none() {
                    let failure = setting.wrong(&format!("unknown format `{}`", one_line(name)));
                    return Err(match closest(name, names()) {
                        Some(near) => failure.hint(format!("did you mean `{near}`?")),
                        None => failure.hint(format!("valid formats: {}", names().collect::<Vec<_>>().join(", "))),
                    });
                }
            }
            "dialect" => {
                let name = choice(&setting, &Dialect::ALL.map(|(_, name)| name))?;
                let found = Dialect::ALL.iter().find(|(_, known)| *known == name);
                self.dialect = found.map(|(dialect, _)| (*dialect, setting));
            }
            "exclude_keys" => {
                for (text, at) in setting.texts()? {
                    let pattern = KeyPattern::parse(text).map_err(|why| setting.wrong(&why).at(at))?;
                    self.exclude_keys.0.push(pattern);
                }
            }
            "lang_style" => {
                let name = choice(&setting, &LangStyle::ALL.map(|(_, name)| name))?;
                let found = LangStyle::ALL.iter().find(|(_, known)| *known == name);
                self.lang_style = found.map(|(style, _)| *style).unwrap_or_default();
            }
            _ if read_option(&setting, &mut self.options)? => {}
            _ => return Err(unknown_setting(&setting, &SETTINGS, true)),
        }
        Ok(())
    }

    /// Returns the format that the name of the files says.
    fn inferred_kind(&self, formats: &'static [CatalogKind], origin: &Origin) -> Result<&'static CatalogKind, Failure> {
        let Some((pattern, setting)) = self.source.as_ref().or(self.target.as_ref()) else {
            return Err(missing(origin, "source and target", "source = \"locales/en.json\""));
        };
        let name = pattern.file_name();
        let failure = match kinds_of(name, formats).as_slice() {
            [kind] => return Ok(kind),
            [] => {
                setting.wrong(&format!("the name `{}` does not say which format the files have", one_line(name))).hint(
                    format!("add `as`, one of {}", formats.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")),
                )
            }
            kinds => setting.wrong(&format!("the name `{}` can mean several formats", one_line(name))).hint(format!(
                "add `as`, one of {}",
                kinds.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
            )),
        };
        Err(failure)
    }

    /// Checks that source and target are there as the format needs them, and fit each other.
    fn check_paths(&self, kind: &CatalogKind, origin: &Origin) -> Result<(), Failure> {
        let name = kind.name;
        match (&self.source, &self.target) {
            (_, Some((_, target))) if name == ALL_LANGUAGES => {
                Err(target.wrong(&format!("an {name} file holds all languages, so that it has no target")))
            }
            (Some(_), None) if name == ALL_LANGUAGES => Ok(()),
            (_, None) => Err(missing(origin, "target", "target = \"locales/{lang}.json\"")),
            (_, Some((pattern, target))) if !pattern.has_lang() => {
                Err(target.wrong("`{lang}` is missing: all languages would be written to one file"))
            }
            (None, Some(_)) if kind.is_bilingual => Ok(()),
            (None, Some(_)) => Err(missing(origin, "source", &format!("{name} files hold one language each"))),
            (Some((source, _)), Some((pattern, target))) => {
                let (from, to) = (source.wildcards(), pattern.wildcards());
                if from == to {
                    return Ok(());
                }
                let list = |wildcards: &[&str]| match wildcards {
                    [] => "none".to_owned(),
                    _ => format!("`{}`", wildcards.join(" ").replace('/', "")),
                };
                Err(target
                    .wrong(&format!("its wildcards are {}, those of the source are {}", list(&to), list(&from)))
                    .hint("what `*` and `**` match in the source stands in the target in the same order"))
            }
        }
    }
}

fn path_pattern(setting: &TomlSetting<'_>) -> Result<PathPattern, Failure> {
    PathPattern::parse(setting.text()?).map_err(|why| setting.wrong(&why))
}

fn missing(origin: &Origin, what: &str, hint: &str) -> Failure {
    Failure::usage(format!("[[sync.files]] has no {what}")).at(origin.clone()).hint(hint)
}

/// Returns the formats that a file name can mean. Of XML files only `strings.xml` says what it is.
fn kinds_of(name: &str, formats: &'static [CatalogKind]) -> Vec<&'static CatalogKind> {
    if name == "strings.xml" {
        return formats.iter().filter(|kind| kind.name == "android").collect();
    }
    let Some((_, ending)) = name.rsplit_once('.').filter(|(_, ending)| !ending.eq_ignore_ascii_case("xml")) else {
        return Vec::new();
    };
    formats.iter().filter(|kind| kind.endings.iter().any(|known| known.eq_ignore_ascii_case(ending))).collect()
}
