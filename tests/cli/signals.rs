//! Signals while a command waits: for a file, for stdin, for a reader of its output, for an answer, for a child process.
//!
//! `/proc` shows what a process waits for, so no test depends on guessed times.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use clap::CommandFactory as _;

use crate::common::{Bench, wait_until};

pub const SIGNALS: [(&str, i32); 3] = [("INT", 130), ("TERM", 143), ("HUP", 129)];

/// Arguments that name a file to read: command, argument, and a command line with `@` for the file.
const READERS: &[(&str, &str, &str)] = &[
    ("", "config", "--config @ translate --to de hello"),
    ("", "config", "--config @ config list"),
    ("", "config", "--config @ auth status"),
    ("", "key_file", "--key-file @ translate --to de hello"),
    ("", "key_file", "--key-file @ auth token"),
    ("", "ca_file", "--server https://localhost:1 --ca-file @ translate --to de hello"),
    ("sync", "project", "sync --project @"),
    ("sync export", "project", "sync export --to de --project @"),
    ("sync import", "input", "sync import @"),
    ("sync accept", "project", "sync accept --project @"),
    ("sync status", "project", "sync status --project @"),
    ("translate", "input", "translate --to de -i @"),
    ("translate", "input", "translate --to de --json -i @ -i text.txt"),
    ("translate", "context_file", "translate --to de --context-file @ hello"),
    ("langs detect", "input", "langs detect -i @"),
    ("write rephrase", "input", "write rephrase -i @"),
    ("write correct", "input", "write correct --diff -i @"),
    ("doc translate", "files", "doc translate --to de --filename a.txt @"),
    ("doc upload", "file", "doc upload --to de --filename a.txt @"),
    ("doc status", "document_key_file", "doc status ID --document-key-file @"),
    ("doc wait", "document_key_file", "doc wait ID --document-key-file @"),
    ("doc download", "document_key_file", "doc download ID --document-key-file @ -o out.txt"),
    ("voice stream", "file", "voice stream --to de --content-type audio/flac @"),
    ("voice session", "file", "voice session --to de @"),
    ("voice terms create", "lists", "voice terms create Name en=@"),
    ("voice terms set", "file", "voice terms set Jargon en @"),
    ("voice terms merge", "file", "voice terms merge Jargon en @"),
    ("voice terms lint", "files", "voice terms lint text.txt @"),
    ("voice terms sync", "lists", "voice terms sync Jargon de=text.txt en=@"),
    ("tm import", "file", "tm import @"),
    ("style create", "file", "style create Name --language de --file @"),
    ("style rules set", "file", "style rules set Shop --file @"),
    ("style apply", "file", "style apply @"),
    ("glossary create", "dictionaries", "glossary create Name --dictionary en:de=@"),
    ("glossary set", "file", "glossary set Kitchen en:de @"),
    ("glossary merge", "file", "glossary merge Kitchen en:de @"),
    ("glossary lint", "inputs", "glossary lint @"),
    ("glossary lint", "inputs", "glossary lint en:de=@"),
    ("glossary diff", "file", "glossary diff Kitchen en:de @"),
    ("glossary sync", "dictionaries", "glossary sync Kitchen en:de=@"),
    ("glossary v2 create", "dictionary", "glossary v2 create Name --dictionary en:de=@"),
    ("api", "input", "api POST /v2/translate --input @"),
    ("api", "field", "api POST /v2/translate -F text=@@"),
    ("sandbox serve", "phrases", "sandbox serve --port 0 --ephemeral --phrases @"),
    ("sandbox serve", "memories", "sandbox serve --port 0 --ephemeral --memories @"),
    ("sandbox serve", "seed_file", "sandbox serve --port 0 --ephemeral --seed-file @"),
];

/// Arguments of [`READERS`] that do not accept `-` for stdin.
const NOT_FROM_STDIN: &[&str] = &["config", "ca_file", "context_file", "phrases", "memories", "project", "seed_file"];
/// Commands of [`READERS`] that do not accept `-` for stdin.
const WITHOUT_STDIN: &[&str] = &["voice session", "tm import"];
/// Commands of [`READERS`] that refuse a FIFO.
const NOT_FROM_FIFO: &[&str] =
    &["doc translate", "doc upload", "sync", "sync accept", "sync export", "sync status", "tm import"];
/// Arguments that name something to write.
const WRITTEN: &[&str] = &["output", "key_out", "audio_out", "out_dir", "dir", "out", "record", "cert_file"];

pub struct Waiting {
    pub child: Child,
    pub args: String,
}

