//! `/v3/voice/realtime`: sessions with one-time tokens, and the WebSocket streams that the tokens open. Also spoken
//! terms.
//!
//! Input: session requests and audio. Output: tokens, transcripts, translations and speech. Parameters and tokens are
//! stored; the progress of a stream is only kept in memory, because a stream ends with the process. See
//! docs/service.md, "Voice".

pub(crate) mod audio_meter;
mod client_socket;
pub(crate) mod framing;
mod live_sessions;
mod parameters;
mod session_store;
pub(super) mod speech;
mod stream;
mod terms;
pub(super) mod transcript;
mod updates;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use axum::routing::get;
use hyper_util::rt::TokioIo;
use serde::Serialize;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::Role;

use parameters::StartSessionBody;

use crate::addresses::PublicAddress;
use crate::app::App;
use crate::auth::Caller;
use crate::options::ServiceRules;
use crate::query::QueryParams;
use crate::reply::{self, Refusal};
use crate::routes::json_body::JsonBody;
use crate::routes::translate::read_reporting_tag;
use crate::sessions::{SessionName, Sessions};

pub(super) fn routes() -> Router<Sessions> {
    Router::new()
        .route("/v3/voice/realtime", get(reconnect).post(start))
        .route("/v3/voice/realtime/connect", get(connect))
        .merge(terms::routes())
}

#[derive(Serialize)]
struct SessionAnswer {
    streaming_url: String,
    token: String,
    session_id: String,
}

async fn start(
    caller: Caller,
    app: App,
    address: PublicAddress,
    headers: HeaderMap,
    JsonBody(body): JsonBody<StartSessionBody>,
) -> Result<Response, Refusal> {
    let mut parameters = body.check(&app)?;
    if app.options.rules == ServiceRules::Public {
        parameters.tag = read_reporting_tag(&headers)?;
    }
    let (session_id, token) = session_store::create(&app, &caller, &parameters)?;
    Ok(session_answer(&address, session_id, token))
}

/// Exchanges a token for a new one.
async fn reconnect(caller: Caller, app: App, address: PublicAddress, uri: Uri) -> Result<Response, Refusal> {
    let query = QueryParams::parse(&uri)?;
    let token = read_token(&query)?;
    let (session_id, token) = session_store::renew(&app, &caller, token)?;
    live_sessions::disconnect(&session_id);
    Ok(session_answer(&address, session_id, token))
}

fn read_token(query: &QueryParams) -> Result<&str, Refusal> {
    query.get("token").ok_or_else(|| Refusal::bad_request("Parameter 'token' is missing."))
}

fn session_answer(address: &PublicAddress, session_id: String, token: String) -> Response {
    let streaming_url = address.websocket_url("/v3/voice/realtime/connect");
    reply::json(StatusCode::OK, &SessionAnswer { streaming_url, token, session_id })
}

/// Requires only the token, no API key.
async fn connect(State(sessions): State<Sessions>, mut request: Request) -> Result<Response, Refusal> {
    let response = create_response_with_body(&request, Body::empty)
        .map_err(|_| Refusal::bad_request("This address takes WebSocket connections only."))?;
    let query = QueryParams::parse(request.uri())?;
    let token = read_token(&query)?;
    // Clients send no session header here, so the token contains the session.
    let app = sessions.get(&SessionName::of_token(token))?;
    let session = session_store::open(&app, token)?;
    let upgrade = hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        // An error means that the client has disconnected.
        if let Ok(connection) = upgrade.await {
            let socket = WebSocketStream::from_raw_socket(TokioIo::new(connection), Role::Server, None).await;
            stream::run(app, session, socket).await;
        }
    });
    Ok(response)
}
