//! Known frameworks: a table, and for each a function that adds the files it finds to a [`LayoutDraft`].
//!
//! To add a framework, write a function and add a line to [`LAYOUTS`].

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tulk_catalogs::Dialect;

use super::lang_files::{LangFiles, LangSpot, lang_folders, lang_of};
use super::plain::{add_folder, fluent, hugo, usual_folders};
use super::rule::{RuleLangs, rule_langs};
use super::tree::{ProjectTree, file_name, folder_of, has_extension, join, value_after};
use super::{FoundRule, LayoutDraft, OTHER_FILES, SOURCE_LANG};
use crate::project::LangStyle;

pub(super) struct Layout {
    pub(super) name: &'static str,
    /// How languages are written in paths, unless the files show another style.
    pub(super) lang_style: LangStyle,
    pub(super) find: fn(&ProjectTree, &mut LayoutDraft),
}

const fn layout(name: &'static str, lang_style: LangStyle, find: fn(&ProjectTree, &mut LayoutDraft)) -> Layout {
    Layout { name, lang_style, find }
}

/// All frameworks, in search order. A rule that has a file of an earlier rule is dropped.
pub(super) const LAYOUTS: &[Layout] = &[
    layout("i18next", LangStyle::Bcp47, i18next),
    layout("next-intl", LangStyle::Bcp47, next_intl),
    layout("vue-i18n", LangStyle::Bcp47, vue_i18n),
    layout("Rails", LangStyle::Bcp47, rails),
    layout("Symfony", LangStyle::Posix, symfony),
    layout("Laravel", LangStyle::Posix, laravel),
    layout("Django", LangStyle::Posix, django),
    layout("gettext", LangStyle::Posix, gettext),
    layout("Flutter", LangStyle::Posix, flutter),
    layout("Android", LangStyle::Android, android),
    layout("Xcode", LangStyle::Bcp47, xcode),
    layout("Angular", LangStyle::Bcp47, angular),
    layout(".NET", LangStyle::Bcp47, dotnet),
    layout("Spring", LangStyle::Posix, spring),
    layout("go-i18n", LangStyle::Bcp47, go_i18n),
    layout("Hugo", LangStyle::Bcp47, hugo),
    layout("Fluent", LangStyle::Bcp47, fluent),
];

pub(super) const USUAL_FOLDERS: Layout = layout(OTHER_FILES, LangStyle::Bcp47, usual_folders);

pub(super) const WEB_FOLDERS: [&str; 9] =
    ["locales", "locale", "i18n", "lang", "langs", "languages", "translations", "messages", "intl"];
const PACKAGE_TABLES: [&str; 3] = ["dependencies", "devDependencies", "peerDependencies"];

fn i18next(tree: &ProjectTree, draft: &mut LayoutDraft) {
    let packages = [
        "i18next",
        "react-i18next",
        "next-i18next",
        "remix-i18next",
        "angular-i18next",
        "i18next-vue",
        "svelte-i18next",
    ];
    web_framework(tree, draft, &packages, &[".json"], Dialect::I18next);
}

fn next_intl(tree: &ProjectTree, draft: &mut LayoutDraft) {
    web_framework(tree, draft, &["next-intl", "use-intl"], &[".json"], Dialect::Icu);
}

fn vue_i18n(tree: &ProjectTree, draft: &mut LayoutDraft) {
    let packages = ["vue-i18n", "@nuxtjs/i18n", "@intlify/unplugin-vue-i18n", "@intlify/vite-plugin-vue-i18n"];
    web_framework(tree, draft, &packages, &[".json", ".json5", ".yaml", ".yml"], Dialect::Vue);
}

/// An empty `above` is the project root.
fn is_below(folder: &str, above: &str) -> bool {
    above.is_empty() || folder.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
}

fn depends_on(tree: &ProjectTree, path: &str, packages: &[&str]) -> bool {
    let json = tree.json(path);
    PACKAGE_TABLES
        .iter()
        .any(|table| packages.iter().any(|package| json.get(table).and_then(|table| table.get(package)).is_some()))
}