impl Waiting {
    pub fn start(bench: &Bench, args: &str, stdin: Stdio, stdout: Stdio) -> Self {
        let words = args.split(' ').filter(|word| !word.is_empty());
        let child = bench.command().args(words).stdin(stdin).stdout(stdout).stderr(Stdio::piped()).spawn().unwrap();
        Self { child, args: args.to_owned() }
    }

    /// Waits until the process handles signals and all its threads sleep.
    pub fn wait_until_idle(&self) {
        let tasks = format!("/proc/{}/task", self.child.id());
        wait_until(&self.args, || {
            let Ok(tasks) = std::fs::read_dir(&tasks) else { return true };
            let states: Vec<(String, bool)> = tasks
                .flatten()
                .filter_map(|task| std::fs::read_to_string(task.path().join("stat")).ok())
                .map(|stat| {
                    let (name, rest) = stat.rsplit_once(')').unwrap();
                    (name.to_owned(), rest.trim().starts_with('S'))
                })
                .collect();
            let listens = states.iter().any(|(name, _)| name.ends_with("(signals"));
            listens && states.iter().all(|(_, sleeps)| *sleeps)
        });
    }

    pub fn signal(&self, name: &str) {
        let status =
            std::process::Command::new("kill").args([format!("-{name}"), self.child.id().to_string()]).status();
        assert!(status.unwrap().success());
    }

    #[track_caller]
    pub fn ends(mut self, code: i32, patience: Duration) -> String {
        let deadline = Instant::now() + patience;
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break Some(status),
                None if Instant::now() > deadline => break None,
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        if status.is_none() {
            let _ = self.child.kill();
        }
        let mut stderr = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        let ended = status.map(|status| status.code());
        assert_eq!(ended, Some(Some(code)), "{} (None: it did not end in time)\n{stderr}", self.args);
        stderr
    }
}

/// Longest time from a signal to the exit of a command. It is shorter than the two seconds for which a command waits for answers.
pub const SIGNAL_DEADLINE: Duration = Duration::from_millis(1900);

fn fifo(bench: &Bench, name: &str) {
    let path = bench.path(name);
    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
}

/// Starts a sandbox with a glossary, spoken terms and a style rule list, and creates a FIFO that nothing else opens.
pub fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("text.txt", "hello\n");
    bench.write("terms.tsv", "pan\tPfanne\n");
    bench.run(["glossary", "create", "Kitchen", "--dictionary", "en:de=terms.tsv"]).code(0);
    bench.run(["voice", "terms", "create", "Jargon", "en=text.txt", "de=text.txt"]).code(0);
    bench.run(["style", "create", "Shop", "--language", "de"]).code(0);
    fifo(&bench, "fifo");
    bench
}

#[test]
fn a_signal_interrupts_the_wait_for_a_file() {
    let bench = bench();
    for (row, (command, _, line)) in READERS.iter().enumerate().filter(|(_, row)| !NOT_FROM_FIFO.contains(&row.0)) {
        let (signal, code) = SIGNALS[row % SIGNALS.len()];
        let args = line.replace("@@", "@fifo").replace("=@ ", "=fifo ");
        let args = if line.contains("@@") { args } else { args.replace('@', "fifo") };
        let waiting = Waiting::start(&bench, &args, Stdio::null(), Stdio::null());
        waiting.wait_until_idle();
        waiting.signal(signal);
        let stderr = waiting.ends(code, SIGNAL_DEADLINE);
        assert!(stderr.contains("stopped by "), "{command}: {stderr}");
    }
}

#[test]
fn a_signal_interrupts_the_wait_for_stdin() {
    let bench = bench();
    let takes_stdin = |row: &(&str, &str, &str)| !NOT_FROM_STDIN.contains(&row.1) && !WITHOUT_STDIN.contains(&row.0);
    for (row, (_, arg, line)) in READERS.iter().enumerate().filter(|(_, row)| takes_stdin(row)) {
        let (signal, code) = SIGNALS[(row + 1) % SIGNALS.len()];
        let args = if line.contains("@@") { line.replace("@@", "@-") } else { line.replace('@', "-") };
        let (reader, mut writer) = std::io::pipe().unwrap();
        writer.write_all(b"x").unwrap();
        let waiting = Waiting::start(&bench, &args, reader.try_clone().unwrap().into(), Stdio::null());
        wait_until(&args, || rustix::io::ioctl_fionread(&reader).unwrap() == 0);
        waiting.wait_until_idle();
        waiting.signal(signal);
        let stderr = waiting.ends(code, SIGNAL_DEADLINE);
        assert!(stderr.contains("stopped by "), "{args} {arg}: {stderr}");
    }
}

