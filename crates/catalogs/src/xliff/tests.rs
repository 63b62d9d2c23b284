//! Tests of XLIFF units and of edits of targets.

use proptest::prelude::*;
use tulk_growth::assert_linear;

use super::super::{CatalogLanguage, Change, SkipReason, Syntax, Unit, UnitKey, UnitText, apply_edits, invariants};
use super::fixtures::{ALL_FILES, ANGULAR, SYMFONY, XCODE, XLIFF_2};
use super::*;

fn read(text: &str) -> Catalog {
    XliffFormat.read(text, &ReadOptions::default()).unwrap()
}

/// Returns each unit as `key: source → target`.
fn unit_lines(catalog: &Catalog) -> Vec<String> {
    let show = |unit: &Unit| {
        let [source, target] = [Some(&unit.text), unit.target.as_ref()]
            .map(|text| text.map_or("-".to_owned(), |text| text.texts().collect::<String>()));
        format!("{}: {source} → {target}", unit.key)
    };
    catalog.units.iter().map(show).collect()
}

fn changed(text: &str, units: Vec<Change<'_>>, language: Option<&CatalogLanguage>) -> String {
    let changes = CatalogChanges { units, language, is_new_target: false };
    apply_edits(text, XliffFormat.edits(text, &ReadOptions::default(), &changes).unwrap()).unwrap()
}

fn set(text: &str, unit: usize, new: &str, markup: &[String]) -> String {
    let new = UnitText::Single(new.to_owned());
    changed(text, vec![Change::Set { unit, text: &new, markup }], None)
}

/// Returns the lines of `new` that `old` does not have.
fn new_lines(old: &str, new: &str) -> Vec<String> {
    new.lines().filter(|line| !old.lines().any(|old| old == *line)).map(str::to_owned).collect()
}

#[test]
fn angular_is_read() {
    let catalog = read(ANGULAR);
    assert_eq!((catalog.source_language.as_deref(), catalog.language), (Some("en-US"), None));
    let first = &catalog.units[0];
    let strong = r#"<x id="START_TAG_STRONG" ctype="x-strong" equiv-text="&lt;strong&gt;"/>"#;
    let end = r#"<x id="CLOSE_TAG_STRONG" ctype="x-strong" equiv-text="&lt;/strong&gt;"/>"#;
    let name = r#"<x id="INTERPOLATION" equiv-text="{{name}}"/>"#;
    assert_eq!(first.text, UnitText::Single(format!("Hello {strong}you{end}, {name}!")));
    assert_eq!(first.markup, [end, name, strong]);
    assert_eq!(first.note.as_deref(), Some("An introduction header for this sample\nUser welcome"));
    assert_eq!((&first.target, first.syntax), (&None, Some(Syntax::Braces)));
    assert_eq!(catalog.units[1].syntax, Some(Syntax::Icu));
    assert_eq!(catalog.units[2].text, UnitText::Single("a < b && \"c\"\n          on two lines".to_owned()));
}

#[test]
fn targets_follow_their_sources() {
    let markup = read(ANGULAR).units[0].markup.clone();
    let german = format!("Hallo {}du{}, {}!", markup[2], markup[0], markup[1]);
    let once = set(ANGULAR, 0, &german, &markup);
    assert_eq!(new_lines(ANGULAR, &once), [format!("        <target state=\"translated\">{german}</target>")]);
    assert_eq!(once.lines().nth(6).map(str::trim_start), new_lines(ANGULAR, &once)[0].get(8..));
    assert_eq!(set(&once, 0, &german, &markup), once);
    let twice = set(&once, 0, "Servus <b> & ]]>", &markup);
    assert_eq!(
        new_lines(ANGULAR, &twice),
        ["        <target state=\"translated\">Servus &lt;b&gt; &amp; ]]&gt;</target>"]
    );
    assert_eq!(
        new_lines(ANGULAR, &set(ANGULAR, 2, "a\nb", &[])),
        ["        <target state=\"translated\">a", "b</target>"]
    );
}

