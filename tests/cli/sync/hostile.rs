//! Malicious projects: nothing outside the project is read or written, and no request is redirected.

use super::{PROJECT, project, project_of, tulk};
use crate::common::Bench;

const SOURCE: (&str, &str) = ("locales/en/a.json", "{\"a\": \"One\"}\n");
const LINES: [&str; 5] = ["sync", "sync -n", "sync --check", "sync status", "sync accept"];

#[track_caller]
fn assert_refused(config: &str, message: &str) {
    let bench = project_of(config, &[SOURCE]);
    for line in LINES {
        tulk(&bench, line).code(2).prints("").says(&format!("error: tulk.toml:{message}"));
    }
    assert!(bench.requests().is_empty() && !bench.path("tulk.lock").exists());
}

fn with_setting(line: &str) -> String {
    PROJECT.replacen("\n\n[[", &format!("\n{line}\n\n[["), 1)
}

#[test]
fn refuses_settings_that_redirect_requests() {
    for (line, why) in [
        ("server = \"http://127.0.0.1:1\"", "redirect your texts"),
        ("proxy = \"http://127.0.0.1:1\"", "redirect your texts"),
        ("ca_file = \"ca.pem\"", "redirect your texts"),
        ("profile = \"work\"", "choose your key"),
        ("key_file = \"key\"", "choose your key"),
        ("key_command = \"id\"", "choose your key"),
        ("param = [\"a=1\"]", "change how requests are sent"),
        ("headers = {}", "change how requests are sent"),
        ("context_file = \"/etc/hosts\"", "choose which other files are read or written"),
        ("out_dir = \"/\"", "choose which other files are read or written"),
    ] {
        let name = line.split(' ').next().unwrap();
        assert_refused(
            &with_setting(line),
            &format!("4:1: sync.{name}: not allowed in a project file: it would {why}\n"),
        );
    }
    let of_file = format!("{PROJECT}server = \"http://127.0.0.1:1\"\n");
    assert_refused(&of_file, "9:1: sync.files.server: not allowed in a project file: it would redirect your texts\n");
    let of_lang = format!("{PROJECT}[sync.langs.de]\napi_key = \"k\"\n");
    assert_refused(&of_lang, "10:1: sync.langs.de.api_key: not allowed in a project file: it would choose your key\n");
    let own = format!("{PROJECT}[profiles.default]\nserver = \"http://127.0.0.1:1\"\n");
    assert_refused(&own, "9:2: profiles: not allowed in a project file: it would choose your key\n");
}

#[test]
fn unknown_settings_and_languages_get_a_suggestion() {
    let bench = project_of(&with_setting("formalty = \"more\""), &[SOURCE]);
    tulk(&bench, "sync")
        .code(2)
        .says("tulk.toml:4:1: unknown setting `sync.formalty`\n  hint: did you mean `formality`?\n");
    bench.write("tulk.toml", PROJECT.replace("\"fr\"", "\"pt_BR\""));
    tulk(&bench, "sync")
        .code(2)
        .says("tulk.toml:3:23: sync.target_langs: `pt_BR` is not a language of BCP 47; did you mean `pt-BR`?\n");
    bench.write("tulk.toml", PROJECT.replace("\"fr\"", "\"german\""));
    tulk(&bench, "sync").code(2).says("`german` is not a language of BCP 47");
    bench.write("tulk.toml", PROJECT.replace("dialect", "dailect"));
    tulk(&bench, "sync").code(2).says("unknown setting `sync.files.dailect`\n  hint: did you mean `dialect`?\n");
}

#[test]
fn refuses_paths_outside_the_project() {
    for (path, why) in [
        ("../en/*.json", "`..` is not allowed, since all files are in the project\n"),
        ("locales/../../*.json", "`..` is not allowed, since all files are in the project\n"),
        ("/etc/*.json", "is not relative; paths are relative to the directory of tulk.toml\n"),
        (".git/*.json", "no file in `.git` may be read or written\n"),
        ("a/.GIT/*.json", "no file in `.GIT` may be read or written\n"),
        (".github/*.json", "no file in `.github` may be read or written\n"),
    ] {
        let source = PROJECT.replace("locales/en/*.json", path);
        let colon = if why.starts_with("is") { "" } else { ":" };
        assert_refused(&source, &format!("6:10: sync.files.source: `{path}`{colon} {why}"));
        let path = path.replace("*.json", "{lang}/*.json");
        let target = PROJECT.replace("locales/{lang}/*.json", &path);
        assert_refused(&target, &format!("7:10: sync.files.target: `{path}`{colon} {why}"));
    }
    assert_refused(
        &PROJECT
            .replace("locales/{lang}/*.json", "{lang}/*.json")
            .replace("\"fr\"]", "\"fr\"]\n")
            .replace("dialect = \"none\"\n", "dialect = \"none\"\n[sync.langs.de]\npath = \"../x\"\n"),
        "11:8: sync.langs.de.path: `../x`: `..` is not allowed, since all files are in the project\n",
    );
}

