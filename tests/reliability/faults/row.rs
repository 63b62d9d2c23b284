//! One row of the matrix: runs a command against a faulty server and compares the outcome with the table.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{Read as _, Seek as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::operations::{Class, Operation};
use super::recording::{RecordedRun, Recording};
use super::server::{FaultServer, Script, Seen};
use super::table::{Expected, Fault};
use crate::common::Bench;
use crate::common::service_commands::before;

/// The API key of all rows. No output of the program may show it.
const KEY: &str = "key-0123456789abcdef";
const ADMIN_KEY: &str = "admin-0123456789abcdef";

/// A row that takes longer counts as hanging.
const LONGEST_ROW: Duration = Duration::from_secs(120);

/// Verbosity flags, which rows without their own flags use in turn.
const VERBOSITIES: [&[&str]; 4] = [&[], &["-v"], &["-vv"], &["-q"]];

/// A command, the request at which the fault happens, and the fault.
pub struct Row<'a> {
    pub recording: &'static Recording,
    pub run: &'static RecordedRun,
    /// Index of the faulted request in the run.
    pub at: usize,
    pub fault: &'a Fault,
    /// Number of the row; selects the verbosity if the fault has no flags.
    pub number: usize,
}

struct Outcome {
    code: Option<i32>,
    stdout: String,
    stderr: String,
    /// Peak memory in MiB.
    memory: u64,
    /// Address of the server, which occurs in some results.
    address: String,
    seen: Vec<Seen>,
    /// Files that the command created.
    files: BTreeSet<String>,
}

