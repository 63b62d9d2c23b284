//! `tulk auth login`, `logout` and `token`: store a key after testing it with a free request, remove it, or print it.

use std::io::IsTerminal as _;
use std::path::Path;

use clap::Args;
use clap::builder::PossibleValuesParser;
use tulk_base::error::{Failure, Kind, io_message};
use tulk_base::files::{self, check_stdin};
use tulk_base::limits::KEY_FILE;
use tulk_base::secrets;
use tulk_client::{ApiKey, KeyKind, Service};

use super::questions::ServiceChoice;
use crate::command::{CommandSpec, Run, TEXT_OR_JSON};
use crate::commands::config::{lock, set_all};
use crate::completion::ValueKind;
use crate::config::{Config, Credentials, ENDPOINTS, StoredKey};
use crate::context::Context;
use crate::output::{from_home, read_hidden};
use crate::service_probe::{check_probe_answer, probe_request};

#[derive(Args, Debug)]
pub struct KeyChoice {
    /// Use the admin key instead of the API key
    #[arg(long)]
    pub admin: bool,
}

impl KeyChoice {
    pub fn kind(&self) -> KeyKind {
        if self.admin { KeyKind::Admin } else { KeyKind::Account }
    }
}

/// Store a key from a hidden prompt or stdin after checking it
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result())]
#[command(after_help = "tulk auth login\n\
                        tulk auth login --profile work < key.txt\n\
                        tulk auth login --admin < key.txt")]
pub struct AuthLoginArgs {
    #[command(flatten)]
    pub which: KeyChoice,
    /// Preset, or a service defined under [services]
    #[arg(long, value_name = "NAME")]
    #[arg(add = ValueKind::Services)]
    pub service: Option<String>,
    /// Endpoint of the service
    #[arg(long, value_name = "ENDPOINT", value_parser = PossibleValuesParser::new(ENDPOINTS.map(|(name, _)| name)))]
    pub endpoint: Option<String>,
    /// Store the key without checking it
    #[arg(long)]
    pub no_verify: bool,
    /// Accepted only to refuse it with an explanation.
    #[arg(value_name = "KEY", hide = true)]
    pub key: Option<String>,
}

impl Run for AuthLoginArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        if let Some(key) = &self.key {
            secrets::register(key);
            return Err(Failure::usage(
                "the key cannot be an argument: other users and the shell's history would see it",
            )
            .hint("run `tulk auth login` and paste the key, or `tulk auth login < key.txt`")
            .into());
        }
        for (flag, is_given) in [("--service", self.service.is_some()), ("--endpoint", self.endpoint.is_some())] {
            if is_given && ctx.args.server.is_some() {
                let failure = Failure::usage(format!("{flag} cannot be used with --server"));
                return Err(failure.hint("TULK_SERVER counts as --server").into());
            }
        }
        let config = ctx.config_to_create()?;
        if config.is_sandbox()? {
            let failure = Failure::usage("the sandbox does not need a login");
            return Err(failure.hint("run the command without --sandbox").into());
        }
        let kind = self.which.kind();
        let is_set = ["service", "server"].iter().any(|name| config.setting(name).is_some());
        let mut choice = ServiceChoice {
            server: ctx.args.server.clone(),
            service: self.service.clone(),
            endpoint: self.endpoint.clone(),
        };
        if !is_set && choice.server.is_none() && choice.service.is_none() && ctx.out.settings().can_ask {
            choice = ServiceChoice::ask(ctx, config, choice.endpoint)?;
        }
        // Report problems that do not depend on the key before the user types it.
        let (expected, _) = chosen_service(&choice, config, None)?;
        let path = config.credentials_path()?;
        Credentials::read(&path)?;
        if ctx.out.settings().can_ask {
            let is_known = choice.server.is_some() || choice.endpoint.is_some();
            ctx.out.status(&self.announcement(ctx, is_known.then_some(&*expected.base_url), &path));
        }
        let key = read_key()?;
        let (service, notes) = chosen_service(&choice, config, Some(&key))?;
        for note in &notes {
            ctx.out.status(note);
        }
        if !self.no_verify {
            let secret = key.clone();
            let mut options = ctx.client_options(service.clone(), Box::new(move |_| Ok(secret.clone())))?;
            options.retries = 0;
            let client = tulk_client::http::client::Client::new(options)?;
            let answer = client
                .call(probe_request(kind)?)
                .await
                .map_err(|failure| explain_refused_key(failure, &service, &choice))?;
            check_probe_answer(kind, &answer, &service.base_url)?;
        }
        if ctx.args.dry_run {
            ctx.out.status(&format!("would store the key for {}", service.base_url));
            return Ok(());
        }
        let profile = config.profile.clone();
        set_all(ctx, &setting_changes(&choice, &profile, &service))?;
        let _lock = lock(&path)?;
        let mut credentials = Credentials::read(&path)?;
        credentials.set(&profile, kind, &StoredKey { key, server: service.base_url.clone() });
        credentials.write()?;
        let checked = if self.no_verify { "not verified" } else { "verified" };
        ctx.out.status(&format!("profile {profile}: stored the key for {} ({checked})", service.base_url));
        Ok(())
    }
}

