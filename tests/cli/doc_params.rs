//! `--param` and extensible values of documents: form fields and values unknown to tulk.

use serde_json::{Value, json};

use crate::common::Bench;
use crate::common::scripted::{ScriptedServer, answer};
use crate::doc::{bench, count_successful, records};
use crate::doc_recovery::{client, printed_command};
use crate::doc_safety::retarget;

fn upload(bench: &Bench) -> String {
    bench.sent()[0].1.as_str().unwrap().to_owned()
}

#[test]
fn unknown_fields_are_sent_as_form_fields() {
    let bench = bench();
    bench.write("a.txt", "One");
    let fields = ["--param", "on=true", "--param", "off=false", "--param", "count=3", "--param", r#"list=["a","b c"]"#];
    let run = bench.run(["doc", "translate", "a.txt", "--to", "de", "-n"].iter().chain(&fields)).code(0);
    let planned: Value = serde_json::from_str(run.out().lines().next().unwrap()).unwrap();
    assert_eq!(
        planned["body"],
        json!({"target_lang": "DE", "on": "true", "off": "false", "count": "3", "list": ["a", "b c"],
               "file": {"file": "a.txt", "bytes": 3}})
    );
    bench.run(["doc", "upload", "a.txt", "--to", "de"].iter().chain(&fields)).code(0);
    let form = upload(&bench);
    for field in ["on\"\r\n\r\ntrue\r\n", "off\"\r\n\r\nfalse\r\n", "list\"\r\n\r\na\r\n", "list\"\r\n\r\nb c\r\n"] {
        assert!(form.contains(field), "missing {field} in {form}");
    }
    bench.run(["doc", "translate", "a.txt", "--to", "de"].iter().chain(&fields)).code(0).says("resuming document");
    assert_eq!((count_successful(&bench, "upload"), count_successful(&bench, "result")), (1, 1));
}

#[test]
fn refuses_a_field_that_is_already_set_or_not_json() {
    let bench = bench();
    bench.write("a.txt", "One");
    for (param, says) in [
        ("target_lang=\"fr\"", "error: --param target_lang: this field is already set\n"),
        ("formality=\"less\"", "error: --param formality: this field is already set\n"),
        ("file=\"x\"", "error: --param file: this field is already set\n"),
        ("new", "error: --param `new` is not KEY=JSON\n"),
        ("new=text", "error: --param new: the value is not JSON"),
        ("enable_watermark=\"yes\"", "error: --param enable_watermark: this field does not take \"yes\"\n"),
    ] {
        let args = ["doc", "translate", "a.txt", "--to", "de", "--formality", "more", "--param", param];
        bench.run(args).code(2).prints("").says(says);
    }
    assert!(bench.sent().is_empty());
}

#[test]
fn a_field_with_its_own_flag_acts_like_the_flag() {
    let bench = bench();
    bench.write("a.txt", "One");
    bench.run(["doc", "upload", "a.txt", "--to", "de", "--param", "formality=\"more\""]).code(0);
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--formality", "more"]).code(0).says("resuming document");
    let glossary = ["doc", "translate", "a.txt", "--to", "fr", "--param", "glossary_id=\"x\""];
    bench.run(glossary).code(2).says("--from");
    let run = bench.run(glossary.iter().chain(&["--from", "en", "-n"])).code(0);
    assert!(run.out().contains("\"glossary_id\":\"x\""), "{run}");
}

#[test]
fn an_unknown_formality_requires_the_no_check_flag() {
    let bench = bench();
    bench.write("a.txt", "One");
    let args = ["doc", "translate", "a.txt", "--to", "de", "--formality", "prefer_les"];
    bench
        .run(args)
        .code(2)
        .says("error: --formality: invalid value `prefer_les`\n")
        .says("--no-check sends any other word\n");
    assert!(bench.sent().is_empty());
    bench.run(args.iter().chain(&["--no-check"])).code(5).says("formality");
    assert!(upload(&bench).contains("formality\"\r\n\r\nprefer_les\r\n"));
}

#[test]
fn the_printed_upload_command_has_the_fields() {
    let server = ScriptedServer::start(|_| answer(500, &[], r#"{"message":"The kettle is off."}"#));
    let bench = client(&server);
    bench.write("a.txt", "One");
    let args = ["doc", "translate", "a.txt", "--to", "de", "--param", "new=\"a b\"", "--formality", "rude"];
    let run = bench.run(args.iter().chain(&["--no-check"])).code(7);
    let command = printed_command(&run, "tulk doc translate");
    let fields = r#"--param 'formality="rude"' --param 'new="a b"'"#;
    assert_eq!(command, format!("tulk doc translate a.txt --to de {fields} --again"));
    bench.bash(&command).code(7);
    assert!(server.requests()[1].contains("formality\"\r\n\r\nrude\r\n"), "{:?}", server.requests());
}

#[test]
fn doc_resume_uploads_with_the_recorded_fields() {
    let bench = bench();
    bench.write("a.txt", "One");
    let nobody = "http://127.0.0.1:9";
    let args = ["doc", "translate", "a.txt", "--to", "de", "--server", nobody, "--retries", "0", "--param", "on=true"];
    bench.run(args).code(8);
    assert_eq!(records(&bench)[0]["params"], json!({"target_lang": "DE", "on": true}));
    retarget(&bench, nobody);
    bench.run(["doc", "resume"]).code(0);
    assert!(upload(&bench).contains("on\"\r\n\r\ntrue\r\n"), "{}", upload(&bench));
}

#[test]
fn sends_values_as_written_or_refuses_them_by_name() {
    let bench = bench();
    bench.write("a.txt", "One");
    let args = ["doc", "translate", "a.txt", "--to", "de", "-n", "--param"];
    let run = bench.run(args.iter().chain(&["f=1.10"])).code(0);
    assert!(run.out().contains("\"f\":\"1.10\""), "{run}");
    for (param, says) in [
        ("formality=1", "error: --param formality: this field does not take 1\n"),
        ("new=null", "error: --param new: a form cannot contain null\n"),
        ("new=[]", "error: --param new: a form cannot contain []\n"),
    ] {
        bench.run(args.iter().chain(&[param])).code(2).says(says);
    }
}
