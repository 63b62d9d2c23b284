//! Server of one row: replays the recorded answers, except to the faulted request.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::recording::{Exchange, identity, opened_socket};

#[derive(Clone, Copy)]
pub enum Act {
    /// Sends these bytes and closes the connection. The function gets the right answer.
    Answer(fn(&Faulted) -> Vec<u8>),
    /// Sends these bytes and resets the connection.
    Reset(fn(&Faulted) -> Vec<u8>),
    /// Sends these bytes, then nothing until the client disconnects.
    Hold(fn(&Faulted) -> Vec<u8>),
    /// Sends these bytes, then this many spaces, one every 20 ms.
    Trickle(fn(&Faulted) -> Vec<u8>, usize),
    /// Sends these bytes, then this many blocks of 1 MiB of spaces.
    Flood(fn(&Faulted) -> Vec<u8>, usize),
    /// Stops listening.
    Refuse,
}

pub struct Faulted<'a> {
    pub is_first: bool,
    pub right: &'a [u8],
    pub secrets: Vec<&'a str>,
}

pub struct Script {
    pub exchanges: &'static [Exchange],
    /// Address in the recorded answers; replaced with the address of this server.
    pub recorded_address: &'static str,
    /// Index of the first faulted request.
    pub faulted: usize,
    pub act: Act,
    /// How often the fault happens before the right answer is sent.
    pub times: usize,
    pub secrets: Vec<String>,
}

#[derive(Clone)]
pub struct Seen {
    pub identity: String,
    pub is_faulted: bool,
    pub at: Instant,
}

pub struct FaultServer {
    pub address: SocketAddr,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
    /// Reserves the port of a server that never listens.
    _port: Option<tokio::net::TcpSocket>,
}

struct Shared {
    script: Script,
    address: SocketAddr,
    seen: Mutex<Vec<Seen>>,
    stopped: AtomicBool,
}

/// Tries ports until one is free. The system assigns none of them, because they are below the ephemeral range, so no other process can
/// answer on a port that this test reserves without listening.
fn on_reserved_port<T>(bind: impl Fn(SocketAddr) -> std::io::Result<T>) -> T {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    for _ in 0..1000 {
        let number = std::process::id().wrapping_mul(97).wrapping_add(NEXT.fetch_add(1, Ordering::SeqCst));
        let port = 10_000 + u16::try_from(number % 20_000).expect("a port");
        if let Ok(bound) = bind(SocketAddr::from(([127, 0, 0, 1], port))) {
            return bound;
        }
    }
    panic!("no port is free");
}

impl FaultServer {
    pub fn start(script: Script) -> Self {
        let is_refused = matches!(script.act, Act::Refuse);
        // The requests before the fault are answered one by one, so that the port closes in time.
        let accepted = if is_refused { script.faulted } else { usize::MAX };
        let (mut port, mut listener) = (None, None);
        if accepted == 0 {
            let bind = |address| {
                let socket = tokio::net::TcpSocket::new_v4()?;
                socket.bind(address).map(|()| socket)
            };
            port = Some(on_reserved_port(bind));
        } else if is_refused {
            listener = Some(on_reserved_port(TcpListener::bind));
        } else {
            listener = Some(TcpListener::bind("127.0.0.1:0").expect("a port"));
        }
        let of_listener = listener.as_ref().map(|listener| listener.local_addr().expect("its address"));
        let of_port = port.as_ref().map(|port| port.local_addr().expect("its address"));
        let address = of_listener.or(of_port).expect("an address");
        let stopped = AtomicBool::new(false);
        let shared = Arc::new(Shared { script, address, seen: Mutex::default(), stopped });
        let listening = listener.map(|listener| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || shared.listen(&listener, accepted))
        });
        Self { address, shared, listening, _port: port }
    }

    pub fn finish(mut self) -> Vec<Seen> {
        self.shared.stopped.store(true, Ordering::SeqCst);
        if let Some(listening) = self.listening.take() {
            listening.thread().unpark();
            let _ = TcpStream::connect(self.address);
            listening.join().expect("the server");
        }
        self.shared.seen.lock().expect("the requests").clone()
    }
}

/// Stops listening but keeps the port. Closing the socket is not enough: a child process of another thread may have inherited it.
fn stop_listening(listener: &TcpListener) {
    let copy = TcpStream::from(OwnedFd::from(listener.try_clone().expect("a copy")));
    copy.shutdown(Shutdown::Read).expect("the listener stops");
}

