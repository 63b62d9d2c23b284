//! Tests of XML trees: positions, attributes, errors, untrusted input.

use proptest::prelude::*;
use tulk_growth::{MakeInput, assert_linear};

use super::*;

const DOCUMENT: &str = "<?xml version=\"1.0\"?>\r\n<!DOCTYPE a PUBLIC \"-//X//Y\" \"http://x/y.dtd\">\r\n<!-- top --><a b='1' c:d = \"x &amp; y\">t&lt;<![CDATA[<&]]>\r\n<e /><f>g<h/></f><!-- in --></a>\r\n";

fn kinds(tree: &XmlTree<'_>, numbers: impl Iterator<Item = usize>) -> Vec<(XmlKind, String)> {
    numbers.map(|number| (tree.node(number).kind, tree.source(number).to_owned())).collect()
}

#[test]
fn nodes_have_byte_ranges() {
    let tree = XmlTree::parse(DOCUMENT).unwrap();
    let root = tree.root();
    assert_eq!(tree.name(root), "a");
    let expected = [
        (XmlKind::Text, "t"),
        (XmlKind::Reference, "&lt;"),
        (XmlKind::CData, "<![CDATA[<&]]>"),
        (XmlKind::Text, "\r\n"),
        (XmlKind::Element, "<e />"),
        (XmlKind::Element, "<f>g<h/></f>"),
        (XmlKind::Comment, "<!-- in -->"),
    ];
    assert_eq!(kinds(&tree, tree.children(root)), expected.map(|(kind, source)| (kind, source.to_owned())));
    let elements: Vec<usize> = tree.elements(root).collect();
    assert!(tree.node(elements[0]).is_self_closing());
    assert_eq!(tree.slice(tree.node(elements[1]).content.clone()), "g<h/>");
    assert_eq!(tree.slice(tree.start_tag(elements[1])), "<f>");
    assert_eq!(tree.descendants(elements[1]).len(), 2);
    assert_eq!(tree.children(elements[0]).count(), 0);
    assert_eq!(tree.top_level_nodes().filter(|number| tree.node(*number).kind == XmlKind::Instruction).count(), 2);
}

#[test]
fn attributes_have_byte_ranges() {
    let tree = XmlTree::parse(DOCUMENT).unwrap();
    let found: Vec<(&str, String, &str)> = tree
        .attributes(tree.root())
        .map(|attribute| (attribute.name, attribute.decoded(), tree.slice(attribute.range.clone())))
        .collect();
    assert_eq!(found, [("b", "1".to_owned(), "1"), ("c:d", "x & y".to_owned(), "x &amp; y")]);
    assert_eq!(tree.attribute(tree.root(), "d"), None);
}

#[test]
fn plain_texts_are_decoded() {
    let text = |xml: &str| {
        let tree = XmlTree::parse(xml).unwrap();
        tree.plain_text(tree.root())
    };
    assert_eq!(text("<a>x\r\ny\r<!-- c -->&#8230;&amp;<![CDATA[&amp;]]></a>").unwrap(), "x\ny\n…&&amp;");
    assert_eq!(text("<a/>").unwrap(), "");
    assert_eq!(text("<a>&other;</a>"), None);
    assert_eq!(text("<a><b/></a>"), None);
}

#[test]
fn errors_have_positions() {
    for (xml, at, what) in [
        ("<a>", 0, "the element 'a' is never closed"),
        ("<a><b></a>", 6, "not well-formed XML: expected `</b>`, but `</a>` was found"),
        ("", 0, "there is no root element"),
        ("<a/><b/>", 4, "there is more than one root element"),
        ("<a/>x", 4, "there is text outside of the root element"),
        ("<a/>&amp;", 4, "there is text outside of the root element"),
        ("<a b='1' b='2'/>", 12, "the attribute 'b' appears twice in a tag"),
        ("<a b='1'c='2'/>", 8, "attributes must be separated by white space"),
        ("<a b=1/>", 3, "the value of an attribute must be in quotes"),
        ("<a b/>", 3, "an attribute has no value"),
        ("<a b='<'/>", 3, "the value of an attribute contains '<'"),
        ("<a 1='x'/>", 3, "this is not the name of an attribute"),
        ("<1/>", 0, "'1' is not the name of an element"),
        ("<a>b & c</a>", 5, "a '&' does not start a reference"),
        ("\u{feff}<a/>", 0, "the text starts with a byte-order mark"),
        (
            "<!DOCTYPE a [<!ENTITY b SYSTEM \"/etc/passwd\">]><a>&b;</a>",
            0,
            "the document type declares external entities",
        ),
    ] {
        let error = XmlTree::parse(xml).unwrap_err();
        assert_eq!((error.at, error.what.as_str()), (at, what), "{xml}");
    }
}

