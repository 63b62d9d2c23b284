//! The markup of a text: where known spellings occur in it.
//!
//! Input: spellings such as `<b>` and `&name;`, and a text. Output: its pieces.

use memchr::memchr2_iter;

use super::decode::CDATA_START;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkupPiece<'a> {
    /// Characters.
    Text(&'a str),
    /// Markup, as it is spelled.
    Markup(&'a str),
}

/// Spellings of markup, all of which begin with `<` or `&`.
#[derive(Debug, Default)]
pub struct MarkupSet<'a> {
    /// Sorted, each with the longest other one that it begins with.
    spellings: Vec<(&'a str, Option<usize>)>,
}

impl<'a> MarkupSet<'a> {
    /// Collects spellings. Those that do not begin as markup are left out.
    pub fn new(spellings: impl IntoIterator<Item = &'a str>) -> Self {
        let mut sorted: Vec<&str> = spellings.into_iter().filter(|spelling| spelling.starts_with(['<', '&'])).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut set = Self { spellings: Vec::with_capacity(sorted.len()) };
        // The spellings that the current one may begin with, each of which begins with the one before.
        let mut shorter: Vec<usize> = Vec::new();
        for spelling in sorted {
            while shorter.last().is_some_and(|number| !set.is_start(*number, spelling)) {
                shorter.pop();
            }
            let link = shorter.last().copied();
            shorter.push(set.spellings.len());
            set.spellings.push((spelling, link));
        }
        set
    }

    fn is_start(&self, number: usize, text: &str) -> bool {
        self.spellings.get(number).is_some_and(|(spelling, _)| text.starts_with(spelling))
    }

    /// Returns whether there are no spellings.
    pub fn is_empty(&self) -> bool {
        self.spellings.is_empty()
    }

    /// Returns the longest spelling that a text begins with.
    pub fn at_start(&self, text: &str) -> Option<&'a str> {
        let mut number = self.spellings.partition_point(|(spelling, _)| *spelling <= text).checked_sub(1)?;
        loop {
            let (spelling, shorter) = self.spellings.get(number)?;
            if text.starts_with(spelling) {
                return Some(spelling);
            }
            number = (*shorter)?;
        }
    }

    /// Returns the pieces of a text, in order.
    pub fn pieces<'t>(&self, text: &'t str) -> Vec<MarkupPiece<'t>> {
        let mut pieces = Vec::new();
        let mut done = 0;
        for at in memchr2_iter(b'<', b'&', text.as_bytes()) {
            let Some(rest) = text.get(at..).filter(|_| at >= done) else { continue };
            let Some(spelling) = self.at_start(rest) else { continue };
            let end = at + spelling.len();
            pieces.extend(text.get(done..at).filter(|run| !run.is_empty()).map(MarkupPiece::Text));
            pieces.extend(text.get(at..end).map(MarkupPiece::Markup));
            done = end;
        }
        pieces.extend(text.get(done..).filter(|run| !run.is_empty()).map(MarkupPiece::Text));
        pieces
    }
}

/// Returns whether markup stands for characters, so that blanks beside it are not at the end of the text: references, elements
/// with their content, and CDATA.
pub fn is_textual(markup: &str) -> bool {
    markup.starts_with('&')
        || markup.starts_with(CDATA_START)
        || (markup.starts_with('<') && !markup.starts_with("</") && markup.contains("</"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_spelling_counts() {
        let set = MarkupSet::new(["<g>", "<g>a</g>", "<g>a", "<h>", "x", "&lt;"]);
        let found = set.pieces("x<g>b<g>a</g><g>a</h><h&lt;<h>");
        let expected = [
            MarkupPiece::Text("x"),
            MarkupPiece::Markup("<g>"),
            MarkupPiece::Text("b"),
            MarkupPiece::Markup("<g>a</g>"),
            MarkupPiece::Markup("<g>a"),
            MarkupPiece::Text("</h><h"),
            MarkupPiece::Markup("&lt;"),
            MarkupPiece::Markup("<h>"),
        ];
        assert_eq!(found, expected);
        assert!(MarkupSet::new(["x"]).is_empty());
        assert!(MarkupSet::default().pieces("").is_empty());
    }

    #[test]
    fn elements_with_content_stand_for_characters() {
        assert!(is_textual("<g>%s</g>") && is_textual("&name;"));
        assert!(!is_textual("<b>") && !is_textual("</b>") && !is_textual("<br/>") && !is_textual("<!-- x -->"));
    }
}
