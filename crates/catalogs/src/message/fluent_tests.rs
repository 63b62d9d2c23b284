//! Tests of Fluent messages.

use super::*;

fn fluent(to: &str, text: &str, phrases: &[(&str, &str)]) -> (Vec<String>, String) {
    let forms = TargetForms::OfLanguage;
    let rules =
        MessageRules { syntax: Syntax::Fluent, markup: &[], source_lang: "en", target_lang: to, target_forms: &forms };
    let expansion = expand(&UnitText::Single(text.to_owned()), &rules).unwrap();
    let answer = |sentence: &Sentence| {
        let found = phrases.iter().find(|(source, _)| *source == sentence.text);
        sentence.finish(found.map_or(&sentence.text, |(_, target)| target)).unwrap()
    };
    let results: Vec<String> = expansion.sentences.iter().map(answer).collect();
    let sent = expansion.sentences.iter().map(|sentence| sentence.text.clone()).collect();
    match expansion.fold(&results.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(UnitText::Single(text)) => (sent, text),
        other => panic!("{other:?}"),
    }
}

const SHARED: &str = "{ $user } { $n ->\n    [one] added one photo\n   *[other] added { $n } photos\n} to { -app }.";

#[test]
fn selects_on_numbers_get_the_categories_of_the_target() {
    let (sent, text) = fluent(
        "pl",
        SHARED,
        &[
            ("{ $user } added one photo to { -app }.", "{ $user } dodał jedno zdjęcie do { -app }."),
            ("{ $user } added 2 photos to { -app }.", "{ $user } dodał 2 zdjęcia do { -app }."),
            ("{ $user } added 5 photos to { -app }.", "{ $user } dodał 5 zdjęć do { -app }."),
            ("{ $user } added { $n } photos to { -app }.", "{ $user } dodał { $n } zdjęcia do { -app }."),
        ],
    );
    assert_eq!(sent.len(), 4);
    let polish = "{ $n ->\n    \
        [one] { $user } dodał jedno zdjęcie do { -app }.\n    \
        [few] { $user } dodał { $n } zdjęcia do { -app }.\n    \
        [many] { $user } dodał { $n } zdjęć do { -app }.\n   \
        *[other] { $user } dodał { $n } zdjęcia do { -app }.\n}";
    assert_eq!(text, polish);
    assert_eq!(fluent("de", SHARED, &[]).1, SHARED);
}

#[test]
fn other_selects_keep_their_variants() {
    let source = "{ PLATFORM() ->\n    [macos] Preferences\n   *[other] Options\n}";
    let (sent, text) = fluent("de", source, &[("Options", "Einstellungen")]);
    assert_eq!(sent, ["Preferences", "Options"]);
    assert_eq!(text, "{ PLATFORM() ->\n    [macos] Preferences\n   *[other] Einstellungen\n}");
}

#[test]
fn selects_may_have_a_number_function_and_exact_numbers() {
    let source = "{ NUMBER($n) ->\n    [0] No files\n    [one] One file\n   *[other] { NUMBER($n) } files\n}";
    let (sent, text) = fluent("ja", source, &[("2 files", "2個のファイル"), ("No files", "ファイルなし")]);
    assert_eq!(sent, ["No files", "2 files"]);
    assert_eq!(text, "{ NUMBER($n) ->\n    [0] ファイルなし\n   *[other] { NUMBER($n) }個のファイル\n}");
    let source = "{ NUMBER($n, type: \"ordinal\") ->\n    [one] { $n }st\n    [two] { $n }nd\n    [few] { $n }rd\n   *[other] { $n }th\n}";
    assert_eq!(fluent("fr", source, &[]).0, ["1st", "2nd"]);
}

#[test]
fn variants_within_variants_are_indented() {
    let source =
        "{ $g ->\n    [male] He\n   *[other] They\n} sent { $n ->\n    [one] a file\n   *[other] { $n } files\n}";
    let text = fluent("de", source, &[("He sent a file", "Er hat [1]\n[eine] Datei {gesendet}")]).1;
    let german = "{ $g ->
    [male] { $n ->
            [one]
                Er hat [1]
                {\"[\"}eine] Datei {\"{\"}gesendet{\"}\"}
           *[other] He sent { $n } files
        }
   *[other] { $n ->
            [one] They sent a file
           *[other] They sent { $n } files
        }
}";
    assert_eq!(text, german);
    assert_eq!(fluent("en-GB", &text, &[]).1, text);
}

