//! Unreadable files, refused languages and invalid units do not stop the rest of a project.

use super::{project, tulk};
use crate::common::Bench;

#[test]
fn an_unreadable_file_does_not_stop_the_others() {
    let bench = project(&[
        ("locales/en/a.json", "{\n  \"a\": \"One\",,\n}\n"),
        ("locales/en/b.json", "{\"b\": \"Two\"}\n"),
        ("locales/en/c.json", "{\"c\": \"Three\"}\n"),
        ("locales/de/c.json", "{\"c\": \"Drei\"\n"),
    ]);
    let run = tulk(&bench, "sync").code(9);
    run.says("error: locales/en/a.json:2:14: ").says("error: locales/de/c.json:1:1: ");
    assert_eq!(bench.read("locales/de/b.json"), "{\"b\": \"TWO\"}\n");
    assert_eq!(bench.read("locales/fr/b.json"), "{\"b\": \"TWO\"}\n");
    assert_eq!(bench.read("locales/fr/c.json"), "{\"c\": \"THREE\"}\n");
    assert_eq!(bench.read("locales/de/c.json"), "{\"c\": \"Drei\"\n");
    assert!(!bench.path("locales/de/a.json").exists());
    tulk(&bench, "sync -n").code(9).prints("");
    tulk(&bench, "sync status --columns file,target_lang")
        .code(9)
        .prints("locales/en/b.json\tde\nlocales/en/b.json\tfr\nlocales/en/c.json\tfr\n");
    tulk(&bench, "sync accept").code(9);
}

#[test]
fn exits_with_2_if_no_file_is_readable() {
    let bench = project(&[("locales/en/a.json", "{\n  \"a\": \"One\",,\n}\n")]);
    for line in ["sync", "sync -n", "sync --check", "sync status", "sync accept"] {
        tulk(&bench, line).code(2).prints("").says("error: locales/en/a.json:2:14: ");
    }
    bench.write("locales/en/b.json", "{");
    tulk(&bench, "sync").code(2).says("error: none of the 2 files can be read\n");
    assert!(bench.requests().is_empty() && !bench.path("tulk.lock").exists());
}

#[test]
fn a_refused_language_does_not_stop_the_others() {
    let config = super::PROJECT.replace("\"fr\"", "\"tlh\"");
    let bench = super::project_of(&config, &[("locales/en/a.json", "{\"a\": \"One\"}\n")]);
    let run = tulk(&bench, "sync").code(9);
    run.says("error: tlh: the service refused the request: Value for 'target_lang' not supported. (400")
        .says("  hint: for another code, set `service` under [sync.langs.tlh]; `tulk langs list` shows the supported ones\n")
        .says("error: 1 file or language failed\n")
        .prints("locales/en/a.json\tde\tmissing\t1\t3\t1\n");
    assert_eq!(bench.read("locales/de/a.json"), "{\"a\": \"ONE\"}\n");
    assert!(!bench.path("locales/tlh/a.json").exists());
    // The unit itself is not at fault, so a later run sends it again.
    tulk(&bench, "sync --check --columns target_lang,state").code(1).prints("tlh\tmissing\n");
    tulk(&bench, "sync").code(5).prints("").says("error: tlh: the service refused the request");
    bench.write("tulk.toml", config + "\n[sync.langs.tlh]\nservice = \"fr\"\n");
    tulk(&bench, "sync").code(0).prints("locales/en/a.json\ttlh\tmissing\t1\t3\t1\n");
}

#[test]
fn requests_a_refused_language_only_once() {
    let texts: Vec<String> = (0..500).map(|n| format!("\"k{n}\": \"Text {n}\"")).collect();
    let config = super::PROJECT.replace("\"fr\"", "\"tlh\"");
    let bench = super::project_of(&config, &[("locales/en/a.json", &format!("{{{}}}\n", texts.join(", ")))]);
    tulk(&bench, "sync --concurrency 1").code(9).says("error: tlh: the service refused the request: ");
    let sent = super::bodies(&bench, 0).into_iter().filter(|body| body["target_lang"] == "TLH").count();
    assert_eq!(sent, 1);
}

