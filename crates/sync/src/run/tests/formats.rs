//! Common file layouts: new and partial targets, and runs with echoed texts.

use super::{Tree, counts, echo, no_requests, upper};

/// A rule, its source, and the target that results if the service returns each text unchanged.
struct Layout {
    rule: &'static str,
    source: (&'static str, &'static str),
    target: (&'static str, &'static str),
}

const LAYOUTS: &[Layout] = &[
    Layout {
        rule: "source = \"en.json\"\ntarget = \"{lang}.json\"\n",
        source: ("en.json", "{\n\t\"b\": \"Save\",\r\n\t\"a\": { \"n\": 1, \"x\": [\"One\", \"T\\u0077o\"] }\n}"),
        target: ("de.json", "{\n\t\"b\": \"Save\",\r\n\t\"a\": { \"n\": 1, \"x\": [\"One\", \"T\\u0077o\"] }\n}"),
    },
    Layout {
        rule: "source = \"en.yml\"\ntarget = \"{lang}.yml\"\ndialect = \"rails\"\n",
        source: ("en.yml", "# first\nen:\n  a: 'Save' # note\n  b: >\n    Long\n    text\n"),
        target: ("de.yml", "# first\nde:\n  a: 'Save' # note\n  b: >\n    Long\n    text\n"),
    },
    Layout {
        rule: "source = \"res/values/strings.xml\"\ntarget = \"res/values-{lang}/strings.xml\"\n",
        source: (
            "res/values/strings.xml",
            "<resources>\n  <string name=\"a\">Save &amp; go</string>\n  <string name=\"k\" translatable=\"false\">x1</string>\n</resources>\n",
        ),
        target: (
            "res/values-de/strings.xml",
            "<resources>\n  <string name=\"a\">Save &amp; go</string>\n</resources>\n",
        ),
    },
    Layout {
        rule: "source = \"app_en.arb\"\ntarget = \"app_{lang}.arb\"\n",
        source: (
            "app_en.arb",
            "{\n  \"@@locale\": \"en\",\n  \"a\": \"Save {x}\",\n  \"@a\": { \"description\": \"Button\" }\n}\n",
        ),
        target: ("app_de.arb", "{\n  \"@@locale\": \"de\",\n  \"a\": \"Save {x}\"\n}\n"),
    },
    Layout {
        rule: "source = \"m.pot\"\ntarget = \"{lang}.po\"\n",
        source: (
            "m.pot",
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Language: \\n\"\n\n#. Button\nmsgid \"Save\"\nmsgstr \"\"\n",
        ),
        target: (
            "de.po",
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Language: de\\n\"\n\"MIME-Version: 1.0\\n\"\n\"Content-Transfer-Encoding: 8bit\\n\"\n\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n\n#. Button\nmsgid \"Save\"\nmsgstr \"Save\"\n",
        ),
    },
];

fn tree(layout: &Layout) -> Tree {
    Tree::new("de", &format!("[[sync.files]]\n{}", layout.rule), &[layout.source])
}

#[test]
fn a_target_with_unchanged_texts_has_the_layout_of_the_source_and_is_written_once() {
    for layout in LAYOUTS {
        let tree = tree(layout);
        tree.sync(echo).is_clean();
        assert_eq!(tree.read(layout.target.0), layout.target.1);
        let lock = tree.read("tulk.lock");
        for _ in 0..2 {
            let again = tree.sync(no_requests);
            assert_eq!(again.is_clean().outcome.written, 0, "{}", layout.rule);
            assert_eq!(
                (tree.read(layout.target.0), tree.read("tulk.lock")),
                (layout.target.1.to_owned(), lock.clone())
            );
        }
        assert_eq!(tree.read(layout.source.0), layout.source.1);
        assert_eq!(tree.findings(), Vec::<String>::new());
    }
}

