//! Short digests of texts, for the lock and the journal.

use std::fmt;

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use sha2::{Digest as _, Sha256};
use tulk_catalogs::{PluralForm, PluralText, UnitText};

/// Length of a digest. Two different texts have the same digest with a probability of about 1 in 10^12.
const BYTES: usize = 5;

const SENT_BYTES: usize = 16;

/// A 40-bit digest of a text. CRLF counts as LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextDigest([u8; BYTES]);

impl TextDigest {
    /// Length of the text form.
    pub const CHARS: usize = 7;

    /// Digests a text.
    pub fn of_text(text: &str) -> Self {
        let mut context = Sha256::new();
        add(&mut context, text);
        Self::short(context)
    }

    /// Digests the text or the plural forms of a unit. An unconfirmed text has a different digest than a confirmed one.
    pub fn of_unit(text: &UnitText, is_unconfirmed: bool) -> Self {
        if let (UnitText::Single(text), false) = (text, is_unconfirmed) {
            return Self::of_text(text);
        }
        let mut context = Sha256::new();
        match text {
            UnitText::Single(text) => add(&mut context, text),
            UnitText::Plural(kind, forms) => {
                context.update(format!("\0{kind:?}").as_bytes());
                for PluralText { form, text } in forms {
                    let form = match form {
                        PluralForm::Exact(number) => format!("={number}"),
                        PluralForm::Category(category) => category.name().to_owned(),
                        PluralForm::Index(index) => index.to_string(),
                    };
                    // The length marks the end of the text. Without it, `one=a, other=b` and a single form that contains both could have
                    // the same digest.
                    let bytes = text.len() - text.matches("\r\n").count();
                    context.update(format!("\0{form}:{bytes}:").as_bytes());
                    add(&mut context, text);
                }
            }
        }
        if is_unconfirmed {
            context.update(b"\0?");
        }
        Self::short(context)
    }

    fn short(digest: Sha256) -> Self {
        let mut bytes = [0; BYTES];
        bytes.iter_mut().zip(digest.finalize()).for_each(|(to, from)| *to = from);
        Self(bytes)
    }

    /// Parses the text form that [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; BYTES];
        let is_complete = text.len() == Self::CHARS;
        is_complete.then(|| BASE64URL_NOPAD.decode_mut(text.as_bytes(), &mut bytes).ok())??;
        Some(Self(bytes))
    }
}

impl fmt::Display for TextDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64URL_NOPAD.encode(&self.0))
    }
}

/// A 128-bit digest of everything that an answer depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SentDigest([u8; SENT_BYTES]);

impl SentDigest {
    /// Digests the serialized request.
    pub fn of(bytes: &[u8]) -> Self {
        let mut own = [0; SENT_BYTES];
        own.iter_mut().zip(Sha256::digest(bytes)).for_each(|(to, from)| *to = from);
        Self(own)
    }

    /// Parses 32 lowercase hexadecimal digits, as [`fmt::Display`] writes them.
    pub fn parse(text: &str) -> Option<Self> {
        HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok().map(Self)
    }
}

impl fmt::Display for SentDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

fn add(context: &mut Sha256, text: &str) {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\r\n") {
        context.update(before.as_bytes());
        context.update(b"\n");
        rest = after;
    }
    context.update(rest.as_bytes());
}

#[cfg(test)]
mod tests {
    use tulk_catalogs::{PluralCategory, PluralKind};

    use super::*;

    #[test]
    fn digests_are_the_same_on_every_machine() {
        let digest = TextDigest::of_text("Save");
        assert_eq!(digest.to_string(), "FQn1YfI");
        assert_eq!(TextDigest::parse("FQn1YfI"), Some(digest));
        for wrong in ["FQn1Yf", "FQn1YfII", "FQn1YfJ", "FQn1Yf+", "FQn1Y\u{e9}", ""] {
            assert_eq!(TextDigest::parse(wrong), None, "{wrong}");
        }
        assert_eq!(TextDigest::of_unit(&UnitText::Single("Save".to_owned()), false), digest);
    }

    #[test]
    fn a_sent_digest_has_32_hex_digits() {
        let digest = SentDigest::of(b"abc");
        assert_eq!(digest.to_string(), "ba7816bf8f01cfea414140de5dae2223");
        assert_eq!(SentDigest::parse("ba7816bf8f01cfea414140de5dae2223"), Some(digest));
        assert_eq!((SentDigest::parse("ba78"), SentDigest::parse("xx")), (None, None));
    }

    #[test]
    fn digests_ignore_only_line_endings() {
        let digest = TextDigest::of_text;
        assert_eq!(digest("a\r\nb"), digest("a\nb"));
        assert_ne!(digest("a\rb"), digest("a\nb"));
        let form = |category, text: &str| PluralText { form: PluralForm::Category(category), text: text.to_owned() };
        let plural = |forms| TextDigest::of_unit(&UnitText::Plural(PluralKind::Cardinal, forms), false);
        let one = plural(vec![form(PluralCategory::One, "a"), form(PluralCategory::Other, "b")]);
        assert_ne!(one, plural(vec![form(PluralCategory::Two, "a"), form(PluralCategory::Other, "b")]));
        assert_ne!(one, plural(vec![form(PluralCategory::One, "a\0other:1:b")]));
        let text = UnitText::Single("a".to_owned());
        assert_ne!(TextDigest::of_unit(&text, true), TextDigest::of_unit(&text, false));
    }
}
