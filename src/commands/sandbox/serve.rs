//! `tulk sandbox serve`: serves the sandbox to other programs, on loopback unless `--bind` names another address.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};

use clap::Args;
use tokio::net::TcpListener;
use tulk_base::error::{Failure, FileContext as _, Kind, io_message};
use tulk_base::files::{self, FileMode};
use tulk_base::shell;
use tulk_sandbox::{Sandbox, ServerTls, outward_address};

use crate::command::{CommandSpec, Run};
use crate::context::{Context, SandboxFlags, sandbox_state_dir, warn_of_damage};

const CERT_FILE: &str = "cert.pem";

/// Serve the sandbox and print its address
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result()
    .changes_nothing()
    .with_common_options(&["port", "key", "engine", "phrases", "fault", "ephemeral"]))]
#[command(after_help = "tulk sandbox serve\n\
                        tulk sandbox serve --engine upper --fault 429:0.1 --seed 1\n\
                        tulk sandbox serve --tls --cert-file cert.pem")]
pub struct SandboxServeArgs {
    /// Port; 0 selects a free one
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    pub port: u16,
    /// Address to listen on; all but loopback addresses need --key
    #[arg(long, default_value = "127.0.0.1", value_parser = parse_address, value_name = "ADDR")]
    pub bind: IpAddr,
    /// Serve https and wss with a new certificate
    #[arg(long)]
    pub tls: bool,
    /// Write the certificate to this file [default: in the state directory]
    #[arg(long, requires = "tls", value_name = "FILE")]
    pub cert_file: Option<PathBuf>,
    #[command(flatten)]
    pub flags: SandboxFlags,
}

/// Parses an IP address, with or without the brackets used in URLs.
fn parse_address(text: &str) -> Result<IpAddr, String> {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    inner.parse().map_err(|_| "not an IP address, such as 127.0.0.1, 0.0.0.0 or ::1".to_owned())
}

impl Run for SandboxServeArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let (bind, port) = (self.bind, self.port);
        if !bind.is_loopback() && self.flags.key.is_empty() {
            return Err(Failure::usage(format!("--bind {bind} needs a --key"))
                .hint("other machines can reach this address: choose a key that they cannot guess")
                .into());
        }
        let options = self.flags.options(&ctx.out);
        let keys = options.keys.clone();
        let sandbox = Sandbox::open(options)?;
        warn_of_damage(sandbox.damaged_database_path(), &ctx.out);
        let listener = TcpListener::bind((bind, port)).await.map_err(|e| {
            let address = SocketAddr::new(bind, port);
            Failure::usage(format!("cannot listen on {address}: {}", io_message(&e)))
                .hint("use another --port, or 0 for a free one; --bind takes an address of this machine")
        })?;
        let address = listener.local_addr().map_err(|e| Failure::internal(io_message(&e)))?;
        let tls = self.tls.then(|| ServerTls::generate(bind)).transpose()?;
        let cert_file = tls.as_ref().map(|tls| write_certificate(tls, self.cert_file)).transpose()?;
        let scheme = if self.tls { "https" } else { "http" };
        let url = format!("{scheme}://{}", local_address(address));
        ctx.out.text(format!("{url}\n"))?;
        if ctx.out.settings().stderr_is_terminal {
            ctx.out.status(&how_to_connect(&url, &keys));
        }
        ctx.out.status("serving the sandbox, which does not translate meaning; press Ctrl-C to stop");
        if let Some(outward) = outward_address(bind).filter(|_| bind.is_unspecified()) {
            ctx.out
                .status(&format!("other machines reach it at {scheme}://{}", SocketAddr::new(outward, address.port())));
        }
        if let Some(file) = cert_file {
            let file = file.display().to_string();
            ctx.out.status(&format!("for clients to trust it: export SSL_CERT_FILE={}", shell::quote_file(&file)));
        }
        let stop = ctx.stop.clone();
        let shutdown = async move {
            stop.wait().await;
        };
        sandbox.serve_with(listener, tls, shutdown).await;
        match ctx.stop.raised() {
            Some(Kind::Interrupted) => {
                ctx.stop.settle();
                // The terminal has already printed `^C`.
                ctx.out.status(if ctx.out.settings().stderr_is_terminal { "\nstopped" } else { "stopped" });
                Ok(())
            }
            Some(kind) => {
                ctx.out.status("stopped");
                Err(Failure::printed(kind).into())
            }
            None => Ok(()),
        }
    }
}

/// Returns the sandbox's keys and page, and the commands that make tulk use it.
fn how_to_connect(url: &str, keys: &[String]) -> String {
    let key = keys.first().map(|key| shell::quote(key)).unwrap_or_default();
    let noun = if keys.len() == 1 { "key" } else { "keys" };
    format!(
        "{noun}: {}\npage: {url}/_sandbox/\n\nIn another terminal:\nexport TULK_SERVER={url}\nexport TULK_API_KEY={key}\n",
        keys.join(", ")
    )
}

/// Returns the address at which local programs reach the server.
fn local_address(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Writes the certificate that clients must trust. Returns its absolute path.
fn write_certificate(tls: &ServerTls, file: Option<PathBuf>) -> Result<PathBuf, Failure> {
    let write = |file: &Path| files::write_atomic(file, tls.authority().as_bytes(), FileMode::Inherit);
    if let Some(file) = file {
        let file = std::path::absolute(&file).file_context("write", &file)?;
        return write(&file).map(|()| file);
    }
    let written = sandbox_state_dir().map(|dir| dir.join(CERT_FILE)).and_then(|file| write(&file).map(|()| file));
    written.map_err(|failure| failure.hint("choose another file with --cert-file"))
}
