//! Files of a project that have a language in their path, and path patterns for them.

use std::collections::{BTreeMap, BTreeSet};

use super::super::project::{LangTag, OLD_CODES, PathPattern, guess_tag};
use super::tree::{ProjectTree, file_name, folder_of, join};

/// Three-letter languages that applications are translated into. Other three-letter names are not languages (`app`,
/// `src`).
const THREE_LETTER_LANGS: [&str; 20] = [
    "ast", "bho", "ceb", "ckb", "dsb", "fil", "fur", "gsw", "haw", "hmn", "hsb", "kab", "kmr", "kok", "mai", "nds",
    "sah", "scn", "szl", "yue",
];
const SCRIPTS: [&str; 8] = ["Hans", "Hant", "Latn", "Cyrl", "Arab", "Deva", "Mong", "Tfng"];

/// Recognizes a language in any common notation.
pub fn lang_of(text: &str) -> Option<LangTag> {
    // Parsing is slow, and most names are not languages.
    let start = text.strip_prefix("b+").unwrap_or(text).split(['-', '_', '+', '@', '.', ' ']).next()?;
    let is_short = start.len() == 2 && start.bytes().all(|b| b.is_ascii_alphabetic());
    if !is_short && !THREE_LETTER_LANGS.iter().any(|known| known.eq_ignore_ascii_case(start)) {
        return None;
    }
    let tag = LangTag::if_valid(text).or_else(|| guess_tag(text))?;
    let parts: Vec<&str> = tag.as_str().split('-').collect();
    let [language, rest @ ..] = parts.as_slice() else { return None };
    let is_known = language.len() == 2 || THREE_LETTER_LANGS.contains(language);
    let is_usual = |part: &&str| part.len() < 4 || SCRIPTS.contains(part) || *part == "valencia";
    if !is_known || !rest.iter().all(is_usual) || rest.len() > 2 {
        return None;
    }
    match OLD_CODES.iter().find(|(_, old)| old == language) {
        Some((new, old)) => LangTag::parse(&tag.as_str().replacen(old, new, 1)).ok(),
        None => Some(tag),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LangSpot {
    /// `de.json`.
    FileName,
    /// `app.de.json`, `app_de.json`: at the end of the file name, after this character.
    Suffix(char),
    /// `de/app.json`, `de.lproj/app.strings`: a folder name with this suffix.
    Folder(&'static str),
}

#[derive(Clone, Debug)]
pub struct LangFiles {
    folder: String,
    spot: LangSpot,
    ending: &'static str,
    /// Paths relative to `folder`, with `{lang}`, and the languages of each as written in paths.
    templates: BTreeMap<String, BTreeSet<String>>,
    /// Other files with this extension, which no pattern may match.
    excluded: BTreeSet<String>,
}

impl LangFiles {
    /// Finds files with an extension such as `.json` below a folder; `None` if there are none.
    pub fn find(tree: &ProjectTree, folder: &str, spot: LangSpot, ending: &'static str) -> Option<Self> {
        let mut templates: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut excluded = BTreeSet::new();
        for path in tree.relative_paths_below(folder).filter(|path| path.ends_with(ending)) {
            if let Some((template, lang)) = template(path, spot, ending) {
                templates.entry(template).or_default().insert(lang.to_owned());
            } else {
                excluded.insert(path.to_owned());
            }
        }
        (!templates.is_empty()).then(|| Self { folder: folder.to_owned(), spot, ending, templates, excluded })
    }

    /// Keeps only files whose path with `{lang}` is accepted; `None` if no file remains.
    pub fn filter(mut self, keep: impl Fn(&str) -> bool) -> Option<Self> {
        let (kept, removed) = self.templates.into_iter().partition(|(template, _)| keep(template));
        self.templates = kept;
        let paths = |(template, langs): (String, BTreeSet<String>)| {
            langs.into_iter().map(move |lang| template.replace("{lang}", &lang)).collect::<Vec<_>>()
        };
        self.excluded.extend(BTreeMap::into_iter(removed).flat_map(paths));
        (!self.templates.is_empty()).then_some(self)
    }

    /// Drops files in subfolders, unless the subfolder is the language.
    pub fn without_subfolders(self) -> Option<Self> {
        let is_folder = self.is_in_folders();
        self.filter(|template| is_folder || !template.contains('/'))
    }

    pub fn is_in_folders(&self) -> bool {
        matches!(self.spot, LangSpot::Folder(_))
    }

    pub fn written_langs(&self) -> BTreeSet<&str> {
        self.templates.values().flatten().map(String::as_str).collect()
    }

    pub fn templates(&self) -> impl Iterator<Item = &str> {
        self.templates.keys().map(String::as_str)
    }

    pub fn split_by_template(&self) -> Vec<Self> {
        let one = |(template, langs): (&String, &BTreeSet<String>)| Self {
            templates: BTreeMap::from([(template.clone(), langs.clone())]),
            excluded: BTreeSet::new(),
            folder: self.folder.clone(),
            ..*self
        };
        self.templates.iter().map(one).collect()
    }

    /// Returns one pattern for all files. If it would also match other files, returns one pattern per path instead. Each
    /// pattern has the languages of its files. With `lang`, includes only files that exist in this language.
    pub fn patterns(&self, lang: Option<&str>) -> Vec<(String, BTreeSet<&str>)> {
        let Some(pattern) = self.pattern(lang) else { return Vec::new() };
        let matches_excluded = PathPattern::parse(&pattern).is_ok_and(|pattern| {
            self.written_langs().into_iter().filter(|written| lang.is_none_or(|lang| lang == *written)).any(|written| {
                let pattern = pattern.with_lang(written);
                self.excluded.iter().any(|other| pattern.matches(other))
            })
        });
        let in_lang = |langs: &BTreeSet<String>| lang.is_none_or(|lang| langs.contains(lang));
        let templates = self.templates.iter().filter(|(_, langs)| in_lang(langs));
        let at = |pattern: &str| join(&self.folder, pattern);
        if matches_excluded {
            templates.map(|(template, langs)| (at(template), langs.iter().map(String::as_str).collect())).collect()
        } else {
            vec![(at(&pattern), templates.flat_map(|(_, langs)| langs).map(String::as_str).collect())]
        }
    }

    fn pattern(&self, lang: Option<&str>) -> Option<String> {
        let in_lang = |langs: &BTreeSet<String>| lang.is_none_or(|lang| langs.contains(lang));
        let templates: Vec<&str> =
            self.templates.iter().filter(|(_, langs)| in_lang(langs)).map(|(template, _)| template.as_str()).collect();
        let ending = self.ending;
        Some(match (templates.as_slice(), self.spot) {
            ([], _) => return None,
            ([only], _) => (*only).to_owned(),
            (_, LangSpot::FileName) => format!("**/{{lang}}{ending}"),
            (all, LangSpot::Suffix(c)) => {
                let folders = if all.iter().any(|template| template.contains('/')) { "**/" } else { "" };
                format!("{folders}*{c}{{lang}}{ending}")
            }
            (all, LangSpot::Folder(after)) => {
                let start = format!("{{lang}}{after}/");
                let mut folders = all.iter().map(|template| {
                    template
                        .strip_prefix(start.as_str())
                        .and_then(|rest| rest.rsplit_once('/'))
                        .map(|(folder, _)| folder)
                });
                let first = folders.next().flatten();
                match (first, folders.all(|folder| folder == first)) {
                    (None, true) => format!("{start}*{ending}"),
                    (Some(folder), true) => format!("{start}{folder}/*{ending}"),
                    (_, false) => format!("{start}**/*{ending}"),
                }
            }
        })
    }
}

/// Returns the folders that contain language folders, and the folders that contain files with this extension.
pub fn lang_folders<'a>(tree: &'a ProjectTree, ending: &'a str) -> (BTreeSet<&'a str>, BTreeSet<&'a str>) {
    let (mut of_folders, mut of_files) = (BTreeSet::new(), BTreeSet::new());
    for path in tree.files_ending(ending) {
        of_files.insert(folder_of(path));
        let mut folder = folder_of(path);
        while !folder.is_empty() && !of_folders.contains(folder_of(folder)) {
            if lang_of(file_name(folder)).is_some() {
                of_folders.insert(folder_of(folder));
            }
            folder = folder_of(folder);
        }
    }
    (of_folders, of_files)
}

/// Splits a path into a template with `{lang}`, and the language as written.
fn template<'a>(path: &'a str, spot: LangSpot, ending: &str) -> Option<(String, &'a str)> {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let stem = name.strip_suffix(ending)?;
    match spot {
        LangSpot::FileName => {
            lang_of(stem)?;
            Some((join(folder, &format!("{{lang}}{ending}")), stem))
        }
        // `pt_BR` is a language, not a file `pt` in the language `BR`.
        LangSpot::Suffix(_) if lang_of(stem).is_some() => None,
        LangSpot::Suffix(c) => {
            // The longest language wins: `pt_BR` in `app_pt_BR`.
            let (at, _) = stem
                .match_indices(['.', '_', '-'])
                .find(|(at, _)| stem.get(at + 1..).is_some_and(|lang| lang_of(lang).is_some()))
                .filter(|(at, _)| stem.get(*at..).is_some_and(|rest| rest.starts_with(c)))?;
            let (start, lang) = (stem.get(..at).filter(|start| !start.is_empty())?, stem.get(at + 1..)?);
            Some((join(folder, &format!("{start}{c}{{lang}}{ending}")), lang))
        }
        LangSpot::Folder(after) => {
            let (first, rest) = path.split_once('/')?;
            let lang = first.strip_suffix(after)?;
            lang_of(lang)?;
            Some((format!("{{lang}}{after}/{rest}"), lang))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_all_notations_of_a_language() {
        for (text, tag) in [
            ("de", "de"),
            ("pt-BR", "pt-BR"),
            ("pt_BR", "pt-BR"),
            ("pt-br", "pt-BR"),
            ("pt-rBR", "pt-BR"),
            ("b+sr+Latn", "sr-Latn"),
            ("zh_Hans", "zh-Hans"),
            ("sr@latin", "sr-Latn"),
            ("iw", "he"),
            ("in", "id"),
            ("fil", "fil"),
            ("es-419", "es-419"),
            ("jp", "ja"),
        ] {
            assert_eq!(lang_of(text).unwrap().as_str(), tag, "{text}");
        }
        for text in [
            "js",
            "src",
            "app",
            "en-backup",
            "v21",
            "night",
            "sw600dp",
            "defaults",
            "index",
            "",
            "de-test",
            "common",
            "os.environ",
        ] {
            assert_eq!(lang_of(text), None, "{text}");
        }
    }

    #[test]
    fn the_longest_language_in_a_name_wins() {
        let found = template("res/app_pt_BR.arb", LangSpot::Suffix('_'), ".arb");
        assert_eq!(found, Some(("res/app_{lang}.arb".to_owned(), "pt_BR")));
        assert_eq!(
            template("my_app_de.arb", LangSpot::Suffix('_'), ".arb"),
            Some(("my_app_{lang}.arb".to_owned(), "de"))
        );
        assert_eq!(template("_de.arb", LangSpot::Suffix('_'), ".arb"), None);
    }
}
