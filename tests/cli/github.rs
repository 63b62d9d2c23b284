//! `--format github`, and output that a GitHub Actions workflow reads.

use crate::common::Bench;

#[test]
fn annotates_problems_with_paths_relative_to_the_repository() {
    let bench = Bench::bare();
    std::fs::create_dir_all(bench.path("repo/.git")).unwrap();
    std::fs::create_dir_all(bench.path("repo/terms")).unwrap();
    bench.write("repo/terms/a, 1%.tsv", "one\teins\nno tab\n");
    let script = "cd repo/terms && tulk glossary lint --format github 'a, 1%.tsv'";
    let lint = bench.bash(script).code(1);
    let wanted = "::error file=terms/a%2C 1%25.tsv,line=2,col=1,title=columns::";
    assert!(lint.out().starts_with(wanted) && lint.out().lines().count() == 1, "{lint}");
    // Paths are relative to the root named by the workflow; other files keep the given path.
    let workspace = "cd repo/terms && GITHUB_WORKSPACE=$PWD tulk glossary lint --format github 'a, 1%.tsv'";
    assert!(bench.bash(workspace).code(1).out().starts_with("::error file=a%2C 1%25.tsv,line=2,"));
    let elsewhere = "mkdir x && GITHUB_WORKSPACE=$PWD/x tulk glossary lint --format github 'repo/terms/a, 1%.tsv'";
    assert!(bench.bash(elsewhere).code(1).out().starts_with("::error file=repo/terms/a%2C 1%25.tsv,line=2,"));
    // stdin has no path.
    let stdin = bench.pipe("no tab\n", ["glossary", "lint", "-", "--format", "github"]).code(1);
    assert!(stdin.out().starts_with("::error line=1,col=1,title=columns::"), "{stdin}");
    bench.write("terms.txt", "fine\nbad\tterm\n");
    let terms = bench.run(["voice", "terms", "lint", "terms.txt", "--format", "github"]).code(1);
    assert!(terms.out().starts_with("::error file=terms.txt,line=2,col=4,title="), "{terms}");
    bench.write("good.tsv", "one\teins\n");
    bench.run(["glossary", "lint", "good.tsv", "--format", "github"]).code(0).prints("");
}

#[test]
fn annotates_differing_entries_at_their_lines() {
    let bench = Bench::new();
    bench.write("old.tsv", "a\t1\nb\t2\nc\t3\n");
    bench.run(["glossary", "create", "G", "--dictionary", "en:de=old.tsv"]).code(0);
    bench.write("new.tsv", "\nc\t3\nb\t100%\n\nd\t4\n");
    let diff = bench.run(["glossary", "diff", "G", "en:de", "new.tsv", "--format", "github"]).code(1);
    diff.prints(
        "::warning file=new.tsv,line=3,title=entry changed::`b` is `2` in the glossary and `100%25` in the file\n\
         ::warning file=new.tsv,line=5,title=entry added::the glossary lacks `d`: `4`\n\
         ::warning file=new.tsv,title=entry removed::the file lacks `a`: `1`\n",
    );
    bench.run(["glossary", "diff", "G", "en:de", "old.tsv", "--format", "github"]).code(0).prints("");
}

#[test]
fn annotates_lines_that_would_change() {
    let bench = Bench::with(&[]);
    bench.write("notes.txt", "It is cold.\nTeh door is open.\n");
    let check = |more: &[&str]| bench.run([&["write", "correct", "--check", "--format", "github"], more].concat());
    check(&["-i", "notes.txt"])
        .code(1)
        .prints("::warning file=notes.txt,line=2,title=notes.txt would change::change to: The door is open.\n");
    check(&["Teh door."]).code(1).prints("::warning title=TEXT 1 would change::change to: The door.\n");
    check(&["The door."]).code(0).prints("");
    let without_check = bench.run(["write", "correct", "Teh door.", "--format", "github"]);
    let _ = without_check.code(2).says("this command does not support the format `github`");
}

#[test]
fn text_cannot_inject_workflow_commands() {
    let bench = Bench::new().env("GITHUB_ACTIONS", "true");
    let text = "::error::x\n  ::set-output::y\na ::b\n";
    bench.pipe(text, ["translate", "--to", "de"]).code(0).prints(": :error::x\n  : :set-output::y\na ::b\n");
    bench.pipe(text, ["translate", "--to", "de", "--lines"]).code(0).prints(": :error::x\n  : :set-output::y\na ::b\n");
    bench.run(["translate", "--to", "de", "::a", "--jq", ".translations[].text"]).code(0).prints(": :a\n");
    bench.write("a.tsv", "::a\tb\n");
    bench
        .run(["glossary", "create", "::G", "--dictionary", "en:de=a.tsv", "--columns", "name"])
        .code(0)
        .prints(": :G\n");
    bench.run(["glossary", "entries", "::G", "en:de"]).code(0).prints(": :a\tb\n");
    let error = bench.run(["glossary", "show", "x\n::error::y"]).code(4);
    assert!(!error.stderr.lines().any(|line| line.trim_start().starts_with("::")), "{error}");
    // Files keep their bytes, and JSON cannot be parsed as a workflow command.
    bench.write("text.txt", text);
    bench.bash("tulk translate --to de < text.txt > out.txt && cmp text.txt out.txt").code(0);
    bench.run(["translate", "--to", "de", "-i", "text.txt", "-o", "out2.txt"]).code(0);
    assert_eq!(bench.read("out2.txt"), text);
    // `--format github` prints workflow commands on purpose.
    bench.write("bad.tsv", "x\n");
    let lint = bench.run(["glossary", "lint", "bad.tsv", "--format", "github"]).code(1);
    assert!(lint.out().starts_with("::error file=bad.tsv,line=1,"), "{lint}");
}

#[test]
fn outside_a_workflow_every_byte_is_kept() {
    let bench = Bench::new();
    bench.pipe("::error::x\n", ["translate", "--to", "de"]).code(0).prints("::error::x\n");
}
