//! A server for one row: it plays the recorded answers, except to one request, at which the fault happens.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::recording::{Exchange, identity, opened_socket};

/// What happens to a request.
#[derive(Clone, Copy)]
pub enum Act {
    /// These bytes are the answer; then the connection ends. The function gets the right answer.
    Answer(fn(&Faulted) -> Vec<u8>),
    /// The same, but then the connection is reset.
    Reset(fn(&Faulted) -> Vec<u8>),
    /// These bytes, then nothing, until the client leaves.
    Hold(fn(&Faulted) -> Vec<u8>),
    /// These bytes, then a space every 20 ms, this many.
    Trickle(fn(&Faulted) -> Vec<u8>, usize),
    /// These bytes, then blocks of a megabyte of spaces, this many.
    Flood(fn(&Faulted) -> Vec<u8>, usize),
    /// Nobody listens any more.
    Refuse,
}

/// A request at which the fault happens.
pub struct Faulted<'a> {
    /// The right answer.
    pub right: &'a [u8],
    /// The secrets that the client has sent.
    pub secrets: Vec<&'a str>,
}

/// What a server does.
pub struct Script {
    pub exchanges: &'static [Exchange],
    /// The address in the recorded answers, which is replaced by that of this server.
    pub recorded_address: &'static str,
    /// The position of the first request at which the fault happens.
    pub faulted: usize,
    pub act: Act,
    /// How often the fault happens to this request, before it is answered rightly.
    pub times: usize,
    /// Everything that is secret.
    pub secrets: Vec<String>,
}

/// A received request.
#[derive(Clone)]
pub struct Seen {
    pub identity: String,
    pub is_faulted: bool,
    pub at: Instant,
}

/// A running server.
pub struct FaultServer {
    pub address: SocketAddr,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
    /// Keeps the port when nobody listens any more.
    _port: tokio::net::TcpSocket,
}

struct Shared {
    script: Script,
    address: SocketAddr,
    seen: Mutex<Vec<Seen>>,
    stopped: AtomicBool,
}

impl FaultServer {
    /// Starts a server on a free port.
    pub fn start(script: Script) -> Self {
        let port = tokio::net::TcpSocket::new_v4().expect("a socket");
        port.set_reuseaddr(true).expect("a shared port");
        port.bind("127.0.0.1:0".parse().expect("an address")).expect("a port");
        let address = port.local_addr().expect("its address");
        let is_refused = matches!(script.act, Act::Refuse);
        // The requests before the fault are answered one by one, so that the port closes in time.
        let accepted = if is_refused { script.faulted } else { usize::MAX };
        let listener = (accepted > 0).then(|| TcpListener::bind(address).expect("the port"));
        let stopped = AtomicBool::new(false);
        let shared = Arc::new(Shared { script, address, seen: Mutex::default(), stopped });
        let listening = listener.map(|listener| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || shared.listen(listener, accepted, is_refused))
        });
        Self { address, shared, listening, _port: port }
    }

    /// Ends the server and returns what it received.
    pub fn finish(mut self) -> Vec<Seen> {
        self.shared.stopped.store(true, Ordering::SeqCst);
        if let Some(listening) = self.listening.take() {
            let _ = TcpStream::connect(self.address);
            listening.join().expect("the server");
        }
        self.shared.seen.lock().expect("the requests").clone()
    }
}

impl Shared {
    fn listen(self: Arc<Self>, listener: TcpListener, accepted: usize, one_by_one: bool) {
        let mut listener = Some(listener);
        for number in 1..=accepted {
            let Some((stream, _)) = listener.as_ref().and_then(|listener| listener.accept().ok()) else { return };
            if self.stopped.load(Ordering::SeqCst) {
                return;
            }
            if one_by_one {
                let request = Incoming::read(stream);
                if number == accepted {
                    listener = None;
                }
                request.into_iter().for_each(|request| self.handle(request));
            } else {
                let shared = Arc::clone(&self);
                std::thread::spawn(move || Incoming::read(stream).into_iter().for_each(|r| shared.handle(r)));
            }
        }
    }

    fn handle(&self, mut incoming: Incoming) {
        let request = std::mem::take(&mut incoming.request);
        let identity = identity(&request);
        let script = &self.script;
        let wanted = &script.exchanges[script.faulted].identity;
        let is_faulted;
        let right = {
            let mut seen = self.seen.lock().expect("the requests");
            let earlier = seen.iter().filter(|earlier| earlier.identity == identity);
            let number = earlier.clone().count();
            let faults = earlier.filter(|earlier| earlier.is_faulted).count();
            is_faulted = *wanted == identity && faults < script.times;
            seen.push(Seen { identity: identity.clone(), is_faulted, at: Instant::now() });
            self.right_answer(&request, &identity, number - faults)
        };
        if !is_faulted {
            incoming.answer(&right);
            return;
        }
        let secrets = script.secrets.iter().map(String::as_str).filter(|secret| request.contains(secret)).collect();
        incoming.fail(script.act, &Faulted { right: &right, secrets });
    }

    /// The recorded answer to a request, the last one if it is asked more often.
    fn right_answer(&self, request: &str, identity: &str, number: usize) -> Vec<u8> {
        let same = || self.script.exchanges.iter().filter(|exchange| exchange.identity == identity);
        let Some(exchange) = same().nth(number).or_else(|| same().last()) else {
            return b"HTTP/1.1 599 Not Recorded\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec();
        };
        if exchange.operation.0 == "SOCKET" {
            return opened_socket(request);
        }
        relocated(&exchange.answer, self.script.recorded_address, &self.address.to_string())
    }
}

/// An answer with another address in its body.
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

/// A connection whose request was read, except for its last byte: closing it now would reset the connection.
struct Incoming {
    stream: TcpStream,
    request: String,
}

impl Incoming {
    /// Reads a request with a Content-Length, or without a body.
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

    /// Sends the whole answer.
    fn answer(mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes);
        self.end();
    }

    /// Closes the connection without a reset: what the client still sends is read.
    fn end(mut self) {
        let _ = self.stream.shutdown(Shutdown::Write);
        let _ = std::io::copy(&mut self.stream, &mut std::io::sink());
    }

    fn fail(mut self, act: Act, faulted: &Faulted) {
        match act {
            Act::Answer(bytes) => self.answer(&bytes(faulted)),
            Act::Reset(bytes) => {
                let _ = self.stream.write_all(&bytes(faulted));
                // Dropped with a byte unread.
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
