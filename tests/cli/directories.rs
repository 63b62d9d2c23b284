//! Directories as inputs of `translate`, `write` and `doc translate`: which files are read, where results go, and what fails alone.

use crate::common::Bench;

fn docs() -> Bench {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("docs/index.md", "# Start\n");
    bench.write("docs/guide/index.md", "# Guide\n");
    bench.write("docs/guide/notes.txt", "a note\n");
    bench.write("docs/.draft.md", "# Draft\n");
    bench.write("docs/build/page.md", "# Built\n");
    bench.write("docs/logo.svg", "<svg/>");
    bench.write(".gitignore", "build/\n");
    bench
}

fn files(bench: &Bench, dir: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![bench.path(dir)];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(bench.dir()).unwrap().display().to_string().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_directory_is_translated_with_its_structure() {
    let bench = docs();
    let args = ["translate", "-i", "docs", "-o", "i18n/{lang}/{path}/{stem}{ext}", "--to", "de,fr"];
    let run = bench.run(args).code(0).prints("");
    run.says("docs: skipped 1 file of another format\n").says("reading 2 files as markdown");
    let results = [
        "i18n/de/guide/index.md",
        "i18n/de/guide/notes.txt",
        "i18n/de/index.md",
        "i18n/fr/guide/index.md",
        "i18n/fr/guide/notes.txt",
        "i18n/fr/index.md",
    ];
    assert_eq!(files(&bench, "i18n"), results);
    assert_eq!(bench.read("i18n/fr/guide/index.md"), "# GUIDE\n");
    assert_eq!(bench.requests().len(), 6);
}

#[test]
fn a_pattern_selects_exactly_what_it_matches() {
    let bench = docs();
    bench.write("docs/guide/old.md", "# Old\n");
    // Sorted by path.
    let listed = |globs: &[&str]| {
        let globs = globs.iter().flat_map(|glob| ["--glob", glob]);
        bench
            .run(["translate", "-i", "docs", "--to", "de", "--as", "text"].into_iter().chain(globs))
            .code(0)
            .out()
            .to_owned()
    };
    assert_eq!(listed(&["*.md"]), "# GUIDE\n# OLD\n# START\n");
    assert_eq!(listed(&["*.md", "!old.md"]), "# GUIDE\n# START\n");
    assert_eq!(listed(&["/*.md"]), "# START\n");
    assert_eq!(listed(&["guide/"]), "# GUIDE\nA NOTE\n# OLD\n");
    assert_eq!(listed(&["!guide/"]), "# START\n<svg/>");
    assert_eq!(listed(&["*.svg"]), "<svg/>");
}

#[test]
fn a_repository_ignores_the_gitignore_of_its_parent() {
    let bench = docs();
    bench.write(".gitignore", "*\n");
    bench.run(["translate", "-i", "docs", "--to", "de"]).code(2).says("error: docs has no files\n");
    bench.write("docs/.git/HEAD", "");
    bench.write("docs/.gitignore", "*.txt\n");
    bench.run(["translate", "-i", "docs", "--to", "de"]).code(0).prints("# BUILT\n# GUIDE\n# START\n");
}

#[cfg(unix)]
#[test]
fn does_not_follow_symbolic_links() {
    let bench = docs();
    bench.write("secret/key.md", "# Secret\n");
    std::os::unix::fs::symlink(bench.path("secret"), bench.path("docs/secret")).unwrap();
    std::os::unix::fs::symlink(bench.path("secret/key.md"), bench.path("docs/key.md")).unwrap();
    std::os::unix::fs::symlink("docs", bench.path("link")).unwrap();
    let run =
        bench.run(["translate", "-i", "link", "--glob", "*.md", "--to", "de"]).code(0).prints("# GUIDE\n# START\n");
    run.says("link: skipped 1 link\n");
    let only = bench.run(["translate", "-i", "docs", "--glob", "key.md", "--to", "de"]).code(2);
    only.says("error: docs has only links\n  hint: links are not followed; pass the files\n");
}

#[test]
fn does_not_translate_results_in_the_same_directory_again() {
    let bench = docs();
    std::fs::remove_file(bench.path(".gitignore")).unwrap();
    for (template, fixed) in [
        ("{dir}/{stem}.{lang}{ext}", false),
        ("docs/{lang}/{path}/{stem}{ext}", false),
        ("docs/i18n/{lang}/{path}/{stem}{ext}", true),
    ] {
        let translate =
            |to: &str| bench.run(["translate", "-i", "docs", "--glob", "*.md", "-o", template, "--to", to]).code(0);
        translate("de").says_not("skipped");
        translate("de").says("docs: skipped 3 results of earlier runs\n");
        translate("pt-BR").says("docs: skipped 3 results of earlier runs\n");
        translate("fr").says("docs: skipped 6 results of earlier runs\n");
        std::fs::remove_file(bench.path("docs/build/page.md")).unwrap();
        if fixed {
            translate("fr").says("docs: skipped 9 results of earlier runs\n");
        }
        std::fs::remove_dir_all(bench.path("docs")).unwrap();
        bench.write("docs/index.md", "# Start\n");
        bench.write("docs/guide/index.md", "# Guide\n");
        bench.write("docs/build/page.md", "# Built\n");
    }
    let only = ["translate", "-i", "docs/i18n", "-o", "docs/i18n/de/{stem}{ext}", "--to", "de"];
    bench.write("docs/i18n/de/a.md", "A");
    bench.run(only).code(2).says("error: docs/i18n has only results of earlier runs\n");
}

#[test]
fn a_directory_named_like_a_language_is_not_a_result() {
    let bench = docs();
    bench.write("content/en/a.md", "one");
    let args = ["translate", "-i", "content/en", "-o", "content/{lang}/{path}/{stem}{ext}", "--to", "de"];
    bench.run(args).code(0);
    bench.run(args).code(0).says_not("skipped");
    assert_eq!(files(&bench, "content"), ["content/de/a.md", "content/en/a.md"]);
}

#[test]
fn skips_files_with_newer_results() {
    let bench = docs();
    let args = ["translate", "-i", "docs", "-o", "i18n/{lang}/{path}/{stem}{ext}", "--to", "de,fr", "--if-newer"];
    bench.run(args).code(0).says_not("newer");
    assert_eq!(bench.requests().len(), 6);
    bench.run(args).code(0).says("6 results are skipped: they are newer than their files\n");
    std::fs::remove_file(bench.path("i18n/fr/index.md")).unwrap();
    let source = std::fs::File::options().append(true).open(bench.path("docs/guide/notes.txt")).unwrap();
    source.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(10)).unwrap();
    bench.run(args).code(0).says("3 results are skipped");
    assert_eq!(bench.requests().len(), 9);
    let stdout = ["translate", "-i", "docs", "--to", "de", "--if-newer"];
    bench.run(stdout).code(2).says("error: --if-newer needs files\n  hint: write files with -o FILE\n");
    bench.run(["translate", "-i", "docs", "--to", "de", "--if-newer", "--in-place"]).code(2);
}

