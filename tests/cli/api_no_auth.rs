//! `tulk api --no-auth`: full addresses for signed uploads and downloads, without the key.

use crate::common::Bench;
use crate::common::scripted::{ScriptedServer, answer};

const KEY: &str = "k-0123456789abcdef";

fn bench() -> Bench {
    Bench::bare().env("TULK_API_KEY", KEY).env("TULK_ADMIN_KEY", KEY)
}

#[test]
fn an_upload_goes_to_a_full_address_without_the_key() {
    let server = ScriptedServer::start(|_| answer(204, &[], ""));
    let bench = bench().env("TULK_SERVER", "https://service.example/v2");
    bench.write("talk.mp3", "not really audio");
    let url = format!("{}/up%2Fload?X-Amz-Signature=s%2bg-0123456789&part=1", server.url);
    bench.run(["api", "PUT", &url, "--no-auth", "--input", "talk.mp3"]).code(0).prints("");
    bench.run(["api", "PUT", &url, "--no-auth", "--input", "talk.mp3", "-H", "Content-Type: audio/mpeg"]).code(0);
    bench.pipe("from stdin", ["api", "PUT", &url, "--no-auth", "--input", "-"]).code(0);
    let requests = server.requests();
    for request in &requests {
        let line = request.lines().next().unwrap();
        assert_eq!(line, "PUT /up%2Fload?X-Amz-Signature=s%2bg-0123456789&part=1 HTTP/1.1");
        assert!(!request.to_lowercase().contains("authorization") && !request.contains(KEY), "{request}");
    }
    assert!(requests[0].contains("content-length: 16\r\n") && requests[0].ends_with("\r\n\r\nnot really audio"));
    assert!(requests[0].contains("content-type: application/octet-stream\r\n"), "{}", requests[0]);
    assert!(requests[1].contains("content-type: audio/mpeg\r\n"), "{}", requests[1]);
    assert!(requests[2].ends_with("\r\n\r\nfrom stdin"), "{}", requests[2]);
}

#[test]
fn a_download_needs_no_server_and_no_key() {
    let server = ScriptedServer::start(|_| answer(200, &[], "result"));
    let bench = Bench::bare();
    let url = format!("{}/result?sig=abcdefgh12345", server.url);
    bench.run(["api", "GET", &url, "--no-auth"]).code(0).prints("result");
    bench.run(["api", "GET", &url, "--no-auth", "-o", "result.srt"]).code(0).prints("");
    assert_eq!(bench.read("result.srt"), "result");
}

#[test]
fn no_auth_sends_a_path_without_the_key() {
    let server = ScriptedServer::start(|_| answer(403, &[], ""));
    let bench = bench().env("TULK_SERVER", &server.url);
    bench.run(["api", "GET", "/v2/admin/x", "--no-auth"]).code(3).says("hint: the request was sent without a key");
    assert!(!server.requests()[0].contains(KEY));
    let header = "Authorization: Signature sig-up-12345";
    let run = bench.run(["api", "GET", "/upload", "--no-auth", "-H", header, "-vv"]).code(3);
    run.says_not("sig-up-12345");
    assert!(server.requests()[1].contains("authorization: Signature sig-up-12345\r\n"), "{}", server.requests()[1]);
}

#[test]
fn a_redirect_hints_how_to_see_its_target() {
    let server = ScriptedServer::start(|_| answer(302, &["location: https://files.example/a?sig=sig-0123456789"], ""));
    let url = format!("{}/result", server.url);
    let bench = bench();
    let run = bench.run(["api", "GET", &url, "--no-auth"]).code(8).says_not("sig-0123456789");
    run.says("hint: if you trust that address, request it instead; --include shows it in the `location` header\n");
    let run = bench.run(["api", "GET", &url, "--no-auth", "--include"]).code(8);
    assert!(run.out().contains("location: https://files.example/a?sig=sig-0123456789\n"), "{run}");
}

#[test]
fn refuses_a_full_address_without_the_flag_and_never_quotes_it() {
    let server = ScriptedServer::start(|_| answer(404, &[], r#"{"message":"no file for sig-0123456789"}"#));
    let bench = bench().env("TULK_SERVER", &server.url);
    let url = format!("{}/file?sig=sig-0123456789", server.url);
    bench.run(["api", "GET", &url]).code(2).says("works with --no-auth only").says_not("sig-0123456789");
    assert!(server.requests().is_empty());
    for flags in [&[][..], &["-vv"], &["--dry-run"], &["--json"]] {
        let run = bench.run([&["api", "GET", &url, "--no-auth"], flags].concat()).says_not("sig-0123456789");
        assert!(run.code == 4 || !run.out().contains("sig-0123456789"), "{run}");
    }
    bench.run(["api", "GET", &url, "--no-auth", "--paginate"]).code(2).says("--paginate");
    for wrong in ["http://service.example/x?sig=0123456789", "ftp://h/x?sig=0123456789", "https://u:0123456789@h/"] {
        bench.run(["api", "GET", wrong, "--no-auth"]).code(2).prints("").says_not("0123456789");
    }
}
