//! Progress on a terminal: what is drawn, what remains at the end, and when nothing is drawn.

use std::fs::File;
use std::io::Read as _;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};

use crate::common::{Bench, terminal, wait_until};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stdout {
    Terminal,
    Pipe,
}

struct OnScreen {
    child: Child,
    written: Arc<Mutex<Vec<u8>>>,
    reader: std::thread::JoinHandle<()>,
}

pub struct Ended {
    pub screen: Vec<String>,
    written: String,
    stdout: String,
    pub code: Option<i32>,
}

impl OnScreen {
    fn start(bench: &Bench, (columns, rows): (u16, u16), stdout: Stdout, args: &[&str]) -> Self {
        let (master, slave) = terminal::open(columns, rows);
        let mut command = bench.command();
        command.env_remove("CI").env("TERM", "xterm-256color").env("NO_COLOR", "1");
        command.args(args).stdin(Stdio::null()).stderr(slave.try_clone().unwrap());
        match stdout {
            Stdout::Terminal => command.stdout(slave),
            Stdout::Pipe => command.stdout(Stdio::piped()),
        };
        let child = command.spawn().unwrap();
        drop(command);
        let written = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&written);
        let reader = std::thread::spawn(move || {
            let (mut master, mut bytes) = (File::from(master), [0; 4096]);
            // Linux reports EIO instead of end of file once the other side is closed.
            while let Ok(read @ 1..) = master.read(&mut bytes) {
                shared.lock().unwrap().extend_from_slice(&bytes[..read]);
            }
        });
        Self { child, written, reader }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.written.lock().unwrap()).into_owned()
    }

    fn shows(&self, text: &str) {
        wait_until(text, || self.text().contains(text));
    }

    fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        assert!(std::process::Command::new("kill").args([&format!("-{signal}"), &id]).status().unwrap().success());
    }

    fn ends(mut self) -> Ended {
        let mut stdout = String::new();
        if let Some(mut pipe) = self.child.stdout.take() {
            pipe.read_to_string(&mut stdout).unwrap();
        }
        let code = self.child.wait().unwrap().code();
        self.reader.join().unwrap();
        let written = String::from_utf8(std::mem::take(&mut *self.written.lock().unwrap())).unwrap();
        Ended { screen: screen(&written), written, stdout, code }
    }
}

pub fn run(bench: &Bench, stdout: Stdout, args: &[&str]) -> Ended {
    OnScreen::start(bench, (100, 24), stdout, args).ends()
}

/// Without trailing empty lines.
fn screen(written: &str) -> Vec<String> {
    let (mut rows, mut row, mut column) = (vec![Vec::new()], 0usize, 0usize);
    let mut rest = written.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' => column = 0,
            '\n' => {
                row += 1;
                rows.resize(rows.len().max(row + 1), Vec::new());
            }
            '\u{1b}' => {
                assert_eq!(rest.next(), Some('['), "{written:?}");
                let mut number = String::new();
                while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                    number.push(digit);
                }
                match rest.next() {
                    Some('A') => row = row.saturating_sub(number.parse().unwrap_or(1)),
                    Some('K') => rows[row].truncate(column),
                    Some('J') => {
                        rows.truncate(row + 1);
                        rows[row].truncate(column);
                    }
                    other => panic!("unknown sequence {other:?}: {written:?}"),
                }
            }
            c => {
                let line = &mut rows[row];
                line.resize(line.len().max(column + 1), ' ');
                line[column] = c;
                column += 1;
            }
        }
    }
    let mut lines: Vec<String> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
    while lines.last().is_some_and(|line: &String| line.trim().is_empty()) {
        lines.pop();
    }
    lines
}

fn without_seconds(screen: &[String]) -> Vec<String> {
    let shorter = |line: &String| match line.rsplit_once(", ") {
        Some((rest, seconds)) if seconds.ends_with(" s") => rest.to_owned(),
        _ => line.clone(),
    };
    screen.iter().map(shorter).collect()
}

fn documents(queue_time: &str) -> Bench {
    let times = ["--document-queue", queue_time, "--document-translate", "3s"];
    let bench = Bench::with(&[&["--engine", "echo"], &times[..]].concat());
    bench.write("a.txt", "One");
    bench.write("longer.txt", "Two two");
    bench
}

