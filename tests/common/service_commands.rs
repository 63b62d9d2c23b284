//! Commands that send requests to the service, ordered so that each finds what it needs.
//!
//! `DOC_ID`, `TERMS_ID`, `INSTRUCTION_ID` and `PROFILE_ID` stand for the IDs of objects created by [`prepared`].

use super::Bench;

pub const TEXT: &[&str] = &[
    "translate --to de Hello",
    "translate --to de,fr -i in.txt -o out.{lang}.txt --force",
    "write rephrase Hello",
    "write correct -i in.txt",
    "usage",
    "langs list",
    "langs resources",
    "langs check --to de --feature formality",
    "langs v2 --target",
    "langs detect Hello",
    "tm list",
    "tm show M",
    "tm show 2f6d1c3a-0b9e-4f57-8a41-000000000001",
    "tm segments M --filter Sea",
    "sync",
    "api GET /v2/usage",
    "api GET /v3/style_rules --paginate",
    "tm delete M -y",
];

pub const GLOSSARY: &[&str] = &[
    "glossary list",
    "glossary show K",
    "glossary entries K en:de",
    "glossary create new --dictionary en:de=k.tsv --wait",
    "glossary set K en:de k.tsv",
    "glossary merge K en:de k.tsv",
    "glossary add K en:de sky Himmel",
    "glossary remove K en:de sky",
    "glossary rename K K",
    "glossary diff K en:de k2.tsv",
    "glossary sync K en:de=k2.tsv --prune -y",
    "glossary export K exported --force",
    "glossary wait K",
    "glossary v2 list",
    "glossary v2 show V",
    "glossary v2 create W --dictionary en:de=k.tsv",
    "glossary v2 entries V",
    "glossary v2 pairs",
    "glossary v2 delete V -y",
    "glossary delete-dictionary K en:de -y",
    "glossary delete K -y",
];

pub const STYLE: &[&str] = &[
    "style list",
    "style show S",
    "style create new --language de",
    "style rename S S",
    "style rules show S",
    "style rules set S spelling_and_grammar.eszett=replace_eszett_with_ss",
    "style instruction list S",
    "style instruction add S --label new --prompt p",
    "style instruction show S I",
    "style instruction show S INSTRUCTION_ID",
    "style instruction edit S I --prompt q",
    "style profile list",
    "style profile show P",
    "style profile show PROFILE_ID",
    "style profile create new --glossary K --style S",
    "style profile edit P --name P --glossary K",
    "style profile edit PROFILE_ID --clear styles",
    "style profile delete P -y",
    "style export S",
    "style instruction remove S I -y",
    "style apply s.toml -y",
    "style delete S -y",
];

pub const DOCUMENT_AND_VOICE: &[&str] = &[
    "doc translate a.txt --to de --force",
    "doc upload b.txt --to de",
    "doc translate e.xml --from en --to de --evaluate --again --force",
    "doc status DOC_ID --document-key-file key",
    "doc wait DOC_ID --document-key-file key",
    "doc resume",
    "doc download DOC_ID --document-key-file key -o result.txt --force",
    "voice session --content-type audio/ogg --to de",
    "voice stream a.raw --content-type audio/pcm;encoding=s16le;rate=16000 --to de --reconnects 0",
];

pub const VOICE_TERMS: &[&str] = &[
    "voice terms list",
    "voice terms show T",
    "voice terms show TERMS_ID",
    "voice terms create new en=t.txt",
    "voice terms entries T",
    "voice terms entries T en",
    "voice terms set T en t.txt",
    "voice terms merge T en t2.txt",
    "voice terms rename T T",
    "voice terms sync T en=t2.txt",
    "voice terms sync T en=t2.txt --prune -y",
    "voice terms sync TERMS_ID en=t.txt",
    "voice terms sync unknown en=t.txt",
    "voice terms delete-list T de -y",
    "voice terms delete T -y",
];

pub const ADMIN: &[&str] = &[
    "admin keys list",
    "admin keys create new",
    "admin keys rename ci ci",
    "admin keys limit ci --characters 5",
    "admin usage --start 2026-01-01 --end 2026-01-02",
    "admin tags --start 2026-01-01 --end 2026-01-02",
    "admin pairs --start 2026-01-01 --end 2026-01-02",
    "admin keys deactivate ci -y",
];

pub fn prepared() -> Bench {
    let at_once = ["--document-queue", "0s", "--document-translate", "0s"];
    let memories = ["--memories", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/memories.json")];
    let bench = Bench::with(&[&["--engine", "echo"][..], &at_once, &memories].concat()).env("TULK_TIMEOUT", "5s");
    bench.write("in.txt", "Hello\n");
    for name in ["a.txt", "b.txt", "c.txt", "d.txt"] {
        bench.write(name, "Hello\n");
    }
    bench.write("a.raw", [0_u8; 3200]);
    bench.write("e.xml", "<a>Hello</a>");
    bench.write("k.tsv", "sea\tMeer\nsky\tHimmel\n");
    bench.write("k2.tsv", "sea\tSee\n");
    bench.write("s.toml", "name = \"S\"\nlanguage = \"de\"\n[[custom_instructions]]\nlabel = \"J\"\nprompt = \"p\"\n");
    bench.run(["glossary", "create", "K", "--dictionary", "en:de=k.tsv"]).code(0);
    bench.run(["glossary", "v2", "create", "V", "--dictionary", "en:de=k.tsv"]).code(0);
    bench.run(["style", "create", "S", "--language", "de"]).code(0);
    let instruction = ["style", "instruction", "add", "S", "--label", "I", "--prompt", "p", "--columns", "id"];
    bench.write("instruction", bench.run(instruction).code(0).out().trim());
    let profile = ["style", "profile", "create", "P", "--style", "S", "--columns", "style_profile_id"];
    bench.write("profile", bench.run(profile).code(0).out().trim());
    bench.write("t.txt", "Ljubljana\n");
    bench.write("t2.txt", "Maribor\n");
    let terms = ["voice", "terms", "create", "T", "en=t.txt", "de=t.txt", "--columns", "spoken_terms_id"];
    bench.write("terms", bench.run(terms).code(0).out().trim());
    bench.run(["admin", "keys", "create", "ci"]).code(0);
    let run =
        bench.run(["doc", "upload", "d.txt", "--to", "de", "--key-out", "key", "--columns", "document_id"]).code(0);
    bench.write("id", run.out().trim());
    let files = "[[sync.files]]\nsource = \"en.json\"\ntarget = \"{lang}.json\"\n";
    bench.write("tulk.toml", format!("[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n{files}"));
    bench.write("en.json", "{\"a\": \"One\"}\n");
    bench
}

pub fn arguments(bench: &Bench, command: &str) -> Vec<String> {
    let ids = [("DOC_ID", "id"), ("TERMS_ID", "terms"), ("INSTRUCTION_ID", "instruction"), ("PROFILE_ID", "profile")];
    let command = ids.iter().fold(command.to_owned(), |text, (name, file)| text.replace(name, &bench.read(file)));
    command.split(' ').map(str::to_owned).collect()
}

/// Returns the arguments of a command that must run before each run of this one.
pub fn before(command: &str) -> Option<&'static [&'static str]> {
    if command == "doc resume" {
        return Some(&["doc", "upload", "c.txt", "--to", "de"]);
    }
    // Merging or syncing terms that the service already has would send nothing.
    let changes_terms = ["voice terms merge ", "voice terms sync "].iter().any(|start| command.starts_with(start));
    changes_terms.then_some(&["voice", "terms", "sync", "T", "en=t.txt", "de=t.txt", "--prune", "-y"])
}
