//! What a person typing on a terminal sees: how to end a text, how to use a sandbox, what a document costs.

use std::fs::File;
use std::io::Read as _;

use crate::common::terminal::open;
use crate::common::{Bench, wait_until};

/// Runs a command on a terminal and types `keys` once `ready` is shown. Returns what was shown, and the exit code.
fn run_and_type(bench: &Bench, line: &str, ready: &str, keys: &[u8]) -> (String, Option<i32>) {
    let (master, terminal) = open(80, 24);
    let mut command = bench.command();
    command.args(line.split(' ')).stdin(terminal.try_clone().unwrap());
    command.stdout(terminal.try_clone().unwrap()).stderr(terminal);
    let mut child = command.spawn().unwrap();
    drop(command);
    let (mut seen, mut bytes) = (String::new(), [0; 1000]);
    wait_until(ready, || {
        let read = rustix::io::read(&master, &mut bytes).unwrap_or_default();
        seen.push_str(&String::from_utf8_lossy(&bytes[..read]));
        seen.contains(ready)
    });
    if keys == b"\x03" {
        // The command has no controlling terminal here, so the key would not become a signal.
        let status = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(status.unwrap().success());
    } else {
        rustix::io::write(&master, keys).unwrap();
    }
    let mut rest = Vec::new();
    // Linux reports EIO instead of end of file once the other side is closed.
    let _ = File::from(master).read_to_end(&mut rest);
    seen.push_str(&String::from_utf8_lossy(&rest));
    (seen.replace("\r\n", "\n"), child.wait().unwrap().code())
}

#[test]
fn typed_text_ends_with_ctrl_d() {
    let bench = Bench::with(&["--engine", "upper"]);
    let ready = "reading from the terminal; end with Ctrl-D";
    for line in ["translate --to de -", "translate --to de", "translate --to de -i -", "write rephrase -"] {
        let (seen, code) = run_and_type(&bench, line, ready, b"Tea\n\x04");
        assert_eq!((seen.as_str(), code), (&*format!("{ready}\nTea\nTEA\n"), Some(0)), "{line}");
    }
    bench.pipe("Tea\n", ["translate", "--to", "de", "-"]).code(0).prints("TEA\n").says_nothing();
}

#[test]
fn serve_shows_how_to_connect_and_ends_with_stopped() {
    let bench = Bench::bare();
    let ready = "press Ctrl-C to stop";
    let (seen, code) = run_and_type(&bench, "sandbox serve --ephemeral --key k1 --key k2", ready, b"\x03");
    let url = seen.lines().next().unwrap().to_owned();
    let expected = format!(
        "{url}\nkeys: k1, k2\npage: {url}/_sandbox/\n\nIn another terminal:\nexport TULK_SERVER={url}\n\
         export TULK_API_KEY=k1\n\nserving the sandbox, which does not translate meaning; press Ctrl-C to stop\n\nstopped\n"
    );
    assert_eq!((seen, code), (expected, Some(0)));
}

#[test]
fn reports_the_minimum_cost_of_documents() {
    let bench = Bench::new();
    for name in ["a.docx", "b.docx"] {
        bench.write(name, "Tea\n");
    }
    let one = "1 document is billed as at least 50,000 characters\n";
    let two = "2 documents are billed as at least 50,000 characters each\n";
    for (line, expected) in [("doc translate a.docx --to de", one), ("doc translate a.docx b.docx --to fr", two)] {
        let (seen, code) = run_and_type(&bench, line, "billed as", b"");
        assert!(seen.starts_with(expected), "{seen}");
        assert_eq!(code, Some(0), "{seen}");
    }
}
