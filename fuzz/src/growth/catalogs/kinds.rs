//! Files for each catalogue format, each file with many parts of one kind.

use super::check_format;

macro_rules! formats {
    ($($test:ident $format:literal [$(($what:literal, $file:expr)),* $(,)?];)*) => { $(
        #[test]
        fn $test() {
            check_format($format, &[$(($what, $file)),*]);
        }
    )* };
}

/// Starts and ends of files, and parts that several files use.
const XLIFF: &str =
    "<xliff version=\"1.2\"><file original=\"f\" source-language=\"en\" target-language=\"de\"><body>\n";
const XLIFF_2: &str = "<xliff version=\"2.0\" srcLang=\"en\" trgLang=\"de\"><file id=\"f\">\n";
const RESX: &str = "<root>\n  <resheader name=\"version\"><value>2.0</value></resheader>\n";
const XCSTRINGS: &str = "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n";
const XCSTRINGS_END: &str = "\n  },\n  \"version\" : \"1.0\"\n}\n";
const UNIT: &str = "{\"stringUnit\" : {\"state\" : \"new\", \"value\" : \"x y\"}}";
const PLIST: &str = "<plist version=\"1.0\"><dict>\n";
const RULE: &str = concat!(
    "<key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>",
    "<key>NSStringFormatValueTypeKey</key><string>d</string>",
);

fn each(parts: usize, between: &str, text: impl Fn(usize) -> String) -> String {
    (0..parts).map(text).collect::<Vec<_>>().join(between)
}

fn json(text: &str) -> String {
    format!("{{\"a\": \"{text}\"}}")
}

