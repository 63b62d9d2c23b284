//! The embedded sandbox: a server that runs in this process from the first request to the end of the command.

use std::path::Path;
use std::sync::Mutex;

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tulk_base::error::{Failure, Kind, io_message};
use tulk_client::Service;
use tulk_sandbox::{Sandbox, ServiceRules};

use super::sandbox_flags::{SandboxFlags, sandbox_state_dir};
use crate::config::Config;
use crate::output::Output;

pub struct EmbeddedSandbox {
    address: String,
    rules: ServiceRules,
    running: Mutex<Option<SandboxTask>>,
}

struct SandboxTask {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl EmbeddedSandbox {
    /// Starts the sandbox on a free loopback port, with the settings of `[sandbox]` and `TULK_SANDBOX_<NAME>`.
    ///
    /// Without `creates_state`, the sandbox keeps no state unless its state directory exists already.
    pub async fn start(config: &Config, out: &Output, creates_state: bool) -> Result<Self, Failure> {
        let mut flags = SandboxFlags::of_config(config)?;
        flags.ephemeral |= !creates_state && !sandbox_state_dir().is_ok_and(|dir| dir.is_dir());
        let options = flags.options(out);
        let rules = options.rules;
        if let Some(dir) = &options.state_dir {
            print_notice(dir, out);
        }
        let state_dir = options.state_dir.clone();
        let sandbox = Sandbox::open(options).map_err(|cause| {
            if cause.kind.is_stop() {
                return cause;
            }
            let failure = Failure::new(cause.kind, format!("the sandbox cannot start: {cause}"));
            match (cause.kind, state_dir) {
                (Kind::Internal, Some(dir)) => failure.hint(format!(
                    "its state is in {}; TULK_SANDBOX_EPHEMERAL=1 runs it without state on disk",
                    dir.display()
                )),
                _ if cause.hint.is_some() => Failure { hint: cause.hint, ..failure },
                _ => failure.hint(
                    "its files are set under [sandbox] in the file that `tulk config path` prints, or by variables",
                ),
            }
        })?;
        warn_of_damage(sandbox.damaged_database_path(), out);
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .map_err(|e| Failure::internal(format!("the sandbox cannot listen on loopback: {}", io_message(&e))))?;
        let address = listener.local_addr().map_err(|e| Failure::internal(io_message(&e)))?;
        let (stop, stopped) = oneshot::channel::<()>();
        let shutdown = async move {
            let _ = stopped.await;
        };
        let task = tokio::spawn(sandbox.serve(listener, shutdown));
        Ok(Self { address: format!("http://{address}"), rules, running: Mutex::new(Some(SandboxTask { stop, task })) })
    }

    pub fn service(&self) -> Service {
        Service {
            name: super::SANDBOX.to_owned(),
            base_url: self.address.clone(),
            auth_scheme: "Service-Auth-Key".to_owned(),
            reporting_tag_header: "X-Service-Reporting-Tag".to_owned(),
            is_public: self.rules.is_public(),
        }
    }

    /// Stops the sandbox, and waits up to 2 s for the end of its open requests.
    pub async fn end(&self) {
        let running = self.running.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        if let Some(SandboxTask { stop, task }) = running {
            let _ = stop.send(());
            let _ = tokio::time::timeout(std::time::Duration::from_secs(2), task).await;
        }
    }
}

/// Warns that the state is empty because its database was damaged. `aside` is the new path of the damaged file.
pub fn warn_of_damage(aside: Option<&Path>, out: &Output) {
    let Some(aside) = aside else { return };
    out.warn("the state of the sandbox was damaged, so it is empty now");
    out.hint(&format!("the damaged file is now {}; `tulk sandbox reset` removes it", aside.display()));
}

/// Prints a notice, once per state directory, that nothing is really translated.
fn print_notice(dir: &Path, out: &Output) {
    let marker = dir.join("notice");
    if marker.exists() {
        return;
    }
    // If several processes start together, the one that creates the file prints the notice.
    let created = std::fs::File::create_new(&marker);
    if created.as_ref().is_err_and(|e| e.kind() == std::io::ErrorKind::AlreadyExists) {
        return;
    }
    out.status("using the embedded sandbox: it does not translate meaning; nothing is sent");
    if let Err(error) = created {
        out.log(&format!("cannot write {}: {}", marker.display(), io_message(&error)));
    }
}