impl Row<'_> {
    pub fn operation(&self) -> Operation {
        self.run.exchanges[self.at].operation
    }

    pub fn expected(&self) -> Expected {
        let path = self.operation().1;
        if let Some((_, expected)) = self.fault.exceptions.iter().find(|(start, _)| path.starts_with(start)) {
            return *expected;
        }
        let column = match self.operation().2 {
            Class::Report => {
                return match self.fault.expected[0] {
                    as_content @ ((_, 10, _) | (usize::MAX, ..)) => as_content,
                    (requests, ..) => (requests, 0, ""),
                };
            }
            Class::Content => 0,
            Class::Removal => 1,
            Class::Creation => 2,
            Class::Result => 3,
            Class::Reconnection => 4,
            Class::Socket => 5,
        };
        self.fault.expected[column]
    }

    /// Returns a report if the outcome is wrong.
    pub fn check(&self) -> Option<String> {
        let outcome = self.run_command();
        let wrong = self.differences(&outcome);
        let (method, path, _) = self.operation();
        let row = format!("{} | {method} {path} | {}", self.run.command, self.fault.name);
        let lines: Vec<String> = wrong.into_iter().map(|(what, is)| format!("{row} | {what} | {is}")).collect();
        let (stdout, stderr) = (first_chars(&outcome.stdout, 300), last_chars(&outcome.stderr, 700));
        (!lines.is_empty()).then(|| format!("{}\n    stdout {stdout:?}\n    stderr {stderr:?}", lines.join("\n")))
    }

    /// Returns pairs of the expected and the actual behavior.
    fn differences(&self, outcome: &Outcome) -> Vec<(String, String)> {
        let Some(code) = outcome.code else { return vec![("ends within two minutes".into(), "hangs".into())] };
        let (requests, expected_code, cause) = self.expected();
        let is_failure = expected_code != 0;
        // Another target language may have succeeded.
        let is_partial = is_failure && self.run.command.contains("--to de,fr");
        let mut wrong = Vec::new();
        let mut expect = |is_right: bool, what: String, is: String| {
            if !is_right {
                wrong.push((what, is));
            }
        };
        let faulted: Vec<&Seen> = outcome.seen.iter().filter(|seen| seen.is_faulted).collect();
        expect(faulted.len() == requests, format!("{requests} requests"), faulted.len().to_string());
        let expected_code = match expected_code {
            0 => self.run.code,
            _ if is_partial => 9,
            code => code,
        };
        expect(code == expected_code, format!("code {expected_code}"), code.to_string());
        let says = !is_failure || (outcome.stderr.contains("error: ") && outcome.stderr.contains(cause));
        expect(says, format!("says {cause:?}"), "does not".to_owned());
        let has_result = self.operation().2 == Class::Report;
        let is_whole =
            has_result || if is_failure { self.has_no_partial_result(&outcome.stdout) } else { self.is_right(outcome) };
        expect(is_whole, "prints no half result".to_owned(), "does".to_owned());
        let other = self.other_requests(&outcome.seen, is_failure && !is_partial);
        expect(other.is_empty(), "sends nothing else".to_owned(), format!("{other:?}"));
        let shows_secret = self.secrets().iter().any(|secret| outcome.shows(secret, is_failure));
        expect(!shows_secret, "shows no secret".to_owned(), "does".to_owned());
        // The lock of a project is not a result.
        let files = outcome.files.iter().filter(|name| **name != "tulk.lock").count();
        let leaves_nothing = !is_failure || has_result || files == usize::from(is_partial);
        expect(leaves_nothing, "leaves no file".to_owned(), format!("{:?}", outcome.files));
        if let Some([kept, streamed]) = self.fault.memory {
            let limit = if self.operation().2 == Class::Result { streamed } else { kept };
            expect(outcome.memory <= limit, format!("at most {limit} MiB"), outcome.memory.to_string());
        }
        if let (wait @ 1.., [first, second, ..]) = (self.fault.wait_ms, &faulted[..]) {
            let waited = (second.at - first.at).as_millis();
            expect(waited >= u128::from(wait), format!("waits {wait} ms"), waited.to_string());
        }
        wrong
    }

    /// Returns whether a failed command left no partial result on stdout. `api` may print any answer, and `doc` may print complete rows of
    /// documents that failed. Commands that show changes before they make them may print the start of the recorded output.
    fn has_no_partial_result(&self, stdout: &str) -> bool {
        let command = self.run.command;
        let shows_changes = ["style apply ", "glossary sync ", "voice terms sync "];
        if command.starts_with("api ") || stdout.is_empty() {
            return true;
        }
        if command.starts_with("doc ") {
            let says_done = |line: &str| line.contains("\tdone") || line.contains("\tuploaded");
            return stdout.ends_with('\n') && !stdout.lines().any(says_done);
        }
        let recorded = String::from_utf8_lossy(&self.run.stdout);
        shows_changes.iter().any(|start| command.starts_with(start)) && recorded.starts_with(stdout)
    }

    /// Returns whether a successful command printed the recorded output. A document result may be any bytes, in its file.
    fn is_right(&self, outcome: &Outcome) -> bool {
        let recorded = String::from_utf8_lossy(&self.run.stdout).replace(&self.recording.address, &outcome.address);
        self.operation().2 == Class::Result || outcome.stdout == recorded
    }

    /// Returns requests that should not have been sent: unknown ones, requests after the failure, and repeated changes.
    fn other_requests(&self, seen: &[Seen], is_failure: bool) -> Vec<String> {
        let allowed = if is_failure { &self.run.exchanges[..self.at] } else { &self.run.exchanges[..] };
        let is_too_often = |seen_here: &&Seen| {
            let identity = &seen_here.identity;
            let times = seen.iter().filter(|other| !other.is_faulted && other.identity == *identity).count();
            let known = allowed.iter().filter(|exchange| exchange.identity == *identity).count();
            // Before a result is requested again, a status request finds out whether the service still has it.
            let is_status = identity.starts_with("POST /v2/document/") && !identity.contains("/result ");
            times > known && !(is_status && self.operation().2 == Class::Result)
        };
        let mut other: Vec<String> = Vec::new();
        for seen in seen.iter().filter(|seen| !seen.is_faulted).filter(is_too_often) {
            let is_recovery = self.run.exchanges[self.at].identity == seen.identity;
            if !is_recovery || is_failure {
                other.push(seen.identity.chars().take(120).collect());
            }
        }
        other
    }

    fn secrets(&self) -> Vec<String> {
        let own = [KEY.to_owned(), ADMIN_KEY.to_owned()];
        own.into_iter().chain(self.recording.secrets.iter().cloned()).collect()
    }

    fn run_command(&self) -> Outcome {
        let bench = Bench::bare().env("TULK_API_KEY", KEY).env("TULK_ADMIN_KEY", ADMIN_KEY);
        for (name, bytes) in &self.recording.files {
            bench.write(name, bytes);
        }
        let server = FaultServer::start(self.script());
        if self.run.prior > 0 {
            let mut command = bench.command();
            command.args(before(self.run.command).unwrap_or_default());
            command.args(["--server", &format!("http://{}", server.address)]);
            let (code, _, stderr, _) = run_to_end(command, false);
            assert_eq!(code, Some(0), "{stderr}");
        }
        let before = files_of(&bench);
        let mut command = bench.command();
        command.args(&self.run.args).args(["--server", &format!("http://{}", server.address)]);
        command.args(["--retries", self.fault.retries, "--max-wait", "60s"]);
        command.args(if self.fault.flags.is_empty() {
            VERBOSITIES[self.number % VERBOSITIES.len()]
        } else {
            self.fault.flags
        });
        let (code, stdout, stderr, memory) = run_to_end(command, self.fault.memory.is_some());
        let address = server.address.to_string();
        let seen = server.finish();
        let files = files_of(&bench).difference(&before).cloned().collect();
        Outcome { code, stdout, stderr, memory, address, seen, files }
    }

    fn script(&self) -> Script {
        Script {
            exchanges: &self.run.exchanges,
            recorded_address: &self.recording.address,
            faulted: self.at,
            act: self.fault.act,
            times: self.fault.times,
            secrets: self.secrets(),
        }
    }
}

