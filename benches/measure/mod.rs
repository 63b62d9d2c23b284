//! Runs of whole processes: their processor time and their peak memory, read from /proc.

#![allow(dead_code)] // each benchmark uses a part

use std::process::{Command, Stdio};
use std::time::Duration;

/// A command without input and output.
pub fn with_args(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Processor time of finished children, in ticks of 10 ms.
pub fn children_ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("/proc/self/stat");
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let tick = |i: usize| fields.get(i).and_then(|f| f.parse::<u64>().ok()).unwrap_or_default();
    tick(13) + tick(14)
}

/// Seconds of processor time per run, over `runs` runs after a warm-up.
pub fn cpu(runs: u32, make: impl Fn() -> Command) -> f64 {
    let run = || assert!(make().status().expect("a run").success());
    run();
    let before = children_ticks();
    (0..runs).for_each(|_| run());
    (children_ticks() - before).max(1) as f64 / 100.0 / f64::from(runs)
}

/// Peak memory of a run in MiB.
pub fn peak(mut command: Command) -> f64 {
    let mut child = command.spawn().expect("a run");
    let path = format!("/proc/{}/status", child.id());
    let mut most = 0.0_f64;
    loop {
        if let Ok(status) = std::fs::read_to_string(&path) {
            let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap_or_default();
            let kib: f64 = line.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or_default();
            most = most.max(kib / 1024.0);
        }
        if let Some(status) = child.try_wait().expect("its end") {
            assert!(status.success());
            return most;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}
