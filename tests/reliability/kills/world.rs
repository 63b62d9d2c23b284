//! A sandbox behind a proxy, a new home directory for each round, and runs that are killed at random moments.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fastrand::Rng;

use super::proxy::{Exchange, Proxy, RequestPhase, SharedChild, Trap};
use super::tracer::{self, TracedEnd};
use crate::common::{Bench, Run};

/// Name of the file that is the stdin of runs.
pub const STDIN: &str = "stdin";
/// A run that takes longer counts as hanging.
const LONGEST: Duration = Duration::from_secs(120);
/// Longest pause between an event of the proxy and the kill, in microseconds.
const LONGEST_PAUSE_US: u64 = 3_000;

pub struct World {
    server: Bench,
    proxy: Proxy,
    pub bench: Bench,
    /// Measurements of undisturbed runs, by kind of run.
    baselines: BTreeMap<&'static str, Baseline>,
    kind: &'static str,
    pub kills: Kills,
    pub round: usize,
    label: String,
}

pub type Texts = BTreeSet<(String, String)>;

#[derive(Clone, Copy, Debug)]
struct Baseline {
    requests: usize,
    duration: Duration,
    /// `None` without tracing.
    calls: Option<usize>,
}

#[derive(Default)]
pub struct Kills {
    before_first_request: usize,
    during: usize,
    /// Runs that ended before the kill.
    after_end: usize,
    at_calls: usize,
    /// Texts or files that a later run sent again.
    pub sent_again: usize,
    /// Texts sent again although their answers had reached the client.
    pub answered: usize,
    /// Rounds in which all work was done before the kill.
    pub done_when_killed: usize,
}

impl Kills {
    pub fn all(&self) -> usize {
        self.before_first_request + self.during + self.after_end
    }
}

impl fmt::Display for Kills {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { before_first_request, during, after_end, at_calls, sent_again, answered, done_when_killed } = self;
        write!(
            f,
            "{} trials: {before_first_request} before a request, {during} later, {after_end} after the end; ",
            self.all()
        )?;
        write!(f, "{at_calls} at system calls; ")?;
        write!(f, "{sent_again} sent again, {answered} of them answered; {done_when_killed} complete when killed")
    }
}

#[derive(Debug)]
enum Moment {
    Request(Trap),
    Time(Duration),
    /// Before the n-th system call that changes a file.
    Call(usize),
}

impl World {
    pub fn new(flags: &[&str]) -> Self {
        let server = Bench::with(flags);
        let proxy = Proxy::start(server.url().trim_start_matches("http://"));
        Self {
            server,
            proxy,
            bench: Bench::bare(),
            baselines: BTreeMap::new(),
            kind: "",
            kills: Kills::default(),
            round: 0,
            label: String::new(),
        }
    }

    pub fn begin_round(&mut self, label: String) {
        self.label = label;
        self.round += 1;
        self.proxy.forget();
        self.bench = Bench::bare().env("TULK_SERVER", &self.proxy.url).env("TULK_API_KEY", "sandbox");
    }

    pub fn url(&self) -> &str {
        &self.proxy.url
    }

    pub fn other_bench(&self) -> Bench {
        Bench::bare().env("TULK_SERVER", self.server.url()).env("TULK_API_KEY", "sandbox")
    }

    pub fn exchanges(&self) -> Vec<Exchange> {
        self.proxy.exchanges()
    }

    /// Returns the texts sent by some runs. Fails if a run sent a text twice.
    pub fn texts(&self, runs: impl Fn(usize) -> bool) -> Texts {
        let mut by_run = BTreeSet::new();
        for exchange in self.exchanges().into_iter().filter(|exchange| runs(exchange.run)) {
            for text in exchange.texts() {
                assert!(by_run.insert((exchange.run, text.clone())), "{}: sent twice: {text:?}", self.label);
            }
        }
        by_run.into_iter().map(|(_, text)| text).collect()
    }

    /// Counts the texts of a run that earlier runs had already sent.
    pub fn count_sent_again(&mut self, run: usize) {
        let again = self.texts(|sender| sender == run);
        let exchanges = self.exchanges();
        let earlier = exchanges.iter().filter(|exchange| exchange.run < run);
        let (answered, lost): (Vec<_>, Vec<_>) = earlier.partition(|exchange| exchange.delivered);
        let texts =
            |exchanges: Vec<&Exchange>| -> Texts { exchanges.iter().flat_map(|exchange| exchange.texts()).collect() };
        let (answered, lost) = (texts(answered), texts(lost));
        self.kills.sent_again += again.iter().filter(|text| answered.contains(text) || lost.contains(text)).count();
        self.kills.answered += again.intersection(&answered).count();
    }

    pub fn label(&self) -> &str {
        &self.label
    }