#[test]
fn an_unreadable_file_fails_alone() {
    let bench = docs();
    bench.write("docs/bad.md", b"bad\xff");
    bench.write("docs/bad.json", "{\"a\": ");
    let args = ["translate", "-i", "docs", "-o", "i18n/{lang}/{path}/{stem}{ext}", "--to", "de,fr"];
    bench.run(args.into_iter().chain(["--dry-run"])).code(2).says("error: 4 of 10 results failed\n");
    let run = bench.run(args).code(9);
    run.says("error: docs/bad.json:1:7: a value is missing after a colon\n")
        .says("error: docs/bad.md:1:4: invalid UTF-8 at byte 3")
        .says("error: 4 of 10 results failed\n");
    assert_eq!(files(&bench, "i18n").len(), 6);
    // The rest is finished once the files are fixed.
    bench.write("docs/bad.md", "good");
    std::fs::remove_file(bench.path("docs/bad.json")).unwrap();
    bench.run(args.into_iter().chain(["--resume"])).code(0);
    assert_eq!((files(&bench, "i18n").len(), bench.requests().len()), (8, 8));
}

#[test]
fn a_refused_language_fails_once_for_each_file() {
    let bench = docs();
    let args = ["translate", "-i", "docs", "--glob", "*.md", "-o", "{lang}/{path}/{stem}{ext}", "--to", "de,xx"];
    let run = bench.run(args).code(9);
    run.says("error: docs/guide/index.md:1:3: to xx: the service refused")
        .says("error: docs/index.md:1:3: to xx: the service refused")
        .says("error: 2 of 4 results failed\n");
    assert_eq!(files(&bench, "de"), ["de/guide/index.md", "de/index.md"]);
}