impl Shared {
    fn listen(self: Arc<Self>, listener: &TcpListener, accepted: usize) {
        for number in 1.. {
            let Ok((stream, _)) = listener.accept() else { return };
            if self.stopped.load(Ordering::SeqCst) {
                return;
            }
            if accepted == usize::MAX {
                let shared = Arc::clone(&self);
                std::thread::spawn(move || Incoming::read(stream).into_iter().for_each(|r| shared.handle(r)));
                continue;
            }
            let incoming = Incoming::read(stream);
            let reserved_port = (number == accepted).then(|| stop_listening(listener));
            if let Some(incoming) = incoming {
                self.handle(incoming);
            }
            if reserved_port.is_some() {
                while !self.stopped.load(Ordering::SeqCst) {
                    std::thread::park_timeout(Duration::from_millis(100));
                }
                return;
            }
        }
    }

    fn handle(&self, mut incoming: Incoming) {
        let request = std::mem::take(&mut incoming.request);
        let identity = identity(&request);
        let script = &self.script;
        let wanted = &script.exchanges[script.faulted].identity;
        let (is_faulted, is_first);
        let right = {
            let mut seen = self.seen.lock().expect("the requests");
            let earlier = seen.iter().filter(|earlier| earlier.identity == identity);
            let number = earlier.clone().count();
            let faults = earlier.filter(|earlier| earlier.is_faulted).count();
            is_faulted = *wanted == identity && faults < script.times;
            is_first = faults == 0;
            seen.push(Seen { identity: identity.clone(), is_faulted, at: Instant::now() });
            self.right_answer(&request, &identity, number - faults)
        };
        if !is_faulted {
            incoming.answer(&right);
            return;
        }
        let secrets = script.secrets.iter().map(String::as_str).filter(|secret| request.contains(secret)).collect();
        incoming.fail(script.act, &Faulted { is_first, right: &right, secrets });
    }

    /// A request that is repeated more often than in the recording gets the last answer again.
    fn right_answer(&self, request: &str, identity: &str, number: usize) -> Vec<u8> {
        let same = || self.script.exchanges.iter().filter(|exchange| exchange.identity == identity);
        let Some(exchange) = same().nth(number).or_else(|| same().next_back()) else {
            return b"HTTP/1.1 599 Not Recorded\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec();
        };
        if exchange.operation.0 == "SOCKET" {
            return opened_socket(request);
        }
        relocated(&exchange.answer, self.script.recorded_address, &self.address.to_string())
    }
}

fn relocated(answer: &[u8], from: &str, to: &str) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(answer) else { return answer.to_vec() };
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    if !body.contains(from) {
        return answer.to_vec();
    }
    let (old, body) = (body.len(), body.replace(from, to));
    let head = head.replace(&format!("content-length: {old}"), &format!("content-length: {}", body.len()));
    format!("{head}\r\n\r\n{body}").into_bytes()
}

/// A connection whose request was read except for its last byte: closing it now resets the connection.
struct Incoming {
    stream: TcpStream,
    request: String,
}

impl Incoming {
    /// Reads a request with a Content-Length or without a body.
    fn read(mut stream: TcpStream) -> Option<Self> {
        let (mut bytes, mut byte) = (Vec::new(), [0]);
        while !bytes.ends_with(b"\r\n\r") {
            stream.read_exact(&mut byte).ok()?;
            bytes.push(byte[0]);
        }
        let head = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        assert!(!head.contains("transfer-encoding"), "no request of the matrix is chunked");
        let length = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.trim().parse().ok());
        let mut rest = vec![0; length.unwrap_or(0)];
        stream.read_exact(&mut rest).ok()?;
        bytes.append(&mut rest);
        if stream.peek(&mut byte).ok()? == 0 {
            return None;
        }
        bytes.push(byte[0]);
        Some(Self { stream, request: String::from_utf8_lossy(&bytes).into_owned() })
    }

    fn answer(mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes);
        self.end();
    }

    /// Closes the connection without a reset by reading what the client still sends.
    fn end(mut self) {
        let _ = self.stream.shutdown(Shutdown::Write);
        let _ = std::io::copy(&mut self.stream, &mut std::io::sink());
    }

    fn fail(mut self, act: Act, faulted: &Faulted) {
        match act {
            Act::Answer(bytes) => self.answer(&bytes(faulted)),
            Act::Reset(bytes) => {
                let _ = self.stream.write_all(&bytes(faulted));
                // Dropped with an unread byte, which resets the connection.
            }
            Act::Hold(bytes) => {
                let _ = self.stream.write_all(&bytes(faulted));
                let _ = std::io::copy(&mut self.stream, &mut std::io::sink());
            }
            Act::Trickle(bytes, count) => {
                let _ = self.stream.write_all(&bytes(faulted));
                let _ = (0..count).try_for_each(|_| {
                    std::thread::sleep(Duration::from_millis(20));
                    self.stream.write_all(b" ")
                });
                self.end();
            }
            Act::Flood(head, megabytes) => {
                let block = vec![b' '; 1024 * 1024];
                let _ = self.stream.write_all(&head(faulted));
                let _ = (0..megabytes).try_for_each(|_| self.stream.write_all(&block));
                self.end();
            }
            Act::Refuse => {}
        }
    }
}
