//! Secrets that a server repeats, sends or hides in addresses never appear on stderr.

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, Run};

const KEY: &str = "k-0123456789abcdef";

fn bench(server: &ScriptedServer) -> Bench {
    Bench::bare().env("TULK_API_KEY", KEY).env("TULK_ADMIN_KEY", "a-0123456789abcdef").env("TULK_SERVER", &server.url)
}

#[track_caller]
fn assert_hides(run: Run, secrets: &[&str]) -> Run {
    for secret in secrets {
        assert!(!run.stderr.contains(secret), "stderr contains {secret}\n{run}");
    }
    run
}

#[test]
fn redacts_a_key_repeated_by_the_service() {
    let body = format!(r#"{{"message":"bad key {KEY}.","detail":"got \"{KEY}\"","code":"{KEY}"}}"#);
    let trace = format!("x-trace-id: {KEY}");
    let server = ScriptedServer::start(move |_| answer(400, &[&trace], &body));
    let bench = bench(&server);
    for flags in [&[][..], &["-v"], &["-vv"], &["--json"], &["--json", "-vv"]] {
        let run = bench.run([&["usage", "--retries", "0"], flags].concat()).code(5);
        assert_hides(run, &[KEY]).says("bad key ***").says("***");
    }
    assert_hides(bench.run(["translate", "--to", "de", "x"]).code(5), &[KEY]).says("bad key ***");
}

#[test]
fn redacts_encoded_forms_of_a_key() {
    const AWKWARD: &str = r#"k/+"\=123456789"#;
    let server = ScriptedServer::start(|_| {
        answer(400, &[], r#"{"message":"k/+\"\\=123456789 and k%2F%2B%22%5C%3D123456789 and k\\/+\\\"\\\\=123456789"}"#)
    });
    let bench = Bench::bare().env("TULK_API_KEY", AWKWARD).env("TULK_SERVER", &server.url);
    for flag in ["--quiet", "--json", "-vv"] {
        assert_hides(bench.run(["usage", flag]).code(5), &["123456789"]).says("*** and *** and ***");
    }
}

#[test]
fn redacts_mixed_and_nested_escapes_of_a_key() {
    let forms = [
        r"\\u006b-012345678\u0039abcdef",
        r"k\u002d0123456789\u0061bcd\u0065f",
        r"\u005cu006b-0123456789%61bcdef",
        r"%5Cu006b%2D0123456789abcdef",
        r"\u0025\u0036\u0062-0123456789abcdef",
        r"&#107;-0123456789&#x61;bcdef",
        r"&amp;#107;-0123456789abcdef",
        r"\u0026\u0023107;-0123456789abcdef",
        r"=6B-0123456789abcdef",
        r"%256b-0123456789%2561bcdef",
        r"\\x6b-0123456789abcdef",
        r"ay0wMTIzNDU2Nzg5YWJjZGVm",
    ];
    for form in forms {
        let body = format!(r#"{{"message":"bad key {form}."}}"#);
        let server = ScriptedServer::start(move |_| answer(400, &[], &body));
        for flag in ["--quiet", "--json", "-vv"] {
            let run = assert_hides(bench(&server).run(["usage", flag]).code(5), &["123456789", "MTIzNDU2"]);
            assert!(run.says("bad key ***").stderr.matches(form).next().is_none(), "{form}");
        }
    }
}

#[test]
fn does_not_redact_the_sandbox_key() {
    let server = ScriptedServer::start(|_| answer(400, &[], r#"{"message":"run tulk sandbox serve"}"#));
    let bench = Bench::bare().env("TULK_API_KEY", "sandbox").env("TULK_SERVER", &server.url);
    bench.run(["usage"]).code(5).says("run tulk sandbox serve");
}

#[test]
fn redacts_a_short_key_only_as_a_word() {
    let server = ScriptedServer::start(|_| answer(400, &[], r#"{"message":"work is not a working key"}"#));
    let bench = Bench::bare().env("TULK_API_KEY", "work").env("TULK_SERVER", &server.url);
    bench.run(["usage"]).code(5).says("error: the service refused the request: *** is not a working key (400)\n");
}

#[test]
fn redacts_a_key_given_as_another_argument() {
    let bench = Bench::bare().env("TULK_API_KEY", KEY);
    for flag in [&[][..], &["--json"]] {
        let run = bench.run([&["admin", "keys", "limit", "x", "--characters", KEY], flag].concat()).code(2);
        assert_hides(run, &[KEY]).says("--characters: invalid limit `***`");
    }
}

#[test]
fn redacts_a_document_key_repeated_by_the_service() {
    let server = ScriptedServer::start(|request| match request.split(' ').nth(1) {
        Some("/v2/document") => answer(200, &[], r#"{"document_id":"D1","document_key":"dk-0123456789"}"#),
        _ => answer(400, &[], r#"{"message":"the key dk-0123456789 is odd"}"#),
    });
    let bench = bench(&server);
    bench.write("a.txt", "a");
    let run = bench.run(["doc", "translate", "a.txt", "--to", "de", "--retries", "0", "-vv"]);
    assert_hides(run, &["dk-0123456789"]).says("the key *** is odd");
    bench.write("key", "dk-0123456789\n");
    let run = bench.run(["doc", "status", "D2", "--document-key-file", "key"]).code(5);
    assert_hides(run, &["dk-0123456789"]).says("the key *** is odd");
    let run = bench.run(["api", "POST", "/v2/document/D3", "-F", "document_key=dk-0123456789"]).code(5);
    assert_hides(run, &["dk-0123456789"]).says("the key *** is odd");
}

#[test]
fn redacts_a_voice_token_repeated_by_the_service() {
    let server = ScriptedServer::start(|request| {
        let host = request.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default().to_owned();
        if request.starts_with("POST ") {
            let body = format!(r#"{{"streaming_url":"ws://{host}/c?part=part-98765432","token":"vt-0123456789+/="}}"#);
            return answer(200, &[], body);
        }
        let echoed = "vt-0123456789+/= vt-0123456789%2B%2F%3D part-98765432";
        answer(400, &[&format!("x-trace-id: {echoed}")], format!(r#"{{"message":"{echoed}"}}"#))
    });
    let bench = bench(&server);
    bench.write("a.raw", [0_u8; 3200]);
    let args =
        ["voice", "stream", "a.raw", "--content-type", "audio/pcm;encoding=s16le;rate=16000", "--to", "de", "-vv"];
    assert_hides(bench.run(args).code(5), &["vt-0123456789", "part-98765432"]).says("*** *** ***");
}

#[test]
fn redacts_a_proxy_password() {
    let proxy = ScriptedServer::start(|_| answer(400, &[], r#"{"message":"user u, password pw%2Dsecret pw-secret"}"#));
    let address = proxy.url.replace("http://", "http://u:pw-secret@");
    let bench = Bench::bare().env("TULK_API_KEY", KEY).env("HTTP_PROXY", &address);
    let run = bench.run(["usage", "--server", "http://service.example", "--insecure-http", "-vv"]);
    assert_hides(run.code(5), &["pw-secret", "pw%2Dsecret"]).says("password *** ***");
}

#[test]
fn redacts_a_secret_where_a_long_message_is_cut() {
    let text = format!("{}{KEY}{}", "x".repeat(490), "y".repeat(5000));
    let plain = text.clone();
    let server = ScriptedServer::start(move |request| {
        let is_plain = request.contains("/v2/usage");
        answer(400, &[], if is_plain { plain.clone() } else { format!(r#"{{"message":"{plain}"}}"#) })
    });
    let bench = bench(&server);
    for args in [&["usage"][..], &["api", "GET", "/v9/x", "--silent"]] {
        let run = assert_hides(Run::unlisted(bench.command().args(args).output().unwrap()).code(5), &["k-01234"]);
        assert!(run.stderr.len() < 1000, "{run}");
    }
}

#[test]
fn does_not_log_query_values_of_addresses_in_headers() {
    let headers = [
        "location: https://u:pass-1@files.example/a?token=t-1&page=2",
        "content-location: /b?sig=t-2",
        "link: <https://files.example/c?x=t-3>; rel=\"next\", </d?x=t-4>; rel=\"last\"",
        "referer: https://files.example/e?t-5",
        "x-next-page: https://files.example/f?next=t-6#t-7",
    ];
    let server = ScriptedServer::start(move |request| {
        answer(if request.contains("/v2/usage") { 302 } else { 200 }, &headers, "{}")
    });
    let bench = bench(&server);
    let secrets = ["pass-1", "t-1", "t-2", "t-3", "t-4", "t-5", "t-6", "t-7"];
    let run = assert_hides(bench.run(["usage", "-vv"]).code(8), &secrets);
    run.says("< location: https://***@files.example/a?token=***&page=***")
        .says("files.example/a?token=***&page=***; tulk");
    assert_hides(bench.run(["api", "GET", "/v9/x", "-vv"]).code(0), &secrets).says("</d?x=***>; rel=\"last\"");
}

#[test]
fn logs_only_the_size_of_an_unreadable_body_with_a_secret() {
    for (body, logged) in [
        (r#"{"document_id":"D1","document_key":"dk-0123456789""#, "< <50 bytes>"),
        ("your token: dk-0123456789", "< <25 bytes>"),
        ("token=dk-0123456789&page=2", "< token=***&page=2"),
        (r#"{"token":"dk-0123456789"}"#, r#"< {"token":"***"}"#),
    ] {
        let server = ScriptedServer::start(move |_| answer(200, &[], body));
        let bench = bench(&server);
        assert_hides(bench.run(["usage", "-vv"]), &["dk-0123456789"]).says(logged);
    }
}

#[test]
fn logs_the_headers_that_tulk_adds_and_redacts_the_key() {
    let server = ScriptedServer::start(|_| answer(200, &[], r#"{"character_count":1}"#));
    let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "key-0123456789");
    let run = bench.run(["usage", "-vv"]).code(0).says_not("key-0123456789");
    run.says("\"authorization\":\"Service-Auth-Key ***\"").says("\"user-agent\":\"tulk/");
    let request = server.requests().concat().to_lowercase();
    assert!(request.contains("\r\nauthorization: service-auth-key key-0123456789\r\n"), "{request}");
    assert!(request.contains("\r\naccept: */*\r\n"), "{request}");
}
