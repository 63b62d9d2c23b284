//! Truncated, corrupted and deeply nested input for all formats: it is read or refused, without a panic.

use proptest::prelude::*;

use super::*;

const SAMPLES: &[(&str, &str)] = &[
    ("json", "{\n  \"a\": {\"b_one\": \"{{count}} x\", \"b_other\": \"\\u00e9\"}, // c\n  \"l\": [\"1\", 'é']\n}\n"),
    ("arb", "{\n  \"@@locale\": \"en\",\n  \"a\": \"{n, plural, other{x}}\",\n  \"@a\": {\"description\": \"é\"}\n}\n"),
    ("yaml", "en: # c\n  a: &x \"é\\n\"\n  b: {c: 'd', e: [f, g]}\n  h: |-\n    i\n     j\n  k: *x\n"),
    ("toml", "a = \"é\\n\"\n[b.c]\none = '''x'''\nother = \"\"\"\ny\"\"\"\n[[d]]\ne = {f = 'g'}\n"),
    (
        "po",
        "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=n != 1;\\n\"\n\n#, fuzzy\n#| msgid \"o\"\nmsgctxt \"c\"\nmsgid \"é\"\nmsgid_plural \"b\"\nmsgstr[0] \"\"\n\"x\"\nmsgstr[1] \"y\"\n#~ msgid \"z\"\n",
    ),
    ("properties", "# c\na.b = x\\\n  y\\u00e9\n!\nc:d\ne f\n"),
    (
        "android",
        "<resources xmlns:t=\"u\">\n  <!-- c -->\n  <string name=\"a\">x <b>é</b> &amp; \\u0041</string>\n  <plurals name=\"p\"><item quantity=\"other\">%d</item></plurals>\n  <string-array name=\"s\"><item><![CDATA[<i>]]></item></string-array>\n</resources>\n",
    ),
    ("strings", "/* c */\n\"a\" = \"x\\n\\U00e9\";\nb = \"é\"; // d\n"),
    (
        "stringsdict",
        "<plist version=\"1.0\"><dict>\n<key>a</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@v@ é</string>\n<key>v</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string><key>NSStringFormatValueTypeKey</key><string>d</string><key>other</key><string>%d</string></dict></dict>\n</dict></plist>\n",
    ),
    (
        "xcstrings",
        "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n    \"a é\" : {\"localizations\" : {\"de\" : {\"variations\" : {\"plural\" : {\"other\" : {\"stringUnit\" : {\"state\" : \"new\", \"value\" : \"x\"}}}}}}}\n  },\n  \"version\" : \"1.0\"\n}\n",
    ),
    (
        "xliff",
        "<xliff version=\"1.2\"><file source-language=\"en\" target-language=\"de\"><body><group><trans-unit id=\"a\"><source>x <g id=\"1\">é</g><x id=\"2\"/></source><target state=\"new\">y</target><note>n</note></trans-unit></group></body></file></xliff>\n",
    ),
    (
        "resx",
        "<root>\n  <resheader name=\"version\"><value>2.0</value></resheader>\n  <data name=\"a\" xml:space=\"preserve\"><value>é &lt;</value><comment>c</comment></data>\n</root>\n",
    ),
    ("php", "<?php\n// c\nreturn [\n  'a' => 'é\\'',\n  'b' => array(\"c\" => \"d $\\n\", 'e' . 'f'),\n];\n"),
    ("ftl", "# c\na = x { $n ->\n    [one] é\n   *[other] { -t(c: \"d\") }\n}\n    .b = y\n-t = z\n"),
];