#[test]
fn refuses_a_directory_without_readable_files() {
    let bench = docs();
    std::fs::create_dir(bench.path("empty")).unwrap();
    bench.write("rst/a.rst", "x");
    bench.write("my pages/a.md", "x");
    for (dir, globs, error) in [
        (
            "empty",
            &[][..],
            "error: empty has no files\n  hint: hidden files and files in .gitignore are skipped; pass the file itself\n",
        ),
        (
            "rst",
            &[],
            "error: no file in rst has a format that tulk knows by its ending\n  \
             hint: choose files with --glob, such as --glob '*.rst'\n",
        ),
        (
            "my pages",
            &["docs/*.md", "*.txt"],
            "error: no file in my pages matches --glob 'docs/*.md' '*.txt'\n  \
             hint: a pattern is relative to the directory; hidden files and files in .gitignore are skipped\n",
        ),
        (
            "my pages",
            &["["],
            "error: invalid --glob '[': unclosed character class; missing ']'\n  hint: write it like a line of .gitignore, such as --glob '*.md'\n",
        ),
        (
            "my pages/a.md",
            &["*.md"],
            "error: --glob needs a directory\n  hint: pass a directory; files are read regardless of their names\n",
        ),
    ] {
        let globs = globs.iter().flat_map(|glob| ["--glob", glob]);
        bench.run(["translate", "--to", "de", "-i", dir].into_iter().chain(globs)).code(2).prints("").says(error);
    }
    let both = bench.run(["translate", "--to", "de", "-i", "empty", "-i", "my pages"]).code(0).prints("X");
    both.says("warning: empty has no files\n");
    assert_eq!(bench.requests().len(), 1);
}

#[test]
fn reads_a_file_that_is_also_in_a_directory_once() {
    let bench = docs();
    let inputs = ["-i", "docs", "-i", "docs/guide", "-i", "docs/index.md", "-i", "docs/logo.svg"];
    let args = ["translate", "--to", "de", "-o", "out/{path}/{stem}{ext}"];
    bench.run(args.into_iter().chain(inputs)).code(0);
    assert_eq!(files(&bench, "out"), ["out/guide/index.md", "out/guide/notes.txt", "out/index.md", "out/logo.svg"]);
    let flat = ["translate", "--to", "de", "-i", "docs", "-o", "flat/{stem}{ext}"];
    bench.run(flat).code(2).says(
        "error: two results have the same path: flat/index.md (docs/guide/index.md to de and docs/index.md to de)\n",
    );
    assert!(!bench.path("flat").exists());
}

#[test]
fn a_format_flag_selects_files_of_its_format() {
    let bench = docs();
    bench.write("docs/table.csv", "text\nhello\n");
    bench.write("docs/app.json", "{\"a\":\"hello\"}");
    bench.run(["translate", "-i", "docs", "--to", "de", "--as", "markdown"]).code(0).prints("# GUIDE\n# START\n");
    let table = ["translate", "-i", "docs", "--to", "de", "--csv", "--column", "text"];
    bench.run(table).code(0).prints("text\nHELLO\n").says("docs: skipped 5 files of other formats\n");
}

