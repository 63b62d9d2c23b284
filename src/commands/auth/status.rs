//! `tulk auth status`: every profile's server, masked key, where the key comes from, and whether it works.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::config::KeyKind;
use crate::config::{Config, Credentials};
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::http::client::Client;
use crate::output::{Cell, Table, View};

/// One key of a profile.
#[derive(Serialize)]
struct Line {
    profile: String,
    server: Option<String>,
    kind: &'static str,
    key: Option<String>,
    source: Option<String>,
    works: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

#[derive(Serialize)]
#[serde(transparent)]
struct Lines {
    items: Vec<Box<RawValue>>,
    #[serde(skip)]
    lines: Vec<Line>,
}

/// Columns of the table.
pub const COLUMNS: &[&str] = &["profile", "server", "kind", "key", "source", "works", "problem"];

impl View for Lines {
    fn table(&self) -> Table {
        let mut table = Table::new(COLUMNS.iter().copied());
        let text = |t: &Option<String>| Cell::from(t.clone().unwrap_or_default());
        for line in &self.lines {
            let works = line.works.map_or("", |w| if w { "yes" } else { "no" });
            table.push(vec![
                Cell::from(line.profile.as_str()),
                text(&line.server),
                Cell::from(line.kind),
                text(&line.key),
                text(&line.source),
                Cell::from(works),
                text(&line.problem),
            ]);
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        self.items.iter().map(AsRef::as_ref).collect()
    }
}

/// Shows all profiles, or the one of `--profile`; fails with `Kind::Key` when none works.
pub async fn run(ctx: &Context) -> Result<(), Failure> {
    ctx.out.settings().check_listing()?;
    let config = Config::open(&ctx.args)?;
    let mut lines = Vec::new();
    if ctx.is_sandbox()? || ctx.args.server.is_some() {
        lines.push(line(ctx, ctx.config()?, KeyKind::Account).await?);
    } else {
        for profile in profiles(ctx, &config)? {
            let config = config.for_profile(&profile)?;
            lines.push(line(ctx, &config, KeyKind::Account).await?);
            if config.key(KeyKind::Admin).is_ok() {
                lines.push(line(ctx, &config, KeyKind::Admin).await?);
            }
        }
    }
    let works = lines.iter().any(|l| l.works == Some(true));
    let raw = |l: &Line| serde_json::value::to_raw_value(l).map_err(|e| Failure::internal(e.to_string()));
    let items = lines.iter().map(raw).collect::<Result<_, _>>()?;
    ctx.out.show(&Lines { items, lines })?;
    if works {
        return Ok(());
    }
    Err(Failure::new(Kind::Key, "no key works").hint("run `tulk auth login`, or set TULK_SERVER and TULK_API_KEY"))
}

fn profiles(ctx: &Context, config: &Config) -> Result<Vec<String>, Failure> {
    if ctx.args.profile.is_some() {
        return Ok(vec![config.profile.clone()]);
    }
    let mut names = config.file.profiles.clone();
    names.extend(Credentials::read(&config.credentials_path())?.profiles());
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

async fn line(ctx: &Context, config: &Config, kind: KeyKind) -> Result<Line, Failure> {
    let mut line = Line {
        profile: config.profile.clone(),
        server: None,
        kind: if kind == KeyKind::Admin { "admin" } else { "account" },
        key: None,
        source: None,
        works: None,
        problem: None,
    };
    let service = if config.is_sandbox()? { ctx.service().await } else { config.service().map(|(s, _)| s) };
    let checked = match service {
        Err(failure) => Err(failure),
        Ok(service) => {
            line.server = Some(service.base_url.clone());
            match config.key(kind) {
                Err(failure) => Err(failure),
                Ok(key) => {
                    line.key = Some(key.secret.masked());
                    line.source = Some(key.source);
                    let client = Client::new(ctx.client_options(service, Box::new(move |_| Ok(key.secret.clone())))?)?;
                    client.call(super::probe(kind)?).await.map(|_| ())
                }
            }
        }
    };
    match checked {
        Ok(()) => line.works = Some(true),
        Err(failure) if failure.kind.is_stop() => return Err(failure),
        Err(failure) => {
            line.works = Some(false);
            line.problem = Some(failure.what);
        }
    }
    Ok(line)
}
