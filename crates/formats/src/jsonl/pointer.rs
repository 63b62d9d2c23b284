//! Fields as users name them: JSON pointers (RFC 6901) such as `/title` or `/items/0/text`.
//!
//! A [`PointerTree`] combines several pointers, so one pass over a line finds all their values.

use std::fmt;

use tulk_base::error::Failure;

use super::string;

/// Maximum number of parts of a pointer.
const POINTER_PARTS: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPointer {
    text: String,
    /// Member names and item indices, unescaped.
    parts: Vec<String>,
}

impl FieldPointer {
    /// Parses the values of `--field`. A value may have several pointers, separated by commas.
    pub fn parse_list(values: &[String]) -> Result<Vec<Self>, Failure> {
        let mut pointers: Vec<Self> = Vec::new();
        for value in values {
            let mut rest = value.as_str();
            while !rest.is_empty() || value.is_empty() {
                let end = rest.find(",/").unwrap_or(rest.len());
                let (pointer, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
                let pointer = Self::parse(pointer)?;
                if pointers.contains(&pointer) {
                    return Err(Failure::usage(format!("--field {pointer} is given twice")));
                }
                pointers.push(pointer);
                rest = after.strip_prefix(',').unwrap_or(after);
            }
        }
        if u16::try_from(pointers.len()).is_err() {
            return Err(Failure::usage(format!("{} values of --field; the limit is {}", pointers.len(), u16::MAX)));
        }
        Ok(pointers)
    }

    fn parse(text: &str) -> Result<Self, Failure> {
        let invalid = |why: &str| Failure::usage(format!("--field `{text}` {why}"));
        let Some(parts) = text.strip_prefix('/') else {
            let failure = invalid("is not a JSON pointer");
            let failure = match suggestion(text) {
                Some(pointer) => failure.hint(format!("did you mean {pointer}?")),
                None => failure.hint("name a field with a slash before it, such as /title"),
            };
            return Err(failure);
        };
        let parts: Vec<String> = parts
            .split('/')
            .map(|part| {
                if part.replace("~0", "").replace("~1", "").contains('~') {
                    return Err(invalid("has a `~` that is not `~0` or `~1`")
                        .hint("in a JSON pointer, ~0 stands for ~ and ~1 for /"));
                }
                Ok(part.replace("~1", "/").replace("~0", "~"))
            })
            .collect::<Result<_, Failure>>()?;
        if parts.len() > POINTER_PARTS {
            return Err(invalid(&format!("has {} parts; the limit is {POINTER_PARTS}", parts.len())));
        }
        Ok(Self { text: text.to_owned(), parts })
    }

    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// Returns the pointer of the value `name` in `parent`.
    pub fn join(parent: &str, name: &str) -> String {
        format!("{parent}/{}", name.replace('~', "~0").replace('/', "~1"))
    }

    /// Returns the pointer of the field that `--append` adds for a language.
    pub fn appended_field(&self, language: &str) -> String {
        format!("{}_{language}", self.text)
    }
}

impl fmt::Display for FieldPointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns `/title` for `title` or `$.title`, and `/a/b` for `.a.b`.
fn suggestion(text: &str) -> Option<String> {
    let (name, is_path) = match text.strip_prefix('$').unwrap_or(text).strip_prefix('.') {
        Some(path) => (path.replace('.', "/"), true),
        None => (text.to_owned(), false),
    };
    let is_plain = |c: char| c.is_alphanumeric() || "_-,".contains(c) || (is_path && c == '/');
    (name.starts_with(|c: char| c.is_alphanumeric() || c == '_') && name.chars().all(is_plain))
        .then(|| format!("/{}", name.replace(',', ",/")))
}

/// The fields to find in a line: those to translate, and those that `--append` will add.
#[derive(Debug, Default)]
pub(super) struct PointerTree {
    nodes: Vec<PointerNode>,
}

/// A part that one or more pointers share.
#[derive(Debug, Default)]
struct PointerNode {
    name: String,
    /// Array index, if its name is one.
    index: Option<usize>,
    children: Vec<usize>,
    role: Option<FieldRole>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldRole {
    /// The field with this index is translated.
    Source(usize),
    /// `--append` will add the field, so it must not exist. Has the indices of its source field and its language.
    Added(usize, usize),
}

impl PointerTree {
    /// Index of the node for the complete line.
    pub(super) const ROOT: usize = 0;

    pub(super) fn new(fields: &[FieldPointer], languages: &[String]) -> Self {
        let mut tree = Self { nodes: vec![PointerNode::default()] };
        for (number, field) in fields.iter().enumerate() {
            tree.add(field.parts(), FieldRole::Source(number));
        }
        for (number, field) in fields.iter().enumerate() {
            for (language, code) in languages.iter().enumerate() {
                let mut parts = field.parts().to_vec();
                if let Some(last) = parts.last_mut() {
                    last.push('_');
                    last.push_str(code);
                }
                tree.add(&parts, FieldRole::Added(number, language));
            }
        }
        tree
    }

