//! `tulk sandbox serve`: the sandbox for other programs, on loopback only.

use clap::Args;
use tokio::net::TcpListener;

use crate::context::{Context, SandboxFlags};
use crate::error::{Failure, io_message};
use crate::sandbox::Sandbox;
use crate::stop::Stop;

/// Serve the sandbox on loopback and print its address
#[derive(Args, Debug)]
#[command(after_help = "tulk sandbox serve\n\
                        tulk sandbox serve --engine upper --fault 429:0.1 --seed 1")]
pub struct SandboxServeArgs {
    /// Port on 127.0.0.1; 0 selects a free one
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    pub port: u16,
    /// How the sandbox behaves.
    #[command(flatten)]
    pub flags: SandboxFlags,
}

/// Serves the sandbox until a signal stops it.
pub async fn run(ctx: &Context, args: SandboxServeArgs) -> Result<(), anyhow::Error> {
    let port = args.port;
    let sandbox = Sandbox::open(args.flags.options(&ctx.out))?;
    let listener = TcpListener::bind(("127.0.0.1", port)).await.map_err(|e| {
        Failure::usage(format!("cannot listen on 127.0.0.1:{port}: {}", io_message(&e)))
            .hint("use another --port, or 0 for a free one")
    })?;
    let address = listener.local_addr().map_err(|e| Failure::internal(io_message(&e)))?;
    ctx.out.text(format!("http://{address}\n"))?;
    ctx.out.status("serving the sandbox, which does not translate meaning; press Ctrl-C to stop");
    let stop = ctx.stop.clone();
    let shutdown = async move {
        stop.wait().await;
    };
    sandbox.serve(listener, shutdown).await?;
    ctx.stop.raised().map_or(Ok(()), |kind| Err(Stop::failure(kind, None).into()))
}
