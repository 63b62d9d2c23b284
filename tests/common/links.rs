//! The links of a Markdown page, and the anchors that a link can lead to.
//!
//! Code is left out: `](` in a block or in a span is no link. Anchors follow the rule of GitHub: a heading in lower case, without
//! punctuation, with hyphens for spaces, and with a number if the page has it already.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::source::{read, root};

/// A link of a page.
#[derive(Debug, PartialEq, Eq)]
pub struct Link {
    /// Line in the page, from 1.
    pub line: usize,
    /// The address as written: a path, `#anchor`, both, or an `https` address.
    pub target: String,
}

/// Returns the links of a Markdown text in their order: inline ones, definitions, and addresses in angle brackets.
pub fn links(markdown: &str) -> Vec<Link> {
    let mut found = Vec::new();
    for (i, line) in without_code(markdown).lines().enumerate() {
        let mut add = |target: &str| found.push(Link { line: i + 1, target: target.to_owned() });
        line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).for_each(|(target, _)| add(target));
        line.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(inside, _)| inside).for_each(|inside| {
            if inside.contains("://") {
                add(inside);
            }
        });
        if let Some((_, target)) = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")) {
            add(target);
        }
    }
    found
}

/// Returns the anchors of the headings of a page.
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

/// Returns what is wrong with a link of a page, or nothing.
pub fn problem(page: &str, target: &str) -> Option<String> {
    if let Some((scheme, rest)) = target.split_once("://") {
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let known = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@!$&'*+,;=%".contains(c);
        let whole = host.contains('.') && host.split('.').all(|part| !part.is_empty()) && rest.chars().all(known);
        return (scheme != "https" || !whole).then(|| format!("{target} is not an address with https"));
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let file = if path.is_empty() { page.to_owned() } else { beside(page, path) };
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

/// Returns the file of the repository that a relative link of a page leads to.
pub fn beside(page: &str, path: &str) -> String {
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

/// Whether a file is a Markdown page.
pub fn is_page(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|extension| extension == "md")
}

/// Empties the lines of fenced blocks.
fn without_blocks(markdown: &str) -> String {
    let (mut text, mut open) = (String::new(), false);
    for line in markdown.lines() {
        let fence = line.starts_with("```");
        if !fence && !open {
            text.push_str(line);
        }
        open ^= fence;
        text.push('\n');
    }
    text
}

/// Empties fenced blocks and removes code spans, which end at a run of as many backticks as they begin with.
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