#[test]
fn retries_share_one_line_on_a_terminal() {
    let bench = Bench::with(&["--engine", "echo", "--fault", "503;times=2;retry-after=1"]);
    let ended = run(&bench, Stdout::Terminal, &["translate", "--to", "de", "x"]);
    assert_eq!((ended.code, ended.screen), (Some(0), vec!["x".to_owned()]));
    let line = "retrying   in 1 s: /v2/translate: 503 Service Unavailable   0:0";
    assert!(ended.written.contains(line), "{}", ended.written);
    assert!(!ended.written.contains("; retrying in"), "{}", ended.written);
    let bench = Bench::with(&["--engine", "echo", "--fault", "503;times=1;retry-after=1"]);
    let ended = run(&bench, Stdout::Terminal, &["translate", "--to", "de", "--jq", ".translations[0].text", "x"]);
    assert_eq!((ended.code, ended.screen), (Some(0), vec!["x".to_owned()]));
    assert!(ended.written.contains(line), "{}", ended.written);
    let bench = Bench::with(&["--engine", "echo", "--fault", "503;times=1;retry-after=1"]);
    let run = bench.run(["translate", "--to", "de", "x"]).code(0).prints("x\n");
    run.says("/v2/translate: 503 Service Unavailable; retrying in 1 s\n");
}

#[test]
fn shows_one_line_per_finished_document_and_no_table() {
    let bench = documents("100ms");
    let ended = run(&bench, Stdout::Terminal, &["doc", "translate", "a.txt", "longer.txt", "--to", "de,fr"]);
    assert_eq!(ended.code, Some(0), "{}", ended.written);
    let mut screen = without_seconds(&ended.screen);
    assert_eq!(screen.pop().as_deref(), Some("4 documents, 20 characters billed"));
    screen.sort();
    let expected = [
        "✓ a.txt → de       a.de.txt  3 characters",
        "✓ a.txt → fr       a.fr.txt  3 characters",
        "✓ longer.txt → de  longer.de.txt  7 characters",
        "✓ longer.txt → fr  longer.fr.txt  7 characters",
    ];
    assert_eq!(screen, expected);
    let mut lines = ended.written.lines().filter(|line| line.contains(" a.txt → de        translating   "));
    assert!(lines.any(|line| line.contains("░  about ") && line.contains(" s left  0:0")), "{}", ended.written);
    assert!(ended.written.contains("0 of 4 documents, 0:0"), "{}", ended.written);
}

