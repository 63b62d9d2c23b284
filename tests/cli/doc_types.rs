//! Document types: XML, JSON, XLIFF 1.2 and 2.0, text files, types returned unchanged, and the size limit of each type.

use super::doc::bench;
use crate::common::Bench;

fn pseudo() -> Bench {
    Bench::with(&["--document-queue", "0", "--document-translate", "0"])
}

/// Translates a document from English to German and returns the result. `name` must have exactly one dot.
#[track_caller]
fn translated(bench: &Bench, name: &str, content: &[u8]) -> Vec<u8> {
    bench.write(name, content);
    bench.run(["doc", "translate", name, "--from", "en", "--to", "de", "--force"]).code(0);
    std::fs::read(bench.path(&name.replacen('.', ".de.", 1))).unwrap()
}

#[track_caller]
fn check(bench: &Bench, name: &str, content: &str, expected: &str) {
    let result = String::from_utf8(translated(bench, name, content.as_bytes())).unwrap();
    let start: String = result.chars().take(2000).collect();
    assert!(result == expected, "{name}: {start}");
}

#[track_caller]
fn assert_fails(bench: &Bench, name: &str, content: &[u8], reason: &str) {
    bench.write(name, content);
    bench.run(["doc", "translate", name, "--from", "en", "--to", "de"]).code(5).says(reason);
    assert!(!bench.path(&name.replacen('.', ".de.", 1)).exists());
}

fn utf_16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

const XML: &str = "<?xml version=\"1.0\" encoding='utf-8' standalone=\"yes\"?>\r\n\
    <!DOCTYPE menu [ <!ENTITY house \"The <b>Inn</b>\"> <!-- ]> --> ]>\r\n\
    <?style href=\"tea.css\"?>\r\n\
    <menu name = 'Tea &amp; more'\txmlns:m=\"urn:m\" >\r\n\
    \t<!-- Tea -->\r\n\
    \t<m:dish  price=\"3\" >Tea &amp; &lt;milk&gt;&#x20;caf&#xe9; &house; \"now\"</m:dish>\r\n\
    \t<br/><raw><![CDATA[if (a < b && c) go]]></raw><empty></empty> \r\n\
    One<b>two</b> three<?page 1?>four\r\n\
    </menu>\r\n<!-- end -->\r\n";

const JSON: &str = "{\r\n  \"title\": \"Tea\" ,\"title\":\"Cup\",\r\n\t\"url\": \"a\\/b\", \"n\": [1.50, -0, 1e400, 12345678901234567890, true, null],\r\n\
    \"deep\": {\"key\": [\"On\\u0065 \\\"two\\\"\\n\\ud83d\\ude00\", \"\", \" \", {\"x\" : \"y\"}]}, \"half\": \"\\ud800\"\r\n}\r\n";

#[test]
fn xml_and_json_round_trip_byte_for_byte() {
    let bench = bench();
    for (name, content) in [
        ("a.xml", XML.as_bytes().to_vec()),
        ("b.xml", ["\u{feff}", XML].concat().into_bytes()),
        ("c.xml", utf_16(&["\u{feff}", XML].concat().replace("utf-8", "UTF-16"), u16::to_le_bytes)),
        ("d.xml", utf_16(&["\u{feff}", XML].concat().replace("utf-8", "UTF-16"), u16::to_be_bytes)),
        ("e.xml", b"<?xml version='1.0' encoding='ISO-8859-1'?><a b='\xe4'>caf\xe9 <![CDATA[\xfc]]></a>".to_vec()),
        ("f.json", JSON.as_bytes().to_vec()),
        ("g.json", ["\u{feff}", JSON].concat().into_bytes()),
        ("h.json", b" \"Tea\" ".to_vec()),
        ("i.json", b"0".to_vec()),
    ] {
        assert!(translated(&bench, name, &content) == content, "{name}");
    }
}