/// A web frontend that depends on one of the packages: `locales/en/app.json`, `messages/en.json`.
fn web_framework(
    tree: &ProjectTree,
    draft: &mut LayoutDraft,
    packages: &[&str],
    extensions: &[&'static str],
    dialect: Dialect,
) {
    let declared: Vec<&str> =
        tree.files_named("package.json").filter(|path| depends_on(tree, path, packages)).map(folder_of).collect();
    let is_within = |folder: &str| declared.iter().any(|package| is_below(folder, package));
    for folder in tree.folders_named(&WEB_FOLDERS).filter(|folder| is_within(folder)) {
        add_folder(tree, draft, folder, extensions, Some(dialect));
    }
}

/// Rails and its engines: `config/locales/en.yml`, `config/locales/devise.en.yml`, `config/locales/en/views.yml`.
fn rails(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for folder in tree.folders_named(&["locales"]) {
        let Some(config) =
            folder.strip_suffix("/locales").filter(|config| *config == "config" || config.ends_with("/config"))
        else {
            continue;
        };
        let settings = tree.text(&join(config, "application.rb"));
        draft.set_source(value_after(&settings, "i18n.default_locale"));
        for ending in [".yml", ".yaml"] {
            let in_folders = LangFiles::find(tree, folder, LangSpot::Folder(""), ending);
            // In `en/en.yml`, only the folder counts as the language.
            let has_folder = |path: &str| path.split_once('/').is_some_and(|(first, _)| lang_of(first).is_some());
            for spot in [LangSpot::FileName, LangSpot::Suffix('.')] {
                let named = LangFiles::find(tree, folder, spot, ending)
                    .and_then(|files| files.filter(|path| !has_folder(path)));
                draft.add_files(named, Some(Dialect::Rails));
            }
            draft.add_files(in_folders, Some(Dialect::Rails));
        }
    }
}

/// Part of the names of Symfony files in ICU syntax.
const SYMFONY_ICU: &str = "+intl-icu.";
const SYMFONY_ENDINGS: [&str; 7] = [".yaml", ".yml", ".xlf", ".xliff", ".json", ".php", ".po"];

/// Returns the folders whose `composer.json` requires a package with the prefix `start`.
fn composer_packages<'a>(tree: &'a ProjectTree, start: &'a str) -> impl Iterator<Item = &'a str> {
    let needs = move |path: &&str| {
        let json = tree.json(path);
        let names = |table: &str| {
            json.get(table).and_then(|table| table.as_object()).into_iter().flatten().map(|(name, _)| name)
        };
        names("require").chain(names("require-dev")).any(|name| name.starts_with(start))
    };
    tree.files_named("composer.json").filter(needs).map(folder_of)
}

/// Symfony and its bundles: `translations/messages.en.yaml`, `src/Resources/translations/validators.en.xlf`.
fn symfony(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for package in composer_packages(tree, "symfony/") {
        let settings = tree.text(&join(package, "config/packages/translation.yaml"));
        draft.set_source(value_after(&settings, "default_locale"));
        let folders = tree.folders_named(&["translations"]).filter(|folder| is_below(folder, package));
        for (folder, ending) in folders.flat_map(|folder| SYMFONY_ENDINGS.map(|ending| (folder, ending))) {
            let has_dialect = matches!(ending, ".yaml" | ".yml" | ".json");
            for (icu, dialect) in [(true, Dialect::Icu), (false, Dialect::None)] {
                let files = LangFiles::find(tree, folder, LangSpot::Suffix('.'), ending)
                    .and_then(LangFiles::without_subfolders);
                let files = files.and_then(|files| files.filter(|path| path.contains(SYMFONY_ICU) == icu));
                draft.add_files(files, has_dialect.then_some(dialect));
            }
        }
    }
}

/// Laravel and its packages: `lang/en/auth.php` and `lang/en.json`.
fn laravel(tree: &ProjectTree, draft: &mut LayoutDraft) {
    let mut folders: Vec<&str> =
        composer_packages(tree, "laravel/").chain(tree.files_named("artisan").map(folder_of)).collect();
    folders.sort_unstable();
    folders.dedup();
    for package in folders {
        draft.set_source(value_after(&tree.text(&join(package, "config/app.php")), "'locale' => "));
        for folder in tree.folders_named(&["lang"]).filter(|folder| is_below(folder, package)) {
            draft.add_files(LangFiles::find(tree, folder, LangSpot::Folder(""), ".php"), None);
            let json =
                LangFiles::find(tree, folder, LangSpot::FileName, ".json").and_then(LangFiles::without_subfolders);
            draft.add_files(json, Some(Dialect::Laravel));
        }
    }
}

const LC_MESSAGES: &str = "/LC_MESSAGES/";

/// Folders of languages with `LC_MESSAGES`: `locale` for `locale/de/LC_MESSAGES/app.po`.
fn message_folders(tree: &ProjectTree) -> BTreeSet<&str> {
    tree.files_ending(".po").filter_map(|path| path.split_once(LC_MESSAGES)).map(|(lang, _)| folder_of(lang)).collect()
}

fn is_django(template: &str) -> bool {
    template.ends_with("/django.po") || template.ends_with("/djangojs.po")
}

/// Adds rules without a source, for targets that also hold the source texts.
fn add_without_source(draft: &mut LayoutDraft, files: &LangFiles) {
    for (target, langs) in files.patterns(None) {
        draft.add_rule(FoundRule { target: Some(target), langs: rule_langs(langs), ..FoundRule::default() });
    }
}

/// Django and its applications: `locale/de/LC_MESSAGES/django.po`.
fn django(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for folder in message_folders(tree) {
        let files =
            LangFiles::find(tree, folder, LangSpot::Folder(""), ".po").and_then(|files| files.filter(is_django));
        if let Some(files) = files {
            add_without_source(draft, &files);
        }
    }
    let settings = tree.files_named("settings.py").chain(tree.files_named("base.py"));
    for path in settings {
        draft.set_source(value_after(&tree.text(path), "LANGUAGE_CODE"));
    }
}

/// Other gettext files: `locale/de/LC_MESSAGES/app.po`, `locale/de/app.po`, `po/de.po`, `languages/app-de.po`. The source
/// is a template next to the catalogues, if there is one. Otherwise, the catalogues hold the source texts.
fn gettext(tree: &ProjectTree, draft: &mut LayoutDraft) {
    let (of_folders, of_files) = lang_folders(tree, ".po");
    for folder in of_folders {
        let files = LangFiles::find(tree, folder, LangSpot::Folder(""), ".po");
        let files = files.and_then(|files| files.filter(|path| !is_django(path)));
        let source_of = |path: &str| {
            let template = file_name(path).replace(".po", ".pot");
            let places = [join(folder, &template), join(folder_of(folder), &template)];
            places.into_iter().find(|path| tree.has_file(path))
        };
        for files in files.iter().flat_map(LangFiles::split_by_template) {
            if let Some(source) = files.templates().next().and_then(source_of) {
                add_with_template(tree, draft, &files, Some(source));
            }
        }
        if let Some(files) = files.and_then(|files| files.filter(|path| source_of(path).is_none())) {
            add_without_source(draft, &files);
        }
    }
    for folder in of_files {
        let files = LangFiles::find(tree, folder, LangSpot::FileName, ".po").and_then(LangFiles::without_subfolders);
        if let Some(files) = files {
            let mut templates =
                tree.relative_paths_below(folder).filter(|path| has_extension(path, "pot") && !path.contains('/'));
            let template = templates.next().filter(|_| templates.next().is_none()).map(|path| join(folder, path));
            add_with_template(tree, draft, &files, template);
        }
        for c in ['.', '_', '-'] {
            let files =
                LangFiles::find(tree, folder, LangSpot::Suffix(c), ".po").and_then(LangFiles::without_subfolders);
            for files in files.iter().flat_map(LangFiles::split_by_template) {
                let name = files.templates().next().unwrap_or_default();
                let template = join(folder, &name.replace(&format!("{c}{{lang}}.po"), ".pot"));
                add_with_template(tree, draft, &files, Some(template));
            }
        }
    }
}

fn add_with_template(tree: &ProjectTree, draft: &mut LayoutDraft, files: &LangFiles, template: Option<String>) {
    let Some(source) = template.filter(|path| tree.has_file(path)) else { return add_without_source(draft, files) };
    for (target, langs) in files.patterns(None) {
        let (source, langs) = (Some(source.clone()), rule_langs(langs));
        draft.add_rule(FoundRule { source, target: Some(target), langs, ..FoundRule::default() });
    }
}

/// Flutter: `lib/l10n/app_en.arb`, or files named like the template in `l10n.yaml`.
fn flutter(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for path in tree.files_named("l10n.yaml") {
        let text = tree.text(path);
        let template = value_after(&text, "template-arb-file").and_then(|name| file_name(name).strip_suffix(".arb"));
        let lang = template.and_then(|stem| {
            let mut ends = stem.match_indices('_').filter_map(|(at, _)| stem.get(at + 1..));
            ends.find(|lang| lang_of(lang).is_some())
        });
        draft.set_source(lang);
    }
    let mut folders: Vec<&str> = tree.files_ending(".arb").map(folder_of).collect();
    folders.dedup();
    folders.sort_unstable();
    folders.dedup();
    for folder in folders {
        let files =
            LangFiles::find(tree, folder, LangSpot::Suffix('_'), ".arb").and_then(LangFiles::without_subfolders);
        for files in files.iter().flat_map(LangFiles::split_by_template) {
            draft.add_files(Some(files), None);
        }
    }
}

/// The only name of an Android file that shows its format. Rules for other files need `as = "android"`.
const ANDROID_STRINGS: &str = "strings.xml";

/// All Android modules: `app/src/main/res/values/strings.xml` and `values-de/strings.xml`.
fn android(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for folder in tree.folders_named(&["res"]) {
        // Files of `values`, each with the languages it is translated into.
        let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let in_folders = || tree.relative_paths_below(folder).filter_map(|path| path.split_once('/'));
        for (_, name) in in_folders().filter(|(values, name)| *values == "values" && has_extension(name, "xml")) {
            files.insert(name, Vec::new());
        }
        for (values, name) in in_folders() {
            // Other qualifiers, such as `night` and `sw600dp`, are not languages.
            let lang = values.strip_prefix("values-").filter(|lang| lang_of(lang).is_some());
            if let (Some(lang), Some(langs)) = (lang, files.get_mut(name)) {
                langs.push(lang);
            }
        }
        for (name, langs) in files.into_iter().filter(|(name, langs)| *name == ANDROID_STRINGS || !langs.is_empty()) {
            draft.add_rule(FoundRule {
                source: Some(join(folder, &format!("values/{name}"))),
                target: Some(join(folder, &format!("values-{{lang}}/{name}"))),
                langs: rule_langs(langs),
                format: (name != ANDROID_STRINGS).then_some("android"),
                ..FoundRule::default()
            });
        }
    }
}

const LPROJ: &str = ".lproj";

/// Xcode projects and packages: string catalogues, `en.lproj/Localizable.strings`, and source texts in `Base.lproj`.
fn xcode(tree: &ProjectTree, draft: &mut LayoutDraft) {
    let mut declared = BTreeSet::new();
    for path in tree.files_ending(".pbxproj") {
        let text = tree.text(path);
        draft.set_source(value_after(&text, "developmentRegion"));
        let regions = text.split_once("knownRegions").and_then(|(_, rest)| rest.split_once(')'));
        let regions = regions.map(|(regions, _)| regions).unwrap_or_default();
        declared.extend(regions.split(|c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c)).map(str::to_owned));
    }
    for path in tree.files_ending(".xcstrings") {
        let json = tree.json(path);
        draft.set_source(json.get("sourceLanguage").and_then(|lang| lang.as_str()));
        let langs = rule_langs(xcstrings_langs(&json).into_iter().chain(declared.iter().map(String::as_str)));
        draft.add_rule(FoundRule { source: Some(path.to_owned()), langs, ..FoundRule::default() });
    }
    // English, even if only other languages have files: the English texts may be in `Base.lproj` or in a storyboard.
    draft.set_source(Some(SOURCE_LANG));
    for ending in [".strings", ".stringsdict"] {
        let folders: BTreeSet<&str> =
            tree.files_ending(ending).map(folder_of).filter(|folder| folder.ends_with(LPROJ)).map(folder_of).collect();
        for folder in folders {
            let Some(files) = LangFiles::find(tree, folder, LangSpot::Folder(LPROJ), ending) else { continue };
            let (with_source, others) = files
                .split_by_template()
                .into_iter()
                .partition::<Vec<_>, _>(|files| files.written_langs().into_iter().any(|lang| draft.is_source(lang)));
            let names: BTreeSet<&str> = with_source.iter().flat_map(LangFiles::templates).collect();
            draft.add_files(files.filter(|template| names.contains(template)), None);
            for files in others {
                let template = files.templates().next().unwrap_or_default();
                let source = join(folder, &template.replace("{lang}", "Base"));
                if tree.has_file(&source) {
                    let (source, target, langs) =
                        (Some(source), Some(join(folder, template)), rule_langs(files.written_langs()));
                    draft.add_rule(FoundRule { source, target, langs, ..FoundRule::default() });
                }
            }
        }
    }
}

