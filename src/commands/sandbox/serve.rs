//! `tulk sandbox serve`: the embedded service for other programs, on loopback only.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tokio::net::TcpListener;

use crate::config::{parse_duration, parse_rate};
use crate::context::Context;
use crate::error::{Failure, io_message};
use crate::sandbox::{self, Engine, FaultRule, Latency, SandboxOptions, VoiceFault};
use crate::stop::Stop;

/// Serve it on loopback until stopped; prints its address
#[derive(Args, Debug)]
pub struct ServeArgs {
    /// Port on 127.0.0.1; 0 picks a free one
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub port: u16,
    /// Key it accepts, repeatable [default: sandbox]
    #[arg(long, value_name = "K")]
    pub key: Vec<String>,
    /// Key for administration alone, repeatable [default: the keys]
    #[arg(long, value_name = "K")]
    pub admin_key: Vec<String>,
    /// What a translation looks like [default: pseudo]
    #[arg(long, value_enum, value_name = "ENGINE")]
    pub engine: Option<Engine>,
    /// Exact answers: TSV of source language, target language, source, target
    #[arg(long, value_name = "FILE")]
    pub phrases: Option<PathBuf>,
    /// Translation memories, as JSON
    #[arg(long, value_name = "FILE")]
    pub memories: Option<PathBuf>,
    /// Wait before each answer: 50ms, or 10ms-100ms
    #[arg(long, value_name = "D")]
    pub latency: Option<Latency>,
    /// Fault and its share, repeatable: 429:0.1, 503:0.05, drop:0.01
    #[arg(long, value_name = "WHAT:SHARE")]
    pub fault: Vec<FaultRule>,
    /// Make faults and latency repeatable
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Requests a second above which it answers 429
    #[arg(long, value_parser = parse_rate, value_name = "N/s")]
    pub rate_limit: Option<f64>,
    /// Characters a month above which it answers 456
    #[arg(long, value_name = "N")]
    pub character_limit: Option<u64>,
    /// How long a document is queued
    #[arg(long, value_parser = parse_duration, value_name = "D")]
    pub document_queue_time: Option<Duration>,
    /// How long a document is translated
    #[arg(long, value_parser = parse_duration, value_name = "D")]
    pub document_translate_time: Option<Duration>,
    /// How long a new glossary is not ready
    #[arg(long, value_parser = parse_duration, value_name = "D")]
    pub glossary_ready_delay: Option<Duration>,
    /// Fault of voice streams, repeatable: drop@500, error, late
    #[arg(long, value_name = "WHAT[@MS]")]
    pub voice_fault: Vec<VoiceFault>,
    /// Keep no state
    #[arg(long)]
    pub ephemeral: bool,
    /// Append each received request to a file, as JSON; keys included
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

impl ServeArgs {
    fn options(self) -> Result<SandboxOptions, Failure> {
        let usual = SandboxOptions::default();
        Ok(SandboxOptions {
            engine: self.engine.unwrap_or(usual.engine),
            phrases: self.phrases,
            memories: self.memories,
            latency: self.latency.unwrap_or(usual.latency),
            faults: self.fault,
            seed: self.seed,
            rate_limit: self.rate_limit,
            character_limit: self.character_limit,
            keys: if self.key.is_empty() { usual.keys } else { self.key },
            admin_keys: self.admin_key,
            ephemeral: self.ephemeral,
            state_dir: if self.ephemeral { None } else { Some(super::state_dir()?) },
            document_queue_time: self.document_queue_time.unwrap_or(usual.document_queue_time),
            document_translate_time: self.document_translate_time.unwrap_or(usual.document_translate_time),
            glossary_ready_delay: self.glossary_ready_delay.unwrap_or(usual.glossary_ready_delay),
            voice_faults: self.voice_fault,
            record: self.record,
        })
    }
}

/// Serves until stopped by a signal.
pub async fn run(ctx: &Context, args: ServeArgs) -> Result<(), anyhow::Error> {
    let port = args.port;
    let options = args.options()?;
    let listener = TcpListener::bind(("127.0.0.1", port)).await.map_err(|e| {
        Failure::usage(format!("cannot listen on 127.0.0.1:{port}: {}", io_message(&e)))
            .hint("pick another --port, or 0")
    })?;
    let address = listener.local_addr().map_err(|e| Failure::internal(io_message(&e)))?;
    ctx.out.text(format!("http://{address}\n"))?;
    ctx.out.status("serving the sandbox, which does not translate meaning; Ctrl-C ends it");
    let stop = ctx.stop.clone();
    let shutdown = async move {
        stop.wait().await;
    };
    sandbox::serve(listener, options, shutdown)
        .await
        .map_err(|e| Failure::usage(format!("the sandbox cannot serve: {e}")))?;
    ctx.stop.raised().map_or(Ok(()), |kind| Err(Stop::failure(kind, None).into()))
}
