//! `tulk auth status`: shows each profile's server, masked key, the key's source, and whether the key works.

use std::time::Duration;

use clap::Args;
use futures_util::future::join_all;
use serde::Serialize;
use serde_json::value::RawValue;
use tulk_base::error::{Failure, Kind};
use tulk_client::KeyKind;
use tulk_client::http::client::Client;

use crate::command::{CommandSpec, Run};
use crate::config::Config;
use crate::context::Context;
use crate::output::{Cell, Column, StatusWord, Table, View};
use crate::service_probe::{check_probe_answer, probe_request};

const PROBE_TIMEOUT: Duration = Duration::from_secs(3);

#[derive(Serialize)]
struct KeyStatus {
    profile: String,
    server: Option<String>,
    kind: &'static str,
    key: Option<String>,
    source: Option<String>,
    /// `None` if it is still unknown, for example because the server was unreachable.
    works: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

#[derive(Serialize)]
#[serde(transparent)]
struct KeyStatusView {
    items: Vec<Box<RawValue>>,
    #[serde(skip)]
    keys: Vec<KeyStatus>,
}

const KEY_STATUSES: &[StatusWord] =
    &[StatusWord::done("yes"), StatusWord::failed("no"), StatusWord::working("unknown")];

/// Table columns. They are never omitted or cut: a narrow terminal shows one block per key instead.
pub const COLUMNS: &[Column] = &[
    Column::name("profile"),
    Column::id("server"),
    Column::id("kind"),
    Column::id("key"),
    Column::id("source"),
    Column::status("works", KEY_STATUSES).rank(0),
    Column::id("problem"),
];

impl View for KeyStatusView {
    fn table(&self) -> Table {
        let mut table = Table::new(COLUMNS);
        let text = |t: &Option<String>| Cell::from(t.clone().unwrap_or_default());
        for key in &self.keys {
            let works = key.works.map_or("unknown", |works| if works { "yes" } else { "no" });
            table.push(vec![
                Cell::from(key.profile.as_str()),
                text(&key.server),
                Cell::from(key.kind),
                text(&key.key),
                text(&key.source),
                Cell::from(works),
                text(&key.problem),
            ]);
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        self.items.iter().map(AsRef::as_ref).collect()
    }
}

/// Show the server and key of every profile, and whether the key works
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(COLUMNS))]
#[command(after_help = "tulk auth status")]
pub struct AuthStatusArgs {}

impl Run for AuthStatusArgs {
    /// Checks the keys of all profiles or, with `--profile`, `--server` or the sandbox, of one. If no key works, fails with the reason
    /// why one of them could not be tested, or with `Kind::Key` if all were tested.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let config = ctx.config()?;
        let mut probes = Vec::new();
        if ctx.is_sandbox()? || ctx.args.server.is_some() {
            probes.push(KeyProbe::new(ctx, config, KeyKind::Account).await?);
        } else {
            for profile in profiles(ctx, config)? {
                let config = config.for_profile(&profile)?;
                probes.push(KeyProbe::new(ctx, &config, KeyKind::Account).await?);
                if config.key(KeyKind::Admin).is_ok() {
                    probes.push(KeyProbe::new(ctx, &config, KeyKind::Admin).await?);
                }
            }
        }
        let keys = join_all(probes.into_iter().map(KeyProbe::run)).await;
        let (keys, failures): (Vec<_>, Vec<_>) = keys.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        let works = keys.iter().any(|key| key.works == Some(true));
        let items = keys.iter().map(serde_json::value::to_raw_value).collect::<Result<_, _>>()?;
        ctx.out.show(&KeyStatusView { items, keys })?;
        if works {
            return Ok(());
        }
        match failures.into_iter().flatten().find(is_inconclusive) {
            // A usage failure already tells how to fix it.
            Some(failure) if failure.kind == Kind::Usage => return Err(failure.into()),
            Some(failure) => {
                return Err(failure.hint("`tulk doctor` checks the server address, the network and the proxy").into());
            }
            None => {}
        }
        let failure = Failure::new(Kind::Key, "no key works");
        Err(failure.hint("run `tulk auth login`, or set TULK_SERVER and TULK_API_KEY").into())
    }
}

/// Returns whether the key may still work despite this failure, for example because the server was unreachable.
fn is_inconclusive(failure: &Failure) -> bool {
    matches!(failure.kind, Kind::Network | Kind::Busy | Kind::Usage)
}

fn profiles(ctx: &Context, config: &Config) -> Result<Vec<String>, Failure> {
    if ctx.args.profile.is_some() {
        return Ok(vec![config.profile.clone()]);
    }
    let mut names = config.file.profiles.clone();
    names.extend(config.stored_keys()?.profiles());
    names.push(config.profile.clone());
    let mut seen = Vec::new();
    names.retain(|n| {
        !seen.contains(n) && {
            seen.push(n.clone());
            true
        }
    });
    Ok(names)
}

struct KeyProbe {
    status: KeyStatus,
    kind: KeyKind,
    client: Result<Client, Failure>,
}

impl KeyProbe {
    async fn new(ctx: &Context, config: &Config, kind: KeyKind) -> Result<Self, Failure> {
        let mut status = KeyStatus {
            profile: config.profile.clone(),
            server: None,
            kind: if kind == KeyKind::Admin { "admin" } else { "account" },
            key: None,
            source: None,
            works: None,
            problem: None,
        };
        let client = client(ctx, config, kind, &mut status).await;
        match client {
            Err(failure) if failure.kind.is_stop() => Err(failure),
            client => Ok(Self { status, kind, client }),
        }
    }

    /// Tries the key with one request. Also returns why it does not work. Fails only if a signal arrived.
    async fn run(self) -> Result<(KeyStatus, Option<Failure>), Failure> {
        let Self { mut status, kind, client } = self;
        let tried = async {
            let client = client?;
            let answer = client.call(probe_request(kind)?).await?;
            check_probe_answer(kind, &answer, client.service().shown_address())
        };
        let tried = tokio::time::timeout(PROBE_TIMEOUT, tried).await.unwrap_or_else(|_| {
            let server = status.server.as_deref().unwrap_or_default();
            Err(Failure::new(Kind::Network, format!("no response from {server} within {} s", PROBE_TIMEOUT.as_secs())))
        });
        match tried {
            Ok(()) => {
                status.works = Some(true);
                Ok((status, None))
            }
            Err(failure) if failure.kind.is_stop() => Err(failure),
            Err(failure) => {
                status.works = (!is_inconclusive(&failure)).then_some(false);
                status.problem = Some(failure.what.clone());
                Ok((status, Some(failure)))
            }
        }
    }
}

/// Creates a client without retries for the key of a profile. Even on failure, fills in the fields of `status` that are known.
async fn client(ctx: &Context, config: &Config, kind: KeyKind, status: &mut KeyStatus) -> Result<Client, Failure> {
    let service = if config.is_sandbox()? { ctx.service().await? } else { config.service()?.0 };
    status.server = Some(service.shown_address().to_owned());
    let key = config.key(kind)?;
    status.key = Some(key.secret.masked());
    status.source = Some(key.source);
    let mut options = ctx.client_options(service, Box::new(move |_| Ok(key.secret.clone())))?;
    options.retries = 0;
    Client::new(options)
}