#[test]
fn sends_a_language_under_the_code_of_the_service() {
    let config = super::PROJECT.replace("\"de\", \"fr\"", "\"de-DE\", \"no\", \"pt-BR\", \"zh-TW\"");
    let bench = super::project_of(&config, &[("locales/en/a.json", "{\"a\": \"One\"}\n")]);
    let note = "note: sent under another code: de-DE as de, no as nb, zh-TW as zh-Hant; `service` under [sync.langs.X] changes it\n";
    tulk(&bench, "sync -n --columns target_lang").code(0).says(note).prints("de-DE\nno\npt-BR\nzh-TW\n");
    // The list of languages is cached.
    assert_eq!(bench.requests().len(), 1);
    tulk(&bench, "sync --columns target_lang").code(0).says(note);
    let mut codes: Vec<String> = super::texts(&bench, 1).into_iter().map(|(code, _)| code).collect();
    codes.sort();
    assert_eq!(codes, ["DE", "NB", "PT-BR", "ZH-HANT"]);
    assert_eq!(bench.read("locales/zh-TW/a.json"), "{\"a\": \"ONE\"}\n");
    tulk(&bench, "sync").code(0).says_not("note");
    // The service has another code for the source language too.
    let config = super::PROJECT.replace("\"en\"", "\"no\"").replace("locales/en", "locales/no");
    let bench = super::project_of(&config, &[("locales/no/a.json", "{\"a\": \"En\"}\n")]);
    tulk(&bench, "sync").code(0).says("note: sent under another code: no as nb; ");
}

#[test]
fn a_plan_names_unsupported_languages() {
    let config = super::PROJECT.replace("\"fr\"", "\"tlh\", \"en-PH\", \"sr-Latn\"");
    let files = [("locales/en/a.json", "{\"a\": \"One\"}\n")];
    let bench = super::project_of(&config, &files);
    let warnings = "warning: tlh: the service refuses this language; set `service` under [sync.langs.tlh]\n\
                    warning: en-PH: the service refuses this language; did you mean `en`, `en-GB` or `en-US`? set `service` under \
                    [sync.langs.en-PH]\n\
                    warning: sr-Latn: the service refuses this language; set `service` under [sync.langs.sr-Latn]\n";
    tulk(&bench, "sync -n --columns target_lang").code(0).prints("de\ntlh\nen-PH\nsr-Latn\n").says(warnings);
    bench.write("tulk.toml", config + "[sync.langs.tlh]\nservice = \"tlh\"\n");
    tulk(&bench, "sync -n --to tlh").code(0).says_not("tlh");
    // Without a server, the built-in list of languages applies.
    let bench = Bench::bare();
    bench.write("tulk.toml", super::PROJECT.replace("\"fr\"", "\"de-AT\", \"tlh\""));
    bench.write(files[0].0, files[0].1);
    tulk(&bench, "sync -n")
        .code(0)
        .says("note: sent under another code: de-AT as de; ")
        .says("warning: tlh: the service refuses this language; ");
    let bench = bench.env("TULK_API_KEY", "k").env("TULK_SERVER", "http://127.0.0.1:1");
    tulk(&bench, "sync -n").code(0).says("note: sent under another code: de-AT as de; ").says_not("retrying");
}

#[test]
fn the_settings_of_a_project_cannot_steer_requests() {
    let config = super::PROJECT.replace("[[sync", "server = \"http://127.0.0.1:1\"\n\n[[sync");
    let bench = super::project_of(&config, &[("locales/en/a.json", "{\"a\": \"One\"}\n")]);
    tulk(&bench, "sync").code(2).says("tulk.toml:");
    assert!(bench.requests().is_empty());
}