#[test]
fn translates_only_the_character_data_of_xml() {
    let expected = "<?xml version=\"1.0\" encoding='utf-8' standalone=\"yes\"?>\r\n\
        <!DOCTYPE menu [ <!ENTITY house \"The <b>Inn</b>\"> <!-- ]> --> ]>\r\n\
        <?style href=\"tea.css\"?>\r\n\
        <menu name = 'Tea &amp; more'\txmlns:m=\"urn:m\" >\r\n\
        \t<!-- Tea -->\r\n\
        \t<m:dish  price=\"3\" >Téā &amp; &lt;milk&gt;&#x20;ċāf&#xe9; &house; \"ńŏw\"</m:dish>\r\n\
        \t<br/><raw><![CDATA[īf (ā < b\u{307} && ċ) ġŏ]]></raw><empty></empty> \r\n\
        Ŏńé<b>twŏ</b> thréé<?page 1?>fŏûr\r\n\
        </menu>\r\n<!-- end -->\r\n";
    check(&pseudo(), "menu.xml", XML, expected);
}

#[test]
fn keeps_xml_character_references() {
    let bench = upper();
    for (content, expected) in [
        ("<a>it&apos;s a]]&gt;b</a>", "<a>IT&apos;S A]]&gt;B</a>"),
        ("<a>a &gt; b > c &#62; d &amp; e &#x26; f</a>", "<a>A &gt; B > C &#62; D &amp; E &#x26; F</a>"),
        ("<a>a&#13;&#10;b&#160;c</a>", "<a>A&#13;&#10;B&#160;C</a>"),
        ("<a>a<!--b-->c<?d e?>f<![CDATA[g]]><![CDATA[]]>h</a>", "<a>A<!--b-->C<?d e?>F<![CDATA[G]]><![CDATA[]]>H</a>"),
    ] {
        check(&bench, "a.xml", content, expected);
    }
}

#[test]
fn translates_only_the_string_values_of_json() {
    let expected = "{\r\n  \"title\": \"Téā\" ,\"title\":\"Ċûp\",\r\n\t\"url\": \"ā\\/b\u{307}\", \"n\": [1.50, -0, 1e400, 12345678901234567890, true, null],\r\n\
        \"deep\": {\"key\": [\"Ŏńé \\\"twŏ\\\"\\n\\ud83d\\ude00\", \"\", \" \", {\"x\" : \"ý\"}]}, \"half\": \"\\ud800\"\r\n}\r\n";
    check(&pseudo(), "menu.json", JSON, expected);
}

#[test]
fn keeps_the_encoding_of_xml() {
    let bench = pseudo();
    let text = "\u{feff}<?xml version='1.0' encoding='UTF-16'?>\n<a>Tea \u{1f600}</a>\n";
    let expected = "\u{feff}<?xml version='1.0' encoding='UTF-16'?>\n<a>Téā \u{1f600}</a>\n";
    assert_eq!(translated(&bench, "a.xml", &utf_16(text, u16::to_le_bytes)), utf_16(expected, u16::to_le_bytes));
    assert_eq!(translated(&bench, "b.xml", &utf_16(text, u16::to_be_bytes)), utf_16(expected, u16::to_be_bytes));
    let without_mark = text.trim_start_matches('\u{feff}');
    assert_eq!(
        translated(&bench, "c.xml", &utf_16(without_mark, u16::to_le_bytes)),
        utf_16(expected.trim_start_matches('\u{feff}'), u16::to_le_bytes)
    );
    let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?>\n<a b='\xe4'>Caf\xe9 <b>\xe9t\xe9</b><![CDATA[Tea]]></a>";
    // Characters missing from the encoding become references. CDATA sections cannot contain references, so their text stays unchanged.
    let expected = b"<?xml version='1.0' encoding='ISO-8859-1'?>\n\
        <a b='\xe4'>&#266;&#257;f&#233; <b>&#233;&#775;t&#233;</b><![CDATA[Tea]]></a>";
    assert_eq!(String::from_utf8_lossy(&translated(&bench, "d.xml", latin)), String::from_utf8_lossy(expected));
}

