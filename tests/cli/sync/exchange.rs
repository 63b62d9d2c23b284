//! `tulk sync export` and `import`: texts go to a translator and come back as a person's translations.

use super::{project, tulk};
use crate::common::Bench;

const PROJECT: &str = r#"[sync]
source_lang = "en"
target_langs = ["de", "pl"]

[sync.notes]
"cart.*" = "Shopping cart of a web shop"

[[sync.files]]
source = "locales/en/*.json"
target = "locales/{lang}/*.json"
dialect = "i18next"
"#;
const EN: &str = "{\n  \"title\": \"Garden & shop\",\n  \"cart\": {\n    \"add\": \"Add {{n}} to <b>cart</b>\",\n    \
                  \"items_one\": \"{{count}} item\",\n    \"items_other\": \"{{count}} items\"\n  }\n}\n";
/// A target with its own formatting, and a text by a person.
const DE: &str = "{\n\t\"title\" :   \"G\\u00e4rtnerei\" ,\n\t\"extra\": \"Mehr\"\n}";

fn shop() -> Bench {
    let bench = Bench::bare();
    bench.write("tulk.toml", PROJECT);
    bench.write("locales/en/app.json", EN);
    bench.write("locales/de/app.json", DE);
    bench
}

fn fill(bench: &Bench, file: &str, pairs: &[(&str, &str)]) {
    let mut text = bench.read(file);
    for (from, to) in pairs {
        assert!(text.contains(from), "{from} is not in {text}");
        text = text.replacen(from, to, 1);
    }
    bench.write(file, text);
}

#[test]
fn xliff_round_trips() {
    let bench = shop();
    let run = tulk(&bench, "sync export --lang de -o shop.xlf").code(0).prints("");
    run.says(
        "wrote shop.xlf: 2 texts (2 missing)\nhint: import the translations later with `tulk sync import shop.xlf`\n",
    );
    assert_eq!(
        bench.read("shop.xlf"),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\n  \
         <file original=\"locales/en/app.json\" source-language=\"en\" target-language=\"de\" datatype=\"plaintext\">\n    \
         <body>\n      \
         <trans-unit id=\"cart.add\" resname=\"cart.add\" xml:space=\"preserve\">\n        \
         <source>Add {{n}} to &lt;b&gt;cart&lt;/b&gt;</source>\n        \
         <note from=\"developer\">Shopping cart of a web shop</note>\n      \
         </trans-unit>\n      \
         <trans-unit id=\"cart.items[one]\" resname=\"cart.items[one]\" xml:space=\"preserve\">\n        \
         <source>{{count}} item</source>\n        \
         <note from=\"developer\">Shopping cart of a web shop</note>\n      \
         </trans-unit>\n      \
         <trans-unit id=\"cart.items[other]\" resname=\"cart.items[other]\" xml:space=\"preserve\">\n        \
         <source>{{count}} items</source>\n        \
         <note from=\"developer\">Shopping cart of a web shop</note>\n      \
         </trans-unit>\n    \
         </body>\n  \
         </file>\n\
         </xliff>\n"
    );
    tulk(&bench, "sync import shop.xlf").code(0).prints("locales/en/app.json\tde\tuntranslated\t2\n");
    assert_eq!(bench.read("locales/de/app.json"), DE);
    let target = |text: &str| format!("</source><target state=\"translated\">{text}</target>");
    fill(
        &bench,
        "shop.xlf",
        &[
            ("cart&lt;/b&gt;</source>", &format!("cart&lt;/b&gt;{}", target("{{n}} in den &lt;b&gt;Korb&lt;/b&gt;"))),
            ("item</source>", &format!("item{}", target("{{count}} Artikel"))),
            ("items</source>", &format!("items{}", target("{{count}} Artikel"))),
        ],
    );
    let rows = "locales/en/app.json\tde\timported\t2\n";
    tulk(&bench, "sync import shop.xlf --dry-run").code(0).prints(rows);
    assert!(bench.read("locales/de/app.json") == DE && !bench.path("tulk.lock").exists());
    tulk(&bench, "sync import shop.xlf").code(0).prints(rows).says_nothing();
    assert_eq!(
        bench.read("locales/de/app.json"),
        "{\n\t\"title\" :   \"G\\u00e4rtnerei\" ,\n\t\"cart\" :   {\n\t\t\"add\" :   \"{{n}} in den <b>Korb</b>\",\n\t\t\
         \"items_one\" :   \"{{count}} Artikel\",\n\t\t\"items_other\" :   \"{{count}} Artikel\"\n\t},\n\t\"extra\": \"Mehr\"\n}"
    );
    tulk(&bench, "sync --check --to de").code(0).prints("");
    assert!(bench.read("tulk.lock").contains("cart.add\tde:p:"), "{}", bench.read("tulk.lock"));
    tulk(&bench, "sync import shop.xlf").code(0).prints("locales/en/app.json\tde\tunchanged\t2\n");
    tulk(&bench, "sync export --lang de").code(0).prints("").says("no text in de needs a translator\n");
}

