//! .NET: texts in `.resx` and `.resw` files.
//!
//! Input: a resource file. Output: a unit for each `<data>` that is a string, and edits of its value. The schema, the
//! headers and other data stay as they are. In a new target, other data is removed.

use crate::{CatalogKind, Syntax};
use std::collections::HashSet;
use std::ops::Range;

use super::catalog::{Catalog, CatalogChanges, Change, DuplicateKey, SkipReason, Unit, UnitKey, UnitKeyPart, UnitText};
use super::edit::Edit;
use super::xml::{
    XmlElementSpan, XmlInsertions, XmlKind, XmlTree, escape_attribute, escape_cdata, escape_text, invalid_char_error,
    is_xml_char,
};
use super::{CatalogError, CatalogFormat, ReadOptions};

/// Comments with which .NET tools mark a text that must not be translated.
const LOCKS: [&str; 2] = ["@Invariant", "{Locked}"];
/// The indentation if the file has none.
const DEFAULT_INDENT: &str = "  ";
const SPACE: &str = "xml:space";
const NO_PLURALS: &str = "resx has no plurals";

pub const KIND: CatalogKind = CatalogKind {
    name: "resx",
    help: ".NET resources",
    extensions: &["resx", "resw"],
    format: &ResxFormat,
    syntax: Some(Syntax::DotNet),
    is_bilingual: false,
};

#[derive(Clone, Copy, Debug)]
pub struct ResxFormat;

impl CatalogFormat for ResxFormat {
    fn read(&self, text: &str, options: &ReadOptions) -> Result<Catalog, CatalogError> {
        let tree = XmlTree::parse(text)?;
        let data = ResxData::read(&tree)?;
        let units = data.strings.into_iter().map(|string| string.unit).collect();
        Ok(Catalog { units, dialect: options.dialect, duplicates: data.duplicates, ..Catalog::default() })
    }

    fn edits(&self, text: &str, _: &ReadOptions, changes: &CatalogChanges<'_>) -> Result<Vec<Edit>, CatalogError> {
        let tree = XmlTree::parse(text)?;
        let data = ResxData::read(&tree)?;
        let mut edits = Vec::new();
        let mut insertions = XmlInsertions::default();
        for change in &changes.units {
            match change {
                Change::Set { unit, text, .. } => {
                    let Some(string) = data.strings.get(*unit) else { continue };
                    edits.extend(set(&tree, string, text, &mut insertions)?);
                }
                Change::Insert { like, text, after, before } => {
                    let mut lines = data.lines(&tree, like, text)?;
                    let beside = data.find_neighbour(*after, *before);
                    if beside.is_some_and(|(span, _)| is_one_line(&tree, span)) {
                        lines = vec![lines.iter().map(|line| line.trim_start()).collect()];
                    }
                    insertions.insert(&tree, beside, tree.root(), lines);
                }
                Change::Remove { unit } => {
                    edits.extend(data.strings.get(*unit).map(|string| Edit::remove(string.span.outer.clone())));
                }
            }
        }
        if changes.is_new_target {
            edits.extend(data.others.into_iter().map(Edit::remove));
        }
        edits.extend(insertions.finish(&tree, DEFAULT_INDENT));
        Ok(edits)
    }

    fn first_duplicate_wins(&self) -> bool {
        true
    }
}

struct ResxString {
    unit: Unit,
    span: XmlElementSpan,
    value: Option<usize>,
}

struct ResxData {
    strings: Vec<ResxString>,
    duplicates: Vec<DuplicateKey>,
    /// Data that a translation does not need: sizes and images of a form, duplicate names.
    others: Vec<Range<usize>>,
    /// The last child element of the root, of any kind.
    end: Option<XmlElementSpan>,
    has_space: bool,
}