#[test]
fn returns_idml_dita_and_mif_unchanged() {
    let bench = pseudo();
    for (name, content) in [
        ("a.idml", &b"PK\x03\x04 Tea \xff\0"[..]),
        ("b.dita", b"<?xml version='1.0'?>\r\n<topic id='t'><title>Tea</title><body/></topic>"),
        ("c.mif", b"<MIFFile 2015> # Tea\n<Para <ParaLine <String `Tea'>>>\n"),
    ] {
        assert!(translated(&bench, name, content) == content, "{name}");
    }
}

#[test]
fn translates_text_files_and_returns_other_types_unchanged() {
    let bench = upper();
    for name in ["a.md", "b.markdown", "c.vtt", "d.yaml", "e.yml", "f.properties", "g.strings"] {
        check(&bench, name, "Tea\n", "TEA\n");
    }
    for name in ["a.zip", "b.odt", "c.rtf", "d.resx", "e.xlsm"] {
        assert!(translated(&bench, name, b"\xff Tea") == b"\xff Tea", "{name}");
    }
    let billed = ["doc", "list", "--columns", "source,billed_characters"];
    let listed = bench.run(billed).code(0);
    for line in ["b.odt\t0\n", "c.rtf\t0\n", "d.resx\t0\n", "a.md\t4\n"] {
        assert!(listed.out().contains(line), "{listed}");
    }
}

