//! Proxies, certificates, protocols and addresses: which server a request reaches, and how.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use rustls::ServerConfig;

use crate::common::https::tls_config;
use crate::common::scripted::{ScriptedServer, answer};
#[cfg(target_os = "linux")]
use crate::common::tools::skip;
use crate::common::{Bench, Run, wait_until};

const ANSWER: &str = r#"{"translations":[{"detected_source_language":"EN","text":"over TLS"}]}"#;

/// What a server or proxy received, one text per connection or request.
type Received = Arc<Mutex<Vec<String>>>;

/// Returns TLS settings with a self-signed certificate, and the certificate as PEM.
fn tls(protocols: &[&str]) -> (Arc<ServerConfig>, String) {
    let names = ["localhost".to_owned(), "service.example".to_owned()];
    let (mut config, pem) = tls_config(&rcgen::CertificateParams::new(names).unwrap());
    config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    (Arc::new(config), pem)
}

fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

/// Starts an HTTP/1.1 server over TLS. Returns its port, its certificate, and the received requests.
fn https_server() -> (u16, String, Received) {
    let (config, pem) = tls(&[]);
    let (listener, port) = listen();
    let received = Received::default();
    let requests = Arc::clone(&received);
    std::thread::spawn(move || {
        for tcp in listener.incoming() {
            let connection = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = rustls::StreamOwned::new(connection, tcp.unwrap());
            let request = read_request(&mut stream);
            if request.is_empty() {
                continue;
            }
            requests.lock().unwrap().push(request);
            let _ = stream.write_all(&http1_answer("", ANSWER.as_bytes()));
            let _ = stream.flush();
            stream.conn.send_close_notify();
            let _ = stream.flush();
        }
    });
    (port, pem, received)
}

fn read_request(stream: &mut impl std::io::Read) -> String {
    let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
    while !request.ends_with(b"}") {
        match stream.read(&mut buffer) {
            Ok(n) if n > 0 => request.extend_from_slice(&buffer[..n]),
            _ => break,
        }
    }
    String::from_utf8_lossy(&request).into_owned()
}

fn http1_answer(header: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n{header}content-length: {length}\r\nconnection: close\r\n\r\n"
    );
    [head.as_bytes(), body].concat()
}

/// Starts an HTTP/2 server over TLS. Returns its port, its certificate, and version and path of the received requests.
fn http2_server() -> (u16, String, Received) {
    let (config, pem) = tls(&["h2", "http/1.1"]);
    let (listener, port) = listen();
    listener.set_nonblocking(true).unwrap();
    let received = Received::default();
    let requests = Arc::clone(&received);
    let serve = async move {
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        let acceptor = tokio_rustls::TlsAcceptor::from(config);
        loop {
            let stream = acceptor.accept(listener.accept().await.unwrap().0).await.unwrap();
            let mut connection = h2::server::handshake(stream).await.unwrap();
            while let Some(Ok((request, mut respond))) = connection.accept().await {
                requests.lock().unwrap().push(format!("{:?} {}", request.version(), request.uri().path()));
                let answer = http::Response::builder().header("content-type", "application/json").body(()).unwrap();
                let mut body = respond.send_response(answer, false).unwrap();
                body.send_data(bytes::Bytes::from_static(ANSWER.as_bytes()), true).unwrap();
            }
        }
    };
    std::thread::spawn(move || {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(serve)
    });
    (port, pem, received)
}

/// Starts a proxy that connects every CONNECT to `port` on loopback. Returns its port and the unencrypted part of what it receives.
pub fn http_proxy(port: u16) -> (u16, Received) {
    let (listener, own_port) = listen();
    let received = Received::default();
    let heads = Arc::clone(&received);
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let mut client = client.unwrap();
            let (mut head, mut byte) = (Vec::new(), [0]);
            while !head.ends_with(b"\r\n\r\n") && client.read(&mut byte).is_ok_and(|n| n > 0) {
                head.push(byte[0]);
            }
            heads.lock().unwrap().push(String::from_utf8_lossy(&head).into_owned());
            if !head.starts_with(b"CONNECT ") {
                let _ = client.write_all(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
                continue;
            }
            client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").unwrap();
            tunnel(client, port);
        }
    });
    (own_port, received)
}

