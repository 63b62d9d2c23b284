//! Projects in the layouts of frameworks, with a service that echoes texts: of three runs, only the first changes anything.

use super::tulk;
use crate::common::Bench;

/// A project: its rule, its files, and a target after the first run.
struct Project<'a> {
    rule: &'a str,
    files: &'a [(&'a str, &'a str)],
    target: (&'a str, String),
}

/// Runs sync three times. Only the first run sends anything, and only texts change in the file.
fn check(project: &Project<'_>) {
    let bench = Bench::with(&["--engine", "echo"]);
    let config = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n\n[[sync.files]]\n".to_owned() + project.rule;
    bench.write("tulk.toml", config);
    for (name, text) in project.files {
        bench.write(name, text);
    }
    let (path, expected) = &project.target;
    tulk(&bench, "sync").code(0);
    assert_eq!(bench.read(path), *expected);
    let (sent, lock) = (bench.requests().len(), bench.read("tulk.lock"));
    assert!(sent > 0, "{path}");
    for _ in 0..2 {
        tulk(&bench, "sync").code(0);
        assert_eq!(bench.read(path), *expected);
        assert_eq!((bench.requests().len(), bench.read("tulk.lock")), (sent, lock.clone()), "{path}");
    }
    for (name, text) in project.files.iter().filter(|(name, _)| name != path) {
        assert_eq!(bench.read(name), *text);
    }
    tulk(&bench, "sync --check").code(0).prints("");
}

#[test]
fn rails() {
    let source = "# Texts of the shop\nen:\n  shop:\n    title: 'Welcome' # on the start page\n    \"no\": \"No\"\n    order: Order %{number}\n    items:\n      one: \"%{count} item\"\n      other: \"%{count} items\"\n    text: |\n      First line\n      second line\n    empty:\n    max: 1.50\n";
    check(&Project {
        rule: "source = \"config/locales/en.yml\"\ntarget = \"config/locales/{lang}.yml\"\n",
        files: &[("config/locales/en.yml", source)],
        target: ("config/locales/de.yml", source.replace("en:\n", "de:\n")),
    });
}

#[test]
fn flutter() {
    let source = "{\n  \"@@locale\": \"en\",\n  \"title\": \"Notes\",\n  \"@title\": { \"description\": \"Title of the list\" },\n  \"count\": \"{n, plural, =0{None} one{# note} other{# notes}}\",\n  \"done\": \"Done\"\n}\n";
    let target =
        source.replace("\"en\"", "\"de\"").replace("  \"@title\": { \"description\": \"Title of the list\" },\n", "");
    check(&Project {
        rule: "source = \"lib/l10n/app_en.arb\"\ntarget = \"lib/l10n/app_{lang}.arb\"\n",
        files: &[("lib/l10n/app_en.arb", source)],
        target: ("lib/l10n/app_de.arb", target),
    });
}

#[test]
fn android() {
    let source = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<resources xmlns:xliff=\"urn:oasis:names:tc:xliff:document:1.2\">\n    <!-- Start page -->\n    <string name=\"title\">Welcome, <xliff:g id=\"name\">%1$s</xliff:g>! It\\'s &lt;b>here&lt;/b> <b>now</b></string>\n    <string name=\"html\"><![CDATA[<a href=\"x\">Link</a>]]></string>\n    <string name=\"url\" translatable=\"false\">https://example.com</string>\n    <plurals name=\"items\">\n        <item quantity=\"one\">%d item</item>\n        <item quantity=\"other\">%d items</item>\n    </plurals>\n    <string-array name=\"colours\">\n        <item>Red</item>\n        <item>Green</item>\n    </string-array>\n    <color name=\"accent\">#ff0000</color>\n</resources>\n";
    let target = source
        .replace("    <string name=\"url\" translatable=\"false\">https://example.com</string>\n", "")
        .replace("    <color name=\"accent\">#ff0000</color>\n", "");
    check(&Project {
        rule: "source = \"res/values/strings.xml\"\ntarget = \"res/values-{lang}/strings.xml\"\nlang_style = \"android\"\n",
        files: &[("res/values/strings.xml", source)],
        target: ("res/values-de/strings.xml", target),
    });
}

#[test]
fn xcode() {
    let source = "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n    \"Open %@\" : {\n      \"comment\" : \"Menu\"\n    },\n    \"Quit\" : {\n      \"localizations\" : {\n        \"fr\" : {\n          \"stringUnit\" : {\n            \"state\" : \"needs_review\",\n            \"value\" : \"Quitter\"\n          }\n        }\n      }\n    }\n  },\n  \"version\" : \"1.0\"\n}\n";
    let unit = |text: &str| {
        format!(
            "        \"de\" : {{\n          \"stringUnit\" : {{\n            \"state\" : \"translated\",\n            \"value\" : \"{text}\"\n          }}\n        }}"
        )
    };
    let target = source
        .replace("\"Menu\"\n", &format!("\"Menu\",\n      \"localizations\" : {{\n{}\n      }}\n", unit("Open %@")))
        .replace("        \"fr\"", &format!("{},\n        \"fr\"", unit("Quit")));
    check(&Project {
        rule: "source = \"Localizable.xcstrings\"\n",
        files: &[("Localizable.xcstrings", source)],
        target: ("Localizable.xcstrings", target),
    });
}

