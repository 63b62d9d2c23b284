//! The sandbox inside this process: started at the first request, ended with the command.

use std::sync::Mutex;

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::config::{Config, Service};
use crate::error::{Failure, io_message};
use crate::files;
use crate::output::Output;
use crate::sandbox::{self, SandboxOptions};

/// A running sandbox.
pub struct Embedded {
    address: String,
    running: Mutex<Option<Running>>,
}

struct Running {
    stop: oneshot::Sender<()>,
    task: JoinHandle<Result<(), Failure>>,
}

impl Embedded {
    /// Starts it on a free port of loopback, by the settings of `[sandbox]` and `TULK_SANDBOX_*`.
    pub async fn start(config: &Config, out: &Output) -> Result<Self, Failure> {
        let options = options(config)?;
        if let Some(dir) = &options.state_dir {
            notice(dir, out);
        }
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .map_err(|e| Failure::internal(format!("the sandbox cannot listen on loopback: {}", io_message(&e))))?;
        let address = listener.local_addr().map_err(|e| Failure::internal(io_message(&e)))?;
        let (stop, stopped) = oneshot::channel::<()>();
        let shutdown = async move {
            let _ = stopped.await;
        };
        // Opened here, so that a setting that cannot be used is this command's error.
        let task = tokio::spawn(sandbox::serve(listener, options, shutdown));
        tokio::task::yield_now().await;
        if task.is_finished() {
            let why = match task.await {
                Ok(Err(error)) => error.to_string(),
                _ => "it ended at once".to_owned(),
            };
            return Err(Failure::usage(format!("the sandbox cannot start: {why}"))
                .hint("look at [sandbox] in `tulk config path`"));
        }
        Ok(Self { address: format!("http://{address}"), running: Mutex::new(Some(Running { stop, task })) })
    }

    /// How it is reached.
    pub fn service(&self) -> Service {
        Service {
            name: super::SANDBOX.to_owned(),
            base_url: self.address.clone(),
            auth_scheme: "Service-Auth-Key".to_owned(),
            reporting_tag_header: "X-Service-Reporting-Tag".to_owned(),
            latency_rule: true,
        }
    }

    /// Ends it: what it counted is on disk afterwards.
    pub async fn end(&self) {
        let running = self.running.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        if let Some(Running { stop, task }) = running {
            let _ = stop.send(());
            let _ = tokio::time::timeout(std::time::Duration::from_secs(2), task).await;
        }
    }
}

/// Says once per state directory that nothing here is a real translation.
fn notice(dir: &std::path::Path, out: &Output) {
    let marker = dir.join("notice");
    if marker.exists() {
        return;
    }
    out.status("the sandbox answers: it does not translate meaning, and nothing leaves this machine");
    let made = std::fs::create_dir_all(dir).and_then(|()| std::fs::write(&marker, b""));
    if let Err(error) = made {
        out.log(&format!("cannot write {}: {}", marker.display(), io_message(&error)));
    }
}

fn options(config: &Config) -> Result<SandboxOptions, Failure> {
    let set = config.sandbox()?;
    let usual = SandboxOptions::default();
    let state_dir = if set.ephemeral { None } else { Some(files::state_dir()?.join("sandbox")) };
    Ok(SandboxOptions {
        engine: parse(set.engine.as_deref(), "engine")?.unwrap_or(usual.engine),
        phrases: set.phrases.clone(),
        memories: set.memories.clone(),
        latency: parse(set.latency.as_deref(), "latency")?.unwrap_or(usual.latency),
        faults: set.fault.iter().filter_map(|f| parse(Some(f), "fault").transpose()).collect::<Result<_, _>>()?,
        seed: set.seed,
        rate_limit: set.rate_limit,
        character_limit: set.character_limit,
        keys: if set.key.is_empty() { usual.keys } else { set.key.clone() },
        admin_keys: set.admin_key.clone(),
        ephemeral: set.ephemeral,
        state_dir,
        document_queue_time: set.document_queue_time.unwrap_or(usual.document_queue_time),
        document_translate_time: set.document_translate_time.unwrap_or(usual.document_translate_time),
        glossary_ready_delay: set.glossary_ready_delay.unwrap_or(usual.glossary_ready_delay),
        voice_faults: set
            .voice_fault
            .iter()
            .filter_map(|f| parse(Some(f), "voice_fault").transpose())
            .collect::<Result<_, _>>()?,
        record: set.record.clone(),
    })
}

fn parse<T: std::str::FromStr<Err = String>>(text: Option<&str>, name: &str) -> Result<Option<T>, Failure> {
    let parse = |text: &str| text.parse().map_err(|e| Failure::usage(format!("sandbox setting {name}: {e}")));
    text.map(parse).transpose()
}
