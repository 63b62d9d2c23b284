//! Parses the text of a Fluent unit into a [`FluentPattern`], which `Display` writes back, and converts the pattern to
//! the parts of a message, with selects on numbers as plurals.

use std::fmt::{self, Write};
use std::ops::Range;

use super::tree::{ChoiceKind, ChoiceLayout, MessageBranch, MessageChoice, MessagePart, SelectLayout};
use crate::ftl::scan::{ScannedPart, ScannedPattern, ScannedSelect, ScannedVariant};
use crate::ftl::text::{PatternPiece, pieces, placeables, push_escape_placeable};
use crate::plural::{PluralCategory, PluralForm, PluralKind};

/// Text, placeables and select expressions. A brace that does not start a placeable is text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FluentPattern(pub Vec<FluentPart>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FluentPart {
    /// In variants, it is decoded and without indentation.
    Text(String),
    /// With its braces.
    Placeable(String),
    Select {
        /// `$count` or `NUMBER($n, type: "ordinal")`, for example.
        selector: String,
        /// One of them is the default.
        variants: Vec<FluentVariant>,
        layout: SelectLayout,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FluentVariant {
    /// Such as `one` or `0`.
    pub key: String,
    pub is_default: bool,
    pub pattern: FluentPattern,
}

impl FluentPattern {
    /// Fails if a select expression has two variants with the same key; the error is the byte offset of the second.
    pub fn parse(text: &str) -> Result<Self, usize> {
        let mut parts = Vec::new();
        let mut done = 0;
        for (range, part) in placeables(text) {
            push_text(&mut parts, text.get(done..range.start).unwrap_or_default());
            done = range.end;
            parts.push(convert(text, &part, 0)?);
        }
        push_text(&mut parts, text.get(done..).unwrap_or_default());
        Ok(Self(parts))
    }
}

fn push_text(parts: &mut Vec<FluentPart>, text: &str) {
    if !text.is_empty() {
        parts.push(FluentPart::Text(text.to_owned()));
    }
}

/// The pattern is indented by `column`. The recursion is bounded, because the scanner limits the depth.
fn convert(text: &str, part: &ScannedPart, column: usize) -> Result<FluentPart, usize> {
    match part {
        ScannedPart::Placeable(range, Some(select)) => convert_select(text, range, select, column),
        ScannedPart::Placeable(range, None) | ScannedPart::Text(range) => {
            Ok(FluentPart::Placeable(text.get(range.clone()).unwrap_or_default().to_owned()))
        }
        ScannedPart::Break { .. } => Ok(FluentPart::Text(String::new())),
    }
}

fn convert_select(
    text: &str,
    range: &Range<usize>,
    select: &ScannedSelect,
    column: usize,
) -> Result<FluentPart, usize> {
    let layout = select_layout(text, range, select, column);
    let slice = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default().to_owned();
    let mut known = std::collections::HashSet::new();
    let mut variants = Vec::new();
    for variant in &select.variants {
        let key = slice(&variant.key);
        if !known.insert(key.clone()) {
            return Err(variant.key.start);
        }
        let pattern = convert_pattern(text, &variant.pattern, column + layout.value)?;
        variants.push(FluentVariant { key, is_default: variant.is_default, pattern });
    }
    Ok(FluentPart::Select { selector: slice(&select.selector), variants, layout })
}

fn select_layout(text: &str, range: &Range<usize>, select: &ScannedSelect, column: usize) -> SelectLayout {
    let indent = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        (line.len() - line.trim_start_matches(' ').len()).saturating_sub(column)
    };
    let key = |is_default| {
        let variant = select.variants.iter().find(|variant| variant.is_default == is_default)?;
        Some(indent(variant.key.start))
    };
    let with_default_layout = SelectLayout::default();
    let default_key = key(true).unwrap_or(with_default_layout.default_key);
    let key = key(false).unwrap_or(default_key + 1);
    let value = select.variants.iter().find_map(|variant| variant.pattern.first_indent);
    let is_block = |variant: &ScannedVariant| variant.pattern.first_indent.is_some();
    SelectLayout {
        has_space: text.get(range.start + 1..select.selector.start).is_some_and(|space| !space.is_empty()),
        key,
        default_key,
        value: value.map_or(key + 4, |value| value.saturating_sub(column)),
        end: indent(range.end),
        blocks: select
            .variants
            .iter()
            .map(|variant| (text.get(variant.key.clone()).unwrap_or_default().to_owned(), is_block(variant)))
            .collect(),
    }
}

fn convert_pattern(text: &str, pattern: &ScannedPattern, column: usize) -> Result<FluentPattern, usize> {
    let parts = pieces(text, pattern).into_iter().map(|piece| match piece {
        PatternPiece::Text(text) => Ok(FluentPart::Text(text)),
        PatternPiece::Placeable(part) => convert(text, part, column),
    });
    Ok(FluentPattern(parts.collect::<Result<_, _>>()?))
}

