//! `tulk translate --as markdown`: which text changes, which bytes are kept, and what is refused.

use std::process::Stdio;

use serde_json::json;

use crate::common::{Bench, Run, wait_until};

const AS_MARKDOWN: [&str; 5] = ["translate", "--to", "de", "--as", "markdown"];

const GUIDE: &str = "\
---
title: Getting started
description: \"Install, then run\"
tags: [one, two]
---

# Getting started {#start}

Run `make install` **before** you [open the app](https://example.com/app \"The app\").
It takes about five minutes.

> [!NOTE]
> Keep the key secret.

| Option | Meaning |
|:-------|---------|
| `-q`   | quiet   |

- [ ] read the [guide][]
- ![A screenshot](shot.png)

```sh
make install   # not translated
```

{{< video id=\"intro\" >}}

[guide]: guide.html
";

fn upper() -> Bench {
    Bench::with(&["--engine", "upper"])
}

#[test]
fn translates_text_and_keeps_the_rest() {
    let bench = upper();
    bench.pipe(GUIDE, AS_MARKDOWN).code(0).says_nothing().prints(
        "---
title: Getting started
description: \"Install, then run\"
tags: [one, two]
---

# GETTING STARTED {#start}

RUN `make install` **BEFORE** YOU [OPEN THE APP](https://example.com/app \"The app\").
IT TAKES ABOUT FIVE MINUTES.

> [!NOTE]
> KEEP THE KEY SECRET.

| OPTION | MEANING |
|:-------|---------|
| `-q`   | QUIET   |

- [ ] READ THE [GUIDE][guide]
- ![A SCREENSHOT](shot.png)

```sh
make install   # not translated
```

{{< video id=\"intro\" >}}

[guide]: guide.html
",
    );
    let body = bench.sent().pop().unwrap().1;
    assert_eq!(
        body["text"],
        json!([
            "Getting started",
            "Run <x id=\"1\">`make install`</x> <g id=\"2\">before</g> you <g id=\"3\">open the app</g>. It takes about five minutes.",
            "Keep the key secret.",
            "Option",
            "Meaning",
            "quiet",
            "read the <g id=\"1\">guide</g>",
            "<g id=\"1\">A screenshot</g>"
        ])
    );
}

#[test]
fn translates_front_matter_by_key() {
    let bench = upper();
    let run = |keys: &[&str]| bench.pipe(GUIDE, AS_MARKDOWN.iter().chain(&["--front-matter"]).chain(keys));
    let head = |run: &Run| run.out().split_inclusive('\n').take(5).collect::<String>();
    let both = "---\ntitle: GETTING STARTED\ndescription: \"INSTALL, THEN RUN\"\ntags: [one, two]\n---\n";
    assert_eq!(head(&run(&["title,description"]).code(0)), both);
    assert_eq!(head(&run(&["title", "--front-matter", "description", "--front-matter", "none"]).code(0)), both);
    run(&["tags"])
        .code(2)
        .says("error: stdin:4:7: the value of `tags` in the front matter is not a text")
        .says("hint: choose the keys to translate with --front-matter");
    let toml = "+++\ntitle = 'one'\n[params]\nnote = \"\"\"\ntwo\nlines\"\"\"\n+++\nthree";
    let keys = AS_MARKDOWN.iter().chain(&["--front-matter", "title,params.note"]);
    bench
        .pipe(toml, keys)
        .code(0)
        .prints("+++\ntitle = \"ONE\"\n[params]\nnote = \"\"\"\nTWO\nLINES\"\"\"\n+++\nTHREE");
    bench
        .pipe("a", ["translate", "--to", "de", "--as", "srt", "--front-matter", "title"])
        .code(2)
        .says("error: --front-matter needs --as markdown");
    let alone = bench.pipe("a", ["translate", "--to", "de", "--front-matter", "title"]);
    alone.code(2).says("error: --front-matter needs --as markdown");
    let with_field = bench.pipe("a", AS_MARKDOWN.iter().chain(&["--field", "/a"]));
    with_field.code(2).says("error: --field needs --jsonl");
}

#[test]
fn listed_results_have_line_numbers() {
    let bench = upper();
    let text = "# one\n\ntwo *three*\nfour\n\n- five\n";
    let list = bench.pipe(text, AS_MARKDOWN.iter().chain(&["--json"])).code(0).json();
    let texts: Vec<_> = list["translations"].as_array().unwrap().iter().map(|t| (&t["line"], &t["text"])).collect();
    assert_eq!(
        texts,
        [(&json!(1), &json!("ONE")), (&json!(3), &json!("TWO *THREE* FOUR")), (&json!(6), &json!("FIVE"))]
    );
    let lines = bench.pipe(text, AS_MARKDOWN.iter().chain(&["--format", "jsonl", "--jq", ".line"])).code(0);
    assert_eq!(lines.out(), "1\n3\n6\n");
    assert_eq!(
        bench.pipe("```\na\n```\n", AS_MARKDOWN.iter().chain(&["--json"])).code(0).json()["translations"],
        json!([])
    );
}

#[test]
fn echoed_text_changes_no_document() {
    let bench = Bench::with(&["--engine", "echo"]);
    for text in [
        "",
        "\n",
        "\u{feff}# a\r\n\r\nb\r\nc\r\n",
        "no newline",
        "---\ntitle: a\n---\n",
        "+++\na = 1\n+++",
        "---\n\n---\n\n***\n",
        "> a\n>> b\nlazy\n\n- c\n\n      code\n\n  d\n* e\n1) f\n",
        "a  \nb\\\nc\td\n\n\ta\n\n    b\n",
        "| a \\| b | `c \\| d` |\n|---|---|\n| e | \n| f | g | h |\n",
        "<div>\n\n*a*\n\n</div>\n\n<!-- b -->\n<?c?>\n<!D>\n<![CDATA[e]]>\n<script>\nf\n\n</script>\n<details>\n<summary>g</summary>\n\nh\n</details>\n",
        "[a]: <b c> 'd'\n[a] ![a][] [e][a] [^1] [f]( <g> (h) )\n\n[^1]: i\n\n    j\n",
        "import A from 'a'\n\n<A b={`c`} />\n\n{d.e}\n\n:::tip f\ng\n:::\n\n!!! note \"h\"\n    i\n",
        "a\n===\nb\nc\n---\n## d ##\n#\n#e\n",
        "&copy; &#35; \\# <https://a.b> c@d.org http://e.f/_g_ :smile: 👩‍👩‍👧 مرحبا $x_1$ $$y$$ ~~z~~\n",
        "a *b **c* d** _e_f_ ***g** h* `` ` `` ![ ]( ) []( )\n",
    ] {
        bench.pipe(text, AS_MARKDOWN).code(0).prints(text);
    }
}

#[test]
fn results_cannot_break_the_structure() {
    let bench = Bench::bare();
    let phrases = [
        ("one", "# eins"),
        ("two", "zwei | drei"),
        ("three", "- drei"),
        ("four", "[vier](fünf) `"),
        ("five", "<b> *fünf*"),
        ("six", "1. sechs"),
    ];
    let phrase = |(from, to): &(&str, &str)| format!("en\tde\t{from}\t{to}\n");
    bench.write("p.tsv", phrases.iter().map(phrase).collect::<String>());
    let server = bench.serve(&["--phrases", "p.tsv"]);
    let bench = bench.env("TULK_SERVER", &server.url).env("TULK_API_KEY", "sandbox");
    let text = "one\n\n| two |\n|-----|\n\n> three\n\nfour\n\nfive\n\n- six\n";
    bench.pipe(text, AS_MARKDOWN.iter().chain(&["--from", "en"])).code(0).prints(
        "\\# eins\n\n| zwei \\| drei |\n|-----|\n\n> \\- drei\n\n\\[vier\\](fünf) \\`\n\n\\<b> \\*fünf\\*\n\n- 1\\. sechs\n",
    );
}

/// Returns the fences, link targets and tables of a document.
fn skeleton(text: &str) -> Vec<String> {
    let mut in_code = false;
    let mut kept = Vec::new();
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        if in_code || is_fence {
            kept.push(line.to_owned());
        } else {
            kept.extend(line.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(str::to_owned));
            kept.extend(line.starts_with('|').then(|| format!("cells: {}", line.matches('|').count())));
            kept.extend(line.starts_with('#').then(|| line.split(' ').next().unwrap().to_owned()));
        }
        in_code ^= is_fence;
    }
    kept
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn the_pages_of_this_project_keep_their_code_and_links() {
    let bench = upper();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.filter(|path| path.extension().is_some_and(|e| e == "md")).chain([root.join("README.md")]);
    let pages: Vec<_> = pages.map(|path| path.strip_prefix(root).unwrap().to_owned()).collect();
    let mut args: Vec<String> = AS_MARKDOWN.iter().map(|arg| (*arg).to_owned()).collect();
    for page in &pages {
        bench.write(page.to_str().unwrap(), std::fs::read(root.join(page)).unwrap());
        args.extend(["-i".to_owned(), page.display().to_string()]);
    }
    args.extend(["-o".to_owned(), "{dir}/{stem}.{lang}{ext}".to_owned()]);
    bench.run(&args).code(0).says_nothing();
    for page in pages {
        let before = std::fs::read_to_string(root.join(&page)).unwrap();
        let after = bench.read(page.with_extension("de.md").to_str().unwrap());
        assert_eq!(skeleton(&after), skeleton(&before), "{}", page.display());
        assert_ne!(after, before);
    }
}

#[test]
fn supports_files_targets_and_dry_runs() {
    let bench = upper();
    bench.write("a.md", "# one\n");
    bench.write("b.md", "two `three`\n");
    let files = ["translate", "--as", "markdown", "-i", "a.md", "-i", "b.md"];
    bench.run(files.iter().chain(&["--to", "de,fr", "-o", "{stem}.{lang}{ext}"])).code(0).says_nothing();
    assert_eq!(bench.read("a.fr.md") + &bench.read("b.de.md"), "# ONE\nTWO `three`\n");
    bench
        .run(files.iter().chain(&["--to", "de", "--dry-run"]))
        .code(0)
        .says("would send: 2 files, 2 texts, 14 characters, 1 request");
    bench.run(files.iter().chain(&["--to", "de", "--in-place"])).code(0).says_nothing();
    assert_eq!(bench.read("a.md") + &bench.read("b.md"), "# ONE\nTWO `three`\n");
    let placeholders = AS_MARKDOWN.iter().chain(&["--protect", "printf", "--protect", "re:keep"]);
    bench.pipe("a %s keep *b keep* c\n", placeholders).code(0).prints("A %s keep *B keep* C\n");
}

#[test]
fn refuses_a_too_large_document() {
    let bench = upper();
    bench.write("a.md", "a\n\n".repeat(6 << 20));
    bench
        .run(AS_MARKDOWN.iter().chain(&["-i", "a.md"]))
        .code(2)
        .says("error: a.md: the input is larger than 16 MiB, the limit of a Markdown document")
        .says("hint: split the document");
    assert!(bench.requests().is_empty());
}

#[test]
fn resuming_after_a_kill_repeats_only_requests_in_flight() {
    let bench = Bench::with(&["--engine", "upper", "--latency", "20ms"]);
    let text: String = (0..1000).map(|i| format!("## Part {i}\n\nText *number* {i} with `code`.\n\n")).collect();
    bench.write("a.md", &text);
    let args = ["translate", "--to", "de", "--as", "markdown", "-i", "a.md", "-o", "b.md", "--concurrency", "2"];
    let mut child = bench.command().args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let state = bench.path("b.md.part.state");
    wait_until("results to be stored", || state.metadata().is_ok_and(|metadata| metadata.len() > 20_000));
    child.kill().unwrap();
    child.wait().unwrap();
    bench.run(args.iter().chain(&["--resume"])).code(0);
    let expected =
        text.replace("Part", "PART").replace("Text", "TEXT").replace("number", "NUMBER").replace("with", "WITH");
    assert!(bench.read("b.md") == expected, "{}", bench.read("b.md"));
    let sent: usize = bench.sent().iter().map(|(_, body)| body["text"].as_array().map_or(0, Vec::len)).sum();
    assert!((2000..2300).contains(&sent), "{sent} texts were sent for 2000");
}
