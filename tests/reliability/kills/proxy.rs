//! A proxy in front of the sandbox that counts and records requests and kills the client at a given request.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::Child;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::scripted::read_request;
use crate::common::wait_until;

/// The request with which [`Proxy::settle`] flushes the queue of connections.
const PING: &str = "PING\r\n\r\n";

pub type SharedChild = Arc<Mutex<Child>>;

/// Progress of a request at the moment of the kill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestPhase {
    /// The service has not received it.
    Arrived,
    /// The service has answered, but the client has received nothing.
    Answered,
    /// The client has received half of the answer.
    HalfDelivered,
    /// The client has received the answer.
    Delivered,
}

/// When the proxy kills the client.
#[derive(Clone, Debug)]
pub struct Trap {
    /// Number of the request, from 1.
    pub number: usize,
    pub phase: RequestPhase,
    /// Delay between that phase and the kill.
    pub pause: Duration,
}

#[derive(Clone, Debug)]
pub struct Exchange {
    pub operation: String,
    /// Head and body.
    pub request: String,
    pub status: u16,
    /// Whether the complete answer was sent to the client.
    pub delivered: bool,
    /// Run of the client that sent it, from 1.
    pub run: usize,
}

impl Exchange {
    /// Returns the texts of a translation request, each with its language.
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
    arrived: usize,
    run: usize,
    pings: usize,
    trap: Option<(Trap, SharedChild)>,
    exchanges: Vec<Exchange>,
}

pub struct Proxy {
    pub url: String,
    open_connections: Arc<AtomicUsize>,
    state: Arc<Mutex<ProxyState>>,
}

impl Proxy {
    /// `server` is an address such as `127.0.0.1:80`.
    pub fn start(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("its address"));
        let proxy = Self { url, open_connections: Arc::default(), state: Arc::default() };
        let (open_connections, state) = (proxy.open_connections.clone(), proxy.state.clone());
        let server = server.to_owned();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                open_connections.fetch_add(1, Ordering::SeqCst);
                let (open_connections, state, server) = (open_connections.clone(), state.clone(), server.clone());
                std::thread::spawn(move || {
                    let _ = handle(stream, &state, &server);
                    open_connections.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        proxy
    }

    pub fn begin_run(&self) -> usize {
        let mut state = self.state.lock().unwrap();
        state.arrived = 0;
        state.run += 1;
        state.trap = None;
        state.run
    }

    /// Sets when the client is killed. Requests that arrived earlier do not count.
    pub fn arm(&self, trap: Trap, child: SharedChild) {
        self.state.lock().unwrap().trap = Some((trap, child));
    }

    /// Waits until all connections of earlier clients are closed, so none of their requests arrives later.
    pub fn settle(&self) {
        let before = self.state.lock().unwrap().pings;
        let mut own = TcpStream::connect(self.url.trim_start_matches("http://")).expect("a connection");
        own.write_all(PING.as_bytes()).expect("a ping");
        // Connections are accepted in order, so those of the clients come before this one.
        wait_until("the proxy", || self.state.lock().unwrap().pings > before);
        drop(own);
        wait_until("the end of all connections", || self.open_connections.load(Ordering::SeqCst) == 0);
    }

    pub fn arrived(&self) -> usize {
        self.state.lock().unwrap().arrived
    }

    /// Returns the answered requests since the last call of [`Self::forget`].
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.state.lock().unwrap().exchanges.clone()
    }

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
