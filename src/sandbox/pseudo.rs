//! The engines: what stands in for a translation. Pure: a text and options in, a text out.
//!
//! `pseudo` puts accents on letters, other ones for each target language, so a result can be told from its source and
//! from another target; tags, entities, placeholders, spaces and line ends stay. Texts, documents and voice share it.

use super::languages;
use super::markup::{MarkupSyntax, OpenElements, entity_len, tag_len};
use super::options::Engine;
use super::placeholders::placeholder_len;
use super::terms::TermIndex;

/// How texts become translations.
pub struct Translator<'a> {
    engine: Engine,
    alphabet: Alphabet,
    tags: MarkupSyntax,
    ignore_tags: &'a [String],
    terms: Vec<&'a TermIndex>,
}

impl<'a> Translator<'a> {
    /// An engine for a target language, without tags and terms.
    pub fn new(engine: Engine, target: &str) -> Self {
        Self { engine, alphabet: Alphabet::of(target), tags: MarkupSyntax::Off, ignore_tags: &[], terms: Vec::new() }
    }

    /// Reads tags; the text of the elements named stays.
    #[must_use]
    pub fn tags(mut self, tags: MarkupSyntax, ignore: &'a [String]) -> Self {
        (self.tags, self.ignore_tags) = (tags, ignore);
        self
    }

    /// Puts in glossary terms, whole words only; where several fit, the first index decides.
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
        let mut open = OpenElements::new(self.tags, self.ignore_tags);
        let addresses = text.contains('@');
        let mut out = String::with_capacity(text.len() + text.len() / 2);
        let mut rest = text;
        let mut before = None;
        while let Some(first) = rest.chars().next() {
            let starts_word = !before.is_some_and(char::is_alphanumeric) || is_ideograph(first);
            let len = self.step(rest, first, starts_word, addresses, before, &mut open, &mut out);
            let (done, after) = rest.split_at(len);
            before = done.chars().next_back();
            rest = after;
        }
        out
    }

    /// Writes the result of the next stretch of `rest` and returns the stretch's length.
    #[expect(clippy::too_many_arguments, reason = "the state of one scan, which has no meaning outside it")]
    fn step(
        &self,
        rest: &str,
        first: char,
        starts_word: bool,
        addresses: bool,
        before: Option<char>,
        open: &mut OpenElements,
        out: &mut String,
    ) -> usize {
        let kept = |len: usize, out: &mut String| {
            out.push_str(rest.get(..len).unwrap_or_default());
            len
        };
        if self.tags != MarkupSyntax::Off && first == '<' {
            let len = tag_len(rest);
            if len > 0 {
                open.pass(rest.get(..len).unwrap_or_default());
                return kept(len, out);
            }
        }
        if open.keeps() {
            return kept(first.len_utf8(), out);
        }
        let entity = if first == '&' { entity_len(rest) } else { 0 };
        let len = if entity > 0 { entity } else { placeholder_len(rest, starts_word, addresses) };
        if len > 0 {
            return kept(len, out);
        }
        if starts_word && let Some((len, target)) = self.terms.iter().find_map(|terms| terms.find(rest)) {
            out.push_str(target);
            return len;
        }
        if !first.is_alphabetic() {
            return kept(first.len_utf8(), out);
        }
        let word = rest.get(..word_len(rest)).unwrap_or_default();
        match self.engine {
            Engine::Upper => out.extend(word.chars().flat_map(char::to_uppercase)),
            // Ideographs follow each other without spaces: one mark for each run is enough.
            _ if is_ideograph(first) && before.is_some_and(is_ideograph) => out.push_str(word),
            _ => self.alphabet.write(word, out),
        }
        word.len()
    }
}

/// Translates one text with an engine, for callers without tags and terms.
pub fn translate(text: &str, engine: Engine, target: &str) -> String {
    Translator::new(engine, target).translate(text)
}

/// The word a text begins with: letters with their marks, or one ideograph.
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

/// Scripts written without spaces between words.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{dff}')
}

const ACCENTS: &[(char, &str, &str)] = &[
    ('a', "áàâäãåāăą", "ÁÀÂÄÃÅĀĂĄ"),
    ('c', "çćĉċč", "ÇĆĈĊČ"),
    ('e', "éèêëēĕėęě", "ÉÈÊËĒĔĖĘĚ"),
    ('g', "ĝğġģ", "ĜĞĠĢ"),
    ('i', "íìîïĩīĭį", "ÍÌÎÏĨĪĬĮ"),
    ('n', "ñńņň", "ÑŃŅŇ"),
    ('o', "óòôöõøōŏő", "ÓÒÔÖÕØŌŎŐ"),
    ('s', "śŝşš", "ŚŜŞŠ"),
    ('u', "úùûüũūŭůűų", "ÚÙÛÜŨŪŬŮŰŲ"),
    ('y', "ýÿŷ", "ÝŸŶ"),
    ('z', "źżž", "ŹŻŽ"),
];

