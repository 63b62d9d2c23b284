//! `tulk tm`.

use crate::common::Bench;
use crate::common::scripted::{ScriptedServer, answer};

fn memories(count: usize) -> String {
    let memory = |n: usize| {
        serde_json::json!({
            "translation_memory_id": format!("2f6d1c3a-0b9e-4f57-8a41-{n:012}"),
            "name": format!("Manuals {n}"),
            "source_language": "de",
            "target_languages": ["en", "fr"],
            "segments": [{"source": "Guten Morgen", "target_lang": "en", "target": "Good morning to you"}],
        })
    };
    serde_json::Value::Array((0..count).map(memory).collect()).to_string()
}

/// Sets the time of modification of a file to 2026-03-04T05:06:07.089Z.
fn set_modified(path: &std::path::Path) {
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_millis(1_772_600_767_089);
    std::fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

/// Starts a sandbox with `count` memories. Also returns the directory of the memories file.
fn bench(count: usize) -> (Bench, tempfile::TempDir) {
    let files = tempfile::tempdir().unwrap();
    let path = files.path().join("memories.json");
    std::fs::write(&path, memories(count)).unwrap();
    set_modified(&path);
    (Bench::with(&["--engine", "echo", "--memories", path.to_str().unwrap()]), files)
}

#[test]
fn lists_all_pages() {
    let (bench, _files) = bench(60);
    let run = bench.run(["tm", "list"]).code(0);
    assert_eq!(run.out().lines().count(), 60, "{run}");
    assert_eq!(
        run.out().lines().next().unwrap(),
        "2f6d1c3a-0b9e-4f57-8a41-000000000000\tManuals 0\tde\ten,fr\t1\t\
         2026-03-04T05:06:07.089Z\t2026-03-04T05:06:07.089Z"
    );
    let queries: Vec<_> = bench.requests().iter().map(|r| r["query"].as_str().unwrap().to_owned()).collect();
    assert_eq!(queries, ["page=0&page_size=25", "page=1&page_size=25", "page=2&page_size=25"]);
}

#[test]
fn stops_at_the_limit() {
    let (bench, _files) = bench(60);
    assert_eq!(bench.run(["tm", "list", "--limit", "25"]).code(0).out().lines().count(), 25);
    assert_eq!(bench.requests().len(), 1);
    assert_eq!(bench.run(["tm", "list", "--limit", "26", "--json"]).code(0).json().as_array().unwrap().len(), 26);
    bench.run(["tm", "list", "--limit", "0", "--json"]).code(0).prints("[]\n");
    assert_eq!(bench.requests().len(), 3);
}

#[test]
fn prints_an_empty_list_without_memories() {
    let bench = Bench::new();
    bench.run(["tm", "list"]).code(0).prints("");
    bench.run(["tm", "list", "--json"]).code(0).prints("[]\n");
}

#[test]
fn translate_uses_a_memory_by_name_with_a_threshold() {
    let (bench, _files) = bench(30);
    let translate = |text: &str, threshold: &str| {
        let args = ["translate", "--to", "en", "--translation-memory", "Manuals 29", "--translation-memory-threshold"];
        bench.run(args.iter().chain(&[threshold, text])).code(0)
    };
    translate("Guten Morgen", "100").prints("Good morning to you\n");
    let body = bench.sent().pop().unwrap().1;
    assert_eq!(body["translation_memory_id"], "2f6d1c3a-0b9e-4f57-8a41-000000000029");
    assert_eq!(body["translation_memory_threshold"], 100);
    translate("Guten Morgen!", "80").prints("Good morning to you\n");
    translate("Guten Morgen!", "100").prints("Guten Morgen!\n");
    translate("Etwas ganz anderes", "50").prints("Etwas ganz anderes\n");
    bench
        .run(["translate", "--to", "en", "--translation-memory", "Manuals", "x"])
        .code(4)
        .says("did you mean `Manuals 0`");
    bench.run(["translate", "--to", "es", "--translation-memory", "Manuals 1", "x"]).code(5);
}

#[test]
fn the_embedded_sandbox_reads_the_memories_file_named_in_the_environment() {
    let bench = Bench::bare().env("TULK_SANDBOX", "1").env("TULK_SANDBOX_MEMORIES", "memories.json");
    bench.write("memories.json", memories(2));
    bench.run(["tm", "list", "--columns", "name,segment_count"]).code(0).prints("Manuals 0\t1\nManuals 1\t1\n");
    let args = ["translate", "--to", "en", "--translation-memory", "2f6d1c3a-0b9e-4f57-8a41-000000000001"];
    bench.run(args.iter().chain(&["Guten Morgen"])).code(0).prints("Good morning to you\n");
    bench.write("memories.json", "[{}]");
    bench.run(["tm", "list"]).code(2).says("memories.json:1:3: missing field `name`\n");
}

#[test]
fn shows_times_in_the_format_of_the_service_or_nothing() {
    let list = r#"[{"translation_memory_id":"a","name":"Old","source_language":"de","target_languages":["en"],"segment_count":3},
        {"translation_memory_id":"b","name":"New","source_language":"de","target_languages":["en"],"segment_count":4,
         "creation_time":"2026-04-01T16:34:25.223Z","updated_time":"2026-04-01T16:34:25.264Z","owner":null},
        {"translation_memory_id":"c","name":"Null","creation_time":null,"updated_time":"2026-04-01T16:34:25Z"}]"#;
    let body = format!(r#"{{"translation_memories":{list},"total_count":3}}"#);
    let server = ScriptedServer::start(move |_| answer(200, &["content-type: application/json"], &body));
    let bench = Bench::new();
    bench.run(["tm", "list", "--server", &server.url]).code(0).prints(
        "a\tOld\tde\ten\t3\t\t\n\
         b\tNew\tde\ten\t4\t2026-04-01T16:34:25.223Z\t2026-04-01T16:34:25.264Z\n\
         c\tNull\t\t\t\t\t2026-04-01T16:34:25Z\n",
    );
    let header = bench.run(["tm", "list", "--server", &server.url, "--header", "--columns", "updated_time,name"]);
    header.code(0).prints("updated_time\tname\n\tOld\n2026-04-01T16:34:25.264Z\tNew\n2026-04-01T16:34:25Z\tNull\n");
    let json = bench.run(["tm", "list", "--server", &server.url, "--json"]).code(0).json();
    assert_eq!(json, serde_json::from_str::<serde_json::Value>(list).unwrap());
}

#[test]
fn the_sandbox_takes_times_from_the_memories_file_or_its_mtime() {
    let bench = Bench::bare().env("TULK_SANDBOX", "1").env("TULK_SANDBOX_MEMORIES", "m.json");
    let write = |times: &str| {
        let path = bench
            .write("m.json", format!(r#"[{{"name":"M","source_language":"de","target_languages":["en"]{times}}}]"#));
        set_modified(&path);
    };
    for (times, created, updated) in [
        ("", "2026-03-04T05:06:07.089Z", "2026-03-04T05:06:07.089Z"),
        (
            r#","creation_time":"2026-01-02T03:04:05Z","updated_time":"2026-01-02T03:04:05.6789Z""#,
            "2026-01-02T03:04:05.000Z",
            "2026-01-02T03:04:05.678Z",
        ),
        (r#","creation_time":"2026-01-02T04:04:05+01:00""#, "2026-01-02T03:04:05.000Z", "2026-03-04T05:06:07.089Z"),
        (r#","creation_time":"2027-01-02T03:04:05Z""#, "2027-01-02T03:04:05.000Z", "2027-01-02T03:04:05.000Z"),
        (r#","updated_time":"2026-01-02T03:04:05Z""#, "2026-01-02T03:04:05.000Z", "2026-01-02T03:04:05.000Z"),
        (r#","updated_time":"2027-01-02T03:04:05Z""#, "2026-03-04T05:06:07.089Z", "2027-01-02T03:04:05.000Z"),
    ] {
        write(times);
        for _ in 0..2 {
            let run = bench.run(["tm", "list", "--columns", "creation_time,updated_time"]).code(0);
            assert_eq!(run.out(), format!("{created}\t{updated}\n"), "{times}");
        }
    }
    write(r#","creation_time":"yesterday""#);
    bench
        .run(["tm", "list"])
        .code(2)
        .says("m.json:1:90: invalid time `yesterday`; write it as 2026-03-04T05:06:07.089Z\n");
    write(r#","updated_time":"2026-01-01T00:00:00Z","creation_time":"2026-01-01T00:00:00.001Z""#);
    bench.run(["tm", "list"]).code(2).says("m.json: memory `M`: updated_time is before creation_time\n");
}

const PUMPS: &str = r#"{"translation_memory_id":"2f6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b","name":"Pumps","source_language":"de","target_languages":["en","fr"],"segment_count":812,"owner":"x"}"#;
const UNNAMED: &str = r#"{"translation_memory_id":"3a6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b","name":"","source_language":"de","target_languages":["en"],"segment_count":3}"#;

/// Starts a server with two memories. It answers deletions with these statuses, then with 204; 0 closes the connection.
fn serve_two(deletions: &'static [u16]) -> ScriptedServer {
    let count = std::sync::atomic::AtomicUsize::new(0);
    let json = ["content-type: application/json"];
    ScriptedServer::start(move |request| {
        let list = format!(r#"{{"translation_memories":[{PUMPS},{UNNAMED}],"total_count":2}}"#);
        match request.split(' ').next().unwrap() {
            "DELETE" => match deletions.get(count.fetch_add(1, std::sync::atomic::Ordering::SeqCst)).unwrap_or(&204) {
                0 => Vec::new(),
                404 => answer(404, &json, r#"{"message":"Translation memory not found."}"#),
                status => answer(*status, &[], ""),
            },
            _ if request.contains("/3a6d1c3a-") => answer(200, &json, UNNAMED),
            _ if request.contains("memories/") => answer(404, &json, r#"{"message":"Translation memory not found."}"#),
            _ => answer(200, &json, list),
        }
    })
}

/// Returns the received request lines, without the HTTP version.
fn request_lines(server: &ScriptedServer) -> Vec<String> {
    let line = |request: &String| request.lines().next().unwrap().trim_end_matches(" HTTP/1.1").to_owned();
    server.requests().iter().map(line).collect()
}

#[test]
fn shows_a_memory_by_name_or_id() {
    let (bench, server) = (Bench::new(), serve_two(&[]));
    let show =
        |memory: &str, flags: &[&str]| bench.run(["tm", "show", memory, "--server", &server.url].iter().chain(flags));
    show("Pumps", &["--json"]).code(0).prints(format!(
        "{}\n",
        r#"{
  "translation_memory_id": "2f6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b",
  "name": "Pumps",
  "source_language": "de",
  "target_languages": [
    "en",
    "fr"
  ],
  "segment_count": 812,
  "owner": "x"
}"#
    ));
    show("3a6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b", &[])
        .code(0)
        .prints("3a6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b\t\tde\ten\t3\t\t\n");
    assert_eq!(
        request_lines(&server),
        [
            "GET /v3/translation_memories?page=0&page_size=25",
            "GET /v3/translation_memories/3a6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b"
        ]
    );
    show("Pump", &[]).code(4).says("error: no translation memory named `Pump`\n  hint: did you mean `Pumps`?");
    show("00000000-0b9e-4f57-8a41-6c7d8e9f0a1b", &[]).code(4).says("tm list` lists all translation memories\n");
}

#[test]
fn deletes_a_memory_after_confirmation() {
    let (bench, server) = (Bench::new(), serve_two(&[]));
    let delete = |flags: &[&str]| bench.run(["tm", "delete", "Pumps", "--server", &server.url].iter().chain(flags));
    delete(&[])
        .code(2)
        .says("delete translation memory `Pumps` (2f6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b) with all its segments");
    delete(&["--dry-run"]).code(0).prints(format!(
        "{{\"method\":\"DELETE\",\"url\":\"{}/v3/translation_memories/2f6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b\",\"headers\":{{}}}}\n",
        server.url
    ));
    assert!(request_lines(&server).iter().all(|line| line.starts_with("GET ")), "{:?}", request_lines(&server));
    delete(&["--yes"]).code(0).prints("").says("deleted translation memory 2f6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b\n");
    assert_eq!(
        request_lines(&server).last().unwrap(),
        "DELETE /v3/translation_memories/2f6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b"
    );
}

#[test]
fn a_404_after_a_lost_reply_means_the_memory_was_deleted() {
    let bench = Bench::new();
    let delete = |server: &ScriptedServer| {
        let id = "3a6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b";
        bench.run(["tm", "delete", id, "--yes", "--server", &server.url])
    };
    let server = serve_two(&[0, 404]);
    delete(&server).code(0).says("deleted translation memory 3a6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b\n");
    assert_eq!(server.requests().len(), 2);
    delete(&serve_two(&[404])).code(4).says("Translation memory not found.");
}

/// Starts a sandbox whose memory has 250 segments; the first has two targets, and three contain `Ventil`.
fn bench_with_segments() -> (Bench, tempfile::TempDir) {
    let segment = |n: usize, lang: &str| {
        let word = if n % 100 == 7 { "Ventil" } else { "Pumpe" };
        serde_json::json!({"source": format!("{word} {n}"), "target_lang": lang, "target": format!("{lang} {n}")})
    };
    let segments: Vec<_> = std::iter::once(segment(0, "fr")).chain((0..250).map(|n| segment(n, "en"))).collect();
    let memory = serde_json::json!([{"translation_memory_id": "2f6d1c3a-0b9e-4f57-8a41-000000000001", "name": "Pumps",
        "source_language": "de", "target_languages": ["en", "fr"], "segments": segments}]);
    let files = tempfile::tempdir().unwrap();
    let path = files.path().join("memories.json");
    std::fs::write(&path, memory.to_string()).unwrap();
    set_modified(&path);
    (Bench::with(&["--engine", "echo", "--memories", path.to_str().unwrap()]), files)
}

#[test]
fn prints_segments_of_all_pages_with_one_row_per_target() {
    let (bench, _files) = bench_with_segments();
    let segments = |flags: &[&str]| bench.run(["tm", "segments", "Pumps"].iter().chain(flags)).code(0);
    let run = segments(&["--header", "--columns", "source_text,target_language,target_text,last_used_time"]);
    assert_eq!(run.out().lines().count(), 252, "{run}");
    assert!(run.out().starts_with("source_text\ttarget_language\ttarget_text\tlast_used_time\nPumpe 0\t"), "{run}");
    assert!(run.out().contains("\nPumpe 0\ten\ten 0\t\n") && run.out().contains("Pumpe 0\tfr\tfr 0\t\n"), "{run}");
    assert!(run.out().ends_with("\nPumpe 249\ten\ten 249\t\n"), "{run}");
    let requests = bench.requests();
    let queries: Vec<_> = requests[1..].iter().map(|r| r["query"].as_str().unwrap()).collect();
    assert_eq!(queries[0], "page_size=100");
    assert!(queries.len() == 3 && queries[1].contains("page_cursor=") && queries[1] != queries[2], "{queries:?}");
    let json = segments(&["--json"]).json();
    assert_eq!((json.as_array().unwrap().len(), &json[1]["source_text"]), (250, &"Pumpe 1".into()));
    assert_eq!(json[0]["targets"].as_array().unwrap().len(), 2);
    assert_eq!(segments(&["--format", "jsonl"]).out().lines().count(), 250);
    segments(&["--jq", "length"]).prints("250\n");
    let table = segments(&["--format", "table", "--limit", "2", "--columns", "source_text,target_text"]);
    assert_eq!(table.out().lines().next().unwrap(), "SOURCE   TARGET");
    assert_eq!(table.out().lines().count(), 4, "{table}");
}

#[test]
fn finds_segments_with_a_text_up_to_a_limit() {
    let (bench, _files) = bench_with_segments();
    let segments = |flags: &[&str]| {
        let columns = ["--columns", "source_text"];
        bench.run(["tm", "segments", "Pumps"].iter().chain(flags).chain(&columns))
    };
    segments(&["--filter", "ventil"]).code(0).prints("Ventil 7\nVentil 107\nVentil 207\n");
    segments(&["--filter", "ventil", "--case-sensitive"]).code(0).prints("");
    segments(&["--filter", "Ventil", "--case-sensitive", "--limit", "1"]).code(0).prints("Ventil 7\n");
    let queries: Vec<_> =
        bench.requests().iter().map(|request| request["query"].as_str().unwrap().to_owned()).collect();
    assert_eq!(queries[1], "filter_text=ventil&page_size=100");
    assert_eq!(queries[3], "filter_case_sensitive=true&filter_text=ventil&page_size=100");
    let before = bench.requests().len();
    segments(&["--limit", "0"]).code(0).prints("");
    segments(&["--filter", "é"]).code(2).says("error: the filter has 1 character; it needs at least 2 characters\n");
    segments(&["--case-sensitive"]).code(2).says("--filter <TEXT>");
    bench.run(["tm", "segments", "Pumps", "--columns", "owner"]).code(2).says("unknown column `owner`");
    assert_eq!(bench.requests().len(), before, "nothing was sent");
    segments(&["--filter", "é", "--no-check"]).code(5);
    segments(&["--limit", "101"]).code(0);
    assert_eq!(bench.requests().len() - before, 2 + 3, "a name and one page, a name and two pages");
}

#[test]
fn segments_arrive_page_by_page_and_a_repeated_cursor_is_an_error() {
    let count = std::sync::atomic::AtomicUsize::new(0);
    let server = ScriptedServer::start(move |_| {
        let n = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let segment = format!(
            r#"{{"source_segment_id":"s{n}","source_text":"a {n}","created_at":"2026-08-01T00:00:00Z","targets":[
                {{"target_segment_id":"t","target_language":"en","target_text":"b","updated_at":"2026-08-02T00:00:00Z"}}]}}"#
        );
        let body =
            format!(r#"{{"segments":[{segment}],"segment_count":9,"next_page_cursor":"{}"}}"#, ["A", "B"][n % 2]);
        answer(200, &["content-type: application/json"], body)
    });
    let bench = Bench::new().env("TULK_SERVER", &server.url);
    let id = "2f6d1c3a-0b9e-4f57-8a41-000000000001";
    let rows: String =
        (0..3).map(|n| format!("a {n}\ten\tb\t\t2026-08-01T00:00:00Z\t2026-08-02T00:00:00Z\n")).collect();
    let run = bench.run(["tm", "segments", id]).code(8);
    run.prints(&rows[..rows.len() - rows.len() / 3]).says("the service returned the same page cursor twice");
    assert_eq!(server.requests().len(), 3);
    let path = format!("/v3/translation_memories/{id}/segments");
    let run = bench.run(["api", &path, "--paginate"]).code(8);
    run.says("the service returned the same page cursor twice");
    assert_eq!(server.requests().len(), 6);
    bench.run(["tm", "segments", id, "--limit", "2", "--columns", "source_text"]).code(0).prints("a 6\na 7\n");
}

#[test]
fn a_page_without_a_cursor_is_the_last_even_if_it_is_full() {
    let segments = vec![r#"{"source_text":"a","targets":[]}"#; 100].join(",");
    let body = format!(r#"{{"segments":[{segments}],"segment_count":500}}"#);
    let server = ScriptedServer::start(move |_| answer(200, &["content-type: application/json"], &body));
    let bench = Bench::new().env("TULK_SERVER", &server.url);
    let id = "2f6d1c3a-0b9e-4f57-8a41-000000000001";
    let run = bench.run(["tm", "segments", id, "--format", "jsonl"]).code(0);
    assert_eq!((run.out().lines().count(), server.requests().len()), (100, 1));
    let path = format!("/v3/translation_memories/{id}/segments");
    bench.run(["api", &path, "--paginate", "--silent"]).code(0);
    let lines = request_lines(&server);
    assert_eq!(lines[1..], [format!("GET {path}?page_size=100")]);
}
