//! A service that gives every text back changes no byte; one that writes capital letters changes only texts.

use super::translate;
use crate::common::Bench;

/// A catalogue of each format, in the layout of a framework that has it: the flags, the file, and the words in it that are sent.
const CATALOGUES: &[(&[&str], &str, &[&str])] = &[
    (&["json"], I18NEXT, &["Welcome", "Add to cart", "Step one", "item", "items"]),
    (&["arb"], ARB, &["Welcome back", "item", "items"]),
    (&["yaml"], RAILS, &["Welcome", "Order", "item", "items"]),
    (&["toml"], GO_I18N, &["Welcome", "item", "items"]),
    (&["po"], PO, &[]),
    (&["properties"], PROPERTIES, &["Welcome", "Total amount"]),
    (&["android"], ANDROID, &["Welcome", "item", "items", "Red", "Green"]),
    (&["strings"], STRINGS, &["Welcome", "Delete"]),
    (&["stringsdict"], STRINGSDICT, &["file", "files"]),
    (&["xliff"], XLIFF, &[]),
    (&["resx"], RESX, &["Welcome"]),
    (&["php"], LARAVEL, &["Welcome", "Sign in"]),
    (&["ftl"], FLUENT, &["Welcome", "email", "emails"]),
    (&["xcstrings"], XCSTRINGS, &[]),
];

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
fn a_service_that_gives_texts_back_changes_no_byte() {
    let bench = Bench::new();
    for (format, file, _) in CATALOGUES {
        for text in [(*file).to_owned(), file.replace('\n', "\r\n"), format!("\u{feff}{file}")] {
            let run = translate(&bench, &text, format[0], &["--from", "en", "--to", "de"]);
            assert_eq!(run.code, 0, "{format:?}: {run}");
            assert_eq!(run.out(), text, "{format:?}");
        }
    }
}

#[test]
fn only_texts_change() {
    let bench = Bench::with(&["--engine", "upper"]);
    for (format, file, words) in CATALOGUES.iter().filter(|(_, _, words)| !words.is_empty()) {
        let run = translate(&bench, file, format[0], &["--from", "en", "--to", "de"]).code(0);
        // Placeholders, tags, keys and comments keep their letters.
        assert_eq!(run.out().to_lowercase(), file.to_lowercase(), "{format:?}");
        for word in *words {
            assert!(!run.out().contains(word) && run.out().contains(&word.to_uppercase()), "{word} in {}", run.out());
        }
        for line in file.lines().filter(|line| !words.iter().any(|word| line.contains(word))) {
            assert!(run.out().lines().any(|other| other == line), "{line:?} in {}", run.out());
        }
    }
}
