//! The sandbox on addresses other than loopback, and over TLS.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use super::voice::wav;
use crate::common::tools::has;
use crate::common::{Bench, Run, Server};

/// Starts a sandbox over TLS and writes its certificate to `ca.pem`.
fn https(bench: &Bench, flags: &[&str]) -> Server {
    let server = bench.serve(&[&["--tls", "--cert-file", "ca.pem"], flags].concat());
    assert!(server.url.starts_with("https://127.0.0.1:"), "{}", server.url);
    server
}

fn translate(bench: &Bench, url: &str) -> Run {
    let bash = format!("SSL_CERT_FILE=ca.pem TULK_API_KEY=sandbox exec tulk translate --server {url} --to de abc");
    bench.bash(&bash)
}

fn send(url: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(url.split("://").nth(1).unwrap()).unwrap();
    stream.write_all(bytes).unwrap();
    let mut answer = Vec::new();
    // The answer also ends if the connection is reset.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn an_address_reachable_from_other_machines_needs_a_key() {
    let bench = Bench::bare();
    for address in ["0.0.0.0", "::", "[::]", "192.0.2.7", "::ffff:127.0.0.1"] {
        let run = bench.run(["sandbox", "serve", "--bind", address]).code(2);
        run.prints("").says(" needs a --key").says("choose a key that they cannot guess");
    }
    let run = bench.run(["sandbox", "serve", "--bind", "192.0.2.7", "--key", "k", "--ephemeral"]).code(2);
    run.says("cannot listen on 192.0.2.7:0: ").says("--bind takes an address of this machine");
    bench.run(["sandbox", "serve", "--bind", "localhost"]).code(2).says("not an IP address, such as 127.0.0.1");
}

#[test]
fn refuses_a_key_that_no_client_can_send() {
    let bench = Bench::bare();
    for key in ["", " ", "a b", "schl\u{fc}ssel", "a\n"] {
        for flag in ["--key", "--admin-key"] {
            let run = bench.run(["sandbox", "serve", "--ephemeral", "--bind", "0.0.0.0", "--key", "k", flag, key]);
            run.code(2).prints("").says("an accepted key must be printable ASCII text without spaces");
        }
    }
}

#[test]
fn serves_all_addresses_and_prints_a_usable_one() {
    let bench = Bench::bare();
    let server = bench.serve(&["--bind", "0.0.0.0", "--key", "secret"]);
    let port = server.url.rsplit(':').next().unwrap();
    for host in ["127.0.0.1", "127.0.0.2"] {
        let url = format!("http://{host}:{port}");
        let bench = Bench::bare().env("TULK_API_KEY", "secret");
        bench.run(["usage", "--server", &url]).code(0);
        bench.env("TULK_API_KEY", "sandbox").run(["usage", "--server", &url]).code(3);
    }
}

#[test]
fn serves_https_to_clients_that_trust_its_certificate() {
    let bench = Bench::bare();
    let server = https(&bench, &["--engine", "upper"]);
    translate(&bench, &server.url).code(0).prints("ABC\n");
    let localhost = server.url.replace("127.0.0.1", "localhost");
    translate(&bench, &localhost).code(0).prints("ABC\n");
    let bench = bench.env("TULK_API_KEY", "sandbox");
    bench
        .run(["translate", "--server", &localhost, "--to", "de", "--ca-file", "ca.pem", "abc"])
        .code(0)
        .prints("ABC\n");
    let run = bench.run(["translate", "--server", &server.url, "--to", "de", "--retries", "0", "abc"]);
    run.code(8).says("is not trusted");
    let pem = bench.read("ca.pem");
    assert!(pem.starts_with("-----BEGIN CERTIFICATE-----") && !pem.contains("PRIVATE"), "{pem}");
}

#[test]
fn a_new_certificate_replaces_the_old_one() {
    let bench = Bench::bare();
    let first = https(&bench, &["--engine", "upper"]);
    let old = bench.read("ca.pem");
    let second = https(&bench, &["--engine", "upper"]);
    assert_ne!(bench.read("ca.pem"), old);
    translate(&bench, &second.url).code(0).prints("ABC\n");
    // Both in one file: the old and the new authority must not be confused.
    bench.write("ca.pem", format!("{old}{}", bench.read("ca.pem")));
    translate(&bench, &first.url).code(0).prints("ABC\n");
    translate(&bench, &second.url).code(0).prints("ABC\n");
}