#[test]
fn a_new_target_contains_no_source_text() {
    let source = "{\n  \"a\": \"Save\",\n  \"debug\": \"Dump\",\n  \"b\": \"Fail {{x}}\",\n  \"c\": \"Open\"\n}\n";
    let rule = "[[sync.files]]\nsource = \"en.json\"\ntarget = \"{lang}.json\"\ndialect = \"i18next\"\nexclude_keys = [\"debug\"]\n";
    let tree = Tree::new("de", rule, &[("en.json", source)]);
    let run = tree.sync(|lang, text| if text.contains("Fail") { Ok("lost".to_owned()) } else { upper(lang, text) });
    assert_eq!(tree.read("de.json"), "{\n  \"a\": \"de SAVE\",\n  \"c\": \"de OPEN\"\n}\n");
    assert_eq!(run.outcome.failed.len(), 1);
    assert_eq!(tree.authors(), ["en.json a de t", "en.json b de x", "en.json c de t"]);
}

#[test]
fn a_partial_target_keeps_its_bytes() {
    let files = [
        ("en/a.json", "{\n  \"a\": \"One\",\n  \"b\": \"Two\",\n  \"c\": \"Three\"\n}\n"),
        ("de/a.json", "{\n    \"z\":\"Alt\",\n    \"b\" :  \"Zwei\"}"),
    ];
    let tree = Tree::json("de", &files);
    let run = tree.sync(upper);
    assert_eq!(run.is_clean().sent(), ["de: One", "de: Three"]);
    let text = tree.read("de/a.json");
    assert!(text.starts_with("{\n    \"z\":\"Alt\",\n"), "{text}");
    assert!(text.contains("\"b\" :  \"Zwei\""), "{text}");
    assert_eq!(tree.authors(), ["en/a.json a de t", "en/a.json b de p", "en/a.json c de t"]);
    assert_eq!(tree.findings(), ["de z extra"]);
}

#[test]
fn po_files_without_a_template_are_their_own_source() {
    let po = "msgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\"MIME-Version: 1.0\\n\"\n\"Content-Transfer-Encoding: 8bit\\n\"\n\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n\nmsgid \"Save\"\nmsgstr \"\"\n\nmsgid \"Open\"\nmsgstr \"Auf\"\n";
    let tree = Tree::new("de", "[[sync.files]]\ntarget = \"{lang}.po\"\n", &[("de.po", po)]);
    assert_eq!(tree.sync(upper).is_clean().sent(), ["de: Save"]);
    assert_eq!(tree.read("de.po"), po.replacen("msgid \"Save\"\nmsgstr \"\"", "msgid \"Save\"\nmsgstr \"de SAVE\"", 1));
    assert_eq!(tree.authors(), ["{lang}.po Open de p", "{lang}.po Save de t"]);
    tree.edit("de.po", "msgid \"Save\"", "#, fuzzy\nmsgid \"Save\"");
    assert_eq!(tree.findings(), ["de Save stale"], "tulk wrote it");
    tree.edit("de.po", "msgid \"Open\"", "#, fuzzy\nmsgid \"Open\"");
    assert_eq!(tree.findings(), ["de Save stale", "de Open review"]);
    // gettext treats a changed source text as a new key; tulk's old translation remains as a fuzzy suggestion.
    tree.edit("de.po", "msgid \"Save\"", "#| msgid \"Save\"\nmsgid \"Save all\"");
    assert_eq!(tree.sync(upper).is_clean().sent(), ["de: Save all"]);
    assert!(tree.read("de.po").contains("\nmsgid \"Save all\"\nmsgstr \"de SAVE ALL\"\n"), "{}", tree.read("de.po"));
    assert_eq!(tree.findings(), ["de Open review"]);
}

