//! Plural forms: each plural category of the target language is translated as a sentence with a number.

use super::{phrases, translate, with_phrases};

const POLISH: &[(&str, &str)] =
    &[("1 file", "1 plik"), ("2 files", "2 pliki"), ("5 files", "5 plików"), ("1.5 files", "1.5 pliku")];

fn polish() -> crate::common::Bench {
    with_phrases("echo", &phrases("en", "pl", POLISH))
}

const FROM_EN_TO_PL: [&str; 4] = ["--from", "en", "--to", "pl"];

#[test]
fn i18next_gets_the_categories_of_the_target() {
    let file = "{\n  \"files_one\": \"{{count}} file\",\n  \"files_other\": \"{{count}} files\"\n}\n";
    let run = translate(&polish(), file, "json", &FROM_EN_TO_PL).code(0);
    let expected = "{\n  \"files_one\": \"{{count}} plik\",\n  \"files_few\": \"{{count}} pliki\",\n  \
                    \"files_many\": \"{{count}} plików\",\n  \"files_other\": \"{{count}} files\"\n}\n";
    run.prints(expected);
}

#[test]
fn po_gets_the_forms_of_its_header() {
    let header = "msgid \"\"\nmsgstr \"\"\n\"Language: pl\\n\"\n\"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : \
                  n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n\"\n";
    let unit = "\n#, c-format\nmsgid \"%d file\"\nmsgid_plural \"%d files\"\n";
    let file = format!("{header}{unit}msgstr[0] \"\"\nmsgstr[1] \"\"\nmsgstr[2] \"\"\n");
    let expected = format!("{header}{unit}msgstr[0] \"%d plik\"\nmsgstr[1] \"%d pliki\"\nmsgstr[2] \"%d plików\"\n");
    translate(&polish(), file, "po", &FROM_EN_TO_PL).code(0).prints(expected);
}

#[test]
fn a_template_gets_the_forms_of_the_language() {
    let header =
        "msgid \"\"\nmsgstr \"\"\n\"Language: \\n\"\n\"Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n\"\n";
    let unit = "\n#, c-format\nmsgid \"%d file\"\nmsgid_plural \"%d files\"\n";
    let file = format!("{header}{unit}msgstr[0] \"\"\nmsgstr[1] \"\"\n");
    let run = translate(&polish(), file, "po", &FROM_EN_TO_PL).code(0);
    assert!(run.out().contains("\"Language: pl\\n\"\n\"Plural-Forms: nplurals=3; plural="), "{run}");
    let expected = format!("{unit}msgstr[0] \"%d plik\"\nmsgstr[1] \"%d pliki\"\nmsgstr[2] \"%d plików\"\n");
    assert!(run.out().ends_with(&expected), "{run}");
}

#[test]
fn sends_icu_branches_as_complete_sentences() {
    let bench = with_phrases(
        "echo",
        &phrases(
            "en",
            "pl",
            &[
                ("You have 1 file.", "Masz 1 plik."),
                ("You have 2 files.", "Masz 2 pliki."),
                ("You have 5 files.", "Masz 5 plików."),
            ],
        ),
    );
    let file = "{\"files\": \"You have {n, plural, one {# file} other {# files}}.\"}\n";
    let run = translate(&bench, file, "json", &["--dialect", "icu", "--from", "en", "--to", "pl"]).code(0);
    assert_eq!(
        run.json()["files"],
        "{n, plural, one {Masz # plik.} few {Masz # pliki.} many {Masz # plików.} other {You have # files.}}"
    );
}

#[test]
fn android_plurals_get_an_item_for_each_category() {
    let file = "<resources>\n    <plurals name=\"files\">\n        <item quantity=\"one\">%d file</item>\n        \
                <item quantity=\"other\">%d files</item>\n    </plurals>\n</resources>\n";
    let expected = "<resources>\n    <plurals name=\"files\">\n        <item quantity=\"one\">%d plik</item>\n        \
                    <item quantity=\"few\">%d pliki</item>\n        <item quantity=\"many\">%d plików</item>\n        \
                    <item quantity=\"other\">%d files</item>\n    </plurals>\n</resources>\n";
    translate(&polish(), file, "android", &FROM_EN_TO_PL).code(0).prints(expected);
}

