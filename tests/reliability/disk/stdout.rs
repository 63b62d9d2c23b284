//! With `/dev/full` as stdout, every command reports that its output could not be written and exits with 70.

use std::fs::OpenOptions;
use std::process::Stdio;

use crate::common::{Bench, Run};

/// Commands that print something. Empty lists are excluded: they print nothing, so they cannot fail.
const COMMANDS: [&str; 59] = [
    "--version",
    "--help",
    "help",
    "help formats",
    "translate --help",
    "completions bash",
    "man",
    "translate --to de text",
    "translate --to de --json text",
    "translate --to de --format jsonl text",
    "translate --to de --jq .translations[0].text text",
    "translate --to de,fr text",
    "translate --to de,fr --json text",
    "translate --to de --lines -i a.txt",
    "translate --to de --csv --column 1 -i a.txt",
    "translate --to de --as json -i a.json",
    "translate --to de --dry-run text",
    "write rephrase text",
    "write correct --lines -i a.txt",
    "write correct --diff -i a.txt",
    "write correct --check -i a.txt",
    "doc translate a.txt --to de --force",
    "doc upload a.txt --to fr --json",
    "doc list",
    "doctor",
    "doc list --json",
    "doc resume",
    "glossary list",
    "glossary list --header",
    "glossary show Kitchen",
    "glossary entries Kitchen",
    "glossary entries Kitchen en:de",
    "glossary diff Kitchen en:de b.tsv",
    "glossary lint bad.tsv",
    "glossary sync Kitchen en:de=a.tsv",
    "glossary export Kitchen exported --force",
    "glossary v2 pairs",
    "style list",
    "style rules catalogue",
    "langs list",
    "langs list --json",
    "langs resources",
    "langs check --resource translate_text --from en --to de",
    "usage",
    "usage --format table",
    "admin keys list",
    "admin usage --start -3d --end today",
    "langs v2",
    "voice terms lint bad.txt",
    "api GET /v2/usage",
    "api GET /v2/usage --include",
    "auth status",
    "auth token",
    "config path",
    "config list",
    "cache stats",
    "sync --project p/tulk.toml --dry-run",
    "sync status --project p/tulk.toml",
    "sync --project p/tulk.toml --check",
];

fn prepare() -> Bench {
    let bench = Bench::with(&["--engine", "upper", "--document-queue", "0s", "--document-translate", "0s"]);
    bench.write("a.txt", "a text\n");
    bench.write("a.json", "{\"a\": \"text\"}\n");
    bench.write("a.tsv", "kettle\tKessel\n");
    bench.write("b.tsv", "kettle\tWasserkocher\n");
    bench.write("bad.tsv", "kettle\n");
    bench.write("bad.txt", "a\na\n");
    let config = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n\n[[sync.files]]\nsource = \"en.json\"\n";
    bench.write("p/tulk.toml", format!("{config}target = \"{{lang}}.json\"\n"));
    bench.write("p/en.json", "{\"a\": \"text\"}\n");
    bench.run(["config", "set", "profiles.work.target_lang", "de"]).code(0);
    bench.run(["glossary", "create", "Kitchen", "--dictionary", "en:de=a.tsv"]).code(0);
    bench.run(["style", "create", "House", "--language", "de"]).code(0);
    bench.run(["admin", "keys", "create", "ci"]).code(0);
    bench.run(["doc", "upload", "a.txt", "--to", "it"]).code(0);
    bench
}

fn full_device() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").unwrap().into()
}

#[test]
fn every_command_reports_a_full_stdout() {
    let bench = prepare();
    let mut wrong = Vec::new();
    for line in COMMANDS {
        let mut command = bench.command();
        let command = command.args(line.split(' ')).stdin(Stdio::null()).stdout(full_device());
        let run = Run::unlisted(command.output().unwrap());
        let says_why = run.stderr.contains("stdout") && run.stderr.contains("No space left on device");
        if run.code != 70 || !says_why {
            wrong.push(format!("{line}\n{run}"));
        }
    }
    assert!(wrong.is_empty(), "{} commands:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_sandbox_that_cannot_print_its_address_exits() {
    let bench = Bench::bare();
    let mut command = bench.command();
    command.args(["sandbox", "serve", "--port", "0", "--ephemeral"]).stdin(Stdio::null()).stdout(full_device());
    let run = Run::unlisted(command.output().unwrap());
    assert_eq!(run.code, 70, "{run}");
    assert!(run.stderr.contains("stdout"), "{run}");
}

#[test]
fn a_file_size_limit_is_an_error_not_a_crash() {
    let bench = prepare();
    bench.write("large.txt", "a line of some length\n".repeat(2_000));
    let args = "translate --lines --from en --to de -i large.txt -o large.de.txt";
    // Limits files to 8 KiB, including stdout.
    let run = Run::unlisted(bench.shell(&format!("ulimit -f 8; exec tulk {args}")).output().unwrap());
    assert_eq!(run.code, 70, "{run}");
    assert!(run.stderr.contains("File too large") && run.stderr.contains("large.de.txt.part"), "{run}");
    let script = "ulimit -f 8; exec tulk translate --lines --from en --to de -i large.txt > out.txt";
    let run = Run::unlisted(bench.shell(script).output().unwrap());
    assert_eq!(run.code, 70, "{run}");
    assert!(run.stderr.contains("cannot write stdout: File too large"), "{run}");
    bench.run(args.split(' ').chain(["--resume"])).code(0);
    assert_eq!(bench.read("large.de.txt"), bench.read("large.txt").to_uppercase());
}

#[test]
fn every_command_reports_a_file_size_limit() {
    let bench = prepare();
    bench.write("large.txt", "a line of some length\n".repeat(2_000));
    let settings: String = (0..900).map(|n| format!("# comment {n}\n")).collect();
    let config = bench.path(".config/tulk/config.toml");
    std::fs::write(&config, settings + &std::fs::read_to_string(&config).unwrap()).unwrap();
    let before = bench.read(".config/tulk/config.toml");
    let table = [
        ("config set profiles.work.target_lang fr", "config.toml"),
        ("doc translate large.txt --to de", "large.de.txt.part"),
        ("translate --lines --to de -i large.txt -o out.txt", "out.txt.part"),
        ("translate --lines --to de -i large.txt > out.txt", "stdout"),
    ];
    for (line, file) in table {
        let run = Run::unlisted(bench.shell(&format!("ulimit -f 8; exec tulk {line}")).output().unwrap()).code(70);
        let run = run.says("File too large").says(file).says("raise the limit of the size of files (");
        run.says(" bytes), for example with `ulimit -f unlimited`");
    }
    assert_eq!(bench.read(".config/tulk/config.toml"), before);
    // The result is still on the service.
    bench.run(["doc", "resume"]).code(0);
    assert_eq!(bench.read("large.de.txt"), bench.read("large.txt").to_uppercase());
}
