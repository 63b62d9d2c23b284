//! The messages of `tulk doctor`, `tulk auth` and other commands about a faulty network, proxy, certificate or server.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::Duration;

use serde_json::Value;

use super::doctor::check_result;
use crate::common::Bench;
use crate::common::https::https_server;
use crate::common::scripted::{ScriptedServer, answer};

const USAGE: &str = r#"{"character_count":1,"character_limit":2}"#;

fn machine(server: &str) -> Bench {
    Bench::bare().env("TULK_SERVER", server).env("TULK_API_KEY", "k-1")
}

fn server(status: u16, header: &'static str, body: &'static str) -> ScriptedServer {
    ScriptedServer::start(move |_| answer(status, &[header], body))
}

fn port_that_answers(bytes: &'static [u8]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            // The check of the connection sends nothing.
            if stream.read(&mut [0; 4096]).is_ok_and(|count| count > 0) {
                let _ = stream.write_all(bytes);
            }
        }
    });
    port
}

/// Starts a TLS server on loopback. Returns its address, and its certificate as PEM.
fn tls_server(name: &str, is_authority: bool) -> (String, String) {
    let mut params = rcgen::CertificateParams::new([name.to_owned()]).unwrap();
    if is_authority {
        params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    }
    let (port, pem) = https_server(&params, Vec::new());
    (format!("https://localhost:{port}"), pem)
}