formats! {
    json_takes_linear_time "json" [
        ("items of a list", |n| format!("{{\"a\":[{}]}}", each(n, ",", |n| format!("\"Save {n}\"")))),
        ("lists", |n| format!("{{{}}}", each(n, ",", |n| format!("\"a\":[\"Save {n}\"]")))),
        ("mappings", |n| format!("{{{}}}", each(n, ",", |n| format!("\"a\":{{\"b\":\"Save {n}\"}}")))),
        ("mappings of forms", |n| format!("{{{}}}", each(n, ",", |n| format!("\"a{n}\":{{\"one\":\"Save {n}\",\"other\":\"x\"}}")))),
        ("forms of a mapping", |n| format!("{{\"a\":{{{}}}}}", each(n, ",", |n| format!("\"one\":\"Save {n}\"")))),
        ("keys in one mapping that is there again", |n| format!("{{{}}}", each(n, ",", |n| format!("\"a\":{{\"b{n}\":\"Save\"}}")))),
        ("levels", |n| format!("{{{}}}", each(n, ",", |n| format!("\"k{n}\":{}\"Save\"{}", "{\"a\":".repeat(50), "}".repeat(50))))),
        ("spaces", |n| ["{", &" ".repeat(n), "\"a\":\"b c\"", &"\n".repeat(n), "}"].concat()),
        ("comments", |n| ["{", &"/* a */".repeat(n), "\"a\":\"b c\"", &"\n// b\n".repeat(n), "}"].concat()),
        ("a comment for each", |n| format!("{{\n{}}}", each(n, "", |n| format!("// a\n\"k{n}\": \"b {n}\",\n")))),
        ("parts of a key", |n| format!("{{\"{}\": \"b c\"}}", "a.".repeat(n))),
        ("words", |n| json(&"Hello there. ".repeat(n))),
        ("escapes", |n| json(&"\\u0041\\n".repeat(n))),
        ("placeholders", |n| json(&"hi {{n}} ".repeat(n))),
        ("tags", |n| json(&"<b>hi</b> ".repeat(n))),
        ("open tags", |n| json(&"<b>hi ".repeat(n))),
        ("end tags", |n| json(&"</b> ".repeat(n))),
        ("directives", |n| json(&"hi %s %1$d ".repeat(n))),
        ("braces", |n| json(&"{".repeat(n))),
        ("braces with text", |n| json(&"hi {a} {".repeat(n))),
        ("entities", |n| json(&"a &amp; b &lt;".repeat(n))),
        ("messages", |n| json(&"{g, select, a {hi} other {ho}} ".repeat(n))),
        ("pipes", |n| json(&"hi | ".repeat(n))),
        ("references", |n| json(&"$t(a) hi ".repeat(n))),
        ("quotes", |n| json(&"it''s '{' ".repeat(n))),
        ("different placeholders", |n| json(&each(n, " ", |n| format!("hi {{{{n{n}}}}}")))),
        ("different tags", |n| json(&each(n, " ", |n| format!("<b{n}>hi</b{n}>")))),
        ("tags in tags", |n| json(&["<b>".repeat(n), "hi".to_owned(), "</b>".repeat(n)].concat())),
        ("branches", |n| json(&format!("{{g, select, {} other {{hi}}}}", each(n, " ", |n| format!("x{n} {{hi {n}}}"))))),
        ("exact numbers", |n| json(&format!("{{g, plural, {} other {{hi}}}}", each(n, " ", |n| format!("={n} {{hi {n}}}"))))),
        ("one exact number", |n| json(&format!("{{g, plural, {} other {{hi}}}}", "=1 {hi}".repeat(n)))),
        ("texts that are messages", |n| {
            format!(
                "{{{}}}",
                each(n, ",", |n| format!("\"a{n}\":\"{{g, plural, one {{hi {n}}} other {{his}}}}\"")),
            )
        }),
        ("messages of extensions", |n| {
            format!(
                "{{{}}}",
                each(n, ",", |n| format!("\"a{n}\":{{\"message\":\"hi $a$\",\"placeholders\":{{\"a\":{{\"content\":\"$1\"}}}}}}")),
            )
        }),
        ("placeholders of an extension", |n| {
            format!(
                "{{\"a\":{{\"message\":\"hi {}\",\"placeholders\":{{{}}}}}}}",
                each(n, " ", |n| format!("$a{n}$")),
                each(n, ",", |n| format!("\"a{n}\":{{\"content\":\"$1\"}}")),
            )
        }),
    ];
    arb_takes_linear_time "arb" [
        ("placeholders", |n| {
            format!(
                "{{\"@@locale\":\"en\",\"a\":\"hi {}\",\"@a\":{{\"placeholders\":{{{}}}}}}}",
                each(n, " ", |n| format!("{{n{n}}}")),
                each(n, ",", |n| format!("\"n{n}\":{{}}")),
            )
        }),
        ("descriptions", |n| {
            format!(
                "{{\"@@locale\":\"en\",{}}}",
                each(n, ",", |n| format!("\"k{n}\":\"hi\",\"@k{n}\":{{\"description\":\"d\"}}")),
            )
        }),
        ("descriptions of one", |n| {
            format!(
                "{{\"@@locale\":\"en\",{}}}",
                each(n, ",", |n| format!("\"k\":\"hi {n}\",\"@k\":{{\"description\":\"d\"}}")),
            )
        }),
        ("descriptions at the end", |n| {
            format!(
                "{{\"@@locale\":\"en\",{},{}}}",
                each(n, ",", |n| format!("\"k{n}\":\"hi\"")),
                each(n, ",", |n| format!("\"@k{n}\":{{\"description\":\"d\"}}")),
            )
        }),
    ];
    yaml_takes_linear_time "yaml" [
        ("aliases", |n| ["en:\n  a: &x \"hi you\"\n", &each(n, "", |n| format!("  k{n}: *x\n")), ""].concat()),
        ("anchors", |n| ["en:\n", &each(n, "", |n| format!("  k{n}: &x{n} \"hi {n}\"\n")), ""].concat()),
        ("anchors with aliases", |n| ["en:\n", &each(n, "", |n| format!("  k{n}: &x{n} \"hi\"\n  l{n}: *x{n}\n")), ""].concat()),
        ("one anchor", |n| ["en:\n", &each(n, "", |n| format!("  k{n}: &x \"hi\"\n  l{n}: *x\n")), ""].concat()),
        ("merged mappings", |n| {
            [
                "en:\n  b: &x\n    y: hi\n",
                &each(n, "", |n| format!("  k{n}:\n    <<: *x\n    z: hi\n")),
                "",
            ].concat()
        }),
        ("items", |n| ["en:\n  a:\n", &each(n, "", |n| format!("    - hi {n}\n")), ""].concat()),
        ("items of a line", |n| ["en:\n  a: [", &each(n, "", |n| format!("hi {n}, ")), "x]\n"].concat()),
        ("keys of a line", |n| ["en:\n  a: {", &each(n, "", |n| format!("k{n}: hi, ")), "x: y}\n"].concat()),
        ("lines of a block", |n| ["en:\n  a: |\n", &each(n, "", |n| format!("    hi {n}\n")), ""].concat()),
        ("lines of a folded block", |n| ["en:\n  a: >-\n", &each(n, "", |n| format!("    hi {n}\n")), ""].concat()),
        ("lines of a plain text", |n| ["en:\n  a: hi\n", &each(n, "", |n| format!("    hi {n}\n")), ""].concat()),
        ("lines of a text in quotes", |n| ["en:\n  a: \"hi\n", &each(n, "", |n| format!("    hi {n}\n")), "    \"\n"].concat()),
        ("comments", |n| ["en:\n", &each(n, "", |n| format!("  # hi {n}\n")), "  a: hi you\n"].concat()),
        ("a comment for each", |n| ["en:\n", &each(n, "", |n| format!("  # hi\n\n  a{n}: hi {n}\n")), ""].concat()),
        ("blocks", |n| ["en:\n", &each(n, "", |n| format!("  a{n}: |\n    hi {n}\n    and\n")), ""].concat()),
        ("plurals", |n| ["en:\n", &each(n, "", |n| format!("  a{n}:\n    one: hi {n}\n    other: his\n")), ""].concat()),
        ("documents", |n| ["", &each(n, "", |n| format!("---\na{n}: hi you\n")), ""].concat()),
        ("tags", |n| ["en:\n", &each(n, "", |n| format!("  a{n}: !!str hi\n")), ""].concat()),
    ];
    toml_takes_linear_time "toml" [
        ("tables", |n| ["", &each(n, "", |n| format!("[a{n}]\nb = \"hi {n}\"\n")), ""].concat()),
        ("tables in tables", |n| ["", &each(n, "", |n| format!("[a.b.k{n}]\nb = \"hi {n}\"\n")), ""].concat()),
        ("items", |n| ["a = [", &each(n, "", |n| format!("\"hi {n}\",")), "\"x\"]\n"].concat()),
        ("lists of tables", |n| ["", &each(n, "", |n| format!("[[a]]\nb = \"hi {n}\"\n")), ""].concat()),
        ("keys of a line", |n| ["a = {", &each(n, "", |n| format!("k{n} = \"hi\",")), "x = \"y\"}\n"].concat()),
        ("parts of keys", |n| ["", &each(n, "", |n| format!("a.b.k{n} = \"hi\"\n")), ""].concat()),
        ("plurals", |n| ["", &each(n, "", |n| format!("[a{n}]\none = \"hi {n}\"\nother = \"his\"\n")), ""].concat()),
        ("comments", |n| ["", &each(n, "", |n| format!("# hi {n}\n")), "a = \"hi you\"\n"].concat()),
        ("a comment for each", |n| ["", &each(n, "", |n| format!("# hi\na{n} = \"hi you\"\n")), ""].concat()),
    ];
    po_takes_linear_time "po" [
        ("plurals", |n| {
            [
                "msgid \"\"\nmsgstr \"\"\n\n",
                &each(n, "", |n| format!("msgid \"a {n}\"\nmsgid_plural \"b\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n\n")),
                "",
            ].concat()
        }),
        ("one plural", |n| {
            [
                "msgid \"\"\nmsgstr \"\"\n\n",
                &each(n, "", |n| format!("msgid \"a\"\nmsgid_plural \"b {n}\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n\n")),
                "",
            ].concat()
        }),
        ("obsolete entries", |n| {
            [
                "msgid \"\"\nmsgstr \"\"\n\n",
                &each(n, "", |n| format!("#~ msgid \"a {n}\"\n#~ msgstr \"x\"\n\n")),
                "",
            ].concat()
        }),
        ("flags", |n| ["#, ", &each(n, "", |_| "fuzzy, ".to_owned()), "\nmsgid \"a b\"\nmsgstr \"\"\n"].concat()),
        ("lines of flags", |n| {
            [
                "msgid \"\"\nmsgstr \"\"\n\n",
                &each(n, "", |_| "#, fuzzy\n".to_owned()),
                "msgid \"a b\"\nmsgstr \"x\"\n",
            ].concat()
        }),
        ("notes", |n| {
            [
                "msgid \"\"\nmsgstr \"\"\n\n",
                &each(n, "", |n| format!("#. note {n}\n")),
                "msgid \"a b\"\nmsgstr \"\"\n",
            ].concat()
        }),
        ("places", |n| {
            [
                "msgid \"\"\nmsgstr \"\"\n\n",
                &each(n, "", |n| format!("#: a.c:{n}\n")),
                "msgid \"a b\"\nmsgstr \"\"\n",
            ].concat()
        }),
        ("earlier texts", |n| {
            [
                "msgid \"\"\nmsgstr \"\"\n\n",
                &each(n, "", |n| format!("#| msgid \"a {n}\"\n")),
                "msgid \"a b\"\nmsgstr \"\"\n",
            ].concat()
        }),
        ("lines of a text", |n| {
            [
                "msgid \"\"\nmsgstr \"\"\n\nmsgid \"\"\n",
                &each(n, "", |_| "\"some text\\n\"\n".to_owned()),
                "msgstr \"\"\n",
            ].concat()
        }),
        ("forms", |n| {
            [
                "msgid \"\"\nmsgstr \"\"\n\nmsgid \"a b\"\nmsgid_plural \"c d\"\n",
                &each(n, "", |n| format!("msgstr[{n}] \"\"\n")),
                "",
            ].concat()
        }),
        ("domains", |n| {
            [
                "msgid \"\"\nmsgstr \"\"\n\n",
                &each(n, "", |n| format!("domain \"d{n}\"\nmsgid \"a b\"\nmsgstr \"\"\n")),
                "",
            ].concat()
        }),
        ("lines of the header", |n| {
            [
                "msgid \"\"\nmsgstr \"\"\n",
                &each(n, "", |n| format!("\"X-A: {n}\\n\"\n")),
                "\nmsgid \"a b\"\nmsgstr \"\"\n",
            ].concat()
        }),
        ("headers", |n| {
            [
                "msgid \"\"\nmsgstr \"\"\n\n",
                &each(n, "", |n| format!("msgid \"\"\nmsgstr \"X-A: {n}\\n\"\n\n")),
                "",
            ].concat()
        }),
        ("translations", |n| {
            [
                "msgid \"\"\nmsgstr \"\"\n\n",
                &each(n, "", |n| format!("msgid \"a {n}\"\nmsgstr \"x\"\n\n")),
                "",
            ].concat()
        }),
        ("comments", |n| {
            [
                "msgid \"\"\nmsgstr \"\"\n\n",
                &each(n, "", |n| format!("# a {n}\n\n")),
                "msgid \"a b\"\nmsgstr \"\"\n",
            ].concat()
        }),
    ];
    properties_takes_linear_time "properties" [
        ("lines of a text", |n| ["a = ", &"hi you \\\n   ".repeat(n), "x\n"].concat()),
        ("comments", |n| ["# hi\n".repeat(n), "a=hi you\n".to_owned(), "! ho\n".repeat(n)].concat()),
        ("a comment for each", |n| each(n, "", |n| format!("# hi\na{n}=hi you\n"))),
        ("parts of a key", |n| ["a.".repeat(n), "b=hi you\n".to_owned()].concat()),
    ];
    android_takes_linear_time "android" [
        ("one plural", |n| {
            [
                "<resources>\n",
                &each(n, "", |n| format!("<plurals name=\"a\"><item quantity=\"one\">x {n}</item><item quantity=\"other\">y</item>\
                    </plurals>\n")),
                "</resources>\n",
            ].concat()
        }),
        ("plurals", |n| {
            [
                "<resources>\n",
                &each(n, "", |n| format!("<plurals name=\"a{n}\"><item quantity=\"one\">x {n}</item><item quantity=\"other\">y</item>\
                    </plurals>\n")),
                "</resources>\n",
            ].concat()
        }),
        ("forms", |n| {
            [
                "<resources>\n<plurals name=\"a\">",
                &each(n, "", |n| format!("<item quantity=\"one\">x {n}</item>")),
                "</plurals>\n</resources>\n",
            ].concat()
        }),
        ("items", |n| {
            [
                "<resources>\n<string-array name=\"a\">",
                &each(n, "", |n| format!("<item>x {n}</item>")),
                "</string-array>\n</resources>\n",
            ].concat()
        }),
        ("arrays", |n| {
            [
                "<resources>\n",
                &each(n, "", |n| format!("<string-array name=\"a{n}\"><item>x y</item></string-array>\n")),
                "</resources>\n",
            ].concat()
        }),
        ("one array", |n| {
            [
                "<resources>\n",
                &each(n, "", |n| format!("<string-array name=\"a\"><item>x {n}</item></string-array>\n")),
                "</resources>\n",
            ].concat()
        }),
        ("comments", |n| {
            [
                "<resources>\n",
                &each(n, "", |n| format!("<!-- hi {n} -->\n")),
                "<string name=\"a\">x y</string>\n</resources>\n",
            ].concat()
        }),
        ("references", |n| {
            [
                "<resources>\n",
                &each(n, "", |n| format!("<string name=\"k{n}\">@string/k</string>\n")),
                "</resources>\n",
            ].concat()
        }),
        ("tags", |n| {
            [
                "<resources>\n<string name=\"a\">",
                &each(n, "", |n| format!("<b>x {n}</b> ")),
                "</string>\n</resources>\n",
            ].concat()
        }),
        ("different tags", |n| {
            [
                "<resources>\n<string name=\"a\">",
                &each(n, "", |n| format!("<a href=\"{n}\">x</a> ")),
                "</string>\n</resources>\n",
            ].concat()
        }),
        ("escapes", |n| {
            [
                "<resources>\n<string name=\"a\">",
                &each(n, "", |n| format!("x {n} &lt; &amp; %1$s ")),
                "</string>\n</resources>\n",
            ].concat()
        }),
        ("sections of text", |n| {
            [
                "<resources>\n<string name=\"a\">",
                &each(n, "", |n| format!("<![CDATA[<i>{n}]]>")),
                "</string>\n</resources>\n",
            ].concat()
        }),
        ("placeholders", |n| {
            [
                "<resources>\n<string name=\"a\">",
                &each(n, "", |n| format!("<xliff:g id=\"x{n}\">%s</xliff:g> hi ")),
                "</string>\n</resources>\n",
            ].concat()
        }),
        ("attributes", |n| {
            [
                "<resources>\n<string name=\"a\" ",
                &each(n, "", |n| format!("b{n}=\"c\" ")),
                ">hi you</string>\n</resources>\n",
            ].concat()
        }),
        ("empty lines", |n| ["<resources>\n", &"\n".repeat(n), "<string name=\"a\">x y</string>\n</resources>\n"].concat()),
        ("texts with tags", |n| {
            [
                "<resources>\n",
                &each(n, "", |n| format!("<string name=\"k{n}\">x <b>y</b> %1$s</string>\n")),
                "</resources>\n",
            ].concat()
        }),
        ("tags in tags", |n| {
            [
                "<resources><string name=\"a\">",
                &"<b>".repeat(n),
                "x",
                &"</b>".repeat(n),
                "</string></resources>",
            ].concat()
        }),
    ];
    strings_takes_linear_time "strings" [
        ("comments", |n| ["/* hi */\n".repeat(n), "\"a\" = \"hi you\";\n".to_owned(), "// ho\n".repeat(n)].concat()),
        ("a comment for each", |n| each(n, "", |n| format!("/* hi */\n\"a{n}\" = \"hi you\";\n"))),
        ("texts without a key", |n| each(n, "", |n| format!("\"hi {n}\";\n"))),
        ("broken lines", |n| each(n, "", |n| format!("\"hi {n}\" \"x\"\n"))),
        ("quotes", |n| "\"".repeat(n)),
    ];
    stringsdict_takes_linear_time "stringsdict" [
        ("plurals", |n| {
            [
                PLIST,
                &each(n, "", |n| format!("<key>a{n}</key><dict>\
                    <key>NSStringLocalizedFormatKey</key><string>%#@v@ hi</string><key>v</key><dict>{RULE}\
                    <key>one</key><string>hi</string><key>other</key><string>%d hi</string></dict></dict>\n")),
                "</dict></plist>\n",
            ].concat()
        }),
        ("one plural", |n| {
            [
                PLIST,
                &each(n, "", |n| format!("<key>a</key><dict>\
                    <key>NSStringLocalizedFormatKey</key><string>%#@v@ hi</string><key>v</key><dict>{RULE}\
                    <key>one</key><string>hi</string><key>other</key><string>%d hi</string></dict></dict>\n<!-- {n} -->")),
                "</dict></plist>\n",
            ].concat()
        }),
        ("variables", |n| {
            [
                PLIST,
                "<key>a</key><dict><key>NSStringLocalizedFormatKey</key><string>",
                &each(n, " ", |n| format!("%#@v{n}@")),
                "</string>",
                &each(n, "", |n| format!("<key>v{n}</key><dict>{RULE}\
                    <key>one</key><string>hi</string><key>other</key><string>%d hi</string></dict>")),
                "</dict>",
                "</dict></plist>\n",
            ].concat()
        }),
        ("one variable", |n| {
            [
                PLIST,
                "<key>a</key><dict><key>NSStringLocalizedFormatKey</key><string>",
                &"%#@v@ ".repeat(n),
                "</string>",
                &["<key>v</key><dict>", RULE, "<key>one</key>\
                    <string>hi</string><key>other</key><string>%d hi</string></dict>"].concat().repeat(n),
                "</dict>",
                "</dict></plist>\n",
            ].concat()
        }),
        ("variables in variables", |n| {
            [
                PLIST,
                "<key>a</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@v0@</string>",
                &each(n, "", |n| format!("<key>v{n}</key><dict>{RULE}<key>other</key><string>hi %#@v{}@</string></dict>", n + 1)),
                "</dict>",
                "</dict></plist>\n",
            ].concat()
        }),
        ("forms", |n| {
            [
                PLIST,
                "<key>a</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@v@ hi</string><key>v</key><dict>",
                RULE,
                &"<key>other</key><string>%d hi</string>".repeat(n),
                "</dict></dict>",
                "</dict></plist>\n",
            ].concat()
        }),
    ];
    xcstrings_takes_linear_time "xcstrings" [
        ("languages", |n| {
            [
                XCSTRINGS,
                "\"a b\" : {\"localizations\" : {",
                &each(n, ",", |n| format!("\"x{n}\" : {UNIT}")),
                "}}",
                XCSTRINGS_END,
            ].concat()
        }),
        ("one language", |n| {
            [
                XCSTRINGS,
                "\"a b\" : {\"localizations\" : {",
                &each(n, ",", |_| ["\"de\" : ", UNIT].concat()),
                "}}",
                XCSTRINGS_END,
            ].concat()
        }),
        ("plurals", |n| {
            [
                XCSTRINGS,
                &each(n, ",", |n| format!("\"a {n}\" : {{\"localizations\" : {{\"en\" : {{\"variations\" : {{\"plural\" : \
                    {{\"one\" : {UNIT}, \"other\" : {UNIT}}}}}}}}}}}")),
                XCSTRINGS_END,
            ].concat()
        }),
        ("forms", |n| {
            [
                XCSTRINGS,
                "\"a b\" : {\"localizations\" : {\"en\" : {\"variations\" : {\"plural\" : {",
                &each(n, ",", |_| ["\"other\" : ", UNIT].concat()),
                "}}}}}",
                XCSTRINGS_END,
            ].concat()
        }),
        ("devices", |n| {
            [
                XCSTRINGS,
                "\"a b\" : {\"localizations\" : {\"en\" : {\"variations\" : {\"device\" : {",
                &each(n, ",", |n| format!("\"d{n}\" : {UNIT}")),
                "}}}}}",
                XCSTRINGS_END,
            ].concat()
        }),
        ("substitutions", |n| {
            [
                XCSTRINGS,
                "\"a b\" : {\"localizations\" : {\"en\" : {\"stringUnit\" : {\"state\" : \"new\", \"value\" : \"",
                &each(n, " ", |n| format!("%#@v{n}@")),
                "\"}, \"substitutions\" : {",
                &each(n, ",", |n| format!("\"v{n}\" : {{\"argNum\" : 1, \"formatSpecifier\" : \"d\", \
                    \"variations\" : {{\"plural\" : {{\"other\" : {UNIT}}}}}}}")),
                "}}}}",
                XCSTRINGS_END,
            ].concat()
        }),
        ("keys alone", |n| [XCSTRINGS, &each(n, ",", |n| format!("\"a {n}\" : {{}}")), XCSTRINGS_END].concat()),
    ];
    xliff_takes_linear_time "xliff" [
        ("groups", |n| {
            [
                XLIFF,
                &each(n, "", |n| format!("<group id=\"g{n}\"><trans-unit id=\"a\"><source>x y</source></trans-unit>\n</group>")),
                "</body></file></xliff>\n",
            ].concat()
        }),
        ("one group", |n| {
            [
                XLIFF,
                &each(n, "", |n| format!("<group id=\"g\"><trans-unit id=\"a\"><source>x {n}</source></trans-unit>\n</group>")),
                "</body></file></xliff>\n",
            ].concat()
        }),
        ("files", |n| {
            [
                XLIFF,
                &each(n, "", |n| format!("<trans-unit id=\"a\"><source>x {n}</source></trans-unit>\n\
                    </body></file><file original=\"f{n}\" source-language=\"en\"><body>")),
                "</body></file></xliff>\n",
            ].concat()
        }),
        ("one file", |n| {
            [
                XLIFF,
                &each(n, "", |n| format!("<trans-unit id=\"a\"><source>x {n}</source></trans-unit>\n\
                    </body></file><file original=\"f\" source-language=\"en\"><body>")),
                "</body></file></xliff>\n",
            ].concat()
        }),
        ("names", |n| {
            [
                XLIFF,
                &each(n, "", |n| format!("<trans-unit id=\"{n}\" resname=\"a\"><source>x</source></trans-unit>\n")),
                "</body></file></xliff>\n",
            ].concat()
        }),
        ("notes", |n| {
            [
                XLIFF,
                "<trans-unit id=\"a\"><source>x</source>",
                &each(n, "", |n| format!("<note from=\"{n}\">o</note>")),
                "</trans-unit></body></file></xliff>\n",
            ].concat()
        }),
        ("tags", |n| {
            [
                XLIFF,
                "<trans-unit id=\"a\"><source>",
                &each(n, "", |n| format!("<g id=\"{n}\">x</g> ")),
                "</source></trans-unit>\n</body></file></xliff>\n",
            ].concat()
        }),
        ("empty tags", |n| {
            [
                XLIFF,
                "<trans-unit id=\"a\"><source>",
                &each(n, "", |n| format!("<x id=\"{n}\"/> y ")),
                "</source></trans-unit>\n</body></file></xliff>\n",
            ].concat()
        }),
        ("one tag", |n| {
            [
                XLIFF,
                "<trans-unit id=\"a\"><source>",
                &each(n, "", |n| format!("<g id=\"1\">x {n}</g> ")),
                "</source></trans-unit>\n</body></file></xliff>\n",
            ].concat()
        }),
        ("segments", |n| {
            [
                XLIFF,
                "<trans-unit id=\"a\"><source>x y</source><seg-source>",
                &each(n, "", |n| format!("<mrk mtype=\"seg\" mid=\"{n}\">x</mrk>")),
                "</seg-source></trans-unit></body></file></xliff>\n",
            ].concat()
        }),
        ("one segment", |n| {
            [
                XLIFF,
                "<trans-unit id=\"a\"><source>x y</source><seg-source>",
                &each(n, "", |n| format!("<mrk mtype=\"seg\" mid=\"1\">x {n}</mrk>")),
                "</seg-source></trans-unit></body></file></xliff>\n",
            ].concat()
        }),
        ("other translations", |n| {
            [
                XLIFF,
                "<trans-unit id=\"a\"><source>x y</source>",
                &each(n, "", |n| format!("<alt-trans><target>z {n}</target></alt-trans>")),
                "</trans-unit></body></file></xliff>\n",
            ].concat()
        }),
        ("translations", |n| {
            [
                XLIFF,
                &each(n, "", |n| format!("<trans-unit id=\"{n}\"><source>x y</source><target>x</target></trans-unit>\n")),
                "</body></file></xliff>\n",
            ].concat()
        }),
        ("groups in groups", |n| {
            [
                "<xliff version=\"1.2\"><file source-language=\"en\"><body>",
                &"<group>".repeat(n),
                "<trans-unit id=\"a\"><source>x</source></trans-unit>",
                &"</group>".repeat(n),
                "</body></file></xliff>",
            ].concat()
        }),
        ("2: one unit", |n| {
            [
                XLIFF_2,
                &each(n, "", |n| format!("<unit id=\"a\"><segment><source>x {n}</source></segment></unit>\n")),
                "</file></xliff>\n",
            ].concat()
        }),
        ("2: units", |n| {
            [
                XLIFF_2,
                &each(n, "", |n| format!("<unit id=\"a{n}\"><segment><source>x y</source></segment></unit>\n")),
                "</file></xliff>\n",
            ].concat()
        }),
        ("2: segments", |n| {
            [
                XLIFF_2,
                "<unit id=\"a\">",
                &each(n, "", |n| format!("<segment id=\"{n}\"><source>x y</source></segment>")),
                "</unit></file></xliff>\n",
            ].concat()
        }),
        ("2: one segment", |n| {
            [
                XLIFF_2,
                "<unit id=\"a\">",
                &each(n, "", |n| format!("<segment id=\"s\"><source>x {n}</source></segment>")),
                "</unit></file></xliff>\n",
            ].concat()
        }),
        ("2: ignorable parts", |n| {
            [
                XLIFF_2,
                "<unit id=\"a\">",
                &each(n, "", |n| format!("<segment><source>x {n}</source></segment><ignorable><source> </source></ignorable>")),
                "</unit></file></xliff>\n",
            ].concat()
        }),
        ("2: placeholders", |n| {
            [
                XLIFF_2,
                "<unit id=\"a\"><segment><source>",
                &each(n, "", |n| format!("<ph id=\"{n}\"/> y ")),
                "</source></segment></unit></file></xliff>\n",
            ].concat()
        }),
        ("2: tags", |n| {
            [
                XLIFF_2,
                "<unit id=\"a\"><segment><source>",
                &each(n, "", |n| format!("<pc id=\"{n}\">x</pc> y ")),
                "</source></segment></unit></file></xliff>\n",
            ].concat()
        }),
        ("2: notes", |n| {
            [
                XLIFF_2,
                "<unit id=\"a\"><notes>",
                &each(n, "", |n| format!("<note>hi {n}</note>")),
                "</notes><segment><source>hi</source></segment></unit></file></xliff>\n",
            ].concat()
        }),
        ("2: groups", |n| {
            [
                XLIFF_2,
                &each(n, "", |n| format!("<group id=\"g\"><unit id=\"a\"><segment><source>x {n}</source></segment></unit></group>\n")),
                "</file></xliff>\n",
            ].concat()
        }),
        ("2: data", |n| {
            [
                "<xliff version=\"2.0\" srcLang=\"en\" trgLang=\"de\"><file id=\"f\"><unit id=\"a\"><originalData>",
                &each(n, "", |n| format!("<data id=\"d{n}\">x</data>")),
                "</originalData><segment><source>",
                &each(n, "", |n| format!("<ph id=\"{n}\" dataRef=\"d{n}\"/> y ")),
                "</source></segment></unit></file></xliff>",
            ].concat()
        }),
    ];
    resx_takes_linear_time "resx" [
        ("comments", |n| {
            [
                RESX,
                "<data name=\"a\"><value>x y</value>",
                &each(n, "", |n| format!("<comment>c {n}</comment>")),
                "</data></root>\n",
            ].concat()
        }),
        ("values", |n| [RESX, "<data name=\"a\">", &each(n, "", |n| format!("<value>c {n}</value>")), "</data></root>\n"].concat()),
        ("headers", |n| {
            [
                RESX,
                &each(n, "", |n| format!("<resheader name=\"h{n}\"><value>2.0</value></resheader>\n")),
                "<data name=\"a\"><value>x y</value></data></root>\n",
            ].concat()
        }),
    ];
    php_takes_linear_time "php" [
        ("one array", |n| ["<?php return [\n", &each(n, "", |n| format!("'a' => ['b' => 'hi {n}'],\n")), "];"].concat()),
        ("arrays", |n| {
            [
                "<?php return [\n",
                &each(n, "", |n| format!("'a{n}' => ['one' => 'hi {n}', 'other' => 'x'],\n")),
                "];",
            ].concat()
        }),
        ("items", |n| ["<?php return [\n", &each(n, "", |n| format!("'hi {n}',\n")), "];"].concat()),
        ("numbers", |n| ["<?php return [\n", &each(n, "", |n| format!("{n} => 'hi',\n")), "];"].concat()),
        ("one number", |n| ["<?php return [\n", &each(n, "", |n| format!("7 => 'hi {n}',\n")), "];"].concat()),
        ("parts of a text", |n| ["<?php return ['a' => 'x'", &each(n, "", |n| format!(" . 'hi {n}'")), "];"].concat()),
        ("comments", |n| ["<?php return [", &each(n, "", |n| format!("/* {n} */")), "'a' => 'hi you'];"].concat()),
        ("forms", |n| ["<?php return [\n", &each(n, "", |n| format!("'a{n}' => 'hi {n}|his',\n")), "];"].concat()),
        ("variables", |n| ["<?php\n", &each(n, "", |n| format!("$_['a{n}'] = 'hi';\n")), ""].concat()),
        ("one variable", |n| ["<?php\n", &each(n, "", |n| format!("$_['a'] = 'hi {n}';\n")), ""].concat()),
        ("constants", |n| ["<?php\n", &each(n, "", |n| format!("define('A{n}', 'hi');\n")), ""].concat()),
    ];
    ftl_takes_linear_time "ftl" [
        ("attributes", |n| ["a = hi you\n", &each(n, "", |n| format!("    .b{n} = hi\n")), ""].concat()),
        ("one attribute", |n| ["a = hi you\n", &each(n, "", |n| format!("    .b = hi {n}\n")), ""].concat()),
        ("branches", |n| ["a = { $n ->\n", &each(n, "", |n| format!("    [v{n}] hi\n")), "   *[other] hi\n }\n"].concat()),
        ("one branch", |n| ["a = { $n ->\n", &each(n, "", |n| format!("    [one] hi {n}\n")), "   *[other] hi\n }\n"].concat()),
        ("choices", |n| format!("a = {}\n", "{ $n ->\n    [one] hi\n   *[other] ho\n } ".repeat(n))),
        ("lines", |n| ["a =\n", &each(n, "", |n| format!("    hi {n}\n")), ""].concat()),
        ("comments", |n| ["", &each(n, "", |n| format!("# hi {n}\n")), "a = hi\n"].concat()),
        ("groups", |n| ["", &each(n, "", |n| format!("## hi {n}\n\n# x\na{n} = hi\n\n")), ""].concat()),
        ("terms", |n| ["", &each(n, "", |n| format!("-t{n} = hi\n")), "a = { -t1 }\n"].concat()),
        ("placeables", |n| format!("a = {}\n", "hi { $x } ".repeat(n))),
        ("different placeables", |n| format!("a = {}\n", each(n, " ", |n| format!("hi {{ $x{n} }}")))),
        ("broken messages", |n| "a = {\n".repeat(n)),
    ];
}
