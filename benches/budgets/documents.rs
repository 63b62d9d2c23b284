//! Upload and download of a document of 1 GiB, in alternation with curl against the same server, on one file system.

use std::cell::Cell;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use super::process::{Pairs, median, run, run_alternately, run_for_peak_memory};
use super::setup::Setup;
use super::stub::{DOCUMENT_BYTES, Stub};
use super::table::Figure;

/// Used if it exists, so that the disk is not measured.
const MEMORY_FILE_SYSTEM: &str = "/dev/shm";

pub fn measure(setup: &Setup) -> Vec<Figure> {
    let parent = Some(Path::new(MEMORY_FILE_SYSTEM)).filter(|dir| dir.is_dir()).unwrap_or(setup.dir());
    let dir = tempfile::Builder::new().prefix("tulk-bench").tempdir_in(parent).expect("a directory");
    let bench = DocumentBench { setup, dir: dir.path(), stub: Stub::start(), next_id: Cell::new(0) };
    [bench.measure_upload(), bench.measure_download()].concat()
}

struct DocumentBench<'a> {
    setup: &'a Setup,
    dir: &'a Path,
    stub: Stub,
    /// ID for the next download by tulk. Each needs a new one, because the result of a document can be downloaded only once.
    next_id: Cell<u32>,
}

impl DocumentBench<'_> {
    fn measure_upload(&self) -> Vec<Figure> {
        let input = self.dir.join("large.txt");
        write_document(&input);
        let pairs = run_alternately(self.setup.rounds, || run(self.upload()), || run(self.curl_upload()));
        let memory = median((0..3).map(|_| run_for_peak_memory(self.upload())));
        std::fs::remove_file(&input).expect("the file");
        figures("up", &pairs, memory, 1.05)
    }

    fn measure_download(&self) -> Vec<Figure> {
        let key = self.dir.join("key");
        std::fs::write(&key, "K").expect("a file");
        let after_making_room = |command: Command| {
            self.make_room();
            run(command)
        };
        let pairs = run_alternately(
            self.setup.rounds,
            || after_making_room(self.download()),
            || after_making_room(self.curl_download()),
        );
        let memory = median((0..3).map(|_| run_for_peak_memory(self.download())));
        figures("down", &pairs, memory, 1.05)
    }

    /// With --no-check, because tulk otherwise refuses documents of this size.
    fn upload(&self) -> Command {
        let mut command = self.tulk(&["-q", "doc", "upload", "large.txt", "--to", "de", "--no-check", "--again"]);
        command.current_dir(self.dir);
        command
    }

    fn curl_upload(&self) -> Command {
        let address = format!("{}/v2/document", self.stub.url());
        let mut command = self.curl();
        command.args(["-F", "target_lang=DE", "-F", "file=@large.txt", "-H", "Expect:", &address]);
        command
    }

    fn download(&self) -> Command {
        let id = self.next_id.replace(self.next_id.get() + 1).to_string();
        self.tulk(&["doc", "download", &id, "--document-key-file", "key", "--force", "-o", "result.tulk"])
    }

    /// Requests the status before the result, like tulk.
    fn curl_download(&self) -> Command {
        let (status, body) = (format!("{}/v2/document/D", self.stub.url()), r#"{"document_key":"K"}"#);
        let mut command = self.curl();
        command.args(["-d", body, "-o", "status", &status, "--next", "-s", "-d", body]);
        command.args(["-o", "result.curl", &format!("{status}/result")]);
        command
    }

    /// Removes earlier results, and uses as much memory as the next one needs: a virtual machine returns memory to its host that has been
    /// free for seconds, and it takes long to get it back.
    fn make_room(&self) {
        for name in ["result.tulk", "result.curl"] {
            let _ = std::fs::remove_file(self.dir.join(name));
        }
        let room = self.dir.join("room");
        write_document(&room);
        std::fs::remove_file(&room).expect("the file");
    }

    fn tulk(&self, arguments: &[&str]) -> Command {
        let mut command = self.setup.tulk(&self.stub.url(), arguments);
        command.current_dir(self.dir);
        command
    }

    fn curl(&self) -> Command {
        let mut command = self.setup.command("curl", &["-s"]);
        command.current_dir(self.dir);
        command
    }
}

fn figures(direction: &str, pairs: &Pairs, memory: f64, budget: f64) -> Vec<Figure> {
    let what = |text: &str| format!("1 GiB {direction}: {text}");
    vec![
        Figure::ratio(what("wall time against curl"), pairs.ratio(|c| c.wall)).at_most(budget),
        Figure::ratio(what("processor time against curl"), pairs.ratio(|c| c.cpu)),
        Figure::amount(what("speed"), DOCUMENT_BYTES as f64 / 1e6 / pairs.first(|c| c.wall), "MB/s"),
        Figure::amount(what("peak memory"), memory, "MiB"),
    ]
}

fn write_document(path: &Path) {
    let mut file = File::create(path).expect("a file");
    let step: Vec<u8> = b"A line of a long document.\n".iter().copied().cycle().take(1 << 20).collect();
    for _ in 0..DOCUMENT_BYTES >> 20 {
        file.write_all(&step).expect("a document");
    }
}