#[test]
fn refuses_two_rules_for_one_file_and_sources_as_targets() {
    let rule = "\n[[sync.files]]\nsource = \"locales/en/a.json\"\ntarget = \"locales/{lang}/a.json\"\n";
    assert_refused(
        &format!("{PROJECT}{rule}"),
        "10:1: locales/en/a.json is a source of the rule in line 10, and a source of the rule in line 5\n",
    );
    let bench = project_of(
        &format!("{PROJECT}{}", rule.replace("locales/en/a.json", "other/a.json")),
        &[SOURCE, ("other/a.json", "{\"a\": \"Other\"}\n")],
    );
    for line in LINES {
        let run = tulk(&bench, line).code(2).prints("");
        run.says(
            "locales/de/a.json is the de target of the rule in line 10, and the de target of the rule in line 5\n",
        );
    }
    let bench = project_of(
        &PROJECT.replace("locales/{lang}/*.json", "{lang}/*.json").replace("locales/en/*.json", "de/*.json"),
        &[("de/a.json", "{\"a\": \"One\"}\n")],
    );
    for line in LINES {
        tulk(&bench, line).code(2).prints("").says("de/a.json is ");
    }
    assert_eq!(bench.read("de/a.json"), "{\"a\": \"One\"}\n");
    assert!(bench.requests().is_empty());
}

#[test]
fn does_not_read_external_entities() {
    let config = PROJECT
        .replace("locales/en/*.json", "values/strings.xml")
        .replace("locales/{lang}/*.json", "values-{lang}/strings.xml")
        .replace("dialect = \"none\"\n", "");
    let xml =
        "<!DOCTYPE r [<!ENTITY x SYSTEM \"secret.txt\">]>\n<resources><string name=\"a\">Hi &x;</string></resources>\n";
    let bench = project_of(&config, &[("values/strings.xml", xml), ("secret.txt", "mine")]);
    for line in LINES {
        tulk(&bench, line)
            .code(2)
            .prints("")
            .says("values/strings.xml:1:1: the document type declares external entities\n");
    }
    let run = bench.run(["translate", "--to", "de", "--as", "android", "-i", "values/strings.xml"]).code(2);
    run.prints("").says("the document type declares external entities");
    assert!(bench.requests().is_empty());
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::super::unlisted;
    use super::*;
    use crate::common::scripted::{ScriptedServer, answer};

    fn project_and_outside() -> (Bench, Bench) {
        let outside = Bench::bare();
        outside.write("a.json", "{\"a\": \"Secret\"}\n");
        (project(&[SOURCE]), outside)
    }

    #[test]
    fn refuses_links_that_leave_the_project() {
        let (bench, outside) = project_and_outside();
        for (link, to) in [
            ("locales/de", outside.dir().to_path_buf()),
            ("locales/de/a.json", outside.path("a.json")),
            ("locales/en/b.json", outside.path("a.json")),
        ] {
            let link = bench.path(link);
            std::fs::create_dir_all(link.parent().unwrap()).unwrap();
            symlink(&to, &link).unwrap();
            for line in LINES {
                let run = tulk(&bench, line).code(2).prints("");
                run.says(" is a link that leaves the project: it leads to ");
            }
            std::fs::remove_file(&link).unwrap();
        }
        assert_eq!(outside.read("a.json"), "{\"a\": \"Secret\"}\n");
        assert!(bench.requests().is_empty());
    }

    #[test]
    fn does_not_follow_a_link_that_appears_during_a_run() {
        let outside = Bench::bare();
        outside.write("a.json", "{\"a\": \"Secret\"}\n");
        let bench = project(&[SOURCE, ("locales/de/a.json", "{}\n")]);
        let (folder, elsewhere) = (bench.path("locales/de"), outside.dir().to_path_buf());
        let server = ScriptedServer::start(move |_| {
            std::fs::remove_dir_all(&folder).unwrap();
            symlink(&elsewhere, &folder).unwrap();
            answer(200, &["content-type: application/json"], r#"{"translations": [{"text": "ONE"}]}"#)
        });
        let line = format!("sync --to de --server {}", server.url);
        unlisted(&bench, &line).code(2).says("locales/de is a link that leaves the project");
        assert_eq!(outside.read("a.json"), "{\"a\": \"Secret\"}\n");
        assert_eq!(std::fs::read_dir(outside.dir()).unwrap().count(), 1);
        // Billed translations are not requested again.
        std::fs::remove_file(bench.path("locales/de")).unwrap();
        tulk(&bench, &line).code(0);
        assert_eq!(bench.read("locales/de/a.json"), "{\"a\": \"ONE\"}\n");
        assert_eq!(server.requests().len(), 1);
    }

    #[test]
    fn never_opens_paths_from_the_lock() {
        let bench = project(&[SOURCE]);
        tulk(&bench, "sync").code(0);
        // Reading or writing a FIFO would block forever.
        let fifo = bench.path("fifo.json");
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        let own = bench.read("tulk.lock");
        let fields = own.trim_end().split('\t').skip(2).collect::<Vec<_>>().join("\t");
        let planted: String = ["fifo.json", "../fifo.json", "/dev/stdin", "locales/en/../../fifo.json"]
            .map(|path| format!("{path}\ta\t{fields}\n"))
            .concat();
        bench.write("tulk.lock", format!("{planted}{own}"));
        for line in LINES {
            tulk(&bench, line).code(0);
        }
        tulk(&bench, "sync --prune --yes").code(0);
        assert_eq!(bench.read("tulk.lock"), own, "what no rule has is dropped");
    }
}