fn xcstrings_langs(json: &serde_json::Value) -> BTreeSet<&str> {
    let strings = json.get("strings").and_then(|strings| strings.as_object()).into_iter().flatten();
    let langs = strings.filter_map(|(_, unit)| unit.get("localizations")?.as_object()).flatten();
    langs.map(|(lang, _)| lang.as_str()).collect()
}

/// Angular's built-in localization: `src/locale/messages.xlf`, and `messages.de.xlf` for all languages of `angular.json`.
fn angular(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for path in tree.files_named("angular.json") {
        let workspace = folder_of(path);
        let json = tree.json(path);
        let mut declared = BTreeSet::new();
        let projects = json.get("projects").and_then(Value::as_object).into_iter().flatten();
        for i18n in projects.filter_map(|(_, project)| project.get("i18n")) {
            let source = i18n.get("sourceLocale");
            draft.set_source(source.and_then(|source| source.as_str().or_else(|| source.get("code")?.as_str())));
            let locales = i18n.get("locales").and_then(Value::as_object).into_iter().flatten();
            declared.extend(locales.map(|(lang, _)| lang.clone()));
        }
        for ending in [".xlf", ".xliff"] {
            angular_files(tree, draft, workspace, ending, &declared);
        }
    }
}

fn angular_files(
    tree: &ProjectTree,
    draft: &mut LayoutDraft,
    workspace: &str,
    ending: &'static str,
    declared: &BTreeSet<String>,
) {
    let paths = tree
        .relative_paths_below(workspace)
        .filter(|path| path.ends_with(ending))
        .map(|path| join(workspace, folder_of(path)));
    let mut folders: Vec<String> = paths.map(|path| path.trim_end_matches('/').to_owned()).collect();
    folders.sort_unstable();
    folders.dedup();
    for folder in folders {
        let name = format!("messages{ending}");
        let source = Some(join(&folder, &name)).filter(|path| tree.has_file(path));
        let files =
            LangFiles::find(tree, &folder, LangSpot::Suffix('.'), ending).and_then(LangFiles::without_subfolders);
        let files = files.and_then(|files| files.filter(|path| path.starts_with("messages.")));
        if source.is_none() && files.is_none() {
            continue;
        }
        let langs = files.iter().flat_map(LangFiles::written_langs).chain(declared.iter().map(String::as_str));
        let target = Some(join(&folder, &format!("messages.{{lang}}{ending}")));
        draft.add_rule(FoundRule { source, target, langs: rule_langs(langs), ..FoundRule::default() });
    }
}

