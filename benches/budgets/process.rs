//! Runs complete processes and measures wall time, CPU time and memory, alone or in alternation with another program.

use std::io::{PipeReader, Read as _, Write as _};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;

use crate::stub::Stub;

const PIPE_BYTES: usize = 65_536;

/// Times in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub wall: f64,
    /// In user and kernel mode.
    pub cpu: f64,
}

/// In MiB.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Anonymous memory while the process waits for the answer.
    pub private: f64,
    /// Peak resident memory, including pages of files.
    pub peak: f64,
}

/// CPU time in seconds of this process, or of all its children that have ended.
pub fn processor_time(who: UsageWho) -> f64 {
    let usage = getrusage(who).expect("processor time");
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}

/// Panics if the process fails.
pub fn run(mut command: Command) -> Cost {
    let cpu = processor_time(UsageWho::RUSAGE_CHILDREN);
    let start = Instant::now();
    let status = command.status().expect("a process");
    let wall = start.elapsed().as_secs_f64();
    assert!(status.success(), "{command:?}: {status}");
    Cost { wall, cpu: processor_time(UsageWho::RUSAGE_CHILDREN) - cpu }
}

/// Runs a process to its end and returns its peak resident memory, in MiB. Panics if it fails. Growth in the last millisecond can be
/// missed, because the peak is read every millisecond.
pub fn run_for_peak_memory(mut command: Command) -> f64 {
    let mut child = command.spawn().expect("a process");
    let mut most = 0.0_f64;
    loop {
        most = most.max(resident_peak(&child));
        if let Some(status) = child.try_wait().expect("its end") {
            assert!(status.success(), "{command:?}: {status}");
            return most;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Measures the memory of a process that sends one request and prints the answer, at two moments when the process is blocked: private
/// memory while the stub holds the answer back, and peak memory while the process writes its result into a full pipe.
pub fn measure_held_memory(mut command: Command, stub: &Stub) -> Memory {
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    (&writer).write_all(&vec![b' '; PIPE_BYTES]).expect("room in a pipe");
    let before = stub.held_answers();
    stub.hold(true);
    let mut child = command.stdout(writer).spawn().expect("a process");
    while stub.held_answers() == before {
        assert!(child.try_wait().expect("its state").is_none(), "{command:?} sent nothing");
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(20));
    let private = kib(&child, "smaps_rollup", "Anonymous:") / 1024.0;
    stub.hold(false);
    std::thread::sleep(Duration::from_millis(50));
    let peak = resident_peak(&child);
    drop(command); // closes its end of the pipe
    drain(&mut reader);
    assert!(child.wait().expect("its end").success());
    assert!(private > 0.0 && peak > 0.0, "the process ended before it was measured");
    Memory { private, peak }
}

fn drain(reader: &mut PipeReader) {
    let mut output = Vec::new();
    reader.read_to_end(&mut output).expect("the output");
    assert!(output.len() > PIPE_BYTES, "no output");
}

/// Peak so far, in MiB; 0 after the process has ended.
fn resident_peak(child: &Child) -> f64 {
    kib(child, "status", "VmHWM:") / 1024.0
}

/// Value of a line in a file of /proc, in KiB; 0 after the process has ended.
fn kib(child: &Child, file: &str, line: &str) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{}/{file}", child.id())).unwrap_or_default();
    let value = text.lines().find_map(|l| l.strip_prefix(line)).unwrap_or_default();
    value.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or_default()
}

/// Costs of two programs that ran in alternation.
pub struct Pairs(Vec<(Cost, Cost)>);

/// Runs two programs in alternation, after a warm-up run of each.
pub fn run_alternately(rounds: usize, mut first: impl FnMut() -> Cost, mut second: impl FnMut() -> Cost) -> Pairs {
    first();
    second();
    Pairs((0..rounds).map(|_| (first(), second())).collect())
}

impl Pairs {
    /// Returns the median of the ratios of first to second, one ratio per pair.
    pub fn ratio(&self, of: fn(&Cost) -> f64) -> f64 {
        median(self.0.iter().map(|(first, second)| of(first) / of(second)))
    }

    /// Median for the first program.
    pub fn first(&self, of: fn(&Cost) -> f64) -> f64 {
        median(self.0.iter().map(|(first, _)| of(first)))
    }
}

pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