#[test]
fn segments_are_units() {
    let catalog = read(XLIFF_2);
    assert_eq!(
        unit_lines(&catalog),
        [
            "greeting: Hello <pc id=\"0\" equivStart=\"START_TAG_B\" type=\"fmt\">you</pc> <ph id=\"1\" equiv=\"INTERPOLATION\" disp=\"{{name}}\"/> → -",
            "fixed: SKU → -",
            "free: Buy → Kaufen",
            "long.s1: One. → Eins.",
            "long.s2: Two. → -",
            "long.s3: Three. → -",
        ]
    );
    assert_eq!(catalog.units[0].note.as_deref(), Some("A greeting"));
    assert_eq!(catalog.units[0].markup.len(), 3);
    let skips: Vec<_> = catalog.units.iter().map(|unit| unit.skip.is_some()).collect();
    assert_eq!(skips, [false, true, false, false, false, false]);
    assert_eq!(
        new_lines(XLIFF_2, &set(XLIFF_2, 2, "Jetzt kaufen", &[])),
        ["        <segment state=\"translated\" subState=\"x:y\">", "          <target>Jetzt kaufen</target>"]
    );
    assert_eq!(
        new_lines(XLIFF_2, &set(XLIFF_2, 4, "Zwei.", &[])),
        ["      <segment state=\"translated\" id=\"s2\">", "        <target>Zwei.</target>"]
    );
    let all = [3, 4, 5].map(|unit| Change::Remove { unit }).to_vec();
    assert!(!changed(XLIFF_2, all, None).contains("\"long\""));
}

#[test]
fn xcode_and_symfony_are_read() {
    let catalog = read(XCODE);
    assert_eq!((catalog.source_language.as_deref(), catalog.language.as_deref()), (Some("en"), Some("de")));
    assert_eq!(
        unit_lines(&catalog),
        [
            "Shop/en\\.lproj/InfoPlist\\.strings.CFBundleName: Shop → Laden",
            "%lld items in %@: %lld items in %@ → -",
            "Shop/en\\.lproj/Localizable\\.strings.CFBundleName: Shop → Geschäft",
        ]
    );
    let [first, second, third] = catalog.units.as_slice() else { panic!() };
    assert_eq!((first.note.as_deref(), &second.note, &third.note), (Some("Bundle name"), &None, &None));
    assert_eq!((first.needs_review, third.needs_review), (false, true));
    assert!(catalog.units.iter().all(|unit| unit.syntax == Some(Syntax::Mobile)));
    assert_eq!(
        new_lines(XCODE, &set(XCODE, 2, "Geschäft", &[])),
        ["        <target state=\"translated\" state-qualifier=\"leveraged-mt\">Geschäft</target>"]
    );

    let catalog = read(SYMFONY);
    assert_eq!(
        unit_lines(&catalog),
        ["hLPQzRl: Hello %name% → -", "cd: <b>All</b> & more → <b>Tout</b>", "brand: tulk → -"]
    );
    let [first, second, third] = catalog.units.as_slice() else { panic!() };
    assert_eq!((first.max_chars, second.max_chars), (Some(20), None));
    assert_eq!(first.markup, ["%name%"]);
    assert_eq!(third.skip, Some(SkipReason::Untranslatable));
    let new = set(SYMFONY, 0, "Salut %name%\n!", &first.markup);
    assert!(new.contains("\t<target state=\"translated\">Salut %name%\r\n!</target>\r\n"), "{new}");
    let new = set(SYMFONY, 1, "]]> & <i>", &[]);
    assert!(new.contains("<target state=\"translated\"><![CDATA[]]]]><![CDATA[> & <i>]]></target>"), "{new}");
    let new = set(SYMFONY, 2, "x", &[]);
    assert!(new.contains("<source>tulk</source><target state=\"translated\">x</target></trans-unit>"), "{new}");
}

