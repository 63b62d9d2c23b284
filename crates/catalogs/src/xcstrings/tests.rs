//! Tests of string catalogues.

use proptest::prelude::*;

use super::*;
use crate::catalog::{PluralText, SkipReason, Unit, UnitText};
use crate::edit::apply_edits;
use crate::invariants;
use crate::plural::PluralCategory::{self, Few, Many, One, Other};
use crate::plural::{PluralForm, PluralKind};

const FILE: &str = include_str!("../../tests/files/Localizable.xcstrings");

fn options(language: &str) -> ReadOptions {
    ReadOptions { target_lang: Some(language.to_owned()), ..ReadOptions::default() }
}

fn read(text: &str, language: &str) -> Vec<Unit> {
    XcstringsFormat.read(text, &options(language)).unwrap().units
}

fn single(text: &str) -> UnitText {
    UnitText::Single(text.to_owned())
}

fn plural(forms: &[(PluralCategory, &str)]) -> UnitText {
    let forms = forms
        .iter()
        .map(|(category, text)| PluralText { form: PluralForm::Category(*category), text: (*text).to_owned() });
    UnitText::Plural(PluralKind::Cardinal, forms.collect())
}

fn unit_of(text: &str, key: &[&str]) -> Unit {
    let key = UnitKey::names(key.iter().copied());
    let found = read(text, "de").into_iter().find(|unit| unit.key == key);
    found.unwrap_or_else(|| panic!("no {key}"))
}

fn edited(text: &str, language: &str, units: Vec<Change<'_>>) -> String {
    let changes = CatalogChanges { units, ..CatalogChanges::default() };
    let edits = XcstringsFormat.edits(text, &options(language), &changes).unwrap();
    apply_edits(text, edits.clone()).unwrap_or_else(|| panic!("{edits:?} overlap"))
}

fn set(text: &str, language: &str, key: &[&str], new: &UnitText) -> String {
    edited(text, language, vec![Change::Set { unit: unit_of(text, key).id, text: new, markup: &[] }])
}

fn remove(text: &str, language: &str, keys: &[&[&str]]) -> String {
    let changes = keys.iter().map(|key| Change::Remove { unit: unit_of(text, key).id });
    edited(text, language, changes.collect())
}

/// Replaces a part of the file, which must occur exactly once.
fn file_with(old: &str, new: &str) -> String {
    assert_eq!(FILE.matches(old).count(), 1, "{old}");
    FILE.replace(old, new)
}

#[test]
fn texts_notes_states_and_variations_are_read() {
    let units = read(FILE, "de");
    let keys: Vec<String> = units.iter().map(|unit| unit.key.to_string()).collect();
    assert_eq!(
        keys,
        [
            "",
            "%@ of %@",
            "%lld files",
            "%lld files in %lld folders",
            "%lld files in %lld folders.files",
            "%lld files in %lld folders.folders",
            "Brand",
            "Done",
            "TAP_TO_OPEN.device.iphone",
            "TAP_TO_OPEN.device.mac",
            "TAP_TO_OPEN.device.other",
            "Unused"
        ]
    );
    assert_eq!(unit_of(FILE, &["%@ of %@"]).text, single("%1$@ of %2$@"));
    let done = unit_of(FILE, &["Done"]);
    assert_eq!((done.text, done.target, done.needs_review), (single("Done"), Some(single("Fertig")), true));
    assert_eq!(done.note.as_deref(), Some("Button that closes the window"));
    assert_eq!(FILE.get(done.at..done.at + 8), Some("\"Fertig\""));
    let files = unit_of(FILE, &["%lld files"]);
    assert_eq!(files.text, plural(&[(One, "%lld file"), (Other, "%lld files")]));
    assert_eq!(files.target, None);
    assert_eq!(unit_of(FILE, &["Brand"]).skip, Some(SkipReason::Untranslatable));
    assert_eq!(unit_of(FILE, &["Unused"]).skip, Some(SkipReason::Unused));
    // Texts in state `new` are not translations.
    assert_eq!(unit_of(FILE, &["Unused"]).target, None);
    let folders = unit_of(FILE, &["%lld files in %lld folders", "folders"]);
    assert_eq!(folders.text, plural(&[(One, "%arg folder"), (Other, "%arg folders")]));
    let phone = unit_of(FILE, &["TAP_TO_OPEN", "device", "iphone"]);
    assert_eq!(phone.target, Some(single("Tippen zum Öffnen")));
    assert_eq!(XcstringsFormat.read(FILE, &options("de")).unwrap().source_language.as_deref(), Some("en"));
    assert!(read(FILE, "ja").iter().all(|unit| unit.target.is_none()));
}

