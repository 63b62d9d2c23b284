//! The paths below `/_sandbox/`, used with `tulk api` like in a shell test.

use serde_json::json;

use crate::common::Bench;

#[test]
fn requests_are_listed_without_keys() {
    let bench = Bench::with(&["--engine", "echo", "--key", "a-key-of-this-test-alone"]);
    let bench = bench.env("TULK_API_KEY", "a-key-of-this-test-alone");
    bench.run(["translate", "--to", "de", "Hello"]).code(0);
    bench.run(["usage"]).code(0);
    let list = bench.run(["api", "GET", "/_sandbox/requests"]).code(0);
    assert!(!list.out().contains("a-key-of-this-test"), "{list}");
    let rows = list.json()["requests"].as_array().unwrap().clone();
    let short: Vec<_> =
        rows.iter().map(|row| json!([row["method"], row["path"], row["body"], row["status"]])).collect();
    assert_eq!(
        json!(short),
        json!([
            ["POST", "/v2/translate", {"text": ["Hello"], "target_lang": "DE"}, 200],
            ["GET", "/v2/usage", null, 200]
        ])
    );
    bench.run(["api", "GET", "/_sandbox/requests?sesion=x"]).code(5).says("Unknown parameter 'sesion'");
}

#[test]
fn a_reset_needs_a_key_or_the_header() {
    let bench = Bench::new();
    let requests =
        || bench.run(["api", "GET", "/_sandbox/requests"]).code(0).json()["requests"].as_array().unwrap().len();
    for permitted in [
        &["api", "POST", "/_sandbox/reset"][..],
        &["api", "POST", "/_sandbox/reset", "--no-auth", "-H", "X-Tulk-Sandbox: 1"],
    ] {
        bench.run(["translate", "--to", "de", "Hello"]).code(0);
        assert_eq!(requests(), 1);
        bench.run(permitted).code(0);
        assert_eq!(requests(), 0);
    }
    bench.run(["api", "POST", "/_sandbox/reset", "--no-auth"]).code(3).says("X-Tulk-Sandbox: 1");
}