/// Commands that read stdin without an argument.
#[test]
fn a_signal_interrupts_the_wait_for_implicit_stdin() {
    let bench = bench();
    let lines = ["translate --to de", "write rephrase", "write correct", "auth login"];
    for (line, (signal, code)) in lines.iter().zip(SIGNALS.iter().cycle()) {
        let (reader, mut writer) = std::io::pipe().unwrap();
        writer.write_all(b"x").unwrap();
        let bench = Waiting::start(&bench, line, reader.try_clone().unwrap().into(), Stdio::null());
        wait_until(line, || rustix::io::ioctl_fionread(&reader).unwrap() == 0);
        bench.wait_until_idle();
        bench.signal(signal);
        bench.ends(*code, SIGNAL_DEADLINE);
    }
}

/// Keeps the table above complete: a new argument that names a file must be added.
#[test]
fn the_list_of_file_arguments_is_complete() {
    fn collect(command: &clap::Command, path: &str, found: &mut BTreeSet<(String, String)>) {
        for arg in command.get_arguments().filter(|arg| path.is_empty() || !arg.is_global_set()) {
            let is_path = arg.get_value_parser().type_id() == clap::builder::ValueParser::path_buf().type_id();
            let is_named =
                arg.get_value_names().unwrap_or_default().iter().any(|name| name.contains("FILE") && name != "PROFILE");
            if (is_path || is_named) && !WRITTEN.contains(&arg.get_id().as_str()) {
                found.insert((path.to_owned(), arg.get_id().to_string()));
            }
        }
        for sub in command.get_subcommands() {
            collect(sub, format!("{path} {}", sub.get_name()).trim_start(), found);
        }
    }
    let mut tree = tulk::cli::Cli::command();
    tree.build();
    let mut found = BTreeSet::new();
    collect(&tree, "", &mut found);
    // `sync import` can read its input from a FIFO, but not its `--project`. `NOT_FROM_FIFO` would exclude both, so the table omits
    // `--project`.
    found.remove(&("sync import".to_owned(), "project".to_owned()));
    // `-F name=@FILE`: the file is a part of the value.
    found.insert(("api".to_owned(), "field".to_owned()));
    let listed = READERS.iter().map(|(command, arg, _)| ((*command).to_owned(), (*arg).to_owned())).collect();
    assert_eq!(found, listed);
}

