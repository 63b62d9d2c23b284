//! `tulk usage`.

use crate::common::Bench;

#[test]
fn shows_counts_limits_and_percent() {
    let bench = Bench::with(&["--engine", "echo", "--character-limit", "1000"]);
    bench.run(["style", "list"]).code(0).prints("");
    let run = bench.run(["usage", "--header", "--columns", "counter,count,limit,percent,unit"]).code(0);
    assert!(
        run.out().starts_with("counter\tcount\tlimit\tpercent\tunit\ncharacter\t0\t1000\t0.0\tcharacters\n"),
        "{run}"
    );
    assert!(run.out().contains("\nspeech_to_text_minutes\t0\t"), "{run}");
    assert!(run.out().contains("\nproducts.write\t0\t\t\tcharacters\n"), "{run}");
    let json = bench.run(["usage", "--json"]).code(0).json();
    assert_eq!((&json["character_count"], &json["character_limit"]), (&0.into(), &1000.into()));
    assert_eq!(bench.sent().last().unwrap().0, "GET /v2/usage");
}

#[test]
fn fails_above_a_share_of_the_limit() {
    let bench = Bench::with(&["--engine", "echo", "--character-limit", "1000"]);
    let body = format!(r#"{{"text":["{}"]}}"#, "x".repeat(805));
    let status = post(&bench, "/v2/write/correct", &body);
    assert_eq!(status, 200);
    bench.run(["usage", "--fail-above", "80.5%"]).code(0);
    bench
        .run(["usage", "--fail-above", "80"])
        .code(1)
        .says("usage is above 80%: character is at 805 of 1000 characters");
    bench.run(["usage", "--fail-above", "eighty"]).code(2).says("invalid percentage `eighty`");
    bench.run(["usage", "--fail-above", "0", "--json"]).code(1).says(r#""kind":"no""#);
}

/// Posts JSON without tulk, so that the count does not depend on another command.
fn post(bench: &Bench, path: &str, body: &str) -> u16 {
    use std::io::{Read as _, Write as _};
    let host = bench.url().trim_start_matches("http://");
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Service-Auth-Key sandbox\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

#[test]
fn each_kind_of_outage_has_its_exit_code() {
    let bench = Bench::with(&["--fault", "403:1"]);
    bench.run(["usage"]).code(3).prints("");
    let bench = Bench::with(&["--fault", "500:1"]);
    bench.run(["usage", "--retries", "0"]).code(7);
}

/// Starts a server that sends `json` to every request, and returns its URL.
fn serve(json: &'static str) -> String {
    use std::io::{Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = Vec::new();
            let mut byte = [0];
            while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|n| n > 0) {
                head.push(byte[0]);
            }
            let length = json.len();
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
                 connection: close\r\n\r\n{json}"
            );
        }
    });
    url
}

#[test]
fn shows_speech_products_and_period_with_64_bit_counts() {
    let bench = Bench::new();
    let server = serve(
        r#"{"character_count":9007199254740993,"character_limit":18014398509481986,
            "products":[{"product_type":"write","character_count":7,"api_key_character_count":3},
                        {"product_type":"paint","billing_unit":"strokes","account_unit_count":5}],
            "speech_to_text_milliseconds_count":61000,"speech_to_text_milliseconds_limit":1000000000000,
            "speech_to_text_minutes_count":2,"speech_to_text_minutes_limit":600,
            "start_time":"2026-02-03T00:00:00Z","end_time":"2026-03-03T00:00:00Z"}"#,
    );
    let run = bench.run(["usage", "--server", &server]).code(0);
    let rows = [
        "character\t9007199254740993\t18014398509481986\t50.0\tcharacters\t",
        "speech_to_text_minutes\t2\t600\t0.3\tminutes\t",
        "speech_to_text_milliseconds\t61000\t\t\tmilliseconds\t",
        "products.write\t7\t\t\tcharacters\t3",
        "products.paint\t5\t\t\tstrokes\t",
    ];
    let expected: Vec<_> =
        rows.iter().map(|row| format!("{row}\t2026-02-03T00:00:00Z\t2026-03-03T00:00:00Z")).collect();
    assert_eq!(run.out().lines().collect::<Vec<_>>(), expected);
    assert!(bench.run(["usage", "--server", &server, "--json"]).code(0).out().contains("9007199254740993"));
    bench
        .run(["usage", "--server", &server, "--fail-above", "0.3"])
        .code(1)
        .says("speech_to_text_minutes is at 2 of 600");
    bench.run(["usage", "--server", &server, "--fail-above", "50%"]).code(0);
}
