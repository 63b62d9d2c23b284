//! Tests of complete documents: their entries, and writing them with results.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::EntryResult;
use crate::input::source::Source;

pub(super) fn read(text: &str, keys: &[&str]) -> Result<Record, Failure> {
    read_named("a.md", text, keys)
}

fn read_named(name: &str, text: &str, keys: &[&str]) -> Result<Record, Failure> {
    let options = MarkdownOptions { front_matter: keys.iter().map(|key| (*key).to_owned()).collect() };
    let mut source = Source::reader(name, Box::new(io::Cursor::new(text.as_bytes().to_vec())));
    let mut record = Record::default();
    let mut reader = options.reader(EntryLimit { bytes: 1 << 20, body_bytes: 1 << 20, enforced: true });
    reader.read(&mut source, &mut record)?;
    assert_eq!(record.bytes, text.as_bytes());
    Ok(record)
}

/// Returns the text of an entry with its tokens in brackets, numbered as pairs.
fn marked(record: &Record, slot: usize) -> String {
    use tulk_catalogs::inline::TokenKind;
    let text = record.text(slot).unwrap();
    let (mut marked, mut at) = (String::new(), 0);
    for token in &record.slots[slot].tokens {
        let range = token.range.start as usize..token.range.end as usize;
        marked.push_str(&text[at..range.start]);
        match token.kind {
            TokenKind::Fixed => marked.extend(["«", &text[range.clone()], "»"]),
            TokenKind::Open(n) => marked.extend(["‹", &n.to_string(), ":", &text[range.clone()], "›"]),
            TokenKind::Close(n) => marked.extend(["‹/", &n.to_string(), ":", &text[range.clone()], "›"]),
        }
        at = range.end;
    }
    marked + &text[at..]
}

fn entries(text: &str) -> Vec<String> {
    let record = read(text, &[]).unwrap();
    (0..record.slots.len()).map(|slot| marked(&record, slot)).collect()
}

/// Returns the text of an entry in capital letters, with its tokens unchanged.
fn upper(record: &Record, slot: usize) -> String {
    let text = record.text(slot).unwrap();
    let (mut result, mut at) = (String::new(), 0);
    for token in &record.slots[slot].tokens {
        result.push_str(&text[at..token.range.start as usize].to_uppercase());
        result.push_str(&text[token.range.start as usize..token.range.end as usize]);
        at = token.range.end as usize;
    }
    result + &text[at..].to_uppercase()
}

fn write(record: Record, result: impl Fn(&Record, usize) -> String) -> Result<String, String> {
    let texts: Vec<String> = (0..record.slots.len()).map(|slot| result(&record, slot)).collect();
    for (slot, text) in texts.iter().enumerate() {
        MarkdownOptions::default().check_result(&record, slot, text)?;
    }
    let result = |text| Arc::new(EntryResult { text: Some(text), raw: None, billed: None });
    let results = smallvec::smallvec![Some(texts.into_iter().map(result).collect())];
    let mut out = Vec::new();
    MarkdownWriter.write(&ResultRow { record: Arc::new(record), results }, &mut out).map_err(|e| e.to_string())?;
    Ok(String::from_utf8(out).unwrap())
}

/// Translates a document by replacing words in its entries.
fn translated(text: &str, pairs: &[(&str, &str)]) -> Result<String, String> {
    write(read(text, &["title", "description"]).unwrap(), |record, slot| {
        pairs.iter().fold(record.text(slot).unwrap().to_owned(), |text, (from, to)| text.replace(from, to))
    })
}

fn in_capitals(text: &str) -> String {
    write(read(text, &["title", "description"]).unwrap(), upper).unwrap()
}

/// Writes an MDX document with its texts in capital letters. Checks that unchanged results do not change it.
fn mdx_in_capitals(text: &str) -> String {
    let read = || read_named("a.mdx", text, &[]).unwrap();
    let same = write(read(), |record, slot| record.text(slot).unwrap().to_owned());
    assert_eq!(same.as_deref(), Ok(text), "results equal to the texts change the document");
    write(read(), upper).unwrap()
}

/// Checks that unchanged results do not change a document, and that results in capital letters can be written.
fn check(text: &str) {
    let same = write(read(text, &[]).unwrap(), |record, slot| record.text(slot).unwrap().to_owned()).unwrap();
    assert_eq!(same, text, "results equal to the texts change the document");
    write(read(text, &[]).unwrap(), upper).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
}

