//! `tulk man`: the sections of the pages, and how a manual reader shows them.

use std::collections::BTreeSet;
use std::process::Command;

use crate::common::tools::has;
use crate::common::{Bench, help_tree};

#[test]
fn every_page_has_the_usual_sections_and_valid_references() {
    let bench = Bench::bare();
    bench.run(["man", "--out", "pages"]).code(0);
    let name = |command: &String| format!("tulk-{}", command.replace(' ', "-"));
    let expected: BTreeSet<String> = help_tree::commands(&bench).iter().map(name).chain(["tulk".to_owned()]).collect();
    let files = std::fs::read_dir(bench.path("pages")).unwrap();
    let pages: BTreeSet<String> =
        files.map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(pages, expected);
    let usual =
        ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "ENVIRONMENT", "FILES", "SEE ALSO"];
    for page in &pages {
        let text = bench.read(&format!("pages/{page}.1"));
        let sections: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(".SH ")).collect();
        let sections: Vec<&str> = sections.iter().map(|title| title.trim_matches('"')).collect();
        let found: Vec<&str> = sections.iter().copied().filter(|title| usual.contains(title)).collect();
        assert_eq!(found, usual, "{page}");
        let (_, see_also) = text.rsplit_once("SEE ALSO").unwrap();
        let see_also = see_also.replace("\\fB", "").replace("\\fR", "").replace("\\-", "-");
        for other in see_also.split(',').map(|other| other.trim_matches(['"', '\n', ' ']).trim_end_matches("(1)")) {
            assert!(pages.contains(other) && other != page, "{page} refers to `{other}`");
        }
    }
}

#[test]
fn the_synopsis_has_the_required_arguments_with_their_values() {
    let bench = Bench::bare();
    bench.run(["man", "--out", "pages"]).code(0);
    let page = bench.read("pages/tulk-glossary-create.1");
    let plain = page.replace("\\fB", "").replace("\\fI", "").replace("\\fR", "").replace("\\-", "-");
    assert!(plain.contains("\ntulk glossary create [OPTIONS] --dictionary <PAIR=FILE> <NAME>\n"), "{plain}");
}

#[test]
fn the_main_page_fits_on_80_columns() {
    if !has("man") {
        return;
    }
    let bench = Bench::bare();
    bench.run(["man", "--out", "pages"]).code(0);
    let mut man = Command::new("man");
    man.arg("--local-file").arg(bench.path("pages/tulk.1")).env("LC_ALL", "C.UTF-8").env("MANWIDTH", "80");
    let shown = man.output().unwrap();
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    for rows in [
        "\n       10     unfinished: timed out after --max-wait; the message says how to\n              continue\n",
        "\n       DEEPL_AUTH_KEY, DEEPL_API_KEY\n              API key for the preset deepl; ",
        "\n   Terminal\n       NO_COLOR\n              no color\n",
        "\n       langs resources\n              name features\n",
        "\n       If everything fails, the first failure determines the exit code. If\n       only a part fails, the exit code is 9. A failure that stops all inputs,\n       such as a used-up quota, keeps its own code, except for documents.\n",
    ] {
        assert!(text.contains(rows), "{rows}\n{text}");
    }
}

#[test]
fn man_formats_the_pages_without_warnings() {
    if !has("man") {
        return;
    }
    let bench = Bench::bare();
    bench.run(["man", "--out", "pages"]).code(0);
    for page in ["tulk", "tulk-translate", "tulk-voice-terms-lint", "tulk-help"] {
        let mut man = Command::new("man");
        man.args(["--warnings", "--local-file"]).arg(bench.path(&format!("pages/{page}.1")));
        let shown = man.env("LC_ALL", "C.UTF-8").env("MANWIDTH", "100").output().unwrap();
        assert!(shown.stderr.is_empty(), "{page}: {}", String::from_utf8_lossy(&shown.stderr));
        assert!(String::from_utf8_lossy(&shown.stdout).contains("EXAMPLES"), "{page}");
    }
}

#[test]
fn off_a_terminal_help_is_plain_text() {
    let bench = Bench::bare();
    for words in [&["doc", "translate"][..], &["t"], &["exit-codes"], &[]] {
        let help = bench.run(["help"].iter().chain(words)).code(0);
        bench.run(["man"].iter().chain(words)).code(0).prints(help.out());
    }
    let run = bench.run(["man", "translte"]).code(2).prints("");
    run.says("did you mean `tulk help translate`? `tulk man --out translte` writes all pages to a directory\n");
    bench
        .run(["--sandbox", "man", "doc", "translat"])
        .code(2)
        .says("error: unknown command `doc translat`\n  hint: did you mean `tulk --sandbox help doc translate`?\n");
    bench.run(["man", "translate", "--out", "pages"]).code(2);
    assert_eq!(std::fs::read_dir(bench.dir()).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn on_a_terminal_help_opens_the_man_page() {
    let bench = Bench::bare().env("PATH", "bin:/usr/bin:/bin");
    // tulk prints the help if `man` is missing or cannot read a page from stdin.
    let help = bench.on_terminal(80, ["help", "doc", "list"]).code(0);
    bench.write("bin/man", "#!/bin/sh\nexit 1\n");
    set_executable(&bench);
    bench.on_terminal(80, ["man", "doc", "list"]).code(0).prints(help.out());
    bench.write("bin/man", "#!/bin/sh\necho \"$@\"\ngrep '^.TH'\n");
    let page = |name: &str| format!("-l -\n.TH {name} 1  \"tulk {}\" \"tulk manual\"\n", env!("CARGO_PKG_VERSION"));
    bench.on_terminal(80, ["man", "doc", "list"]).code(0).says_nothing().prints(page("TULK-DOC-LIST"));
    bench.on_terminal(80, ["man"]).code(0).prints(page("TULK"));
    bench.on_terminal(80, ["man", "formats"]).code(0).prints(page("TULK"));
}

#[cfg(unix)]
fn set_executable(bench: &Bench) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(bench.path("bin/man"), std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_directory_without_the_out_flag_is_deprecated() {
    let bench = Bench::bare();
    bench.run(["man", "./pages"]).code(0).says("warning: `tulk man DIR` is deprecated; use `tulk man --out DIR`\n");
    assert!(bench.path("pages/tulk-doc-list.1").exists());
    let run = bench.run(["man", "pages"]).code(2).prints("");
    assert_eq!(
        run.stderr,
        "error: unknown topic or command `pages`\n  hint: `tulk man --out pages` writes all pages to a directory\n"
    );
    // `man` is a command and, below, also a directory.
    let help = bench.run(["help", "man"]).code(0);
    bench.run(["man", "man"]).code(0).prints(help.out()).says_nothing();
    bench.write("man/x", "");
    let hint = "hint: `tulk man --out man` writes all pages to the directory `man`\n";
    assert_eq!(bench.run(["man", "man"]).code(0).prints(help.out()).stderr, hint);
}