#[test]
fn warns_about_a_too_large_file_and_lets_the_service_decide() {
    let bench = bench();
    for (name, bytes, limit) in [("a.vtt", 150_001, "150,000"), ("b.yaml", 1_000_001, "1,000,000")] {
        bench.write(name, "a\n".repeat(bytes / 2 + 1));
        let run = bench.run(["doc", "translate", name, "--from", "en", "--to", "de"]).code(5);
        run.says(&format!(
            "bytes; the limit for its type is {limit} bytes on a paid plan, so the service may refuse it\n"
        ))
        .says("(413");
    }
    bench.write("c.docx", "a".repeat(10_000_001));
    bench.run(["doc", "translate", "c.docx", "--from", "en", "--to", "de"]).code(0).says_not("the limit for its type");
    let free = bench.env("TULK_API_KEY", "k:fx");
    free.write(".config/tulk/config.toml", "[profiles.default]\nservice = \"deepl\"\n");
    let dry = ["doc", "translate", "c.docx", "--to", "fr", "-n"];
    free.run(dry)
        .code(0)
        .says("c.docx has 10,000,001 bytes; the limit for its type is 10,000,000 bytes on a free plan");
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn translates_deeply_nested_files() {
    let bench = pseudo();
    let depth = 100_000;
    let xml = |text| ["<a>".repeat(depth), text, "</a>".repeat(depth)].concat();
    check(&bench, "deep.xml", &xml("Tea".to_owned()), &xml("Téā".to_owned()));
    let json = |text| ["[".repeat(depth), text, "]".repeat(depth)].concat();
    check(&bench, "deep.json", &json("\"Tea\"".to_owned()), &json("\"Téā\"".to_owned()));
    let inline = ["<g id='1'>".repeat(depth), "Tea".to_owned(), "</g>".repeat(depth)].concat();
    let xliff = |target: &str| {
        [
            "<xliff version='1.2'><file target-language='de'><trans-unit><source>",
            &inline,
            "</source>",
            target,
            "</trans-unit></file></xliff>",
        ]
        .concat()
    };
    let target = ["<target>", &inline.replace("Tea", "Téā"), "</target>"].concat();
    check(&bench, "deep.xlf", &xliff(""), &xliff(&target));
}

#[test]
fn a_malformed_file_fails_with_a_reason() {
    let bench = bench();
    for (name, content, reason) in [
        ("a.json", &b"{\"a\": 1,\n}"[..], "The file is not valid JSON"),
        ("b.json", b"{} {}", "The file is not valid JSON"),
        ("c.json", b"\"\xff\"", "The file is not valid UTF-8"),
        ("d.json", b" ", "The file is not valid JSON"),
        ("e.xml", b"<a>\n<b>\n</a>", "The file is not well-formed XML: line 3"),
        ("f.xml", b"<a>&nbsp;</a>", "line 1: unknown entity reference 'nbsp'"),
        ("g.xml", b"<a b=1/>", "line 1: expected a quote not '1'"),
        ("h.xml", b"\nTea", "line 2: unexpected text"),
        ("i.xml", b"<a>\xff</a>", "The file is not valid UTF-8"),
        ("j.xml", b"<?xml version='1.0' encoding='ISO-8859-99'?><a/>", "The encoding 'ISO-8859-99' is not supported"),
        ("k.xlf", b"<xliff version='1.2'><file></xliff>", "The file is not well-formed XML: line 1"),
        ("l.xlf", b"<xliff version='1.2'><file/></xliff>", "The file contains no XLIFF segments"),
        ("m.xlf", b"<xliff version='1.1'/>", "The XLIFF version '1.1' is not supported: it must be 1.2, 2.0 or 2.1"),
        ("n.xliff", b"<a/>", "The root element of the file is not 'xliff'"),
    ] {
        assert_fails(&bench, name, content, reason);
    }
}

fn upper() -> Bench {
    Bench::with(&["--engine", "upper", "--document-queue", "0", "--document-translate", "0"])
}

#[test]
fn xliff_1_2_targets_follow_their_sources() {
    let original = r#"<?xml version="1.0" encoding="UTF-8"?>
<xliff version='1.2' xmlns="urn:oasis:names:tc:xliff:document:1.2" xmlns:x="urn:x">
  <file original="a.html" source-language="en" datatype="html">
    <header><note>tea</note></header>
    <body>
      <trans-unit id="1" resname="tea">
        <source>cup of <g id="1">tea &amp; <x id="2"/>milk</g></source>
        <note>tea</note>
        <alt-trans><source>cup</source><target>Tasse</target></alt-trans>
      </trans-unit>
      <trans-unit id="2"><source>one</source>
        <target state="new" xml:lang="fr">un</target><note>n</note></trans-unit>
      <trans-unit id="3"><source>two</source><target state="new" /></trans-unit>
      <trans-unit id="4" translate="no"><source>three</source></trans-unit>
      <group translate="no"><trans-unit id="5"><source>four</source><target>vier</target></trans-unit>
        <trans-unit id="6" translate="yes"><source>five</source></trans-unit></group>
      <trans-unit id="7"><source>go <bpt id="1">&lt;a title="<sub>tip</sub>"></bpt>on<ept id="1">&lt;/a></ept><mrk mtype="protected">tulk</mrk></source></trans-unit>
      <trans-unit id="8"><source>a. b.</source><seg-source><mrk mtype="seg" mid="0">a.</mrk> <mrk mtype="seg" mid="1">b.</mrk></seg-source></trans-unit>
      <trans-unit id="9"><source/></trans-unit>
      <trans-unit id="10"><source>six</source><x:target>keep</x:target></trans-unit>
    </body>
  </file>
</xliff>
"#;
    let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<xliff version='1.2' xmlns="urn:oasis:names:tc:xliff:document:1.2" xmlns:x="urn:x">
  <file target-language="de" original="a.html" source-language="en" datatype="html">
    <header><note>tea</note></header>
    <body>
      <trans-unit id="1" resname="tea">
        <source>cup of <g id="1">tea &amp; <x id="2"/>milk</g></source><target>CUP OF <g id="1">TEA &amp; <x id="2"/>MILK</g></target>
        <note>tea</note>
        <alt-trans><source>cup</source><target>Tasse</target></alt-trans>
      </trans-unit>
      <trans-unit id="2"><source>one</source>
        <target state="new" xml:lang="de">ONE</target><note>n</note></trans-unit>
      <trans-unit id="3"><source>two</source><target state="new">TWO</target></trans-unit>
      <trans-unit id="4" translate="no"><source>three</source></trans-unit>
      <group translate="no"><trans-unit id="5"><source>four</source><target>vier</target></trans-unit>
        <trans-unit id="6" translate="yes"><source>five</source><target>FIVE</target></trans-unit></group>
      <trans-unit id="7"><source>go <bpt id="1">&lt;a title="<sub>tip</sub>"></bpt>on<ept id="1">&lt;/a></ept><mrk mtype="protected">tulk</mrk></source><target>GO <bpt id="1">&lt;a title="<sub>TIP</sub>"></bpt>ON<ept id="1">&lt;/a></ept><mrk mtype="protected">tulk</mrk></target></trans-unit>
      <trans-unit id="8"><source>a. b.</source><seg-source><mrk mtype="seg" mid="0">a.</mrk> <mrk mtype="seg" mid="1">b.</mrk></seg-source><target><mrk mtype="seg" mid="0">A.</mrk> <mrk mtype="seg" mid="1">B.</mrk></target></trans-unit>
      <trans-unit id="9"><source/></trans-unit>
      <trans-unit id="10"><source>six</source><target>SIX</target><x:target>keep</x:target></trans-unit>
    </body>
  </file>
</xliff>
"#;
    check(&upper(), "a.xlf", original, expected);
}

#[test]
fn xliff_2_0_segments_get_targets_and_the_rest_is_kept() {
    let original = r#"<?xml version="1.0" encoding="UTF-8"?>
<xl:xliff xmlns:xl="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang = 'fr' xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0">
 <xl:file id="f1">
  <xl:unit id="u1">
   <mtc:matches><mtc:match ref="s1"><xl:source>cup</xl:source><xl:target>Tasse</xl:target></mtc:match></mtc:matches>
   <xl:notes><xl:note>tea</xl:note></xl:notes>
   <xl:originalData><xl:data id="d1">&lt;br/></xl:data></xl:originalData>
   <xl:segment id="s1"><xl:source>cup of <xl:pc id="1">tea</xl:pc><xl:ph id="2" dataRef="d1"/><xl:mrk id="m1" translate="no">tulk</xl:mrk></xl:source></xl:segment>
   <xl:ignorable><xl:source> and </xl:source></xl:ignorable>
   <xl:segment state="initial"><xl:source xml:space="preserve">milk</xl:source>
    <xl:target xml:lang="fr">lait</xl:target></xl:segment>
   <xl:segment><xl:source>go <xl:sm id="m2" translate="no"/>tulk<xl:em startRef="m2"/> on</xl:source><xl:target/></xl:segment>
  </xl:unit>
  <xl:unit id="u2" translate="no"><xl:segment><xl:source>code</xl:source></xl:segment></xl:unit>
 </xl:file>
</xl:xliff>
"#;
    let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<xl:xliff xmlns:xl="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang = 'de' xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0">
 <xl:file id="f1">
  <xl:unit id="u1">
   <mtc:matches><mtc:match ref="s1"><xl:source>cup</xl:source><xl:target>Tasse</xl:target></mtc:match></mtc:matches>
   <xl:notes><xl:note>tea</xl:note></xl:notes>
   <xl:originalData><xl:data id="d1">&lt;br/></xl:data></xl:originalData>
   <xl:segment id="s1"><xl:source>cup of <xl:pc id="1">tea</xl:pc><xl:ph id="2" dataRef="d1"/><xl:mrk id="m1" translate="no">tulk</xl:mrk></xl:source><xl:target>CUP OF <xl:pc id="1">TEA</xl:pc><xl:ph id="2" dataRef="d1"/><xl:mrk id="m1" translate="no">tulk</xl:mrk></xl:target></xl:segment>
   <xl:ignorable><xl:source> and </xl:source></xl:ignorable>
   <xl:segment state="initial"><xl:source xml:space="preserve">milk</xl:source>
    <xl:target xml:lang="de">MILK</xl:target></xl:segment>
   <xl:segment><xl:source>go <xl:sm id="m2" translate="no"/>tulk<xl:em startRef="m2"/> on</xl:source><xl:target>GO <xl:sm id="m2" translate="no"/>tulk<xl:em startRef="m2"/> ON</xl:target></xl:segment>
  </xl:unit>
  <xl:unit id="u2" translate="no"><xl:segment><xl:source>code</xl:source></xl:segment></xl:unit>
 </xl:file>
</xl:xliff>
"#;
    check(&upper(), "a.xlf", original, expected);
    let prefix_free = |text: &str| {
        text.replace("xl:", "").replace("xmlns:xl", "xmlns").replace("version=\"2.0\" src", "version=\"2.1\" src")
    };
    check(&upper(), "b.xliff", &prefix_free(original), &prefix_free(expected));
}

#[test]
fn whitespace_between_texts_of_xml_and_json_is_not_billed() {
    let bench = upper();
    let space = " \n".repeat(600_000);
    let less_space = " \n".repeat(400_000);
    for (name, content, result, billed) in [
        (
            "a.xml",
            format!("<a>{space}<b>one</b>{space}<b> two </b></a>"),
            format!("<a>{space}<b>ONE</b>{space}<b> TWO </b></a>"),
            8,
        ),
        (
            "a.json",
            format!("[\"\", \"one\",{less_space}\"   \", \" two \"]"),
            format!("[\"\", \"ONE\",{less_space}\"   \", \" TWO \"]"),
            8,
        ),
        (
            "a.xlf",
            XLIFF.replace("TEXT", "<source>one</source>"),
            XLIFF.replace("TEXT", "<source>one</source><target>ONE</target>"),
            3,
        ),
    ] {
        bench.write(name, content);
        let args = ["doc", "translate", name, "--from", "en", "--to", "de", "-o", "result"];
        let run = bench.run(args.into_iter().chain(["--force", "--columns", "billed_characters"])).code(0);
        run.prints(format!("{billed}\n"));
        assert!(bench.read("result") == result, "{name}");
    }
}

const XLIFF: &str = "<xliff version=\"1.2\"><file target-language=\"de\"><body>\n\
    <trans-unit id=\"1\">TEXT</trans-unit>\n<trans-unit id=\"2\"><source> </source><target> </target></trans-unit>\n\
    </body></file></xliff>";

#[test]
fn escapes_glossary_terms_for_each_file_type() {
    let bench = upper();
    bench.write("terms.tsv", "tea & cups\t\"R&D\" <x ]]>\n");
    bench.run(["glossary", "create", "k", "--dictionary", "en:de=terms.tsv"]).code(0);
    bench.write("a.xml", "<a>tea &amp; cups<![CDATA[tea & cups]]></a>");
    bench.write("a.json", "[\"tea & cups\"]");
    bench.write("a.xlf", XLIFF.replace("TEXT", "<source>tea &amp; cups</source>"));
    bench
        .run(["doc", "translate", "a.xml", "a.json", "a.xlf", "--from", "en", "--to", "de", "--glossary", "k"])
        .code(0);
    assert_eq!(bench.read("a.de.xml"), "<a>\"R&amp;D\" &lt;x ]]&gt;<![CDATA[\"R&D\" <x ]]]]><![CDATA[>]]></a>");
    assert_eq!(bench.read("a.de.json"), r#"["\"R&D\" <x ]]>"]"#);
    let unit = "<source>tea &amp; cups</source><target>\"R&amp;D\" &lt;x ]]&gt;</target>";
    assert_eq!(bench.read("a.de.xlf"), XLIFF.replace("TEXT", unit));
}
