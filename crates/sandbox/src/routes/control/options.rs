//! `GET|PATCH /_sandbox/options`: the options of a session, under the names of the settings. `null` restores the value that the
//! sandbox was started with; a reset restores all options.

use std::time::Duration;

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::{named_session, parameters};
use crate::duration::parse_duration;
use crate::faults::FaultRule;
use crate::options::SandboxOptions;
use crate::reply::{self, Refusal};
use crate::routes::json_body::JsonBody;
use crate::sessions::{SessionName, Sessions};

const NAMES: [&str; 14] = [
    "service",
    "engine",
    "latency",
    "document_queue",
    "document_translate",
    "glossary_ready_delay",
    "memory_job_polls",
    "fault",
    "seed",
    "rate_limit",
    "character_limit",
    "document_limit",
    "team_document_limit",
    "strict",
];

pub(super) async fn show(State(sessions): State<Sessions>, parts: Parts) -> Result<Response, Refusal> {
    Ok(reply::ok(&options_json(&sessions.options_of(&session_of(&parts)?))))
}

pub(super) async fn change(
    State(sessions): State<Sessions>,
    parts: Parts,
    JsonBody(changes): JsonBody<Map<String, Value>>,
) -> Result<Response, Refusal> {
    let app = sessions.change_options(&session_of(&parts)?, |options, of_server| {
        changes.iter().try_for_each(|(name, value)| set(options, of_server, name, value))
    })?;
    Ok(reply::ok(&options_json(&app.options)))
}

fn session_of(parts: &Parts) -> Result<SessionName, Refusal> {
    let query = parameters(parts, &["session"])?;
    Ok(named_session(parts, &query)?.unwrap_or_default())
}

/// Returns the options in the format that `PATCH` accepts.
fn options_json(options: &SandboxOptions) -> Value {
    let ms = |time: Duration| format!("{}ms", time.as_millis());
    json!({
        "service": options.rules,
        "engine": options.engine,
        "latency": options.latency,
        "document_queue": ms(options.document_queue),
        "document_translate": ms(options.document_translate),
        "glossary_ready_delay": ms(options.glossary_ready_delay),
        "memory_job_polls": options.memory_job_polls,
        "fault": options.faults,
        "seed": options.seed,
        "rate_limit": options.rate_limit,
        "character_limit": options.character_limit,
        "document_limit": options.document_limit,
        "team_document_limit": options.team_document_limit,
        "strict": options.strict,
    })
}

fn set(options: &mut SandboxOptions, of_server: &SandboxOptions, name: &str, value: &Value) -> Result<(), Refusal> {
    let result = match name {
        "service" => assign(&mut options.rules, of_server.rules, value, str::parse),
        "engine" => assign(&mut options.engine, of_server.engine, value, str::parse),
        "latency" => assign(&mut options.latency, of_server.latency, value, str::parse),
        "document_queue" => assign(&mut options.document_queue, of_server.document_queue, value, parse_duration),
        "document_translate" => {
            assign(&mut options.document_translate, of_server.document_translate, value, parse_duration)
        }
        "glossary_ready_delay" => {
            assign(&mut options.glossary_ready_delay, of_server.glossary_ready_delay, value, parse_duration)
        }
        "memory_job_polls" => {
            assign(&mut options.memory_job_polls, of_server.memory_job_polls, value, parse_whole_number)
        }
        "fault" => parse_faults(value, of_server).map(|faults| options.faults = faults),
        "seed" => assign(&mut options.seed, of_server.seed, value, parse_number),
        "rate_limit" => assign(&mut options.rate_limit, of_server.rate_limit, value, parse_rate),
        "character_limit" => assign(&mut options.character_limit, of_server.character_limit, value, parse_number),
        "document_limit" => assign(&mut options.document_limit, of_server.document_limit, value, parse_number),
        "team_document_limit" => {
            assign(&mut options.team_document_limit, of_server.team_document_limit, value, parse_number)
        }
        "strict" => parse_switch(value, of_server.strict).map(|strict| options.strict = strict),
        _ => {
            let known = format!("options of a session: {}", NAMES.join(", "));
            return Err(Refusal::bad_request(format!("Option '{name}' not supported.")).detail(known));
        }
    };
    result.map_err(|why| Refusal::bad_request(format!("Value for '{name}' not supported.")).detail(why))
}

/// Parses an option given as text or number, and sets it.
fn assign<T, E: Into<String>>(
    option: &mut T,
    of_server: T,
    value: &Value,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<(), String> {
    let parse = |text: &str| parse(text).map_err(E::into);
    *option = match value {
        Value::Null => of_server,
        Value::String(text) => parse(text)?,
        Value::Number(number) => parse(&number.to_string())?,
        _ => return Err("it must be text, a number or null".to_owned()),
    };
    Ok(())
}

fn parse_switch(value: &Value, of_server: bool) -> Result<bool, String> {
    if value.is_null() {
        return Ok(of_server);
    }
    value.as_bool().ok_or_else(|| "it must be true or false".to_owned())
}

fn parse_whole_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("'{text}' is not a whole number"))
}

fn parse_number(text: &str) -> Result<Option<u64>, String> {
    parse_whole_number(text).map(Some)
}

fn parse_rate(text: &str) -> Result<Option<f64>, String> {
    let rate = text.strip_suffix("/s").unwrap_or(text).parse().ok();
    let rate = rate.filter(|rate: &f64| rate.is_finite() && *rate > 0.0);
    rate.map(Some).ok_or_else(|| format!("'{text}' is not a rate: write 5/s"))
}

/// Parses one fault or a list of faults.
fn parse_faults(value: &Value, of_server: &SandboxOptions) -> Result<Vec<FaultRule>, String> {
    let parse = |fault: &Value| -> Result<FaultRule, String> {
        Ok(fault.as_str().ok_or("a fault must be text")?.parse::<FaultRule>()?)
    };
    match value {
        Value::Null => Ok(of_server.faults.clone()),
        Value::Array(faults) => faults.iter().map(parse).collect(),
        one => parse(one).map(|fault| vec![fault]),
    }
}