#[test]
fn the_other_formats_round_trip() {
    for (file, flags, from, to) in [
        ("a.xliff", "--format xliff2", "</source>", "</source><target>Titel</target>"),
        ("a.po", "", "\"Garden & shop\"\nmsgstr \"\"", "\"Garden & shop\"\nmsgstr \"Titel\""),
        ("a.csv", "", "shop,,", "shop,Titel,"),
        ("a.txt", "--format csv", "shop,,", "shop,Titel,"),
    ] {
        let bench = shop();
        bench.write("locales/de/app.json", "{}\n");
        let line = format!("sync export --to de --key title -o {file} {flags}");
        tulk(&bench, line.trim_end()).code(0);
        fill(&bench, file, &[(from, to)]);
        tulk(&bench, &format!("sync import {file}")).code(0).prints("locales/en/app.json\tde\timported\t1\n");
        assert_eq!(bench.read("locales/de/app.json"), "{\n  \"title\": \"Titel\"\n}\n", "{file}");
    }
}

#[test]
fn importing_an_untouched_file_changes_nothing() {
    let bench = project(&[("locales/en/a.json", "{\"a\": \"One\", \"b\": \"Two\"}\n")]);
    tulk(&bench, "sync").code(0);
    let (before, lock) = (bench.read("locales/de/a.json"), bench.read("tulk.lock"));
    let unchanged = "locales/en/a.json\tde\tunchanged\t2\n";
    for file in ["a.xlf", "a.po", "a.csv"] {
        tulk(&bench, &format!("sync export --to de -o {file}")).code(0).says(": 2 texts (2 current)\n");
        tulk(&bench, &format!("sync import {file}")).code(0).prints(unchanged);
    }
    tulk(&bench, "sync export --to de --format xliff2 -o a2.xlf").code(0);
    tulk(&bench, "sync import a2.xlf").code(0).prints(unchanged);
    assert_eq!((bench.read("locales/de/a.json"), bench.read("tulk.lock")), (before, lock));
    // A person who confirms a text takes responsibility for it.
    fill(&bench, "a.xlf", &[("needs-review-translation", "final")]);
    tulk(&bench, "sync import a.xlf")
        .code(0)
        .prints("locales/en/a.json\tde\taccepted\t1\nlocales/en/a.json\tde\tunchanged\t1\n");
    tulk(&bench, "sync export --to de -o b.xlf").code(0).says(": 1 text (1 current)\n");
    // Later runs do not translate it again.
    let sent = bench.requests().len();
    bench.write("locales/en/a.json", "{\"a\": \"First\", \"b\": \"Two\"}\n");
    tulk(&bench, "sync --to de").code(0);
    assert_eq!(bench.requests().len(), sent);
    tulk(&bench, "sync --check --to de --columns key,state").code(1).prints("a\treview\n");
}