/// Starts a SOCKS5 proxy that connects everything to `port` on loopback. Returns its port and the requested targets.
fn socks_proxy(port: u16) -> (u16, Received) {
    let (listener, own_port) = listen();
    let received = Received::default();
    let targets = Arc::clone(&received);
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let mut client = client.unwrap();
            let read = |client: &mut TcpStream, count: usize| {
                let mut bytes = vec![0; count];
                client.read_exact(&mut bytes).unwrap();
                bytes
            };
            // Greeting: version 5, number of methods, methods. Answer: no authentication.
            let methods = read(&mut client, 2)[1];
            read(&mut client, usize::from(methods));
            client.write_all(&[5, 0]).unwrap();
            // Request: version 5, connect, reserved, a domain name (3) with its length, and the port.
            let head = read(&mut client, 5);
            assert_eq!(head[..4], [5, 1, 0, 3], "socks5h passes the name on");
            let name = String::from_utf8(read(&mut client, usize::from(head[4]))).unwrap();
            let target = read(&mut client, 2);
            targets.lock().unwrap().push(format!("{name}:{}", u16::from_be_bytes([target[0], target[1]])));
            client.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).unwrap();
            tunnel(client, port);
        }
    });
    (own_port, received)
}

fn tunnel(mut client: TcpStream, port: u16) {
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

#[test]
fn https_goes_through_a_proxy_as_a_tunnel_that_hides_the_key() {
    let (port, pem, requests) = https_server();
    let (proxy, heads) = http_proxy(port);
    let bench = Bench::bare().env("TULK_API_KEY", "secret-key-1234").env("TULK_SERVER", "https://service.example");
    bench.write("ca.pem", &pem);
    let bench = bench.env("https_proxy", &format!("http://127.0.0.1:{proxy}"));
    bench.run(["translate", "--ca-file", "ca.pem", "--to", "de", "x"]).code(0).prints("over TLS\n");
    let heads = heads.lock().unwrap().join("\n");
    assert!(heads.starts_with("CONNECT service.example:443 HTTP/1.1\r\n"), "{heads}");
    assert!(!heads.contains("secret-key-1234") && !heads.to_lowercase().contains("\nauthorization"), "{heads}");
    assert!(requests.lock().unwrap()[0].contains("Service-Auth-Key secret-key-1234"));
}

#[test]
fn a_socks_proxy_resolves_the_name_of_the_server() {
    let bench = Bench::new();
    let port = bench.url().rsplit(':').next().unwrap().parse().unwrap();
    let (proxy, targets) = socks_proxy(port);
    let bench =
        bench.env("TULK_SERVER", "http://service.example").env("ALL_PROXY", &format!("socks5h://127.0.0.1:{proxy}"));
    bench.run(["translate", "--insecure-http", "--to", "de", "Hello"]).code(0).prints("Hello\n");
    assert_eq!(*targets.lock().unwrap(), ["service.example:80"]);
    assert_eq!(bench.requests().len(), 1);
}

#[test]
fn http_2_is_used_if_the_server_offers_it() {
    let (port, pem, requests) = http2_server();
    let bench = Bench::bare().env("TULK_API_KEY", "k").env("TULK_SERVER", &format!("https://localhost:{port}"));
    bench.write("ca.pem", &pem);
    bench.run(["translate", "--ca-file", "ca.pem", "--to", "de", "x"]).code(0).prints("over TLS\n");
    assert_eq!(*requests.lock().unwrap(), ["HTTP/2.0 /v2/translate"]);
}

#[test]
fn a_compressed_answer_is_decoded() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(br#"{"translations":[{"detected_source_language":"EN","text":"compressed"}]}"#).unwrap();
    let body = gzip.finish().unwrap();
    let (listener, port) = listen();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let request = read_request(&mut stream);
        stream.write_all(&http1_answer("content-encoding: gzip\r\n", &body)).unwrap();
        request
    });
    let bench = Bench::bare().env("TULK_API_KEY", "k").env("TULK_SERVER", &format!("http://127.0.0.1:{port}"));
    bench.run(["translate", "--to", "de", "x"]).code(0).prints("compressed\n");
    assert!(server.join().unwrap().to_lowercase().contains("\r\naccept-encoding: gzip\r\n"));
}

#[test]
fn an_explicit_proxy_is_used_for_loopback_servers_too() {
    let proxy = ScriptedServer::start(|request| {
        let status = if request.starts_with("POST http://127.0.0.1:") { 200 } else { 400 };
        answer(status, &["Content-Type: application/json"], ANSWER)
    });
    let bench = Bench::new();
    bench.run(["translate", "--proxy", &proxy.url, "--to", "de", "x"]).code(0).prints("over TLS\n");
    bench.run(["config", "set", "profiles.default.proxy", &proxy.url]).code(0);
    bench.run(["translate", "--to", "de", "x"]).code(0).prints("over TLS\n");
    assert_eq!(proxy.requests().len(), 2);
    // These bypass the proxy: --no-proxy, an excluded host, the embedded sandbox.
    bench.run(["translate", "--no-proxy", "--to", "de", "x"]).code(0).prints("x\n");
    let excluded = bench.env("NO_PROXY", "127.0.0.1");
    excluded.run(["translate", "--to", "de", "x"]).code(0).prints("x\n");
    let embedded =
        excluded.without("NO_PROXY").without("TULK_SERVER").without("TULK_API_KEY").env("TULK_SANDBOX_ENGINE", "echo");
    embedded.run(["translate", "--sandbox", "--proxy", &proxy.url, "--to", "de", "x"]).code(0).prints("x\n");
    assert_eq!(proxy.requests().len(), 2);
}

