//! Echoed texts change no byte of a catalogue, and upper-case results change only texts.

use super::translate;
use crate::common::Bench;

/// A format, a file, and its changes if the service answers in upper case.
type CatalogueCase = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// A catalogue of each format in the layout of a framework that uses it.
const CATALOGUES: &[CatalogueCase] = &[
    (
        "json",
        I18NEXT,
        &[WELCOME, ("Add to cart", "ADD TO CART"), ("Step one", "STEP ONE"), ("} item", "} ITEM"), ("ITEMs", "ITEMS")],
    ),
    (
        "arb",
        ARB,
        &[("Welcome back", "WELCOME BACK"), ("No items", "NO ITEMS"), ("# items", "# ITEMS"), ("# item", "# ITEM")],
    ),
    ("yaml", RAILS, &[WELCOME, ("Order %", "ORDER %"), ("} item", "} ITEM"), ("ITEMs", "ITEMS")]),
    ("toml", GO_I18N, &[WELCOME, ("} item", "} ITEM"), ("ITEMs", "ITEMS")]),
    (
        "po",
        PO,
        &[
            ("\nmsgstr \"\"\n\nmsgctxt", "\nmsgstr \"WELCOME, %(name)s\"\n\nmsgctxt"),
            ("Öffnen", "OPEN"),
            ("[0] \"%(count)d Artikel", "[0] \"%(count)d ITEM"),
            ("Artikel", "ITEMS"),
        ],
    ),
    ("properties", PROPERTIES, &[WELCOME, ("Total amount \\\n        of the order", "TOTAL AMOUNT OF THE ORDER")]),
    (
        "android",
        ANDROID,
        &[WELCOME, ("%d item<", "%d ITEM<"), ("%d items", "%d ITEMS"), ("Red", "RED"), ("Green", "GREEN")],
    ),
    ("strings", STRINGS, &[WELCOME, ("Delete", "DELETE")]),
    ("stringsdict", STRINGSDICT, &[("%d file<", "%d FILE<"), ("%d files", "%d FILES")]),
    ("xcstrings", XCSTRINGS, &[("Öffnen", "OPEN")]),
    (
        "xliff",
        XLIFF,
        &[
            ("state=\"new\">Willkommen", "state=\"translated\">WELCOME"),
            ("<source>Open</source>", "<source>Open</source>\n        <target state=\"translated\">OPEN</target>"),
        ],
    ),
    ("resx", RESX, &[WELCOME]),
    ("php", LARAVEL, &[WELCOME, ("Sign in", "SIGN IN"), ("one apple|:count apples", "ONE APPLE|:count APPLES")]),
    ("ftl", FLUENT, &[WELCOME, ("} emails", "} EMAILS"), ("} email", "} EMAIL")]),
];

const WELCOME: (&str, &str) = ("Welcome", "WELCOME");

const I18NEXT: &str = r#"{
    "title": "Welcome, {{name}}!",
    "cart": {
        "add" : "Add to cart",
        "count_one": "{{count}} item",
        "count_other": "{{count}} items"
    },
    "steps": ["Step one", ""],
    "limit": 1.50, "beta": true
}
"#;

const ARB: &str = r#"{
  "@@locale": "de",
  "welcome": "Welcome back, {name}",
  "@welcome": {
    "description": "Greeting",
    "placeholders": { "name": {} }
  },
  "items": "{n, plural, =0{No items} one{# item} other{# items}}"
}
"#;

const RAILS: &str = "\
# Texts of the shop
de:
  shop:
    title: 'Welcome' # on the start page
    order: Order %{number}
    items:
      one: \"%{count} item\"
      other: \"%{count} items\"
    empty:
";

const GO_I18N: &str = "\
# texts
title = \"Welcome\"

[items] # plural
one = '{{.PluralCount}} item'
other = '{{.PluralCount}} items'
";

const PO: &str = "\
msgid \"\"
msgstr \"\"
\"Language: de\\n\"
\"Content-Type: text/plain; charset=UTF-8\\n\"
\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"

#. On the start page
#: shop/views.py:12
msgid \"Welcome, %(name)s\"
msgstr \"\"