#[cfg(unix)]
#[test]
fn never_reads_or_writes_a_lock_outside_the_project() {
    let outside = Bench::bare();
    let secret = outside.write("secret.txt", "mine\n");
    let lines = ["sync", "sync -n", "sync --check", "sync status", "sync accept"];
    let bench = project(&[("locales/en/a.json", "{\"a\": \"One\"}\n")]);
    let lock = bench.path("tulk.lock");
    for target in [secret.as_path(), &outside.path("new.txt")] {
        std::os::unix::fs::symlink(target, &lock).unwrap();
        for line in lines {
            tulk(&bench, line).code(2).prints("").says("error: tulk.lock is a link ");
        }
        std::fs::remove_file(&lock).unwrap();
    }
    assert_eq!(outside.read("secret.txt"), "mine\n");
    assert!(!outside.path("new.txt").exists());
    rustix::fs::mknodat(rustix::fs::CWD, &lock, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    for line in lines {
        tulk(&bench, line).code(2).prints("").says("error: tulk.lock is not a regular file\n");
    }
    assert!(bench.requests().is_empty() && !bench.path("locales/de/a.json").exists());
    // A link within the project is allowed.
    std::fs::remove_file(&lock).unwrap();
    bench.write("locks/own", "");
    std::os::unix::fs::symlink("locks/own", &lock).unwrap();
    tulk(&bench, "sync").code(0);
    assert_eq!(bench.read("locks/own").lines().count(), 1);
    assert!(lock.is_symlink());
}

#[test]
fn names_binary_property_lists() {
    let config = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n[[sync.files]]\nsource = \"en.strings\"\ntarget = \"{lang}.strings\"\n";
    let bench = super::project_of(config, &[]);
    bench.write("en.strings", b"bplist00\xd1\x01\x02QaQb\xff");
    tulk(&bench, "sync").code(2).says(
        "error: en.strings:1:1: the file is a binary property list, as in a built app\n  \
         hint: use the source file from the Xcode project; a .stringsdict can be converted with `plutil -convert xml1`\n",
    );
    bench
        .pipe(b"bplist00ab", ["translate", "--as", "stringsdict", "--to", "de"])
        .code(2)
        .says("error: stdin:1:1: the file is a binary property list, as in a built app\n");
}

#[test]
fn does_not_send_a_unit_that_its_target_cannot_hold() {
    let bench = project(&[
        ("locales/en/a.json", "{\"menu\": {\"open\": \"Open\"}, \"b\": \"Two\"}\n"),
        ("locales/de/a.json", "{\"menu\": \"Menü\"}\n"),
    ]);
    let run = tulk(&bench, "sync --to de").code(9);
    run.says("the key menu.open cannot be inserted: another value is in its place");
    assert_eq!(super::texts(&bench, 0), [("DE".to_owned(), "Two".to_owned())]);
    assert_eq!(bench.read("locales/de/a.json"), "{\"menu\": \"Menü\", \"b\": \"TWO\"}\n");
    tulk(&bench, "sync --check --to de --columns key,state").code(1).prints("menu.open\tfailed\n");
    let before = bench.requests().len();
    tulk(&bench, "sync --to de --retranslate failed").code(5);
    assert_eq!(bench.requests().len(), before);
}

#[test]
fn a_text_too_long_for_any_request_is_named_and_fails_alone() {
    let long = "word ".repeat(30_000);
    let source = format!("{{\n  \"ok\": \"Fine\",\n  \"big\": \"{long}\"\n}}\n");
    let bench = project(&[("locales/en/a.json", &source)]);
    let row = |lang: &str| format!("locales/en/a.json\t{lang}\tmissing\t2\t4\t1\n");
    let run = tulk(&bench, "sync -n").code(0).prints([row("de"), row("fr")].concat());
    let message = "locales/en/a.json:3:10: the text needs a request of ";
    assert_eq!(run.stderr.matches(message).count(), 1, "{run}");
    run.says("; it is not sent\n");
    let message = "error: locales/en/a.json:3:10: big (de): the text needs a request of ";
    tulk(&bench, "sync --max-characters 8").code(9).says(message).says("error: 2 texts were not translated\n");
    assert_eq!(bench.requests().len(), 2);
    assert_eq!(bench.read("locales/de/a.json"), "{\n  \"ok\": \"FINE\"\n}\n");
    let rows = tulk(&bench, "sync --check --columns key,target_lang,state").code(1);
    rows.prints("big\tde\tfailed\nbig\tfr\tfailed\n");
    tulk(&bench, "sync").code(0).says("2 texts have failed before (--retranslate failed)");
}

#[test]
fn duplicate_keys_are_named_and_the_last_one_wins() {
    let text = "{\n  \"a\": \"One\",\n  \"n\": {\"x\": \"Two\"},\n  \"a\": \"Three\",\n  \"n\": {\"x\": \"Four\"}\n}\n";
    let bench = project(&[("locales/en/a.json", text)]);
    let run = tulk(&bench, "sync --to de").code(0);
    run.says("warning: locales/en/a.json:2:3: the key a occurs again below; the last one counts\n")
        .says("warning: locales/en/a.json:3:3: the key n occurs again below; the last one counts\n");
    let sent: Vec<_> = super::texts(&bench, 0).into_iter().map(|(_, text)| text).collect();
    assert_eq!(sent, ["Four", "Three"]);
    let translated = text.replace("Three", "THREE").replace("Four", "FOUR");
    assert_eq!(bench.read("locales/de/a.json"), translated);
    tulk(&bench, "sync --check --to de").code(0);
}

#[test]
fn in_some_formats_the_first_duplicate_key_wins() {
    for (name, text, place) in [
        (
            "strings.xml",
            "<resources>\n  <string name=\"a\">First</string>\n  <string name=\"a\">Last</string>\n</resources>\n",
            "3:3",
        ),
        (
            "a.resx",
            "<root>\n  <data name=\"a\"><value>First</value></data>\n  <data name=\"a\"><value>Last</value></data>\n</root>\n",
            "3:3",
        ),
        ("a.ftl", "a = First\na = Last\n", "2:5"),
    ] {
        let config = super::PROJECT
            .replace("locales/en/*.json", &format!("en/{name}"))
            .replace("locales/{lang}/*.json", &format!("{{lang}}/{name}"))
            .replace("dialect = \"none\"\n", "");
        let source = format!("en/{name}");
        let bench = super::project_of(&config, &[(&source, text)]);
        let run = tulk(&bench, "sync --to de").code(0);
        run.says(&format!("warning: {source}:{place}: the key a occurs above; the first one counts\n"));
        let sent: Vec<_> = super::texts(&bench, 0).into_iter().map(|(_, text)| text).collect();
        assert_eq!(sent, ["First"], "{name}");
    }
}

#[test]
fn an_invalid_message_is_named_and_skipped() {
    let config = super::PROJECT.replace("\"none\"", "\"icu\"");
    let source =
        "{\n  \"a\": \"{n, plural, one {# file} other {# files}}\",\n  \"b\": \"{n, plural, one {# file}\"\n}\n";
    let bench = super::project_of(&config, &[("locales/en/a.json", source)]);
    let warning = "warning: locales/en/a.json:3:8: b is not a valid message, and is not translated\n";
    for _ in 0..2 {
        let run = tulk(&bench, "sync --columns target_lang,state,units").code(0);
        assert_eq!(run.stderr.matches(warning).count(), 1, "{run}");
    }
    tulk(&bench, "sync --check").code(0).says(warning);
    let status = tulk(&bench, "sync status --columns target_lang,units,missing,skipped").code(0);
    status.prints("de\t1\t0\t1\nfr\t1\t0\t1\n");
}

#[test]
fn an_invalid_java_message_is_named_and_skipped() {
    let config = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n[[sync.files]]\nsource = \"m.properties\"\n\
                  target = \"m_{lang}.properties\"\ndialect = \"spring\"\n";
    let source = "a = Hello {0}, {1,number}\nb = {0,plural,\n";
    let bench = super::project_of(config, &[("m.properties", source)]);
    let run = tulk(&bench, "sync").code(0);
    run.says("warning: m.properties:2:5: b is not a valid message, and is not translated\n");
    assert_eq!(bench.read("m_de.properties"), "a = HELLO {0}, {1,number}\n");
}

#[test]
fn an_invalid_pattern_of_the_project_is_named_with_its_file() {
    let config = super::PROJECT.replace("[[sync", "protect = [\"[A-Z\"]\n\n[[sync");
    let bench = super::project_of(&config, &[("locales/en/a.json", "{\"a\": \"One\"}\n")]);
    tulk(&bench, "sync -n").code(2).prints("").says("tulk.toml: protect: invalid regular expression at character 1");
    assert!(bench.requests().is_empty());
}

#[test]
fn refuses_a_rule_without_sources_unless_it_is_optional() {
    let config =
        super::PROJECT.to_owned() + "\n[[sync.files]]\nsource = \"old/en.json\"\ntarget = \"old/{lang}.json\"\n";
    let bench = super::project_of(&config, &[("locales/en/a.json", "{\"a\": \"One\"}\n")]);
    for line in ["sync", "sync -n", "sync --check", "sync status", "sync accept"] {
        tulk(&bench, line).code(2).prints("").says(
            "error: tulk.toml:10:1: no file matches the source old/en.json\n  \
             hint: correct the pattern, or add `optional = true` to the rule\n",
        );
    }
    // Each rule without sources is named, for example after a folder was renamed.
    std::fs::rename(bench.path("locales"), bench.path("moved")).unwrap();
    tulk(&bench, "sync --check")
        .code(2)
        .says("error: tulk.toml:5:1: no file matches the source locales/en/*.json\n")
        .says("error: tulk.toml:10:1: no file matches the source old/en.json\n");
    std::fs::rename(bench.path("moved"), bench.path("locales")).unwrap();
    assert!(bench.requests().is_empty());
    bench.write("tulk.toml", config + "optional = true\n");
    tulk(&bench, "sync").code(0).says_not("old");
    tulk(&bench, "sync --check").code(0).says_nothing();
}

#[test]
fn properties_in_iso_8859_1_are_read_unless_the_rule_says_otherwise() {
    let config = super::PROJECT
        .replace("\"de\", \"fr\"", "\"de\"")
        .replace("locales/en/*.json", "en.properties")
        .replace("locales/{lang}/*.json", "{lang}.properties");
    let bench = super::project_of(&config, &[]);
    bench.write("en.properties", b"# \xa9\na = Caf\xe9\nb = Two\n");
    bench.write("de.properties", b"# \xa9\nb = Zw\xf6i\n");
    let notice = "warning: en.properties is not UTF-8 and is read as ISO-8859-1; `encoding = \"iso-8859-1\"` in its rule confirms this";
    tulk(&bench, "sync").code(0).says(notice).says("warning: de.properties is not UTF-8 and is read as ISO-8859-1; ");
    assert_eq!(std::fs::read(bench.path("de.properties")).unwrap(), b"a = CAF\\u00C9\n# \xa9\nb = Zw\xf6i\n");
    tulk(&bench, "sync --check").code(0);
    let encoding = |name: &str| bench.write("tulk.toml", format!("{config}encoding = \"{name}\"\n"));
    encoding("utf-8");
    tulk(&bench, "sync --check").code(2).says("error: en.properties:1:3: the file is neither UTF-8 nor UTF-16\n");
    bench.write("en.properties", "a = Café\nb = Two\n");
    bench.write("de.properties", "b = Zwöi\n");
    encoding("iso-8859-1");
    tulk(&bench, "sync").code(0);
    assert_eq!(bench.read("de.properties"), "a = CAF\\u00C3\\u00A9\nb = Zwöi\n");
    tulk(&bench, "sync").code(0).says_not("warning");
    encoding("latin1");
    tulk(&bench, "sync").code(2).says("sync.files.encoding: `latin1` is not one of utf-8, iso-8859-1\n");
    // Some characters are valid UTF-8, so the file is taken for UTF-8 with one wrong byte.
    bench.write("tulk.toml", &config);
    bench.write("en.properties", b"a=Gr\xc3\xbc \xff\n");
    tulk(&bench, "sync").code(2).says("error: en.properties:1:7: the file is neither UTF-8 nor UTF-16\n");
    bench.write("tulk.toml", super::PROJECT.to_owned() + "encoding = \"utf-8\"\n");
    tulk(&bench, "sync")
        .code(2)
        .says("sync.files.encoding: json files are UTF-8 or UTF-16; the setting is for properties files\n");
}