#[test]
fn rails_has_a_key_for_each_category() {
    let file = "en:\n  files:\n    one: \"%{count} file\"\n    other: \"%{count} files\"\n";
    let expected = "ja:\n  files:\n    other: \"%{count}個のファイル\"\n";
    let bench = with_phrases("echo", &phrases("en", "ja", &[("2 files", "2個のファイル")]));
    translate(&bench, file, "yaml", &["--dialect", "rails", "--from", "en", "--to", "ja"]).code(0).prints(expected);
}

#[test]
fn stringsdict_gets_a_rule_for_each_category() {
    let rule = |lines: &str| {
        format!(
            "<plist version=\"1.0\">\n<dict>\n\t<key>files</key>\n\t<dict>\n\t\t<key>NSStringLocalizedFormatKey</key>\n\t\t\
             <string>%#@n@</string>\n\t\t<key>n</key>\n\t\t<dict>\n\t\t\t<key>NSStringFormatSpecTypeKey</key>\n\t\t\t\
             <string>NSStringPluralRuleType</string>\n\t\t\t<key>NSStringFormatValueTypeKey</key>\n\t\t\t\
             <string>d</string>\n{lines}\t\t</dict>\n\t</dict>\n</dict>\n</plist>\n"
        )
    };
    let form = |key: &str, text: &str| format!("\t\t\t<key>{key}</key>\n\t\t\t<string>{text}</string>\n");
    let source = rule(&[form("one", "%d file"), form("other", "%d files")].concat());
    let target = rule(
        &[form("one", "%d plik"), form("few", "%d pliki"), form("many", "%d plików"), form("other", "%d files")]
            .concat(),
    );
    translate(&polish(), source, "stringsdict", &FROM_EN_TO_PL).code(0).prints(target);
}

#[test]
fn xcstrings_gets_the_variations_of_the_target() {
    let file = r#"{
  "sourceLanguage" : "en",
  "strings" : {
    "files" : {
      "localizations" : {
        "en" : {
          "variations" : {
            "plural" : {
              "one" : { "stringUnit" : { "state" : "translated", "value" : "%lld file" } },
              "other" : { "stringUnit" : { "state" : "translated", "value" : "%lld files" } }
            }
          }
        }
      }
    }
  },
  "version" : "1.0"
}
"#;
    let run = translate(&polish(), file, "xcstrings", &FROM_EN_TO_PL).code(0);
    let plural = &run.json()["strings"]["files"]["localizations"]["pl"]["variations"]["plural"];
    let value = |category: &str| plural[category]["stringUnit"]["value"].as_str().unwrap().to_owned();
    let values = ["one", "few", "many", "other"].map(value);
    assert_eq!(values, ["%lld plik", "%lld pliki", "%lld plików", "%lld files"]);
}

#[test]
fn recognizes_numbers_in_the_digits_of_the_target() {
    let arabic = &[
        ("0 files", "٠ ملفات"),
        ("1 file", "ملف واحد"),
        ("2 files", "ملفان"),
        ("3 files", "٣ ملفات"),
        ("11 files", "١١ ملفًا"),
        ("100 files", "١٠٠ ملف"),
    ];
    let bench = with_phrases("echo", &phrases("en", "ar", arabic));
    let file = "{\"files_one\": \"{{count}} file\", \"files_other\": \"{{count}} files\"}\n";
    let run = translate(&bench, file, "json", &["--from", "en", "--to", "ar"]).code(0);
    let json = run.json();
    assert_eq!(json["files_few"], "{{count}} ملفات");
    assert_eq!(json["files_many"], "{{count}} ملفًا");
    assert_eq!(json["files_two"], "{{count}} files", "the number is spelt out, so the placeholder itself is sent");
}

#[test]
fn russian_and_french_get_their_plural_categories() {
    let file = "{\"files_one\": \"{{count}} file\", \"files_other\": \"{{count}} files\"}\n";
    let russian = &[("21 file", "21 файл"), ("2 files", "2 файла"), ("5 files", "5 файлов")];
    let bench = with_phrases("echo", &phrases("en", "ru", russian));
    let json = translate(&bench, file, "json", &["--from", "en", "--to", "ru"]).code(0).json();
    assert_eq!(json["files_few"], "{{count}} файла");
    assert_eq!(json["files_many"], "{{count}} файлов");
    let french = &[("2 files", "2 fichiers"), ("0 files", "0 fichier"), ("1 file", "1 fichier")];
    let bench = with_phrases("echo", &phrases("en", "fr", french));
    let json = translate(&bench, file, "json", &["--from", "en", "--to", "fr"]).code(0).json();
    assert_eq!(json["files_one"], "{{count}} fichier");
    assert_eq!(json["files_other"], "{{count}} fichiers");
}

