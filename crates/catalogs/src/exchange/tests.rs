//! Tests with files as returned by translation tools.

use super::*;

fn text(key: &str, source: &str, target: Option<&str>) -> TextToTranslate {
    TextToTranslate {
        file: "locales/en/a.json".to_owned(),
        key: key.to_owned(),
        source: source.to_owned(),
        target: target.map(str::to_owned),
        is_confirmed: false,
        note: None,
        max_chars: None,
        state: "missing",
    }
}

/// Returns the key, source, translation and progress of each text.
fn read(bytes: impl AsRef<[u8]>) -> Vec<(String, String, Result<String, String>, Progress)> {
    let (_, file) = ReturnedFile::read(bytes.as_ref()).unwrap();
    file.texts.into_iter().map(|text| (text.key, text.source, text.target, text.progress)).collect()
}

fn returned(
    key: &str,
    source: &str,
    target: &str,
    progress: Progress,
) -> (String, String, Result<String, String>, Progress) {
    (key.to_owned(), source.to_owned(), Ok(target.to_owned()), progress)
}

#[test]
fn every_format_round_trips() {
    let long = "One, two and three, ".repeat(20);
    let texts = [
        TextToTranslate {
            note: Some("Two\nlines -- <b>".to_owned()),
            ..text("a.b", "<b>A</b> & \"{n}\"\n\tx: y", None)
        },
        TextToTranslate { max_chars: Some(9), ..text("k[one]: \"q\"\\", &long, Some("; =ä\n")) },
        TextToTranslate { file: "other: file.po".to_owned(), is_confirmed: true, ..text("x", " x ", Some("y")) },
    ];
    for format in [ExchangeFormat::Xliff, ExchangeFormat::Xliff2, ExchangeFormat::Po, ExchangeFormat::Csv] {
        let written = format.write(["en", "pt-BR"], &texts).unwrap();
        for written in [written.clone(), written.replace('\n', "\r\n"), ["\u{feff}", &written].concat()] {
            let (_, file) = ReturnedFile::read(written.as_bytes()).unwrap();
            assert_eq!(file.language.as_deref(), Some("pt-BR"), "{format:?}");
            let progress: Vec<Progress> = file.texts.iter().map(|text| text.progress).collect();
            let [_, second, third] = progress[..] else { panic!("{format:?}") };
            let expected = match format {
                ExchangeFormat::Csv => (Progress::Unknown, Progress::Unknown),
                _ => (Progress::Unfinished, Progress::Done),
            };
            assert_eq!((second, third), expected, "{format:?}");
            for (text, back) in texts.iter().zip(&file.texts) {
                // The path in a PO file ends at the first colon followed by a space.
                if format != ExchangeFormat::Po || !text.file.contains(": ") {
                    assert_eq!((&back.file, &back.key), (&text.file, &text.key), "{format:?}");
                }
                assert_eq!((&back.source, &back.target), (&text.source, &Ok(text.target.clone().unwrap_or_default())));
            }
        }
    }
    for format in [ExchangeFormat::Xliff, ExchangeFormat::Xliff2, ExchangeFormat::Po] {
        let refused = format.write(["en", "de"], &[text("k", "a\0b", None)]).unwrap_err();
        assert!(refused.starts_with("k: "), "{refused}");
    }
}

#[test]
fn reads_xliff_1_as_translation_tools_write_it() {
    // As tools return it: other order of attributes, segments, tags, suggestions, Windows line endings, a byte-order mark.
    let file = "\u{feff}<?xml version='1.0' encoding='utf-8'?>\n\
        <xliff xmlns='urn:oasis:names:tc:xliff:document:1.2' xmlns:mq='MQXliff' version='1.2'>\n\
        <file target-language='de-DE' datatype='plaintext' source-language='en' original='a.json' tool-id='x'>\n\
        <header><tool tool-id='x' tool-name='X'/></header><body><group id='g'>\n\
        <trans-unit xml:space='preserve' approved='yes' mq:status='Confirmed' resname='a.b' id='1'>\n\
        <source>One. Two {{n}}.</source>\n\
        <seg-source><mrk mtype='seg' mid='0'>One.</mrk> <mrk mtype='seg' mid='1'>Two {{n}}.</mrk></seg-source>\n\
        <target state='final'><mrk mtype='seg' mid='0'>Eins.</mrk> <mrk mtype='seg' mid='1'>Zwei <ph id='1'>{{n}}</ph>.</mrk></target>\n\
        <alt-trans match-quality='80'><source>Other</source><target>Anderes</target></alt-trans>\n\
        </trans-unit>\n\
        <trans-unit id='gap'><source>One. Two.</source>\
        <target><mrk mtype='seg' mid='0'>Eins.</mrk> <mrk mtype='seg' mid='1'/></target></trans-unit>\n\
        <trans-unit id='old'><source>Three</source><target state='needs-review-translation'>Drei</target></trans-unit>\n\
        <trans-unit id='none'><source>Four</source><target state='needs-translation'/></trans-unit>\n\
        <trans-unit id='code'><source>&lt;b&gt;Five&lt;/b&gt;</source>\
        <target state='translated'><bpt id='1'>&lt;b&gt;</bpt>Fünf<ept id='1'>&lt;/b&gt;</ept><x id='2' equiv-text='!'/></target></trans-unit>\n\
        <trans-unit id='lost'><source>Six</source><target>Sechs<x id='2'/></target></trans-unit>\n\
        </group></body></file></xliff>\n";
    let expected = [
        returned("a.b", "One. Two {{n}}.", "Eins. Zwei {{n}}.", Progress::Done),
        returned("gap", "One. Two.", "Eins. ", Progress::Unfinished),
        returned("old", "Three", "Drei", Progress::Unfinished),
        returned("none", "Four", "", Progress::Unfinished),
        returned("code", "<b>Five</b>", "<b>Fünf</b>!", Progress::Done),
        (
            "lost".to_owned(),
            "Six".to_owned(),
            Err("the inline element `x` has no text equivalent".to_owned()),
            Progress::Done,
        ),
    ];
    assert_eq!(read(file), expected);
    assert_eq!(read(file.replace('\n', "\r\n")), expected);
    let (_, read) = ReturnedFile::read(file.as_bytes()).unwrap();
    assert_eq!((read.language.as_deref(), read.texts[0].file.as_str()), (Some("de-DE"), "a.json"));
}