impl fmt::Display for FluentPattern {
    /// Keeps the layout. Each variant starts a line; text in variants is escaped where needed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        for part in &self.0 {
            match part {
                FluentPart::Text(text) | FluentPart::Placeable(text) => out.push_str(text),
                FluentPart::Select { selector, variants, layout } => {
                    write_select(selector, variants, (layout, 0), &mut out);
                }
            }
        }
        f.write_str(&out)
    }
}

/// `column` is the indentation of the enclosing pattern.
fn write_select(
    selector: &str,
    variants: &[FluentVariant],
    (layout, column): (&SelectLayout, usize),
    out: &mut String,
) {
    let newline = |more: usize| ["\n", &" ".repeat(column + more)].concat();
    out.extend([if layout.has_space { "{ " } else { "{" }, selector, " ->"]);
    let is_block = |key: &str| layout.blocks.get(key).copied();
    let others = variants.iter().find(|variant| variant.is_default).and_then(|variant| is_block(&variant.key));
    for variant in variants {
        let (mark, key) = if variant.is_default { ("*", layout.default_key) } else { ("", layout.key) };
        out.extend([&newline(key), mark, "[", &variant.key, "]"]);
        let is_block = is_block(&variant.key).or(others).unwrap_or_default();
        write_variant(&variant.pattern, is_block, column + layout.value, out);
    }
    out.extend([newline(layout.end).as_str(), "}"]);
}

/// A pattern starts beside its key if it has only one line and is not a block, else below.
fn write_variant(pattern: &FluentPattern, is_block: bool, column: usize, out: &mut String) {
    let has_lines = pattern.0.iter().any(|part| matches!(part, FluentPart::Text(text) if text.contains('\n')));
    let is_block = is_block || has_lines;
    let newline = ["\n", &" ".repeat(column)].concat();
    out.push_str(if is_block { &newline } else { " " });
    let last = pattern.0.len().checked_sub(1);
    if last.is_none() {
        push_escape_placeable("", out);
    }
    for (number, part) in pattern.0.iter().enumerate() {
        match part {
            FluentPart::Placeable(text) => out.push_str(text),
            FluentPart::Select { selector, variants, layout } => {
                write_select(selector, variants, (layout, column), out);
            }
            FluentPart::Text(text) => write_text(text, &newline, is_block, (number == 0, Some(number) == last), out),
        }
    }
}

/// In a variant, characters that would be lost or misread become placeables.
fn write_text(text: &str, newline: &str, is_block: bool, (is_first, is_last): (bool, bool), out: &mut String) {
    let mut begins = is_first;
    let end = if is_last { text.trim_end_matches([' ', '\n']).len() } else { text.len() };
    if is_first && text.is_empty() {
        push_escape_placeable("", out);
    }
    for (at, c) in text.char_indices() {
        match c {
            '\n' => {
                if is_first && at == 0 {
                    push_escape_placeable("", out);
                }
                out.push_str(newline);
                begins = true;
                if at + 1 == text.len() && is_last {
                    push_escape_placeable("", out);
                }
                continue;
            }
            ' ' if begins || at >= end => push_escape_placeable(" ", out),
            '{' | '}' => push_escape_placeable(c.encode_utf8(&mut [0; 4]), out),
            '[' | '*' | '.' if begins && (is_block || at > 0) => push_escape_placeable(c.encode_utf8(&mut [0; 4]), out),
            '\r' => push_escape_placeable("\\u000D", out),
            c => {
                let _ = out.write_char(c);
            }
        }
        begins = false;
    }
}

pub(super) fn message_parts(pattern: &FluentPattern) -> Vec<MessagePart> {
    parts_from(pattern, &mut 0)
}

fn parts_from(pattern: &FluentPattern, choices: &mut usize) -> Vec<MessagePart> {
    let part = |part: &FluentPart| match part {
        FluentPart::Text(text) => MessagePart::Text(text.clone()),
        FluentPart::Placeable(source) => {
            let content = source.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(source).trim();
            let (name, type_name) = match number_argument(content) {
                Some(name) => (name, if name == content { "" } else { "number" }),
                None => (content, "expression"),
            };
            MessagePart::Argument { spelling: source.clone(), name: name.to_owned(), type_name: type_name.to_owned() }
        }
        FluentPart::Select { selector, variants, layout } => {
            MessagePart::Choice(choice(selector, variants, layout, choices))
        }
    };
    pattern.0.iter().map(part).collect()
}

fn choice(selector: &str, variants: &[FluentVariant], layout: &SelectLayout, choices: &mut usize) -> MessageChoice {
    let selector = selector.trim();
    let id = *choices;
    *choices += 1;
    let mut branches: Vec<MessageBranch> = Vec::with_capacity(variants.len());
    for variant in variants {
        branches.push(MessageBranch {
            key: variant.key.clone(),
            form: plural_form(&variant.key),
            is_default: variant.is_default,
            parts: parts_from(&variant.pattern, choices),
        });
    }
    let number = number_argument(selector).filter(|_| branches.iter().all(|branch| branch.form.is_some()));
    let kind = match number {
        Some(_) if is_ordinal(selector) => ChoiceKind::Plural { kind: PluralKind::Ordinal, offset: 0 },
        Some(_) => ChoiceKind::Plural { kind: PluralKind::Cardinal, offset: 0 },
        None => ChoiceKind::Select,
    };
    let layout =
        ChoiceLayout { head: selector.to_owned(), select: Some(Box::new(layout.clone())), ..ChoiceLayout::default() };
    MessageChoice { id, kind, argument: number.unwrap_or(selector).to_owned(), layout, branches }
}