msgctxt \"menu\"
msgid \"Open\"
msgstr \"Öffnen\"

#, python-format
msgid \"%(count)d item\"
msgid_plural \"%(count)d items\"
msgstr[0] \"%(count)d Artikel\"
msgstr[1] \"%(count)d Artikel\"

#~ msgid \"Old\"
#~ msgstr \"Alt\"
";

const PROPERTIES: &str = "\
# Texts of the shop
title = Welcome, {0}
total : Total amount \\
        of the order
empty=
";

const ANDROID: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">
    <!-- Start page -->
    <string name="title">Welcome, <xliff:g id="name">%1$s</xliff:g>!</string>
    <string name="url" translatable="false">https://example.com</string>
    <plurals name="items">
        <item quantity="one">%d item</item>
        <item quantity="other">%d items</item>
    </plurals>
    <string-array name="colours">
        <item>Red</item>
        <item>Green</item>
    </string-array>
    <color name="accent">#ff0000</color>
</resources>
"#;

const STRINGS: &str = "\
/* Start page */
\"title\" = \"Welcome, %@\";

// Menu
\"delete\" = \"Delete\";
";

const STRINGSDICT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>files</key>
	<dict>
		<key>NSStringLocalizedFormatKey</key>
		<string>%#@count@</string>
		<key>count</key>
		<dict>
			<key>NSStringFormatSpecTypeKey</key>
			<string>NSStringPluralRuleType</string>
			<key>NSStringFormatValueTypeKey</key>
			<string>d</string>
			<key>one</key>
			<string>%d file</string>
			<key>other</key>
			<string>%d files</string>
		</dict>
	</dict>
</dict>
</plist>
"#;

const XLIFF: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file source-language="en" target-language="de" datatype="plaintext" original="app">
    <body>
      <trans-unit id="title" datatype="html">
        <source>Welcome, <x id="INTERPOLATION" equiv-text="{{name}}"/>!</source>
        <target state="new">Willkommen, <x id="INTERPOLATION" equiv-text="{{name}}"/>!</target>
        <note priority="1" from="description">Start page</note>
      </trans-unit>
      <trans-unit id="open">
        <source>Open</source>
      </trans-unit>
    </body>
  </file>
</xliff>
"#;

const RESX: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<root>
  <resheader name="resmimetype">
    <value>text/microsoft-resx</value>
  </resheader>
  <data name="Title" xml:space="preserve">
    <value>Welcome, {0}</value>
    <comment>Start page</comment>
  </data>
</root>
"#;

const LARAVEL: &str = "\
<?php

return [
    // Start page
    'title' => 'Welcome, :name',
    'auth' => [
        'login' => \"Sign in\",
        'apples' => 'one apple|:count apples',
    ],
];
";

const FLUENT: &str = "\
# Start page
title = Welcome, { $user }!
emails =
    { $count ->
        [one] { $count } email
       *[other] { $count } emails
    }
";

const XCSTRINGS: &str = r#"{
  "sourceLanguage" : "en",
  "strings" : {
    "Open" : {
      "comment" : "Menu",
      "localizations" : {
        "de" : {
          "stringUnit" : {
            "state" : "translated",
            "value" : "Öffnen"
          }
        }
      }
    }
  },
  "version" : "1.0"
}
"#;

#[test]
fn echoed_texts_change_no_byte() {
    let bench = Bench::new();
    let is_bilingual = |format: &str| ECHOED.iter().any(|(other, ..)| *other == format);
    for (format, file, _) in CATALOGUES.iter().filter(|(format, ..)| !is_bilingual(format)) {
        for text in [(*file).to_owned(), file.replace('\n', "\r\n"), format!("\u{feff}{file}")] {
            let run = translate(&bench, &text, format, &["--from", "en", "--to", "de"]);
            assert_eq!(run.code, 0, "{format}: {run}");
            assert_eq!(run.out(), text, "{format}");
        }
    }
}

