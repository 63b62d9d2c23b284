//! Finds the links of a Markdown page, except in code, and checks their targets. Anchors follow GitHub's rule: the heading in lower case,
//! without punctuation, with hyphens for spaces, and with a number if the page already has that anchor.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::source::{read, root};

#[derive(Debug, PartialEq, Eq)]
pub struct Link {
    pub line: usize,
    /// A path, `#anchor`, both, or an `https` address.
    pub target: String,
}

/// Returns inline links, definitions, and addresses in angle brackets, in order. A reference such as `[text][name]` without a definition
/// is returned as a link to `[name]`, which never exists.
pub fn links(markdown: &str) -> Vec<Link> {
    let mut found = Vec::new();
    let text = without_code(markdown);
    let defined: Vec<String> = text.lines().filter_map(|line| Some(definition(line)?.0.to_lowercase())).collect();
    for (i, line) in text.lines().enumerate() {
        let mut add = |target: &str| found.push(Link { line: i + 1, target: target.to_owned() });
        line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).for_each(|(target, _)| add(target));
        line.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(inside, _)| inside).for_each(|inside| {
            if inside.contains("://") {
                add(inside);
            }
        });
        if let Some((_, target)) = definition(line) {
            add(target);
        }
        for (label, name) in references(line) {
            let name = if name.is_empty() { label } else { name };
            if !defined.contains(&name.to_lowercase()) {
                add(&format!("[{name}]"));
            }
        }
    }
    found
}

/// Parses `[name]: address`.
fn definition(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix('[')?.split_once("]: ")
}

fn references(line: &str) -> Vec<(&str, &str)> {
    let found = line.match_indices("][").filter_map(|(at, _)| {
        let (before, after) = line.split_at(at);
        Some((before.rsplit_once('[')?.1, after[2..].split_once(']')?.0))
    });
    found.collect()
}

pub fn anchors(markdown: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for line in without_blocks(markdown).lines() {
        let text = line.trim_start_matches('#');
        if line.len() == text.len() || line.len() - text.len() > 6 || !text.starts_with(' ') {
            continue;
        }
        let name = slug(text.trim());
        let numbered = (1..).map(|n| format!("{name}-{n}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !anchors.contains(name));
        anchors.extend(free);
    }
    anchors
}

fn slug(heading: &str) -> String {
    let mut text = String::new();
    let mut rest = heading;
    while let Some((before, label, after)) = rest.split_once('[').and_then(|(before, link)| {
        let (label, address) = link.split_once("](")?;
        Some((before, label, address.split_once(')')?.1))
    }) {
        text.push_str(before);
        text.push_str(label);
        rest = after;
    }
    text.push_str(rest);
    let kept =
        text.to_lowercase().chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ')).collect::<String>();
    kept.replace(' ', "-")
}

pub fn problem(page: &str, target: &str) -> Option<String> {
    if let Some((scheme, rest)) = target.split_once("://") {
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let known = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@!$&'*+,;=%".contains(c);
        let whole = host.contains('.') && host.split('.').all(|part| !part.is_empty()) && rest.chars().all(known);
        return (scheme != "https" || !whole).then(|| format!("{target} is not an address with https"));
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let file = if path.is_empty() { page.to_owned() } else { resolve(page, path) };
    // `target` has build output, which is not in the repository.
    let outside =
        path.starts_with('/') || file.split('/').next().is_some_and(|first| ["..", "target"].contains(&first));
    if outside {
        return Some(format!("{target} leads out of the repository"));
    }
    if !root().join(&file).exists() {
        return Some(format!("{target} leads to {file}, which does not exist"));
    }
    let anchor = anchor?;
    if !is_page(&file) {
        return Some(format!("{target} has an anchor, but {file} is not a page"));
    }
    let anchors = anchors(&read(&file));
    (!anchors.contains(anchor)).then(|| format!("{file} has no heading for #{anchor}; it has {anchors:?}"))
}

pub fn resolve(page: &str, path: &str) -> String {
    let mut file = PathBuf::from(page).parent().map(Path::to_owned).unwrap_or_default();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir if file.pop() => {}
            Component::CurDir => {}
            other => file.push(other),
        }
    }
    file.to_string_lossy().into_owned()
}

pub fn is_page(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|extension| extension == "md")
}

pub fn unclosed_block(markdown: &str) -> Option<usize> {
    split_blocks(markdown).1
}