impl AuthLoginArgs {
    /// Describes what will happen to the key. `address` is the server, if it is known before the key.
    fn announcement(&self, ctx: &Context, address: Option<&str>, path: &Path) -> String {
        let server = address.unwrap_or("the service");
        let stored = format!(
            "stored in {} for this server only",
            from_home(&path.to_string_lossy(), files::home_dir().as_deref())
        );
        match (self.no_verify, ctx.args.dry_run) {
            (true, false) => format!("The key is {stored}, without being checked."),
            (true, true) => "The key is neither checked nor stored.".to_owned(),
            (false, true) => format!("The key is sent to {server} in a free request, and not stored."),
            (false, false) => format!("The key is sent to {server} in a free request, and if it works, {stored}."),
        }
    }
}

/// Adds to a 401 or 403 that the new key was not stored. Returns other failures unchanged.
fn explain_refused_key(failure: Failure, service: &Service, choice: &ServiceChoice) -> Failure {
    let status = failure.service.as_deref().and_then(|service| service.status);
    if !matches!(status, Some(401 | 403)) {
        return failure;
    }
    let Service { base_url, auth_scheme, .. } = service;
    let what = format!("{base_url} did not accept this key; nothing was stored");
    let other = if choice.server.is_some() { "; for the public service, use --service deepl" } else { "" };
    let hint = format!("copy the whole key of this server; it was sent as `{auth_scheme}`{other}");
    Failure { what, ..failure }.hint(hint)
}

/// Reads a key from a hidden prompt, or from the first line of stdin if that is not a terminal.
fn read_key() -> Result<ApiKey, Failure> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return ApiKey::new(&read_hidden("Key (hidden): ")?, "the prompt");
    }
    check_stdin()?;
    let line = files::read_stdin_line_bounded(KEY_FILE).map_err(|e| {
        Failure::of_read(Path::new("-"), &e)
            .unwrap_or_else(|| Failure::usage(format!("cannot read the key from stdin: {}", io_message(&e))))
    })?;
    ApiKey::new(&String::from_utf8_lossy(&line), "stdin").map_err(|f| Failure { kind: Kind::Usage, ..f })
}

/// Returns the service chosen by flags or answers, else the profile's, with notes for the user.
fn chosen_service(
    choice: &ServiceChoice,
    config: &Config,
    key: Option<&ApiKey>,
) -> Result<(Service, Vec<String>), Failure> {
    let named = choice.service.as_deref().or_else(|| config.setting("service"));
    match (&choice.server, named, config.setting("server")) {
        (Some(address), ..) => config.service_at(address),
        (None, Some(name), own) if choice.service.is_some() || own.is_none() => {
            let endpoint = choice.endpoint.as_deref().or_else(|| match choice.service {
                Some(_) => None,
                None => config.setting("endpoint"),
            });
            config.service_named(name, endpoint, key)
        }
        (None, _, Some(_)) if choice.endpoint.is_none() => config.service(),
        (None, _, Some(_)) => Err(Failure::usage(format!("profile {} has a server, not a service", config.profile))
            .hint("pass --service with the service that has this endpoint")),
        (None, ..) => Err(Failure::new(Kind::Key, "no server is set")
            .hint("pass --server URL, or --service with a preset (service, deepl) or a name under [services]")),
    }
}

/// Returns the changes to the profile. Setting a server removes service and endpoint, and vice versa.
fn setting_changes(choice: &ServiceChoice, profile: &str, service: &Service) -> Vec<(Vec<String>, Option<String>)> {
    let key = |name: &str| vec!["profiles".to_owned(), profile.to_owned(), name.to_owned()];
    if choice.server.is_some() {
        return vec![(key("server"), Some(service.base_url.clone())), (key("service"), None), (key("endpoint"), None)];
    }
    let mut settings = Vec::new();
    if choice.service.is_some() {
        settings.push((key("service"), Some(service.name.clone())));
        settings.push((key("server"), None));
    }
    if choice.service.is_some() || choice.endpoint.is_some() {
        settings.push((key("endpoint"), choice.endpoint.clone()));
    }
    settings
}

/// Remove a stored key
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result())]
#[command(after_help = "tulk auth logout")]
pub struct AuthLogoutArgs {
    #[command(flatten)]
    pub which: KeyChoice,
}

impl Run for AuthLogoutArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let which = self.which;
        let config = ctx.config_to_create()?;
        let path = config.credentials_path()?;
        let _lock = crate::commands::config::lock(&path)?;
        let mut credentials = Credentials::read(&path)?;
        if credentials.get(&config.profile, which.kind()).is_none() {
            let what = if which.admin { "admin key" } else { "key" };
            return Err(Failure::new(Kind::NotFound, format!("profile {} has no stored {what}", config.profile))
                .hint("`tulk auth status` shows the stored keys")
                .into());
        }
        if ctx.args.dry_run {
            ctx.out.status(&format!("would remove the key of profile {}", config.profile));
            return Ok(());
        }
        credentials.remove(&config.profile, which.kind());
        credentials.write()?;
        ctx.out.status(&format!("profile {}: removed the key", config.profile));
        Ok(())
    }
}

/// Print the key in use, for other tools
#[derive(Args, Debug)]
#[command(add = CommandSpec::prints_result_in(TEXT_OR_JSON).changes_nothing())]
#[command(after_help = "export API_KEY=\"$(tulk auth token)\"")]
pub struct AuthTokenArgs {
    #[command(flatten)]
    pub which: KeyChoice,
}

impl Run for AuthTokenArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let which = self.which;
        let key = ctx.config()?.key(which.kind())?;
        if ctx.out.settings().is_json() {
            let object = serde_json::json!({ "key": key.secret.expose(), "source": key.source });
            return Ok(ctx.out.stdout().json(object.to_string())?);
        }
        Ok(ctx.out.text(format!("{}\n", key.secret.expose()))?)
    }
}
