//! `tulk voice` over TLS and through a proxy: the WebSocket uses the same certificates and proxies as requests.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use crate::common::Bench;
use crate::network::http_proxy;
use crate::voice::{OPENED, TRANSCRIPT, paths, wav};

const HOST: &str = "service.example";

/// Starts a TLS server in front of the sandbox. Returns its port and its certificate as PEM.
///
/// The sandbox answers with `ws` addresses, which become `wss` here.
fn tls_forwarder(sandbox_url: &str) -> (u16, String) {
    let sandbox = sandbox_url.strip_prefix("http://").unwrap().to_owned();
    let certified = rcgen::generate_simple_self_signed(["localhost".to_owned(), HOST.to_owned()]).unwrap();
    let key = rustls::pki_types::PrivateKeyDer::try_from(certified.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certified.cert.der().clone()], key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let tls = Arc::new(Mutex::new(rustls::ServerConnection::new(Arc::clone(&config)).unwrap()));
            let (client, server) = (client.unwrap(), TcpStream::connect(&sandbox).unwrap());
            let (to_client, from_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            let shared = Arc::clone(&tls);
            std::thread::spawn(move || forward_requests(client, server, &tls));
            std::thread::spawn(move || forward_responses(from_server, to_client, &shared));
        }
    });
    (port, certified.cert.pem())
}

fn forward_requests(mut client: TcpStream, mut server: TcpStream, tls: &Mutex<rustls::ServerConnection>) {
    let mut buffer = [0; 16 * 1024];
    while let Ok(n @ 1..) = client.read(&mut buffer) {
        let mut encrypted = &buffer[..n];
        while !encrypted.is_empty() {
            let mut plain = Vec::new();
            let mut tls = tls.lock().unwrap();
            tls.read_tls(&mut encrypted).unwrap();
            let accepted = tls.process_new_packets().is_ok();
            while tls.wants_write() {
                let _ = tls.write_tls(&mut client);
            }
            if !accepted {
                let _ = server.shutdown(Shutdown::Both);
                return;
            }
            // The error `WouldBlock` only means that there are no more bytes.
            let _ = tls.reader().read_to_end(&mut plain);
            drop(tls);
            if server.write_all(&plain).is_err() {
                return;
            }
        }
    }
    let _ = server.shutdown(Shutdown::Both);
}

/// Encrypts and forwards what the sandbox sends, with `wss` in response bodies.
fn forward_responses(mut server: TcpStream, mut client: TcpStream, tls: &Mutex<rustls::ServerConnection>) {
    let mut send = |bytes: &[u8]| {
        let mut tls = tls.lock().unwrap();
        tls.writer().write_all(bytes).unwrap();
        while tls.wants_write() {
            if tls.write_tls(&mut client).is_err() {
                return;
            }
        }
    };
    let (mut received, mut buffer, mut is_websocket) = (Vec::new(), [0; 16 * 1024], false);
    while let Ok(n @ 1..) = server.read(&mut buffer) {
        received.extend_from_slice(&buffer[..n]);
        while let (false, Some(response)) = (is_websocket, take_response(&mut received)) {
            is_websocket = response.starts_with("HTTP/1.1 101");
            send(with_wss(&response).as_bytes());
        }
        if is_websocket {
            send(&std::mem::take(&mut received));
        }
    }
    let _ = client.shutdown(Shutdown::Both);
}

fn take_response(received: &mut Vec<u8>) -> Option<String> {
    let head = received.windows(4).position(|bytes| bytes == b"\r\n\r\n")? + 4;
    let text = String::from_utf8(received[..head].to_vec()).unwrap().to_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |n| n.parse().unwrap());
    let end = Some(head + length).filter(|end| *end <= received.len())?;
    Some(String::from_utf8(received.drain(..end).collect()).unwrap())
}

fn with_wss(response: &str) -> String {
    let Some((head, body)) = response.split_once("\r\n\r\n") else { return response.to_owned() };
    let new_body = body.replace("\"ws://", "\"wss://");
    let head = head.replace(&format!("content-length: {}", body.len()), &format!("content-length: {}", new_body.len()));
    format!("{head}\r\n\r\n{new_body}")
}

#[test]
fn streams_over_tls_only_with_a_trusted_certificate() {
    let bench = Bench::new();
    let (port, pem) = tls_forwarder(bench.url());
    bench.write("talk.wav", wav(2200));
    bench.write("ca.pem", &pem);
    let server = format!("https://localhost:{port}");
    let stream = ["voice", "stream", "talk.wav", "--to", "de", "--retries", "0", "--server", &server];
    bench.run(stream).code(8).says("--ca-file");
    assert!(bench.requests().is_empty(), "a request was sent before the certificate was verified");
    bench.run(stream.into_iter().chain(["--ca-file", "ca.pem"])).code(0).prints(TRANSCRIPT);
    assert_eq!(paths(&bench), OPENED);
}

#[test]
fn streams_through_a_proxy() {
    let bench = Bench::new();
    let (port, pem) = tls_forwarder(bench.url());
    let (proxy, connects) = http_proxy(port);
    bench.write("talk.wav", wav(2200));
    bench.write("ca.pem", &pem);
    let bench =
        bench.env("HTTPS_PROXY", &format!("http://127.0.0.1:{proxy}")).env("TULK_SERVER", &format!("https://{HOST}"));
    let stream = ["voice", "stream", "talk.wav", "--to", "de", "--ca-file", "ca.pem"];
    bench.run(stream).code(0).prints(TRANSCRIPT);
    assert_eq!(paths(&bench), OPENED);
    let connects = connects.lock().unwrap();
    // One for the session request, one for the WebSocket. The proxy sees no token.
    assert_eq!(connects.len(), 2, "{connects:?}");
    for head in connects.iter() {
        assert!(head.starts_with("CONNECT service.example:443 HTTP/1.1\r\n") && !head.contains("token"), "{head}");
    }
}