#[test]
fn refuses_broken_translations_individually() {
    let bench = shop();
    tulk(&bench, "sync export --to pl -o pl.csv").code(0).says("wrote pl.csv: 3 texts (3 missing)\n");
    fill(
        &bench,
        "pl.csv",
        &[
            ("shop,,", "shop,Sklep,"),
            ("</b>,,", "</b>,Dodaj do <b>koszyka</b>,"),
            ("item,,", "item,{{count}} rzecz,"),
            ("items,,", "items,{{count}} rzeczy,"),
        ],
    );
    let csv = bench.read("pl.csv") + "locales/en/app.json,gone,Gone,Nie ma,missing,\n";
    bench.write("pl.csv", csv);
    tulk(&bench, "sync import pl.csv")
        .code(9)
        .says("error: pl.csv:8:1: gone: the project has no such text\n")
        .says("error: pl.csv:3:1: cart.add: the placeholder {{n}} is missing\n")
        .says("hint: 1 text is marked as unfinished or incomplete; --unfinished takes what is complete\n")
        .says("error: 2 texts were not imported\n")
        .prints(
            "locales/en/app.json\tpl\timported\t1\nlocales/en/app.json\tpl\tunfinished\t1\n\
             locales/en/app.json\tpl\trefused\t1\n",
        );
    assert_eq!(bench.read("locales/pl/app.json"), "{\n  \"title\": \"Sklep\"\n}\n");
    tulk(&bench, "sync import pl.csv --no-check").code(9).says("error: 1 text was not imported\n");
    assert!(bench.read("locales/pl/app.json").contains("Dodaj do <b>koszyka</b>"));
    // All plural forms.
    fill(&bench, "pl.csv", &[("items,,", "items,{{count}} rzeczy,"), ("items,,", "items,{{count}} rzeczy,")]);
    let run = tulk(&bench, "sync import pl.csv --json").code(9);
    assert_eq!(
        run.json()[0],
        serde_json::json!({"file": "locales/en/app.json", "target_lang": "pl", "state": "imported", "texts": 1})
    );
    for form in ["one", "few", "many", "other"] {
        assert!(bench.read("locales/pl/app.json").contains(&format!("\"items_{form}\": \"{{{{count}}}} rzecz")));
    }
}

#[test]
fn a_translation_of_an_older_source_needs_review() {
    let bench = shop();
    tulk(&bench, "sync export --to de --state missing,edited --key title -o de.csv").code(0);
    fill(&bench, "de.csv", &[("Gärtnerei", "Gartenladen")]);
    bench.write("locales/en/app.json", EN.replace("Garden & shop", "Garden and shop"));
    // The existing text is by a person.
    tulk(&bench, "sync import de.csv")
        .code(2)
        .says("error: confirmation required: replace 1 translation that a person has changed since the export\n");
    assert_eq!(bench.read("locales/de/app.json"), DE);
    let run = tulk(&bench, "sync import de.csv --yes").code(0).prints("locales/en/app.json\tde\treview\t1\n");
    run.says("warning: de.csv:2:1: title: its source has changed since the export; the translation is in review\n");
    assert_eq!(bench.read("locales/de/app.json"), DE.replace("G\\u00e4rtnerei", "Gartenladen"));
    let review = "title\treview\tthe source text has changed since a person wrote the translation\n";
    tulk(&bench, "sync --check --to de --key title --columns key,state,message").code(1).prints(review);
}

#[test]
fn unfinished_texts_are_imported_only_on_request() {
    let bench = shop();
    tulk(&bench, "sync export --to de --key cart.add -o de.po").code(0);
    fill(
        &bench,
        "de.po",
        &[("msgctxt", "#, fuzzy\nmsgctxt"), ("cart</b>\"\nmsgstr \"\"", "cart</b>\"\nmsgstr \"{{n}} <b>x</b>\"")],
    );
    let run = tulk(&bench, "sync import de.po").code(0).prints("locales/en/app.json\tde\tunfinished\t1\n");
    run.says("hint: 1 text is marked as unfinished or incomplete; --unfinished takes what is complete\n");
    assert_eq!(bench.read("locales/de/app.json"), DE);
    tulk(&bench, "sync import de.po --unfinished").code(0).prints("locales/en/app.json\tde\timported\t1\n");
}