#[test]
fn code_is_one_token_and_escaped_tags_stay_escaped() {
    let document = |source: &str| {
        format!(
            "<xliff version='1.2'><file original='a'><body><trans-unit id='a'><source>{source}</source></trans-unit></body></file></xliff>"
        )
    };
    let unit = |source: &str| read(&document(source)).units.remove(0);
    let found = unit("a <bpt id='1'>&lt;b></bpt>b<ept id='1'>&lt;/b></ept> <g id='2'>c</g> &nbsp;");
    assert_eq!(found.markup, ["&nbsp;", "</g>", "<bpt id='1'>&lt;b></bpt>", "<ept id='1'>&lt;/b></ept>", "<g id='2'>"]);
    let text = "&lt;x id='1'/&gt; is &amp; <x id='1'/>";
    let found = unit(text);
    assert_eq!(found.text, UnitText::Single(text.to_owned()));
    assert_eq!(found.markup, ["&amp;", "&gt;", "&lt;", "<x id='1'/>"]);
    assert!(
        set(&document(text), 0, text, &found.markup).contains(&format!("<target state=\"translated\">{text}</target>"))
    );
    let text = "a<x id='1'\r\n/>\nb";
    let found = unit(&text.replace('b', "b\r\n"));
    let new = set(&document("\r\n"), 0, text, &found.markup);
    assert!(new.contains("<target state=\"translated\">a<x id='1'\r\n/>\r\nb</target>"), "{new:?}");
    let options = ReadOptions::default();
    for (new, what) in [
        ("<g>x", "the inline element `g` has no end tag"),
        ("</g>x<g>", "the end of the inline element `g` is in the wrong position"),
        ("\u{1}", "the character U+0001 cannot be written in XML"),
    ] {
        let new = UnitText::Single(new.to_owned());
        let markup = ["<g>".to_owned(), "</g>".to_owned()];
        let units = vec![Change::Set { unit: 0, text: &new, markup: &markup }];
        let changes = CatalogChanges { units, ..CatalogChanges::default() };
        assert_eq!(XliffFormat.edits(&document("x"), &options, &changes).unwrap_err().what, what);
    }
}

#[test]
fn protected_spans_are_one_token() {
    for (mark, markup) in [
        ("<mrk id='1' translate='no'>tulk <b>x</b></mrk>", vec!["<mrk id='1' translate='no'>tulk <b>x</b></mrk>"]),
        ("<mrk mtype='protected'>tulk</mrk>", vec!["<mrk mtype='protected'>tulk</mrk>"]),
        ("<mrk mtype='term'>tulk</mrk>", vec!["</mrk>", "<mrk mtype='term'>"]),
        ("<mrk translate='yes'>tulk</mrk>", vec!["</mrk>", "<mrk translate='yes'>"]),
    ] {
        let text = format!(
            "<xliff version='1.2'><file original='a'><body><trans-unit id='a'><source>Use {mark} now</source></trans-unit></body></file></xliff>"
        );
        let unit = read(&text).units.remove(0);
        assert_eq!(unit.markup, markup);
        let german = format!("Nimm {mark} jetzt");
        assert!(
            set(&text, 0, &german, &unit.markup).contains(&format!("<target state=\"translated\">{german}</target>"))
        );
    }
}

#[test]
fn languages_are_set() {
    let language = CatalogLanguage { tag: "pt-BR".to_owned(), path: "pt_BR".to_owned() };
    for (text, line) in [
        (
            ANGULAR,
            "  <file source-language=\"en-US\" target-language=\"pt-BR\" datatype=\"plaintext\" original=\"ng2.template\">",
        ),
        (
            XLIFF_2,
            "<xliff version=\"2.0\" xmlns=\"urn:oasis:names:tc:xliff:document:2.0\" srcLang=\"en-US\" trgLang=\"pt-BR\">",
        ),
    ] {
        let new = changed(text, Vec::new(), Some(&language));
        assert_eq!(new_lines(text, &new), [line]);
        assert_eq!(
            changed(&new.replace("\"pt-BR\"", "\"pt_BR\""), Vec::new(), Some(&language)),
            new.replace("\"pt-BR\"", "\"pt_BR\"")
        );
    }
    assert_eq!(changed(XCODE, Vec::new(), Some(&language)).matches("target-language=\"pt-BR\"").count(), 2);
}

#[test]
fn units_of_another_file_are_inserted() {
    let like = read(XCODE).units.remove(2);
    let new = UnitText::Single("Laden".to_owned());
    let insert = |text: &str, like: &Unit, after, before| {
        changed(text, vec![Change::Insert { like, text: &new, after, before }], None)
    };
    let like_new = Unit {
        key: UnitKey::names(["Shop/en.lproj/InfoPlist.strings", "New & \"old\""]),
        note: Some("N".to_owned()),
        ..like
    };
    let out = insert(XCODE, &like_new, Some(2), None);
    assert_eq!(
        new_lines(XCODE, &out),
        [
            "      <trans-unit id=\"New &amp; &quot;old&quot;\">",
            "        <target state=\"translated\">Laden</target>",
            "        <note>N</note>",
        ]
    );
    assert!(out.find("New &amp;").unwrap() < out.find("</file>").unwrap());
    let empty = "<xliff version=\"2.0\" srcLang=\"en\">\n  <file id=\"f\"/>\n</xliff>\n";
    let segments = &read(XLIFF_2).units[3..5];
    let units = segments.iter().map(|like| Change::Insert { like, text: &new, after: None, before: None }).collect();
    let out = changed(empty, units, None);
    assert_eq!(unit_lines(&read(&out)), ["long.s1: One. → Laden", "long.s2: Two. → Laden"]);
    assert!(out.contains("\n      <segment id=\"s1\" state=\"translated\">\n        <source>One.</source>\n"), "{out}");
}