    fn add(&mut self, parts: &[String], role: FieldRole) {
        let mut at = Self::ROOT;
        for part in parts {
            at = match self.children(at).iter().copied().find(|child| self.name(*child) == part) {
                Some(child) => child,
                None => self.push(at, part),
            };
        }
        if let Some(node) = self.nodes.get_mut(at) {
            node.role.get_or_insert(role);
        }
    }

    fn push(&mut self, parent: usize, name: &str) -> usize {
        let child = self.nodes.len();
        let is_index = name == "0" || (!name.starts_with('0') && name.bytes().all(|byte| byte.is_ascii_digit()));
        let index = name.parse().ok().filter(|_| is_index);
        self.nodes.push(PointerNode { name: name.to_owned(), index, ..PointerNode::default() });
        if let Some(parent) = self.nodes.get_mut(parent) {
            parent.children.push(child);
        }
        child
    }

    fn name(&self, node: usize) -> &str {
        self.nodes.get(node).map_or("", |node| &node.name)
    }

    pub(super) fn children(&self, node: usize) -> &[usize] {
        self.nodes.get(node).map_or(&[], |node| &node.children)
    }

    pub(super) fn role(&self, node: usize) -> Option<FieldRole> {
        self.nodes.get(node)?.role
    }

    /// `key` is the name of a member in JSON, without the quotes.
    pub(super) fn member(&self, node: usize, key: &str) -> Option<usize> {
        let find = |key: &str| self.children(node).iter().copied().find(|child| self.name(*child) == key);
        if memchr::memchr(b'\\', key.as_bytes()).is_none() {
            return find(key);
        }
        find(&string::unescape(key).ok()?)
    }

    pub(super) fn item(&self, node: usize, index: usize) -> Option<usize> {
        let is_item = |child: &&usize| self.nodes.get(**child).is_some_and(|node| node.index == Some(index));
        self.children(node).iter().find(is_item).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(values: &[&str]) -> Result<Vec<FieldPointer>, Failure> {
        FieldPointer::parse_list(&values.iter().map(|&value| value.to_owned()).collect::<Vec<_>>())
    }

    fn parts(value: &str) -> Vec<Vec<String>> {
        list(&[value]).unwrap().iter().map(|pointer| pointer.parts().to_vec()).collect()
    }

    #[test]
    fn parses_pointers_as_in_rfc_6901() {
        assert_eq!(parts("/a/b/0"), [["a", "b", "0"]]);
        assert_eq!(parts("/a~1b/m~0n/~01"), [["a/b", "m~n", "~1"]]);
        assert_eq!(parts("/"), [[""]]);
        assert_eq!(parts("/ /é\"\\"), [[" ", "é\"\\"]]);
        assert_eq!(parts("/a/"), [["a", ""]]);
    }

    #[test]
    fn a_comma_before_a_slash_separates_pointers() {
        assert_eq!(parts("/a,/b,c,/d"), [["a"], ["b,c"], ["d"]]);
        assert_eq!(list(&["/a", "/b"]).unwrap(), list(&["/a,/b"]).unwrap());
        assert_eq!(list(&["/a,/a"]).unwrap_err().what, "--field /a is given twice");
    }

    #[test]
    fn suggests_a_pointer_for_other_notations() {
        for (value, hint) in [
            ("title", "did you mean /title?"),
            (".title", "did you mean /title?"),
            ("$.a.b", "did you mean /a/b?"),
            ("title,body", "did you mean /title,/body?"),
            ("", "name a field with a slash before it, such as /title"),
            ("$", "name a field with a slash before it, such as /title"),
            (".a[0]", "name a field with a slash before it, such as /title"),
        ] {
            let failure = list(&[value]).unwrap_err();
            assert_eq!(failure.what, format!("--field `{value}` is not a JSON pointer"));
            assert_eq!(failure.hint.as_deref(), Some(hint), "{value}");
        }
        let failure = list(&["/a~2"]).unwrap_err();
        assert_eq!(failure.what, "--field `/a~2` has a `~` that is not `~0` or `~1`");
        assert!(list(&["/a~"]).is_err());
        assert!(list(&[&"/a".repeat(65)]).is_err());
    }

    #[test]
    fn items_are_numbered_without_leading_zeros() {
        let tree = PointerTree::new(&list(&["/0", "/01", "/-", "/10"]).unwrap(), &[]);
        let role = |index| tree.item(PointerTree::ROOT, index).and_then(|node| tree.role(node));
        assert_eq!(role(0), Some(FieldRole::Source(0)));
        assert_eq!(role(1), None);
        assert_eq!(role(10), Some(FieldRole::Source(3)));
    }

    #[test]
    fn a_name_matches_however_it_is_escaped() {
        let tree = PointerTree::new(&list(&["/title", "/a\"b"]).unwrap(), &["de".to_owned()]);
        let role = |key| tree.member(PointerTree::ROOT, key).and_then(|node| tree.role(node));
        assert_eq!(role("title"), Some(FieldRole::Source(0)));
        assert_eq!(role("t\\u0069tle"), Some(FieldRole::Source(0)));
        assert_eq!(role("a\\\"b"), Some(FieldRole::Source(1)));
        assert_eq!(role("title_de"), Some(FieldRole::Added(0, 0)));
        assert_eq!(role("\\ud800"), None);
        assert_eq!(role("Title"), None);
    }
}
