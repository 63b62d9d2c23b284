//! Translates texts with one of the engines: a pure function of a text and options.
//!
//! Tags, entities, placeholders, spaces and line breaks stay as they are. Texts, documents and voice share it.

use super::engine::Engine;
use super::markup::{MarkupSyntax, OpenElements, entity_len, tag_len};
use super::placeholders::placeholder_len;
use super::pseudo::PseudoAlphabet;
use super::term_index::TermIndex;

/// Translates texts into one target language.
pub struct Translator<'a> {
    engine: Engine,
    alphabet: PseudoAlphabet,
    syntax: MarkupSyntax,
    ignore_tags: &'a [String],
    terms: Vec<&'a TermIndex>,
}

impl<'a> Translator<'a> {
    /// Creates a translator that knows no tags and no terms.
    pub fn new(engine: Engine, target: &str) -> Self {
        Self {
            engine,
            alphabet: PseudoAlphabet::new(target),
            syntax: MarkupSyntax::None,
            ignore_tags: &[],
            terms: Vec::new(),
        }
    }

    /// Recognises tags. The text of elements in `ignore` stays as it is.
    #[must_use]
    pub fn markup(mut self, syntax: MarkupSyntax, ignore: &'a [String]) -> Self {
        (self.syntax, self.ignore_tags) = (syntax, ignore);
        self
    }

    /// Replaces glossary terms, as whole words. If several dictionaries have a term, the first one wins.
    #[must_use]
    pub fn terms(mut self, terms: impl IntoIterator<Item = &'a TermIndex>) -> Self {
        self.terms.extend(terms);
        self
    }

    /// Translates one text.
    pub fn translate(&self, text: &str) -> String {
        if self.engine == Engine::Echo {
            return text.to_owned();
        }
        let mut open = OpenElements::new(self.syntax, self.ignore_tags);
        let may_have_emails = text.contains('@');
        let mut out = String::with_capacity(text.len() + text.len() / 2);
        let mut rest = text;
        let mut before = None;
        while let Some(first) = rest.chars().next() {
            let starts_word = !before.is_some_and(char::is_alphanumeric) || is_ideograph(first);
            let len = self.step(rest, first, starts_word, may_have_emails, before, &mut open, &mut out);
            let (done, after) = rest.split_at(len);
            before = done.chars().next_back();
            rest = after;
        }
        out
    }

    /// Translates the start of `rest` (a tag, placeholder, term, word or character) and returns its length in bytes.
    #[expect(clippy::too_many_arguments, reason = "the state of one loop, which has no meaning outside it")]
    fn step(
        &self,
        rest: &str,
        first: char,
        starts_word: bool,
        may_have_emails: bool,
        before: Option<char>,
        open: &mut OpenElements,
        out: &mut String,
    ) -> usize {
        let keep = |len: usize, out: &mut String| {
            out.push_str(rest.get(..len).unwrap_or_default());
            len
        };
        if self.syntax != MarkupSyntax::None && first == '<' {
            let len = tag_len(rest);
            if len > 0 {
                open.push_tag(rest.get(..len).unwrap_or_default());
                return keep(len, out);
            }
        }
        if open.is_untranslated() {
            return keep(first.len_utf8(), out);
        }
        let entity = if first == '&' { entity_len(rest) } else { 0 };
        let len = if entity > 0 { entity } else { placeholder_len(rest, starts_word, may_have_emails) };
        if len > 0 {
            return keep(len, out);
        }
        if starts_word && let Some((len, target)) = self.terms.iter().find_map(|terms| terms.find(rest)) {
            out.push_str(target);
            return len;
        }
        if !first.is_alphabetic() {
            return keep(first.len_utf8(), out);
        }
        let word = rest.get(..word_len(rest)).unwrap_or_default();
        match self.engine {
            Engine::Upper => out.extend(word.chars().flat_map(char::to_uppercase)),
            // There are no spaces between ideographs: one mark per run is enough.
            _ if is_ideograph(first) && before.is_some_and(is_ideograph) => out.push_str(word),
            _ => self.alphabet.write(word, out),
        }
        word.len()
    }
}

