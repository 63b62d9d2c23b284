//! A client that only writes and reads, to measure the maximum speed of the stub.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;

use super::Stub;

/// Sends `requests` requests of `entries` entries, divided among the connections. Each connection sends one at a time.
pub fn raw_client(stub: &Arc<Stub>, connections: u64, requests: u64, entries: u64) {
    let mut body = String::from("{\"text\":[");
    for number in 0..entries {
        let comma = if number == 0 { "" } else { "," };
        let _ = write!(body, "{comma}\"This is line number 12345{number} of a longer text\"");
    }
    body.push_str("],\"target_lang\":\"DE\"}");
    let request = format!("POST /v2/translate HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    std::thread::scope(|scope| {
        for _ in 0..connections {
            scope.spawn(|| {
                let mut stream = TcpStream::connect(stub.address).expect("a connection");
                let _ = stream.set_nodelay(true);
                let mut answer = vec![0; 64 * 1024];
                for _ in 0..requests / connections {
                    stream.write_all(request.as_bytes()).expect("a request");
                    loop {
                        let count = stream.read(&mut answer).expect("an answer");
                        if ends_answer(&answer, count) {
                            break;
                        }
                    }
                }
            });
        }
    });
}

/// Returns whether the first `count` bytes end an answer.
fn ends_answer(bytes: &[u8], count: usize) -> bool {
    assert!(count > 0, "the server closed the connection");
    bytes[..count].ends_with(b"]}")
}