#[test]
fn xliff_1() {
    let source = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\n  <file source-language=\"en\" target-language=\"de\" datatype=\"plaintext\" original=\"app\">\n    <body>\n      <trans-unit id=\"title\" datatype=\"html\">\n        <source>Welcome, <x id=\"INTERPOLATION\" equiv-text=\"{{name}}\"/>!</source>\n        <note priority=\"1\" from=\"description\">Start page</note>\n      </trans-unit>\n      <trans-unit id=\"two\">\n        <source>One. Two.</source>\n        <seg-source><mrk mtype=\"seg\" mid=\"1\">One.</mrk> <mrk mtype=\"seg\" mid=\"2\">Two.</mrk></seg-source>\n        <target><mrk mtype=\"seg\" mid=\"1\"/> <mrk mtype=\"seg\" mid=\"2\"/></target>\n      </trans-unit>\n    </body>\n  </file>\n</xliff>\n";
    let title = "Welcome, <x id=\"INTERPOLATION\" equiv-text=\"{{name}}\"/>!";
    let two = "<mrk mtype=\"seg\" mid=\"1\">One.</mrk> <mrk mtype=\"seg\" mid=\"2\">Two.</mrk>";
    let target = source
        .replace("!</source>\n", &format!("!</source>\n        <target state=\"translated\">{title}</target>\n"))
        .replace(&two.replace(">One.</mrk", "/").replace(">Two.</mrk", "/"), two)
        .replace("<target><mrk", "<target state=\"translated\"><mrk");
    check(&Project {
        rule: "target = \"messages.{lang}.xlf\"\n",
        files: &[("messages.de.xlf", source)],
        target: ("messages.de.xlf", target),
    });
}

#[test]
fn xliff_2() {
    let source = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xliff version=\"2.0\" xmlns=\"urn:oasis:names:tc:xliff:document:2.0\" srcLang=\"en\" trgLang=\"de\">\n  <file id=\"f\">\n    <unit id=\"long\">\n      <segment id=\"s1\" state=\"final\">\n        <source>One.</source>\n        <target>Eins.</target>\n      </segment>\n      <ignorable>\n        <source> </source>\n      </ignorable>\n      <segment id=\"s2\">\n        <source>Two <pc id=\"0\">bold</pc>.</source>\n      </segment>\n      <segment>\n        <source>Three.</source>\n        <target/>\n      </segment>\n    </unit>\n  </file>\n</xliff>\n";
    let target = source
        .replace("bold</pc>.</source>\n", "bold</pc>.</source>\n        <target>Two <pc id=\"0\">bold</pc>.</target>\n")
        .replace("<segment id=\"s2\">", "<segment state=\"translated\" id=\"s2\">")
        .replace("<segment>\n", "<segment state=\"translated\">\n")
        .replace("<target/>", "<target>Three.</target>");
    check(&Project {
        rule: "target = \"messages.{lang}.xlf\"\n",
        files: &[("messages.de.xlf", source)],
        target: ("messages.de.xlf", target),
    });
}

#[test]
fn spring() {
    let source =
        "# Texts of the shop\ntitle = Welcome, {0}\\u0021\ntotal : It''s {1} \\\n        of {0}\nquote=Don't\nempty=\n";
    check(&Project {
        rule: "source = \"messages.properties\"\ntarget = \"messages_{lang}.properties\"\ndialect = \"spring\"\n",
        files: &[("messages.properties", source)],
        target: ("messages_de.properties", source.to_owned()),
    });
}

#[test]
fn gettext() {
    let source = "# Texts of the shop\nmsgid \"\"\nmsgstr \"\"\n\"Language: \\n\"\n\"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Content-Transfer-Encoding: 8bit\\n\"\n\"Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n\"\n\n#. On the start page\n#: shop/views.py:12\n#, python-format\nmsgid \"Welcome, %(name)s\"\nmsgstr \"\"\n\n#, qt-format\nmsgid \"%1s left\"\nmsgstr \"\"\n\n#, python-format\nmsgid \"%(count)d item\"\nmsgid_plural \"%(count)d items\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n";
    let target = source
        .replace("Language: \\n", "Language: de\\n")
        .replace("nplurals=INTEGER; plural=EXPRESSION;", "nplurals=2; plural=(n != 1);")
        .replace("%(name)s\"\nmsgstr \"\"", "%(name)s\"\nmsgstr \"Welcome, %(name)s\"")
        .replace("left\"\nmsgstr \"\"", "left\"\nmsgstr \"%1s left\"")
        .replace("[0] \"\"", "[0] \"%(count)d item\"")
        .replace("[1] \"\"", "[1] \"%(count)d items\"");
    check(&Project {
        rule: "source = \"po/shop.pot\"\ntarget = \"po/{lang}.po\"\n",
        files: &[("po/shop.pot", source)],
        target: ("po/de.po", target),
    });
}