#[test]
fn each_block_of_text_is_an_entry() {
    let text = "# A *b* c\n\nD\n=\n\n- e\n- f\n\n  g\n1. [ ] h\n\n> i\n> j\n\n| k | l |\n|---|---|\n| m | n |\n\no\n: p\n\n[^1]: q\n\nr[^1]\n";
    let expected = ["A ‹0:*›b‹/0:*› c", "D", "e", "f", "g", "h", "i j", "k", "l", "m", "n", "o", "p", "q", "r«[^1]»"];
    assert_eq!(entries(text), expected);
}

#[test]
fn markup_becomes_tokens() {
    for (text, expected) in [
        ("a `b` c\\* &amp; d  \ne", "a «`b`» c«\\*» «&amp;» d«  \n»e"),
        ("a [b **c**](d \"e\") f", "a ‹0:[›b ‹1:**›c‹/1:**›‹/0:](d \"e\")› f"),
        ("a ![b](c) <https://d> e", "a ‹0:![›b‹/0:](c)› «<https://d>» e"),
        ("a [![b](c)](d) e", "a ‹0:[![›b‹/0:](c)](d)› e"),
        ("a ***b*** c ~~d~~", "a ‹0:***›b‹/0:***› c ‹2:~~›d‹/2:~~›"),
        ("a [`b`](c) d", "a «[`b`](c)» d"),
        ("a <b>c</b> <kbd>D *e*</kbd> f", "a «<b>»c«</b>» «<kbd>D *e*</kbd>» f"),
        ("a {b} $c_d$ https://e.f/g_h.", "a «{b}» «$c_d$» «https://e.f/g_h»."),
        ("a [[b]] [[c|d]] x", "a «[[b]]» ‹0:[[c|›d‹/0:]]› x"),
        ("a $5 and $6 or $7-$8", "a $5 and $6 or $7-$8"),
        ("a [b][] [c] [d][C]\n\n[b]: x\n[c]: y", "a ‹0:[›b‹/0:][b]› ‹1:[›c‹/1:][c]› ‹2:[›d‹/2:][C]›"),
        ("a <B c={d}>e</B>", "a «<B c={d}>»e«</B>»"),
        ("a [b](https://c.d/e_(f)) g", "a ‹0:[›b‹/0:](https://c.d/e_(f))› g"),
        ("a\\\\b \\_c\\_", "a«\\\\»b «\\_»c«\\_»"),
    ] {
        assert_eq!(entries(text), [expected], "{text}");
    }
}

#[test]
fn only_text_becomes_entries() {
    for text in [
        "",
        "\n",
        "```\na\n```",
        "    a",
        "<div>a</div>",
        "<!-- a -->",
        "---",
        "`a`",
        "1, 2",
        "![](a)",
        "<https://a.b>",
        "https://a.b",
        "[a]: b",
        "[a]: https://b.c/d_(e)\n[f]: g",
        "{{< a >}}",
        "{% a %}",
        ":::note\n:::",
        "import A from 'a'",
        "export const a = 1",
        "$$\na\n$$",
        "[toc]",
        "| 1 | `a` |\n|---|---|",
        "---\na: b\n---\n",
        "<A b={c} />",
        "[`a`](b)",
    ] {
        assert_eq!(entries(text), [""; 0], "{text}");
    }
}

#[test]
fn keeps_a_code_fence_below_a_component() {
    for (text, expected) in [
        ("<A>\n```js\na\n\n# b\n```\n</A>\n\nc\n", "<A>\n```js\na\n\n# b\n```\n</A>\n\nC\n"),
        (
            "a\n<B c={`\n\nd`}>\n  <C />\n      ```js\n      d\n\n      e\n      ```\n  f\n  g\n</B>\nh\n",
            "A\n<B c={`\n\nd`}>\n  <C />\n      ```js\n      d\n\n      e\n      ```\n  F G\n</B>\nH\n",
        ),
        (
            "<A>\r\n    <B>\r\n    ```\r\n    c\r\n\r\n    ```\r\n    d\r\n    </B>\r\n</A>\r\n",
            "<A>\r\n    <B>\r\n    ```\r\n    c\r\n\r\n    ```\r\n    D\r\n    </B>\r\n</A>\r\n",
        ),
        (
            "1. a\n   <B>\n     ```\n     c\n\n     ```\n     d  \n     e\n",
            "1. A\n   <B>\n     ```\n     c\n\n     ```\n     D  \n     E\n",
        ),
        ("1. a\n\t\t```\n\t\tb\n\n\t\t```\n2. c\n<D />\n", "1. A\n\t\t```\n\t\tb\n\n\t\t```\n2. C\n<D />\n"),
        (
            "<A>\n        1.\tb\n\n            ```\n    \t\tc\n\n            ```\n        d\n</A>\n",
            "<A>\n        1.\tB\n\n            ```\n    \t\tc\n\n            ```\n        D\n</A>\n",
        ),
        ("- <A>\n      b\n  </A>\n- c", "- <A>\n      B\n  </A>\n- C"),
    ] {
        assert_eq!(mdx_in_capitals(text), expected);
    }
}