#[test]
fn refuses_an_unusable_proxy_address_for_every_server() {
    let bench = Bench::new();
    let hint = "  hint: write http://HOST:PORT or socks5h://HOST:PORT\n";
    let what = format!("error: --proxy: unknown proxy scheme `ftp`\n{hint}");
    bench.run(["translate", "--proxy", "ftp://x:1", "--to", "de", "x"]).code(2).says(&what);
    bench.run(["doctor", "--proxy", "ftp://x:1"]).code(1).says("error: proxy: --proxy: unknown proxy scheme `ftp`\n");
    for variable in ["ALL_PROXY", "https_proxy"] {
        let bench = Bench::new().env(variable, "ftp://x:1");
        let what = format!("error: {variable}: unknown proxy scheme `ftp`\n{hint}");
        bench.run(["translate", "--to", "de", "x"]).code(2).says(&what);
        bench.run(["translate", "--no-proxy", "--to", "de", "x"]).code(0).prints("x\n");
        let bench = bench.without("TULK_SERVER").without("TULK_API_KEY").env("TULK_SANDBOX_ENGINE", "echo");
        bench.run(["translate", "--sandbox", "--to", "de", "x"]).code(0).prints("x\n");
        bench.run(["translate", "--sandbox", "--proxy", "ftp://x:1", "--to", "de", "x"]).code(2);
    }
}

#[test]
fn respects_no_proxy_and_ignores_proxy_variables_for_loopback() {
    let (proxy, heads) = http_proxy(9);
    let address = format!("http://127.0.0.1:{proxy}");
    let bench = Bench::new().env("HTTP_PROXY", &address).env("http_proxy", &address).env("ALL_PROXY", &address);
    bench.run(["translate", "--to", "de", "x"]).code(0).prints("x\n");
    let bench = bench
        .env("TULK_SERVER", "https://service.invalid")
        .env("HTTPS_PROXY", &address)
        .env("NO_PROXY", "service.invalid");
    bench.run(["translate", "--retries", "0", "--to", "de", "x"]).code(8);
    bench.run(["translate", "--retries", "0", "--no-proxy", "--to", "de", "x"]).code(8);
    assert!(heads.lock().unwrap().is_empty(), "{:?}", heads.lock().unwrap());
}

#[test]
fn refuses_an_untrusted_certificate_before_sending() {
    let (port, pem, requests) = https_server();
    let bench = Bench::bare().env("TULK_API_KEY", "k").env("TULK_SERVER", &format!("https://localhost:{port}"));
    bench.run(["translate", "--to", "de", "x"]).code(8).says("--ca-file");
    assert!(requests.lock().unwrap().is_empty(), "the request was sent before the certificate was verified");
    bench.write("ca.pem", &pem);
    bench.run(["translate", "--ca-file", "ca.pem", "--to", "de", "x"]).code(0).prints("over TLS\n");
    let with_variable = bench.env("SSL_CERT_FILE", "ca.pem");
    with_variable.run(["translate", "--to", "de", "x"]).code(0).prints("over TLS\n");
    with_variable.run(["translate", "--ca-file", "none.pem", "--to", "de", "x"]).code(2).says("none.pem");
}

#[test]
fn reports_a_server_without_tls_at_an_https_address() {
    let (listener, port) = listen();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let bench = Bench::bare().env("TULK_API_KEY", "k").env("TULK_SERVER", &format!("https://127.0.0.1:{port}"));
    bench.run(["translate", "--to", "de", "x"]).code(8).says(&format!(
        "error: https://127.0.0.1:{port} does not answer with TLS\n  \
         hint: check the port; the address of a server without TLS begins with http://\n"
    ));
}

