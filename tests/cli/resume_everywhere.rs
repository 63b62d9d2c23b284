//! `--resume` after a stop at every request: several files, targets, `--in-place`, and write. Answered texts are never sent again,
//! and the files are complete.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::common::scripted::{self, ScriptedServer};
use crate::common::{Bench, Run, wait_until};

const FILES: [(&str, usize); 3] = [("a.txt", 60), ("b.txt", 1), ("c.txt", 2)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StopBy {
    /// SIGKILL once all earlier answers are on disk; the request is not answered.
    Kill,
    /// This signal; the request is answered afterwards.
    Signal(&'static str),
    /// 456: the quota is exhausted.
    Quota,
    /// 400: only this target or file fails.
    Refusal,
}

#[derive(Default)]
struct Service {
    child: Option<u32>,
    /// How to stop the process, and at which request, from 1.
    stop: Option<(StopBy, usize)>,
    requests: usize,
    stopped: bool,
    /// How often each text was answered for each target.
    answered: BTreeMap<(String, String), usize>,
}

fn target_of(body: &Value) -> String {
    body["target_lang"].as_str().unwrap_or("-").to_lowercase()
}

/// Returns the result of a text. Translating a result again changes it once more, so the tests notice it.
fn result_of(target: &str, text: &str) -> String {
    format!("{target} {text}*")
}

fn answer(service: &Mutex<Service>, saved: &(impl Fn(&Service) -> bool + ?Sized), request: &str) -> Vec<u8> {
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    let stop = {
        let mut service = service.lock().unwrap();
        service.requests += 1;
        let stop = service.stop.filter(|(_, at)| *at == service.requests).map(|(stop, _)| stop);
        service.stopped |= stop.is_some();
        stop
    };
    let signal = |name: &str| {
        wait_until("the process", || service.lock().unwrap().child.is_some());
        let child = service.lock().unwrap().child.unwrap().to_string();
        Command::new("kill").args([format!("-{name}"), child]).status().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300)); // give the process time to handle the signal
    };
    match stop {
        Some(StopBy::Kill) => {
            wait_until("what was answered to be saved", || saved(&service.lock().unwrap()));
            signal("KILL");
            return Vec::new();
        }
        Some(StopBy::Quota) => return scripted::answer(456, &[], "{\"message\":\"Quota exceeded\"}"),
        Some(StopBy::Refusal) => return scripted::answer(400, &[], "{\"message\":\"refused\"}"),
        Some(StopBy::Signal(name)) => signal(name),
        None => {}
    }
    let target = target_of(&body);
    let texts: Vec<&str> = body["text"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    let mut service = service.lock().unwrap();
    let results = texts.iter().map(|text| {
        *service.answered.entry((target.clone(), text.to_string())).or_default() += 1;
        json!({"detected_source_language": "EN", "target_language": "en", "text": result_of(&target, text)})
    });
    let list = if head.contains("/v2/translate") { "translations" } else { "improvements" };
    scripted::answer(200, &["content-type: application/json"], json!({ list: results.collect::<Vec<_>>() }).to_string())
}

fn lines(file: &str) -> Vec<String> {
    let (name, count) = FILES.iter().find(|(name, _)| *name == file).unwrap();
    (1..=*count).map(|n| format!("{name} line {n}")).collect()
}

#[derive(Clone, Copy)]
enum Content {
    Lines,
    /// A table with one column. Each target adds another.
    Table,
    Markdown,
    Subtitles,
}

impl Content {
    fn input(self, file: &str) -> String {
        match self {
            Self::Lines => lines(file).join("\n") + "\n",
            Self::Table => format!("text\n{}\n", lines(file).join("\n")),
            Self::Markdown => format!("# `x`\n\n{}\n", lines(file).join("\n\n")),
            Self::Subtitles => lines(file).iter().map(|line| cue(line)).collect(),
        }
    }

    fn output(self, file: &str, target: &str, targets: &[&str]) -> String {
        match self {
            Self::Lines => lines(file).iter().map(|line| format!("{}\n", result_of(target, line))).collect(),
            Self::Table => {
                let names: String = targets.iter().map(|target| format!(",text_{target}")).collect();
                let record = |line: &String| {
                    let results: String =
                        targets.iter().map(|target| format!(",{}", result_of(target, line))).collect();
                    format!("{line}{results}\n")
                };
                format!("text{names}\n") + &lines(file).iter().map(record).collect::<String>()
            }
            Self::Markdown | Self::Subtitles => {
                let result = |text: String, line: &String| {
                    text.replace(&format!("{line}\n"), &format!("{}\n", result_of(target, line)))
                };
                lines(file).iter().fold(self.input(file), result)
            }
        }
    }
}

fn cue(text: &str) -> String {
    format!("1\n00:00:01,000 --> 00:00:02,000\n{text}\n\n")
}

struct Case {
    content: Content,
    args: &'static [&'static str],
    targets: &'static [&'static str],
    /// With `{stem}` and `{lang}`.
    output: &'static str,
}