/// Files with both languages, and their changes if every text is echoed. Old, empty and fuzzy translations are replaced.
const ECHOED: &[CatalogueCase] = &[
    (
        "po",
        PO,
        &[
            ("\nmsgstr \"\"\n\nmsgctxt", "\nmsgstr \"Welcome, %(name)s\"\n\nmsgctxt"),
            ("Öffnen", "Open"),
            ("[0] \"%(count)d Artikel", "[0] \"%(count)d item"),
            ("Artikel", "items"),
        ],
    ),
    (
        "po",
        FUZZY_PO,
        &[("msgstr \"\"\n\n#", "msgstr \"%d\"\n\n#"), ("#, fuzzy, c-format\n", "#, c-format\n"), ("#, fuzzy\n", "")],
    ),
    ("xcstrings", XCSTRINGS, &[("Öffnen", "Open")]),
    (
        "xcstrings",
        SUBSTITUTIONS,
        &[("\"%#@posts@ %#@people@\"", "\"%#@posts@ by %#@people@\""), ("od %arg osób", "%arg")],
    ),
    (
        "xliff",
        XLIFF,
        &[
            ("state=\"new\">Willkommen", "state=\"translated\">Welcome"),
            ("<source>Open</source>", "<source>Open</source>\n        <target state=\"translated\">Open</target>"),
        ],
    ),
];

const FUZZY_PO: &str = "\
msgid \"\"
msgstr \"\"
\"Language: de\\n\"
\"Content-Type: text/plain; charset=UTF-8\\n\"
\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"

#, fuzzy, c-format
msgid \"Version %s\"
msgstr \"Version %s\"

#, c-format
msgid \"%d\"
msgstr \"\"

#, fuzzy
msgid \"%\"
msgstr \"%\"

msgid \"°\"
msgstr \"Grad\"
";

const SUBSTITUTIONS: &str = r#"{
  "sourceLanguage" : "en",
  "strings" : {
    "posts" : {
      "localizations" : {
        "de" : {
          "stringUnit" : {
            "state" : "translated",
            "value" : "%#@posts@ %#@people@"
          },
          "substitutions" : {
            "people" : {
              "formatSpecifier" : "lld",
              "variations" : {
                "plural" : {
                  "one" : {
                    "stringUnit" : {
                      "state" : "translated",
                      "value" : "od %arg osób"
                    }
                  },
                  "other" : {
                    "stringUnit" : {
                      "state" : "translated",
                      "value" : "od %arg osób"
                    }
                  }
                }
              }
            }
          }
        },
        "en" : {
          "stringUnit" : {
            "state" : "translated",
            "value" : "%#@posts@ by %#@people@"
          },
          "substitutions" : {
            "people" : {
              "formatSpecifier" : "lld",
              "variations" : {
                "plural" : {
                  "one" : {
                    "stringUnit" : {
                      "state" : "translated",
                      "value" : "%arg"
                    }
                  },
                  "other" : {
                    "stringUnit" : {
                      "state" : "translated",
                      "value" : "%arg"
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  },
  "version" : "1.0"
}
"#;

#[test]
fn a_result_equal_to_its_source_counts_as_translated() {
    let bench = Bench::new();
    for (format, file, changes) in ECHOED {
        let run = translate(&bench, file, format, &["--from", "en", "--to", "de"]);
        assert_eq!(run.code, 0, "{format}: {run}");
        assert_eq!(run.out(), changed(file, changes), "{format}");
        for text in [run.out().to_owned(), run.out().replace('\n', "\r\n"), format!("\u{feff}{}", run.out())] {
            let again = translate(&bench, &text, format, &["--from", "en", "--to", "de"]);
            assert_eq!(again.out(), text, "{format}");
        }
    }
}

/// Returns a file with the changes applied. Each changed text must occur in it.
fn changed(file: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(file.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

#[test]
fn changes_only_texts() {
    let bench = Bench::with(&["--engine", "upper"]);
    for (format, file, changes) in CATALOGUES {
        let run = translate(&bench, file, format, &["--from", "en", "--to", "de"]);
        assert_eq!(run.code, 0, "{format}: {run}");
        assert_eq!(run.out(), changed(file, changes), "{format}");
    }
}