impl ResxData {
    fn read(tree: &XmlTree<'_>) -> Result<Self, CatalogError> {
        let root = tree.root();
        if tree.name(root) != "root" {
            let what = format!("the root element is '{}', not 'root'", tree.name(root));
            return Err(CatalogError::new(tree.node(root).range.start, what));
        }
        let spans = tree.spans(root);
        let mut data = Self {
            strings: Vec::new(),
            duplicates: Vec::new(),
            others: Vec::new(),
            end: spans.last().cloned(),
            has_space: true,
        };
        let mut names = HashSet::new();
        for span in spans {
            let Some((name, value, text)) = string_data(tree, span.element) else {
                if matches!(tree.name(span.element), "data" | "metadata" | "assembly") {
                    data.others.push(span.outer);
                }
                continue;
            };
            let start = tree.node(span.element).range.start;
            let key = UnitKey::name(name);
            if !names.insert(key.clone()) {
                data.duplicates.push(DuplicateKey { key, at: start });
                data.others.push(span.outer);
                continue;
            }
            let comment = tree.elements(span.element).find(|child| tree.name(*child) == "comment");
            let note = comment.and_then(|comment| tree.plain_text(comment));
            let is_locked = note.as_deref().is_some_and(|note| LOCKS.iter().any(|lock| note.contains(lock)));
            let unit = Unit {
                id: data.strings.len(),
                key,
                text: UnitText::Single(text),
                note: note.map(|note| note.trim().to_owned()).filter(|note| !note.is_empty()),
                at: value.map_or(start, |value| tree.node(value).content.start),
                skip: is_locked.then_some(SkipReason::Untranslatable),
                ..Unit::default()
            };
            data.strings.push(ResxString { unit, span, value });
        }
        let spaced = |string: &ResxString| tree.attribute(string.span.element, SPACE).is_some();
        data.has_space = data.strings.is_empty() || data.strings.iter().any(spaced);
        Ok(data)
    }

    /// Returns the lines of a new string, without the indentation that the insertion adds to each of them.
    fn lines(&self, tree: &XmlTree<'_>, like: &Unit, text: &UnitText) -> Result<Vec<String>, CatalogError> {
        let Some(UnitKeyPart::Name(name)) = like.key.0.last() else {
            return Err(CatalogError::new(0, "resx has no lists"));
        };
        let step = tree.indent_step(DEFAULT_INDENT);
        let value = escape_text(text.single(0, NO_PLURALS)?, tree.line_end()).map_err(|c| invalid_char_error(c, 0))?;
        let name = escape_attribute(name).map_err(|c| invalid_char_error(c, 0))?;
        let space = if self.has_space { " xml:space=\"preserve\"" } else { "" };
        let mut lines = vec![["<data name=\"", &name, "\"", space, ">"].concat()];
        lines.push([step, "<value>", &value, "</value>"].concat());
        if let Some(note) = &like.note {
            let note: String = note.chars().filter(|c| is_xml_char(*c)).collect();
            let note = escape_text(&note, tree.line_end()).map_err(|c| invalid_char_error(c, 0))?;
            lines.push([step, "<comment>", &note, "</comment>"].concat());
        }
        lines.push("</data>".to_owned());
        Ok(lines)
    }

    /// Returns the element next to which a new string is inserted; `true` means after it.
    fn find_neighbour(&self, after: Option<usize>, before: Option<usize>) -> Option<(&XmlElementSpan, bool)> {
        let span = |unit: Option<usize>| self.strings.get(unit?).map(|string| &string.span);
        let after = span(after).map(|span| (span, true));
        after.or_else(|| span(before).map(|span| (span, false))).or(self.end.as_ref().map(|span| (span, true)))
    }
}

/// Returns whether `<data>` and its `<value>` start on the same line.
fn is_one_line(tree: &XmlTree<'_>, span: &XmlElementSpan) -> bool {
    let first = tree.elements(span.element).next();
    let before = first.map(|first| tree.node(span.element).range.start..tree.node(first).range.start);
    before.is_some_and(|before| !tree.slice(before).contains('\n'))
}

/// Returns the edit that sets a text; `None` if the text is unchanged or if the edit was added to `insertions`.
fn set(
    tree: &XmlTree<'_>,
    string: &ResxString,
    text: &UnitText,
    insertions: &mut XmlInsertions,
) -> Result<Option<Edit>, CatalogError> {
    let at = string.unit.at;
    if string.unit.text == *text {
        return Ok(None);
    }
    let text = text.single(at, NO_PLURALS)?;
    let escaped = escape_text(text, tree.line_end()).map_err(|c| invalid_char_error(c, at))?;
    let Some(value) = string.value else {
        let line = ["<value>", &escaped, "</value>"].concat();
        let spans = tree.spans(string.span.element);
        insertions.insert(tree, spans.first().map(|span| (span, false)), string.span.element, [line]);
        return Ok(None);
    };
    let mut children = tree.children(value);
    let only = children.next().filter(|_| children.next().is_none());
    let is_cdata = only.is_some_and(|child| tree.node(child).kind == XmlKind::CData);
    let new = Some(text).filter(|_| is_cdata).and_then(|text| escape_cdata(text, tree.line_end()).ok());
    let new = new.unwrap_or(escaped);
    let content = tree.node(value).content.clone();
    Ok(Some(tree.expand_self_closing(value, &new).unwrap_or_else(|| Edit::replace(content, new))))
}