#[test]
fn a_signal_interrupts_the_wait_for_a_reader_of_the_output() {
    let bench = bench();
    for (line, (signal, code)) in [
        "translate --to de -o fifo hello",
        "api GET /v2/usage -o fifo",
        "doc translate text.txt --to de -o fifo --force",
    ]
    .iter()
    .zip(SIGNALS.iter().cycle())
    {
        let waiting = Waiting::start(&bench, line, Stdio::null(), Stdio::null());
        waiting.wait_until_idle();
        waiting.signal(signal);
        waiting.ends(*code, SIGNAL_DEADLINE);
    }
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn a_signal_interrupts_the_wait_for_a_full_pipe() {
    let bench = bench();
    bench.write("long.txt", "a line of text\n".repeat(20_000));
    for (line, (signal, code)) in [
        "translate --to de -n --lines -i long.txt",
        "translate --to de --lines -i long.txt",
        "glossary list",
        "voice terms list",
        "voice terms entries Jargon en",
        "config path",
        "help formats",
        "translate --help",
        "--help",
        "man",
        "completions bash",
        "config list --json",
        "langs list",
    ]
    .iter()
    .zip(SIGNALS.iter().cycle())
    {
        let (_reader, mut writer) = std::io::pipe().unwrap();
        // A pipe holds 64 KiB.
        writer.write_all(&vec![b'x'; 65536]).unwrap();
        let waiting = Waiting::start(&bench, line, Stdio::null(), writer.try_clone().unwrap().into());
        waiting.wait_until_idle();
        waiting.signal(signal);
        // The command still tries to write pending output, and waits two seconds for answers in flight.
        waiting.ends(*code, Duration::from_secs(10));
    }
}

/// The first signal lets the answers in flight arrive; the second does not.
#[test]
fn a_second_signal_ends_the_wait_for_answers() {
    let bench = Bench::with(&["--engine", "echo", "--latency", "60s"]);
    for line in ["translate --to de hello", "write correct hello", "translate --to de --lines -i text.txt", "sync"] {
        bench.write("text.txt", "hello\n");
        project(&bench);
        let waiting = Waiting::start(&bench, line, Stdio::null(), Stdio::null());
        wait_until(line, || is_connected(&waiting.child));
        waiting.wait_until_idle();
        waiting.signal("INT");
        waiting.signal("TERM");
        waiting.ends(143, SIGNAL_DEADLINE);
    }
}

/// An answer that arrives after the signal is kept, but the exit code still reports the signal.
#[test]
#[ignore = "long; .ci/run includes it"]
fn a_command_that_finishes_after_a_signal_exits_with_the_code_of_the_signal() {
    let bench = Bench::with(&["--latency", "1500ms"]);
    for (line, (signal, code)) in [
        "usage",
        "langs list",
        "glossary show Unknown",
        "api GET /v2/usage",
        "auth status",
        "doc status 0123456789ABCDEF0123456789ABCDEF --document-key-file key",
        "sync",
    ]
    .iter()
    .zip(SIGNALS.iter().cycle())
    {
        bench.write("key", "a-document-key\n");
        project(&bench);
        let waiting = Waiting::start(&bench, line, Stdio::null(), Stdio::null());
        wait_until(line, || is_connected(&waiting.child));
        waiting.signal(signal);
        let stderr = waiting.ends(*code, Duration::from_secs(10));
        assert!(stderr.contains("stopped by "), "{line}: {stderr}");
    }
}

fn project(bench: &Bench) {
    let files = "[[sync.files]]\nsource = \"en.json\"\ntarget = \"{lang}.json\"\n";
    bench.write("tulk.toml", format!("[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n{files}"));
    bench.write("en.json", "{\"a\": \"One\"}\n");
}

/// Returns whether a process has an open socket besides the socket pair of the signal thread.
fn is_connected(child: &Child) -> bool {
    let Ok(tcp) = std::fs::read_to_string(format!("/proc/{}/net/tcp", child.id())) else { return false };
    let Ok(files) = std::fs::read_dir(format!("/proc/{}/fd", child.id())) else { return false };
    let sockets: Vec<String> = files
        .flatten()
        .filter_map(|file| std::fs::read_link(file.path()).ok()?.to_str()?.strip_prefix("socket:[").map(str::to_owned))
        .map(|inode| format!(" {} ", inode.trim_end_matches(']')))
        .collect();
    tcp.lines().any(|line| line.contains(" 01 ") && sockets.iter().any(|inode| line.contains(inode.as_str())))
}

#[test]
fn a_signal_kills_the_key_command() {
    for (signal, code) in SIGNALS {
        let bench = Bench::bare();
        let command = format!("echo $$ > {}; exec sleep 600", bench.path("pid").display());
        bench.write(
            ".config/tulk/config.toml",
            format!("[profiles.default]\nserver = \"http://127.0.0.1:9\"\nkey_command = '{command}'\n"),
        );
        let waiting = Waiting::start(&bench, "translate --to de hello", Stdio::null(), Stdio::null());
        wait_until("the key command", || has_content(&bench.path("pid")));
        let process = format!("/proc/{}", bench.read("pid").trim());
        waiting.signal(signal);
        waiting.ends(code, SIGNAL_DEADLINE);
        wait_until("the end of the key command", || !Path::new(&process).exists());
    }
}

#[test]
fn a_second_signal_kills_a_key_command_that_ignores_the_first() {
    let bench = Bench::bare();
    let command = format!("trap \"\" TERM; echo $$ > {}; sleep 600; sleep 600", bench.path("pid").display());
    bench.write(
        ".config/tulk/config.toml",
        format!("[profiles.default]\nserver = \"http://127.0.0.1:9\"\nkey_command = '{command}'\n"),
    );
    let waiting = Waiting::start(&bench, "translate --to de hello", Stdio::null(), Stdio::null());
    wait_until("the key command", || has_content(&bench.path("pid")));
    let process = format!("/proc/{}", bench.read("pid").trim());
    waiting.signal("TERM");
    waiting.signal("TERM");
    waiting.ends(143, SIGNAL_DEADLINE);
    wait_until("the end of the key command", || !Path::new(&process).exists());
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn a_signal_ends_the_editor() {
    for (signal, code) in SIGNALS {
        let bench = Bench::bare();
        let editor = format!("echo $$ > {}; echo \"# mine\" >> ", bench.path("pid").display());
        let bench = bench.env("EDITOR", &format!("sh -c '{editor} \"$0\"; exec sleep 600'"));
        let waiting = Waiting::start(&bench, "config edit", Stdio::null(), Stdio::null());
        wait_until("the editor", || has_content(&bench.path("pid")));
        let process = format!("/proc/{}", bench.read("pid").trim());
        wait_until("the editor's change", || {
            std::fs::read_to_string(format!("{process}/comm")).is_ok_and(|name| name == "sleep\n")
        });
        waiting.signal(signal);
        let stderr = waiting.ends(code, SIGNAL_DEADLINE);
        assert!(stderr.contains("nothing was changed; your version is in "), "{stderr}");
        wait_until("the end of the editor", || !Path::new(&process).exists());
    }
}

fn has_content(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.len() > 0)
}