/// Usual names of `.resx` files with texts. Other files count only if they are translated, because the file of a form
/// contains sizes and images.
const RESX_NAMES: [&str; 6] = ["Resources", "AppResources", "Strings", "SharedResource", "SharedResources", "Messages"];

/// .NET projects: `Resources.resx` and `Resources.de.resx`, and WinUI's `Strings/en-US/Resources.resw`.
fn dotnet(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for path in tree.files_ending(".csproj") {
        draft.set_source(value_after(&tree.text(path), "<NeutralLanguage"));
    }
    for folder in folders_with_ending(tree, ".resx") {
        let files =
            LangFiles::find(tree, folder, LangSpot::Suffix('.'), ".resx").and_then(LangFiles::without_subfolders);
        let mut translated = langs_by_stem(files.as_ref(), ".{lang}.resx");
        let names = tree
            .relative_paths_below(folder)
            .filter(|path| !path.contains('/'))
            .filter_map(|path| path.strip_suffix(".resx"));
        for stem in names {
            let langs = translated.remove(stem);
            if langs.is_some() || RESX_NAMES.contains(&stem) {
                draft.add_rule(FoundRule {
                    source: Some(join(folder, &format!("{stem}.resx"))),
                    target: Some(join(folder, &format!("{stem}.{{lang}}.resx"))),
                    langs: langs.unwrap_or_default(),
                    ..FoundRule::default()
                });
            }
        }
    }
    for folder in lang_folders(tree, ".resw").0 {
        draft.add_files(LangFiles::find(tree, folder, LangSpot::Folder(""), ".resw"), None);
    }
}

