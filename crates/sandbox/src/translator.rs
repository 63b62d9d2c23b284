//! Translates texts with one of the engines: a pure function of a text and options, for texts, documents and voice.
//!
//! Tags, entities, placeholders, spaces and line breaks are kept, with or without tag handling. Only tag handling
//! recognises elements that must not be translated.

use super::glossaries::TermIndex;
use super::markup::{MarkupSyntax, OpenElements, TagMeter, entity_len};
use super::options::Engine;
use super::phrases::PhraseScope;
use super::placeholders::placeholder_len;
use super::pseudo::{InstructionMarks, PseudoAlphabet};

pub struct Translator<'a> {
    engine: Engine,
    /// The accented letters; `None` except for the engine `pseudo`.
    alphabet: Option<PseudoAlphabet>,
    marks: Option<InstructionMarks>,
    syntax: MarkupSyntax,
    ignore_tags: &'a [String],
    terms: Vec<&'a TermIndex>,
    phrases: Option<PhraseScope<'a>>,
}

impl<'a> Translator<'a> {
    /// Creates a translator without tag handling and without terms.
    pub fn new(engine: Engine, target: &str) -> Self {
        Self {
            engine,
            alphabet: (engine == Engine::Pseudo).then(|| PseudoAlphabet::new(target)),
            marks: None,
            syntax: MarkupSyntax::None,
            ignore_tags: &[],
            terms: Vec::new(),
            phrases: None,
        }
    }

    /// Handles tags. The text of elements in `ignore` is kept.
    #[must_use]
    pub fn markup(mut self, syntax: MarkupSyntax, ignore: &'a [String]) -> Self {
        (self.syntax, self.ignore_tags) = (syntax, ignore);
        self
    }

    /// Replaces glossary terms, matching complete words only. If several dictionaries contain a term, the first one
    /// wins.
    #[must_use]
    pub fn terms(mut self, terms: impl IntoIterator<Item = &'a TermIndex>) -> Self {
        self.terms.extend(terms);
        self
    }

    #[must_use]
    pub fn phrases(mut self, phrases: PhraseScope<'a>) -> Self {
        self.phrases = (!phrases.is_empty()).then_some(phrases);
        self
    }

    /// Adds the marks of instructions to each word that the engine `pseudo` changes.
    #[must_use]
    pub fn instructions(mut self, marks: Option<InstructionMarks>) -> Self {
        self.marks = marks;
        self
    }

    pub fn translate(&self, text: &str) -> String {
        if self.engine == Engine::Echo && self.phrases.is_none() {
            return text.to_owned();
        }
        let mut scan = TextScan {
            translator: self,
            rest: text,
            previous: None,
            at_edge: true,
            may_have_emails: text.contains('@'),
            tags: TagMeter::default(),
            open: OpenElements::new(self.syntax, self.ignore_tags),
            out: String::with_capacity(text.len() + text.len() / 2),
        };
        while let Some(first) = scan.rest.chars().next() {
            let len = scan.translate_next(first);
            let (done, rest) = scan.rest.split_at(len);
            scan.previous = done.chars().next_back();
            scan.rest = rest;
        }
        scan.out
    }
}

struct TextScan<'t, 'a> {
    translator: &'t Translator<'a>,
    rest: &'t str,
    previous: Option<char>,
    /// Whether only spaces separate this position from the last tag or line break, or from the start of the text.
    at_edge: bool,
    may_have_emails: bool,
    tags: TagMeter,
    open: OpenElements<'a>,
    out: String,
}

