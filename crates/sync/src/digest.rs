//! Short digests of texts: what the lock remembers of them.

use std::fmt;

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};
use tulk_catalogs::{PluralForm, PluralText, UnitText};

/// Bytes of a digest. Two texts have the same one by accident once in 10^12.
const BYTES: usize = 5;

/// Bytes of the digest of what is sent.
const SENT_BYTES: usize = 16;

/// The characters of a digest: base64 for URLs. The last one holds four bits.
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// The values of characters; [`NO_VALUE`] for others.
const VALUES: [u8; 256] = values();
const NO_VALUE: u8 = u8::MAX;

const fn values() -> [u8; 256] {
    let mut values = [NO_VALUE; 256];
    let mut value = 0;
    while value < 64 {
        values[ALPHABET[value as usize] as usize] = value;
        value += 1;
    }
    values
}

/// A 40-bit digest of a text. Line ends count as LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextDigest([u8; BYTES]);

impl TextDigest {
    /// Number of characters in which it is written.
    pub const CHARS: usize = 7;

    /// Returns the digest of a text.
    pub fn of_text(text: &str) -> Self {
        let mut context = Sha256::new();
        add(&mut context, text);
        Self::short(context)
    }

    /// Returns the digest of a unit: of its text, or of its plural forms. `is_unconfirmed` makes another digest.
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
        Self::short(context)
    }

    fn short(digest: Sha256) -> Self {
        let mut bytes = [0; BYTES];
        bytes.iter_mut().zip(digest.finalize()).for_each(|(to, from)| *to = from);
        Self(bytes)
    }

    /// Appends what [`fmt::Display`] writes.
    pub fn push_to(self, out: &mut String) {
        out.push_str(str::from_utf8(&self.ascii()).unwrap_or_default());
    }

    /// Returns the bytes of what [`fmt::Display`] writes.
    pub fn ascii(self) -> [u8; Self::CHARS] {
        let mut bits = self.0.iter().fold(0, |bits, byte| (bits << 8) | u64::from(*byte)) << 2;
        let mut ascii = [0; Self::CHARS];
        for place in ascii.iter_mut().rev() {
            *place = ALPHABET[(bits & 63) as usize];
            bits >>= 6;
        }
        ascii
    }

    /// Parses what [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        let chars: &[u8; Self::CHARS] = text.as_bytes().try_into().ok()?;
        let mut bits = 0;
        for c in chars {
            let value = VALUES[usize::from(*c)];
            if value == NO_VALUE {
                return None;
            }
            bits = (bits << 6) | u64::from(value);
        }
        let [_, _, _, bytes @ ..] = (bits >> 2).to_be_bytes();
        bits.is_multiple_of(4).then_some(Self(bytes))
    }
}

impl fmt::Display for TextDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(str::from_utf8(&self.ascii()).unwrap_or_default())
    }
}

/// A 128-bit digest of everything that an answer depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SentDigest([u8; SENT_BYTES]);

impl SentDigest {
    /// Returns the digest of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut own = [0; SENT_BYTES];
        own.iter_mut().zip(Sha256::digest(bytes)).for_each(|(to, from)| *to = from);
        Self(own)
    }

    /// Appends its hexadecimal digits.
    pub fn push_to(self, out: &mut Vec<u8>) {
        let mut digits = [0; 2 * SENT_BYTES];
        HEXLOWER.encode_mut(&self.0, &mut digits);
        out.extend_from_slice(&digits);
    }

    /// Parses hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok().map(Self)
    }
}

fn add(context: &mut Sha256, text: &str) {
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
        for number in 0..2000_u32 {
            let digest = TextDigest::of_text(&number.to_string());
            let text = data_encoding::BASE64URL_NOPAD.encode(&digest.0);
            assert_eq!((digest.to_string(), TextDigest::parse(&text)), (text, Some(digest)));
        }
        assert_eq!(TextDigest::of_unit(&UnitText::Single("Save".to_owned()), false), digest);
    }

    #[test]
    fn what_is_sent_has_a_digest_of_32_digits() {
        let (digest, mut digits) = (SentDigest::of(b"abc"), Vec::new());
        digest.push_to(&mut digits);
        assert_eq!(digits, b"ba7816bf8f01cfea414140de5dae2223");
        assert_eq!(SentDigest::parse("ba7816bf8f01cfea414140de5dae2223"), Some(digest));
        assert_eq!((SentDigest::parse("ba78"), SentDigest::parse("xx")), (None, None));
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
