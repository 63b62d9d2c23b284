//! The state of the sandbox after a kill or on a full disk.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::common::{Bench, wait_until};

struct StatefulServer {
    child: Child,
    address: String,
}

impl Drop for StatefulServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl StatefulServer {
    fn start(bench: &Bench) -> Self {
        let flags =
            ["--port", "0", "--quiet", "--engine", "upper", "--document-queue", "0s", "--document-translate", "0s"];
        let mut command = bench.command();
        let command = command.args(["sandbox", "serve"]).args(flags).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { child, address: line.trim().strip_prefix("http://").expect("an address").to_owned() }
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Sends a request and returns status and body, or `None` without a complete answer.
fn request(address: &str, method: &str, path: &str, content_type: &str, body: &str) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Service-Auth-Key sandbox\r\n\
         Content-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(head.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let status = head.split(' ').nth(1)?.parse().ok()?;
    (length.is_none_or(|length: usize| length == body.len())).then(|| (status, body.to_owned()))
}

fn post(address: &str, path: &str, body: &Value) -> Option<Value> {
    let (status, body) = request(address, "POST", path, "application/json", &body.to_string())?;
    assert!((200..300).contains(&status), "{path}: {status} {body}");
    serde_json::from_str(&body).ok()
}

fn get(address: &str, path: &str) -> (u16, String) {
    request(address, "GET", path, "application/json", "").expect("an answer")
}

/// Returns the ID of the new object if the sandbox confirmed it.
fn create(address: &str, kind: &str, n: usize) -> Option<String> {
    let text = |value: Value, field: &str| value[field].as_str().map(str::to_owned);
    match kind {
        "glossary" => {
            let entries = (0..200).map(|n| format!("source {n}\ttarget {n}")).collect::<Vec<_>>().join("\n");
            let dictionary =
                json!({"source_lang": "en", "target_lang": "de", "entries": entries, "entries_format": "tsv"});
            text(
                post(address, "/v3/glossaries", &json!({"name": format!("g {n}"), "dictionaries": [dictionary]}))?,
                "glossary_id",
            )
        }
        "style" => {
            text(post(address, "/v3/style_rules", &json!({"name": format!("s {n}"), "language": "en"}))?, "style_id")
        }
        "key" => text(post(address, "/v2/admin/developer-keys", &json!({"label": format!("k {n}")}))?, "key_id"),
        _ => {
            let form = format!(
                "--x\r\nContent-Disposition: form-data; name=\"target_lang\"\r\n\r\nde\r\n--x\r\nContent-Disposition: \
                 form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\ndocument {n}\r\n--x--\r\n"
            );
            let (status, body) = request(address, "POST", "/v2/document", "multipart/form-data; boundary=x", &form)?;
            assert_eq!(status, 200, "{body}");
            Some(format!("{n} {body}"))
        }
    }
}

fn assert_found(address: &str, kind: &str, id: &str, keys: &str) {
    match kind {
        "glossary" => {
            let path = format!("/v3/glossaries/{id}/entries?source_lang=en&target_lang=de");
            let (status, body) = get(address, &path);
            let found: Value = serde_json::from_str(&body).unwrap_or_default();
            let entries = found["dictionaries"][0]["entries"].as_str().unwrap_or_default();
            assert!(
                status == 200 && entries.lines().count() == 200 && entries.ends_with("target 199"),
                "{status} {body}"
            );
        }
        "style" => assert_eq!(get(address, &format!("/v3/style_rules/{id}")).0, 200, "{id}"),
        "key" => assert!(keys.contains(id), "{id}"),
        _ => {
            let (n, handle) = id.split_once(' ').unwrap();
            let handle: Value = serde_json::from_str(handle).unwrap();
            let (id, key) = (handle["document_id"].as_str().unwrap(), handle["document_key"].as_str().unwrap());
            let key = json!({"document_key": key});
            let status = || post(address, &format!("/v2/document/{id}"), &key).unwrap()["status"].clone();
            wait_until("the document is done", || status() == "done");
            let path = format!("/v2/document/{id}/result");
            let result = request(address, "POST", &path, "application/json", &key.to_string()).unwrap();
            assert_eq!(result, (200, format!("DOCUMENT {n}")));
        }
    }
}

#[test]
fn confirmed_changes_survive_a_kill() {
    const KINDS: [&str; 4] = ["glossary", "style", "key", "document"];
    let bench = Bench::bare();
    let confirmed = Mutex::new(BTreeMap::<&str, Vec<String>>::new());
    let count = || confirmed.lock().unwrap().values().map(Vec::len).sum::<usize>();
    for round in 1..=3 {
        let mut server = StatefulServer::start(&bench);
        let address = server.address.clone();
        let (text, done) = (json!({"text": ["12345"], "target_lang": "de"}), count() + 12);
        post(&address, "/v2/translate", &text).unwrap();
        let status = || bench.run(["sandbox", "status", "--json"]).json()["usage"]["text"].clone();
        wait_until("the counts are written", || status() == 5 * round);
        std::thread::scope(|scope| {
            for kind in KINDS {
                let (address, confirmed) = (&address, &confirmed);
                scope.spawn(move || {
                    for n in 0.. {
                        let Some(id) = create(address, kind, n) else { return };
                        confirmed.lock().unwrap().entry(kind).or_default().push(id);
                    }
                });
            }
            wait_until("there are objects", || count() > done);
            server.kill();
        });
    }
    let server = StatefulServer::start(&bench);
    let usage: Value = serde_json::from_str(&get(&server.address, "/v2/usage").1).unwrap();
    assert_eq!(usage["products"][0]["account_unit_count"], 15, "{usage}");
    let keys = get(&server.address, "/v2/admin/developer-keys").1;
    let glossaries: Value = serde_json::from_str(&get(&server.address, "/v3/glossaries").1).unwrap();
    for glossary in glossaries["glossaries"].as_array().unwrap() {
        assert_found(&server.address, "glossary", glossary["glossary_id"].as_str().unwrap(), "");
    }
    for (kind, ids) in confirmed.lock().unwrap().iter() {
        for id in ids {
            assert_found(&server.address, kind, id, &keys);
        }
    }
}

#[test]
fn a_full_disk_fails_the_request() {
    let bench = Bench::bare();
    // Storing the glossary makes the database larger than the limit.
    let script = r#"set +e
        tulk sandbox serve --port 0 --quiet > first & until [ -s first ]; do sleep 0.05; done; kill $!; wait $!
        (trap '' XFSZ; ulimit -f 400; exec tulk sandbox serve --port 0 --quiet > url) &
        until [ -s url ]; do sleep 0.05; done
        export TULK_SERVER="$(cat url)" TULK_API_KEY=sandbox
        seq -f 'source %.0f with some more text	target with some more text' 20000 > large.tsv
        tulk glossary create --dictionary en:de=large.tsv --retries 0 Large; echo "code $?"
        printf 'a\tb\n' > small.tsv
        tulk glossary create --dictionary en:de=small.tsv --columns name Small; echo "code $?"
        tulk glossary list --columns name; kill $!"#;
    let run = bench.bash(script);
    run.says("cannot use the state of the sandbox").prints("code 7\nSmall\ncode 0\nSmall\n");
}

#[test]
fn a_damaged_state_is_set_aside() {
    let bench = Bench::bare();
    let script = r#"export TULK_SANDBOX=1; unset TULK_SERVER TULK_API_KEY
        printf 'tea\tTee\n' > terms.tsv
        tulk glossary create --dictionary en:de=terms.tsv Tea > /dev/null
        state=$(tulk sandbox status --jq .state_dir)
        cd "$state"; cp sandbox.db whole.db; head -c 10000 whole.db > sandbox.db
        tulk glossary list --columns name; echo "code $?"
        cmp sandbox.db.damaged <(head -c 10000 whole.db); tulk glossary list --columns name; echo "code $?"
        tulk sandbox reset --yes; ls sandbox.db*"#;
    let run = bench.bash(script).says("warning: the state of the sandbox was damaged, so it is empty now");
    assert_eq!(run.stderr.matches("was damaged").count(), 1, "{}", run.stderr);
    run.says("sandbox.db.damaged; `tulk sandbox reset` removes it").prints("code 0\ncode 0\nsandbox.db\n");
}

#[test]
fn a_truncated_state_does_not_stop_the_server() {
    let bench = Bench::bare();
    let script = r#"printf 'tea\tTee\n' > terms.tsv; export TULK_API_KEY=sandbox
        TULK_SANDBOX=1 tulk glossary create --quiet --dictionary en:de=terms.tsv Tea > created
        cd "$(tulk sandbox status --jq .state_dir)"; cp sandbox.db whole.db; size=$(stat -c %s whole.db)
        for n in 1 2 3 4 5 6 7 8 9 10; do
            head -c $((size * n / 10 - 100)) whole.db > sandbox.db
            tulk sandbox serve --port 0 --quiet > url & until [ -s url ]; do sleep 0.02; done
            export TULK_SERVER="$(cat url)"; rm url
            tulk translate --to de Hi > answer && tulk glossary list > answer && tulk usage --json > answer; echo "code $?"
            kill $!; wait $! || true
        done"#;
    bench.bash(script).prints("code 0\n".repeat(10));
}