fn folders_with_ending<'a>(tree: &'a ProjectTree, ending: &'a str) -> BTreeSet<&'a str> {
    tree.files_ending(ending).map(folder_of).collect()
}

/// Returns the languages of each file stem: the name without an ending such as `_{lang}.properties`.
fn langs_by_stem(files: Option<&LangFiles>, ending: &str) -> BTreeMap<String, RuleLangs> {
    let each = files.into_iter().flat_map(LangFiles::split_by_template);
    let stems = each.filter_map(|files| {
        let stem = files.templates().next()?.strip_suffix(ending)?.to_owned();
        Some((stem, rule_langs(files.written_langs())))
    });
    stems.collect()
}

const JAVA_BUILDS: [&str; 3] = ["pom.xml", "build.gradle", "build.gradle.kts"];
const SPRING_MESSAGES: &str = "messages";

/// Spring and other Java programs: `messages.properties` or `messages_en.properties`, and `messages_de.properties`.
fn spring(tree: &ProjectTree, draft: &mut LayoutDraft) {
    let builds = JAVA_BUILDS.iter().flat_map(|name| tree.files_named(name));
    let is_spring = builds.into_iter().any(|path| tree.text(path).contains("spring"));
    for folder in folders_with_ending(tree, ".properties") {
        let files =
            LangFiles::find(tree, folder, LangSpot::Suffix('_'), ".properties").and_then(LangFiles::without_subfolders);
        let mut bundles = langs_by_stem(files.as_ref(), "_{lang}.properties");
        if is_spring {
            bundles.entry(SPRING_MESSAGES.to_owned()).or_default();
        }
        for (bundle, langs) in bundles {
            let source = join(folder, &format!("{bundle}.properties"));
            let target = join(folder, &format!("{bundle}_{{lang}}.properties"));
            let dialect = is_spring.then_some(Dialect::Spring);
            if tree.has_file(&source) {
                let (source, target) = (Some(source), Some(target));
                draft.add_rule(FoundRule { source, target, dialect, langs, ..FoundRule::default() });
            } else {
                let files = files.clone().and_then(|files| files.filter(|path| join(folder, path) == target));
                draft.add_files(files, dialect);
            }
        }
    }
}