#[test]
fn escaped_texts_are_read_back() {
    let text = "a & b < c > d ]]> \"e\" 'f' &amp; \r\n\t\u{2028}";
    let xml = format!("<a>{}</a>", escape_text(text, "\r\n").unwrap());
    let tree = XmlTree::parse(&xml).unwrap();
    assert_eq!(tree.plain_text(tree.root()).unwrap(), text);
    let xml = format!("<a b=\"{}\"/>", escape_attribute(text).unwrap());
    let tree = XmlTree::parse(&xml).unwrap();
    assert_eq!(tree.attribute(tree.root(), "b").unwrap(), text);
    let text = text.replace('\r', "");
    let xml = format!("<a>{}</a>", escape_cdata(&text, "\r\n").unwrap());
    let tree = XmlTree::parse(&xml).unwrap();
    assert_eq!(tree.plain_text(tree.root()).unwrap(), text);
    assert_eq!(escape_text("a\u{1}", "\n"), Err('\u{1}'));
    assert_eq!(escape_cdata("a\r", "\n"), Err('\r'));
    assert_eq!(escape_attribute("\u{ffff}"), Err('\u{ffff}'));
}

#[test]
fn refuses_deep_nesting_and_expands_no_entities() {
    let deep = XmlTree::parse(&"<a>".repeat(1 << 12)).unwrap_err();
    assert_eq!(deep.what, "elements are nested more than 128 deep");
    let bomb = "<!DOCTYPE a [<!ENTITY b \"bb\"><!ENTITY c \"&b;&b;\">]><a>&c;</a>";
    assert_eq!(XmlTree::parse(bomb).map(|tree| tree.plain_text(tree.root())), Ok(None));
}

#[test]
fn parsing_takes_linear_time() {
    let files: [(&str, MakeInput); 3] = [
        ("attributes", |n| format!("<a{}/>", (0..n).map(|n| format!(" a{n}=''")).collect::<String>())),
        ("elements", |n| format!("<a>{}</a>", "<b/>".repeat(n))),
        ("references", |n| format!("<a>{}</a>", "&lt;".repeat(n))),
    ];
    for (what, file) in files {
        assert_linear(what, 1 << 14, file, |text| assert!(XmlTree::parse(text).is_ok()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn cut_documents_do_not_panic(cut in 0..DOCUMENT.len(), from in 0..DOCUMENT.len()) {
        let (start, end) = (DOCUMENT.get(..cut).unwrap(), DOCUMENT.get(from..).unwrap());
        for text in [start, end, &[start, end].concat()] {
            let _ = XmlTree::parse(text);
        }
    }
}

const WITH_COMMENTS: &str = "<r>\n\n  <!-- section -->\n\n  <!-- one -->\n  <!-- two -->\n  <a/> <!-- behind -->\n  <b>\n    <c/>\n  </b><d/>\n</r>\n";

#[test]
fn positions_include_comments_and_lines() {
    let tree = XmlTree::parse(WITH_COMMENTS).unwrap();
    let spans = tree.spans(tree.root());
    let outer: Vec<&str> = spans.iter().map(|span| tree.slice(span.outer.clone())).collect();
    assert_eq!(
        outer,
        ["\n  <!-- one -->\n  <!-- two -->\n  <a/> <!-- behind -->", "\n  <b>\n    <c/>\n  </b>", "<d/>"]
    );
    assert_eq!(tree.comment_text(&spans[0].comments).unwrap(), "one\ntwo");
    assert_eq!(tree.comment_text(&spans[1].comments), None);
    assert_eq!(spans[1].indent.clone().map(|indent| tree.slice(indent)), Some("  "));
    assert_eq!(spans[2].indent, None);
    assert_eq!(tree.indent_step("x"), "  ");
    assert_eq!(tree.line_indent(spans[1].element), "  ");
}

#[test]
fn elements_are_inserted_into_empty_elements() {
    for (xml, expected) in [
        ("<r/>", "<r><a/></r>"),
        ("<r></r>", "<r><a/></r>"),
        ("<q>\r\n\t<r />\r\n</q>", "<q>\r\n\t<r>\r\n\t\t<a/>\r\n\t</r>\r\n</q>"),
        ("<r>\n</r>\n", "<r>\n  <a/>\n</r>\n"),
        ("<r></r>\n", "<r>\n  <a/>\n</r>\n"),
        ("<r>\n  <!-- x -->\n</r>\n", "<r>\n  <a/>\n  <!-- x -->\n</r>\n"),
    ] {
        let tree = XmlTree::parse(xml).unwrap();
        let parent = tree.elements(tree.root()).next().unwrap_or(tree.root());
        let mut insertions = XmlInsertions::default();
        insertions.insert_inside(parent, ["<a/>".to_owned()]);
        let edits = insertions.finish(&tree, "  ");
        assert_eq!(super::super::apply_edits(xml, edits).unwrap(), expected);
    }
}

#[test]
fn notes_become_comments() {
    assert_eq!(escape_comment("a -- b---\nc-", "\n", "  "), "<!-- a - - b- - -\n       c- -->");
}

#[test]
fn unfinished_references_of_attributes_stay_as_they_are() {
    let value = "&".repeat(1 << 20);
    let attribute = XmlAttribute { name: "a", value: &value, range: 0..value.len() };
    assert_eq!(attribute.decoded(), value);
    let attribute = XmlAttribute { name: "a", value: "&&amp;&x;&#65", range: 0..0 };
    assert_eq!(attribute.decoded(), "&&&x;&#65");
}