#[test]
fn a_new_xliff_file_has_the_units_of_another_language_without_translations() {
    let unit = |id: &str, rest: &str| format!("<trans-unit id=\"{id}\"><source>{id}</source>{rest}</trans-unit>\n");
    let start = "<xliff version=\"1.2\"><file source-language=\"en\" target-language=\"fr\" original=\"a\"><body>\n";
    let end = "</body></file></xliff>\n";
    let french = [start, &unit("Open", "<target>Ouvrir</target>"), &unit("X", "<target>x</target>"), end].concat();
    let rule = "[[sync.files]]\ntarget = \"{lang}.xlf\"\nexclude_keys = [\"X\"]\n";
    let tree = Tree::new("fr de", rule, &[("fr.xlf", &french)]);
    assert_eq!(tree.sync(upper).is_clean().sent(), ["de: Open"]);
    let german = unit("Open", "<target state=\"translated\">de OPEN</target>");
    assert_eq!(tree.read("de.xlf"), [&start.replace("\"fr\"", "\"de\""), german.as_str(), end].concat());
    assert_eq!(tree.read("fr.xlf"), french);
}

#[test]
fn all_languages_of_xcstrings_are_in_one_file() {
    let source = "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n    \"Save\" : {\n\n    },\n    \"Open\" : {\n      \"comment\" : \"Button\"\n    }\n  },\n  \"version\" : \"1.0\"\n}";
    let tree = Tree::new("de fr", "[[sync.files]]\nsource = \"L.xcstrings\"\n", &[("L.xcstrings", source)]);
    let run = tree.sync(upper);
    assert_eq!(run.is_clean().sent(), ["de: Open", "de: Save", "fr: Open", "fr: Save"]);
    let text = tree.read("L.xcstrings");
    for value in ["de OPEN", "de SAVE", "fr OPEN", "fr SAVE"] {
        assert_eq!(text.matches(value).count(), 1, "{text}");
    }
    assert_eq!(counts(&tree.sync(no_requests)).get("missing"), None);
    assert_eq!(tree.read("L.xcstrings"), text);
}

#[test]
fn equal_texts_are_sent_once_unless_their_notes_differ() {
    let files =
        [("en/a.json", "{\"a\": \"Save\", \"b\": \"Open\"}"), ("en/b.json", "{\"a\": \"Save\", \"n\": \"Save\"}")];
    let rule = "[sync.notes]\nn = \"Sport\"\n[[sync.files]]\nsource = \"en/*.json\"\ntarget = \"{lang}/*.json\"\n";
    let tree = Tree::new("de", rule, &files);
    let run = tree.sync(upper);
    assert_eq!(run.is_clean().sent(), ["de: Open", "de: Save", "de: Save"]);
    let mut contexts: Vec<_> =
        run.requests.iter().map(|body| (body["context"].as_str(), body["text"].clone())).collect();
    contexts.sort_by_key(|(context, _)| *context);
    assert_eq!(contexts, [(None, serde_json::json!(["Save", "Open"])), (Some("Sport"), serde_json::json!(["Save"]))]);
    assert_eq!(tree.read("de/b.json"), "{\"a\": \"de SAVE\", \"n\": \"de SAVE\"}");
}

#[test]
fn a_space_in_a_string_catalog_counts_as_a_persons_translation() {
    let file = |de: &str| {
        let unit = |value: &str| format!("\"stringUnit\" : {{ \"state\" : \"translated\", \"value\" : \"{value}\" }}");
        let (de, en) = (unit(de), unit(" at "));
        format!(
            "{{ \"sourceLanguage\" : \"en\", \"strings\" : {{ \"time\" : {{ \"localizations\" : {{ \"de\" : {{ {de} }}, \"en\" : {{ {en} }} }} }} }} }}"
        )
    };
    for (value, written) in [(" ", " "), ("", " de AT ")] {
        let (before, after) = (file(value), file(written));
        let tree = Tree::new("de", "[[sync.files]]\nsource = \"a.xcstrings\"\n", &[("a.xcstrings", &before)]);
        tree.sync(upper).is_clean();
        assert_eq!(tree.read("a.xcstrings"), after);
    }
}
