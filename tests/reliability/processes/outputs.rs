//! For one output, one set of outputs or one project, a single process works; the others report this and send nothing.

use super::{HeldService, one_of_many};
use crate::common::Bench;

fn lines(count: usize) -> String {
    (0..count).map(|n| format!("line {n}\n")).collect()
}

#[test]
fn only_one_of_32_processes_translates_to_the_same_output() {
    for flag in ["--resume", "--force"] {
        let (service, server) = HeldService::start();
        let bench = Bench::bare().env("TULK_API_KEY", "k-12345678").env("TULK_SERVER", &server.url);
        bench.write("in.txt", lines(40));
        let args = ["translate", "--to", "de", "--lines", "-i", "in.txt", "-o", "out.txt", "--progress", "none", flag];
        let (others, one) = one_of_many(&bench, &service, &args);
        one.code(0).prints("").says_nothing();
        for other in others {
            other
                .code(2)
                .prints("")
                .says("error: ")
                .says("another process is writing")
                .says("hint: wait until it ends");
        }
        assert_eq!(bench.read("out.txt"), lines(40).to_uppercase(), "{flag}");
        assert_eq!(service.received(), (40, 0), "{flag}: each text was sent once");
        for name in ["out.txt.part", "out.txt.part.state"] {
            assert!(!bench.path(name).exists(), "{flag}: {name}");
        }
    }
}

#[test]
fn only_one_of_32_processes_translates_to_the_same_outputs() {
    let (service, server) = HeldService::start();
    let bench = Bench::bare().env("TULK_API_KEY", "k-12345678").env("TULK_SERVER", &server.url);
    bench.write("in.txt", lines(40));
    let args = ["translate", "--to", "de,fr,es", "--lines", "-i", "in.txt", "-o", "out.{lang}.txt", "--resume"];
    let (others, one) = one_of_many(&bench, &service, &args);
    one.code(0).prints("");
    for other in others {
        other.code(2).prints("").says("error: another process is writing the same files").says("wait until it ends");
    }
    for lang in ["de", "fr", "es"] {
        assert_eq!(bench.read(&format!("out.{lang}.txt")), lines(40).to_uppercase(), "{lang}");
    }
    assert_eq!(service.received(), (120, 0), "each text was sent once for each language");
}

#[test]
fn only_one_of_32_processes_synchronizes_a_project() {
    let (service, server) = HeldService::start();
    let bench = Bench::bare().env("TULK_API_KEY", "k-12345678").env("TULK_SERVER", &server.url);
    bench.write(
        "tulk.toml",
        "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\", \"fr\"]\n\n[[sync.files]]\nsource = \"en/*.json\"\n\
         target = \"{lang}/*.json\"\ndialect = \"none\"\n",
    );
    for n in 0..5 {
        bench.write(&format!("en/f{n}.json"), format!("{{\"a\": \"Text {n}\", \"b\": \"Other {n}\"}}\n"));
    }
    let (others, one) = one_of_many(&bench, &service, &["sync"]);
    one.code(0);
    for other in others {
        other
            .code(2)
            .says("error: another tulk sync is running in this project")
            .says("hint: wait until it has finished");
    }
    for lang in ["de", "fr"] {
        for n in 0..5 {
            let expected = format!("{{\"a\": \"TEXT {n}\", \"b\": \"OTHER {n}\"}}\n");
            assert_eq!(bench.read(&format!("{lang}/f{n}.json")), expected, "{lang}");
        }
    }
    assert_eq!(service.received(), (20, 0), "each text was sent once for each language");
    bench.run(["sync", "--check"]).code(0);
}
