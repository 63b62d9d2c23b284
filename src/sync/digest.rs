//! Short digests of texts: what the lock remembers of them.

use std::fmt;

use data_encoding::BASE64URL_NOPAD;
use ring::digest::{Context, SHA256};

use crate::catalogs::{PluralForm, PluralText, UnitText};

/// Bytes of a digest. Two texts have the same one by accident once in 10^12.
const BYTES: usize = 5;

/// A 40-bit digest of a text. Line ends count as LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextDigest([u8; BYTES]);

impl TextDigest {
    /// Number of characters in which it is written.
    pub const CHARS: usize = 7;

    /// Returns the digest of a text.
    pub fn of_text(text: &str) -> Self {
        let mut context = Context::new(&SHA256);
        add(&mut context, text);
        Self::finish(&context)
    }

    /// Returns the digest of a unit: of its text, or of its plural forms. `is_unconfirmed` makes another digest.
    pub fn of_unit(text: &UnitText, is_unconfirmed: bool) -> Self {
        let mut context = Context::new(&SHA256);
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
                    // No form may run into the next one.
                    let bytes = text.len() - text.matches("\r\n").count();
                    context.update(format!("\0{form}:{bytes}:").as_bytes());
                    add(&mut context, text);
                }
            }
        }
        if is_unconfirmed {
            context.update(b"\0?");
        }
        Self::finish(&context)
    }

    fn finish(context: &Context) -> Self {
        let digest = context.clone().finish();
        let mut bytes = [0; BYTES];
        for (to, from) in bytes.iter_mut().zip(digest.as_ref()) {
            *to = *from;
        }
        Self(bytes)
    }

    /// Appends what [`fmt::Display`] writes.
    pub fn push_to(self, out: &mut String) {
        BASE64URL_NOPAD.encode_append(&self.0, out);
    }

    /// Parses what [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != Self::CHARS {
            return None;
        }
        let mut bytes = [0; BYTES];
        BASE64URL_NOPAD.decode_mut(text.as_bytes(), &mut bytes).ok()?;
        Some(Self(bytes))
    }
}

impl fmt::Display for TextDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        BASE64URL_NOPAD.encode_display(&self.0).fmt(f)
    }
}

fn add(context: &mut Context, text: &str) {
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return context.update(text.as_bytes());
    }
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
    use super::*;
    use crate::catalogs::{PluralCategory, PluralKind};

    #[test]
    fn digests_are_the_same_on_every_machine() {
        let digest = TextDigest::of_text("Save");
        assert_eq!(digest.to_string(), "FQn1YfI");
        assert_eq!(TextDigest::parse("FQn1YfI"), Some(digest));
        assert_eq!(TextDigest::parse("FQn1Yf"), None);
        assert_eq!(TextDigest::of_unit(&UnitText::Single("Save".to_owned()), false), digest);
    }

    #[test]
    fn line_ends_do_not_count_and_everything_else_does() {
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
