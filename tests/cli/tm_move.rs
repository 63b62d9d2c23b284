//! `tulk tm import`, `export` and `job`: what is sent where, that addresses stay secret, and that no kill creates a second memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, Run};
use crate::doc_recovery::{client, printed_command};

const TMX: &str = "<tmx version=\"1.4\"><header srclang=\"de\"/><body>\n\
                   <tu><tuv xml:lang=\"de\"><seg>Ventil</seg></tuv><tuv xml:lang=\"en\"><seg>Valve</seg></tuv></tu>\n\
                   </body></tmx>\n";
const MEMORY: &str = "2f6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b";
const JSON: [&str; 1] = ["content-type: application/json"];

fn operation(request: &str) -> &'static str {
    let line = request.lines().next().unwrap();
    let word = |start: &str| line.starts_with(start);
    match () {
        () if word("POST /v3/translation_memories/import ") => "import",
        () if word("POST /v3/translation_memories/") => "export",
        () if word("PUT /u/") => "upload",
        () if word("GET /v3/translation_memories/jobs/") => "job",
        () if word("GET /v3/translation_memories?") => "list",
        () if word("GET /d/") => "download",
        () => panic!("{line}"),
    }
}

/// Returns a job in the format of the service, with extra fields of its result.
fn job(operation: &str, result: &str) -> Vec<u8> {
    let (id, parameters) = match operation {
        "import" => ("J1", r#"{"display_name":"pumps"}"#.to_owned()),
        _ => ("J2", format!(r#"{{"translation_memory_id":"{MEMORY}"}}"#)),
    };
    answer(
        200,
        &JSON,
        format!(
            r#"{{"job_id":"{id}","product":"translation_memory","operation":"{operation}","created_at":"2026-11-03T08:00:00.000Z","updated_time":"2026-11-03T08:00:01.000Z","parameters":{parameters},"results":[{{{result}}}]}}"#
        ),
    )
}

/// Returns the answer of a working service. `number` counts the earlier requests of the same operation.
fn working_answer(request: &str, number: usize) -> Vec<u8> {
    let host = request.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    match operation(request) {
        "import" => {
            let url = format!("http://{host}/u/9f2c-secret-path?sig=secret%2Bsignature");
            let body = format!(r#"{{"job_id":"J1","upload_url":"{url}","expires_at":"2099-01-01T00:00:00.000Z"}}"#);
            answer(202, &JSON, body)
        }
        "export" => answer(202, &JSON, r#"{"job_id":"J2","parameters":{}}"#),
        "upload" => answer(200, &["x-store: secret%2Bsignature"], "secret+signature"),
        "download" => answer(200, &[], TMX),
        "list" => {
            let memory = format!(
                r#"{{"translation_memory_id":"{MEMORY}","name":"Pumps / Ventile","source_language":"de","target_languages":["en"]}}"#
            );
            answer(200, &JSON, format!(r#"{{"translation_memories":[{memory}],"total_count":1}}"#))
        }
        "job" if request.contains("/J1 ") && number == 0 => {
            job("import", r#""status":"awaiting_input","status_metadata":{"required_action":"upload the file"}"#)
        }
        "job" if request.contains("/J1 ") => job(
            "import",
            &format!(r#""status":"completed","translation_memory_id":"{MEMORY}","skipped_segment_count":3"#),
        ),
        _ => job(
            "export",
            &format!(
                r#""status":"completed","download_url":"http://{host}/d/41ab-secret-path?sig=secret%2Bsignature","expires_at":"2099-01-01T00:00:00Z""#
            ),
        ),
    }
}

/// Starts a service. `special` may override the answers of [`working_answer`].
fn service(special: impl Fn(&str, usize) -> Option<Vec<u8>> + Send + Sync + 'static) -> ScriptedServer {
    let counts = std::sync::Mutex::new(std::collections::BTreeMap::<&str, usize>::new());
    ScriptedServer::start(move |request| {
        let operation = operation(request);
        let number = {
            let mut counts = counts.lock().unwrap();
            let count = counts.entry(operation).or_default();
            *count += 1;
            *count - 1
        };
        special(request, number).unwrap_or_else(|| working_answer(request, number))
    })
}

fn bench(server: &ScriptedServer) -> Bench {
    let bench = client(server);
    bench.write("pumps.tmx", TMX);
    bench
}

fn operations(server: &ScriptedServer) -> Vec<&'static str> {
    server.requests().iter().map(|request| operation(request)).collect()
}

fn records(bench: &Bench) -> usize {
    std::fs::read_dir(bench.path(".local/state/tulk/memory-jobs")).map_or(0, Iterator::count)
}

/// Splits a request into its line, its headers in order without `host`, and its body.
fn parts(request: &str) -> (String, Vec<String>, String) {
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let mut lines = head.lines().map(str::to_owned);
    let line = lines.next().unwrap();
    let hidden = ["host: ", "accept-encoding: "];
    let mut headers: Vec<String> = lines.filter(|line| !hidden.iter().any(|name| line.starts_with(name))).collect();
    headers.sort();
    (line, headers, body.to_owned())
}

const AGENT: &str = concat!("user-agent: tulk/", env!("CARGO_PKG_VERSION"));

#[test]
fn an_import_creates_a_job_uploads_and_waits() {
    let server = service(|_, _| None);
    let bench = bench(&server);
    let run = bench.run(["tm", "import", "pumps.tmx", "--wait", "--json"]).code(0);
    assert_eq!(
        run.json(),
        serde_json::json!({
            "job_id": "J1", "operation": "import", "status": "completed", "display_name": "pumps",
            "translation_memory_id": MEMORY, "skipped_segment_count": 3, "path": "pumps.tmx",
            "creation_time": "2026-11-03T08:00:00.000Z", "updated_time": "2026-11-03T08:00:01.000Z",
        })
    );
    assert_eq!(operations(&server), ["import", "upload", "job", "job"]);
    let requests = server.requests();
    let (line, _, body) = parts(&requests[0]);
    assert_eq!(line, "POST /v3/translation_memories/import HTTP/1.1");
    assert_eq!(
        body,
        r#"{"source_file":{"file_name":"pumps.tmx","content_length":155,"content_type":"application/xml"},"parameters":{"display_name":"pumps"}}"#
    );
    let (line, headers, body) = parts(&requests[1]);
    assert_eq!(line, "PUT /u/9f2c-secret-path?sig=secret%2Bsignature HTTP/1.1");
    assert_eq!(headers, ["accept: */*", "content-length: 155", "content-type: application/xml", AGENT]);
    assert_eq!(body, TMX);
    assert_eq!(records(&bench), 0);
}

#[test]
fn an_export_writes_a_file_named_after_the_memory() {
    let server = service(|_, _| None);
    let bench = bench(&server);
    let run = bench.run(["tm", "export", "Pumps / Ventile"]).code(0);
    assert_eq!(run.out().split('\t').collect::<Vec<_>>()[..5], ["J2", "export", "completed", "", MEMORY]);
    assert_eq!(bench.read("Pumps _ Ventile.tmx"), TMX);
    assert_eq!(operations(&server), ["list", "export", "job", "download"]);
    let requests = server.requests();
    let (line, _, body) = parts(&requests[1]);
    assert_eq!((line, body.as_str()), (format!("POST /v3/translation_memories/{MEMORY}/export HTTP/1.1"), ""));
    let (line, headers, _) = parts(&requests[3]);
    assert_eq!(line, "GET /d/41ab-secret-path?sig=secret%2Bsignature HTTP/1.1");
    assert_eq!(headers, ["accept: */*", AGENT]);
    assert_eq!(records(&bench), 0);
    bench.run(["tm", "export", MEMORY, "-o", "-"]).code(0).prints(TMX);
    assert_eq!(records(&bench), 0);
}

#[test]
fn never_prints_a_signed_address() {
    let lost = service(|request, number| {
        let first = number == 0 && ["upload", "download"].contains(&operation(request));
        first
            .then(|| answer(500, &["location: http://x/secret-path?sig=secret%2Bsignature"], "<E>secret+signature</E>"))
    });
    let moved = service(|request, _| {
        let storage = ["upload", "download"].contains(&operation(request));
        storage.then(|| answer(307, &["location: http://x/secret-path?sig=secret%2Bsignature"], "secret+signature"))
    });
    let bench = Bench::bare().env("TULK_API_KEY", "k");
    bench.write("pumps.tmx", TMX);
    for (server, code) in [(&lost, 0), (&moved, 8)] {
        for format in ["auto", "json"] {
            for args in [
                &["import", "pumps.tmx", "--wait"][..],
                &["export", MEMORY, "-o", "out.tmx", "--force"],
                &["job", "J2"],
            ] {
                let flags = ["-vvv", "--server", &server.url, "--format", format];
                let run: Run = bench.command().arg("tm").args(args).args(flags).output().map(Run::unlisted).unwrap();
                let code = if args[0] == "job" { 0 } else { code };
                let run = run.code(code);
                let printed = format!("{}{}", run.out(), run.stderr);
                for secret in ["secret-path", "secret%2Bsignature", "secret+signature"] {
                    assert!(!printed.contains(secret), "{secret}\n{run}");
                }
            }
        }
    }
    assert!(moved.requests().iter().all(|request| !request.contains("host: x\r\n")));
}

#[test]
fn checks_the_file_before_sending() {
    let server = service(|_, _| None);
    let bench = bench(&server);
    let import = |args: &[&str]| bench.run([&["tm", "import"][..], args].concat());
    bench.write("bad.tmx", TMX.replace("Ventil", "&nbsp;"));
    let hint = "\n  hint: correct the file, or export it again as TMX; --no-check sends it anyway\n";
    import(&["bad.tmx"]).code(2).says(&format!("error: bad.tmx:2:29: unknown reference `&nbsp;`{hint}"));
    bench.write("empty.tmx", "");
    import(&["empty.tmx"]).code(2).says("error: empty.tmx: the file is empty\n");
    import(&["-"]).code(2).says("stdin cannot be imported").says("tulk tm import FILE.tmx");
    import(&["."]).code(2).says("cannot read .: it is a directory");
    import(&["none.tmx"]).code(2).says("cannot read none.tmx");
    let large = std::fs::File::create(bench.path("large.tmx")).unwrap();
    large.set_len(1_073_741_825).unwrap();
    import(&["large.tmx"]).code(2).says("large.tmx: the file has 1,073,741,825 bytes; the limit is 1,073,741,824");
    import(&["pumps.tmx", "--dry-run", "--name", "P"])
        .code(0)
        .says("pumps.tmx: 1 unit in de, en, source de\n")
        .prints(format!(
            "{{\"method\":\"POST\",\"url\":\"{}/v3/translation_memories/import\",\"headers\":{{\"content-type\":\"application/json\"}},{}}}\n",
            server.url,
            r#""body":{"source_file":{"file_name":"pumps.tmx","content_length":155,"content_type":"application/xml"},"parameters":{"display_name":"P"}}"#
        ));
    assert_eq!(server.requests().len(), 0);
    assert_eq!(records(&bench), 0);
    import(&["bad.tmx", "--no-check"]).code(0).says("hint: the service is reading the file");
}

#[test]
fn retries_an_upload_from_the_start_and_restarts_a_refused_one() {
    let server = service(|request, number| match (operation(request), number) {
        ("upload", 0) => Some(Vec::new()),
        ("upload", 1) => Some(answer(500, &[], "")),
        _ => None,
    });
    let bench = bench(&server);
    bench.run(["tm", "import", "pumps.tmx"]).code(0);
    assert_eq!(operations(&server), ["import", "upload", "upload", "upload"]);
    assert!(server.requests()[1..].iter().all(|request| request.ends_with(TMX)));
    let refused = service(|request, number| {
        (operation(request) == "upload" && number == 0).then(|| answer(403, &[], "<Error>expired</Error>"))
    });
    let bench = self::bench(&refused);
    let run = bench.run(["tm", "import", "pumps.tmx", "--wait"]).code(5);
    run.says(
        "returned 403 Forbidden\n  hint: the upload address may have expired: start a new import with `tulk tm import pumps.tmx --name pumps`",
    );
    assert_eq!(records(&bench), 0);
    bench.run(["tm", "import", "pumps.tmx", "--wait"]).code(0);
    assert_eq!(operations(&refused), ["import", "upload", "import", "upload", "job", "job"]);
}

#[test]
fn each_failure_of_a_job_has_its_exit_code() {
    for (result, code, message) in [
        (
            r#""status":"failed","error":{"message":"The file is no TMX."}"#,
            5,
            "could not import pumps.tmx: The file is no TMX\n",
        ),
        (r#""status":"expired""#, 5, "could not import pumps.tmx: job J1 has expired\n  hint: import the file again"),
    ] {
        let server = service(move |request, _| (operation(request) == "job").then(|| job("import", result)));
        let bench = bench(&server);
        bench.run(["tm", "import", "pumps.tmx", "--wait"]).code(code).says(message);
        assert_eq!(records(&bench), 0);
    }
    let lost = service(|request, number| (operation(request) == "job" && number > 0).then(|| answer(500, &[], "")));
    let run = self::bench(&lost).run(["tm", "import", "pumps.tmx", "--wait", "--retries", "0"]).code(7);
    assert_eq!(printed_command(&run, "tulk tm job"), "tulk tm job J1 --wait");
    let full = service(|request, _| {
        (operation(request) == "import").then(|| answer(456, &JSON, r#"{"message":"Too many memories."}"#))
    });
    let bench = bench(&full);
    bench.run(["tm", "import", "pumps.tmx"]).code(6).says("the plan allows no more translation memories");
    let running = service(|request, _| {
        (operation(request) == "export")
            .then(|| answer(409, &JSON, r#"{"message":"an export of this memory is running"}"#))
    });
    let bench = self::bench(&running);
    bench
        .run(["tm", "export", MEMORY, "-o", "a.tmx"])
        .code(7)
        .says("an export of this memory is running")
        .says("wait until it has ended");
    assert_eq!((bench.path("a.tmx").exists(), records(&bench)), (false, 0));
    let downloaded =
        service(|request, _| (operation(request) == "job").then(|| job("export", r#""status":"downloaded""#)));
    self::bench(&downloaded)
        .run(["tm", "export", MEMORY, "-o", "a.tmx"])
        .code(5)
        .says("job J2 has already been downloaded");
    let endless = service(|request, _| (operation(request) == "job").then(|| job("import", r#""status":"resting""#)));
    let bench = self::bench(&endless);
    let run = bench.run(["tm", "import", "pumps.tmx", "--wait", "--max-wait", "1"]).code(10);
    assert_eq!(printed_command(&run, "tulk tm job"), "tulk tm job J1 --wait");
    assert_eq!(
        bench.run(["tm", "job", "--columns", "job_id,status,display_name"]).code(0).out(),
        "J1\tuploaded\tpumps\n"
    );
    let shown = bench.run(["tm", "job", "J1", "--columns", "status,path"]).code(0);
    assert!(shown.out().starts_with("resting\t") && shown.out().ends_with("/pumps.tmx\n"), "{shown}");
}

#[test]
fn replaces_files_only_with_force_and_leaves_no_partial_file() {
    let server = service(|request, number| match (operation(request), number) {
        ("download", 0..4) => Some(b"HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n<tmx".to_vec()),
        _ => None,
    });
    let bench = bench(&server);
    bench.run(["tm", "export", MEMORY, "-o", "pumps.tmx"]).code(2).says("pumps.tmx already exists");
    bench.run(["tm", "export", MEMORY, "-o", "."]).code(2).says(". is a directory");
    assert_eq!(server.requests().len(), 0);
    bench
        .run(["tm", "export", MEMORY, "-o", "pumps.tmx", "--force", "--retries", "0"])
        .code(8)
        .says("it continues with the same job");
    bench.run(["tm", "export", MEMORY, "-o", "-", "--retries", "0"]).code(8).prints("");
    assert_eq!(bench.read("pumps.tmx"), TMX);
    let left = std::fs::read_dir(bench.dir()).unwrap().filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().ends_with(".tmp") || name.to_string_lossy().ends_with(".part")
    });
    assert_eq!(left.count(), 0);
    #[cfg(target_os = "linux")]
    {
        let server = service(|_, _| None);
        let bench = self::bench(&server);
        bench.run(["tm", "export", MEMORY, "-o", "/dev/full"]).code(70).says("No space left on device");
        assert_eq!(records(&bench), 2, "the export can be continued");
    }
}

/// Starts a service that answers no request of an operation until the flag is set.
#[cfg(unix)]
fn stuck(at: &'static str, released: &Arc<AtomicBool>) -> ScriptedServer {
    let released = Arc::clone(released);
    service(move |request, _| {
        while operation(request) == at && !released.load(Ordering::SeqCst) {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        None
    })
}

#[cfg(unix)]
fn stop_at(bench: &Bench, server: &ScriptedServer, at: &str, signal: &str, args: &[&str]) -> Run {
    use std::process::{Command, Stdio};
    let mut command = bench.command();
    command.arg("tm").args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    crate::common::wait_until(at, || operations(server).contains(&at));
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    Run::unlisted(child.wait_with_output().unwrap())
}

#[cfg(unix)]
#[test]
fn after_a_kill_at_any_request_the_same_command_finishes_the_job() {
    let import: &[&str] = &["import", "pumps.tmx", "--wait"];
    let export: &[&str] = &["export", MEMORY, "-o", "out.tmx"];
    for (at, args, expected) in [
        // A job whose file was never uploaded creates no memory.
        ("import", import, &["import", "import", "upload", "job", "job"][..]),
        ("upload", import, &["import", "upload", "job", "upload", "job"]),
        ("job", import, &["import", "upload", "job", "job", "job"]),
        ("export", export, &["export", "export", "job", "download"]),
        ("job", export, &["export", "job", "job", "job", "download"]),
        ("download", export, &["export", "job", "download", "job", "job", "download"]),
    ] {
        let released = Arc::new(AtomicBool::new(false));
        let server = stuck(at, &released);
        let bench = bench(&server);
        let killed = stop_at(&bench, &server, at, "-KILL", args);
        assert_eq!(killed.code, -1, "{killed}");
        assert!(!bench.path("out.tmx").exists());
        released.store(true, Ordering::SeqCst);
        bench.run([&["tm"], args].concat()).code(0);
        assert_eq!(operations(&server), expected, "{at} {args:?}");
        assert_eq!(records(&bench), 0, "{at} {args:?}");
        if args == export {
            assert_eq!(bench.read("out.tmx"), TMX);
        }
        let left = std::fs::read_dir(bench.dir()).unwrap().flatten();
        assert_eq!(left.filter(|entry| entry.file_name().to_string_lossy().starts_with(".tulk")).count(), 0);
    }
}

#[cfg(unix)]
#[test]
fn after_ctrl_c_the_printed_command_finishes_the_job() {
    for (at, args) in [
        ("upload", &["import", "pumps.tmx", "--wait"][..]),
        ("job", &["import", "pumps.tmx", "--wait"]),
        ("job", &["export", MEMORY, "-o", "out.tmx"]),
        ("download", &["export", MEMORY, "-o", "out.tmx"]),
    ] {
        let released = Arc::new(AtomicBool::new(false));
        let server = stuck(at, &released);
        let bench = bench(&server);
        let run = stop_at(&bench, &server, at, "-INT", args).code(130);
        released.store(true, Ordering::SeqCst);
        let next = printed_command(&run, "tulk tm job");
        let words: Vec<&str> = next.split(' ').skip(1).collect();
        bench.run(words).code(0);
        assert_eq!((records(&bench), bench.path("out.tmx").exists()), (0, args[0] == "export"), "{at} {args:?}");
        let creations = operations(&server).iter().filter(|op| ["import", "export"].contains(op)).count();
        assert_eq!(creations, 1);
    }
}

#[test]
fn the_next_run_reports_an_import_left_without_waiting() {
    let server = service(|_, _| None);
    let bench = bench(&server);
    let run = bench.run(["tm", "import", "pumps.tmx"]).code(0);
    assert_eq!(printed_command(&run, "tulk tm job"), "tulk tm job J1 --wait");
    assert_eq!(run.out().split('\t').collect::<Vec<_>>()[..4], ["J1", "import", "uploaded", "pumps"]);
    bench.run(["tm", "import", "pumps.tmx", "--name", "other"]).code(0);
    bench.run(["tm", "import", "pumps.tmx", "--wait"]).code(0).says("continuing with job J1 of an earlier run");
    assert_eq!(operations(&server), ["import", "upload", "import", "upload", "job", "job"]);
    bench.run(["tm", "job", "J1", "-o", "x.tmx"]).code(2).says("job J1 has no file to download");
}

#[test]
fn restarts_a_job_the_service_no_longer_has() {
    let gone = Arc::new(AtomicBool::new(false));
    let is_gone = Arc::clone(&gone);
    let server = service(move |request, _| match operation(request) {
        "job" if is_gone.load(Ordering::SeqCst) => Some(answer(404, &JSON, r#"{"message":"no such job"}"#)),
        "job" => Some(job("export", r#""status":"processing""#)),
        _ => None,
    });
    let bench = bench(&server);
    bench.run(["tm", "import", "pumps.tmx"]).code(0);
    bench.run(["tm", "export", MEMORY, "-o", "out.tmx", "--max-wait", "1"]).code(10);
    bench.run(["tm", "job", "J1", "--sandbox"]).code(2).says(&format!("hint: add --server {}\n", server.url));
    gone.store(true, Ordering::SeqCst);
    let hint = "hint: start a new one with `tulk tm import pumps.tmx --name pumps`\n";
    bench.run(["tm", "job", "J1"]).code(4).says("does not have job J1").says(hint);
    let hint = format!("hint: start a new one with `tulk tm export {MEMORY} -o out.tmx`\n");
    bench.run(["tm", "job", "J2", "--wait"]).code(4).says(&hint);
    assert_eq!(records(&bench), 0);
}

#[test]
fn a_dry_run_prints_the_job_and_transfers_nothing() {
    let server = service(|request, _| (operation(request) == "upload").then(|| answer(500, &[], "")));
    let bench = bench(&server);
    bench.run(["tm", "import", "pumps.tmx", "--retries", "0"]).code(7);
    bench.run(["tm", "job", "J1", "--wait", "--dry-run"]).code(0);
    let hint = "hint: download the file with `tulk tm job J2 -o FILE.tmx`\n";
    bench.run(["tm", "job", "J2", "--wait", "-o", "out.tmx", "--dry-run"]).code(0).says(hint);
    assert!(!bench.path("out.tmx").exists());
    assert_eq!(operations(&server), ["import", "upload", "job", "job"]);
}