    /// Sets the kind of this round. Measures undisturbed runs of a new kind first, each with a new home directory.
    pub fn measure(&mut self, kind: &'static str, args: &[&str], prepare: impl Fn(&Bench)) {
        self.kind = kind;
        self.label.extend([", ", kind]);
        if self.baselines.contains_key(kind) {
            return;
        }
        let round = std::mem::replace(&mut self.bench, Bench::bare());
        let new = |world: &Self| {
            let bench = Bench::bare().env("TULK_SERVER", &world.proxy.url).env("TULK_API_KEY", "sandbox");
            prepare(&bench);
            bench
        };
        self.bench = new(self);
        let calls = self.traced(args, usize::MAX);
        self.bench = new(self);
        self.proxy.begin_run();
        let start = Instant::now();
        let run = Run::unlisted(self.bench.command().args(args).stdin(stdin(&self.bench)).output().unwrap());
        assert_eq!(run.code, 0, "{}: {run}", self.label);
        let (requests, duration) = (self.proxy.arrived(), start.elapsed());
        self.baselines.insert(kind, Baseline { requests, duration, calls: calls.map(|end| end.calls) });
        self.proxy.settle();
        self.proxy.forget();
        self.bench = round;
    }

    /// Kills a run at a random moment. Returns its number, and its exit code if it ended first.
    pub fn kill(&mut self, args: &[&str], rng: &mut Rng) -> (usize, Option<i32>) {
        let number = self.proxy.begin_run();
        let baseline = self.baselines[self.kind];
        let moment = random_moment(&baseline, rng);
        self.label = format!("{}\n  killed at {moment:?}: {args:?}", self.label);
        let code = match &moment {
            Moment::Call(at) => {
                self.kills.at_calls += 1;
                self.traced(args, *at).expect("tracing worked before").code
            }
            Moment::Time(_) | Moment::Request(_) => self.timed(args, &moment),
        };
        match code {
            Some(_) => self.kills.after_end += 1,
            None if self.proxy.arrived() == 0 => self.kills.before_first_request += 1,
            None => self.kills.during += 1,
        }
        self.proxy.settle();
        (number, code)
    }

    /// Kills a run at its `at`-th system call that changes a file. Returns `None` if tracing is not permitted.
    pub fn kill_at(&mut self, args: &[&str], at: usize) -> Option<TracedEnd> {
        self.proxy.begin_run();
        let end = self.traced(args, at);
        self.proxy.settle();
        end
    }

    pub fn run(&mut self, args: &[&str]) -> (usize, Run) {
        let number = self.proxy.begin_run();
        let run = Run::unlisted(self.bench.command().args(args).stdin(stdin(&self.bench)).output().unwrap());
        self.proxy.settle();
        (number, run)
    }

    #[track_caller]
    pub fn run_ok(&mut self, args: &[&str]) -> (usize, Run) {
        let (number, run) = self.run(args);
        assert_eq!(run.code, 0, "{}\n{args:?}\n{run}", self.label);
        (number, run)
    }

    /// Returns `None` if tracing is not permitted.
    fn traced(&self, args: &[&str], at: usize) -> Option<TracedEnd> {
        let mut command = self.bench.command();
        command.args(args);
        tracer::run_until_call(&command, stdin(&self.bench), at)
    }

    fn timed(&self, args: &[&str], moment: &Moment) -> Option<i32> {
        let start = Instant::now();
        let mut command = self.bench.command();
        let command = command.args(args).stdin(stdin(&self.bench)).stdout(Stdio::null()).stderr(Stdio::null());
        let child: SharedChild = Arc::new(Mutex::new(command.spawn().unwrap()));
        if let Moment::Request(trap) = moment {
            self.proxy.arm(trap.clone(), child.clone());
        }
        loop {
            if let Some(status) = child.lock().unwrap().try_wait().unwrap() {
                return status.code();
            }
            if let Moment::Time(limit) = moment
                && start.elapsed() >= *limit
            {
                child.lock().unwrap().kill().unwrap();
            }
            assert!(start.elapsed() < LONGEST, "{}: the run hangs", self.label);
            std::thread::sleep(Duration::from_micros(300));
        }
    }
}

fn stdin(bench: &Bench) -> Stdio {
    std::fs::File::open(bench.path(STDIN)).map_or_else(|_| Stdio::null(), Stdio::from)
}

fn random_moment(baseline: &Baseline, rng: &mut Rng) -> Moment {
    match (rng.u8(0..4), baseline.calls) {
        (0 | 1, Some(calls)) => Moment::Call(rng.usize(1..=calls)),
        (2, _) if baseline.requests > 0 => {
            let phases =
                [RequestPhase::Arrived, RequestPhase::Answered, RequestPhase::HalfDelivered, RequestPhase::Delivered];
            let phase = phases[rng.usize(..phases.len())];
            let pause = if rng.bool() { 0 } else { rng.u64(..LONGEST_PAUSE_US) };
            let number = rng.usize(1..=baseline.requests);
            Moment::Request(Trap { number, phase, pause: Duration::from_micros(pause) })
        }
        _ => Moment::Time(baseline.duration.mul_f64(rng.f64() * 1.1)),
    }
}