#[test]
fn in_place_replaces_the_files_of_a_directory() {
    let bench = docs();
    bench.run(["translate", "-i", "docs", "--to", "de", "--in-place", "--dry-run"]).code(0);
    assert_eq!(bench.read("docs/guide/index.md"), "# Guide\n");
    bench.run(["translate", "-i", "docs", "--to", "de", "--in-place"]).code(0);
    assert_eq!(bench.read("docs/guide/index.md"), "# GUIDE\n");
    assert_eq!(bench.read("docs/build/page.md"), "# Built\n");
}

#[test]
fn write_improves_the_texts_of_a_directory() {
    let bench = docs();
    bench.run(["write", "correct", "-i", "docs", "-o", "out/{path}/{stem}{ext}"]).code(0);
    assert_eq!(files(&bench, "out"), ["out/guide/index.md", "out/guide/notes.txt", "out/index.md"]);
    bench
        .run(["write", "correct", "-i", "docs", "-o", "out/{path}/{stem}{ext}", "--if-newer"])
        .code(0)
        .says("3 results are skipped");
    bench.write("docs/bad.md", b"bad\xff");
    bench.run(["write", "correct", "-i", "docs", "--in-place"]).code(9).says("error: 1 of 4 inputs failed\n");
}

#[test]
fn translates_the_documents_of_a_directory() {
    let bench = docs();
    for page in ["docs/index", "docs/guide/index"] {
        std::fs::rename(bench.path(&format!("{page}.md")), bench.path(&format!("{page}.new"))).unwrap();
    }
    let args = ["doc", "translate", "docs", "--to", "de,fr", "--columns", "path,status"];
    let run = bench.run(args).code(0).prints("docs/guide/notes.de.txt\tdone\ndocs/guide/notes.fr.txt\tdone\n");
    run.says("docs: skipped 3 files of other formats\n");
    let again = bench.run(args.into_iter().chain(["--if-newer"])).code(0);
    again.prints("docs/guide/notes.de.txt\tskipped\ndocs/guide/notes.fr.txt\tskipped\n");
    for lang in ["de", "fr"] {
        std::fs::remove_file(bench.path(&format!("docs/guide/notes.{lang}.txt"))).unwrap();
    }
    bench
        .run(["doc", "translate", "docs", "--to", "de", "--out-dir", "out", "--columns", "path"])
        .code(0)
        .prints("out/guide/notes.de.txt\n");
    bench.write("docs/guide/empty.txt", "");
    let failed = ["doc", "translate", "docs", "--to", "de", "-o", "x/{lang}/{path}/{stem}{ext}", "--columns", "path"];
    bench.run(failed).code(9).prints("x/de/guide/notes.txt\n").says("docs/guide/empty.txt is empty");
    let unknown = ["doc", "translate", "docs", "--to", "de", "--glob", "*.new"];
    bench.run(unknown).code(5).prints("").says("docs/index.new");
    std::fs::create_dir(bench.path("empty")).unwrap();
    bench.run(["doc", "translate", "empty", "--to", "de"]).code(2).says("error: empty has no files\n");
}

#[test]
fn thousands_of_files_keep_their_order() {
    let bench = Bench::with(&["--engine", "upper"]);
    for n in 0..2000 {
        bench.write(&format!("many/{:02}/{n:04}.txt", n % 50), format!("text {n}\n"));
    }
    let run = bench.run(["translate", "-i", "many", "--to", "de", "--lines", "--stats"]).code(0);
    let expected: String = (0..50).flat_map(|dir| (0..40).map(move |n| format!("TEXT {}\n", n * 50 + dir))).collect();
    assert_eq!(run.out(), expected);
}