impl Case {
    fn output(&self, file: &str, target: &str) -> String {
        self.output.replace("{stem}", file.trim_end_matches(".txt")).replace("{lang}", target)
    }

    /// Stops the command at a request, then runs it with `--resume`. Returns false if it has fewer requests.
    fn stopped_at(&self, stop: StopBy, at: usize, concurrency: &str) -> bool {
        let bench = Bench::bare();
        for (file, _) in FILES {
            bench.write(file, self.content.input(file));
        }
        let service = Arc::new(Mutex::new(Service { stop: Some((stop, at)), ..Service::default() }));
        let (shared, dir) = (Arc::clone(&service), bench.dir().to_owned());
        let outputs: Vec<(String, String, String)> = FILES
            .iter()
            .flat_map(|(file, _)| {
                self.targets.iter().map(|t| ((*file).to_owned(), (*t).to_owned(), self.output(file, t)))
            })
            .collect();
        let saved = move |service: &Service| {
            outputs.iter().all(|(file, target, output)| {
                let read = |name: String| std::fs::read_to_string(dir.join(name)).unwrap_or_default();
                let written = [format!("{output}.part"), output.clone(), format!("{output}.part.state")].map(read);
                let is_there = |text: &String| {
                    let result = result_of(target, text);
                    written.iter().any(|written| written.contains(&result))
                };
                lines(file)
                    .iter()
                    .filter(|text| service.answered.contains_key(&(target.clone(), (*text).clone())))
                    .all(is_there)
            })
        };
        let server = ScriptedServer::start(move |request| answer(&shared, &saved, request));
        let bench = bench.env("TULK_SERVER", &server.url).env("TULK_API_KEY", "key");
        let args: Vec<&str> = [self.args, &["--retries", "0", "--concurrency", concurrency]].concat();
        let mut command = bench.command();
        command.args(&args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        service.lock().unwrap().child = Some(child.id());
        let first = Run::unlisted(child.wait_with_output().unwrap());
        if !service.lock().unwrap().stopped {
            assert_eq!(first.code, 0, "{first}");
            return false;
        }
        let case = format!("{:?} stopped by {stop:?} at {at}, {concurrency} at once\n{first}", self.args);
        let again = bench.command().args(&args).arg("--resume").stdin(Stdio::null()).output().unwrap();
        let again = Run::unlisted(again);
        assert_eq!((again.code, again.out()), (0, ""), "{case}{again}");
        self.check(&bench, &service.lock().unwrap(), &case);
        true
    }

    fn check(&self, bench: &Bench, service: &Service, case: &str) {
        let mut names: Vec<String> = FILES.iter().map(|(file, _)| (*file).to_owned()).collect();
        let mut expected = BTreeMap::new();
        for (file, _) in FILES {
            for target in self.targets {
                let output = self.output(file, target);
                let text = self.content.output(file, target, self.targets);
                assert_eq!(bench.read(&output), text, "{output}: {case}");
                names.push(output);
                expected.extend(lines(file).into_iter().map(|line| (((*target).to_owned(), line), 1)));
            }
        }
        assert_eq!(service.answered, expected, "each text is answered once: {case}");
        names.sort();
        names.dedup();
        let mut left: Vec<String> = std::fs::read_dir(bench.dir())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| !matches!(name.as_str(), ".local" | ".config" | ".cache"))
            .collect();
        left.sort();
        assert_eq!(left, names, "{case}");
        let records = std::fs::read_dir(bench.path(".local/state/tulk/runs")).map_or(0, Iterator::count);
        assert_eq!(records, 0, "{case}");
    }

    fn stopped_everywhere(&self, stop: StopBy, concurrency: &str) {
        let mut at = 1;
        while self.stopped_at(stop, at, concurrency) {
            at += 1;
        }
        assert!(at > self.targets.len() * FILES.len(), "{stop:?}: only {at} requests");
    }
}

