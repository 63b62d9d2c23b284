//! `tulk tm`.

use crate::common::Bench;

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

/// Starts a sandbox with `count` memories. The second value is the directory of their file.
fn bench(count: usize) -> (Bench, tempfile::TempDir) {
    let files = tempfile::tempdir().unwrap();
    let path = files.path().join("memories.json");
    std::fs::write(&path, memories(count)).unwrap();
    (Bench::with(&["--engine", "echo", "--memories", path.to_str().unwrap()]), files)
}

#[test]
fn lists_all_pages() {
    let (bench, _files) = bench(60);
    let run = bench.run(["tm", "list"]).code(0);
    assert_eq!(run.out().lines().count(), 60, "{run}");
    assert_eq!(run.out().lines().next().unwrap(), "2f6d1c3a-0b9e-4f57-8a41-000000000000\tManuals 0\tde\ten,fr\t1");
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
fn an_account_without_memories_prints_an_empty_list() {
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
    bench.run(["translate", "--to", "en", "--translation-memory", "Manual", "x"]).code(4).says("did you mean");
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
    bench.run(["tm", "list"]).code(2).says("memories.json");
}
