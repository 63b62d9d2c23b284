//! Checks the proxy, the certificates, the connection and the clock with one free request.

use std::time::{Duration, Instant, SystemTime};

use tulk_base::error::{Failure, Kind};
use tulk_base::numbers::{counted, grouped};
use tulk_base::stop::Stop;
use tulk_client::http::answer::Answer;
use tulk_client::http::client::Client;
use tulk_client::http::options::{ClientOptions, NetworkOptions};
use tulk_client::http::proxy::{PROXY_AUTHENTICATION_REQUIRED, ProxyInUse};
use tulk_client::http::request::Request;
use tulk_client::http::{ca_certificates, trusted_roots};
use tulk_client::{KeyKind, Service};

use super::Check;
use crate::config::{Config, ResolvedKey};
use crate::context::Context;
use crate::service_probe::{check_probe_answer, probe_request};

/// Default timeout if neither `--timeout` nor a setting is given.
const PROBE_TIMEOUT: Duration = Duration::from_secs(10);

struct ProbeAnswer {
    answer: Answer,
    took: Duration,
    received: SystemTime,
}

/// Checks the network. Also returns the server's refusal if it rejected the key. Fails only if a signal arrived.
pub async fn checks(
    ctx: &Context,
    config: &Config,
    service: Service,
    key: Option<ResolvedKey>,
) -> Result<(Vec<Check>, Option<Failure>), Failure> {
    let has_key = key.is_some();
    let found = move |_| key.clone().map(|key| key.secret).ok_or_else(|| Failure::new(Kind::Key, "no key is set"));
    let mut options = ctx.client_options(service.clone(), Box::new(found))?;
    (options.retries, options.dry_run) = (0, false);
    options.network.timeout = config.network().timeout.unwrap_or(PROBE_TIMEOUT);
    let task = ctx.out.phase(service.shown_address(), "connecting");
    let proxy = proxy(&service, &options.network, &ctx.stop).await?;
    let certificates = certificates(&service, &options.network)?;
    let mut checks = vec![proxy, certificates];
    if let Some(failed) = checks.iter().find(|check| check.is_failed()).map(|check| check.name.clone()) {
        checks.push(Check::skipped("connection", format!("see {failed}")));
        checks.push(Check::skipped("clock", "no response"));
        return Ok((checks, None));
    }
    let probe = probe(options, has_key).await;
    drop(task);
    let mut refused_key = None;
    let (connection, clock) = match probe {
        Err(failure) if failure.kind.is_stop() => return Err(failure),
        Err(failure) => (Err(failure), Check::skipped("clock", "the server did not answer")),
        Ok((probe, refusal)) => {
            refused_key = refusal.clone().filter(|refusal| has_key && refusal.kind == Kind::Key);
            let clock = clock_check(&probe.answer, probe.took, probe.received);
            (connection(config, &service, &probe, refusal, has_key), clock)
        }
    };
    match (connection, checks.first_mut()) {
        (Err(failure), Some(proxy)) if status(&failure) == Some(PROXY_AUTHENTICATION_REQUIRED) => {
            *proxy = Check::failed("proxy", &failure);
            checks.push(Check::skipped("connection", "see proxy"));
        }
        (connection, _) => checks.push(Check::of("connection", connection)?),
    }
    checks.push(clock);
    Ok((checks, refused_key))
}

fn status(failure: &Failure) -> Option<u16> {
    failure.service.as_ref()?.status
}

/// Reports the proxy in use, or why there is none. The check fails if the proxy is unreachable.
async fn proxy(service: &Service, network: &NetworkOptions, stop: &Stop) -> Result<Check, Failure> {
    let proxy = match ProxyInUse::find(service, network) {
        Ok(Some(proxy)) => proxy,
        Ok(None) => return Ok(Check::ok("proxy", ProxyInUse::no_proxy_reason(service, network))),
        Err(failure) => return Check::of("proxy", Err(failure)),
    };
    let found = tokio::select! {
        found = proxy.check(network.timeout) => found,
        kind = stop.wait() => return Err(Stop::failure(kind, None)),
    };
    Check::of("proxy", found.map(|()| format!("in use: {} from {}", proxy.address, proxy.source)))
}