#[test]
fn a_lost_or_repeated_number_is_sent_again_as_a_placeholder() {
    for (why, result) in [("changed", "3 Dateien"), ("twice", "2 Dateien, 2 Dateien"), ("spelt out", "zwei Dateien")] {
        let tagged = "<x id=\"1\">{{count}}</x> files";
        let table = [("1 file", "1 Datei"), ("2 files", result), (tagged, "<x id=\"1\">{{count}}</x> Dateien")];
        let bench = with_phrases("echo", &phrases("en", "de", &table));
        let file = "{\"files_one\": \"{{count}} file\", \"files_other\": \"{{count}} files\"}\n";
        let run = translate(&bench, file, "json", &["--from", "en", "--to", "de"]).code(0);
        let expected = "{\"files_one\": \"{{count}} Datei\", \"files_other\": \"{{count}} Dateien\"}\n";
        assert_eq!(run.out(), expected, "{why}");
        let sent: Vec<_> = bench.requests().into_iter().map(|request| request["body"]["text"].clone()).collect();
        assert_eq!(sent, [serde_json::json!(["1 file", "2 files"]), serde_json::json!([tagged])], "{why}");
    }
}

/// Returns the forms and texts of all results.
fn listed(run: &crate::common::Run) -> Vec<(String, String)> {
    let all = run.json();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or("-").to_owned();
    all["translations"].as_array().unwrap().iter().map(|row| (text(&row["form"]), text(&row["text"]))).collect()
}

fn pairs<const N: usize>(expected: [(&str, &str); N]) -> Vec<(String, String)> {
    expected.map(|(form, text)| (form.to_owned(), text.to_owned())).to_vec()
}

#[test]
fn listed_results_name_their_forms() {
    let flags = [&FROM_EN_TO_PL[..], &["--json"]].concat();
    let file =
        "{\n  \"a\": \"Open\",\n  \"files_one\": \"{{count}} file\",\n  \"files_other\": \"{{count}} files\"\n}\n";
    let run = translate(&polish(), file, "json", &flags).code(0);
    let expected = [
        ("-", "Open"),
        ("one", "{{count}} plik"),
        ("few", "{{count}} pliki"),
        ("many", "{{count}} plików"),
        ("other", "{{count}} files"),
    ];
    assert_eq!(listed(&run), pairs(expected), "{run}");
    let file = "#, c-format\nmsgid \"%d file\"\nmsgid_plural \"%d files\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n";
    let run = translate(&polish(), file, "po", &flags).code(0);
    assert_eq!(listed(&run), pairs([("0", "%d plik"), ("1", "%d pliki"), ("2", "%d plików")]), "{run}");
    // All forms without a number share one text.
    let file = "<resources>\n<plurals name=\"a\">\n<item quantity=\"one\">A file</item>\n\
                <item quantity=\"other\">Files</item>\n</plurals>\n</resources>\n";
    let run = translate(&polish(), file, "android", &flags).code(0);
    assert_eq!(listed(&run), pairs([("one", "A file"), ("few,many,other", "Files")]), "{run}");
    let file = "{\"a\": \"{who, select, her {{n, plural, one {# file} other {# files}}} other {Files}}\"}\n";
    let flags = ["--dialect", "icu", "--from", "en", "--to", "ja", "--json"];
    let run = translate(&polish(), file, "json", &flags).code(0);
    assert_eq!(listed(&run), pairs([("her.other", "# files"), ("other", "Files")]), "{run}");
}

#[test]
fn results_of_each_target_have_the_forms_of_its_language() {
    let file = "{\"files_one\": \"{{count}} file\", \"files_other\": \"{{count}} files\"}\n";
    let run = translate(&polish(), file, "json", &["--from", "en", "--to", "de,pl", "--format", "jsonl"]).code(0);
    let rows: Vec<serde_json::Value> = run.out().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let forms = |target: &str| -> Vec<&str> {
        let own = rows.iter().filter(|row| row["target_lang"] == target);
        own.map(|row| row["form"].as_str().unwrap()).collect()
    };
    assert_eq!(forms("de"), ["one", "other"], "{run}");
    assert_eq!(forms("pl"), ["one", "few", "many", "other"], "{run}");
}