#[test]
fn in_mdx_a_line_of_tags_and_expressions_is_a_block() {
    for (text, expected) in [
        ("a\n<B>\nc\n</B>\nd\n", "A\n<B>\nC\n</B>\nD\n"),
        ("<div>\na <b>c</b>\n</div>\n", "<div>\nA <b>C</b>\n</div>\n"),
        ("<p>a</p>\n```\nb\n\n```\n", "<p>A</p>\n```\nb\n\n```\n"),
        ("{/* a\n\nb */}\nc\n", "{/* a\n\nb */}\nC\n"),
        ("a\n      <B>\n      c\n", "A\n      <B>\n      C\n"),
        ("<A\n  b=\"c\"\n\n/>\nd\n", "<A\n  b=\"c\"\n\n/>\nD\n"),
        ("<>\na\n</>\nb\n", "<>\nA\n</>\nB\n"),
        ("<pre>\na\n<B>\n\nc\n</pre>\nd\n", "<pre>\na\n<B>\n\nc\n</pre>\nD\n"),
    ] {
        assert_eq!(mdx_in_capitals(text), expected);
    }
}

#[test]
fn a_document_with_imports_is_mdx() {
    let text = "<A>\nb\n</A>\n";
    assert_eq!(in_capitals(text), text);
    let with_import = format!("import A from 'a'\n\n{text}");
    assert_eq!(in_capitals(&with_import), "import A from 'a'\n\n<A>\nB\n</A>\n");
}

#[test]
fn keeps_the_code_of_shortcodes() {
    for (text, expected) in [
        (
            "{{< highlight go >}}\na\n\n# b\n{{< /highlight >}}\nc\n",
            "{{< highlight go >}}\na\n\n# b\n{{< /highlight >}}\nC\n",
        ),
        (
            "- a\n\n  {{< code-toggle >}}\n  b: c\n  {{< /code-toggle >}}\n",
            "- A\n\n  {{< code-toggle >}}\n  b: c\n  {{< /code-toggle >}}\n",
        ),
        (
            "1. a\n\n    {{< highlight >}}\n    b\n    {{< /highlight >}}\n",
            "1. A\n\n    {{< highlight >}}\n    b\n    {{< /highlight >}}\n",
        ),
        ("a {{< katex >}}b{{< /katex >}} c\n", "A {{< katex >}}b{{< /katex >}} C\n"),
        (
            "{{< tabs >}}\n{{% tab\n name=\"a\" %}}\nb\n{{% /tab %}}\n{{% tab %}}\nc\n{{% /tab %}}\n{{< /tabs >}}\n",
            "{{< tabs >}}\n{{% tab\n name=\"a\" %}}\nB\n{{% /tab %}}\n{{% tab %}}\nC\n{{% /tab %}}\n{{< /tabs >}}\n",
        ),
    ] {
        assert_eq!(in_capitals(text), expected);
    }
}

#[test]
fn a_shortcode_at_the_start_of_a_paragraph_stays_there() {
    let text = "{{% note %}} One two three\nfour five six. {{% /note %}}\n";
    let longer = translated(text, &[("One", "A-first-word-that-is-longer-than-a-line")]).unwrap();
    assert_eq!(
        longer,
        "{{% note %}} A-first-word-that-is-longer-than-a-line\ntwo three four five six. {{% /note %}}\n"
    );
}

#[test]
fn a_two_line_shortcode_does_not_become_a_block() {
    let text = "{{% note\n  name=\"abc\" %}} One two\nthree four five six seven eight nine.\n";
    assert_eq!(
        translated(text, &[("One", "A-first-word-that-is-longer-than-a-line")]).unwrap(),
        "{{% note\n  name=\"abc\" %}} A-first-word-that-is-longer-than-a-line\ntwo three four five six seven eight\nnine.\n"
    );
}

