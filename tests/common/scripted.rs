//! A server with scripted answers, for bytes that the sandbox would never send.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A server on loopback that runs until it is dropped.
pub struct ScriptedServer {
    pub url: String,
    received: Arc<Mutex<Vec<String>>>,
}

impl ScriptedServer {
    /// `answer` gets head and body of each request and returns the raw response.
    pub fn start(answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self::with_stream(move |request, stream| {
            let _ = stream.write_all(&answer(request));
        })
    }

    /// Passes each connection to `serve` after reading one request.
    pub fn with_stream(serve: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("its address"));
        let received = Arc::new(Mutex::new(Vec::new()));
        let (requests, serve) = (Arc::clone(&received), Arc::new(serve));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (requests, serve) = (Arc::clone(&requests), Arc::clone(&serve));
                std::thread::spawn(move || handle(stream, &requests, &*serve));
            }
        });
        Self { url, received }
    }

    pub fn requests(&self) -> Vec<String> {
        self.received.lock().expect("the requests").clone()
    }
}

fn handle(mut stream: TcpStream, requests: &Mutex<Vec<String>>, serve: &dyn Fn(&str, &mut TcpStream)) {
    let Some(request) = read_request(&mut stream) else { return };
    requests.lock().expect("the requests").push(request.clone());
    serve(&request, &mut stream);
    let _ = stream.shutdown(Shutdown::Write);
    // Read to the end: closing with unread bytes would reset the connection and lose the answer.
    let _ = std::io::copy(&mut stream, &mut std::io::sink());
}

pub fn read_request(stream: &mut TcpStream) -> Option<String> {
    let (mut bytes, mut buffer) = (Vec::new(), vec![0; 65536]);
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let lower = head.to_ascii_lowercase();
            let length = lower.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.parse().ok());
            let is_chunked = lower.contains("transfer-encoding: chunked");
            let head_len = head.len() + 4;
            if if is_chunked { body.ends_with("0\r\n\r\n") } else { bytes.len() >= head_len + length.unwrap_or(0) } {
                return Some(text.into_owned());
            }
        }
        match stream.read(&mut buffer) {
            Ok(count) if count > 0 => bytes.extend_from_slice(&buffer[..count]),
            _ => return None,
        }
    }
}

/// `headers` are lines without line endings.
pub fn answer(status: u16, headers: &[&str], body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut head = format!("HTTP/1.1 {status} Scripted\r\ncontent-length: {}\r\nconnection: close\r\n", body.len());
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    [head.as_bytes(), b"\r\n", body].concat()
}

pub fn forward_to_sandbox(sandbox: &str, request: &str) -> Vec<u8> {
    if request.to_ascii_lowercase().contains("upgrade: websocket") {
        return answer(503, &[], "");
    }
    let mut stream = TcpStream::connect(sandbox.trim_start_matches("http://")).expect("the sandbox");
    let request = request.replacen("\r\n", "\r\nconnection: close\r\n", 1);
    stream.write_all(request.as_bytes()).expect("the sandbox");
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    bytes
}
