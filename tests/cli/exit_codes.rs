//! The exit codes of the binary.

use crate::common::Bench;

fn translate(bench: &Bench) -> crate::common::Run {
    bench.run(["translate", "--to", "de", "--retries", "0", "x"])
}

#[test]
fn each_http_status_has_its_exit_code() {
    for (fault, code) in [
        ("400", 5),
        ("401", 3),
        ("403", 3),
        ("404", 4),
        ("413", 5),
        ("429", 7),
        ("456", 6),
        ("500", 7),
        ("503", 7),
        ("529", 7),
    ] {
        let bench = Bench::with(&["--fault", &format!("{fault}:1")]);
        let run = translate(&bench).code(code).prints("");
        assert!(run.stderr.starts_with("error: "), "{run}");
        assert!(run.stderr.contains("trace"), "the trace id is missing\n{run}");
    }
}

#[test]
fn a_missing_server_or_key_exits_with_3() {
    let bench = Bench::bare();
    bench.run(["translate", "--to", "de", "x"]).code(3).says("--sandbox");
    bench.run(["translate", "--server", "http://127.0.0.1:9", "--to", "de", "x"]).code(3).says("TULK_API_KEY");
}

#[test]
fn an_unreachable_server_exits_with_8() {
    let bench = Bench::bare().env("TULK_API_KEY", "k").env("TULK_SERVER", "http://127.0.0.1:9");
    translate(&bench).code(8).says("127.0.0.1:9");
}

#[test]
fn a_lost_answer_exits_with_8_after_safe_retries() {
    let bench = Bench::with(&["--fault", "drop;times=1;path=/v2/translate"]);
    translate(&bench).code(8);
    let bench = Bench::with(&["--engine", "echo", "--fault", "drop;times=1;path=/v2/translate"]);
    bench.run(["translate", "--to", "de", "--stats", "x"]).code(0).prints("x\n").says("twice");
    assert_eq!(bench.requests().len(), 2);
}

#[test]
fn a_redirect_exits_with_8_and_names_its_target() {
    let bench = Bench::with(&["--fault", "redirect=http://elsewhere.example/;path=/v2/translate"]);
    translate(&bench).code(8).says("http://elsewhere.example/");
}

#[test]
fn respects_retry_after_and_exits_with_10_after_max_wait() {
    let bench = Bench::with(&["--engine", "echo", "--fault", "429;retry-after=0;times=2;path=/v2/translate"]);
    bench.run(["translate", "--to", "de", "x"]).code(0).prints("x\n");
    assert_eq!(bench.requests().len(), 3);
    let bench = Bench::with(&["--fault", "429;retry-after=600;path=/v2/translate"]);
    bench.run(["translate", "--to", "de", "--max-wait", "5s", "x"]).code(10).says("--max-wait");
    assert_eq!(bench.requests().len(), 1);
}

#[test]
fn retry_after_accepts_a_date() {
    let past = "429;times=1;retry-after=Sun, 06 Nov 1994 08:49:47 GMT";
    let bench = Bench::with(&["--engine", "echo", "--fault", past]);
    bench.run(["translate", "--to", "de", "--max-wait", "100ms", "x"]).code(0).prints("x\n").says("retrying in 0");
    assert_eq!(bench.requests().len(), 2);
    let future = "429;retry-after=Fri, 31 Dec 2100 23:59:59 GMT";
    let bench = Bench::with(&["--fault", future]);
    bench.run(["translate", "--to", "de", "--max-wait", "5s", "x"]).code(10).says("--max-wait");
    assert_eq!(bench.requests().len(), 1);
}

#[test]
fn reports_an_unusable_answer_with_its_trace_id() {
    for fault in ["garbage", "short", "cut"] {
        let bench = Bench::with(&["--fault", &format!("{fault};path=/v2/translate")]);
        translate(&bench).code(8).prints("").says("(200, trace ");
    }
}

#[test]
fn sends_nothing_after_456() {
    let bench = Bench::with(&["--character-limit", "200"]);
    let input: String = (0..2000).map(|i| format!("line number {i}\n")).collect();
    let run = bench.pipe(&input, ["translate", "--to", "de", "--lines", "--concurrency", "1"]).code(6);
    assert!(bench.requests().len() <= 3, "{}", bench.requests().len());
    assert!(input.starts_with(run.out()));
}

#[test]
fn one_failed_target_of_two_exits_with_9() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("a.txt", "a\n");
    bench.run(["translate", "--to", "de,xx", "-i", "a.txt", "-o", "{stem}.{lang}{ext}"]).code(9).says("xx");
    assert_eq!(bench.read("a.de.txt"), "A\n");
    assert!(!bench.path("a.xx.txt").exists());
}

#[test]
fn wrong_usage_exits_with_2() {
    let bench = Bench::bare();
    bench.run(["translate", "--no-such-flag"]).code(2);
    bench.run(["no-such-command"]).code(2);
    bench.run(["-p", "nobody", "--sandbox", "translate", "--to", "de", "x"]).code(2).says("nobody");
}

#[test]
fn an_unwritable_output_exits_with_70() {
    let bench = Bench::new();
    bench.run(["translate", "--to", "de", "-o", "/dev/full", "x"]).code(70);
}
