//! Hugo shortcodes that enclose content: `{{< tab >}} … {{< /tab >}}`.

use std::collections::HashSet;

use super::fixed_parts;

/// Shortcodes whose content is code, data, a drawing or a comment.
const CODE_NAMES: &[&str] = &[
    "asciinema",
    "chart",
    "code",
    "code-block",
    "code-toggle",
    "codeblock",
    "comment",
    "css",
    "d2",
    "diagram",
    "dot",
    "echarts",
    "filetree/container",
    "gist",
    "goat",
    "graphviz",
    "highlight",
    "hl",
    "html",
    "js",
    "json",
    "katex",
    "kroki",
    "latex",
    "math",
    "mathjax",
    "mermaid",
    "plantuml",
    "pre",
    "prism",
    "qr",
    "raw",
    "rawhtml",
    "script",
    "style",
    "svg",
    "terminal",
    "yaml",
];
const LANGUAGE_PARAMETERS: &[&str] = &["codelang=", "lang=", "language="];

#[derive(Clone, Copy, Debug)]
struct Shortcode<'a> {
    len: usize,
    name: &'a str,
    parameters: &'a str,
    is_markdown: bool,
    is_end: bool,
}

impl<'a> Shortcode<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let is_markdown = text.starts_with("{{%");
        if !is_markdown && !text.starts_with("{{<") {
            return None;
        }
        let len = fixed_parts::braces_len(text.as_bytes())?;
        let inner = text.get(3..len - 3)?.trim();
        let is_end = inner.starts_with('/');
        let inner = inner.trim_start_matches('/').trim_start();
        let (name, parameters) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        let is_shortcode = !name.is_empty() && !name.starts_with('*');
        is_shortcode.then_some(Self { len, name, parameters, is_markdown, is_end })
    }

    fn is_self_closing(&self) -> bool {
        self.parameters.ends_with('/') || self.name.ends_with('/')
    }

    fn has_language(&self) -> bool {
        let mut parameters = self.parameters.split_whitespace();
        parameters.any(|parameter| LANGUAGE_PARAMETERS.iter().any(|language| parameter.starts_with(language)))
    }

    /// Returns whether a Docsy tab is marked as text, not code.
    fn is_marked_as_text(&self) -> bool {
        ["text=true", "text=\"true\""].iter().any(|parameter| self.parameters.contains(parameter))
    }
}

#[derive(Debug, Default)]
pub(super) struct ShortcodeFinder<'a> {
    /// Whether the tabs of the enclosing Docsy `tabpane` contain text. Otherwise they contain code.
    tabs_have_text: Option<bool>,
    /// Names of shortcodes without any further end tag.
    unclosed: HashSet<&'a str>,
}

impl<'a> ShortcodeFinder<'a> {
    /// Finds a shortcode with code that starts in the line at `at`. The range includes its end tag.
    pub(super) fn find_code(&mut self, text: &'a str, at: usize, line_end: usize) -> Option<std::ops::Range<usize>> {
        let mut from = at;
        while let Some(found) = text.get(from..line_end)?.find("{{") {
            let start = from + found;
            from = start + 2;
            let Some(shortcode) = text.get(start..).and_then(Shortcode::read) else { continue };
            from = start + shortcode.len;
            if shortcode.name == "tabpane" {
                self.tabs_have_text =
                    (!shortcode.is_end).then(|| shortcode.is_markdown || shortcode.is_marked_as_text());
            }
            let is_in_code_span = text.get(..start)?.ends_with('`');
            if shortcode.is_end || shortcode.is_self_closing() || is_in_code_span || !self.has_code(&shortcode) {
                continue;
            }
            if let Some(len) = self.len_to_end_tag(text.get(from..)?, shortcode.name) {
                return Some(start..from + len);
            }
        }
        None
    }

