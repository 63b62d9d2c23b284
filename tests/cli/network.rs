//! Proxies, certificates, addresses: what reaches whom.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use crate::common::Bench;

const ANSWER: &str = r#"{"translations":[{"detected_source_language":"EN","text":"over TLS"}]}"#;

/// An https server on loopback with a certificate of its own authority; its port and the authority's PEM.
fn https_server() -> (u16, String, Arc<Mutex<Vec<String>>>) {
    let certified = rcgen::generate_simple_self_signed(["localhost".to_owned(), "service.example".to_owned()]).unwrap();
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
    let seen = Arc::new(Mutex::new(Vec::new()));
    let requests = Arc::clone(&seen);
    std::thread::spawn(move || {
        for tcp in listener.incoming() {
            let connection = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = rustls::StreamOwned::new(connection, tcp.unwrap());
            let mut request = Vec::new();
            let mut buffer = [0; 4096];
            while !request.ends_with(b"}") {
                match stream.read(&mut buffer) {
                    Ok(n) if n > 0 => request.extend_from_slice(&buffer[..n]),
                    _ => break,
                }
            }
            if request.is_empty() {
                continue;
            }
            requests.lock().unwrap().push(String::from_utf8_lossy(&request).into_owned());
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                ANSWER.len()
            );
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(ANSWER.as_bytes()));
            let _ = stream.flush();
            stream.conn.send_close_notify();
            let _ = stream.flush();
        }
    });
    (port, certified.cert.pem(), seen)
}

/// A proxy that connects every CONNECT to `port` on loopback and keeps what it was told in clear.
pub fn proxy(port: u16) -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let own = listener.local_addr().unwrap().port();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&seen);
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let mut client = client.unwrap();
            let mut head = Vec::new();
            let mut byte = [0];
            while !head.ends_with(b"\r\n\r\n") && client.read(&mut byte).is_ok_and(|n| n > 0) {
                head.push(byte[0]);
            }
            told.lock().unwrap().push(String::from_utf8_lossy(&head).into_owned());
            if !head.starts_with(b"CONNECT ") {
                let _ = client.write_all(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
                continue;
            }
            client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").unwrap();
            let mut server = TcpStream::connect(("127.0.0.1", port)).unwrap();
            let (mut from_client, mut to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            std::thread::spawn(move || {
                let _ = std::io::copy(&mut from_client, &mut to_server);
                let _ = to_server.shutdown(std::net::Shutdown::Write);
            });
            std::thread::spawn(move || {
                let _ = std::io::copy(&mut server, &mut client);
                let _ = client.shutdown(std::net::Shutdown::Both);
            });
        }
    });
    (own, seen)
}

#[test]
fn https_through_a_proxy_is_tunnelled_and_the_key_stays_inside() {
    let (port, pem, requests) = https_server();
    let (proxy, told) = proxy(port);
    let bench = Bench::bare().env("TULK_API_KEY", "secret-key-1234").env("TULK_SERVER", "https://service.example");
    bench.write("ca.pem", &pem);
    let bench = bench.env("https_proxy", &format!("http://127.0.0.1:{proxy}"));
    bench.run(["translate", "--ca-file", "ca.pem", "--to", "de", "x"]).code(0).prints("over TLS\n");
    let told = told.lock().unwrap().join("\n");
    assert!(told.starts_with("CONNECT service.example:443 HTTP/1.1\r\n"), "{told}");
    assert!(!told.contains("secret-key-1234") && !told.to_lowercase().contains("\nauthorization"), "{told}");
    assert!(requests.lock().unwrap()[0].contains("Service-Auth-Key secret-key-1234"));
}

#[test]
fn no_proxy_is_obeyed_and_loopback_never_goes_through_one() {
    let (proxy, told) = proxy(9);
    let address = format!("http://127.0.0.1:{proxy}");
    let bench = Bench::new().env("HTTP_PROXY", &address).env("http_proxy", &address).env("ALL_PROXY", &address);
    bench.run(["translate", "--to", "de", "x"]).code(0).prints("x\n");
    let bench = bench
        .env("TULK_SERVER", "https://service.invalid")
        .env("HTTPS_PROXY", &address)
        .env("NO_PROXY", "service.invalid");
    bench.run(["translate", "--retries", "0", "--to", "de", "x"]).code(8);
    bench.run(["translate", "--retries", "0", "--no-proxy", "--to", "de", "x"]).code(8);
    assert!(told.lock().unwrap().is_empty(), "{:?}", told.lock().unwrap());
}

#[test]
fn an_unknown_authority_is_refused_at_once_and_a_named_one_is_trusted() {
    let (port, pem, requests) = https_server();
    let bench = Bench::bare().env("TULK_API_KEY", "k").env("TULK_SERVER", &format!("https://localhost:{port}"));
    bench.run(["translate", "--to", "de", "x"]).code(8).says("--ca-file");
    assert!(requests.lock().unwrap().is_empty(), "the request left before the certificate was judged");
    bench.write("ca.pem", &pem);
    bench.run(["translate", "--ca-file", "ca.pem", "--to", "de", "x"]).code(0).prints("over TLS\n");
    let by_variable = bench.env("SSL_CERT_FILE", "ca.pem");
    by_variable.run(["translate", "--to", "de", "x"]).code(0).prints("over TLS\n");
    by_variable.run(["translate", "--ca-file", "none.pem", "--to", "de", "x"]).code(2).says("none.pem");
}

#[test]
fn plain_http_goes_to_loopback_only() {
    let bench = Bench::bare().env("TULK_API_KEY", "k");
    bench.run(["translate", "--server", "http://service.invalid", "--to", "de", "x"]).code(2).says("--insecure-http");
    bench
        .run([
            "translate",
            "--server",
            "http://service.invalid",
            "--insecure-http",
            "--retries",
            "0",
            "--to",
            "de",
            "x",
        ])
        .code(8);
}

#[test]
fn addresses_lose_their_version_and_keep_their_prefix() {
    let bench = Bench::new();
    let with_version = format!("{}/v2/", bench.url());
    bench.run(["translate", "--server", &with_version, "--to", "de", "x"]).code(0).prints("x\n").says("/v2");
    let with_prefix = format!("{}/prefix", bench.url());
    bench.run(["translate", "--server", &with_prefix, "--to", "de", "x"]).code(4);
    assert_eq!(bench.requests()[1]["path"], "/prefix/v2/translate");
}

#[test]
fn a_silent_server_is_a_time_out() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let bench = Bench::bare().env("TULK_API_KEY", "k").env("TULK_SERVER", &url);
    bench.run(["translate", "--timeout", "200ms", "--retries", "1", "--to", "de", "x"]).code(8).says("0.2 s");
}

#[test]
fn a_rate_is_kept() {
    let bench = Bench::new();
    let began = std::time::Instant::now();
    let input: String = (0..200).map(|i| format!("{i}\n")).collect();
    bench.pipe(&input, ["translate", "--rate", "10/s", "--to", "de", "--lines"]).code(0).prints(&input);
    // Four requests are three gaps of 100 ms: a lower bound that no slow machine breaks.
    assert!(began.elapsed().as_millis() >= 300);
}
