//! Tests of expanding texts into sentences, and of folding their results.

use super::*;
use crate::catalog::PluralText;
use crate::plural::{PluralCategory, PluralKind};

fn rules<'a>(syntax: Syntax, from: &'a str, to: &'a str, forms: &'a TargetForms) -> MessageRules<'a> {
    MessageRules { syntax, markup: &[], source_lang: from, target_lang: to, target_forms: forms }
}

fn single(text: &str) -> UnitText {
    UnitText::Single(text.to_owned())
}

fn plural(forms: &[(&str, &str)]) -> UnitText {
    let form = |(name, text): &(&str, &str)| {
        let index = || PluralForm::Index(name.parse().unwrap());
        let form = PluralCategory::from_name(name).map_or_else(index, PluralForm::Category);
        PluralText { form, text: (*text).to_owned() }
    };
    UnitText::Plural(PluralKind::Cardinal, forms.iter().map(form).collect())
}

fn sent(expansion: &Expansion) -> Vec<&str> {
    expansion.sentences.iter().map(|sentence| sentence.text.as_str()).collect()
}

/// Sentences that are not in `phrases` come back unchanged.
fn translated(text: &UnitText, rules: &MessageRules<'_>, phrases: &[(&str, &str)]) -> Result<UnitText, String> {
    let expansion = expand(text, rules).unwrap();
    let answer = |sentence: &Sentence| {
        let found = phrases.iter().find(|(source, _)| *source == sentence.text);
        sentence.finish(found.map_or(&sentence.text, |(_, target)| target))
    };
    let results: Vec<String> = expansion.sentences.iter().map(answer).collect::<Result<_, _>>()?;
    expansion.fold(&results.iter().map(String::as_str).collect::<Vec<_>>())
}

fn icu(from: &str, to: &str, text: &str, phrases: &[(&str, &str)]) -> String {
    match translated(&single(text), &rules(Syntax::Icu, from, to, &TargetForms::OfLanguage), phrases) {
        Ok(UnitText::Single(text)) => text,
        other => panic!("{other:?}"),
    }
}

type Pairs = &'static [(&'static str, &'static str)];

/// A language, the replies of the service, and the resulting forms.
const INFLECTIONS: &[(&str, Pairs, Pairs)] = &[
    (
        "pl",
        &[
            ("1 file", "1 plik"),
            ("2 files", "2 pliki"),
            ("5 files", "5 plików"),
            ("{{count}} files", "{{count}} pliku"),
        ],
        &[
            ("one", "{{count}} plik"),
            ("few", "{{count}} pliki"),
            ("many", "{{count}} plików"),
            ("other", "{{count}} pliku"),
        ],
    ),
    (
        "ru",
        &[
            ("21 files", "21 файл"),
            ("2 files", "2 файла"),
            ("5 files", "5 файлов"),
            ("{{count}} files", "{{count}} файла"),
        ],
        &[
            ("one", "{{count}} файл"),
            ("few", "{{count}} файла"),
            ("many", "{{count}} файлов"),
            ("other", "{{count}} файла"),
        ],
    ),
    (
        "ar",
        &[
            ("0 files", "٠ ملفات"),
            ("1 file", "ملف ١"),
            ("2 files", "٢ ملفان"),
            ("3 files", "٣ ملفات"),
            ("11 files", "١١ ملفًا"),
            ("100 files", "100 ملف"),
        ],
        &[
            ("zero", "{{count}} ملفات"),
            ("one", "ملف {{count}}"),
            ("two", "{{count}} ملفان"),
            ("few", "{{count}} ملفات"),
            ("many", "{{count}} ملفًا"),
            ("other", "{{count}} ملف"),
        ],
    ),
    ("ja", &[("2 files", "2個のファイル")], &[("other", "{{count}}個のファイル")]),
    (
        "fr",
        &[("0 files", "0 fichier"), ("2 files", "2 fichiers"), ("{{count}} files", "{{count}} de fichiers")],
        &[("one", "{{count}} fichier"), ("many", "{{count}} de fichiers"), ("other", "{{count}} fichiers")],
    ),
];