#[test]
fn keys_without_letters_are_not_translated() {
    let skip = |key: &str, entry: &str| {
        let text = format!("{{\"sourceLanguage\":\"en\",\"strings\":{{{key:?}:{{{entry}}}}}}}");
        read(&text, "de").into_iter().map(|unit| unit.skip).collect::<Vec<_>>()
    };
    let source =
        |text: &str| format!(r#""localizations":{{"en":{{"stringUnit":{{"state":"new","value":{text:?}}}}}}}"#);
    for key in ["%lld", "%@", "—", "%@: %2$lld %%", "12"] {
        assert_eq!(skip(key, ""), [Some(SkipReason::NoWords)], "{key}");
        assert_eq!(skip(key, r#""extractionState":"stale""#), [Some(SkipReason::Unused)], "{key}");
    }
    assert_eq!(skip("%@ %@", &source("%1$@ %2$@")), [Some(SkipReason::NoWords)]);
    // The key has letters, and the program shows it if there is no translation.
    assert_eq!(skip("TIME", &source("%@")), [None]);
    assert_eq!(skip("%lld", &source("%lld files")), [None]);
    // A text for one device requires texts for the other devices.
    let device = |name: &str, text: &str| format!(r#"{name:?}:{{"stringUnit":{{"state":"new","value":{text:?}}}}}"#);
    let devices = [device("mac", "%@"), device("other", "%@ files")].join(",");
    let devices = format!(r#""localizations":{{"en":{{"variations":{{"device":{{{devices}}}}}}}}}"#);
    assert_eq!(skip("%@", &devices), [None, None]);
    assert_eq!((skip("", ""), skip(" ", "")), (vec![None], vec![None]), "there is nothing in it");
}

#[test]
fn finds_the_language_in_other_notations() {
    let underscore = FILE.replace("\"pt-BR\" : {", "\"pt_BR\" : {");
    assert_eq!(read(&underscore, "pt-br").into_iter().filter(|unit| unit.target.is_some()).count(), 1);
    let changed = set(&underscore, "pt-BR", &["%@ of %@"], &single("x"));
    assert_eq!(changed.matches("\"pt_BR\" : {").count(), 2);
}

#[test]
fn setting_a_text_marks_it_as_translated() {
    let review = "\"state\" : \"needs_review\",\n            \"value\" : \"Fertig\"";
    let wanted = file_with(review, "\"state\" : \"translated\",\n            \"value\" : \"Erledigt\"");
    assert_eq!(set(FILE, "de", &["Done"], &single("Erledigt")), wanted);
    assert_eq!(set(&wanted, "de", &["Done"], &single("Erledigt")), wanted);
    let new = "\"state\" : \"new\",\n            \"value\" : \"\"";
    let wanted = file_with(new, "\"state\" : \"translated\",\n            \"value\" : \"\\\"Q\\\"\\n/\"");
    assert_eq!(set(FILE, "de", &["Unused"], &single("\"Q\"\n/")), wanted);
}

#[test]
fn a_new_language_is_inserted_in_order() {
    let unit = |language: &str, text: &str| {
        format!(
            "        \"{language}\" : {{\n          \"stringUnit\" : {{\n            \"state\" : \"translated\",\n            \"value\" : \"{text}\"\n          }}\n        }}"
        )
    };
    let before_pt = "        \"pt-BR\" : {\n          \"stringUnit\"";
    let fr = unit("fr", "Fini");
    assert_eq!(set(FILE, "fr", &["Done"], &single("Fini")), file_with(before_pt, &format!("{fr},\n{before_pt}")));
    let ar = unit("ar", "x");
    let de = "      \"comment\" : \"Button that closes the window\",\n      \"localizations\" : {\n";
    assert_eq!(set(FILE, "ar", &["Done"], &single("x")), file_with(de, &format!("{de}{ar},\n")));
    // An entry without localizations, as written by Xcode.
    let empty = "    \"\" : {\n\n    },";
    let filled = format!("    \"\" : {{\n      \"localizations\" : {{\n{}\n      }}\n    }},", unit("de", "x"));
    let with_text = set(FILE, "de", &[""], &single("x"));
    assert_eq!(with_text, file_with(empty, &filled));
    assert_eq!(remove(&with_text, "de", &[&[""]]), FILE);
}

#[test]
fn a_plural_is_inserted_and_its_forms_replaced() {
    let polish = plural(&[(One, "%lld plik"), (Few, "%lld pliki"), (Many, "%lld plików"), (Other, "%lld pliku")]);
    let with_polish = set(FILE, "pl", &["%lld files"], &polish);
    let units = XcstringsFormat.read(&with_polish, &options("pl")).unwrap().units;
    let sorted = plural(&[(Few, "%lld pliki"), (Many, "%lld plików"), (One, "%lld plik"), (Other, "%lld pliku")]);
    assert_eq!(units[2].target, Some(sorted));
    let few = "        \"pl\" : {\n          \"variations\" : {\n            \"plural\" : {\n              \"few\" : {\n                \"stringUnit\" : {\n                  \"state\" : \"translated\",\n                  \"value\" : \"%lld pliki\"\n                }\n              },\n              \"many\" : {";
    assert!(with_polish.contains(few), "{with_polish}");
    let id = units[2].id;
    assert_eq!(edited(&with_polish, "pl", vec![Change::Remove { unit: id }]), FILE);
    let two = plural(&[(One, "%lld plik"), (Other, "inne")]);
    let changed = edited(&with_polish, "pl", vec![Change::Set { unit: id, text: &two, markup: &[] }]);
    assert_eq!(changed, set(FILE, "pl", &["%lld files"], &two));
    let to_text = edited(&with_polish, "pl", vec![Change::Set { unit: id, text: &single("pliki"), markup: &[] }]);
    assert_eq!(to_text, set(FILE, "pl", &["%lld files"], &single("pliki")));
    let back = edited(&to_text, "pl", vec![Change::Set { unit: id, text: &polish, markup: &[] }]);
    assert_eq!(back, with_polish);
}

#[test]
fn a_substitution_keeps_its_argument() {
    let key = ["%lld files in %lld folders", "folders"];
    let forms = plural(&[(One, "%arg Ordner"), (Other, "%arg Ordnern")]);
    let changed = set(FILE, "de", &key, &forms);
    let inserted = r#"            "folders" : {
              "argNum" : 2,
              "formatSpecifier" : "lld",
              "variations" : {
                "plural" : {
                  "one" : {
                    "stringUnit" : {
                      "state" : "translated",
                      "value" : "%arg Ordner"
                    }
                  },
                  "other" : {
                    "stringUnit" : {
                      "state" : "translated",
                      "value" : "%arg Ordnern"
                    }
                  }
                }
              }
            }"#;
    assert!(changed.contains(inserted), "{changed}");
    assert_eq!(unit_of(&changed, &key).target, Some(forms));
    assert_eq!(remove(&changed, "de", &[&key]), FILE);
}

#[test]
fn setting_a_text_for_one_device_keeps_the_others() {
    let mac = ["TAP_TO_OPEN", "device", "mac"];
    let changed = set(FILE, "de", &mac, &single("Zum Öffnen klicken"));
    assert_eq!(unit_of(&changed, &mac).target, Some(single("Zum Öffnen klicken")));
    assert_eq!(remove(&changed, "de", &[&mac]), FILE);
    // A text that was the same for all devices is copied to the others.
    let french = read(FILE, "fr");
    let ids: Vec<usize> =
        french.iter().filter(|unit| unit.target == Some(single("Ouvrir"))).map(|unit| unit.id).collect();
    assert_eq!(ids.len(), 3);
    let changed = edited(FILE, "fr", vec![Change::Set { unit: ids[0], text: &single("Touchez"), markup: &[] }]);
    let after = read(&changed, "fr");
    let texts: Vec<_> = ids.iter().map(|id| after[*id].target.clone()).collect();
    assert_eq!(texts, [Some(single("Touchez")), Some(single("Ouvrir")), Some(single("Ouvrir"))]);
    assert_eq!(changed.matches("\"Ouvrir\"").count(), 2);
}

#[test]
fn other_languages_keep_their_bytes() {
    let localizations = |text: &str| {
        let root = parse_json(text).unwrap();
        let mut index = JsonIndex::default();
        let mut others = Vec::new();
        for entry in index.get(&root, "strings").unwrap().members() {
            let found = index.get(&entry.node, "localizations").map_or(&[][..], JsonNode::members);
            for member in found.iter().filter(|member| member.name != "de") {
                others
                    .push((entry.name.to_string(), text.get(member.start()..member.node.span.end).unwrap().to_owned()));
            }
        }
        others
    };
    assert_eq!(localizations(FILE).len(), 7);
    let units = read(FILE, "de");
    let texts: Vec<UnitText> = units
        .iter()
        .map(|unit| match unit.text_in_file_language() {
            UnitText::Single(_) => single("neu"),
            UnitText::Plural(..) => plural(&[(Other, "neu"), (One, "ein")]),
        })
        .collect();
    let sets = units.iter().zip(&texts).map(|(unit, text)| Change::Set { unit: unit.id, text, markup: &[] });
    let changed = edited(FILE, "de", sets.collect());
    assert_eq!(localizations(&changed), localizations(FILE));
    let removals = units.iter().map(|unit| Change::Remove { unit: unit.id });
    let without = edited(FILE, "de", removals.collect());
    assert_eq!(localizations(&without), localizations(FILE));
    assert!(!without.contains("\"de\""));
    let keys = |text: &str| read(text, "de").into_iter().map(|unit| unit.key).collect::<Vec<_>>();
    assert_eq!(keys(&without), keys(FILE));
}

#[test]
fn errors_have_a_reason() {
    let error = |text: &str| XcstringsFormat.read(text, &ReadOptions::default()).unwrap_err();
    assert_eq!(error("{}").what, "this is not a string catalogue: it has no `strings`");
    assert_eq!(error("[]").what, "a string catalogue must be a JSON object, not a list");
    assert_eq!((error("{\"strings\" : []}").at, error("{\"strings\" : 1}").at), (13, 13));
    let exact = UnitText::Plural(
        PluralKind::Cardinal,
        vec![PluralText { form: PluralForm::Exact(0), text: "none".to_owned() }],
    );
    let change = |units| CatalogChanges { units, ..CatalogChanges::default() };
    let set = change(vec![Change::Set { unit: 2, text: &exact, markup: &[] }]);
    assert!(XcstringsFormat.edits(FILE, &options("de"), &set).unwrap_err().what.contains("without a plural category"));
    assert!(XcstringsFormat.edits(FILE, &ReadOptions::default(), &set).is_err());
    let like = Unit { key: UnitKey::name("gone"), ..Unit::default() };
    let insert = change(vec![Change::Insert { like: &like, text: &exact, after: None, before: None }]);
    assert!(XcstringsFormat.edits(FILE, &options("de"), &insert).unwrap_err().what.contains("gone"));
}

#[test]
fn the_last_duplicate_key_wins() {
    let text = r#"{"strings":{"a":{"comment":"x"},"a":{"comment":"y"}},"version":"1.0"}"#;
    let catalog = XcstringsFormat.read(text, &options("de")).unwrap();
    assert_eq!(catalog.units.iter().map(|unit| unit.note.as_deref()).collect::<Vec<_>>(), [Some("y")]);
    assert_eq!(catalog.duplicates, [DuplicateKey { key: UnitKey::name("a"), at: 12 }]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn invariants_hold(new in invariants::texts()) {
        for language in ["de", "fr", "ja"] {
            invariants::check_all(&XcstringsFormat, FILE, &options(language), &new);
        }
        invariants::check_all(&XcstringsFormat, &FILE.replace('\n', "\r\n"), &options("de"), &new);
    }

    #[test]
    fn corrupted_files_do_not_panic(at in any::<prop::sample::Index>(), length in 0..200_usize, piece in "[\\[\\]{}\",:\\\\u1\n]{0,4}") {
        let mut start = at.index(FILE.len());
        while !FILE.is_char_boundary(start) {
            start -= 1;
        }
        let (head, tail) = FILE.split_at(start);
        let tail: String = tail.chars().skip(length).collect();
        for broken in [[head, &piece].concat(), [head, &piece, &tail].concat()] {
            let Ok(catalog) = XcstringsFormat.read(&broken, &options("de")) else { continue };
            let text = single("x");
            let sets = catalog.units.iter().map(|unit| Change::Set { unit: unit.id, text: &text, markup: &[] });
            let changes = CatalogChanges { units: sets.collect(), ..CatalogChanges::default() };
            if let Ok(edits) = XcstringsFormat.edits(&broken, &options("de"), &changes) {
                let changed = apply_edits(&broken, edits).unwrap();
                prop_assert_eq!(read(&changed, "de").len(), catalog.units.len(), "{}", changed);
            }
        }
    }
}
