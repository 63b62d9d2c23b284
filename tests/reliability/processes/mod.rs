//! Many processes share documents, settings, keys, cached results, outputs, projects and a sandbox.

mod documents;
mod outputs;
mod results;
mod sandbox;
mod settings;

use std::collections::BTreeMap;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, Run};

pub const PROCESSES: usize = 32;

pub fn start<S: AsRef<str>>(bench: &Bench, args: &[S]) -> Child {
    let mut command = bench.command();
    command.args(args.iter().map(AsRef::as_ref));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

pub fn end(child: Child) -> Run {
    Run::unlisted(child.wait_with_output().unwrap())
}

/// Runs 32 commands at the same time. `args` gets the number of each, from 0.
pub fn run_concurrently(bench: &Bench, args: impl Fn(usize) -> String) -> Vec<Run> {
    let children: Vec<Child> = (0..PROCESSES).map(|n| start(bench, &args(n).split(' ').collect::<Vec<_>>())).collect();
    children.into_iter().map(end).collect()
}

/// A service that translates into upper case and holds its answers back until `is_released` is set.
#[derive(Default)]
pub struct HeldService {
    is_released: AtomicBool,
    /// How often each pair of language and text was received.
    received: Mutex<BTreeMap<String, usize>>,
}

impl HeldService {
    pub fn start() -> (Arc<Self>, ScriptedServer) {
        let service = Arc::new(Self::default());
        let server = ScriptedServer::start({
            let service = Arc::clone(&service);
            move |request| service.answer(request)
        });
        (service, server)
    }

    fn answer(&self, request: &str) -> Vec<u8> {
        let body: Value = serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap();
        let texts: Vec<String> = serde_json::from_value(body["text"].clone()).unwrap();
        for text in &texts {
            *self.received.lock().unwrap().entry(format!("{} {text}", body["target_lang"])).or_insert(0) += 1;
        }
        wait_patiently("the other processes", || self.is_released.load(Ordering::Relaxed));
        let translations: Vec<_> = texts.iter().map(|text| json!({"text": text.to_uppercase()})).collect();
        answer(200, &[], json!({"translations": translations}).to_string())
    }

    pub fn release(&self) {
        self.is_released.store(true, Ordering::Relaxed);
    }

    /// Returns the number of received texts, and of those received more than once.
    pub fn received(&self) -> (usize, usize) {
        let received = self.received.lock().unwrap();
        (received.len(), received.values().filter(|count| **count > 1).count())
    }
}

/// Waits at most three minutes for a condition: 32 processes are slow on a busy machine.
fn wait_patiently(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(180);
    while !condition() {
        assert!(Instant::now() < deadline, "timed out waiting for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Runs a command 32 times concurrently. Only one process may do the work: its answers are held until the others have exited. Returns the
/// runs of the others, and the run of the process that did the work.
pub fn one_of_many(bench: &Bench, service: &HeldService, args: &[&str]) -> (Vec<Run>, Run) {
    let args = [&["--timeout", "180"], args].concat();
    let mut children: Vec<Child> = (0..PROCESSES).map(|_| start(bench, &args)).collect();
    let mut others = Vec::new();
    wait_patiently("all processes but one", || {
        let mut n = 0;
        while n < children.len() {
            if children.len() > 1 && children[n].try_wait().unwrap().is_some() {
                others.push(end(children.remove(n)));
            } else {
                n += 1;
            }
        }
        children.len() == 1
    });
    service.release();
    (others, end(children.remove(0)))
}