impl Outcome {
    /// Returns whether a secret is on stderr, or on stdout of a failed command. Some results are secrets themselves.
    fn shows(&self, secret: &str, is_failure: bool) -> bool {
        let encoded = secret.bytes().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "%{byte:02X}");
            text
        });
        let shows = |text: &str| text.contains(secret) || text.contains(&encoded);
        shows(&self.stderr) || (is_failure && shows(&self.stdout))
    }
}

fn first_chars(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

fn last_chars(text: &str, most: usize) -> String {
    text.chars().skip(text.chars().count().saturating_sub(most)).collect()
}

/// A partial result remains as `FILE.part`.
fn files_of(bench: &Bench) -> BTreeSet<String> {
    let names = std::fs::read_dir(bench.dir()).expect("the home directory").flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| !name.starts_with('.') && name.strip_suffix(".part").is_none()).collect()
}

/// Returns exit code, stdout, stderr and peak memory in MiB. The exit code is `None` if the command hung and was killed.
fn run_to_end(mut command: Command, measures: bool) -> (Option<i32>, String, String, u64) {
    let mut streams = [tempfile::tempfile().expect("a file"), tempfile::tempfile().expect("a file")];
    let [stdout, stderr] = streams.each_ref().map(|file| Stdio::from(file.try_clone().expect("a file")));
    let mut child = command.stdin(Stdio::null()).stdout(stdout).stderr(stderr).spawn().expect("a run");
    let (deadline, mut memory) = (Instant::now() + LONGEST_ROW, 0);
    let status = loop {
        if measures {
            memory = memory.max(peak_memory(&child));
        }
        if let Some(status) = child.try_wait().expect("its end") {
            break Some(status);
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_millis(4));
    };
    let [stdout, stderr] = streams.each_mut().map(|file| {
        let mut bytes = Vec::new();
        file.rewind().and_then(|()| file.read_to_end(&mut bytes)).expect("its output");
        String::from_utf8_lossy(&bytes).into_owned()
    });
    (status.map(|status| status.code().unwrap_or(-1)), stdout, stderr, memory)
}

/// Returns MiB, or 0 where the system does not report it.
fn peak_memory(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}