#[test]
fn other_documents_are_refused() {
    for (text, what) in [
        ("<a/>", "the root element is 'a', not 'xliff'"),
        ("<xliff version=\"3.0\"/>", "'3.0' is not a known version of XLIFF"),
        ("<xliff/>", "'' is not a known version of XLIFF"),
        ("<xliff", "not well-formed XML: tag not closed: `>` not found before end of input"),
    ] {
        assert_eq!(XliffFormat.read(text, &ReadOptions::default()).unwrap_err().what, what);
    }
    for version in ["1.1", "2.0"] {
        let text = format!("<xliff xmlns=\"urn:oasis:names:tc:xliff:document:{version}\"/>");
        assert!(XliffFormat.read(&text, &ReadOptions::default()).is_ok(), "{text}");
    }
    let twice = SYMFONY.replace("\"cd\"", "\"brand\"");
    let catalog = read(&twice);
    assert_eq!((catalog.units.len(), catalog.duplicates.len()), (2, 1));
    assert_eq!(catalog.duplicates[0].key, UnitKey::name("brand"));
}

#[test]
fn editing_takes_linear_time() {
    let units = |n| {
        let unit = |n| format!("<trans-unit id='u{n}'><source>a<x id='{n}'/></source></trans-unit>\n");
        let units: String = (0..n).map(unit).collect();
        format!("<xliff version='1.2'><file original='a'><body>\n{units}</body></file></xliff>")
    };
    let new = UnitText::Single("b".to_owned());
    assert_linear("units", 1000, units, |text| {
        let count = text.matches("<source").count();
        let all = (0..count).map(|unit| Change::Set { unit, text: &new, markup: &[] }).collect();
        assert_eq!(changed(text, all, None).matches("<target").count(), count);
    });
    let inline = |n| {
        let inline: String = (0..n).map(|n| format!("a<x id='{n}'/>")).collect();
        format!(
            "<xliff version='1.2'><file><body><trans-unit id='a'><source>{inline}</source></trans-unit></body></file></xliff>"
        )
    };
    assert_linear("inline elements", 2000, inline, |text| {
        assert_eq!(read(text).units[0].markup.len(), text.matches("<x ").count());
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn invariants_hold(new in invariants::texts(), file in prop::sample::select(ALL_FILES.to_vec())) {
        invariants::check_all(&XliffFormat, file, &ReadOptions::default(), &new);
    }

    #[test]
    fn corrupted_documents_do_not_panic(
        file in prop::sample::select(ALL_FILES.to_vec()),
        cut in any::<prop::sample::Index>(),
        from in any::<prop::sample::Index>(),
        piece in prop::sample::select(vec!["", "<", ">", "&", "\"", "</source>", "<target>", "<segment/>", "]]>"]),
    ) {
        let at = |index: prop::sample::Index| (0..=index.index(file.len())).rev().find(|at| file.is_char_boundary(*at)).unwrap();
        let (start, _) = file.split_at(at(cut));
        let (_, end) = file.split_at(at(from));
        for text in [[start, piece].concat(), [start, piece, end].concat()] {
            if let Ok(catalog) = XliffFormat.read(&text, &ReadOptions::default()) {
                let new = UnitText::Single("x".to_owned());
                let all = catalog.units.iter().map(|unit| Change::Set { unit: unit.id, text: &new, markup: &[] });
                let changes = CatalogChanges { units: all.collect(), ..CatalogChanges::default() };
                let edits = XliffFormat.edits(&text, &ReadOptions::default(), &changes).unwrap();
                prop_assert!(apply_edits(&text, edits).is_some());
            }
        }
    }
}
