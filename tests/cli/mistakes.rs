//! What people type who know other programs, or who have not read the help: each mistake gets a hint that works.

use crate::common::Bench;

/// Runs command lines that are wrong, and compares the message and the hint.
#[track_caller]
fn refused(bench: &Bench, cases: &[(&str, &str, &str)]) {
    for (line, message, hint) in cases {
        let run = bench.run(shlex::split(line).unwrap()).code(2).prints("");
        let expected = format!("error: {message}\n  hint: {hint}\n");
        assert!(run.stderr.starts_with(&expected), "{line}: expected\n{expected}{run}");
    }
}

#[test]
fn an_option_of_another_program_is_named_as_tulk_calls_it() {
    let unknown = |line: &'static str, hint: &'static str| {
        let option = line.split(' ').find(|word| word.starts_with('-')).unwrap();
        (line, format!("unexpected argument '{option}' found"), hint)
    };
    let cases = [
        unknown("translate --file a.txt", "did you mean `--input`?"),
        unknown("translate --input-file a.txt", "did you mean `--input`?"),
        unknown("translate --output-format json Hi", "did you mean `--format`?"),
        unknown("translate --target de Hi", "did you mean `--to`?"),
        unknown("translate --lang de Hi", "did you mean `--to`?"),
        unknown("translate -s en Hi", "did you mean `--from`?"),
        unknown("translate --out a.txt Hi", "did you mean `--output`?"),
        unknown("translate --overwrite Hi", "did you mean `--force`?"),
        unknown("translate --endpoint https://translate.example Hi", "did you mean `--server`?"),
        unknown("translate --key x Hi", "`tulk auth login` stores a key; --key-file FILE reads it from a file"),
        unknown("doc translate --lang de a.docx", "did you mean `--to`?"),
        unknown("doc translate --overwrite a.docx", "did you mean `--force`?"),
        unknown("doc translate --outdir x a.docx", "did you mean `--out-dir`?"),
        unknown("write correct --lang de Hi", "did you mean `--to`?"),
        unknown("write correct --file a.txt", "did you mean `--input`?"),
        unknown("glossary create K --file en:de=a.tsv", "did you mean `--dictionary`?"),
        unknown("sync --lang de", "did you mean `--to`?"),
        unknown("voice stream --source en a.wav", "did you mean `--from`?"),
    ];
    let cases: Vec<_> = cases.iter().map(|(line, message, hint)| (*line, message.as_str(), *hint)).collect();
    refused(&Bench::bare(), &cases);
}

#[test]
fn a_file_after_an_option_where_files_are_arguments_is_explained() {
    let cases = [
        ("doc translate -i d1.txt", "-i", "doc translate"),
        ("doc translate --file d1.txt", "--file", "doc translate"),
        ("glossary set K en:de -i a.tsv", "-i", "glossary set"),
        ("voice stream --input a.wav", "--input", "voice stream"),
    ];
    for (line, option, command) in cases {
        let message = format!("unexpected argument '{option}' found");
        refused(
            &Bench::bare(),
            &[(line, &message, &format!("omit {option}: files are arguments of `tulk {command}`"))],
        );
    }
    // Without the option, the file is read.
    let bench = Bench::new();
    bench.write("d1.txt", "Hello\n");
    bench.run(["doc", "translate", "d1.txt", "--to", "de"]).code(0);
}

#[test]
fn an_option_before_its_command_is_said_to_come_after_it() {
    let after = "--to comes after `tulk translate`, as in: tulk translate --to de \"Hello, world\"";
    refused(
        &Bench::bare(),
        &[
            ("--to de translate Hi", "unexpected argument '--to' found", after),
            ("-t de translate Hi", "unexpected argument '-t' found", after),
            ("--to de Hi", "unexpected argument '--to' found", after),
            ("--target de translate Hi", "unexpected argument '--target' found", after),
            (
                "doc --to de translate a.docx",
                "unexpected argument '--to' found",
                "--to comes after `tulk doc translate`, as in: tulk doc translate report.docx --to de",
            ),
            ("write --to de correct Hi", "unexpected argument '--to' found", "--to comes after `tulk write correct`"),
            ("--strict sync", "unexpected argument '--strict' found", "--strict comes after `tulk sync`"),
        ],
    );
    Bench::new().run(["translate", "--to", "de", "Hello, world"]).code(0);
}

#[test]
fn a_long_option_with_one_hyphen_is_not_read_as_a_short_one() {
    let bench = Bench::bare();
    bench.write("a.txt", "Hi\n");
    refused(
        &bench,
        &[
            ("translate -to de Hi", "unexpected argument '-to' found", "did you mean `--to de`?"),
            ("translate -t de -from en Hi", "unexpected argument '-from' found", "did you mean `--from en`?"),
            ("translate -to=de Hi", "unexpected argument '-to' found", "did you mean `--to de`?"),
            (
                "translate -t de -i a.txt -output b.txt",
                "unexpected argument '-output' found",
                "did you mean `--output b.txt`?",
            ),
            ("translate -t de -json Hi", "unexpected argument '-json' found", "did you mean `--json`?"),
            ("voice stream -to de a.wav", "unexpected argument '-to' found", "did you mean `--to de`?"),
        ],
    );
    assert!(!bench.path("utput").exists());
    Bench::new().run(["translate", "--to", "de", "--", "-to"]).code(0);
}
