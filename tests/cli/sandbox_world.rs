//! `tulk sandbox serve`: flags for existing objects, keys, quotas and faults.

use crate::common::Bench;

#[test]
fn serve_applies_seed_files_keys_and_document_limits() {
    let bench = Bench::bare();
    bench.write("seed.toml", "[[glossaries]]\nname = \"Kitchen\"\n[[glossaries.dictionaries]]\nsource_lang = \"en\"\ntarget_lang = \"de\"\nentries = { tea = \"Tee\" }\n");
    bench.write("a.txt", "Tea");
    let flags = ["--seed-file", "seed.toml", "--key", "one", "--any-key", "--document-limit", "1"];
    let server = bench.serve(&[&flags[..], &["--team-document-limit", "2", "--document-queue", "0s"]].concat());
    let bench = bench.env("TULK_SERVER", &server.url);
    let as_key = |key: &str, args: &[&str]| {
        let output = bench.command().env("TULK_API_KEY", key).args(args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let names = as_key("any-key-1", &["glossary", "list", "--columns", "name", "--format", "tsv"]);
    assert_eq!(names, (Some(0), "Kitchen\n".to_owned()));
    let upload = |key: &str, target: &str| as_key(key, &["doc", "upload", "a.txt", "--to", target]).0;
    // One document per key, two for the team.
    assert_eq!((upload("one", "de"), upload("one", "fr")), (Some(0), Some(6)));
    assert_eq!((upload("any-key-2", "it"), upload("any-key-3", "es")), (Some(0), Some(6)));
    assert_eq!(as_key("invalid", &["usage"]).0, Some(3));
}

#[test]
fn strict_refuses_unknown_fields_and_a_fault_can_withhold_the_answer() {
    let bench = Bench::with(&["--strict", "--fault", "never;path=/v2/languages"]);
    bench
        .run(["api", "POST", "/v2/translate", "-F", "text[]=a", "-F", "target_lang=de", "-F", "formalty=less"])
        .code(5)
        .prints(
            "{\"message\":\"Parameter 'formalty' not supported.\",\"detail\":\"POST /v2/translate has no such field (--strict)\",\
             \"code\":\"unknown_parameter\"}",
        );
    // Requests by tulk have no unknown fields.
    bench.run(["translate", "--to", "de", "Tea"]).code(0);
    bench.run(["--timeout", "1s", "--retries", "0", "api", "GET", "/v2/languages"]).code(8);
}