/// Returns the length of the word that a text starts with: letters with their marks, or one ideograph.
fn word_len(text: &str) -> usize {
    let mut end = 0;
    for (at, c) in text.char_indices() {
        if at > 0 && (!(c.is_alphabetic() || is_mark(c)) || is_ideograph(c)) {
            break;
        }
        end = at + c.len_utf8();
        if at == 0 && is_ideograph(c) {
            break;
        }
    }
    end
}

/// Returns whether a character belongs to a script without spaces between words.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{dff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translate(text: &str, engine: Engine, target: &str) -> String {
        Translator::new(engine, target).translate(text)
    }

    fn pseudo(text: &str, target: &str) -> String {
        translate(text, Engine::Pseudo, target)
    }

    #[test]
    fn results_differ_from_the_source_and_between_targets() {
        let text = "The kettle is on.";
        let all: std::collections::BTreeSet<String> =
            ["de", "fr", "es", "ja", "en-GB", "en-US", "pt-BR", "zh-Hant"].map(|target| pseudo(text, target)).into();
        assert_eq!(all.len(), 8);
        assert!(!all.contains(text));
        assert_eq!(pseudo(text, "DE"), pseudo(text, "de"));
    }

    #[test]
    fn changes_every_word_in_any_script() {
        for word in ["mvp", "чай", "茶", "お湯", "ชา", "ü", "mm"] {
            assert_ne!(pseudo(word, "de"), word);
        }
        for kept in ["", "12 + 3 = 15", "…", "  \n\t"] {
            assert_eq!(pseudo(kept, "de"), kept);
        }
    }

    #[test]
    fn keeps_placeholders_entities_spaces_and_line_breaks() {
        let text = "  %s of {n} &amp; %1$d\r\n\t${HOME} https://example.org/tea {{ a.b }} tea@example.org\n";
        let out = pseudo(text, "de");
        for kept in ["%s", "{n}", "&amp;", "%1$d", "${HOME}", "https://example.org/tea", "{{ a.b }}", "tea@example.org"]
        {
            assert!(out.contains(kept), "{kept} in {out}");
        }
        let frame = |text: &str| text.chars().filter(|c| c.is_whitespace()).collect::<String>();
        assert_eq!(frame(&out), frame(text));
        assert_ne!(out, text);
    }

    #[test]
    fn keeps_tags_only_if_markup_is_on() {
        let xml = Translator::new(Engine::Upper, "de").markup(MarkupSyntax::Xml, &[]);
        assert_eq!(xml.translate("<b class=\"x\">tea &lt; cup</b><br/>"), "<b class=\"x\">TEA &lt; CUP</b><br/>");
        assert_eq!(translate("<b>tea</b>", Engine::Upper, "de"), "<B>TEA</B>");
    }

    #[test]
    fn does_not_translate_ignored_elements() {
        let ignore = ["x".to_owned()];
        let xml = Translator::new(Engine::Upper, "de").markup(MarkupSyntax::Xml, &ignore);
        assert_eq!(xml.translate("a <x>b <i>c</i> %s</x> d <X>e</X>"), "A <x>b <i>c</i> %s</x> D <X>E</X>");
        assert_eq!(xml.translate("<p translate=\"no\">a</p>"), "<p translate=\"no\">A</p>");
        let html = Translator::new(Engine::Upper, "de").markup(MarkupSyntax::Html, &ignore);
        assert_eq!(
            html.translate("a<br>b <p translate=no>c</p> <i class='k notranslate'>d</i> <script>e</script> f"),
            "A<br>B <p translate=no>c</p> <i class='k notranslate'>d</i> <script>e</script> F"
        );
        assert_eq!(html.translate("a <X>b</x> c"), "A <X>b</x> C");
    }

    #[test]
    fn replaces_whole_words_by_glossary_terms() {
        let terms = TermIndex::new([("kettle", "Wasserkocher"), ("tea cup", "Teetasse"), ("茶", "Tee")]);
        let upper = Translator::new(Engine::Upper, "de").terms([&terms]);
        assert_eq!(upper.translate("a kettle, kettles, tea cup. Kettle"), "A Wasserkocher, KETTLES, Teetasse. KETTLE");
        assert_eq!(upper.translate("日本茶店"), "日本Tee店");
    }

    #[test]
    fn echo_returns_the_text_unchanged() {
        for text in ["", "a\u{feff}\r\n", "<b>&amp;", "%s ünï 茶"] {
            assert_eq!(translate(text, Engine::Echo, "de"), text);
        }
    }
}