#[test]
fn an_answer_of_another_service_is_a_failure() {
    for (header, body, what) in [
        ("Content-Type: text/html; charset=utf-8", "<html>Log in</html>", "text/html"),
        ("Content-Type: application/json", "", "empty"),
        ("Content-Type: application/json", "[1,2]", "JSON without usage data"),
        ("Content-Type: application/json", r#"{"status":"ok"}"#, "JSON without usage data"),
    ] {
        let server = server(200, header, body);
        let bench = machine(&server.url);
        let what = format!("{} does not answer like the service: the response is {what}", server.url);
        let hint = "check the server address; a proxy or a login page of the network may have answered instead";
        let run = bench.run(["doctor", "--json"]).code(1);
        assert_eq!(check_result(&run, "connection"), ("failed".to_owned(), what.clone(), Value::from(hint)));
        let run = bench.pipe("k-1\n", ["auth", "login"]).code(8).says(&format!("error: {what}"));
        run.says(hint).says_not("stored the key");
        assert!(!bench.path(".config").exists(), "the key was stored");
        bench.run(["auth", "status", "--columns", "works,problem"]).code(8).prints(format!("unknown\t{what}\n"));
    }
    let server = server(200, "Content-Type: text/html", "<html>");
    let bench = machine(&server.url);
    let run = bench.pipe("k-1\n", ["auth", "login", "--admin"]).code(8);
    run.says("does not answer like the service: the response is text/html");
}

#[test]
fn an_unsent_key_is_not_reported_as_accepted() {
    let server = server(200, "Content-Type: application/json", USAGE);
    let bench = machine(&server.url).without("TULK_API_KEY");
    let run = bench.run(["doctor", "--json"]).code(1);
    let (status, detail, _) = check_result(&run, "connection");
    assert!(status == "ok" && detail.ends_with(" ms; no key was sent"), "{detail}");
    let run = bench.env("TULK_API_KEY", "k-1").run(["doctor", "--json"]).code(0);
    assert!(check_result(&run, "connection").1.ends_with(" ms, and accepts the key"));
}

#[test]
fn names_the_variable_of_unusable_root_certificates() {
    let (address, pem) = tls_server("localhost", false);
    let bench = machine(&address);
    bench.write("garbage", "no certificate\n");
    bench.write("dir/readme", "");
    bench.write("ca.pem", pem);
    for (variable, value, why) in [
        ("SSL_CERT_FILE", "none", "cannot read none: No such file or directory"),
        ("SSL_CERT_FILE", "dir", "cannot read dir: Is a directory"),
        ("SSL_CERT_FILE", "garbage", "garbage contains no certificate"),
        ("SSL_CERT_DIR", "none", "cannot read none: No such file or directory"),
        ("SSL_CERT_DIR", "dir", "dir contains no certificate"),
    ] {
        let bench = machine(&address);
        bench.write("garbage", "no certificate\n");
        bench.write("dir/readme", "");
        let bench = bench.env(variable, value);
        let message = format!("{variable}: {why}\n  hint: correct or unset {variable}\n");
        let run = bench.run(["doctor"]).code(1).says(&format!("error: certificates: {message}1 check failed\n"));
        assert!(run.out().contains("\nconnection\tskipped\tsee certificates\n"), "{}", run.out());
        bench.run(["usage"]).code(2).says(&format!("error: {message}"));
    }
    let bench = bench.env("SSL_CERT_FILE", "ca.pem");
    let run = bench.run(["doctor", "--json"]).code(1);
    assert_eq!(check_result(&run, "certificates").1, "1 certificate from SSL_CERT_FILE ca.pem");
    // An empty variable counts as not set.
    let bench = bench.env("SSL_CERT_FILE", "").env("SSL_CERT_DIR", "");
    let hint = "hint: if you trust its authority, pass the authority's certificate with --ca-file or SSL_CERT_FILE\n";
    bench.run(["usage"]).code(8).says(": its issuer is unknown\n").says(hint);
    let run = bench.run(["doctor", "--json", "--ca-file", "garbage"]).code(1);
    assert_eq!(check_result(&run, "certificates").1, "garbage contains no PEM certificate");
    assert!(check_result(&run, "certificates").2.as_str().unwrap().contains("--ca-file"));
    assert_eq!(check_result(&run, "connection"), ("skipped".to_owned(), "see certificates".to_owned(), Value::Null));
}

#[test]
fn explains_why_a_certificate_is_not_accepted() {
    for (name, is_authority, why, hint) in [
        ("other.example", false, "it is for other.example, not for localhost", "check the host name in the address"),
        (
            "localhost",
            true,
            "it belongs to an authority, not to a server",
            "the server needs a certificate that the authority has issued for it",
        ),
    ] {
        let (address, pem) = tls_server(name, is_authority);
        let bench = machine(&address);
        bench.write("ca.pem", pem);
        bench
            .run(["usage", "--ca-file", "ca.pem"])
            .code(8)
            .says(&format!("error: the certificate of {address} is not trusted: {why}\n  hint: {hint}\n"));
    }
}

#[test]
fn names_an_unreachable_proxy() {
    let bench = machine("https://foo.example").env("HTTPS_PROXY", "http://user:pass-word-1@127.0.0.1:1");
    let named = "proxy http://user:***@127.0.0.1:1 (HTTPS_PROXY)";
    let run = bench.run(["usage", "--retries", "0"]).code(8).says_not("pass-word-1");
    run.says(&format!("error: cannot connect to https://foo.example through the {named}: Connection refused\n"));
    let run = bench.run(["doctor", "--json", "-vv"]).code(1).says_not("pass-word-1");
    let (status, detail, hint) = check_result(&run, "proxy");
    assert_eq!((status, detail), ("failed".into(), format!("cannot connect to the {named}: Connection refused")));
    assert_eq!(hint, "check the address in HTTPS_PROXY; --no-proxy connects directly");
    assert_eq!(check_result(&run, "connection"), ("skipped".to_owned(), "see proxy".to_owned(), Value::Null));
    let run = bench.run(["doctor", "--json", "--proxy", "ftp://x"]).code(1);
    assert_eq!(check_result(&run, "proxy").1, "--proxy: unknown proxy scheme `ftp`");
    assert_eq!(check_result(&run, "connection").1, "see proxy");
    let bench = bench.env("NO_PROXY", ".example");
    let run = bench.run(["doctor", "--json"]).code(1);
    assert_eq!(check_result(&run, "proxy").1, "none: NO_PROXY excludes foo.example");
    assert_eq!(check_result(&bench.run(["doctor", "--json", "--no-proxy"]), "proxy").1, "none: --no-proxy");
}

#[test]
fn names_a_refusing_proxy() {
    let port = port_that_answers(b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
    let address = format!("http://127.0.0.1:{port}");
    let hint = "put the user name and password into the address of the proxy: http://USER:PASSWORD@HOST:PORT";
    for (variable, server) in [("HTTPS_PROXY", "https://foo.example"), ("HTTP_PROXY", "http://foo.example")] {
        let bench = machine(server).env(variable, &address);
        let run = bench.run(["usage", "--insecure-http"]).code(8);
        run.says(" requires a user name and a password").says(&format!("  hint: {hint}\n"));
        let run = bench.run(["doctor", "--json", "--insecure-http"]).code(1);
        assert_eq!(
            (check_result(&run, "proxy").0, check_result(&run, "proxy").2),
            ("failed".to_owned(), Value::from(hint))
        );
        assert_eq!(check_result(&run, "connection").1, "see proxy");
    }
    let port = port_that_answers(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
    let address = format!("http://127.0.0.1:{port}");
    let bench = machine("https://foo.example").env("HTTPS_PROXY", &address);
    let run = bench.run(["doctor", "--json"]).code(1);
    assert_eq!(check_result(&run, "proxy").1, format!("in use: {address} from HTTPS_PROXY"));
    let what = format!("through the proxy {address} (HTTPS_PROXY): the proxy refused to connect");
    assert_eq!(check_result(&run, "connection").1, format!("cannot connect to https://foo.example {what}"));
}

#[test]
fn reports_a_clock_an_hour_ahead_in_minutes() {
    let server = ScriptedServer::start(|_| {
        let date = std::time::SystemTime::now() - Duration::from_secs(3600);
        answer(200, &[&format!("Date: {}", httpdate::fmt_http_date(date))], USAGE)
    });
    let run = machine(&server.url).run(["doctor", "--json"]).code(1);
    assert_eq!(check_result(&run, "clock").1, "this clock is 60 minutes ahead of the server's");
}

#[test]
fn names_a_wrong_address_with_its_source() {
    let server = server(404, "Content-Type: text/html", "<html>");
    let bench = machine(&server.url);
    let run = bench.run(["doctor", "--json"]).code(1);
    let (status, detail, hint) = check_result(&run, "connection");
    assert_eq!(status, "failed");
    assert_eq!(detail, "the server returned 404 Not Found; it may not be the service");
    assert_eq!(hint, format!("check the server address {} and its path, from TULK_SERVER", server.url));
    let run = bench.run(["doctor", "--json", "--server", &format!("{}/x", server.url)]).code(1);
    assert!(check_result(&run, "connection").2.as_str().unwrap().ends_with("/x and its path, from --server"));
}

#[test]
fn every_failed_check_has_a_hint() {
    for status in [302, 400, 401, 403, 404, 405, 429, 456, 500, 503, 999] {
        let server = server(status, "Content-Type: text/plain", "no");
        let run = machine(&server.url).run(["doctor", "--json"]).code(1);
        let (check_result, detail, hint) =
            check_result(&run, if matches!(status, 401 | 403) { "key" } else { "connection" });
        assert_eq!(check_result, "failed", "{status}");
        assert!(hint.as_str().is_some_and(|hint| !hint.is_empty()), "{status}: {detail}");
    }
}

#[test]
fn plain_http_to_a_tls_port_gets_a_hint() {
    let (address, _) = tls_server("localhost", false);
    let bench = machine(&address.replace("https://", "http://"));
    bench.run(["usage", "--retries", "0"]).code(8).says("if the port expects https, begin the address with https://\n");
}

/// Without the flag, a check ends after 10 seconds.
#[test]
#[ignore = "long; .ci/run includes it"]
fn the_time_out_flag_applies_to_the_check() {
    let server = ScriptedServer::start(|_| {
        std::thread::sleep(Duration::from_millis(10_500));
        answer(200, &["Content-Type: application/json"], USAGE)
    });
    let bench = machine(&server.url);
    let run = bench.run(["doctor", "--json", "--timeout", "60s", "--progress", "none"]).code(0);
    assert!(check_result(&run, "connection").1.ends_with(", and accepts the key"));
}