#[test]
fn the_certificate_is_in_the_state_directory_unless_a_file_is_given() {
    let bench = Bench::bare();
    let script = "tulk sandbox serve --tls --ephemeral --port 0 > url 2> log & until grep -qs SSL_CERT_FILE log; do sleep 0.05; done
        eval \"$(grep -o 'export SSL_CERT_FILE=.*' log)\"
        TULK_API_KEY=sandbox tulk usage --server \"$(cat url)\" --columns counter > /dev/null; echo $?; kill $!";
    bench.bash(script).prints("0\n");
    bench.run(["sandbox", "serve", "--cert-file", "ca.pem"]).code(2).says("--tls");
    bench.write("file", "");
    let state = bench.path("file").display().to_string();
    let bench = bench.env("XDG_STATE_HOME", &state);
    bench.run(["sandbox", "serve", "--tls"]).code(2).prints("").says("choose another file with --cert-file");
    let run = bench.run(["sandbox", "serve", "--ephemeral", "--tls", "--cert-file", "file/ca.pem"]);
    assert!(!run.out().contains("https"), "{run}");
}

#[test]
fn tells_a_client_without_tls_to_use_it() {
    let bench = Bench::bare();
    let server = https(&bench, &[]);
    let answer = send(&server.url, b"GET /v2/usage HTTP/1.1\r\nHost: a\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{answer}");
    assert!(answer.ends_with(r#"{"message":"This address is served over https only."}"#), "{answer}");
    // A broken handshake ends only its own connection.
    send(&server.url, &[0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    translate(&bench, &server.url).code(0);
}

#[test]
fn faults_cut_connections_over_tls() {
    let bench = Bench::bare();
    let server = https(&bench, &["--fault", "drop;total=1"]);
    translate(&bench, &server.url).code(0);
    let run = bench.bash(&format!(
        "SSL_CERT_FILE=ca.pem TULK_API_KEY=sandbox exec tulk api GET /v2/languages --retries 0 --server {} \
         -H 'X-Tulk-Sandbox-Fault: cut'",
        server.url
    ));
    run.code(8).prints("");
}

#[test]
fn voice_streams_over_tls() {
    let bench = Bench::bare();
    let server = https(&bench, &[]);
    bench.write("talk.wav", wav(2200));
    let script = format!(
        "export SSL_CERT_FILE=ca.pem TULK_API_KEY=sandbox
         tulk api POST /v3/voice/realtime -f source_media_content_type=audio/pcm\\;encoding=s16le\\;rate=16000 \
             -f source_language=en --jq .streaming_url --server {0} | cut -d: -f1
         tulk voice stream talk.wav --from en --to de --server {0} --progress none",
        server.url
    );
    let run = bench.bash(&script).code(0);
    assert!(run.out().starts_with("wss\n") && run.out().lines().count() > 1, "{run}");
}

#[test]
fn other_programs_accept_the_certificate() {
    let bench = Bench::bare();
    let server = https(&bench, &[]);
    let address = format!("{}/v2/usage", server.url.replace("127.0.0.1", "localhost"));
    let header = "Authorization: Service-Auth-Key sandbox";
    let curl = ["-sS", "--noproxy", "*", "--cacert", "ca.pem", "-H", header, "-o", "/dev/null", "-w", "%{http_code}"];
    assert_program(bench.dir(), Command::new("curl").args(curl).arg(&address));
    let python = "import ssl, sys, urllib.request as u
context = ssl.create_default_context()
context.verify_flags |= ssl.VERIFY_X509_STRICT
request = u.Request(sys.argv[1], headers={'Authorization': 'Service-Auth-Key sandbox'})
print(u.build_opener(u.ProxyHandler({}), u.HTTPSHandler(context=context)).open(request).status)";
    assert_program(
        bench.dir(),
        Command::new("python3").args(["-c", python]).arg(&address).env("SSL_CERT_FILE", bench.path("ca.pem")),
    );
    let node = "fetch(process.argv[1], {headers: {Authorization: 'Service-Auth-Key sandbox'}}).then(r => console.log(r.status))";
    assert_program(
        bench.dir(),
        Command::new("node").args(["-e", node]).arg(&address).env("NODE_EXTRA_CA_CERTS", bench.path("ca.pem")),
    );
}

/// Checks that a program prints 200, if it is installed.
fn assert_program(dir: &Path, command: &mut Command) {
    if has(command.get_program().to_str().unwrap()) {
        let output = command.current_dir(dir).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "200", "{command:?}: {output:?}");
    }
}
