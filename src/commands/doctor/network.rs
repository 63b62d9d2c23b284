//! Checks of the proxy, the certificates, the connection and the clock, with one free request.

use std::time::{Duration, Instant, SystemTime};

use super::Check;
use crate::config::{KeyKind, ResolvedKey, Service};
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::http::answer::Answer;
use crate::http::client::Client;
use crate::http::options::NetworkOptions;
use crate::http::path::Path;
use crate::http::proxy::ProxyInUse;
use crate::http::request::{Method, Request};
use crate::http::trusted_roots;

/// How long a server may take to answer.
const PROBE_TIMEOUT: Duration = Duration::from_secs(10);
/// Difference of the clocks above which certificates and dates of answers may be misjudged.
const CLOCK_TOLERANCE: Duration = Duration::from_secs(300);

/// What the server answered, and when this machine's clock said what.
struct ProbeAnswer {
    answer: Answer,
    took: Duration,
    received: SystemTime,
}

/// Checks the network. Fails only if a signal came.
pub(super) async fn checks(
    ctx: &Context,
    service: Result<Service, Failure>,
    key: Option<Result<ResolvedKey, Failure>>,
) -> Result<Vec<Check>, Failure> {
    let Ok(service) = service else {
        let names = ["proxy", "certificates", "connection", "clock"];
        return Ok(names.map(|name| Check::skipped(name, "there is no server to connect to")).into());
    };
    let key = key.and_then(Result::ok);
    let has_key = key.is_some();
    let found = move |_| key.clone().map(|key| key.secret).ok_or_else(|| Failure::new(Kind::Key, "no key is set"));
    let mut options = ctx.client_options(service.clone(), Box::new(found))?;
    (options.retries, options.dry_run) = (0, false);
    options.network.timeout = options.network.timeout.min(PROBE_TIMEOUT);
    let mut checks =
        vec![Check::of("proxy", proxy(&service, &options.network))?, certificates(&service, &options.network)?];
    let client = Client::new(options);
    let probe = match client {
        Err(failure) => Err(failure),
        Ok(client) => probe(&client, has_key).await,
    };
    match probe {
        Err(failure) if failure.kind.is_stop() => return Err(failure),
        Err(failure) => {
            checks.push(Check::failed("connection", &failure));
            checks.push(Check::skipped("clock", "the server did not answer"));
        }
        Ok((probe, refusal)) => {
            checks.push(connection(&probe, refusal.as_ref(), has_key));
            checks.push(clock(&probe));
        }
    }
    Ok(checks)
}

fn proxy(service: &Service, network: &NetworkOptions) -> Result<String, Failure> {
    let proxy = ProxyInUse::find(service, network)?;
    Ok(proxy.map_or_else(|| "none".to_owned(), |proxy| format!("{} from {}", proxy.address, proxy.source)))
}

fn certificates(service: &Service, network: &NetworkOptions) -> Result<Check, Failure> {
    let roots = trusted_roots(network.ca_file.as_deref());
    if service.base_url.starts_with("http://") && roots.is_ok() {
        return Ok(Check::skipped("certificates", "the connection is not encrypted"));
    }
    Check::of("certificates", roots)
}

/// Sends a free request, without a key if there is none. Returns the refusal of the server, too.
async fn probe(client: &Client, has_key: bool) -> Result<(ProbeAnswer, Option<Failure>), Failure> {
    let key = has_key.then_some(KeyKind::Account);
    let request = Request { key, ..Request::new(Method::GET, Path::fill("/v2/usage", &[])?) };
    let started = Instant::now();
    let answer = client.exchange(&request).await?;
    let (took, received) = (started.elapsed(), SystemTime::now());
    let refusal = (!answer.is_success()).then(|| client.refused(&request, &answer));
    Ok((ProbeAnswer { answer, took, received }, refusal))
}

fn connection(probe: &ProbeAnswer, refusal: Option<&Failure>, has_key: bool) -> Check {
    let took = probe.took.as_millis();
    match refusal {
        // The server is there, and wants the key that is missing.
        Some(_) if !has_key && matches!(probe.answer.status, 401 | 403) => {
            Check::ok("connection", format!("answered in {took} ms, and asks for a key"))
        }
        Some(refusal) => Check::failed("connection", refusal),
        None => Check::ok("connection", format!("answered in {took} ms, and accepts the key")),
    }
}

fn clock(probe: &ProbeAnswer) -> Check {
    let date = probe.answer.headers.get("date").and_then(|date| httpdate::parse_http_date(date.to_str().ok()?).ok());
    let Some(date) = date else { return Check::skipped("clock", "the answer has no date") };
    let (apart, how) = match probe.received.duration_since(date) {
        Ok(ahead) => (ahead, "ahead of"),
        Err(behind) => (behind.duration(), "behind"),
    };
    // A date has whole seconds, and the answer took its time.
    if apart <= probe.took + Duration::from_secs(2) {
        return Check::ok("clock", "as the server's");
    }
    let text = format!("{} {how} the server's", humantime::format_duration(Duration::from_secs(apart.as_secs())));
    if apart <= CLOCK_TOLERANCE {
        return Check::ok("clock", text);
    }
    let failure = Failure::new(Kind::Internal, text);
    Check::failed("clock", &failure.hint("set the clock of this machine: certificates and waits depend on it"))
}
