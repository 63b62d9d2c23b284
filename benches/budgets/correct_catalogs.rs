//! A project with catalogues that people translated correctly, with unusual but valid texts. `tulk sync` must not warn about them.

use super::project::{Project, write};
use super::setup::Setup;

/// i18next: plurals, formats, nesting, tags, and texts that only look like placeholders.
const JSON: [&str; 2] = [
    r#"{
  "title": "Garden shop",
  "welcome": "Welcome back, {{name}}!",
  "items_one": "{{count}} item in your cart",
  "items_other": "{{count}} items in your cart",
  "total": "The total is {{price, currency(EUR)}}.",
  "nested": "Read more: $t(title)",
  "terms": "I accept the <1>terms</1> of <b>{{shop}}</b>.",
  "rate": "Save 50% of $10 { today }",
  "steps": ["Choose a plant", "Water it & wait"]
}
"#,
    r#"{
  "title": "Gartenladen",
  "welcome": "{{name}}, schön, dass du wieder da bist!",
  "items_one": "{{count}} Artikel im Warenkorb",
  "items_other": "{{count}} Artikel im Warenkorb",
  "total": "Die Summe ist {{price, currency(EUR)}}.",
  "nested": "Weiterlesen: $t(title)",
  "terms": "Die <1>Bedingungen</1> von <b>{{shop}}</b> nehme ich an.",
  "rate": "50 % von 10 $ sparen { heute }",
  "steps": ["Eine Pflanze wählen", "Gießen & warten"]
}
"#,
];

/// gettext: plurals, positions, a context, and a percent sign.
const PO: &str = r#"msgid ""
msgstr ""
"Language: de\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

#, c-format
msgid "%d file in %s"
msgid_plural "%d files in %s"
msgstr[0] "%d Datei in %s"
msgstr[1] "%d Dateien in %s"

#, python-format
msgid "Hello %(name)s, %(count)d messages"
msgstr "Hallo %(name)s, %(count)d Nachrichten"

#, c-format
msgid "%1$s by %2$s"
msgstr "Von %2$s: %1$s"

msgctxt "menu"
msgid "100 % sure"
msgstr "Zu 100 % sicher"
"#;

/// Android: plurals, escapes, inline markup, and a name that is not translated.
const ANDROID: [&str; 2] = [
    r#"<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">
    <string name="app" translatable="false">Plants</string>
    <string name="hello">Hello, <xliff:g id="name">%1$s</xliff:g>!</string>
    <string name="quote">It\'s \"late\" &amp; dark</string>
    <string name="bold">Water <b>every</b> day</string>
    <plurals name="days">
        <item quantity="one">%d day</item>
        <item quantity="other">%d days</item>
    </plurals>
</resources>
"#,
    r#"<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">
    <string name="hello">Guten Tag, <xliff:g id="name">%1$s</xliff:g>!</string>
    <string name="quote">Es ist \"spät\" &amp; dunkel</string>
    <string name="bold"><b>Jeden</b> Tag gießen</string>
    <plurals name="days">
        <item quantity="one">%d Tag</item>
        <item quantity="other">%d Tage</item>
    </plurals>
</resources>
"#,
];

/// Flutter: ICU plurals and selects.
const ARB: [&str; 2] = [
    r#"{
  "@@locale": "en",
  "cart": "{count, plural, =0{Your cart is empty} one{# plant} other{# plants}}",
  "@cart": {"description": "Title of the cart", "placeholders": {"count": {"type": "int"}}},
  "owner": "{who, select, female{Her garden} male{His garden} other{Their garden}}",
  "bed": "Bed {number}, row {row}"
}
"#,
    r#"{
  "@@locale": "de",
  "cart": "{count, plural, =0{Der Warenkorb ist leer} one{# Pflanze} other{# Pflanzen}}",
  "owner": "{who, select, female{Ihr Garten} male{Sein Garten} other{Der Garten}}",
  "bed": "Reihe {row}, Beet {number}"
}
"#,
];

pub fn project(setup: &Setup) -> Project {
    let rules = [
        r#"source = "locales/en.json"
target = "locales/{lang}.json"
dialect = "i18next""#,
        r#"target = "po/{lang}.po""#,
        r#"source = "res/values/strings.xml"
target = "res/values-{lang}/strings.xml""#,
        r#"source = "l10n/app_en.arb"
target = "l10n/app_{lang}.arb""#,
    ];
    let project = Project::new(setup, "correct", &["de"], &rules.join("\n\n[[sync.files]]\n"));
    let [english, german] = JSON;
    let files = [
        ("locales/en.json", english),
        ("locales/de.json", german),
        ("po/de.po", PO),
        ("res/values/strings.xml", ANDROID[0]),
        ("res/values-de/strings.xml", ANDROID[1]),
        ("l10n/app_en.arb", ARB[0]),
        ("l10n/app_de.arb", ARB[1]),
    ];
    for (path, text) in files {
        write(&project.dir.join(path), text);
    }
    project
}