#[test]
fn an_unknown_host_is_not_tried_again() {
    let bench = Bench::bare().env("TULK_API_KEY", "k").env("TULK_SERVER", "https://service.invalid");
    for args in [&["translate", "--to", "de", "x"][..], &["usage"], &["langs", "list"]] {
        let run = bench.run(args).code(8);
        run.says("cannot connect to https://service.invalid: ").says_not("retrying").says_not("attempts");
    }
    let run = bench.env("HTTPS_PROXY", "http://proxy.invalid:3128").run(["usage"]).code(8);
    run.says("through the proxy http://proxy.invalid:3128 (HTTPS_PROXY): ").says_not("retrying");
}

/// Skipped where a network namespace without a name server cannot be created.
#[cfg(target_os = "linux")]
#[test]
fn retries_a_temporary_name_resolution_failure() {
    let can_separate = std::process::Command::new("unshare").args(["-rn", "true"]).output();
    if !can_separate.is_ok_and(|output| output.status.success()) {
        skip("this user cannot make a network with unshare");
        return;
    }
    let bench = Bench::bare().env("TULK_API_KEY", "k").env("TULK_SERVER", "https://service.example");
    let run = bench.shell("exec unshare -rn tulk translate --retries 1 --to de x").output().unwrap();
    let run = Run::unlisted(run).code(8).prints("");
    run.says("/v2/translate: cannot connect to https://service.example: failed to lookup address information: ")
        .says("; retrying in 1 s\n")
        .says(" (after 2 attempts)\n");
}

#[test]
fn retries_a_refused_connection_except_to_check_a_key() {
    let bench = Bench::bare().env("TULK_API_KEY", "k").env("TULK_SERVER", "http://127.0.0.1:1");
    let run = bench.run(["usage", "--retries", "1"]).code(8);
    run.says("/v2/usage: cannot connect to http://127.0.0.1:1: Connection refused; retrying in 1 s\n");
    bench.pipe("k\n", ["auth", "login"]).code(8).says("Connection refused").says_not("retrying");
}

#[test]
fn unencrypted_http_is_for_loopback_only() {
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
fn a_server_address_loses_its_version_and_keeps_its_prefix() {
    let bench = Bench::new();
    let with_version = format!("{}/v2/", bench.url());
    bench.run(["translate", "--server", &with_version, "--to", "de", "x"]).code(0).prints("x\n").says("/v2");
    let with_prefix = format!("{}/prefix", bench.url());
    bench.run(["translate", "--server", &with_prefix, "--to", "de", "x"]).code(4);
    assert_eq!(bench.requests()[1]["path"], "/prefix/v2/translate");
}

#[test]
fn a_silent_server_causes_a_time_out() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let bench = Bench::bare().env("TULK_API_KEY", "k").env("TULK_SERVER", &url);
    bench.run(["translate", "--timeout", "200ms", "--retries", "1", "--to", "de", "x"]).code(8).says("0.2 s");
}

#[test]
fn respects_the_rate() {
    let bench = Bench::new();
    let start = std::time::Instant::now();
    let input: String = (0..200).map(|i| format!("{i}\n")).collect();
    bench.pipe(&input, ["translate", "--rate", "10/s", "--to", "de", "--lines"]).code(0).prints(&input);
    // Four requests have three intervals of 100 ms: a lower bound that a slow machine cannot break.
    assert!(start.elapsed().as_millis() >= 300);
}

/// After a signal, a command waits two seconds for a billed answer, and not at all for a free one.
#[cfg(unix)]
#[test]
fn under_nohup_a_hangup_does_not_stop_a_run() {
    let (sender, receiver) = std::sync::mpsc::channel::<()>();
    let receiver = std::sync::Mutex::new(receiver);
    let server = ScriptedServer::start(move |_| {
        receiver.lock().unwrap().recv().unwrap();
        answer(200, &[], r#"{"translations":[{"detected_source_language":"EN","text":"Tee"}]}"#)
    });
    let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "k-1");
    let mut command = bench.shell("exec nohup tulk translate --to de tea");
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    wait_until("a request", || !server.requests().is_empty());
    assert!(std::process::Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap().success());
    sender.send(()).unwrap();
    Run::unlisted(child.wait_with_output().unwrap()).code(0).prints("Tee\n");
}

#[cfg(unix)]
#[test]
fn a_signal_aborts_a_free_request() {
    for args in [&["usage"][..], &["doctor"], &["langs", "list"]] {
        let server = ScriptedServer::with_stream(|_, _| std::thread::sleep(std::time::Duration::from_secs(60)));
        let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "k-1");
        let mut command = bench.command();
        let child = command
            .args(args)
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped());
        let child = child.spawn().unwrap();
        wait_until("a request", || !server.requests().is_empty());
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let start = std::time::Instant::now();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{args:?}");
        assert!(start.elapsed() < tulk_base::limits::STOP_TIMEOUT, "{args:?}: {:?}", start.elapsed());
    }
}
