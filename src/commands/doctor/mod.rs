//! `tulk doctor`: checks what a run needs: settings, key, proxy, certificates, connection, clock and directories.
//!
//! Input: the settings of the run. Output: one row per check, a hint for each failed one, and exit code 1 if any
//! failed. It changes nothing, and its only request is free.

mod local;
mod network;

use clap::Args;
use serde::{Deserialize, Serialize};
use tulk_base::error::{ErrorReport, Failure, Kind};
use tulk_base::json::WithRaw;
use tulk_base::numbers::counted;
use tulk_base::secrets;

use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::output::{Column, Row, StatusWord};

/// Check settings, key, network, clock and directories
///
/// Each failed check comes with a hint. The output contains no secrets, so you can paste it into a bug report.
///
/// Changes nothing. Sends one free request. Exits with 1 if a check fails.
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<Check>())]
#[command(after_help = "tulk doctor\n\
                        tulk doctor --profile work --json")]
pub struct DoctorArgs {}

const STATUSES: &[StatusWord] = &[StatusWord::done("ok"), StatusWord::failed("failed"), StatusWord::working("skipped")];

const NETWORK_CHECKS: [&str; 4] = ["proxy", "certificates", "connection", "clock"];

#[derive(Serialize, Deserialize, Clone, Debug)]
struct Check {
    #[serde(rename = "check")]
    name: String,
    /// `ok`, `failed`, or `skipped` if the check does not apply or another one has to pass first.
    status: String,
    detail: String,
    hint: Option<String>,
}

impl Check {
    fn new(name: &str, status: &str, detail: &str) -> Self {
        let detail = secrets::redact(detail).into_owned();
        Self { name: name.to_owned(), status: status.to_owned(), detail, hint: None }
    }

    fn ok(check: &str, detail: impl AsRef<str>) -> Self {
        Self::new(check, "ok", detail.as_ref())
    }

    fn skipped(check: &str, detail: impl AsRef<str>) -> Self {
        Self::new(check, "skipped", detail.as_ref())
    }

    /// The check always gets a hint.
    fn failed(check: &str, failure: &Failure) -> Self {
        let hint = failure.hint.as_deref().unwrap_or_else(|| usual_hint(check, failure));
        let hint = Some(secrets::redact(hint).into_owned());
        Self { hint, ..Self::new(check, "failed", &failure.to_string()) }
    }

    /// Fails only if a signal arrived.
    fn of(check: &str, result: Result<String, Failure>) -> Result<Self, Failure> {
        match result {
            Ok(detail) => Ok(Self::ok(check, detail)),
            Err(failure) if failure.kind.is_stop() => Err(failure),
            Err(failure) => Ok(Self::failed(check, &failure)),
        }
    }

    fn is_failed(&self) -> bool {
        self.status == "failed"
    }
}

fn usual_hint(check: &str, failure: &Failure) -> &'static str {
    match check {
        "settings" if failure.at.is_some() => "correct this line of the settings file",
        "settings" => "correct the settings file, or choose another one with --config (TULK_CONFIG)",
        "key" | "admin key" => "correct the source of the key; `tulk auth status` shows where each key comes from",
        "connection" => "check the server address; `tulk -vv usage` shows the request and the answer",
        _ => "correct what the message names",
    }
}

impl Row for Check {
    const COLUMNS: &'static [Column] = &[
        Column::name("check"),
        Column::status("status", STATUSES).rank(0),
        // Many details start with a path, which a terminal can shorten.
        Column::path("detail").rank(0).minimum(30),
    ];
}

impl Run for DoctorArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let checks = checks(ctx).await?;
        let rows: Result<Vec<_>, Failure> = checks.iter().cloned().map(WithRaw::from_typed).collect();
        ctx.out.list(&rows?)?;
        let failed: Vec<&Check> = checks.iter().filter(|check| check.is_failed()).collect();
        // JSON already has each reason and hint in full; a table may be too narrow for them.
        for check in failed.iter().filter(|_| !ctx.out.settings().is_json()) {
            let failure = Failure::new(Kind::No, format!("{}: {}", check.name, check.detail));
            let failure = Failure { hint: check.hint.clone(), ..failure };
            ctx.out.item_error(&ErrorReport::new(&failure.into()));
        }
        match failed.len() {
            0 => Ok(()),
            count => Err(Failure::new(Kind::No, format!("{} failed", counted(count, "check"))).into()),
        }
    }
}

async fn checks(ctx: &Context) -> Result<Vec<Check>, Failure> {
    let mut checks = vec![Check::ok("version", crate::version::line())];
    match ctx.config() {
        Err(failure) if failure.kind.is_stop() => return Err(failure),
        Err(failure) => {
            checks.push(Check::failed("settings", &failure));
            checks.extend(["server", "key"].map(|name| Check::skipped(name, "see settings")));
            checks.extend(NETWORK_CHECKS.map(|name| Check::skipped(name, "see settings")));
        }
        Ok(config) => {
            checks.push(local::settings_check(config));
            let service = local::service(ctx).await?;
            let key = local::key(config, &service)?;
            let keys = local::checks(config, &service, key.as_ref())?;
            checks.push(keys.server);
            checks.extend(keys.keys);
            match service {
                Ok(service) => {
                    let (found, refusal) = network::checks(ctx, config, service, key.and_then(Result::ok)).await?;
                    if let (Some(refusal), Some(key)) = (refusal, checks.iter_mut().find(|check| check.name == "key")) {
                        let what = format!("{}: {refusal}", key.detail);
                        *key = Check::failed("key", &Failure { what, ..refusal });
                    }
                    checks.extend(found);
                }
                Err(_) => checks.extend(NETWORK_CHECKS.map(|name| Check::skipped(name, "no server is set"))),
            }
        }
    }
    checks.extend(local::directory_checks(&ctx.args));
    Ok(checks)
}
