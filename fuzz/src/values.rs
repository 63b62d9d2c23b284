//! Targets for dictionaries, term lists, input encodings, `--jq` expressions and output path templates.

use std::path::Path;

use tulk_base::error::Failure;
use tulk_formats::input::dictionary::{
    CheckedDictionary, DictionaryDiff, DictionaryFormat, DictionaryProblem, DictionaryReadOptions, DictionaryRule,
};
use tulk_formats::input::source::read_all as read_source;
use tulk_formats::input::term_list::{CheckedTermList, TermList};
use tulk_formats::test_records::source_of;
use tulk_pipeline::output_path::OutputTemplate;

use super::{FuzzTarget, choices};
use tulk::untrusted::{JqProgram, JqRunError, jq_to_json};

pub const TARGETS: &[FuzzTarget] = &[
    FuzzTarget { name: "dictionary", check: dictionary },
    FuzzTarget { name: "term_list", check: term_list },
    FuzzTarget { name: "source", check: source },
    FuzzTarget { name: "jq", check: jq },
    FuzzTarget { name: "output_path", check: output_path },
];

/// The bits of the first byte choose the options.
fn dictionary(input: &[u8]) {
    let Some(([choice], rest)) = choices(input) else { return };
    let options = DictionaryReadOptions {
        format: if choice & 1 > 0 { DictionaryFormat::Csv } else { DictionaryFormat::Tsv },
        header: choice & 2 > 0,
        pair: (choice & 4 > 0).then_some(("en", "de")),
        columns_are_languages: choice & 8 > 0,
        language: |text| (text.len() == 2).then(|| text.to_ascii_lowercase()),
    };
    let checked = CheckedDictionary::read(rest, &options);
    let lines = rest.split(|byte| *byte == b'\n').count();
    assert_eq!(checked.entry_lines.len(), checked.dictionary.len());
    assert_eq!(checked.dictionary.entries().count(), checked.dictionary.len(), "entries run into each other");
    assert!(checked.entry_lines.iter().all(|line| (1..=lines).contains(&(*line as usize))), "a line beyond the end");
    assert!(checked.problems.iter().all(|problem| problem.line as usize <= lines), "a line beyond the end");
    assert!(
        checked.problems.iter().all(|problem| (problem.line == 0) == (problem.column == 0)),
        "a line without a column, or a column without a line"
    );
    let again = CheckedDictionary::read(checked.dictionary.to_file_text().as_bytes(), &DictionaryReadOptions::TSV);
    if checked.problems.is_empty() {
        assert_eq!(again.dictionary, checked.dictionary);
        // Without a language pair in the options, the entries of all pairs are written to one dictionary, so a phrase may be repeated. If
        // the first entry of the input is not written, another one comes first and may look like a header.
        let may_be_found = |problem: &DictionaryProblem| match problem.rule {
            DictionaryRule::Duplicate { .. } => options.pair.is_none(),
            rule => rule == DictionaryRule::Header,
        };
        assert!(again.problems.iter().all(may_be_found), "in the written file: {:?}", again.problems);
        assert!(DictionaryDiff::between(&checked.dictionary, &again.dictionary).is_empty());
    }
}

fn term_list(input: &[u8]) {
    let checked = CheckedTermList::read(input);
    let lines = input.split(|byte| *byte == b'\n').count();
    assert!(checked.problems.iter().all(|problem| problem.line as usize <= lines), "a line beyond the end");
    assert!(checked.is_utf8() || std::str::from_utf8(input).is_err(), "valid UTF-8 is refused");
    let list = checked.list;
    assert_eq!(list.entries().chars().count(), list.chars());
    if checked.problems.is_empty() {
        assert_eq!(TermList::from_entries(&list.entries()), list);
        let again = CheckedTermList::read(list.to_file_text().as_bytes());
        assert_eq!((&again.list, again.problems), (&list, Vec::new()));
        assert!(list.missing_in(&again.list).is_empty());
        assert_eq!(list.merged_with(&again.list), list);
    }
}

/// The first byte chooses the options and the block size of reads.
fn source(input: &[u8]) {
    let Some(([choice], rest)) = choices(input) else { return };
    let (is_lossy, strips) = (choice & 1 > 0, choice & 2 > 0);
    let decoded = |step| {
        let mut source = source_of(rest, step).lossy(is_lossy).strip_ansi(strips);
        read_source(&mut source).map_err(|end| end.to_string())
    };
    let whole = decoded(usize::MAX);
    assert_eq!(whole, decoded(usize::from(choice / 4) + 1), "the result depends on the block size");
    let Ok(bytes) = whole else { return };
    let text = String::from_utf8(bytes);
    assert!(text.is_ok(), "not UTF-8");
    let text = text.unwrap_or_default();
    if !strips {
        assert_eq!(text, String::from_utf8_lossy(rest));
        assert!(is_lossy || text.as_bytes() == rest);
    }
    assert!(!strips || rest.contains(&0x1b) || rest.contains(&8) || text == String::from_utf8_lossy(rest));
}

/// Parts of jq programs that may run forever or fill the memory by design.
const MAY_RUN_FOREVER: &[&str] = &[
    "def",
    "range",
    "repeat",
    "recurse",
    "until",
    "while",
    "*",
    "..",
    "limit",
    "combinations",
    "walk",
    "foreach",
    "reduce",
    "implode",
    "pow",
    "ldexp",
    "scalb",
    "exp",
    "inf",
];

/// The first line is the program, the rest its input.
fn jq(input: &[u8]) {
    let Some((code, json)) = std::str::from_utf8(input).ok().and_then(|text| text.split_once('\n')) else { return };
    let program = match JqProgram::compile(code) {
        Ok(program) => program,
        Err(failure) => {
            assert!(!failure.what.is_empty());
            return;
        }
    };
    if MAY_RUN_FOREVER.iter().any(|word| code.contains(word)) || code.bytes().filter(u8::is_ascii_digit).count() > 3 {
        return;
    }
    let mut outputs = 0;
    let result = program.run(json, |value| {
        outputs += 1;
        let text = jq_to_json(value);
        assert!(serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok(), "{text:?} is not JSON");
        if outputs < 100 { Ok(()) } else { Err(Failure::usage("enough")) }
    });
    if let Err(JqRunError::Program(why)) = result {
        assert!(!why.is_empty());
    }
}

/// The first line is the template, the second the input file, the rest the language.
fn output_path(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let mut lines = text.splitn(3, '\n');
    let [template, file, lang] = [(); 3].map(|()| lines.next().unwrap_or_default());
    let in_dir = OutputTemplate::in_dir(Path::new(template)).fill(Path::new(file), "de", "txt");
    assert!(template.is_empty() || template.starts_with('.') || in_dir.starts_with(template), "{}", in_dir.display());
    let Ok(parsed) = OutputTemplate::parse("-o", template) else { return };
    let filled = parsed.fill(Path::new(file), lang, "txt");
    if !template.contains(['{', '}']) {
        let path = Path::new(template);
        assert_eq!(filled, path.strip_prefix(".").unwrap_or(path), "a template without placeholders");
    }
    let escaped = [file.replace('{', "{{").replace('}', "}}"), "x".to_owned()].concat();
    let literal = OutputTemplate::parse("-o", &escaped).map(|parsed| parsed.fill(Path::new("a"), "de", "txt"));
    let path = [file, "x"].concat();
    let path = Path::new(&path);
    assert_eq!(literal.ok().as_deref(), Some(path.strip_prefix(".").unwrap_or(path)), "escaped braces");
}