fn certificates(service: &Service, network: &NetworkOptions) -> Result<Check, Failure> {
    let ca_file = network.ca_file.as_deref();
    if !service.base_url.starts_with("http://") {
        return Check::of("certificates", trusted_roots(ca_file));
    }
    // Check the file even though plain HTTP does not use it.
    match ca_file.map(ca_certificates).transpose() {
        Ok(_) => Ok(Check::skipped("certificates", "the connection is not encrypted")),
        Err(failure) => Check::of("certificates", Err(failure)),
    }
}

/// Sends a free request, without a key if there is none. Also returns the server's refusal, if any.
async fn probe(options: ClientOptions, has_key: bool) -> Result<(ProbeAnswer, Option<Failure>), Failure> {
    let client = Client::new(options)?;
    let key = has_key.then_some(KeyKind::Account);
    let request = Request { key, ..probe_request(KeyKind::Account)? };
    let started = Instant::now();
    let answer = client.exchange(&request).await?;
    let (took, received) = (started.elapsed(), SystemTime::now());
    let refusal = (!answer.is_success()).then(|| client.refused(&request, &answer));
    Ok((ProbeAnswer { answer, took, received }, refusal))
}

/// Returns the result of the connection check. An answer about a wrong or missing key also proves the connection.
fn connection(
    config: &Config,
    service: &Service,
    probe: &ProbeAnswer,
    refusal: Option<Failure>,
    has_key: bool,
) -> Result<String, Failure> {
    let took = grouped(probe.took.as_millis());
    match refusal {
        Some(refusal) if refusal.kind == Kind::Key => {
            Ok(format!("answered in {took} ms, and {}", if has_key { "rejects the key" } else { "requires a key" }))
        }
        Some(refusal) if matches!(probe.answer.status, 404 | 405 | 410) => {
            let (address, source) = (&service.base_url, config.service_source());
            Err(refusal.hint(format!("check the server address {address} and its path, from {source}")))
        }
        Some(refusal) => Err(refusal),
        None => {
            check_probe_answer(KeyKind::Account, &probe.answer, service.shown_address())?;
            let what = if has_key { ", and accepts the key" } else { "; no key was sent" };
            Ok(format!("answered in {took} ms{what}"))
        }
    }
}

/// Clock difference above which certificates may be rejected and dates misjudged.
const TOLERANCE: Duration = Duration::from_secs(300);

/// Compares the `Date` header with this machine's clock when the response arrived. `took` is the duration of the request.
fn clock_check(answer: &Answer, took: Duration, received: SystemTime) -> Check {
    let date = answer.headers.get("date").and_then(|date| httpdate::parse_http_date(date.to_str().ok()?).ok());
    let Some(date) = date else { return Check::skipped("clock", "the answer has no date") };
    let (apart, how) = match received.duration_since(date) {
        Ok(ahead) => (ahead, "ahead of"),
        Err(behind) => (behind.duration(), "behind"),
    };
    // `Date` has whole seconds, and the response took time to arrive.
    if apart <= took + Duration::from_secs(2) {
        return Check::ok("clock", "same as the server's");
    }
    let text = format!("this clock is {} {how} the server's", rounded_duration(apart));
    if apart <= TOLERANCE {
        return Check::ok("clock", text);
    }
    let failure = Failure::new(Kind::Internal, text);
    Check::failed(
        "clock",
        &failure.hint("check the clock of this machine (`date -u`); if it is right, the server's clock is wrong"),
    )
}

/// Formats a duration in the unit people would use, rounded to a whole number.
fn rounded_duration(time: Duration) -> String {
    let seconds = time.as_secs();
    let (size, unit) = match seconds {
        0..120 => (1, "second"),
        120..7_200 => (60, "minute"),
        7_200..172_800 => (3_600, "hour"),
        _ => (86_400, "day"),
    };
    counted((seconds + size / 2) / size, unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_a_difference_to_a_readable_unit() {
        for (seconds, text) in [
            (1, "1 second"),
            (119, "119 seconds"),
            (120, "2 minutes"),
            (3_540, "59 minutes"),
            (3_599, "60 minutes"),
            (7_199, "120 minutes"),
            (7_200, "2 hours"),
            (172_800, "2 days"),
            (1_000_000, "12 days"),
        ] {
            assert_eq!(rounded_duration(Duration::from_secs(seconds)), text);
        }
    }
}
