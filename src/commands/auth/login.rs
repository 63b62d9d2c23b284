//! `tulk auth login`: read a key, check it with one free request, store server and key in the profile.

use std::io::{BufRead as _, IsTerminal as _};

use clap::Args;

use super::WhichKey;
use crate::commands::config::set_all;
use crate::config::{ApiKey, Config, Credentials, GlobalArgs, Service};
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::store;

/// Read a key from a hidden prompt or stdin, check it, store it
#[derive(Args, Debug)]
pub struct LoginArgs {
    /// Which key.
    #[command(flatten)]
    pub which: WhichKey,
    /// Preset, or a name under [services]
    #[arg(long, value_name = "S")]
    pub service: Option<String>,
    /// Endpoint of the service
    #[arg(long, value_name = "E", value_parser = ["paid", "free", "us", "jp"])]
    pub endpoint: Option<String>,
    /// Store the key without checking it
    #[arg(long)]
    pub no_verify: bool,
}

/// Runs the command.
pub async fn run(ctx: &Context, args: LoginArgs) -> Result<(), Failure> {
    if args.service.is_some() && ctx.args.server.is_some() {
        return Err(Failure::usage("--service and --server exclude each other"));
    }
    let config = Config::open(&ctx.args)?;
    if config.is_sandbox()? {
        return Err(Failure::usage("the sandbox needs no login").hint("leave out --sandbox"));
    }
    let kind = args.which.kind();
    let key = read_key()?;
    let service = service(ctx, &args, &config, &key)?;
    if !args.no_verify {
        let secret = key.clone();
        let options = ctx.client_options(service.clone(), Box::new(move |_| Ok(secret.clone())))?;
        let client = crate::http::client::Client::new(options)?;
        client.call(super::probe(kind)?).await?;
    }
    if ctx.args.dry_run {
        ctx.out.status(&format!("would store the key for {}", service.base_url));
        return Ok(());
    }
    let profile = config.profile.clone();
    set_all(ctx, &settings(ctx, &args, &profile, &service))?;
    let path = config.credentials_path();
    let _lock = store::lock(&store::parent(&path).join(".lock"))?;
    let mut credentials = Credentials::read(&path)?;
    credentials.set(&profile, kind, &crate::config::Stored { key, server: service.base_url.clone() });
    credentials.write()?;
    let checked = if args.no_verify { "not checked" } else { "it works" };
    ctx.out.status(&format!("profile {profile}: stored the key for {} ({checked})", service.base_url));
    Ok(())
}

/// The hidden prompt on a terminal, else the first line of stdin.
fn read_key() -> Result<ApiKey, Failure> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        let text = rpassword::prompt_password("Key (not shown): ")
            .map_err(|e| Failure::usage(format!("no key was read: {e}")))?;
        return ApiKey::new(&text, "the prompt");
    }
    let mut line = String::new();
    stdin
        .lock()
        .read_line(&mut line)
        .map_err(|e| Failure::usage(format!("cannot read the key from stdin: {}", crate::error::plain(&e))))?;
    ApiKey::new(&line, "stdin").map_err(|f| Failure { kind: Kind::Usage, ..f })
}

/// The service to log in to: the flags', else the profile's.
fn service(ctx: &Context, args: &LoginArgs, config: &Config, key: &ApiKey) -> Result<Service, Failure> {
    let (service, notes) = match &args.service {
        Some(name) => config.service_named(name, args.endpoint.as_deref(), Some(key))?,
        None => match (&ctx.args.server, config.setting("service").or(config.setting("server"))) {
            (None, None) => {
                return Err(Failure::new(Kind::Key, "no server is named")
                    .hint("add --server URL, or --service NAME for a preset or one under [services]"));
            }
            (None, Some(_)) if config.setting("service").is_some() && config.setting("server").is_none() => {
                let name = config.setting("service").unwrap_or_default().to_owned();
                config.service_named(&name, args.endpoint.as_deref(), Some(key))?
            }
            _ => config.service()?,
        },
    };
    for note in &notes {
        ctx.out.status(note);
    }
    Ok(service)
}

/// What the profile's settings become.
fn settings(ctx: &Context, args: &LoginArgs, profile: &str, service: &Service) -> Vec<(Vec<String>, Option<String>)> {
    let key = |name: &str| vec!["profiles".to_owned(), profile.to_owned(), name.to_owned()];
    let mut settings = Vec::new();
    if args.service.is_some() {
        settings.push((key("service"), Some(service.name.clone())));
        settings.push((key("server"), None));
    } else if let GlobalArgs { server: Some(_), .. } = ctx.args {
        settings.push((key("server"), Some(service.base_url.clone())));
    }
    if let Some(endpoint) = &args.endpoint {
        settings.push((key("endpoint"), Some(endpoint.clone())));
    }
    settings
}