const TEMPLATE: Case = Case {
    content: Content::Lines,
    args: &[
        "translate",
        "--lines",
        "--to",
        "de,fr,it",
        "-i",
        "a.txt",
        "-i",
        "b.txt",
        "-i",
        "c.txt",
        "-o",
        "{stem}.{lang}{ext}",
    ],
    targets: &["de", "fr", "it"],
    output: "{stem}.{lang}.txt",
};
const IN_PLACE: Case = Case {
    content: Content::Lines,
    args: &["translate", "--lines", "--to", "de", "--in-place", "-i", "a.txt", "-i", "b.txt", "-i", "c.txt"],
    targets: &["de"],
    output: "{stem}.txt",
};
const WRITE: Case = Case {
    content: Content::Lines,
    args: &["write", "correct", "--lines", "-i", "a.txt", "-i", "b.txt", "-i", "c.txt", "-o", "{stem}.new{ext}"],
    targets: &["-"],
    output: "{stem}.new.txt",
};
const WRITE_IN_PLACE: Case = Case {
    content: Content::Lines,
    args: &["write", "correct", "--lines", "--in-place", "-i", "a.txt", "-i", "b.txt", "-i", "c.txt"],
    targets: &["-"],
    output: "{stem}.txt",
};
const APPEND: Case = Case {
    content: Content::Table,
    args: &[
        "translate",
        "--csv",
        "--column",
        "text",
        "--append",
        "--to",
        "de,fr",
        "-i",
        "a.txt",
        "-i",
        "b.txt",
        "-i",
        "c.txt",
        "-o",
        "{stem}.new{ext}",
    ],
    targets: &["de", "fr"],
    output: "{stem}.new.txt",
};
const APPEND_IN_PLACE: Case = Case {
    args: &[
        "translate",
        "--csv",
        "--column",
        "text",
        "--append",
        "--to",
        "de,fr",
        "-i",
        "a.txt",
        "-i",
        "b.txt",
        "-i",
        "c.txt",
        "--in-place",
    ],
    output: "{stem}.txt",
    ..APPEND
};
const MARKDOWN: Case = Case {
    content: Content::Markdown,
    args: &[
        "translate",
        "--as",
        "markdown",
        "--to",
        "de",
        "-i",
        "a.txt",
        "-i",
        "b.txt",
        "-i",
        "c.txt",
        "-o",
        "{stem}.new{ext}",
    ],
    targets: &["de"],
    output: "{stem}.new.txt",
};
const SUBTITLES: Case = Case {
    content: Content::Subtitles,
    args: &["translate", "--as", "srt", "--to", "de", "-i", "a.txt", "-i", "b.txt", "-i", "c.txt", "--in-place"],
    targets: &["de"],
    output: "{stem}.txt",
};

#[test]
#[ignore = "long; .ci/run includes it"]
fn resumes_documents_and_subtitles() {
    for case in [MARKDOWN, SUBTITLES] {
        case.stopped_everywhere(StopBy::Kill, "1");
        case.stopped_everywhere(StopBy::Signal("INT"), "8");
        case.stopped_everywhere(StopBy::Quota, "1");
    }
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn resumes_results_of_all_targets_in_one_file() {
    for case in [APPEND, APPEND_IN_PLACE] {
        case.stopped_everywhere(StopBy::Kill, "1");
        case.stopped_everywhere(StopBy::Signal("TERM"), "8");
        case.stopped_everywhere(StopBy::Quota, "1");
        case.stopped_everywhere(StopBy::Refusal, "8");
    }
}

#[test]
fn resumes_files_and_targets_after_a_kill() {
    TEMPLATE.stopped_everywhere(StopBy::Kill, "1");
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn resumes_files_and_targets_after_a_signal() {
    TEMPLATE.stopped_everywhere(StopBy::Signal("INT"), "1");
    TEMPLATE.stopped_everywhere(StopBy::Signal("TERM"), "8");
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn resumes_files_and_targets_after_a_refusal() {
    for concurrency in ["1", "8"] {
        TEMPLATE.stopped_everywhere(StopBy::Quota, concurrency);
        TEMPLATE.stopped_everywhere(StopBy::Refusal, concurrency);
    }
}

#[test]
fn resumes_files_in_place() {
    IN_PLACE.stopped_everywhere(StopBy::Kill, "1");
    IN_PLACE.stopped_everywhere(StopBy::Signal("HUP"), "1");
    IN_PLACE.stopped_everywhere(StopBy::Quota, "8");
    IN_PLACE.stopped_everywhere(StopBy::Refusal, "1");
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn resumes_files_of_write() {
    for case in [WRITE, WRITE_IN_PLACE] {
        case.stopped_everywhere(StopBy::Kill, "1");
        case.stopped_everywhere(StopBy::Signal("INT"), "8");
        case.stopped_everywhere(StopBy::Refusal, "8");
    }
}
