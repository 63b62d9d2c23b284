//! A proxy in front of the sandbox that counts requests, keeps what was sent, and kills the client at a given request.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::Child;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::scripted::read_request;
use crate::common::wait_until;

/// What [`Proxy::settle`] sends.
const PING: &str = "PING\r\n\r\n";

/// A client that is shared with whoever may kill it.
pub type SharedChild = Arc<Mutex<Child>>;

/// What has happened with a request when the client is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestPhase {
    /// The service has not seen it.
    Arrived,
    /// The service has answered it; the client has nothing of the answer.
    Answered,
    /// The client has half of the answer.
    HalfDelivered,
    /// The client has the answer.
    Delivered,
}

/// When the proxy kills the client.
#[derive(Clone, Debug)]
pub struct Trap {
    /// Number of the request, from 1.
    pub number: usize,
    pub phase: RequestPhase,
    /// How long the proxy waits after that.
    pub pause: Duration,
}

/// A request that the service has answered.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// Method and path.
    pub operation: String,
    /// Head and body.
    pub request: String,
    pub status: u16,
    /// Whether the client's side has the whole answer.
    pub delivered: bool,
    /// Which run of the client sent it, from 1.
    pub run: usize,
}

impl Exchange {
    /// Returns the texts of a translation, each with its language.
    pub fn texts(&self) -> Vec<(String, String)> {
        let (_, body) = self.request.split_once("\r\n\r\n").expect("a body");
        let body: serde_json::Value = serde_json::from_str(body).expect("JSON");
        let lang = body["target_lang"].as_str().expect("a language").to_lowercase();
        let texts = body["text"].as_array().expect("texts").iter();
        texts.map(|text| (lang.clone(), text.as_str().expect("a text").to_owned())).collect()
    }
}

#[derive(Default)]
struct ProxyState {
    /// Requests of the current run.
    arrived: usize,
    run: usize,
    pings: usize,
    trap: Option<(Trap, SharedChild)>,
    exchanges: Vec<Exchange>,
}

/// The proxy, until the end of the test.
pub struct Proxy {
    pub url: String,
    /// Number of connections that are not closed yet.
    active: Arc<AtomicUsize>,
    state: Arc<Mutex<ProxyState>>,
}

impl Proxy {
    /// Starts a proxy for the server at an address such as `127.0.0.1:80`.
    pub fn start(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("its address"));
        let proxy = Self { url, active: Arc::default(), state: Arc::default() };
        let (active, state) = (proxy.active.clone(), proxy.state.clone());
        let server = server.to_owned();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                active.fetch_add(1, Ordering::SeqCst);
                let (active, state, server) = (active.clone(), state.clone(), server.clone());
                std::thread::spawn(move || {
                    let _ = handle(stream, &state, &server);
                    active.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        proxy
    }

    /// Begins a run of the client, which is killed at `trap`. Returns its number.
    pub fn begin_run(&self) -> usize {
        let mut state = self.state.lock().unwrap();
        state.arrived = 0;
        state.run += 1;
        state.trap = None;
        state.run
    }

    /// Sets when the client is killed. A request that arrived before does not count.
    pub fn arm(&self, trap: Trap, child: SharedChild) {
        self.state.lock().unwrap().trap = Some((trap, child));
    }

    /// Waits until all connections of earlier clients are closed, so that nothing of them arrives later.
    pub fn settle(&self) {
        let before = self.state.lock().unwrap().pings;
        let mut own = TcpStream::connect(self.url.trim_start_matches("http://")).expect("a connection");
        own.write_all(PING.as_bytes()).expect("a ping");
        // Connections are accepted in order, so those of the clients come before this one.
        wait_until("the proxy", || self.state.lock().unwrap().pings > before);
        drop(own);
        wait_until("the end of all connections", || self.active.load(Ordering::SeqCst) == 0);
    }

    /// Number of requests of the current run that have arrived.
    pub fn arrived(&self) -> usize {
        self.state.lock().unwrap().arrived
    }

    /// Returns the answered requests since the last call of [`Self::forget`].
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.state.lock().unwrap().exchanges.clone()
    }

    /// Forgets requests and runs.
    pub fn forget(&self) {
        *self.state.lock().unwrap() = ProxyState::default();
    }
}

fn handle(mut client: TcpStream, state: &Mutex<ProxyState>, server: &str) -> std::io::Result<()> {
    client.set_nodelay(true)?;
    let Some(request) = read_request(&mut client) else { return Ok(()) };
    if request == PING {
        state.lock().unwrap().pings += 1;
        return Ok(());
    }
    let (trap, run) = {
        let mut state = state.lock().unwrap();
        state.arrived += 1;
        let arrived = state.arrived;
        (state.trap.clone().filter(|(trap, _)| trap.number == arrived), state.run)
    };
    let kill_if = |phase: RequestPhase| {
        let Some((trap, child)) = trap.as_ref().filter(|(trap, _)| trap.phase == phase) else { return false };
        std::thread::sleep(trap.pause);
        let _ = child.lock().unwrap().kill();
        true
    };
    if kill_if(RequestPhase::Arrived) {
        return Ok(());
    }
    let answer = forward(&request, server)?;
    let operation = request.splitn(3, ' ').take(2).collect::<Vec<_>>().join(" ");
    let status = String::from_utf8_lossy(&answer).split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    let number = {
        let exchanges = &mut state.lock().unwrap().exchanges;
        exchanges.push(Exchange { operation, request, status, delivered: false, run });
        exchanges.len() - 1
    };
    if kill_if(RequestPhase::Answered) {
        return Ok(());
    }
    let (first, second) = answer.split_at(answer.len() / 2);
    client.write_all(first)?;
    if kill_if(RequestPhase::HalfDelivered) {
        return Ok(());
    }
    client.write_all(second)?;
    client.shutdown(Shutdown::Write)?;
    if let Some(exchange) = state.lock().unwrap().exchanges.get_mut(number) {
        exchange.delivered = true;
    }
    kill_if(RequestPhase::Delivered);
    // Read to the end: closing with unread bytes would reset the connection and lose the answer.
    std::io::copy(&mut client, &mut std::io::sink()).map(|_| ())
}

/// Sends a request on a connection of its own and returns the whole answer.
fn forward(request: &str, server: &str) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(server)?;
    let (head, body) = request.split_once("\r\n\r\n").unwrap_or((request, ""));
    let is_other = |line: &&str| !line.to_ascii_lowercase().starts_with("connection:");
    let head: Vec<&str> = head.split("\r\n").filter(is_other).collect();
    stream.write_all(format!("{}\r\nconnection: close\r\n\r\n{body}", head.join("\r\n")).as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(answer)
}
