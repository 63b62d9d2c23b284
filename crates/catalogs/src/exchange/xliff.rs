//! XLIFF files for translators: 1.2 and 2.0.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::{Progress, ReturnedFile, ReturnedText, TextToTranslate};
use crate::CatalogError;
use crate::xliff::content::{has_segments, is_segment, local_name};
use crate::xliff::document::{XliffDocument, XliffVersion};
use crate::xml::{XmlKind, XmlTree, escape_attribute, escape_text};

/// States of texts that are not translated or not confirmed.
const UNFINISHED_STATES: [&str; 2] = ["new", "initial"];

pub fn write_v1(source: &str, target: &str, texts: &[TextToTranslate]) -> Result<String, String> {
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                   <xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\n"
        .to_owned();
    for texts in texts.chunk_by(|a, b| a.file == b.file) {
        let original = attribute(texts.first().map_or("", |text| &text.file))?;
        let _ = write!(
            out,
            "  <file original=\"{original}\" source-language=\"{source}\" target-language=\"{target}\" \
             datatype=\"plaintext\">\n    <body>\n"
        );
        for text in texts {
            let key = attribute(&text.key)?;
            let limit = text.max_chars.map(|chars| format!(" maxwidth=\"{chars}\" size-unit=\"char\""));
            let limit = limit.unwrap_or_default();
            let _ = writeln!(out, "      <trans-unit id=\"{key}\" resname=\"{key}\"{limit} xml:space=\"preserve\">");
            let _ = writeln!(out, "        <source>{}</source>", content(text, &text.source)?);
            if let Some(target) = &text.target {
                let target = content(text, target)?;
                let state = if text.is_confirmed { "translated" } else { "needs-review-translation" };
                let _ = writeln!(out, "        <target state=\"{state}\">{target}</target>");
            }
            if let Some(note) = &text.note {
                let _ = writeln!(out, "        <note from=\"developer\">{}</note>", content(text, note)?);
            }
            out.push_str("      </trans-unit>\n");
        }
        out.push_str("    </body>\n  </file>\n");
    }
    out.push_str("</xliff>\n");
    Ok(out)
}

/// The keys become the attribute `name` of the units, because the ids of XLIFF 2.0 do not allow arbitrary text.
pub fn write_v2(source: &str, target: &str, texts: &[TextToTranslate]) -> Result<String, String> {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <xliff version=\"2.0\" xmlns=\"urn:oasis:names:tc:xliff:document:2.0\" srcLang=\"{source}\" trgLang=\"{target}\">\n"
    );
    for (number, texts) in texts.chunk_by(|a, b| a.file == b.file).enumerate() {
        let original = attribute(texts.first().map_or("", |text| &text.file))?;
        let _ = writeln!(out, "  <file id=\"f{}\" original=\"{original}\">", number + 1);
        for (number, text) in texts.iter().enumerate() {
            let key = attribute(&text.key)?;
            let _ = writeln!(out, "    <unit id=\"u{}\" name=\"{key}\" xml:space=\"preserve\">", number + 1);
            if let Some(note) = text.long_note() {
                let note = content(text, &note)?;
                let _ = writeln!(out, "      <notes>\n        <note>{note}</note>\n      </notes>");
            }
            // Write no state for a text without a translation: some tools do not update it, so it would stay `initial`.
            out.push_str(match &text.target {
                None => "      <segment>\n",
                Some(_) if text.is_confirmed => "      <segment state=\"translated\">\n",
                Some(_) => "      <segment state=\"initial\">\n",
            });
            let _ = writeln!(out, "        <source>{}</source>", content(text, &text.source)?);
            if let Some(target) = &text.target {
                let _ = writeln!(out, "        <target>{}</target>", content(text, target)?);
            }
            out.push_str("      </segment>\n    </unit>\n");
        }
        out.push_str("  </file>\n");
    }
    out.push_str("</xliff>\n");
    Ok(out)
}

fn content(text: &TextToTranslate, content: &str) -> Result<String, String> {
    escape_text(content, "\n")
        .map_err(|c| format!("{}: the character U+{:04X} is not allowed in XML", text.key, u32::from(c)))
}

fn attribute(text: &str) -> Result<String, String> {
    escape_attribute(text).map_err(|c| format!("{text}: the character U+{:04X} is not allowed in XML", u32::from(c)))
}

pub fn read(text: &str) -> Result<ReturnedFile, CatalogError> {
    let tree = XmlTree::parse(text)?;
    let document = XliffDocument::read(&tree)?;
    let mut seen = HashSet::new();
    let mut texts = Vec::new();
    for entry in &document.units {
        let element = entry.span.element;
        if !seen.insert(element) {
            continue;
        }
        let file = document.files.get(entry.part).map(|part| part.element);
        let file = file.and_then(|file| tree.attribute(file, "original"));
        let name = match document.version {
            XliffVersion::One => "resname",
            XliffVersion::Two => "name",
        };
        let key = tree.attribute(element, name).or_else(|| tree.attribute(element, "id"));
        let found = match document.version {
            XliffVersion::One => {
                let is_approved = tree.attribute(element, "approved").is_some_and(|approved| approved == "yes");
                texts_v1(&tree, entry.source, entry.target, is_approved)
            }
            XliffVersion::Two => texts_v2(&tree, element),
        };
        let at = tree.node(entry.target.unwrap_or(element)).range.start;
        texts.push(ReturnedText {
            file: file.unwrap_or_default(),
            key: key.unwrap_or_default(),
            source: found.source.unwrap_or_default(),
            progress: if found.is_unfinished { Progress::Unfinished } else { Progress::Done },
            target: found.target,
            at,
        });
    }
    let language = document.language(&tree, ["target-language", "trgLang"]);
    Ok(ReturnedFile { language, texts })
}

