//! Tests of units, languages, encodings and mistakes in TMX files.

use super::*;

fn unit(source: &str, target: &str) -> String {
    format!("<tu><tuv xml:lang=\"de\"><seg>{source}</seg></tuv><tuv xml:lang=\"en\"><seg>{target}</seg></tuv></tu>\n")
}

fn tmx(units: &str) -> String {
    format!("<?xml version=\"1.0\"?>\n<tmx version=\"1.4\"><header srclang=\"de\"/><body>\n{units}</body></tmx>\n")
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect()
}

/// Returns one byte per read.
struct OneByteReader<'a>(&'a [u8]);

impl Read for OneByteReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = buffer.len().min(1);
        self.0.read(&mut buffer[..count])
    }
}

fn words(text: &str) -> String {
    check(text.as_bytes(), "a.tmx").unwrap().in_words()
}

fn mistake(text: &str) -> String {
    let failure = check(text.as_bytes(), "a.tmx").unwrap_err();
    format!("{}: {}", failure.at.unwrap(), failure.what)
}

#[test]
fn counts_units_and_languages() {
    assert_eq!(
        words(&tmx(&(unit("Eins", "One") + &unit("Zwei", "")))),
        "2 units in de, en, source de; 1 without a text in the source or another language"
    );
    let same = unit("Drei", "Three").replace("\"en\"", "\"DE\"");
    assert_eq!(
        words(&tmx(&(unit("Eins", "One") + &same))),
        "2 units in DE, de, en, source de; 1 without a text in the source or another language"
    );
    let old = "<tmx><header srclang='EN-US'></header><body><tu><tuv lang='en'><seg>a &amp; <ph>x</ph></seg></tuv>\
               <tuv lang='fr'><seg><![CDATA[b]]></seg></tuv></tu></body></tmx>";
    assert_eq!(words(old), "1 unit in en, fr, source EN-US");
    let any = tmx(&unit("a", "b")).replace("srclang=\"de\"", "srclang=\"*all*\"");
    assert_eq!(words(&any), "1 unit in de, en, source any");
    let variants = tmx(&unit("a", "b")).replace("\"de\"", "\"en-US\"").replace("\"en\"", "\"en-GB\"");
    assert_eq!(words(&variants), "1 unit in en-GB, en-US, source en-US");
    let own = tmx(&unit("a", "b")).replace("<tu>", "<tu srclang='en'>").replace("srclang=\"de\"", "srclang=\"fr\"");
    assert_eq!(words(&own), "1 unit in de, en, source fr");
}

#[test]
fn reads_all_encodings_of_desktop_tools_in_chunks_of_any_size() {
    let text = tmx(&unit("Ventil \u{1f600} schließen", "Close"));
    let latin1 = text.replace("\"1.0\"", "\"1.0\" encoding=\"ISO-8859-1\"").replace('\u{1f600}', "");
    let latin1: Vec<u8> = latin1.chars().map(|c| u8::try_from(c).unwrap()).collect();
    let without_mark = utf16(&text, u16::to_le_bytes)[2..].to_vec();
    let files = [
        text.clone().into_bytes(),
        format!("\u{feff}{text}").into_bytes(),
        utf16(&text, u16::to_le_bytes),
        utf16(&text, u16::to_be_bytes),
        without_mark,
        latin1,
    ];
    for file in files {
        let (whole, slow) = (check(&*file, "a").unwrap(), check(OneByteReader(&file), "a").unwrap());
        assert_eq!(whole.in_words(), "1 unit in de, en, source de");
        assert_eq!(whole, slow);
        assert_eq!(whole.sha256, tulk_base::files::sha256_hex(&file));
    }
}

#[test]
fn names_the_first_mistake_and_its_location() {
    let one = |source: &str| tmx(&unit(source, "One"));
    for (text, expected) in [
        (String::new(), "a.tmx:1:1: the file contains no XML"),
        ("<xliff/>".to_owned(), "a.tmx:1:1: the root element is `xliff`, not `tmx`"),
        ("<tmx><body/></tmx>".to_owned(), "a.tmx:1:19: the file has no header with the source language"),
        ("<tmx><header/></tmx>".to_owned(), "a.tmx:1:6: the header has no source language (`srclang`)"),
        (tmx(""), "a.tmx:4:1: the file has no units (`tu`)"),
        (one(" "), "a.tmx:5:1: no unit has a text in the source language `de` and one in another language"),
        (one("a &nbsp; b"), "a.tmx:3:31: unknown reference `&nbsp;`"),
        (one("a &#x1F; b"), "a.tmx:3:31: the character U+001F is not allowed in XML"),
        (one("ü & b"), "a.tmx:3:31: a `&` that does not begin a reference"),
        (one("\u{1}"), "a.tmx:3:29: the character U+0001 is not allowed in XML"),
        (one("<b>x"), "a.tmx:3:33: not well-formed XML: expected `</b>`, but `</seg>` was found"),
        (tmx("<tu><tuv><seg>x</seg></tuv></tu>"), "a.tmx:3:5: a `tuv` without `xml:lang`"),
        (one("x").replace("</tmx>", ""), "a.tmx:5:1: the file ends inside its root element"),
        (one("x") + "<tmx/>", "a.tmx:5:1: more than one root element"),
        (one("x") + "y", "a.tmx:4:14: text outside of the root element"),
        (one(&"<b>".repeat(200)), "a.tmx:3:398: elements are nested more than 128 deep"),
        (one(&"x".repeat(17 << 20)), "a.tmx:3:29: a text or tag of more than 16 MiB"),
    ] {
        assert_eq!(mistake(&text), expected);
    }
    let failure = check(&b"<tmx><header srclang='de'/>\n\xff"[..], "a.tmx").unwrap_err();
    assert_eq!(failure.what, "the text does not match the encoding of the file");
    let mut cut = utf16(&tmx(&unit("a", "b")), u16::to_le_bytes);
    cut.pop();
    assert_eq!(check(&*cut, "a").unwrap_err().what, "the file ends inside a UTF-16 character");
}

#[test]
fn an_entity_of_a_document_type_is_accepted() {
    let text = tmx(&unit("a&b;", "c")).replace("<tmx", "<!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n<tmx");
    assert_eq!(words(&text), "1 unit in de, en, source de");
}