    fn has_code(&self, shortcode: &Shortcode<'_>) -> bool {
        if shortcode.name != "tab" {
            return CODE_NAMES.contains(&shortcode.name) || shortcode.parameters.contains("code=true");
        }
        let is_text = self.tabs_have_text.unwrap_or_else(|| !shortcode.has_language());
        !is_text && !shortcode.is_markdown && !shortcode.is_marked_as_text()
    }

    /// Returns the length of a text up to and including the end tag of a shortcode.
    fn len_to_end_tag(&mut self, text: &str, name: &'a str) -> Option<usize> {
        if self.unclosed.contains(name) {
            return None;
        }
        let len = text.match_indices("{{").find_map(|(at, _)| {
            let end = Shortcode::read(text.get(at..)?).filter(|end| end.is_end && end.name == name)?;
            Some(at + end.len)
        });
        if len.is_none() {
            self.unclosed.insert(name);
        }
        len
    }
}

/// Returns the length of the shortcodes at the start of a text, if nothing else is on their lines.
pub(super) fn shortcode_lines_len(text: &str) -> Option<usize> {
    let mut rest = text;
    loop {
        if !["{{", "{%", "{#"].iter().any(|open| rest.starts_with(open)) {
            return None;
        }
        let len = fixed_parts::braces_len(rest.as_bytes())?;
        let after = rest.get(len..)?;
        rest = after.trim_start_matches([' ', '\t', '\r']);
        if rest.is_empty() || rest.starts_with('\n') {
            return Some(text.len() - after.len());
        }
    }
}

#[cfg(test)]
#[allow(clippy::string_slice)] // a wrong position fails the test
mod tests {
    use super::*;

    fn code(text: &str) -> Vec<&str> {
        let mut finder = ShortcodeFinder::default();
        let (mut found, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let end = text[at..].find('\n').map_or(text.len(), |len| at + len + 1);
            let range = finder.find_code(text, at, end);
            at = range.as_ref().map_or(end, |range| range.end);
            found.extend(range.map(|range| &text[range]));
        }
        found
    }

    #[test]
    fn finds_code_by_the_name_of_its_shortcode() {
        for text in [
            "{{< highlight go \"a >\" >}}\nx := 1\n\n{{< /highlight >}}",
            "{{% mermaid %}}\ngraph\n{{%/mermaid%}}",
            "{{< code-toggle >}}a: b{{</ code-toggle >}}",
            "{{< card code=true >}}x{{< /card >}}",
        ] {
            assert_eq!(code(&format!("a {text} b")), [text]);
        }
        for text in [
            "{{< note >}}a{{< /note >}}",
            "{{< highlight />}}a{{< /highlight >}}",
            "{{< highlight >}}a",
            "`{{< highlight >}}` and `{{< /highlight >}}`",
            "{{</* highlight */>}}a{{</* /highlight */>}}",
            "{{< /highlight >}}a{{< /highlight >}}",
        ] {
            assert_eq!(code(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn tabs_with_a_language_or_in_a_tabpane_contain_code_unless_marked_as_text() {
        let is_code = |before: &str, tab: &str| !code(&format!("{before}\n{tab}x{{{{< /tab >}}}}\n")).is_empty();
        for (before, tab, expected) in [
            ("", "{{< tab name=\"A\" >}}", false),
            ("", "{{< tab lang=\"go\" >}}", true),
            ("{{< tabpane >}}", "{{< tab >}}", true),
            ("{{< tabpane >}}", "{{% tab %}}", false),
            ("{{< tabpane >}}", "{{< tab text=true >}}", false),
            ("{{< tabpane text=true >}}", "{{< tab lang=\"en\" >}}", false),
            ("{{< tabpane >}}\n{{< /tabpane >}}", "{{< tab >}}", false),
        ] {
            assert_eq!(is_code(before, tab), expected, "{before} {tab}");
        }
    }

    #[test]
    fn finds_lines_of_only_shortcodes() {
        assert_eq!(shortcode_lines_len("{{< a >}} {{% b\n  c %}} \r\nd"), Some(23));
        assert_eq!(shortcode_lines_len("{{< a >}} b"), None);
    }
}
