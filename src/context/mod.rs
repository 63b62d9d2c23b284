//! The context of a command: its flags, output and stop flag; settings, client and sandbox are added on demand.
//!
//! Input: the global flags. Output: a [`Context`], from which a command gets settings, service and client. Each of these is
//! read, built or started at its first use, and a failure is reported then.

pub mod defaults;
#[cfg(feature = "sandbox")]
mod embedded;
#[cfg(feature = "sandbox")]
mod sandbox_flags;

use std::ffi::OsString;
use std::future::Future;
use std::sync::{Arc, OnceLock};

use tokio::runtime::{Builder, Runtime};
use tulk_base::error::{Failure, io_message};
use tulk_base::limits;
use tulk_base::stop::Stop;
use tulk_client::http::client::Client;
use tulk_client::http::endpoint::Endpoint;
use tulk_client::http::options::{ClientObserver, ClientOptions, KeyLookup, NetworkOptions};
use tulk_client::{Concurrency, SANDBOX_NAME, Service};

#[cfg(feature = "sandbox")]
pub use self::embedded::warn_of_damage;
#[cfg(feature = "sandbox")]
pub use self::sandbox_flags::{SandboxFlags, sandbox_state_dir};
use crate::config::{Config, GlobalArgs, SettingFlags};
use crate::output::Output;

/// Name of the embedded sandbox in records on disk.
pub const SANDBOX: &str = SANDBOX_NAME;

/// The command line of this process, and the functions that parse it.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// The arguments, starting with the program.
    pub words: Vec<OsString>,
    pub tree: fn() -> clap::Command,
    pub profile_flags: fn(clap::Command) -> clap::Command,
}

pub struct Context {
    pub args: GlobalArgs,
    pub out: Arc<Output>,
    pub stop: Stop,
    invocation: Invocation,
    setting_flags: SettingFlags,
    config: OnceLock<Arc<Config>>,
    client: tokio::sync::OnceCell<Client>,
    configured_service: OnceLock<Service>,
    runtime: OnceLock<Runtime>,
    #[cfg(feature = "sandbox")]
    embedded: tokio::sync::OnceCell<embedded::EmbeddedSandbox>,
}

/// Returns the flags whose defaults can be set. `profile` adds the flags of `tulk translate`.
pub fn setting_flags(profile: fn(clap::Command) -> clap::Command) -> SettingFlags {
    #[cfg(feature = "sandbox")]
    let sandbox: Option<fn(clap::Command) -> clap::Command> = Some(SandboxFlags::add_to);
    #[cfg(not(feature = "sandbox"))]
    let sandbox = None;
    SettingFlags { profile, sandbox }
}

impl Context {
    /// Creates a context. Only checks the terminals, and reads nothing else.
    pub fn new(args: GlobalArgs, invocation: Invocation) -> Self {
        let out = Arc::new(Output::new(&args));
        Self {
            args,
            out,
            setting_flags: setting_flags(invocation.profile_flags),
            stop: Stop::of_process().clone(),
            invocation,
            config: OnceLock::new(),
            client: tokio::sync::OnceCell::new(),
            configured_service: OnceLock::new(),
            runtime: OnceLock::new(),
            #[cfg(feature = "sandbox")]
            embedded: tokio::sync::OnceCell::new(),
        }
    }

    pub fn words(&self) -> &[OsString] {
        &self.invocation.words
    }

    pub fn command_tree(&self) -> clap::Command {
        (self.invocation.tree)()
    }

    pub fn setting_flags(&self) -> SettingFlags {
        self.setting_flags
    }

    pub fn config(&self) -> Result<&Arc<Config>, Failure> {
        if let Some(config) = self.config.get() {
            return Ok(config);
        }
        let config = Arc::new(Config::load(&self.args, self.setting_flags)?);
        if let Some(warning) = config.warning() {
            self.out.warn(warning);
        }
        Ok(self.config.get_or_init(|| config))
    }

    /// Like [`Context::config`], for commands that may create the profile or the settings file.
    pub fn config_to_create(&self) -> Result<&Arc<Config>, Failure> {
        let config = Arc::new(Config::open(&self.args, self.setting_flags)?);
        Ok(self.config.get_or_init(|| config))
    }

    /// Asks before something that cannot be undone, unless `--yes` or `--dry-run` is given.
    pub fn confirm(&self, question: &str) -> Result<(), Failure> {
        self.out.confirm(question, self.args.yes || self.args.dry_run)
    }

    /// Reports what was done, except in a dry run.
    pub fn report_done(&self, what: &str) {
        if !self.args.dry_run {
            self.out.status(what);
        }
    }

    /// Runs a command on a single-threaded runtime, and listens for signals.
    pub fn block_on<F: Future<Output = Result<(), anyhow::Error>>>(&self, work: F) -> Result<(), anyhow::Error> {
        let runtime = self.start_runtime()?;
        tulk_base::stop::listen();
        runtime.block_on(work)
    }