#[test]
fn dollar_signs_delimit_math_as_in_pandoc() {
    for (text, expected) in [
        ("Use $a or `b$c` d", "Use $a or «`b$c`» d"),
        ("$a `b` c$ d", "$a «`b`» c$ d"),
        ("$a, $b and ($c", "$a, $b and ($c"),
        ("$ a$ and $b $ c", "$ a$ and $b $ c"),
        ("a $b$1 c", "a $b$1 c"),
        ("the $n$th and $`x y`$ z", "the «$n$»th and «$`x y`$» z"),
    ] {
        assert_eq!(entries(text), [expected], "{text}");
    }
}

#[test]
fn lines_are_joined_and_wrapped_again() {
    let text = "> The quick brown fox jumps over the lazy dog\n> and runs into the dark forest.\n";
    assert_eq!(entries(text), ["The quick brown fox jumps over the lazy dog and runs into the dark forest."]);
    let longer = translated(text, &[("quick", "very very quick"), ("dark", "deep and dark")]).unwrap();
    assert_eq!(
        longer,
        "> The very very quick brown fox jumps over\n> the lazy dog and runs into the deep and\n> dark forest.\n"
    );
    assert_eq!(in_capitals("- a\r\n  b\r\n"), "- A B\r\n");
    assert_eq!(entries("中文\n中文 and\nmore"), ["中文中文 and more"]);
}

#[test]
fn keeps_the_labels_of_links() {
    let text = "See [Foo] and [foo][] and [the\nother][Foo].\n\n[foo]: x\n";
    assert_eq!(in_capitals("[a] b\n\n[a]: x\n"), "[A][a] B\n\n[a]: x\n");
    let same = translated(text, &[("See", "Siehe")]).unwrap();
    assert_eq!(same, "Siehe [Foo] and [foo][] and [the\nother][Foo].\n\n[foo]: x\n");
    let other =
        translated(text, &[("[Foo]", "[Fuß]"), ("Fuß][Fuß]", "Fuß][Foo]"), ("other][Fuß]", "other][Foo]")]).unwrap();
    assert_eq!(other, "See [Fuß][Foo] and [foo][] and [the\nother][Foo].\n\n[foo]: x\n");
}

#[test]
fn results_do_not_become_other_markup() {
    for (text, from, to, expected) in [
        ("a b", "a", "# a", "\\# a b"),
        ("a b", "a", "1. a", "1\\. a b"),
        ("a b", "a", "- a", "\\- a b"),
        ("a b", "a", "*a*", "\\*a\\* b"),
        ("a b", "a", "`a`", "\\`a\\` b"),
        ("a b", "a", "<i>a", "\\<i>a b"),
        ("a b", "a", "[a](b)", "\\[a\\](b) b"),
        ("a b", "a", "a\n\nb", "a  b b"),
        ("a b", "a", "2 * 3", "2 * 3 b"),
        ("# a b", "b", "b #", "# a b #"),
        ("| a |\n|---|\n", "a", "a|b", "| a\\|b |\n|---|\n"),
        ("**a** b", "**a** ", "**a:**", "**a:** b"),
        ("**a** b", "**a**", "** a **", "**a** b"),
        ("x *a* b", "x *a* b", "x* a *b", "x *a* b"),
    ] {
        assert_eq!(translated(text, &[(from, to)]).as_deref(), Ok(expected), "{text:?} {to:?}");
    }
}

#[test]
fn results_without_spaces_keep_their_markup() {
    for (text, from, to, expected) in [
        ("*a* and *b*", " and ", "", "*a* *b*"),
        ("**a** and **b**", " and ", "", "**a** **b**"),
        ("**a** and *b*", " and ", "", "**a***b*"),
        ("use `a` and `b`", " and ", "", "use `a` `b`"),
        ("~a~ b", " b", "要", "~a~ 要"),
        ("a [b](c)", "a ", "a!", "a\\![b](c)"),
        ("see http://b.c/d", "see ", "见", "见 http://b.c/d"),
        ("www.b.de e", " e", "mehr", "www.b.de mehr"),
        ("a <b@c.de> e", " ", "", "a<b@c.de>e"),
        ("the $x$ of", "the $x$ of", "公式$x$是", "公式$x$是"),
    ] {
        assert_eq!(translated(text, &[(from, to)]).as_deref(), Ok(expected), "{text:?}");
    }
    assert_eq!(entries("公式$x$是"), ["公式«$x$»是"]);
}