#[test]
fn pipes_get_rows_while_the_terminal_shows_progress() {
    let bench = documents("100ms");
    let ended =
        run(&bench, Stdout::Pipe, &["doc", "translate", "a.txt", "--to", "de", "--columns", "source,path,status"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "a.txt\ta.de.txt\tdone\n"));
    assert_eq!(ended.screen, ["✓ a.txt → de  a.de.txt  3 characters"]);
    assert!(ended.written.contains("a.txt → de   translating"), "{}", ended.written);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn prints_explicitly_requested_rows_on_a_terminal() {
    let bench = documents("100ms");
    let args = ["doc", "translate", "a.txt", "--to", "de", "--columns", "status,path"];
    let ended = run(&bench, Stdout::Terminal, &args);
    assert_eq!(ended.screen[..2], ["✓ a.txt → de  a.de.txt  3 characters", "STATUS  RESULT"]);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn draws_nothing_where_progress_is_unwanted() {
    for (number, flags) in [vec!["-q"], vec!["--progress", "none"], vec!["--json"]].into_iter().enumerate() {
        let bench = documents("100ms");
        let ended = run(&bench, Stdout::Terminal, &[&["doc", "translate", "a.txt", "--to", "de"], &flags[..]].concat());
        assert_eq!(ended.code, Some(0), "{}", ended.written);
        assert!(!ended.written.contains('✓') && !ended.written.contains("translating"), "{number}: {}", ended.written);
        assert!(ended.screen.join("\n").contains("a.de.txt"), "{number}: {}", ended.written);
    }
    let bench = documents("100ms").env("CI", "true");
    let mut command = bench.command();
    let (_master, slave) = terminal::open(100, 24);
    command.args(["doc", "translate", "a.txt", "--to", "de"]).env("TERM", "xterm").stdin(Stdio::null()).stderr(slave);
    let rows = command.output().unwrap();
    assert!(String::from_utf8_lossy(&rows.stdout).starts_with("a.txt\tde\ta.de.txt\t"));
}

#[test]
fn names_a_failed_document_once_with_its_message() {
    let bench = documents("100ms");
    bench.write("a.de.txt", "old");
    let args = ["doc", "translate", "a.txt", "longer.txt", "--to", "de"];
    let ended = run(&bench, Stdout::Terminal, &args);
    assert_eq!(ended.code, Some(9));
    let expected = [
        "✗ a.txt → de       a.de.txt already exists",
        "  hint: replace it with --force, or with --if-newer if the source is newer",
        "✓ longer.txt → de  longer.de.txt  7 characters",
        "1 document, 7 characters billed",
        "error: 1 of 2 documents failed",
    ];
    assert_eq!(without_seconds(&ended.screen), expected);
    let ended = run(&bench, Stdout::Terminal, &["doc", "translate", "a.txt", "--to", "de"]);
    let expected = [
        "✗ a.txt → de  a.de.txt already exists",
        "  hint: replace it with --force, or with --if-newer if the source is newer",
    ];
    assert_eq!((ended.code, &ended.screen[..]), (Some(2), &expected.map(str::to_owned)[..]));
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn a_terminal_without_utf8_shows_ascii() {
    let bench = documents("100ms").env("LANG", "C");
    let ended = run(&bench, Stdout::Terminal, &["doc", "translate", "a.txt", "--to", "de"]);
    assert_eq!(ended.screen, ["ok a.txt -> de  a.de.txt  3 characters"]);
    assert!(ended.written.is_ascii(), "{}", ended.written);
}

#[test]
fn a_signal_leaves_one_line_with_the_resume_command() {
    for (signal, code, files, says) in [
        ("INT", 130, &["a.txt", "longer.txt"][..], "2 documents keep translating on the service"),
        ("TERM", 143, &["a.txt"], "1 document keeps translating on the service"),
    ] {
        let bench = documents("20s");
        let args = [&["doc", "translate", "--to", "de", "--no-proxy"], files].concat();
        let running = OnScreen::start(&bench, (100, 24), Stdout::Terminal, &args);
        running.shows("longer.txt → de   queued".get(if files.len() == 1 { 7 } else { 0 }..).unwrap());
        wait_until("the uploads", || bench.count_uploaded_records() == files.len());
        running.signal(signal);
        let ended = running.ends();
        assert_eq!((ended.code, ended.screen.len()), (Some(code), 2), "{}", ended.written);
        let by = if signal == "INT" { "Ctrl-C" } else { "SIGTERM" };
        assert_eq!(ended.screen[0], format!("error: stopped by {by}; {says}"));
        assert!(
            ended.screen[1].starts_with("  hint: continue with `tulk --no-proxy doc resume"),
            "{}",
            ended.screen[1]
        );
    }
}

impl Bench {
    fn count_uploaded_records(&self) -> usize {
        let list = self.command().args(["doc", "list", "--columns", "status"]).output().unwrap();
        String::from_utf8_lossy(&list.stdout).lines().filter(|status| *status == "uploaded").count()
    }
}

#[test]
fn a_short_terminal_shows_some_active_documents_and_counts_the_rest() {
    let bench = documents("20s");
    let names: Vec<String> = (10..40).map(|number| format!("{number}.txt")).collect();
    for name in &names {
        bench.write(name, "x");
    }
    let mut args = vec!["doc", "translate", "--to", "de", "--concurrency", "10"];
    args.extend(names.iter().map(String::as_str));
    let running = OnScreen::start(&bench, (60, 8), Stdout::Terminal, &args);
    running.shows(", 4 more not shown");
    running.signal("INT");
    let ended = running.ends();
    assert_eq!(ended.code, Some(130), "{}", ended.written);
    let written = ended.written.replace("\r\n", "\n");
    let frame = written.split('\r').find(|frame| frame.contains(", 4 more not shown")).unwrap();
    assert_eq!(frame.lines().count(), 7, "{frame}");
    assert!(frame.lines().last().unwrap().starts_with("0 of 30 documents, 0:0"), "{frame}");
    // Some of the ten may not have been uploaded yet.
    let stopped = written.lines().find(|line| line.contains("error: stopped by Ctrl-C; ")).unwrap();
    assert!(stopped.contains(" documents keep translating on the service, "), "{stopped}");
    assert!(stopped.ends_with(", 20 were not started"), "{stopped}");
    assert!(written.contains("hint: continue with `tulk doc translate --to de --concurrency 10 10.txt "), "{written}");
}

#[test]
fn a_translation_to_a_file_shows_progress_and_leaves_the_total() {
    let bench = Bench::with(&["--engine", "echo", "--latency", "150ms"]);
    bench.write("book.txt", (0..300).map(|line| format!("line {line}\n")).collect::<String>());
    let args = ["translate", "--lines", "-i", "book.txt", "-o", "{stem}.{lang}{ext}", "--to", "de,pt-BR"];
    let ended = run(&bench, Stdout::Terminal, &[&args[..], &["--concurrency", "1"]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.written);
    assert!(ended.written.contains("book.txt → pt-BR   translating   "), "{}", ended.written);
    assert!(ended.written.contains(" of 300 texts"), "{}", ended.written);
    let [de, pt, total] = &without_seconds(&ended.screen)[..] else { panic!("{}", ended.written) };
    assert!(de.starts_with("✓ book.txt → de     300 texts in 0:0"), "{de}");
    assert!(pt.starts_with("✓ book.txt → pt-BR  300 texts in 0:0"), "{pt}");
    assert_eq!(total, "1 file, 300 texts, 4,580 characters billed");
}

#[test]
fn draws_nothing_while_text_streams_to_a_terminal() {
    let bench = Bench::with(&["--engine", "echo", "--latency", "150ms"]);
    let book: String = (0..200).map(|line| format!("line {line}\n")).collect();
    bench.write("book.txt", &book);
    let args = ["translate", "--lines", "-i", "book.txt", "--to", "de", "--concurrency", "1"];
    let ended = run(&bench, Stdout::Terminal, &args);
    let total = "1 file, 200 texts, 1,490 characters billed\n";
    assert_eq!(without_seconds(&ended.screen).join("\n") + "\n", format!("{book}{total}"));
    // The reader of a pipe may write to the same terminal.
    let ended = run(&bench, Stdout::Pipe, &args);
    assert_eq!((without_seconds(&ended.screen).join("\n") + "\n", ended.stdout == book), (total.to_owned(), true));
    let ended = run(&bench, Stdout::Pipe, &[&args[..], &["--progress", "bar"]].concat());
    assert!(ended.written.contains("translating → de") && ended.written.contains(" of 200 texts"), "{}", ended.written);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn shows_waiting_for_a_glossary_as_a_phase() {
    let bench = Bench::with(&["--glossary-ready-delay", "2s"]);
    bench.write("terms.tsv", "tea\tTee\ncup\tTasse\n");
    let args = ["glossary", "create", "Kitchen", "--dictionary", "en:de=terms.tsv", "--wait", "--columns", "name"];
    let ended = run(&bench, Stdout::Pipe, &args);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "Kitchen\n"), "{}", ended.written);
    assert!(ended.written.contains("   waiting until the glossary is ready   0:0"), "{}", ended.written);
    assert_eq!(ended.screen.len(), 1, "{}", ended.written);
    assert!(ended.screen[0].starts_with("created glossary "));
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn shows_a_long_upload_as_a_phase() {
    let bench = Bench::with(&["--latency", "1500ms"]);
    bench.write("terms.tsv", "tea\tTee\ncup\tTasse\n");
    bench.write("names.txt", "Tulk\n");
    for (args, line) in [
        (&["glossary", "v2", "create", "Kitchen", "--dictionary", "en:de=terms.tsv"][..], "uploading 2 entries"),
        (&["voice", "terms", "create", "Kitchen", "en=names.txt"], "uploading 1 term"),
    ] {
        let ended = run(&bench, Stdout::Pipe, &[args, &["--columns", "name"]].concat());
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "Kitchen\n"), "{}", ended.written);
        assert!(ended.written.contains(&format!("Kitchen   {line}   0:0")), "{}", ended.written);
        assert!(!ended.screen.iter().any(|line| line.contains("uploading")), "{:?}", ended.screen);
    }
}

#[test]
fn shows_checking_a_slow_server_as_a_phase() {
    let bench = Bench::with(&["--latency", "1500ms"]);
    let ended = run(&bench, Stdout::Pipe, &["doctor", "--columns", "check"]);
    assert_eq!(ended.code, Some(0), "{}", ended.written);
    assert!(ended.written.contains(&format!("{}   connecting   0:0", bench.url())), "{}", ended.written);
    assert!(!ended.screen.iter().any(|line| line.contains("connecting")), "{:?}", ended.screen);
}

#[test]
fn draws_nothing_for_a_short_command() {
    let bench = documents("100ms");
    let ended = run(&bench, Stdout::Pipe, &["langs", "list", "--columns", "lang"]);
    assert_eq!((ended.code, ended.written.as_str()), (Some(0), ""));
}
