//! What every command is handed: flags, output, and settings and client at first use.
//!
//! Nothing is read, built or started before a command needs it.

#[cfg(feature = "sandbox")]
mod embedded;

use std::future::Future;
use std::sync::{Arc, OnceLock};

use tokio::runtime::{Builder, Runtime};

use crate::config::{Config, GlobalArgs, Service};
use crate::error::Failure;
use crate::http::client::Client;
use crate::http::options::{ClientObserver, ClientOptions, KeyLookup, NetworkOptions};
use crate::limits;
use crate::output::Output;
use crate::stop::Stop;

/// The word that stands for the embedded sandbox where a server is recorded.
pub const SANDBOX: &str = "sandbox";

/// What every command is handed.
pub struct Context {
    /// Flags of every command.
    pub args: GlobalArgs,
    /// The way out: results, notices, progress.
    pub out: Arc<Output>,
    /// Raised by the first signal.
    pub stop: Stop,
    config: OnceLock<Arc<Config>>,
    client: tokio::sync::OnceCell<Client>,
    runtime: OnceLock<Runtime>,
    #[cfg(feature = "sandbox")]
    embedded: tokio::sync::OnceCell<embedded::Embedded>,
}

impl Context {
    /// Looks at the terminals, and at nothing else.
    pub fn new(args: GlobalArgs) -> Self {
        let out = Arc::new(Output::new(&args));
        Self {
            args,
            out,
            stop: Stop::default(),
            config: OnceLock::new(),
            client: tokio::sync::OnceCell::new(),
            runtime: OnceLock::new(),
            #[cfg(feature = "sandbox")]
            embedded: tokio::sync::OnceCell::new(),
        }
    }

    /// The settings, read at first use.
    pub fn config(&self) -> Result<&Arc<Config>, Failure> {
        if let Some(config) = self.config.get() {
            return Ok(config);
        }
        let config = Arc::new(Config::load(&self.args)?);
        Ok(self.config.get_or_init(|| config))
    }

    /// As [`Context::config`], for the command that makes profile and file.
    pub fn config_to_be(&self) -> Result<&Arc<Config>, Failure> {
        let config = Arc::new(Config::open(&self.args)?);
        Ok(self.config.get_or_init(|| config))
    }

    /// Runs a command's work on the one-thread runtime, listening for signals.
    pub fn block_on<F: Future<Output = Result<(), anyhow::Error>>>(&self, work: F) -> Result<(), anyhow::Error> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| Failure::internal(format!("cannot start the runtime: {e}")))?;
        let runtime = self.runtime.get_or_init(|| runtime);
        runtime.block_on(async {
            self.stop.listen();
            work.await
        })
    }

    /// Whether the embedded sandbox is asked for.
    pub fn is_sandbox(&self) -> Result<bool, Failure> {
        self.config()?.is_sandbox()
    }

    /// The service that requests go to; under `--sandbox` the embedded one, started at first use.
    #[cfg_attr(not(feature = "sandbox"), allow(clippy::unused_async))]
    pub async fn service(&self) -> Result<Service, Failure> {
        let config = self.config()?;
        if !config.is_sandbox()? {
            let (service, notes) = config.service()?;
            for note in &notes {
                self.out.status(note);
            }
            return Ok(service);
        }
        #[cfg(feature = "sandbox")]
        {
            let start = || embedded::Embedded::start(config, &self.out);
            let embedded = self.embedded.get_or_try_init(start).await?;
            Ok(embedded.service())
        }
        #[cfg(not(feature = "sandbox"))]
        Err(Failure::usage("this tulk was built without the sandbox"))
    }

    /// How the server is called in records that outlive the process: its address, or `sandbox`.
    pub async fn server_identity(&self) -> Result<String, Failure> {
        if self.is_sandbox()? { Ok(SANDBOX.to_owned()) } else { Ok(self.service().await?.base_url) }
    }

    /// The client, built at first use. Needs a server; a key only when something is sent.
    pub async fn client(&self) -> Result<&Client, Failure> {
        self.client.get_or_try_init(|| async { self.new_client(self.service().await?) }).await
    }

    /// A client of its own for a service, with the settings of this command.
    pub fn new_client(&self, service: Service) -> Result<Client, Failure> {
        let config = Arc::clone(self.config()?);
        let options = self.client_options(service, Box::new(move |kind| config.key(kind).map(|key| key.secret)))?;
        Client::new(options)
    }

    /// What a client is built from, by flags over the profile's settings over the defaults.
    pub fn client_options(&self, service: Service, keys: KeyLookup) -> Result<ClientOptions, Failure> {
        let settings = self.config()?.network();
        Ok(ClientOptions {
            service,
            keys,
            network: NetworkOptions {
                timeout: settings.timeout.unwrap_or(limits::ATTEMPT_TIMEOUT),
                proxy: settings.proxy,
                no_proxy: self.args.no_proxy,
                ca_file: settings.ca_file,
            },
            retries: settings.retries.unwrap_or(limits::RETRIES),
            max_wait: settings.max_wait,
            concurrency: settings.concurrency.map_or(limits::CONCURRENCY, usize::from),
            rate: settings.rate,
            check: !self.args.no_check,
            dry_run: self.args.dry_run,
            observer: Arc::new(Watcher(Arc::clone(&self.out))),
            stop: self.stop.clone(),
        })
    }

    /// Ends what was started: the sandbox keeps its state.
    pub fn finish(&self, result: Result<(), anyhow::Error>) -> Result<(), anyhow::Error> {
        #[cfg(feature = "sandbox")]
        if let (Some(runtime), Some(embedded)) = (self.runtime.get(), self.embedded.get()) {
            runtime.block_on(embedded.end());
        }
        result
    }
}

/// Tells the user what the client does.
struct Watcher(Arc<Output>);

impl ClientObserver for Watcher {
    fn verbosity(&self) -> u8 {
        self.0.settings().verbosity()
    }

    fn log(&self, line: &str) {
        self.0.log(line);
    }

    fn waiting(&self, line: &str) {
        self.0.status(line);
    }

    fn planned(&self, line: &str) -> Result<(), Failure> {
        self.0.stdout().write(format!("{line}\n").as_bytes())
    }
}