/// Tokens that open, close or nest something in any of the formats.
const TOKENS: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    "(",
    "<a>",
    "</a>",
    "<a ",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<dict>",
    "<g id=\"1\">",
    "<group>",
    "\"",
    "'",
    "\\",
    "\\u",
    "\\ud83c",
    "- ",
    "a:\n  ",
    "a: ",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "a = ",
    "[a.b]\n",
    "{a=",
    "/*",
    "*/",
    "//",
    "#",
    "# ",
    "{\"a\":",
    "{ $n ->\n",
    "*[other] ",
    "{n, plural, other {",
    "msgid \"a\"\n",
    "msgstr[0] \"",
    "'a' => [",
    "array(",
    " . 'a'",
    "&a ",
    "*a",
    "&amp;",
    "&",
    "%",
    "|\n",
    ">-\n",
    "\"\"\"",
    "'''",
    ",",
    ":",
    ";",
    "=",
    "é",
    "🍵",
    "\0",
    "\u{feff}",
    "<item>",
    "<?php return ",
    "/* a",
    "\"a\" = \"b\";\n",
    "a.a.",
    "a=b\n",
    "? ",
    "---\n",
    "!!a ",
    "<![",
    "<!",
    "<?",
    "-",
    "0",
    "1e",
    "$",
    "{$",
];

fn file(kind: &CatalogKind) -> &'static str {
    SAMPLES.iter().find(|(name, _)| *name == kind.name).map(|(_, text)| *text).unwrap()
}

fn options(kind: &CatalogKind) -> ReadOptions {
    ReadOptions { target_lang: kind.is_bilingual.then(|| "de".to_owned()), ..ReadOptions::default() }
}

/// Reads a text and, if that works, sets and removes all its units. Errors must have a valid offset.
fn read_and_change(kind: &CatalogKind, text: &str) {
    let options = options(kind);
    let catalog = match kind.format.read(text, &options) {
        Ok(catalog) => catalog,
        Err(error) => {
            assert!(error.at <= text.len() && !error.what.is_empty(), "{}: {error:?} in {text:?}", kind.name);
            return;
        }
    };
    let new = UnitText::Single("x\ny".to_owned());
    let changes = |is_set: bool| {
        let change = |unit: &Unit| {
            if is_set {
                Change::Set { unit: unit.id, text: &new, markup: &[] }
            } else {
                Change::Remove { unit: unit.id }
            }
        };
        CatalogChanges { units: catalog.units.iter().map(change).collect(), ..CatalogChanges::default() }
    };
    for is_set in [true, false] {
        if let Ok(edits) = kind.format.edits(text, &options, &changes(is_set)) {
            assert!(apply_edits(text, edits).is_some(), "{}: edits overlap in {text:?}", kind.name);
        }
    }
}

#[test]
fn every_format_has_a_sample_with_units() {
    for kind in CATALOG_FORMATS {
        let catalog =
            kind.format.read(file(kind), &options(kind)).unwrap_or_else(|error| panic!("{}: {error:?}", kind.name));
        assert!(!catalog.units.is_empty(), "{}", kind.name);
    }
}

#[test]
fn truncated_files_do_not_panic() {
    for kind in CATALOG_FORMATS {
        let text = file(kind);
        for (at, _) in text.char_indices().step_by(4) {
            let (start, end) = text.split_at(at);
            read_and_change(kind, start);
            read_and_change(kind, end);
        }
    }
}

#[test]
fn repeated_tokens_do_not_panic() {
    for kind in CATALOG_FORMATS {
        let text = file(kind);
        let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
        let (start, end) = text.split_at(middle);
        for piece in TOKENS {
            let many = piece.repeat(3_000 / piece.len());
            for text in [many.clone(), [start, &many, end].concat()] {
                read_and_change(kind, &text);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn corrupted_files_do_not_panic(
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..12_usize, prop::sample::select(TOKENS)), 1..5)
    ) {
        for kind in CATALOG_FORMATS {
            let mut text: Vec<char> = file(kind).chars().collect();
            for (at, removed, piece) in &cuts {
                let at = at.index(text.len() + 1);
                let end = text.len().min(at + removed);
                text.splice(at..end, piece.chars());
            }
            read_and_change(kind, &text.into_iter().collect::<String>());
        }
    }
}