#[test]
fn reads_xliff_2_as_translation_tools_write_it() {
    let file = "<xliff xmlns=\"urn:oasis:names:tc:xliff:document:2.0\" trgLang=\"de\" version=\"2.1\" srcLang=\"en\">\
        <file original=\"a.json\" id=\"f1\"><group id=\"g\">\
        <unit name=\"a\" id=\"u1\"><segment id=\"s1\" state=\"final\" subState=\"x:y\"><source>One.</source><target>Eins.</target></segment>\
        <ignorable><source> </source></ignorable>\
        <segment id=\"s2\" state=\"reviewed\"><source>Two.</source><target>Zwei<cp hex=\"000d\"/>.</target></segment></unit>\
        <unit name=\"b\" id=\"u2\"><segment state=\"final\"><source>One.</source><target>Eins.</target></segment>\
        <segment><source>Two.</source></segment></unit>\
        <unit name=\"c\" id=\"u3\"><segment><source>Three <pc id=\"1\">x</pc></source><target>Drei <mrk id=\"m\" type=\"term\">x</mrk></target></segment></unit>\
        <unit name=\"d\" id=\"u4\"><segment state=\"initial\"><source>Four</source></segment></unit>\
        </group></file></xliff>";
    assert_eq!(
        read(file),
        [
            returned("a", "One. Two.", "Eins. Zwei\r.", Progress::Done),
            returned("b", "One.Two.", "Eins.", Progress::Unfinished),
            returned("c", "Three x", "Drei x", Progress::Done),
            returned("d", "Four", "", Progress::Unfinished),
        ]
    );
}

#[test]
fn reads_po_as_poedit_writes_it() {
    let file = "# Translators: Ada\nmsgid \"\"\nmsgstr \"\"\n\"X-Generator: Poedit 3.4\\n\"\n\"Language: de\\n\"\n\n\
        #. note\n#, fuzzy\n#| msgid \"Un\"\nmsgctxt \"a.json: x\"\nmsgid \"One\"\nmsgstr \"Ein\"\n\n\
        msgctxt \"\"\n\"a.json: \"\n\"y\"\nmsgid \"\"\n\"Two \"\n\"words\"\nmsgstr \"\"\n\"Zwei \"\n\"Wörter\"\n\n\
        #~ msgctxt \"a.json: z\"\n#~ msgid \"Old\"\n#~ msgstr \"Alt\"\n";
    let expected =
        [returned("x", "One", "Ein", Progress::Unfinished), returned("y", "Two words", "Zwei Wörter", Progress::Done)];
    assert_eq!(read(file), expected);
    assert_eq!(read(file.replace('\n', "\r\n")), expected);
}

#[test]
fn reads_tables_as_spreadsheets_write_them() {
    let expected = [
        returned("x", "One; two", "Eins; zwei", Progress::Unknown),
        returned("y", "Two\nlines", "Zwei\nZeilen", Progress::Unknown),
    ];
    let semicolons = "\u{feff}File;Key;en;de;State;Note\r\na.json;x;\"One; two\";\"Eins; zwei\";missing;\r\n\
        a.json;y;\"Two\r\nlines\";\"Zwei\nZeilen\";stale\r\n;;;;;\r\n";
    assert_eq!(read(semicolons), expected);
    // Additional columns in another order, in UTF-16 with tabs.
    let tabs = "key\tfile\ten\tde\nx\ta.json\tOne; two\tEins; zwei\ny\ta.json\t\"Two\nlines\"\t\"Zwei\nZeilen\"\n";
    let utf16: Vec<u8> = [0xfeff].into_iter().chain(tabs.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(utf16), expected);
    let error = ReturnedFile::read(b"a,b\n1,2\n").unwrap_err();
    assert_eq!(
        error.what,
        "the file is neither XLIFF nor PO, nor a table with the columns file, key and two languages"
    );
    assert!(
        ReturnedFile::read(b"\xff\xfe\xfd").is_err() && ReturnedFile::read(b"file,key,en,de\na,b,\xe4,\xfc\n").is_err()
    );
}