#[test]
fn sends_numbers_so_that_the_service_inflects() {
    let english = plural(&[("one", "{{count}} file"), ("other", "{{count}} files")]);
    let of_language = TargetForms::OfLanguage;
    for (to, phrases, forms) in INFLECTIONS {
        let result = translated(&english, &rules(Syntax::I18next, "en", to, &of_language), phrases);
        assert_eq!(result, Ok(plural(forms)), "{to}");
    }
}

#[test]
fn po_files_get_a_form_for_each_index() {
    let header = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);";
    let forms = TargetForms::Gettext(header.to_owned());
    let rules = rules(Syntax::Printf, "en", "pl", &forms);
    let source = plural(&[("one", "One file in %s"), ("other", "%d files in %s")]);
    let expansion = expand(&source, &rules).unwrap();
    assert_eq!(sent(&expansion), ["One file in %s", "2 files in %s", "5 files in %s"]);
    let phrases =
        [("One file in %s", "Jeden plik w %s"), ("2 files in %s", "2 pliki w %s"), ("5 files in %s", "5 plików w %s")];
    let polish = plural(&[("0", "Jeden plik w %s"), ("1", "%d pliki w %s"), ("2", "%d plików w %s")]);
    assert_eq!(translated(&source, &rules, &phrases), Ok(polish));
    let same = plural(&[("one", "%d of %d"), ("other", "%d of %d files")]);
    let wrong = [("2 of %d files", "%d Dateien, davon 2")];
    // Placeholders without numbers must keep their order.
    assert!(translated(&same, &rules, &wrong).is_err());
    let swapped = [("2 files in %s", "W %s są 2 pliki")];
    let error = "the translation has the placeholders in a different order";
    assert_eq!(translated(&source, &rules, &swapped), Err(error.to_owned()));
    let percent = UnitText::Single("%d%s 100%%d".to_owned());
    assert_eq!(translated(&percent, &rules, &[]), Ok(percent.clone()));
}

#[test]
fn refuses_a_result_that_lacks_or_repeats_the_number() {
    let forms = TargetForms::OfLanguage;
    let source = plural(&[("one", "%d file"), ("other", "%d files in 2 folders")]);
    let expansion = expand(&source, &rules(Syntax::Printf, "en", "de", &forms)).unwrap();
    let [one, other] = expansion.sentences.as_slice() else { panic!("{expansion:?}") };
    assert_eq!((one.text.as_str(), other.text.as_str()), ("1 file", "3 files in 2 folders"));
    for wrong in ["eine Datei", "1 Datei (1)", "11 Dateien", "1,5 Dateien"] {
        assert!(one.finish(wrong).is_err(), "{wrong}");
    }
    assert_eq!(one.finish("1 Datei"), Ok("%d Datei".to_owned()));
    let plain = other.without_sample().unwrap();
    assert_eq!((plain.text.as_str(), &plain.sample), ("%d files in 2 folders", &None));
    assert_eq!(plain.tokens, Syntax::Printf.tokens(&plain.text, &[]));
    assert_eq!(plain.finish("%d Dateien"), Ok("%d Dateien".to_owned()));
    assert_eq!(plain.without_sample(), None);
}