impl TextScan<'_, '_> {
    /// Translates the phrase, tag, placeholder, term, word or character at the start of `rest`. Returns its length in
    /// bytes.
    fn translate_next(&mut self, first: char) -> usize {
        let Translator { engine, alphabet, marks, syntax, terms, phrases, .. } = self.translator;
        let is_after_edge = self.at_edge && !first.is_whitespace();
        self.at_edge = first == '\n' || self.at_edge && first.is_whitespace();
        if let Some(phrases) = phrases
            && is_after_edge
            && !self.open.is_untranslated()
            && let Some((len, found)) = phrases.find_at_start(self.rest)
        {
            self.out.push_str(found.text);
            return len;
        }
        let tag = if first == '<' { self.tags.tag_len(self.rest) } else { 0 };
        if tag > 0 {
            self.at_edge = true;
            if *syntax != MarkupSyntax::None {
                self.open.push_tag(self.rest.get(..tag).unwrap_or_default());
            }
            return self.keep(tag);
        }
        if self.open.is_untranslated() || *engine == Engine::Echo {
            return self.keep(first.len_utf8());
        }
        let starts_word = !self.previous.is_some_and(char::is_alphanumeric) || is_ideograph(first);
        let entity = if first == '&' { entity_len(self.rest) } else { 0 };
        let len = if entity > 0 { entity } else { placeholder_len(self.rest, starts_word, self.may_have_emails) };
        if len > 0 {
            return self.keep(len);
        }
        if starts_word && let Some((len, target)) = terms.iter().find_map(|terms| terms.find(self.rest)) {
            self.out.push_str(target);
            return len;
        }
        if !first.is_alphabetic() {
            return self.keep(first.len_utf8());
        }
        let word = self.rest.get(..word_len(self.rest)).unwrap_or_default();
        match alphabet {
            None => self.out.extend(word.chars().flat_map(char::to_uppercase)),
            // Of several ideographs in a row, only the first is changed.
            Some(_) if is_ideograph(first) && self.previous.is_some_and(is_ideograph) => self.out.push_str(word),
            Some(alphabet) => {
                let start = self.out.len();
                alphabet.write(word, &mut self.out);
                if let Some(marks) = marks {
                    marks.add(start, &mut self.out);
                }
            }
        }
        word.len()
    }

    fn keep(&mut self, len: usize) -> usize {
        self.out.push_str(self.rest.get(..len).unwrap_or_default());
        len
    }
}

/// Returns the length of the word at the start of a text: letters with combining marks, or one ideograph.
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
    use crate::phrases::Phrases;

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
    fn keeps_tags_with_and_without_tag_handling() {
        let xml = Translator::new(Engine::Upper, "de").markup(MarkupSyntax::Xml, &[]);
        assert_eq!(xml.translate("<b class=\"x\">tea &lt; cup</b><br/>"), "<b class=\"x\">TEA &lt; CUP</b><br/>");
        assert_eq!(translate("<b>tea</b> a < b", Engine::Upper, "de"), "<b>TEA</b> A < B");
    }

    #[test]
    fn phrases_are_found_between_tags_and_line_breaks() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "en\tde\tTwo cups?\tZwei Tassen?\nen\tde\ttea\tTee\n").unwrap();
        let phrases = Phrases::open(file.path()).unwrap();
        let ignore = ["x".to_owned()];
        for (engine, rest) in [(Engine::Upper, "MORE TEA"), (Engine::Echo, "more tea")] {
            let translator =
                |syntax| Translator::new(engine, "de").markup(syntax, &ignore).phrases(phrases.scope(Some("EN"), "de"));
            assert_eq!(
                translator(MarkupSyntax::None).translate("<p> Two cups?</p>\r\n  tea\r\nmore tea"),
                format!("<p> Zwei Tassen?</p>\r\n  Tee\r\n{rest}")
            );
            assert_eq!(translator(MarkupSyntax::Xml).translate("<x>tea</x> tea"), "<x>tea</x> Tee");
        }
        let italian = Translator::new(Engine::Echo, "de").phrases(phrases.scope(Some("IT"), "de"));
        assert_eq!(italian.translate("tea"), "tea");
    }

    #[test]
    fn instructions_show_in_the_words_that_the_engine_changes() {
        let ignore = ["x".to_owned()];
        let terms = TermIndex::new([("kettle", "Wasserkocher")]);
        let marks = |text: &str| InstructionMarks::of(&[text]);
        let with = |engine, text: &str, marks| {
            let translator = Translator::new(engine, "de").markup(MarkupSyntax::Xml, &ignore).terms([&terms]);
            translator.instructions(marks).translate(text)
        };
        let text = "<b>Two</b> %s cups &amp; a kettle <x>tea</x>, 茶碗 12";
        let (plain, brief) = (with(Engine::Pseudo, text, None), with(Engine::Pseudo, text, marks("Be brief")));
        assert_ne!(plain, brief);
        assert_ne!(brief, with(Engine::Pseudo, text, marks("Be polite")));
        assert_eq!(brief, with(Engine::Pseudo, text, marks("Be brief")));
        let below = |c: char| ('\u{316}'..='\u{347}').contains(&c);
        assert_eq!(brief.chars().filter(|c| !below(*c)).collect::<String>(), plain);
        assert_eq!(brief.chars().filter(|c| below(*c)).count(), 8);
        assert!(brief.contains(" Wasserkocher <x>tea</x>, "), "{brief}");
        for engine in [Engine::Echo, Engine::Upper] {
            assert_eq!(with(engine, text, marks("Be brief")), with(engine, text, None));
        }
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
    fn replaces_complete_words_with_glossary_terms() {
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
