//! Screens of errors, checks with findings, suggestions and questions.

use super::tmux::{Terminal, script};
use super::{ROWS, check};
use crate::common::scripted::{ScriptedServer, answer};
use crate::common::tools::has;
use crate::common::{Bench, wait_until};

#[test]
fn input_errors() {
    let bench = Bench::bare().env("TULK_SANDBOX", "1");
    bench.write("de.tsv", "kettle\tWasserkocher\nlid,Deckel\n");
    bench.run(["usage"]).code(0);
    let commands = [
        "tulk glossary create Kitchen --dictionary en:de=de.tsv",
        "tulk glossary show Kitchen",
        "tulk translate --to german Hello",
        "tulk translate --tow de Hello",
        "tulk translat --to de Hello",
        "tulk doc translate missing.docx --to de",
    ];
    check(&bench, "input-errors", &commands);
}

#[test]
fn refusals_of_the_service() {
    let body = r#"{"message":"Value for 'target_lang' not supported."}"#;
    let headers = ["content-type: application/json", "x-trace-id: 4f2ac1d09e"];
    let server = ScriptedServer::start(move |_| answer(400, &headers, body));
    let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "key");
    let commands = ["tulk translate --to xx Hello", "tulk translate --to xx Hello --json"];
    check(&bench, "service-errors", &commands);
}

#[test]
fn checks_with_findings() {
    let bench = Bench::bare().env("TULK_SANDBOX", "1");
    bench.write("good.tsv", "kettle\tWasserkocher\n");
    bench.write("other.tsv", "kettle\tKessel\nlid\tDeckel\n");
    bench.write("bad.tsv", "kettle\tWasserkocher\nkettle\tKessel\n");
    bench.write("note.txt", "Teh lid is open.\n");
    bench.run(["glossary", "create", "Kitchen", "--dictionary", "en:de=good.tsv"]).code(0);
    let commands = [
        "tulk glossary diff Kitchen en:de other.tsv",
        "tulk glossary lint bad.tsv",
        "tulk langs check --resource write --to ja; echo \"exit code $?\"",
        "tulk write correct --check -i note.txt; echo \"exit code $?\"",
    ];
    check(&bench, "no-answers", &commands);
}

#[test]
fn questions() {
    if !has("tmux") {
        return;
    }
    let bench = Bench::bare().env("TULK_SANDBOX", "1");
    bench.write("good.tsv", "kettle\tWasserkocher\n");
    bench.run(["glossary", "create", "Kitchen", "--dictionary", "en:de=good.tsv"]).code(0);
    let commands = script(&["tulk glossary delete Kitchen", "tulk glossary delete Kitchen; echo \"exit code $?\""]);
    let terminal = Terminal::start(&bench, "question", (80, ROWS), &commands);
    terminal.wait_for("Kitchen`");
    terminal.press(&["n", "Enter"]);
    let questions = || terminal.capture(false).matches("[y/N]").count();
    wait_until("the second question", || questions() == 2);
    terminal.press(&["C-c"]);
    terminal.wait_for_end();
    super::compare("questions", &super::section("80 columns", &terminal));
}
