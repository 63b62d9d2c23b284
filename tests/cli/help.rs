//! The text of `--help` and `tulk help`: topics, columns, options and variables.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{Bench, help_tree};

const POINTER: &str = "Options of every command, such as --server and --quiet: tulk help options";

const PROJECT: &str = "\
[sync]
source_lang = \"en\"
target_langs = [\"de\"]
[[sync.files]]
source = \"en.json\"
target = \"{lang}.json\"
";

const WITHOUT_COLUMNS: &[&str] = &[
    "api",
    "auth login",
    "auth logout",
    "auth token",
    "cache clear",
    "completions",
    "config edit",
    "config get",
    "config path",
    "config set",
    "config unset",
    "doc forget",
    "glossary delete",
    "glossary delete-dictionary",
    "glossary v2 delete",
    "help",
    "man",
    "sandbox reset",
    "sandbox serve",
    "style delete",
    "style export",
    "style instruction remove",
    "style profile delete",
    "sync export",
    "sync init",
    "tm delete",
    "voice terms delete",
    "voice terms delete-list",
];

/// Returns the columns of each command as listed in `tulk help formats`.
fn listed_columns(bench: &Bench) -> BTreeMap<String, Vec<String>> {
    let run = bench.run(["help", "formats"]).code(0);
    let (_, list) = run.out().split_once("\nColumns\n").unwrap();
    let mut columns = BTreeMap::<String, Vec<String>>::new();
    let mut current = Vec::new();
    for line in list.lines() {
        let (commands, names) = line.split_once("  ").unwrap_or((line, ""));
        if !commands.is_empty() {
            current = command_names(commands);
        }
        for command in &current {
            let known = columns.entry(command.clone()).or_default();
            if known.last().is_none_or(|name| !name.ends_with(';')) {
                known.extend(names.split_whitespace().map(str::to_owned));
            }
        }
    }
    // A semicolon separates the columns from a note.
    for names in columns.values_mut() {
        if let Some(end) = names.iter().position(|name| name.ends_with(';')) {
            names.truncate(end + 1);
            names[end].pop();
        }
    }
    columns
}

/// Expands `glossary list, show` to `glossary list` and `glossary show`.
fn command_names(list: &str) -> Vec<String> {
    let (first, rest) = list.split_once(", ").unwrap_or((list, ""));
    let group = first.rsplit_once(' ').map_or("", |(group, _)| group);
    let rest = rest.split(", ").filter(|name| !name.is_empty());
    std::iter::once(first.to_owned()).chain(rest.map(|name| format!("{group} {name}"))).collect()
}

#[test]
fn the_help_lists_the_columns_of_every_command_with_rows() {
    let bench = Bench::bare();
    bench.run(["man", "--out", "pages"]).code(0);
    let pages: Vec<String> = std::fs::read_dir(bench.path("pages"))
        .unwrap()
        .map(|page| page.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let columns = listed_columns(&bench);
    for page in &pages {
        let is_group = pages.iter().any(|other| other.starts_with(&format!("{page}-")));
        let is_listed = |command: &str| format!("tulk-{}", command.replace(' ', "-")) == *page;
        let known = columns.keys().any(|command| is_listed(command)) || WITHOUT_COLUMNS.iter().any(|c| is_listed(c));
        assert!(is_group || known, "{page} is neither in `tulk help formats` nor in WITHOUT_COLUMNS");
    }
}

#[test]
fn commands_print_the_listed_columns() {
    let memories = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/memories.json");
    let bench = Bench::with(&["--memories", memories]);
    let columns = listed_columns(&bench);
    bench.write("terms.tsv", "cat\tKatze\n");
    bench.write("other.tsv", "dog\tHund\n");
    let id = bench.run(["glossary", "create", "pets", "--dictionary", "en:de=terms.tsv", "--columns", "glossary_id"]);
    assert_eq!(id.code, 0, "{id}");
    bench.write("talk.txt", "Ljubljana\n");
    bench.write("talk2.txt", "Maribor\n");
    bench.write("bad.txt", "Ljubljana\nLjubljana\n");
    bench.run(["voice", "terms", "create", "Talk", "en=talk.txt"]).code(0);
    bench.write("tulk.toml", PROJECT);
    bench.write("en.json", "{\"a\": \"One\"}\n");
    bench.write("tulk.lock", "");
    bench.write("back.csv", "file,key,en,de\nen.json,a,One,\n");
    let range = ["--start", "today", "--end", "today"];
    for (command, arguments) in [
        ("glossary list", &[][..]),
        ("glossary show", &["pets"]),
        ("glossary entries", &["pets"]),
        ("glossary lint", &["terms.tsv"]),
        ("glossary diff", &["pets", "en:de", "other.tsv"]),
        ("glossary export", &["pets", "."]),
        ("glossary v2 list", &[]),
        ("glossary v2 pairs", &[]),
        ("voice terms create", &["Other", "en=talk.txt"]),
        ("voice terms list", &[]),
        ("voice terms show", &["Talk"]),
        ("voice terms rename", &["Other", "Another"]),
        ("voice terms entries", &["Talk"]),
        ("voice terms merge", &["Talk", "en", "talk2.txt"]),
        ("voice terms set", &["Talk", "en", "talk.txt"]),
        ("voice terms sync", &["Talk", "en=talk2.txt"]),
        ("style list", &[]),
        ("style rules catalogue", &[]),
        ("style profile list", &[]),
        ("style profile create", &["Other"]),
        ("style profile show", &["Other"]),
        ("style profile edit", &["Other", "--industry", "Tea"]),
        ("tm list", &[]),
        ("tm segments", &["M"]),
        ("sync", &["--dry-run"]),
        ("sync --check", &[]),
        ("sync status", &[]),
        ("sync accept", &[]),
        ("sync import", &["back.csv"]),
        ("langs list", &[]),
        ("langs resources", &[]),
        ("langs v2", &[]),
        ("langs detect", &["Hello"]),
        ("usage", &[]),
        ("admin keys list", &[]),
        ("admin usage", &range),
        ("admin usage --by key", &range),
        ("admin usage --by key-and-day", &range),
        ("admin tags", &range),
        ("admin tags --by day", &range),
        ("admin pairs", &range),
        ("admin pairs --by key", &range),
        ("admin pairs --by day", &range),
        ("admin pairs --by key-and-day", &range),
        ("auth status", &[]),
        ("config list", &[]),
        ("sandbox status", &[]),
        ("cache stats", &[]),
        ("doctor", &[]),
        ("doc list", &[]),
    ] {
        let arguments = command.split(' ').chain(arguments.iter().copied()).chain(["--format", "tsv", "--header"]);
        let run = bench.run(arguments);
        let header: Vec<&str> = run.out().lines().next().unwrap_or_default().split('\t').collect();
        // No document was evaluated here.
        let listed = columns.get(command).into_iter().flatten().filter(|column| **column != "quality_score");
        assert_eq!(header, listed.collect::<Vec<_>>(), "{command}\n{run}");
    }
}

#[test]
fn prints_the_topics_and_the_help_of_commands() {
    let bench = Bench::bare();
    for (topic, text) in [
        ("formats", "--format jsonl   one JSON object per line\n"),
        ("exit-codes", "\n130   stopped by Ctrl-C\n"),
        ("environment", "\n  TULK_API_KEY         API key"),
        ("options", "\n      --retries <N>           Maximum retries of a request [default: 5]\n"),
        ("files", "\ncredentials.toml     keys, "),
        ("sandbox", "\n--seed N                     makes faults and latency repeatable\n"),
    ] {
        let run = bench.run(["help", topic]).code(0);
        assert!(format!("\n{}", run.out()).contains(text), "{run}");
        assert!(run.out().lines().all(|line| line.chars().count() <= 80), "{topic}: a line has over 80 characters");
    }
    let options = bench.run(["help", "options"]);
    assert_eq!(bench.run(["help", "global"]).code(0).out(), options.out(), "the former name");
    let run = bench.run(["help", "langs", "check"]).code(0);
    assert!(run.out().contains("Usage: tulk langs check"), "{run}");
}

#[test]
fn an_unknown_topic_or_command_gets_a_suggestion_or_the_list() {
    let bench = Bench::bare();
    for (words, expected) in [
        ("format", "error: unknown topic or command `format`\n  hint: did you mean `tulk help formats`?\n"),
        ("translte", "error: unknown topic or command `translte`\n  hint: did you mean `tulk help translate`?\n"),
        (
            "glossary creat",
            "error: unknown command `glossary creat`\n  hint: did you mean `tulk help glossary create`?\n",
        ),
        ("trans", "error: unknown topic or command `trans`\n  hint: did you mean `tulk help translate`?\n"),
        ("write xyz", "error: unknown command `write xyz`\n  hint: commands: rephrase, correct\n"),
        ("usage xyz", "error: unknown command `usage xyz`\n  hint: `tulk help usage` shows the help of the command\n"),
    ] {
        let run = bench.run(["help"].into_iter().chain(words.split(' '))).code(2).prints("");
        assert_eq!(run.stderr, expected);
    }
    let run = bench.run(["help", "xyz"]).code(2);
    run.says("  hint: topics: options, environment, ").says("; commands: translate, doc, ");
}

#[test]
fn the_last_color_flag_wins() {
    let bench = Bench::bare();
    let is_colored = |args: &[&str]| bench.run(args).code(0).out().contains('\u{1b}');
    assert!(is_colored(&["usage", "--color", "always", "-h"]));
    assert!(is_colored(&["--color=always", "-h"]));
    assert!(is_colored(&["--no-color", "--color", "always", "-h"]));
    assert!(!is_colored(&["--color", "always", "--no-color", "-h"]));
    assert!(!is_colored(&["-h"]));
    let forced = Bench::bare().env("CLICOLOR_FORCE", "1").env("CLICOLOR", "0");
    assert!(forced.run(["-h"]).code(0).out().contains('\u{1b}'));
    assert!(!forced.run(["--no-color", "-h"]).code(0).out().contains('\u{1b}'));
    forced.run(["--no-color", "config", "path"]).code(0);
    bench.run(["config", "path", "--color", "always", "--color", "never"]).code(0);
    bench.run(["usage", "--color", "blue"]).code(2).says("--color: invalid value `blue`");
}

#[test]
fn color_variables_take_precedence_over_the_terminal() {
    for (terminal, variables, expected) in [
        (false, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")][..], false),
        (false, &[("NO_COLOR", ""), ("CLICOLOR_FORCE", "1"), ("TERM", "dumb")], true),
        (false, &[("CLICOLOR_FORCE", "0")], false),
        (false, &[("CLICOLOR_FORCE", "")], false),
        (false, &[("CLICOLOR", "1"), ("TERM", "xterm")], false),
        (true, &[("TERM", "xterm")], true),
        (true, &[("TERM", "dumb")], false),
        (true, &[("TERM", "xterm"), ("CLICOLOR", "0")], false),
        (true, &[("TERM", "xterm"), ("CLICOLOR", "0"), ("CLICOLOR_FORCE", "0")], false),
        (true, &[("TERM", "xterm"), ("NO_COLOR", "1")], false),
    ] {
        let bench = variables.iter().fold(Bench::bare(), |bench, (name, value)| bench.env(name, value));
        let run = if terminal { bench.on_terminal(80, ["-h"]) } else { bench.run(["-h"]) };
        assert_eq!(run.code(0).out().contains('\u{1b}'), expected, "{variables:?} on a terminal: {terminal}");
    }
}

#[test]
fn w_is_short_for_write() {
    let bench = Bench::bare().env("TULK_SANDBOX", "1").env("TULK_SANDBOX_ENGINE", "echo");
    assert_eq!(bench.run(["w", "correct", "Hello"]).code(0).out(), "Hello\n");
}

#[test]
fn without_arguments_lists_every_command_with_a_summary() {
    let bench = Bench::bare().env("COLUMNS", "80");
    let help = bench.run(["-h"]).code(0);
    let lines: Vec<&str> = help.out().lines().collect();
    assert!(lines.len() <= 40 && lines.iter().all(|line| line.chars().count() <= 80), "{} lines\n{help}", lines.len());
    for row in [
        "  translate  Translate text or files: Markdown, HTML, CSV, subtitles [alias: t]",
        "  doc        Translate documents: Word, PowerPoint, Excel, PDF, HTML",
        "  sync      Translate the files of an app: JSON, YAML, PO, strings.xml, XLIFF",
        "  usage  Show usage and limits: characters, documents, quota",
        "  tulk help TOPIC  options, environment, formats, exit-codes, files, sandbox",
    ] {
        assert!(lines.contains(&row), "{row}\n{help}");
    }
    let alone = bench.run::<&str>([]).code(2);
    assert_eq!(alone.stderr, help.out());
    assert_eq!(alone.out(), "");
}

#[test]
fn the_help_of_a_group_lists_its_commands() {
    let bench = Bench::bare();
    let help = bench.run(["glossary", "-h"]).code(0);
    assert_eq!(
        help_tree::section(help.out(), "Commands:")[2],
        "  create             Create a glossary from dictionary files"
    );
    assert_eq!(help.out().lines().last(), Some("Options and examples: tulk glossary COMMAND -h"));
}

#[test]
fn the_short_help_has_the_common_options() {
    let help = Bench::bare().run(["write", "correct", "-h"]).code(0);
    let expected = "\
Correct mistakes and change nothing else

Usage: tulk write correct [OPTIONS] [TEXT]...

Examples:
  tulk write correct \"we was late becuase of rain\"
  tulk write correct --diff -i letter.txt

Arguments:
";
    assert!(help.out().starts_with(expected), "{help}");
    let options = help_tree::section(help.out(), "Options:");
    let flags: Vec<&str> =
        options.iter().filter_map(|line| line.split_whitespace().find(|w| w.starts_with("--"))).collect();
    assert_eq!(flags, ["--to", "--input", "--diff", "--check", "--output", "--in-place"], "{help}");
    assert!(help.out().ends_with("\n\nAll options: tulk write correct --help\n"), "{help}");
}

#[test]
fn the_short_help_of_every_command_has_at_most_25_lines() {
    let bench = Bench::bare().env("COLUMNS", "80");
    for command in help_tree::commands(&bench) {
        let words = || command.split(' ');
        let help = bench.run(words().chain(["-h"])).code(0);
        let rows: usize = help.out().lines().map(|line| line.chars().count().div_ceil(80).max(1)).sum();
        assert!(
            rows <= 25,
            "{command} has {rows} lines; name the options that people use with CommandSpec::common\n{help}"
        );
        let is_copied = |line: &str| line.starts_with("Usage: ") || line.starts_with("  tulk ");
        assert!(help.out().lines().all(|line| line.chars().count() <= 80 || is_copied(line)), "{help}");
        assert!(!help.out().contains("[env") && !help.out().contains("--retries"), "{help}");
        let last = help.out().lines().last().unwrap_or_default();
        let pointers =
            [format!("All options: tulk {command} --help"), format!("Options and examples: tulk {command} COMMAND -h")];
        assert!(pointers.iter().any(|pointer| last == pointer), "{help}");
    }
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn every_help_text_points_to_the_global_options() {
    let bench = Bench::bare();
    for command in help_tree::commands(&bench) {
        let long = bench.run(command.split(' ').chain(["--help"])).code(0);
        // `tulk help sandbox` shows the topic.
        if command != "sandbox" {
            let help = bench.run(std::iter::once("help").chain(command.split(' '))).code(0);
            assert_eq!(help.out(), long.out(), "{command}");
        }
        assert_eq!(long.out().lines().last(), Some(POINTER), "{command}");
        assert!(!long.out().contains("  --retries"), "{long}");
    }
}

#[test]
fn every_help_text_has_the_shared_options_that_matter_to_it() {
    let bench = Bench::bare();
    for (command, expected) in [
        ("translate", "--format --json --jq --header --columns -n --concurrency --reporting-tag --no-check"),
        ("voice session", "--format --json --jq --header --columns -n --reporting-tag --no-check"),
        ("usage", "--format --json --jq --header --columns"),
        ("glossary delete", "-n -y"),
        ("glossary list", "--format --json --jq --header --columns"),
        ("config get", "--format --json --jq"),
        ("style export", ""),
        ("man", ""),
        ("style", ""),
    ] {
        let help = bench.run(command.split(' ').chain(["--help"])).code(0);
        let options = help_tree::section(help.out(), "Shared options:");
        let flags = options.iter().filter_map(|line| line.split([' ', ',']).find(|word| !word.is_empty()));
        let flags: Vec<&str> = flags.filter(|word| word.starts_with('-')).collect();
        assert_eq!(flags.join(" "), expected, "{command}\n{help}");
        assert_eq!(help.out().lines().last(), Some(POINTER), "{command}");
    }
    let format = |command: &str| bench.run(command.split(' ').chain(["--help"])).out().replace(['\n', ' '], "");
    assert!(format("usage").contains("Outputformat:auto,table,json,jsonl,tsv,text"));
    assert!(format("voice stream").contains("Outputformat:auto,jsonl,text,srt,vtt"));
}

#[test]
fn config_set_lists_the_settings() {
    let help = Bench::bare().run(["config", "set", "--help"]).code(0);
    for (title, row) in [
        ("Top level:", "  default_profile  Profile to use without --profile"),
        (
            "Settings of a profile, profiles.NAME.KEY:",
            "  target_lang                   Target languages, such as de,fr",
        ),
        (
            "Settings of a profile, profiles.NAME.KEY:",
            "  key_command                   Command that prints the API key",
        ),
        (
            "Settings of your own service, services.NAME.KEY:",
            "  auth_scheme           Word before the key in a request",
        ),
        ("Settings of the sandbox, sandbox.KEY:", "  engine                How texts are translated"),
    ] {
        assert!(help_tree::section(help.out(), title).contains(&row), "{row}\n{help}");
    }
    assert!(!help.out().contains("no_outline_detection"), "{help}");
}

/// Each of these commands is refused without `--no-check` and sent with it.
#[test]
fn help_lists_no_check_for_commands_that_accept_the_flag() {
    let bench = Bench::new();
    bench.write("kitchen.tsv", "kettle\tWasserkocher\n");
    bench.write("talk.txt", "Ljubljana\n");
    bench.run(["glossary", "create", "Kitchen", "--dictionary", "en:de=kitchen.tsv"]).code(0);
    bench.run(["voice", "terms", "create", "Talk", "en=talk.txt"]).code(0);
    for line in [
        "glossary rename Kitchen |",
        "voice terms rename Talk |",
        "voice terms entries Talk en-US",
        "voice terms delete-list Talk en-US --yes",
        "admin usage --start 2020-01-01 --end 2026-01-01",
        "admin tags --start 2020-01-01 --end 2026-01-01",
    ] {
        // `|` stands for a name that is only whitespace.
        let words: Vec<&str> = line.split(' ').map(|word| if word == "|" { " " } else { word }).collect();
        let refused = bench.run(words.iter().copied()).code(2);
        let sent = bench.run(words.iter().copied().chain(["--no-check", "-v"]));
        assert!(sent.stderr != refused.stderr && sent.stderr.contains(" /v"), "{line}: {sent}");
        let command: Vec<&str> = words.iter().copied().take_while(|word| !["Kitchen", "Talk"].contains(word)).collect();
        let help = bench.run(command.into_iter().take_while(|word| !word.starts_with('-')).chain(["--help"])).code(0);
        assert!(help.out().contains("--no-check"), "{line}: {help}");
    }
    let help = bench.run(["glossary", "list", "--help"]).code(0);
    assert!(!help.out().contains("--no-check"), "{help}");
}

#[test]
fn help_without_arguments_lists_commands_and_topics() {
    let bench = Bench::bare();
    let help = bench.run(["help"]).code(0);
    assert!(help.out().contains("\n  langs  Show supported languages and features\n"), "{help}");
    assert!(help.out().contains("\n  exit-codes   What the exit codes mean\n"), "{help}");
    assert!(!help.out().contains("--config"), "{help}");
}

/// Returns the variables read by a source file: upper-case literals on lines that read the environment.
fn variables(source: &str) -> BTreeSet<String> {
    let code = source.split("#[cfg(test)]").next().unwrap();
    let is_name = |text: &str| {
        text.len() > 1
            && text.starts_with(|c: char| c.is_ascii_uppercase())
            && text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    };
    let reads = |line: &&str| {
        let line = line.replace("env!(", "");
        ["env", "var(", "var_os(", "get(", "const "].iter().any(|word| line.contains(word))
    };
    let mut names = BTreeSet::new();
    for line in code.lines().filter(reads) {
        let parts: Vec<&str> = line.split('"').collect();
        let literals = parts.chunks(2).filter(|pair| !pair[0].ends_with("value_name = "));
        names.extend(
            literals.filter_map(|pair| pair.get(1)).filter(|text| is_name(text)).map(|text| (*text).to_owned()),
        );
    }
    names
}

#[test]
fn the_topic_lists_every_environment_variable() {
    let help = Bench::bare().run(["help", "environment"]).code(0);
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = [
        "src/config/args.rs",
        "src/config/env.rs",
        "src/output/color.rs",
        "src/output/terminals.rs",
        "crates/client/src/http/root_certificates.rs",
        "src/cli/mod.rs",
    ];
    let known: Vec<String> = files.iter().map(|file| std::fs::read_to_string(root.join(file)).unwrap()).collect();
    let names: BTreeSet<String> = known.iter().flat_map(|source| variables(source)).collect();
    for name in ["TULK_CONFIG", "TULK_API_KEY", "CLICOLOR_FORCE", "COLUMNS", "SSL_CERT_DIR", "VISUAL", "TULK_COMPLETE"]
    {
        assert!(names.contains(name), "{name} was not found in the source: {names:?}");
    }
    // Read by anstyle-query.
    let of_library = ["NO_COLOR", "CLICOLOR", "TERM"].map(str::to_owned);
    for name in names.iter().chain(&of_library) {
        assert!(help.out().contains(name.trim_end_matches('_')), "tulk help environment lacks {name}");
    }
    let mut others = Vec::new();
    rust_files(&root.join("src"), &mut others);
    rust_files(&root.join("crates"), &mut others);
    let tests = |path: &std::path::Path| {
        ["/voice/speech/", "/crates/growth/"].iter().any(|part| path.to_str().unwrap().contains(part))
    };
    for path in others.iter().filter(|path| !tests(path)) {
        let source = std::fs::read_to_string(path).unwrap();
        let reads =
            |line: &&str| line.contains("env::var") || line.contains("env::get(") || line.contains("env::text(");
        let lines: String = source.lines().filter(reads).map(|line| format!("{line}\n")).collect();
        for name in variables(&lines) {
            assert!(help.out().contains(&name), "tulk help environment lacks {name}, which {} reads", path.display());
        }
    }
}

fn rust_files(dir: &std::path::Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
