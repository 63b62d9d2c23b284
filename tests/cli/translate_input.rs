//! The input of `tulk translate`: accepted inputs, refused non-text files, and positions in messages.

use crate::common::Bench;

#[test]
fn refusing_a_binary_file_names_the_right_command() {
    let bench = Bench::new();
    let docx = [b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0 [Content_Types].xml".as_slice(), &[0xff; 40]].concat();
    for (name, bytes, says, hint) in [
        ("my r.docx", docx.as_slice(), "this is a Word, PowerPoint or Excel document", "doc translate 'my r.docx'`"),
        (
            "large.xlsx",
            b"PK\x03\x04\x14\0\0\0xl.bin",
            "this is a Word, PowerPoint or Excel",
            "doc translate large.xlsx`",
        ),
        ("r.idml", b"PK\x03\x04", "this is an InDesign document", "`tulk doc translate r.idml`"),
        ("r.bin", b"%PDF-1.4\n", "this is a PDF document", "`tulk doc translate r.bin --filename NAME`"),
        ("r.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "this is an old Office document", "`tulk doc translate r.doc`"),
        (
            "r.xls",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            "this is an old Office document, not text",
            "hint: save it as docx, xlsx or pptx, which `tulk doc translate` takes\n",
        ),
        ("r.pdf", b"%PDF-1.4\nonly ascii\n", "this is a PDF document, not text", "`tulk doc translate r.pdf`"),
        ("r.png", b"\x89PNG\r\n\x1a\n", "this is a PNG image", "`tulk doc translate r.png`"),
        ("r.gz", b"\x1f\x8b\x08\0", "this is gzip data, not text", "decompress it first: gzip -dc r.gz"),
        ("r.txt", b"\xff\xfea\0", "this is UTF-16 text, not UTF-8", "iconv -f UTF-16 -t UTF-8 r.txt"),
    ] {
        bench.write(name, bytes);
        for flags in [&["translate", "--to", "de"][..], &["translate", "--to", "de", "--lossy"], &["write", "correct"]]
        {
            let run = bench.run(flags.iter().chain(&["-i", name])).code(2).prints("");
            run.says(&format!("{name}: {says}")).says(hint);
        }
    }
    let piped = bench.pipe(docx, ["translate", "--to", "de"]).code(2);
    piped.says("stdin: this is a Word, PowerPoint or Excel document").says("tulk doc translate - --filename NAME");
    bench.pipe("PK, BM and %PD are no signatures", ["translate", "--to", "de"]).code(0);
    assert_eq!(bench.requests().len(), 1);
}

#[test]
fn limits_and_faults_are_reported_with_line_and_column() {
    let bench = Bench::new();
    let long = "x".repeat(131_072);
    let over = |mode: &str, input: &[u8], place: &str| {
        bench.write("in.txt", input);
        let args = ["translate", "--to", "de", mode, "--json"];
        let run = bench.run(args.iter().copied().chain(["-i", "in.txt"])).code(2);
        let error: serde_json::Value = serde_json::from_str(run.stderr.trim()).unwrap();
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.starts_with(&format!("in.txt:{place}: ")), "{message}");
        bench.pipe(input, &args[..4]).code(2).says(&format!("error: stdin:{place}: "));
    };
    over("--lines", format!("ok\n  {long}\n").as_bytes(), "2:3");
    over("--lines", format!("ok\n{long}").as_bytes(), "2:1");
    over("-0", format!("é\nb\0{long}\0").as_bytes(), "2:3");
    over("-0", format!("a\n\n{long}").as_bytes(), "1:1");
    over("--lines", b"ab\nc\xc3\xa9\xff\n", "2:3");
    over("-0", b"ab\nc\0d\xff", "2:4");
    assert!(bench.requests().is_empty());
}

#[test]
fn no_check_leaves_long_lines_to_the_service() {
    for (command, limit) in [(&["translate", "--to", "de"][..], 131_072), (&["write", "correct"], 10_240)] {
        let bench = Bench::new();
        let input = format!("ok\n{}\n", "x".repeat(131_072));
        let args = [command, &["--lines"]].concat();
        bench.pipe(&input, &args).code(2).says("stdin:2:1: the text needs a request of ");
        assert!(bench.requests().is_empty());
        let run = bench.pipe(&input, args.iter().chain(&["--no-check"])).code(5);
        run.says(&format!(
            "stdin:2:1: the service refused the request: Request size exceeds the maximum of {limit} bytes"
        ));
        assert_eq!(bench.requests().len(), 2);
    }
}

#[test]
fn errors_in_plain_text_have_line_and_column() {
    let bench = Bench::new();
    bench
        .pipe(b"\xef\xbb\xbfab\ncd\xff", ["translate", "--to", "de"])
        .code(2)
        .says("stdin:2:3: invalid UTF-8 at byte 8");
    bench.pipe(b"ab\ncd\xff", ["write", "correct"]).code(2).says("stdin:2:3: invalid UTF-8 at byte 5");
    let long = format!("ok\n{}\n", "x".repeat(20_000));
    bench.pipe(long, ["write", "correct", "--lines"]).code(2).says("stdin:2:1: the text needs a request of");
    bench
        .pipe("one\ntwo\n", ["translate", "--to", "de", "--lines", "--max-characters", "2"])
        .code(6)
        .says("stdin:1:1: ");
    let refused = ["translate", "--to", "xx", "-0"];
    bench.pipe("a\nb\0 c\0", refused).code(5).says("in a request with the texts from stdin:1:1 to stdin:2:4");
}

#[test]
fn a_fault_before_the_first_request_leaves_no_files() {
    let bench = Bench::new();
    let modes: [(&[&str], &[u8]); 2] =
        [(&["--lines"], b"\n\nab\n\xff\n"), (&["--csv", "--column", "b"], b"a,b\n1,x\n2,y,z\n")];
    for (mode, input) in modes {
        let args = [&["translate", "--to", "de"], mode].concat();
        bench.pipe(input, &args).code(2).prints("");
        bench.pipe(input, args.iter().chain(&["-o", "out.txt"])).code(2).prints("");
        let left: Vec<_> =
            std::fs::read_dir(bench.path(".")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(!left.iter().any(|name| name.to_string_lossy().starts_with("out.txt")), "{left:?}");
    }
    assert!(bench.requests().is_empty());
}

#[test]
fn only_one_argument_reads_stdin() {
    let bench = Bench::new();
    bench.write("p.txt", "file");
    for (args, says) in [
        (&["-", "-i", "p.txt"][..], "TEXT `-` cannot be used with --input"),
        (&["-", "x"], "`-` means stdin and cannot be used with other TEXT arguments"),
        (&["x", "-"], "`-` means stdin and cannot be used with other TEXT arguments"),
        (&["-i", "-", "-i", "-"], "-i - and -i - both read stdin"),
        (&["--context-file", "-"], "--context-file - and the text both read stdin"),
        (&["--context-file", "-", "-i", "-"], "--context-file - and -i - both read stdin"),
        (&["--key-file", "-", "--context-file", "-", "x"], "--key-file - and --context-file - both read stdin"),
    ] {
        bench.pipe("from stdin", ["translate", "--to", "de"].iter().chain(args)).code(2).prints("").says(says);
    }
    assert!(bench.requests().is_empty());
    bench.pipe("a menu\n", ["translate", "--to", "de", "--context-file", "-", "soup"]).code(0).prints("soup\n");
    assert_eq!(bench.requests()[0]["body"]["context"], "a menu");
}

#[cfg(unix)]
#[test]
fn in_place_refuses_anything_but_regular_files() {
    let bench = Bench::new();
    for command in ["translate --to de", "write correct"] {
        let run = bench.bash(&format!("mkfifo {0}; tulk {command} --in-place -i {0}", &command[..5])).code(2);
        run.says(&format!("--in-place needs regular files; {} is not one", &command[..5]));
    }
    assert!(bench.requests().is_empty());
}

#[test]
fn strip_ansi_also_removes_overstrikes() {
    let bench = Bench::new();
    let text = "N\u{8}NA\u{8}A\u{1b}[1mM\u{1b}[0m\u{8}ME\u{8}E\n_\u{8}é_\u{8}a b\r\n";
    let clean = "NAME\néa b\r\n";
    bench.pipe(text, ["translate", "--to", "de", "--strip-ansi"]).code(0).prints(clean);
    bench.pipe(text, ["translate", "--to", "de", "--strip-ansi", "--lines"]).code(0).prints(clean);
    let (text, clean) = (text.repeat(20_000), clean.repeat(20_000));
    bench.pipe(text, ["translate", "--to", "de", "--strip-ansi"]).code(0).prints(clean);
}

#[test]
fn a_long_context_never_pushes_a_body_over_the_limit() {
    let bench = Bench::new();
    // Without context and text, the body has 45 bytes: {"text":[""],"target_lang":"DE","context":""}. At least 16 must remain for the text.
    for chars in [1, 1000, 65_000, 65_504, 65_505, 65_506, 65_507, 65_508, 65_509, 65_520, 65_530] {
        bench.write("context.txt", "é".repeat(chars));
        let run = bench.pipe("word ".repeat(4), ["translate", "--to", "de", "--context-file", "context.txt"]);
        assert!(run.code == 0 || (run.code == 2 && run.stderr.contains("leave no space for text")), "{run}");
    }
    let sizes: Vec<usize> = bench
        .requests()
        .iter()
        .map(|request| request["headers"]["content-length"].as_str().unwrap().parse().unwrap())
        .collect();
    assert!(sizes.iter().all(|size| *size <= 131_072), "{sizes:?}");
    assert!(sizes.iter().any(|size| *size > 131_040), "{sizes:?}");
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn finds_repeated_texts_within_256_kib() {
    let bench = Bench::new();
    let lines: String = (0..40_000).map(|n| format!("{n:06}\n")).collect();
    let twice = format!("{lines}{lines}");
    bench
        .pipe(&twice, ["translate", "--to", "de", "--lines", "--stats"])
        .code(0)
        .prints(&twice)
        .says("duplicates 40000");
}

#[test]
fn writes_what_fits_max_characters_and_names_the_other_target() {
    let bench = Bench::with(&["--engine", "upper"]);
    let args = ["translate", "--to", "de,fr", "Hello", "--max-characters"];
    let run = bench.run(args.iter().chain(&["5"])).code(9).prints("de\tHELLO\n");
    run.says("to fr: the next request (5 characters) would exceed --max-characters 5").says_not("to de");
    bench.run(args.iter().chain(&["4"])).code(6).prints("").says("to de: ").says("to fr: ");
    bench.run(args.iter().chain(&["5", "--json"])).code(9).says("to fr: ").prints(
        "[{\"target_lang\":\"de\",\"translations\":[{\"detected_source_language\":\"EN\",\"text\":\"HELLO\"}]},\
         {\"target_lang\":\"fr\",\"translations\":[]}]\n",
    );
    bench.run(args.iter().chain(&["10"])).code(0).prints("de\tHELLO\nfr\tHELLO\n");
    // 50 lines go to each target, and the other 40 only to de.
    let input: String = (10..100).map(|n| format!("{n}\n")).collect();
    let run = bench.pipe(input, ["translate", "--to", "de,fr", "--lines", "--max-characters", "290"]).code(9);
    assert_eq!(run.out().lines().filter(|line| line.starts_with("fr\t")).count(), 50, "{run}");
    run.says("to fr: ").says("50 texts were written, continue at stdin:51:1").says_not("to de");
}