#[test]
fn texts_without_selects_are_one_sentence() {
    for text in ["Hi { $name }, welcome to { -app }", "a\n b", "{ $n -> [one"] {
        let (sent, back) = fluent("de", text, &[]);
        assert_eq!((sent.as_slice(), back.as_str()), ([text.to_owned()].as_slice(), text));
    }
}

#[test]
fn literal_braces_are_text() {
    let source = "Write {\"{\"} name {\"}\"} in { $field }";
    let german = "Schreib {\"{\"} Name {\"}\"} in { $field }";
    assert_eq!(fluent("de", source, &[(source, german)]), (vec![source.to_owned()], german.to_owned()));
    // Braces around words that cannot be a name are not a placeable, either.
    assert_eq!(Syntax::Fluent.tokens("{ my name } { $x } { 5 }", &[]).len(), 2);
    let select = "{ $n ->\n    [one] {\"{\"} one {\"}\"}\n   *[other] {\"{\"} { $n } {\"}\"} files\n}";
    let sent = ["{\"{\"} one {\"}\"}", "{\"{\"} 2 {\"}\"} files"];
    let answers = [(sent[0], "{\"{\"} eins {\"}\"}"), (sent[1], "{\"{\"} 2 {\"}\"} Dateien")];
    let (found, text) = fluent("de", select, &answers);
    assert_eq!(
        (found.as_slice(), text),
        (sent.map(str::to_owned).as_slice(), select.replace("one {", "eins {").replace("files", "Dateien"))
    );
}

static RULES: MessageRules<'_> = MessageRules {
    syntax: Syntax::Fluent,
    markup: &[],
    source_lang: "en",
    target_lang: "de",
    target_forms: &TargetForms::OfLanguage,
};

fn unit(text: &str) -> UnitText {
    UnitText::Single(text.to_owned())
}

#[test]
fn reports_missing_and_added_references() {
    let check = |source: &str, target: &str| check_target(&unit(source), &unit(target), &RULES);
    let error = |what: &str| Err(what.to_owned());
    assert_eq!(
        check("Write {\"{\"} name {\"}\"}", "Schreib { name }"),
        error("the reference to name is not in the source")
    );
    assert_eq!(check("See { button.title }", "Siehe"), error("the reference to button.title is missing"));
    assert_eq!(check("In { -app }", "In { -app(case: \"dative\") }"), Ok(()));
    assert_eq!(check("In { -app }", "In { -ap }"), error("the reference to -app is missing"));
    assert_eq!(
        check("In { -app }", "{ -app.gender ->\n    [masculine] Im { -app }\n   *[other] In der { -app }\n}"),
        Ok(())
    );
    assert_eq!(check("{ DATETIME($d) } { 5 }", "{ DATETIME($d, month: \"long\") } {\"\"}"), Ok(()));
}

#[test]
fn a_translation_may_add_or_drop_selectors() {
    let check = |source: &str, target: &str| check_target(&unit(source), &unit(target), &RULES);
    let target = "{ $n ->\n    [one] Ein Foto von { $user }\n   *[other] { $n } Fotos von { $user }\n}";
    assert_eq!(check("{ $n } photos by { $user }", target), Ok(()));
    assert_eq!(check("{ $n } photos", "{ $m } Fotos"), Err("the variable $n is missing".to_owned()));
    let select = "{ $n ->\n    [one] Comment\n   *[other] Comments\n}";
    assert_eq!(check(select, "Kommentar(e)"), Ok(()));
    assert_eq!(check(select, &select.replace("$n", "$m")), Err("the variable $m is not in the source".to_owned()));
    let cases = "{ $case ->\n   *[nominative] Garten\n    [genitive] Gartens\n}";
    assert_eq!(check("Garden", cases), Ok(()));
    assert_eq!(check("Garden", "{ $case }"), Err("the variable $case is not in the source".to_owned()));
    let source = unit(SHARED);
    assert_eq!(missing_forms(&source, &unit("{ $n ->\n   *[other] { $n } von { $user }\n}"), &RULES).len(), 1);
    assert_eq!(missing_forms(&source, &unit("{ $n ->\n    [one] x\n   *[many] y\n}"), &RULES), []);
}