#[test]
fn mistakes_get_a_hint() {
    let bench = shop();
    tulk(&bench, "sync export")
        .code(2)
        .says("error: a file for a translator has one language\n  hint: choose one with --to: de, pl\n");
    bench.write("shop.csv", "mine\n");
    tulk(&bench, "sync export --to de -o shop.csv").code(2).says("error: shop.csv exists\n  hint: --force replaces it");
    assert_eq!(bench.read("shop.csv"), "mine\n");
    tulk(&bench, "sync import shop.csv")
        .code(2)
        .says("error: shop.csv:1:1: the file is neither XLIFF nor PO, nor a table");
    tulk(&bench, "sync export --to de -o shop.csv --force").code(0);
    tulk(&bench, "sync import shop.csv --to fr")
        .code(2)
        .says("error: --to fr: the project has no such target language\n");
    fill(&bench, "shop.csv", &[("en,de", "en,fr")]);
    tulk(&bench, "sync import shop.csv").code(2).says(
        "error: shop.csv is in `fr`, which is not a target language of the project\n  hint: choose the language with --to: de, pl\n",
    );
    fill(&bench, "shop.csv", &[("en,fr", "en-US,de_DE")]);
    tulk(&bench, "sync import shop.csv").code(0).prints("locales/en/app.json\tde\tuntranslated\t2\n");
    tulk(&bench, "sync import gone.xlf").code(2).says("error: cannot read gone.xlf");
    tulk(&bench, "sync export --to de --json").code(2);
    let run = tulk(&bench, "sync export --to de -o shop.xlsx").code(2);
    run.says(
        "error: -o: unknown file extension .xlsx\n  hint: end the name with .xlf, .po or .csv, or choose the format",
    );
    assert!(!bench.path("shop.xlsx").exists());
    tulk(&bench, "sync export --to de -o dry.xlf --dry-run").code(0).says("would write dry.xlf: 2 texts (2 missing)\n");
    assert!(!bench.path("dry.xlf").exists(), "a dry run writes nothing");
    let run = tulk(&bench, "sync export --to de -o - --key title --state edited --format csv").code(0);
    run.prints("file,key,en,de,state,note\nlocales/en/app.json,title,Garden & shop,Gärtnerei,edited,\n").says_nothing();
}

#[test]
fn refuses_an_unrelated_file() {
    let bench = shop();
    tulk(&bench, "sync export --to de -o de.csv").code(0);
    let run = tulk(&bench, "sync import de.csv --to pl").code(2);
    run.says("error: confirmation required: import translations from a file in de as pl\n");
    tulk(&bench, "sync import de.csv --to pl --yes").code(0);
    // One line for the file, not one per text.
    let text = bench.read("de.csv").replace("locales/en/app.json", "app.json");
    bench.write("de.csv", text);
    tulk(&bench, "sync import de.csv").code(2).prints("").says(
        "error: the project has none of the texts in de.csv\n  \
         hint: import a file written by `tulk sync export`, with its file names and keys unchanged\n",
    );
    bench.write("de.csv", "file,key,en,de\n");
    tulk(&bench, "sync import de.csv").code(2).says("error: de.csv has no texts\n");
}

#[test]
fn a_catalogue_with_both_languages_keeps_everything_else() {
    let bench = Bench::bare();
    let config = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n[[sync.files]]\ntarget = \"{lang}.po\"\n";
    bench.write("tulk.toml", config);
    let header = "msgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n\n";
    let po = format!(
        "{header}# Ada\n#: a.c:3\n#, c-format, fuzzy\nmsgid \"%d of %s\"\nmsgstr \"%d vn %s\"\n\n\
         msgctxt \"menu\"\nmsgid \"File\"\nmsgid_plural \"Files\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n"
    );
    bench.write("de.po", &po);
    tulk(&bench, "sync export --to de -o out.xlf").code(0).says("wrote out.xlf: 2 texts (1 review, 1 missing)\n");
    fill(
        &bench,
        "out.xlf",
        &[
            ("<target state=\"needs-review-translation\">%d vn %s", "<target state=\"signed-off\">%d von %s"),
            ("<source>File</source>", "<source>File</source><target>Datei</target>"),
            ("<source>Files</source>", "<source>Files</source><target>Dateien</target>"),
        ],
    );
    tulk(&bench, "sync import out.xlf").code(0).prints("{lang}.po\tde\timported\t2\n");
    let expected = po.replace(", fuzzy", "").replace(" vn ", " von ").replace("[0] \"\"", "[0] \"Datei\"");
    assert_eq!(bench.read("de.po"), expected.replace("[1] \"\"", "[1] \"Dateien\""));
    tulk(&bench, "sync --check").code(0).prints("");
}
