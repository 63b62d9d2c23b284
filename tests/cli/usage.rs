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
    bench.run(["usage", "--fail-above", "80"]).code(1).says("over 80 percent: character is at 805 of 1000 characters");
    bench.run(["usage", "--fail-above", "eighty"]).code(2).says("no percentage");
    bench.run(["usage", "--fail-above", "0", "--json"]).code(1).says(r#""kind":"no""#);
}

/// Posts JSON by hand: what is counted must not depend on another command.
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
fn an_outage_is_told_by_its_kind() {
    let bench = Bench::with(&["--fault", "403:1"]);
    bench.run(["usage"]).code(3).prints("");
    let bench = Bench::with(&["--fault", "500:1"]);
    bench.run(["usage", "--retries", "0"]).code(7);
}
