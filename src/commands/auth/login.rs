//! `tulk auth login`: read a key, check it with one free request, store server and key in the profile.

use std::io::{BufRead as _, IsTerminal as _};

use clap::Args;

use super::WhichKey;
use crate::commands::config::{lock, set_all};
use crate::config::{ApiKey, Config, Credentials, Service};
use crate::context::Context;
use crate::error::{Failure, Kind};

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
    for (flag, is_given) in [("--service", args.service.is_some()), ("--endpoint", args.endpoint.is_some())] {
        if is_given && ctx.args.server.is_some() {
            return Err(Failure::usage(format!("{flag} and --server exclude each other"))
                .hint("TULK_SERVER counts as given too"));
        }
    }
    let config = ctx.config_to_be()?;
    if config.is_sandbox()? {
        return Err(Failure::usage("the sandbox needs no login").hint("leave out --sandbox"));
    }
    let kind = args.which.kind();
    let key = read_key()?;
    let service = service(ctx, &args, config, &key)?;
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
    let _lock = lock(&path)?;
    let mut credentials = Credentials::read(&path)?;
    credentials.set(&profile, kind, &crate::config::StoredKey { key, server: service.base_url.clone() });
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
        .map_err(|e| Failure::usage(format!("cannot read the key from stdin: {}", crate::error::io_message(&e))))?;
    ApiKey::new(&line, "stdin").map_err(|f| Failure { kind: Kind::Usage, ..f })
}

/// The service to log in to: the flags', else the profile's.
fn service(ctx: &Context, args: &LoginArgs, config: &Config, key: &ApiKey) -> Result<Service, Failure> {
    let named = args.service.as_deref().or_else(|| config.setting("service"));
    let (service, notes) = match (&ctx.args.server, named, config.setting("server")) {
        (Some(address), ..) => config.service_at(address)?,
        (None, Some(name), own) if args.service.is_some() || own.is_none() => {
            let endpoint = args.endpoint.as_deref().or_else(|| match args.service {
                Some(_) => None,
                None => config.setting("endpoint"),
            });
            config.service_named(name, endpoint, Some(key))?
        }
        (None, _, Some(_)) if args.endpoint.is_none() => config.service()?,
        (None, _, Some(_)) => {
            return Err(Failure::usage(format!("profile {} has a server, not a service", config.profile))
                .hint("name the --service that has this --endpoint"));
        }
        (None, ..) => {
            return Err(Failure::new(Kind::Key, "no server is named")
                .hint("add --server URL, or --service NAME for a preset or one under [services]"));
        }
    };
    for note in &notes {
        ctx.out.status(note);
    }
    Ok(service)
}

/// What the profile's settings become: a server stands instead of service and endpoint, and the other way round.
fn settings(ctx: &Context, args: &LoginArgs, profile: &str, service: &Service) -> Vec<(Vec<String>, Option<String>)> {
    let key = |name: &str| vec!["profiles".to_owned(), profile.to_owned(), name.to_owned()];
    if ctx.args.server.is_some() {
        return vec![(key("server"), Some(service.base_url.clone())), (key("service"), None), (key("endpoint"), None)];
    }
    let mut settings = Vec::new();
    if args.service.is_some() {
        settings.push((key("service"), Some(service.name.clone())));
        settings.push((key("server"), None));
    }
    if args.service.is_some() || args.endpoint.is_some() {
        settings.push((key("endpoint"), args.endpoint.clone()));
    }
    settings
}