/// Marks for words without a letter of the table.
const MARKS: &[char] =
    &['\u{300}', '\u{301}', '\u{302}', '\u{303}', '\u{304}', '\u{306}', '\u{307}', '\u{308}', '\u{30a}'];

/// The letters of one target language.
struct Alphabet {
    /// For each letter of the table: small, capital.
    letters: Vec<(char, char)>,
    mark: char,
}

impl Alphabet {
    fn of(target: &str) -> Self {
        let code = target.to_ascii_lowercase();
        let letters = ACCENTS
            .iter()
            .map(|(plain, small, capital)| {
                let pick = pick(&code, *plain, small.chars().count());
                let at = |set: &str| set.chars().nth(pick).unwrap_or(*plain);
                (at(small), at(capital))
            })
            .collect();
        let mark = MARKS.get(pick(&code, '\u{300}', MARKS.len())).copied().unwrap_or('\u{301}');
        Self { letters, mark }
    }

    fn write(&self, word: &str, out: &mut String) {
        let start = out.len();
        let mut changed = false;
        for c in word.chars() {
            let found = ACCENTS.iter().zip(&self.letters).find(|((plain, ..), _)| c.eq_ignore_ascii_case(plain));
            changed |= found.is_some();
            out.push(match found {
                Some((_, (small, _))) if c.is_ascii_lowercase() => *small,
                Some((_, (_, capital))) => *capital,
                None => c,
            });
        }
        if !changed && let Some(first) = word.chars().next() {
            out.insert(start + first.len_utf8(), self.mark);
        }
    }
}

/// A number below `n` that depends on the language and the letter alone (FNV-1a, so that it never changes).
fn pick(code: &str, letter: char, n: usize) -> usize {
    let bytes = languages::base(code).bytes().chain(code.bytes()).chain(u32::from(letter).to_le_bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    usize::try_from((hash >> 32) % n.max(1) as u64).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pseudo(text: &str, target: &str) -> String {
        translate(text, Engine::Pseudo, target)
    }

    #[test]
    fn differs_from_the_source_and_between_targets() {
        let text = "The kettle is on.";
        let all: std::collections::BTreeSet<String> =
            ["de", "fr", "es", "ja", "en-GB", "en-US", "pt-BR", "zh-Hant"].map(|target| pseudo(text, target)).into();
        assert_eq!(all.len(), 8);
        assert!(!all.contains(text));
        assert_eq!(pseudo(text, "DE"), pseudo(text, "de"));
    }

    #[test]
    fn every_word_of_any_script_differs() {
        for word in ["mvp", "чай", "茶", "お湯", "ชา", "ü", "mm"] {
            assert_ne!(pseudo(word, "de"), word);
        }
        for kept in ["", "12 + 3 = 15", "…", "  \n\t"] {
            assert_eq!(pseudo(kept, "de"), kept);
        }
    }

    #[test]
    fn keeps_placeholders_entities_spaces_and_lines() {
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
    fn keeps_tags_only_when_told() {
        let xml = Translator::new(Engine::Upper, "de").tags(MarkupSyntax::Xml, &[]);
        assert_eq!(xml.translate("<b class=\"x\">tea &lt; cup</b><br/>"), "<b class=\"x\">TEA &lt; CUP</b><br/>");
        assert_eq!(translate("<b>tea</b>", Engine::Upper, "de"), "<B>TEA</B>");
    }

    #[test]
    fn leaves_ignored_elements_alone() {
        let ignore = ["x".to_owned()];
        let xml = Translator::new(Engine::Upper, "de").tags(MarkupSyntax::Xml, &ignore);
        assert_eq!(xml.translate("a <x>b <i>c</i> %s</x> d <X>e</X>"), "A <x>b <i>c</i> %s</x> D <X>E</X>");
        assert_eq!(xml.translate("<p translate=\"no\">a</p>"), "<p translate=\"no\">A</p>");
        let html = Translator::new(Engine::Upper, "de").tags(MarkupSyntax::Html, &ignore);
        assert_eq!(
            html.translate("a<br>b <p translate=no>c</p> <i class='k notranslate'>d</i> <script>e</script> f"),
            "A<br>B <p translate=no>c</p> <i class='k notranslate'>d</i> <script>e</script> F"
        );
        assert_eq!(html.translate("a <X>b</x> c"), "A <X>b</x> C");
    }

    #[test]
    fn puts_terms_in_as_they_are() {
        let terms = TermIndex::new([("kettle", "Wasserkocher"), ("tea cup", "Teetasse"), ("茶", "Tee")]);
        let upper = Translator::new(Engine::Upper, "de").terms([&terms]);
        assert_eq!(upper.translate("a kettle, kettles, tea cup. Kettle"), "A Wasserkocher, KETTLES, Teetasse. KETTLE");
        assert_eq!(upper.translate("日本茶店"), "日本Tee店");
    }

    #[test]
    fn echo_is_the_identity() {
        for text in ["", "a\u{feff}\r\n", "<b>&amp;", "%s ünï 茶"] {
            assert_eq!(translate(text, Engine::Echo, "de"), text);
        }
    }
}
