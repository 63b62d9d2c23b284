//! Real-time voice: sessions with one-time tokens, and the stream itself.
//!
//! A session's parameters and tokens are kept like any object; how far its stream is lives in memory, since a stream
//! ends with the process. Spec: "Voice".

mod live;
mod measure;
mod pace;
mod script;
mod session;
mod sound;
mod stream;
mod wire;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Serialize;

use crate::sandbox::app::App;
use crate::sandbox::body;
use crate::sandbox::caller::Caller;
use crate::sandbox::query::QueryParams;
use crate::sandbox::reply::{self, Refusal};

/// The routes of this resource.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/v3/voice/realtime", get(reconnect).post(request))
        .route("/v3/voice/realtime/connect", get(connect))
}

#[derive(Serialize)]
struct Answer {
    streaming_url: String,
    token: String,
    session_id: String,
}

/// `POST /v3/voice/realtime`
async fn request(
    caller: Caller,
    State(app): State<App>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<Response, Refusal> {
    let asked: session::Asked = body::json(&headers, &bytes)?;
    let config = asked.check(&app)?;
    let (session_id, token) = session::create(&app, &caller, &config)?;
    answer(&headers, session_id, token)
}

/// `GET /v3/voice/realtime`
async fn reconnect(caller: Caller, State(app): State<App>, headers: HeaderMap, uri: Uri) -> Result<Response, Refusal> {
    let pairs = QueryParams::parse(&uri)?;
    let token = pairs.get("token").ok_or_else(|| Refusal::bad("Parameter 'token' is missing."))?;
    let (session_id, token) = session::renew(&app, &caller, token)?;
    live::kick(&session_id);
    answer(&headers, session_id, token)
}

fn answer(headers: &HeaderMap, session_id: String, token: String) -> Result<Response, Refusal> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let host = host.ok_or_else(|| Refusal::bad("The Host header is missing."))?;
    let streaming_url = format!("ws://{host}/v3/voice/realtime/connect");
    Ok(reply::json(StatusCode::OK, &Answer { streaming_url, token, session_id }))
}

/// `GET /v3/voice/realtime/connect`: becomes the stream. The token is all that is asked for.
async fn connect(
    State(app): State<App>,
    uri: Uri,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade = upgrade.map_err(|_| Refusal::bad("This address takes WebSocket connections only."))?;
    let pairs = QueryParams::parse(&uri)?;
    let token = pairs.get("token").ok_or_else(|| Refusal::bad("Parameter 'token' is missing."))?;
    let open = session::open(&app, token)?;
    Ok(upgrade.on_upgrade(move |socket| stream::run(app, open, socket)).into_response())
}