const GO_FOLDERS: [&str; 7] = ["locales", "locale", "i18n", "lang", "langs", "translations", "messages"];
const GO_ENDINGS: [&str; 4] = [".toml", ".json", ".yaml", ".yml"];

/// go-i18n: `active.en.toml`, or `locales/en.toml` in a module that requires go-i18n.
fn go_i18n(tree: &ProjectTree, draft: &mut LayoutDraft) {
    for ending in GO_ENDINGS {
        let mut folders: Vec<&str> = tree
            .files_ending(ending)
            .filter(|path| path.rsplit('/').next().is_some_and(|name| name.starts_with("active.")))
            .map(folder_of)
            .collect();
        folders.sort_unstable();
        folders.dedup();
        for folder in folders {
            let files =
                LangFiles::find(tree, folder, LangSpot::Suffix('.'), ending).and_then(LangFiles::without_subfolders);
            draft.add_files(
                files.and_then(|files| files.filter(|path| path.starts_with("active."))),
                Some(Dialect::GoI18n),
            );
        }
    }
    if !tree.files_named("go.mod").any(|path| tree.text(path).contains("/go-i18n")) {
        return;
    }
    for folder in tree.folders_named(&GO_FOLDERS) {
        for ending in GO_ENDINGS {
            let files =
                LangFiles::find(tree, folder, LangSpot::FileName, ending).and_then(LangFiles::without_subfolders);
            draft.add_files(files, Some(Dialect::GoI18n));
            draft.add_files(LangFiles::find(tree, folder, LangSpot::Folder(""), ending), Some(Dialect::GoI18n));
        }
    }
}