/// Returns the name, `<value>` and text of a `<data>` element that is a string; `None` for other elements.
fn string_data(tree: &XmlTree<'_>, element: usize) -> Option<(String, Option<usize>, String)> {
    let name = tree.attribute(element, "name").filter(|_| tree.name(element) == "data")?;
    let kind = tree.attribute(element, "type");
    let is_string = kind.is_none_or(|kind| kind.split(',').next() == Some("System.String"));
    // Names that start with `>>` are types and parents of the controls of a form.
    if !is_string || tree.attribute(element, "mimetype").is_some() || name.starts_with(">>") {
        return None;
    }
    let value = tree.elements(element).find(|child| tree.name(*child) == "value");
    let text = value.map_or_else(|| Some(String::new()), |value| tree.plain_text(value))?;
    Some((name, value, text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{apply_edits, invariants};
    use super::*;

    /// A file as Visual Studio writes it, but with Unix line endings.
    const FILE: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<root>
  <!-- 
    Microsoft ResX Schema 
  -->
  <xsd:schema id="root" xmlns="" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
    <xsd:element name="data"/>
  </xsd:schema>
  <resheader name="resmimetype">
    <value>text/microsoft-resx</value>
  </resheader>
  <assembly alias="System.Windows.Forms" name="System.Windows.Forms" />
  <data name="Greeting" xml:space="preserve">
    <value>Hello {0} &amp; &lt;all&gt;
  second line</value>
    <comment>{0} is a name</comment>
  </data>
  <data name="$this.Text" xml:space="preserve">
    <value />
  </data>
  <data name="label1.Location" type="System.Drawing.Point, System.Drawing">
    <value>12, 34</value>
  </data>
  <data name="&gt;&gt;label1.Name" xml:space="preserve">
    <value>label1</value>
  </data>
  <data name="Icon" mimetype="application/x-microsoft.net.object.bytearray.base64">
    <value>AAEC</value>
  </data>
  <data name="Typed" type="System.String" xml:space="preserve"><value><![CDATA[<b>x</b>]]></value></data>
  <data name="Greeting" xml:space="preserve">
    <value>again</value>
  </data>
  <data name="NoValue" xml:space="preserve">
    <comment> </comment>
  </data>
</root>"#;

    fn edited(text: &str, units: Vec<Change<'_>>) -> Result<String, CatalogError> {
        let changes = CatalogChanges { units, ..CatalogChanges::default() };
        let edits = ResxFormat.edits(text, &ReadOptions::default(), &changes)?;
        Ok(apply_edits(text, edits).unwrap())
    }

    #[test]
    fn strings_are_units() {
        let catalog = ResxFormat.read(FILE, &ReadOptions::default()).unwrap();
        let found: Vec<_> = catalog.units.into_iter().map(|unit| (unit.key.0, unit.text, unit.note)).collect();
        let expected = [
            ("Greeting", "Hello {0} & <all>\n  second line", Some("{0} is a name")),
            ("$this.Text", "", None),
            ("Typed", "<b>x</b>", None),
            ("NoValue", "", None),
        ];
        let unit = |(key, text, note): (&str, &str, Option<&str>)| {
            (UnitKey::name(key).0, UnitText::Single(text.to_owned()), note.map(str::to_owned))
        };
        assert_eq!(found, expected.map(unit));
        assert_eq!(catalog.duplicates.len(), 1);
        let at = catalog.duplicates.first().unwrap().at;
        assert!(FILE.get(at..).unwrap().starts_with("<data name=\"Greeting\""));
    }

    #[test]
    fn locked_texts_are_not_translated() {
        let data = |name: &str, comment: &str| {
            format!("<data name=\"{name}\"><value>Text</value><comment>{comment}</comment></data>\n")
        };
        let all = [data("a", "@Invariant"), data("b", "{Locked} a path"), data("c", "{Locked=\"x\"} in a menu")];
        let file = format!("<root>\n{}</root>\n", all.concat());
        let units = ResxFormat.read(&file, &ReadOptions::default()).unwrap().units;
        let locked = Some(SkipReason::Untranslatable);
        assert_eq!(units.into_iter().map(|unit| unit.skip).collect::<Vec<_>>(), [locked, locked, None]);
    }

    #[test]
    fn values_are_set() {
        let text = UnitText::Single("a & b\nc ]]> d".to_owned());
        let changes = (0..4).map(|unit| Change::Set { unit, text: &text, markup: &[] });
        let found = edited(&FILE.replace('\n', "\r\n"), changes.collect()).unwrap();
        for part in [
            "    <value>a &amp; b\r\nc ]]&gt; d</value>\r\n    <comment>{0} is a name</comment>\r\n",
            "<data name=\"$this.Text\" xml:space=\"preserve\">\r\n    <value>a &amp; b\r\nc ]]&gt; d</value>\r\n",
            "<value><![CDATA[a & b\r\nc ]]]]><![CDATA[> d]]></value></data>",
            "\"NoValue\" xml:space=\"preserve\">\r\n    <value>a &amp; b\r\nc ]]&gt; d</value>\r\n    <comment> </comment>",
        ] {
            assert!(found.contains(part), "{part} in {found}");
        }
    }

    #[test]
    fn complete_strings_are_inserted() {
        let like = Unit { key: UnitKey::name("A&B"), note: Some("x < y".to_owned()), ..Unit::default() };
        let text = UnitText::Single("it's".to_owned());
        let insert = |after, before| vec![Change::Insert { like: &like, text: &text, after, before }];
        let new = "\n  <data name=\"A&amp;B\" xml:space=\"preserve\">\n    <value>it's</value>\n    <comment>x &lt; y</comment>\n  </data>";
        for (changes, neighbour) in [
            (insert(Some(1), Some(2)), "\n  <data name=\"label1.Location\""),
            (insert(None, Some(1)), "\n  <data name=\"$this.Text\""),
            (insert(None, None), "\n</root>"),
        ] {
            assert_eq!(edited(FILE, changes).unwrap(), FILE.replacen(neighbour, &[new, neighbour].concat(), 1));
        }
        let one_line =
            "\n  <data name=\"A&amp;B\" xml:space=\"preserve\"><value>it's</value><comment>x &lt; y</comment></data>";
        let behind = "<![CDATA[<b>x</b>]]></value></data>";
        assert_eq!(
            edited(FILE, insert(Some(2), None)).unwrap(),
            FILE.replacen(behind, &[behind, one_line].concat(), 1)
        );
        let empty = "<root>\n</root>\n";
        assert_eq!(edited(empty, insert(None, None)).unwrap(), format!("<root>{new}\n</root>\n"));
    }

    #[test]
    fn refuses_what_resx_cannot_hold() {
        let text = UnitText::Single("a\u{1}".to_owned());
        let error = edited(FILE, vec![Change::Set { unit: 0, text: &text, markup: &[] }]).unwrap_err();
        assert_eq!(error.what, "the character U+0001 cannot be written in XML");
        assert!(FILE.get(error.at..).unwrap().starts_with("Hello"));
        let plural = UnitText::Plural(super::super::PluralKind::Cardinal, Vec::new());
        let error = edited(FILE, vec![Change::Set { unit: 0, text: &plural, markup: &[] }]).unwrap_err();
        assert_eq!(error.what, "resx has no plurals");
        let error = ResxFormat.read("<a/>", &ReadOptions::default()).unwrap_err();
        assert_eq!(error.what, "the root element is 'a', not 'root'");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn invariants_hold(new in invariants::texts()) {
            // Use a file without duplicate names: removing a string would make its duplicate effective.
            let file = FILE.replace("again", "other").replacen("\"Greeting\"", "\"Hello\"", 1);
            for file in [file.replace('\n', "\r\n"), "<root><data name='a'><value>x</value></data></root>".to_owned(), file] {
                invariants::check_all(&ResxFormat, &file, &ReadOptions::default(), &new);
            }
        }

        #[test]
        fn corrupted_files_do_not_panic(cut in 0..FILE.len(), from in 0..FILE.len()) {
            let (start, end) = (FILE.get(..cut).unwrap_or_default(), FILE.get(from..).unwrap_or_default());
            for text in [start, end, &[start, end].concat()] {
                let _ = ResxFormat.read(text, &ReadOptions::default());
            }
        }
    }

    #[test]
    fn a_new_target_has_strings_only() {
        let text = UnitText::Single("Hallo".to_owned());
        let mut units = vec![Change::Set { unit: 0, text: &text, markup: &[] }];
        units.extend((1..4).map(|unit| Change::Remove { unit }));
        let changes = CatalogChanges { units, is_new_target: true, ..CatalogChanges::default() };
        let edits = ResxFormat.edits(FILE, &ReadOptions::default(), &changes).unwrap();
        let head = FILE.split("  <assembly").next().unwrap();
        let expected = "  <data name=\"Greeting\" xml:space=\"preserve\">\n    <value>Hallo</value>\n    \
            <comment>{0} is a name</comment>\n  </data>\n</root>";
        assert_eq!(apply_edits(FILE, edits).unwrap(), [head, expected].concat());
    }
}