fn plural_form(key: &str) -> Option<PluralForm> {
    let exact = || key.parse().ok().map(PluralForm::Exact);
    PluralCategory::from_name(key).map(PluralForm::Category).or_else(exact)
}

fn is_ordinal(selector: &str) -> bool {
    selector.contains("\"ordinal\"")
}

/// Returns `$n` for both `$n` and `NUMBER($n)`.
fn number_argument(expression: &str) -> Option<&str> {
    let inner = match expression.strip_prefix("NUMBER(") {
        Some(rest) => rest.strip_suffix(')')?.split(',').next()?.trim(),
        None => expression,
    };
    let name = inner.strip_prefix('$')?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    (is_name && !name.is_empty()).then_some(inner)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::invariants;

    const FILES: &str =
        "{ $count ->\n    [0] No files\n    [one] One file\n   *[other] { $count } files\n} in { $folder }.";

    fn text(text: &str) -> FluentPart {
        FluentPart::Text(text.to_owned())
    }

    fn variant(key: &str, is_default: bool, parts: Vec<FluentPart>) -> FluentVariant {
        FluentVariant { key: key.to_owned(), is_default, pattern: FluentPattern(parts) }
    }

    fn with_default_layout(pattern: &FluentPattern) -> FluentPattern {
        let part = |part: &FluentPart| match part {
            FluentPart::Select { selector, variants, .. } => {
                let variants = variants
                    .iter()
                    .map(|variant| FluentVariant { pattern: with_default_layout(&variant.pattern), ..variant.clone() });
                let layout = SelectLayout::default();
                FluentPart::Select { selector: selector.clone(), variants: variants.collect(), layout }
            }
            other => other.clone(),
        };
        FluentPattern(pattern.0.iter().map(part).collect())
    }

    #[test]
    fn layouts_are_kept() {
        for text in [
            "{$n ->\n  [one] a\n *[other]\n     b\n  }",
            "{ $n ->\n    [one]\n        a\n    *[other]\n        { $m ->\n            [x] b\n           *[y] c\n        }\n}",
            "{ $n ->\n   *[other] { $m ->\n           *[y]\n             c\n             d\n        }\n}",
        ] {
            assert_eq!(FluentPattern::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn selects_survive_a_round_trip() {
        let placeable = |text: &str| FluentPart::Placeable(text.to_owned());
        let pattern = FluentPattern::parse(FILES).unwrap();
        let variants = vec![
            variant("0", false, vec![text("No files")]),
            variant("one", false, vec![text("One file")]),
            variant("other", true, vec![placeable("{ $count }"), text(" files")]),
        ];
        let select = FluentPart::Select { selector: "$count".to_owned(), variants, layout: SelectLayout::default() };
        assert_eq!(with_default_layout(&pattern).0, [select, text(" in "), placeable("{ $folder }"), text(".")]);
        assert_eq!(pattern.to_string(), FILES);
    }

    #[test]
    fn braces_outside_of_placeables_are_text() {
        for literal in ["a { b", "}", "{ $x -> [one] a }", "{ $x ->\n [one] a\n}", "{\"[\"}", "{"] {
            assert_eq!(FluentPattern::parse(literal).unwrap().0, [text(literal)]);
        }
        assert_eq!(FluentPattern::parse("").unwrap().0, []);
        assert_eq!(FluentPattern::parse("{ $x ->\n [a] a\n [a] b\n *[c] d\n}"), Err(17));
        assert!(FluentPattern::parse(&"{".repeat(100_000)).is_ok());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn text_in_variants_survives_a_round_trip(one in invariants::texts(), other in "[ \\n\\[\\]*.{}$a\"\\-#=>]{1,24}") {
            let variants = vec![
                variant("one", false, vec![text(&one)]),
                variant("other", true, vec![text(&other)]),
            ];
            let select = |selector: &str, variants| {
                FluentPart::Select { selector: selector.to_owned(), variants, layout: SelectLayout::default() }
            };
            let outer = vec![variant("x", true, vec![select("$n", variants)])];
            let pattern = FluentPattern(vec![text("a "), select("$m", outer)]);
            let written = pattern.to_string();
            let read = FluentPattern::parse(&written).unwrap();
            prop_assert_eq!(read.to_string(), written.as_str());
            // A brace in the text is read back as a placeable.
            if !one.contains(['{', '}']) && !other.contains(['{', '}']) {
                prop_assert_eq!(with_default_layout(&read), pattern, "{}", written);
            }
        }
    }
}
