//! Finds the markup of a unit in its text.

use super::super::placeholders::MarkupIndex;
use super::decode::CDATA_START;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkupPiece<'a> {
    Text(&'a str),
    Markup(&'a str),
}

/// Collects the strings that start like markup.
pub fn index<'a>(strings: impl IntoIterator<Item = &'a str>) -> MarkupIndex<'a> {
    MarkupIndex::new(strings.into_iter().filter(|string| string.starts_with(['<', '&'])))
}

pub fn pieces<'t>(index: &MarkupIndex<'_>, text: &'t str) -> Vec<MarkupPiece<'t>> {
    let mut pieces = Vec::new();
    let mut done = 0;
    while let Some(found) = index.next_in(text, done) {
        pieces.extend(text.get(done..found.start).filter(|run| !run.is_empty()).map(MarkupPiece::Text));
        pieces.extend(text.get(found.clone()).map(MarkupPiece::Markup));
        done = found.end;
    }
    pieces.extend(text.get(done..).filter(|run| !run.is_empty()).map(MarkupPiece::Text));
    pieces
}

/// Returns whether markup represents visible characters, next to which a space does not collapse: a reference, an element
/// with content, or CDATA.
pub fn is_textual(markup: &str) -> bool {
    markup.starts_with('&')
        || markup.starts_with(CDATA_START)
        || (markup.starts_with('<') && !markup.starts_with("</") && markup.contains("</"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_match_wins() {
        let index = index(["<g>", "<g>a</g>", "<g>a", "<h>", "x", "&lt;"]);
        let found = pieces(&index, "x<g>b<g>a</g><g>a</h><h&lt;<h>");
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
        assert!(super::index(["x"]).is_empty());
        assert!(pieces(&index, "").is_empty());
    }

    #[test]
    fn references_and_elements_with_content_are_textual() {
        assert!(is_textual("<g>%s</g>") && is_textual("&name;"));
        assert!(!is_textual("<b>") && !is_textual("</b>") && !is_textual("<br/>") && !is_textual("<!-- x -->"));
    }
}