#[test]
fn a_form_without_the_number_is_sent_unchanged() {
    let forms = TargetForms::OfLanguage;
    let sentences = |to, one, other| {
        let source = plural(&[("one", one), ("other", other)]);
        let expansion = expand(&source, &rules(Syntax::Ruby, "en", to, &forms)).unwrap();
        sent(&expansion).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(sentences("pl", "One file", "%{count} files"), ["One file", "2 files", "5 files", "%{count} files"]);
    assert_eq!(sentences("ru", "One file", "%{count} files"), ["21 files", "2 files", "5 files", "%{count} files"]);
    assert_eq!(sentences("ru", "A file", "Files"), ["A file", "Files"]);
    assert_eq!(sentences("fr", "A file", "Files"), ["A file", "Files"]);
}

#[test]
fn keeps_the_zero_form_and_a_count_that_occurs_twice() {
    let source = plural(&[("zero", "No files"), ("one", "{{count}} file"), ("other", "{{count}} of {{count}} files")]);
    let forms = TargetForms::OfLanguage;
    let expansion = expand(&source, &rules(Syntax::I18next, "en", "de", &forms)).unwrap();
    assert_eq!(sent(&expansion), ["No files", "1 file", "{{count}} of {{count}} files"]);
    assert_eq!(expansion.sentences[2].tokens.len(), 2);
    assert_eq!(expansion.fold(&["No files", "{{count}} file", "{{count}} of {{count}} files"]), Ok(source));
}

#[test]
fn text_around_a_plural_is_moved_into_its_branches() {
    let source = "You have {count, plural, =0 {no messages} one {# message} other {# messages}} in <b>{folder}</b>.";
    let forms = TargetForms::OfLanguage;
    let expansion = expand(&single(source), &rules(Syntax::Icu, "en", "pl", &forms)).unwrap();
    let sentences = [
        "You have no messages in <b>{folder}</b>.",
        "You have 1 message in <b>{folder}</b>.",
        "You have 2 messages in <b>{folder}</b>.",
        "You have 5 messages in <b>{folder}</b>.",
        "You have # messages in <b>{folder}</b>.",
    ];
    assert_eq!(sent(&expansion), sentences);
    assert_eq!(expansion.sentences[1].tokens.len(), 3, "two tags and an argument");
    let polish = icu(
        "en",
        "pl",
        source,
        &[
            (sentences[0], "Nie masz wiadomości w <b>{folder}</b>."),
            (sentences[1], "Masz 1 wiadomość w <b>{folder}</b>."),
            (sentences[2], "Masz 2 wiadomości w <b>{folder}</b>."),
            (sentences[3], "Masz 5 wiadomości w <b>{folder}</b>."),
            (sentences[4], "Masz # wiadomości w <b>{folder}</b>."),
        ],
    );
    assert_eq!(
        polish,
        "{count, plural, =0 {Nie masz wiadomości w <b>{folder}</b>.} one {Masz # wiadomość w <b>{folder}</b>.} \
         few {Masz # wiadomości w <b>{folder}</b>.} many {Masz # wiadomości w <b>{folder}</b>.} \
         other {Masz # wiadomości w <b>{folder}</b>.}}"
    );
    // Unchanged results with the same forms give the source back.
    assert_eq!(icu("en", "de", source, &[]), source);
}

#[test]
fn branches_become_complete_sentences() {
    for (source, to, sentences) in [
        (
            "{g, select, male {He} female {She} other {They}} liked it.",
            "de",
            vec!["He liked it.", "She liked it.", "They liked it."],
        ),
        ("{n} {n, plural, one {file} other {files}}", "de", vec!["1 file", "2 files"]),
        // The shown number is n - 1.
        (
            "{n, plural, offset:1 =0 {Nobody} =1 {You} one {You and # other} other {You and # others}}",
            "de",
            vec!["Nobody", "You", "You and 1 other", "You and 2 others"],
        ),
        ("{n, plural, =1 {One file} other {# files}}", "de", vec!["One file", "2 files"]),
        ("{n, plural, =1 {One file} other {# files}}", "fr", vec!["One file", "0 files", "# files", "2 files"]),
        // Both plurals use one argument, so the second follows from the first.
        (
            "{n, plural, one {# file} other {# files}} {n, plural, one {was} other {were}} deleted",
            "de",
            vec!["1 file was deleted", "2 files were deleted"],
        ),
        (
            "{n, plural, one {# file} other {# files}} {n, plural, =0 {left} one {was} other {were}}",
            "de",
            vec!["0 files left", "1 file was", "2 files were"],
        ),
        // Only the number of the innermost plural is replaced.
        ("{a, plural, other {# of {b, plural, other {# files}}}}", "ja", vec!["{a, number} of 2 files"]),
        ("{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} floor", "fr", vec!["1st floor", "2nd floor"]),
        ("{n, plural, one {# file} other {# files}} of {total}", "ja", vec!["2 files of {total}"]),
        ("{n, plural, other {# of 2 files}}", "ja", vec!["3 of 2 files"]),
        ("It''s '{'{name}'}'", "de", vec!["It's '{'{name}'}'"]),
    ] {
        let forms = TargetForms::OfLanguage;
        let expansion = expand(&single(source), &rules(Syntax::Icu, "en", to, &forms)).unwrap();
        assert_eq!(sent(&expansion), sentences, "{source}");
    }
}

#[test]
fn messages_are_written_with_their_keywords_and_quotes() {
    for (source, phrases, target) in [
        (
            "{g, select, male {He} other {They}} left",
            vec![("They left", "Sie sind weg")],
            "{g, select, male {He left} other {Sie sind weg}}",
        ),
        ("It's {name}", vec![("It's {name}", "C'est {name}")], "C'est {name}"),
        ("It''s {name}", vec![("It's {name}", "C'est {name}")], "C''est {name}"),
        ("I am {name}", vec![("I am {name}", "Je m'appelle l'{name}")], "Je m'appelle l''{name}"),
        (
            "E.g. '{{ size > 0 }}' in {name}",
            vec![("E.g. '{{ size > 0 }}' in {name}", "Etwa '{{ size > 0 }}' in {name}")],
            "Etwa '{{ size > 0 }}' in {name}",
        ),
        ("Write '{name}'", vec![("Write '{name}'", "Schreibe '{name}' {")], "Schreibe '{name}' '{'"),
        (
            " {n, plural, one {a file} other {# files}}\n",
            vec![("2 files", "2 #Dateien")],
            " {n, plural, one {a file} other {# '#'Dateien}}\n",
        ),
        (
            "{n, plural,\n  one{# file}\n  other{# files}\n}",
            vec![("1 file", "1 Datei"), ("2 files", "2 Dateien")],
            "{n, plural,\n  one{# Datei}\n  other{# Dateien}\n}",
        ),
        (
            "{n, plural, other {# of {g, select, a {his} other {their}} files}}",
            vec![("2 of his files", "2 seiner Dateien")],
            "{n, plural, one {{g, select, a {{n, number} of his files} other {{n, number} of their files}}} \
             other {{g, select, a {{n, number} seiner Dateien} other {{n, number} of their files}}}}",
        ),
    ] {
        assert_eq!(icu("en", "de", source, &phrases), target, "{source}");
    }
}

#[test]
fn texts_without_words_are_not_sent() {
    let source = "{n, plural, =0 {} one {#} other {# files}}{name}";
    let forms = TargetForms::OfLanguage;
    let expansion = expand(&single(source), &rules(Syntax::Icu, "en", "de", &forms)).unwrap();
    assert_eq!(sent(&expansion), ["2 files{name}"]);
    let german = single("{n, plural, =0 {{name}} one {#{name}} other {# Dateien{name}}}");
    assert_eq!(expansion.fold(&["# Dateien{name}"]), Ok(german));
    for (syntax, text) in
        [(Syntax::Printf, ""), (Syntax::Printf, " %s\n"), (Syntax::I18next, "{{a}}"), (Syntax::Icu, "{a}")]
    {
        let expansion = expand(&single(text), &rules(syntax, "en", "de", &forms)).unwrap();
        assert_eq!((sent(&expansion), expansion.fold(&[])), (vec![], Ok(single(text))));
    }
}

#[test]
fn icu_plurals_are_expanded_in_files_with_markup() {
    let markup = ["<x id=\"A\" equiv-text=\"{{ minutes }}\"/>".to_owned(), "<b>".to_owned(), "</b>".to_owned()];
    let forms = TargetForms::OfLanguage;
    let rules = MessageRules { markup: &markup, ..rules(Syntax::Braces, "en", "pl", &forms) };
    let text = |texts: [&str; 4]| {
        let [one, few, many, other] = texts.map(|text| text.replace("A!", &markup[0]));
        single(&format!("{{VAR_PLURAL, plural, =1 {{{one}}} few {{{few}}} many {{{many}}} other {{{other}}}}}"))
    };
    let source = single(&format!("{{VAR_PLURAL, plural, =1 {{<b>one</b> minute}} other {{{} minutes}}}}", markup[0]));
    let expansion = expand(&source, &rules).unwrap();
    assert_eq!(sent(&expansion), ["<b>one</b> minute".to_owned(), format!("{} minutes", markup[0])]);
    assert_eq!(expansion.sentences[0].tokens, Syntax::Plain.tokens("<b>one</b> minute", &markup));
    let target = expansion.fold(&["<b>jedna</b> minuta", &format!("minuty {}", markup[0])]).unwrap();
    assert_eq!(target, text(["<b>jedna</b> minuta", "minuty A!", "minuty A!", "minuty A!"]));
    assert_eq!(check_target(&source, &target, &rules), Ok(()));
    assert!(check_target(&source, &text(["<b>jedna</b>", "minuty", "minuty", "minuty"]), &rules).is_err());
    // Keywords of ICU are ordinary words in a sentence.
    let prose = single("Use a plural, select {name}");
    assert_eq!(sent(&expand(&prose, &rules).unwrap()), ["Use a plural, select {name}"]);
}

#[test]
fn skips_messages_with_too_many_branches() {
    let forms = TargetForms::OfLanguage;
    let expanded = |count: usize| {
        let text: String = (0..count).map(|n| format!("{{a{n}, select, x {{1}} other {{2}}}}")).collect();
        expand(&single(&text), &rules(Syntax::Icu, "en", "de", &forms)).map(|expansion| expansion.sentences.len())
    };
    assert_eq!(expanded(6), Ok(64));
    assert_eq!(expanded(7), Err(SkipReason::TooManyBranches));
    assert_eq!(expanded(20_000), Err(SkipReason::TooManyBranches));
    let same = "{a, select, x {1} other {2}}".repeat(20_000);
    assert!(expand(&single(&same), &rules(Syntax::Icu, "en", "de", &forms)).is_err());
    // The `#` of a plural with an offset cannot be written inside another plural.
    let text = "{a, plural, offset:1 other {# {b, plural, other {#}}}}";
    assert!(expand(&single(text), &rules(Syntax::Icu, "en", "de", &forms)).is_err());
}

#[test]
fn java_patterns_keep_doubled_quotes() {
    let forms = TargetForms::OfLanguage;
    let rules = rules(Syntax::MessageFormat, "en", "fr", &forms);
    let translate = |source: &str, phrases: &[(&str, &str)]| translated(&single(source), &rules, phrases);
    let phrases = [("It's {0}", "C'est {0}"), ("It's", "C'est"), ("Don't", "N'est")];
    assert_eq!(translate("It''s {0}", &phrases), Ok(single("C''est {0}")));
    assert_eq!(translate("Don't", &phrases), Ok(single("N'est")));
    assert_eq!(translate("Don''t", &[]), Ok(single("Don''t")));
    let choice = "{0,choice,0#no files|1#one file|1<{0} files} left";
    assert_eq!(expand(&single(choice), &rules).map(drop), Err(SkipReason::ChoiceFormat));
}

#[test]
fn skips_invalid_messages() {
    let forms = TargetForms::OfLanguage;
    let expanded = |text: &str| expand(&single(text), &rules(Syntax::Icu, "en", "de", &forms)).map(drop);
    for text in
        ["{n, plural, one {# file}", "{broken", "a {b", "{} files", "{n, plural, one {a} one {b} other {c}}", "a {b c}"]
    {
        assert_eq!(expanded(text), Err(SkipReason::InvalidMessage), "{text}");
    }
    let nested = "{g, select, other {{n, choice, 0#no|1#one}}}";
    assert_eq!(expanded(nested), Err(SkipReason::ChoiceFormat));
    for text in ["It's", "Files", "{n} files", "'{' {n}", "a } b", "{d, date, short}"] {
        assert_eq!(expanded(text), Ok(()), "{text}");
    }
}

#[test]
fn skips_invalid_java_patterns_with_typed_arguments() {
    let forms = TargetForms::OfLanguage;
    let expanded = |text: &str| expand(&single(text), &rules(Syntax::MessageFormat, "en", "de", &forms)).map(drop);
    for text in ["{0,plural,", "{0,number", "{0} of { 1 , date, short", "{n,select,a{x}"] {
        assert_eq!(expanded(text), Err(SkipReason::InvalidMessage), "{text}");
    }
    for text in
        ["{0}", "{0,number}", "{0,date,d 'o''clock'} ''x''", "use {, or {0", "'{0,plural,'", "{a, b", "{0,number,#}"]
    {
        assert_eq!(expanded(text), Ok(()), "{text}");
    }
}

#[test]
fn a_missing_placeholder_is_an_error() {
    let forms = TargetForms::OfLanguage;
    let source = single("{g, select, a {x {name}} other {y {name}}}");
    let expansion = expand(&source, &rules(Syntax::Icu, "en", "de", &forms)).unwrap();
    let error = expansion.fold(&["x", "y {name}"]).unwrap_err();
    assert_eq!(error, "the placeholder {name} is missing in the translation");
    assert!(expansion.fold(&["x {name}"]).is_err());
}

#[test]
fn parts_of_a_laravel_plural_keep_pipes_and_conditions() {
    let rules = rules(Syntax::Laravel, "en", "de", &TargetForms::OfLanguage);
    let phrases = [("No files", "Keine Dateien"), (":count files", ":count Dateien"), ("Choose A | B", "Wähle A | B")];
    for (text, result) in [
        ("{0} No files|{1}:count|[2,*] :count files", "{0} Keine Dateien|{1}:count|[2,*] :count Dateien"),
        ("No files|:count files", "Keine Dateien|:count Dateien"),
        (":count files|:count files", ":count Dateien|:count Dateien"),
        ("Choose A | B", "Wähle A | B"),
    ] {
        assert_eq!(translated(&single(text), &rules, &phrases), Ok(single(result)), "{text}");
        assert_eq!(translated(&single(text), &rules, &[]), Ok(single(text)), "{text}");
    }
    let expansion = expand(&single(":count files|:count files"), &rules).unwrap();
    assert_eq!(sent(&expansion), [":count files"]);
}

#[test]
fn icu_plurals_are_expanded_in_other_formats_too() {
    let text = "{0, plural, one {# item} other {# items}} in {name}";
    for syntax in [Syntax::DotNet, Syntax::Mobile, Syntax::Plain] {
        let rules = rules(syntax, "en", "pl", &TargetForms::OfLanguage);
        let result = translated(&single(text), &rules, &[("1 item in {name}", "1 rzecz w {name}")]);
        let Ok(UnitText::Single(result)) = result else { panic!("{result:?}") };
        assert!(result.starts_with("{0, plural, one {# rzecz w {name}} few {# items in {name}}"), "{result}");
        assert_eq!(check_target(&single(text), &single(&result), &rules), Ok(()));
        assert!(check_target(&single(text), &single("{0, plural, other {#}}"), &rules).is_err());
    }
    let rules = rules(Syntax::Printf, "en", "de", &TargetForms::OfLanguage);
    let expansion = expand(&single("{n, plural, other {%s has # items}}"), &rules).unwrap();
    assert!(expansion.sentences.iter().all(|sentence| !sentence.tokens.is_empty()), "{expansion:?}");
}
