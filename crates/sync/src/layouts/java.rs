//! Spring and other programs in Java: `messages.properties` and `messages_de.properties`.

use tulk_catalogs::Dialect;

use super::FoundRule;
use super::draft::LayoutDraft;
use super::lang_files::{LangFiles, LangSpot};
use super::tree::{ProjectTree, folder_of, join};

/// The files that say which libraries a program uses.
const BUILDS: [&str; 3] = ["pom.xml", "build.gradle", "build.gradle.kts"];
/// The file of Spring's messages.
const MESSAGES: &str = "messages";

/// Finds resource bundles.
pub fn find(tree: &ProjectTree, draft: &mut LayoutDraft) {
    let builds = BUILDS.iter().flat_map(|name| tree.files_named(name));
    let is_spring = builds.into_iter().any(|path| tree.text(path).contains("spring"));
    let mut folders: Vec<&str> = tree.files_ending(".properties").map(folder_of).collect();
    folders.sort_unstable();
    folders.dedup();
    for folder in folders {
        let files = LangFiles::find(tree, folder, LangSpot::Suffix('_'), ".properties").and_then(LangFiles::direct);
        let mut bundles: Vec<String> = files
            .iter()
            .flat_map(LangFiles::templates)
            .filter_map(|path| path.strip_suffix("_{lang}.properties"))
            .map(str::to_owned)
            .collect();
        if is_spring && !bundles.iter().any(|bundle| bundle == MESSAGES) {
            bundles.push(MESSAGES.to_owned());
        }
        bundles.retain(|bundle| tree.has(&join(folder, &format!("{bundle}.properties"))));
        if bundles.is_empty() {
            continue;
        }
        for lang in files.iter().flat_map(LangFiles::written) {
            draft.add_lang(lang);
        }
        for bundle in bundles {
            draft.add_rule(FoundRule {
                source: Some(join(folder, &format!("{bundle}.properties"))),
                target: Some(join(folder, &format!("{bundle}_{{lang}}.properties"))),
                dialect: is_spring.then_some(Dialect::Spring),
                ..FoundRule::default()
            });
        }
    }
}