struct UnitTexts {
    source: Result<String, String>,
    target: Result<String, String>,
    is_unfinished: bool,
}

/// A translation with an empty segment is unfinished.
fn texts_v1(tree: &XmlTree<'_>, source: Option<usize>, target: Option<usize>, is_approved: bool) -> UnitTexts {
    let state = target.and_then(|target| tree.attribute(target, "state")).unwrap_or_default();
    let is_blank = |element: usize| plain_text(tree, element).is_ok_and(|text| text.trim().is_empty());
    let has_gap = target
        .filter(|target| has_segments(tree, *target))
        .is_some_and(|target| tree.descendants(target).any(|inner| is_segment(tree, inner) && is_blank(inner)));
    UnitTexts {
        source: source.map_or_else(|| Ok(String::new()), |source| plain_text(tree, source)),
        target: target.map_or_else(|| Ok(String::new()), |target| plain_text(tree, target)),
        is_unfinished: is_unfinished_state(&state) && !is_approved || has_gap,
    }
}

/// The segments of a unit are joined, with the text between them.
fn texts_v2(tree: &XmlTree<'_>, unit: usize) -> UnitTexts {
    let mut found = UnitTexts { source: Ok(String::new()), target: Ok(String::new()), is_unfinished: false };
    let mut has_target = false;
    for part in tree.elements(unit) {
        let is_segment = match local_name(tree, part) {
            "segment" => true,
            "ignorable" => false,
            _ => continue,
        };
        let child = |name: &str| tree.elements(part).find(|child| local_name(tree, *child) == name);
        let text =
            |element: Option<usize>| element.map_or_else(|| Ok(String::new()), |element| plain_text(tree, element));
        let (source, target) =
            (text(child("source")), text(child("target").or(child("source").filter(|_| !is_segment))));
        if is_segment {
            let is_missing = target.as_ref().is_ok_and(|text| text.trim().is_empty());
            has_target |= !is_missing;
            found.is_unfinished |=
                is_missing || tree.attribute(part, "state").is_some_and(|state| is_unfinished_state(&state));
        }
        append(&mut found.source, source);
        append(&mut found.target, target);
    }
    if !has_target && found.target.is_ok() {
        found.target = Ok(String::new());
    }
    found
}

fn append(all: &mut Result<String, String>, part: Result<String, String>) {
    match (all.as_mut(), part) {
        (Ok(all), Ok(part)) => all.push_str(&part),
        (Ok(_), Err(why)) => *all = Err(why),
        (Err(_), _) => {}
    }
}

fn is_unfinished_state(state: &str) -> bool {
    UNFINISHED_STATES.contains(&state) || state.starts_with("needs-")
}

/// Returns the content of an element as plain text: inline elements are replaced by their content or, if they have none,
/// by their text equivalent. Fails for a placeholder that has neither.
fn plain_text(tree: &XmlTree<'_>, element: usize) -> Result<String, String> {
    let mut out = String::new();
    for child in tree.children(element) {
        let node = tree.node(child);
        match node.kind {
            XmlKind::Text | XmlKind::CData => {
                out.push_str(&tree.slice(node.content.clone()).replace("\r\n", "\n").replace('\r', "\n"));
            }
            XmlKind::Reference => {
                let c = tree.referenced(child);
                out.push(c.ok_or_else(|| format!("the reference {} is unknown", tree.source(child)))?);
            }
            XmlKind::Element => out.push_str(&inline_text(tree, child)?),
            XmlKind::Comment | XmlKind::Instruction => {}
        }
    }
    Ok(out)
}

fn inline_text(tree: &XmlTree<'_>, element: usize) -> Result<String, String> {
    let attribute = |name: &str| tree.attribute(element, name);
    let name = local_name(tree, element);
    match name {
        "mrk" | "g" | "pc" | "bpt" | "ept" | "it" | "sub" | "sm" | "em" => plain_text(tree, element),
        "cp" => {
            let code = attribute("hex").and_then(|hex| u32::from_str_radix(&hex, 16).ok()).and_then(char::from_u32);
            code.map(String::from).ok_or_else(|| "the element `cp` has no character".to_owned())
        }
        _ => {
            let inner = plain_text(tree, element)?;
            let said = Some(inner).filter(|inner| !inner.is_empty()).or_else(|| attribute("equiv-text"));
            let said = said.or_else(|| attribute("disp")).or_else(|| attribute("equiv"));
            said.ok_or_else(|| format!("the inline element `{name}` has no text equivalent"))
        }
    }
}