#[test]
fn refuses_a_result_that_cannot_be_repaired() {
    let problem = translated("a `b` c", &[("`b` ", "")]).unwrap_err();
    assert_eq!(problem, "it changes the Markdown: \"`b`\" is missing");
    assert_eq!(translated("a", &[("a", " ")]).unwrap_err(), "it is empty");
}

#[test]
fn front_matter_is_translated_by_key() {
    let text = "---\ntitle: One\ndescription: \"two\"\ntags: [three]\n---\nfour\n";
    assert_eq!(in_capitals(text), "---\ntitle: ONE\ndescription: \"TWO\"\ntags: [three]\n---\nFOUR\n");
    let failure = read(text, &["tags"]).unwrap_err();
    assert_eq!(failure.to_string(), "a.md:4:7: the value of `tags` in the front matter is not a text");
}

#[rustfmt::skip]
const INLINE: &[&str] = &[
    "word", " ", "*em*", "**strong**", "***both***", "~~s~~", "`code`", "[link](u)", "![alt](i)", "[ref]", "[ref][]",
    "[t][ref]", "[[w|t]]", "<https://x.y>", "https://a.b/c_d", "<b>", "</b>", "\\*", "&amp;", "  \n", "\\\n", "\n", "\t",
    "{x}", "{{< s >}}", "$m$", ":smile:", "[^1]", "a_b", "é", "漢字", "\u{200f}",
    "*", "_", "**", "[", "]", "(", ")", "`", "<", "#", "|", "$", "!", ":", "1.", "- ", ".", ",", "\\", "&",
];

#[rustfmt::skip]
const STARTS: &[&str] = &[
    "", "# ", "## ", "> ", "> > ", "- ", "* ", "1. ", "- [ ] ", "  ", "    ", "\t", ": ", "[^1]: ", "<div>\n", "```\n", ":::note\n",
    "!!! note \"t\"\n    ", "| a | b |\n|---|:-:|\n| ",
];

/// Line endings with the prefix of the next line.
#[rustfmt::skip]
const ENDS: &[&str] = &[
    "\n", "\n\n", "\r\n", "\n> ", "\n  ", "\n===\n", "\n---\n", "\n```\n", "\n\n</div>\n\n", "\n:::\n", "",
];

fn documents() -> impl Strategy<Value = String> {
    let inline = prop::sample::select(INLINE);
    let line = prop::collection::vec(inline, 0..8).prop_map(|parts| parts.concat());
    let block = (prop::sample::select(STARTS), line, prop::sample::select(ENDS));
    prop::collection::vec(block.prop_map(|(start, line, end)| [start, &line, end].concat()), 0..7)
        .prop_map(|blocks| blocks.concat() + "\n\n[ref]: u\n\n[^1]: note\n")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn unchanged_results_keep_every_document(text in documents()) {
        let same = write(read(&text, &[]).unwrap(), |record, slot| record.text(slot).unwrap().to_owned());
        prop_assert_eq!(same.as_deref(), Ok(text.as_str()));
    }

    #[test]
    fn documents_in_capital_letters_have_the_same_structure(text in documents()) {
        let result = write(read(&text, &[]).unwrap(), upper);
        prop_assert!(result.is_ok(), "{:?}\n{}", result, text);
    }
}

fn in_element(text: &str, indent: &str) -> String {
    let lines: Vec<String> = text.split_inclusive('\n').map(|line| format!("{indent}{line}")).collect();
    format!("<Element>\n{}</Element>\n", lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn an_mdx_document_inside_an_element_keeps_its_structure(text in documents(), width in 0..9_usize) {
        let indented = in_element(&text, &" ".repeat(width));
        let read = || read_named("a.mdx", &indented, &[]).unwrap();
        let same = write(read(), |record, slot| record.text(slot).unwrap().to_owned());
        prop_assert_eq!(same.as_deref(), Ok(indented.as_str()));
        let result = write(read(), upper);
        prop_assert!(result.is_ok(), "{:?}\n{}", result, indented);
    }
}

/// Uses the documentation of this project.
#[test]
fn real_documents_keep_their_structure() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let pages = std::fs::read_dir(root.join("docs")).into_iter().flatten().map(|entry| entry.unwrap().path());
    let paths = pages.chain([root.join("README.md")]);
    for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let check = std::panic::catch_unwind(|| check(&text));
        assert!(check.is_ok(), "{}", path.display());
    }
}