    fn start_runtime(&self) -> Result<&Runtime, Failure> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| Failure::internal(format!("cannot start the runtime: {}", io_message(&e))).hint_for(&e))?;
        Ok(self.runtime.get_or_init(|| runtime))
    }

    pub fn is_sandbox(&self) -> Result<bool, Failure> {
        self.config()?.is_sandbox()
    }

    /// Returns the service that requests are sent to. The embedded sandbox is started at first use.
    pub async fn service(&self) -> Result<Service, Failure> {
        self.service_with(true).await
    }

    /// Like [`Context::service`], but the embedded sandbox creates no directory for its state.
    pub async fn service_to_check(&self) -> Result<Service, Failure> {
        self.service_with(false).await
    }

    #[cfg_attr(not(feature = "sandbox"), allow(clippy::unused_async, unused_variables))]
    async fn service_with(&self, creates_state: bool) -> Result<Service, Failure> {
        let config = self.config()?;
        if !config.is_sandbox()? {
            if let Some(service) = self.configured_service.get() {
                return Ok(service.clone());
            }
            let (service, notes) = config.service()?;
            for note in &notes {
                self.out.status(note);
            }
            return Ok(self.configured_service.get_or_init(|| service).clone());
        }
        #[cfg(feature = "sandbox")]
        {
            let start = || embedded::EmbeddedSandbox::start(config, &self.out, creates_state);
            let embedded = self.embedded.get_or_try_init(start).await?;
            Ok(embedded.service())
        }
        #[cfg(not(feature = "sandbox"))]
        Err(Failure::usage("this tulk was built without the sandbox"))
    }

    /// Returns the server for records on disk: its address, or `sandbox`.
    pub async fn server_identity(&self) -> Result<String, Failure> {
        if self.is_sandbox()? { Ok(SANDBOX.to_owned()) } else { Ok(self.service().await?.base_url) }
    }

    /// Returns what determines results besides the request: the address of the server, or the settings of the sandbox.
    pub async fn results_identity(&self) -> Result<String, Failure> {
        #[cfg(feature = "sandbox")]
        if self.is_sandbox()? {
            return SandboxFlags::of_config(self.config()?)?.results_identity();
        }
        self.server_identity().await
    }

    /// Runs the checks of a request that need no server, before names are looked up for it. `--no-check` skips them.
    pub fn check<E: Endpoint>(&self, request: &E) -> Result<(), Failure> {
        if self.args.no_check { Ok(()) } else { request.check(&self.config()?.service_without_address()?) }
    }

    /// Returns the client, built at first use. A server must be set; a missing key is reported when a request is sent.
    pub async fn client(&self) -> Result<&Client, Failure> {
        self.client.get_or_try_init(|| async { self.new_client(self.service().await?) }).await
    }

    pub fn new_client(&self, service: Service) -> Result<Client, Failure> {
        let config = Arc::clone(self.config()?);
        let options = self.client_options(service, Box::new(move |kind| config.key(kind).map(|key| key.secret)))?;
        Client::new(options)
    }

    /// Creates a client without retries, for requests that a command can do without.
    pub async fn client_without_retries(&self) -> Result<Client, Failure> {
        let config = Arc::clone(self.config()?);
        let keys = Box::new(move |kind| config.key(kind).map(|key| key.secret));
        let options = self.client_options(self.service().await?, keys)?;
        Client::new(ClientOptions { retries: 0, ..options })
    }

    /// Returns the options of a client: flags over the profile's settings over the built-in defaults.
    pub fn client_options(&self, service: Service, keys: KeyLookup) -> Result<ClientOptions, Failure> {
        let settings = self.config()?.network();
        Ok(ClientOptions {
            service,
            keys,
            network: NetworkOptions {
                timeout: settings.timeout.unwrap_or(limits::ATTEMPT_TIMEOUT),
                proxy: settings.proxy,
                proxy_source: settings.proxy_source,
                no_proxy: self.args.no_proxy,
                ca_file: settings.ca_file,
            },
            retries: settings.retries.unwrap_or(limits::RETRIES),
            max_wait: settings.max_wait,
            concurrency: settings.concurrency.unwrap_or(Concurrency::AtMost(limits::CONCURRENCY)),
            rate: settings.rate,
            check: !self.args.no_check,
            dry_run: self.args.dry_run,
            observer: Arc::new(ClientReporter(Arc::clone(&self.out))),
            stop: self.stop.clone(),
        })
    }

    /// Stops the embedded sandbox if it was started. Returns `result` unchanged.
    #[cfg_attr(not(feature = "sandbox"), allow(clippy::unused_self))]
    pub fn finish(&self, result: Result<(), anyhow::Error>) -> Result<(), anyhow::Error> {
        #[cfg(feature = "sandbox")]
        if let (Some(runtime), Some(embedded)) = (self.runtime.get(), self.embedded.get()) {
            runtime.block_on(embedded.end());
        }
        result
    }
}

impl Drop for Context {
    /// Stops the runtime without waiting for its threads: one may still be resolving a host name.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

struct ClientReporter(Arc<Output>);

impl ClientObserver for ClientReporter {
    fn verbosity(&self) -> u8 {
        self.0.settings().verbosity
    }

    fn log(&self, line: &str) {
        self.0.log(line);
    }

    fn changing(&self) {
        self.0.record_change();
    }

    fn retrying(&self, why: &str, seconds: u64) -> Box<dyn Send> {
        Box::new(self.0.retry(why, seconds))
    }

    fn planned(&self, line: &str) -> Result<(), Failure> {
        self.0.stdout().write(format!("{line}\n").as_bytes())
    }
}