/// Empties the lines of fenced blocks, so line numbers stay the same.
fn without_blocks(markdown: &str) -> String {
    split_blocks(markdown).0
}

/// Returns the text without fenced blocks, and the line of a block that is never closed. A closing fence has the character of the opening
/// fence, at least as often, and nothing else.
fn split_blocks(markdown: &str) -> (String, Option<usize>) {
    let mut text = String::new();
    let mut open: Option<(char, usize, usize)> = None;
    for (i, line) in markdown.lines().enumerate() {
        let fence = fence(line);
        match (open, fence) {
            (None, Some((mark, length, _))) => open = Some((mark, length, i + 1)),
            (None, None) => text.push_str(line),
            (Some((start, least, _)), Some((mark, length, ""))) if mark == start && length >= least => open = None,
            (Some(_), _) => {}
        }
        text.push('\n');
    }
    (text, open.map(|(_, _, line)| line))
}

/// Returns the character of a fence, its length, and the rest of the line.
fn fence(line: &str) -> Option<(char, usize, &str)> {
    let mark = line.chars().next().filter(|mark| ['`', '~'].contains(mark))?;
    let rest = line.trim_start_matches(mark);
    let length = line.len() - rest.len();
    (length >= 3 && (mark == '~' || !rest.contains('`'))).then(|| (mark, length, rest.trim()))
}

/// A code span ends at a run of as many backticks as it began with.
fn without_code(markdown: &str) -> String {
    let text = without_blocks(markdown);
    let (mut kept, mut rest) = (String::new(), text.as_str());
    while let Some(start) = rest.find('`') {
        let (before, code) = rest.split_at(start);
        let run = code.len() - code.trim_start_matches('`').len();
        let (fence, inside) = code.split_at(run);
        kept.push_str(before);
        let end = inside.match_indices(fence).map(|(at, _)| at).find(|at| {
            let (inner, after) = inside.split_at(*at);
            !inner.ends_with('`') && !after[run..].starts_with('`') && !inner.contains("\n\n")
        });
        rest = match end {
            Some(end) => {
                kept.extend(inside[..end].chars().filter(|c| *c == '\n'));
                &inside[end + run..]
            }
            None => inside,
        };
    }
    kept.push_str(rest);
    kept
}

#[test]
fn a_broken_link_is_found() {
    let page = "# One `two`\n\n## One two\n\n```sh\n# [a](b.md)\n```\nSee [a](#one-two-1), `[b](c)` and\n[d](../x.md#y) <https://a.example/b>.\n\n[e]: f.txt\n";
    let found: Vec<String> = links(page).iter().map(|link| format!("{}:{}", link.line, link.target)).collect();
    assert_eq!(found, ["8:#one-two-1", "9:../x.md#y", "9:https://a.example/b", "11:f.txt"]);
    let found: Vec<String> = anchors(page).into_iter().collect();
    assert_eq!(found, ["one-two", "one-two-1"]);
    assert_eq!(anchors("# `--a`, [b c](d.md): ü_e\n").first().unwrap(), "--a-b-c-ü_e");
    for target in ["README.md", "docs/README.md#commands", "LICENSE", "https://jqlang.org/manual/"] {
        assert_eq!(problem("README.md", target), None);
    }
    for target in [
        "absent.md",
        "docs/README.md#absent",
        "LICENSE#a",
        "http://a.example",
        "https://",
        "https://a b.example",
        "#absent",
        "/etc/passwd",
        "../",
        "docs/../../x",
        "target/",
        "[absent]",
    ] {
        assert!(problem("README.md", target).is_some(), "{target}");
    }
}

#[test]
fn finds_undefined_references_and_unclosed_blocks() {
    let targets = |page: &str| links(page).into_iter().map(|link| link.target).collect::<Vec<_>>();
    assert_eq!(targets("[a][b] and [c][]\n\n[B]: x.md\n[c]: y.md\n"), ["x.md", "y.md"]);
    assert_eq!(targets("[a][b] and [c][] and `[d][e]`\n"), ["[b]", "[c]"]);
    assert_eq!(targets("~~~\n[a](b)\n```\n~~~\n[c](d)\n"), ["d"]);
    assert_eq!(targets("````\n```\n[a](b)\n````\n[c](d)\n"), ["d"]);
    assert_eq!(unclosed_block("a\n\n```sh\n~~~\n"), Some(3));
    assert_eq!(unclosed_block("```sh\n```\n~~~\n```\n~~~\n"), None);
}
