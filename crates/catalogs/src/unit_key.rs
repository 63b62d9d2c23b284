//! The key of a unit: a path in a tree of keys.

use std::fmt;

/// The key of a unit, from the root of the file to its text. Files without levels have keys of one part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitKey(pub Vec<UnitKeyPart>);

/// A part of a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnitKeyPart {
    /// A name.
    Name(String),
    /// The position of an item in a list, from 0.
    Item(usize),
}

impl UnitKey {
    /// A key of one name.
    pub fn name(name: impl Into<String>) -> Self {
        Self(vec![UnitKeyPart::Name(name.into())])
    }

    /// A key of several names.
    pub fn names<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Self(names.into_iter().map(|name| UnitKeyPart::Name(name.into())).collect())
    }

    /// Returns the key of what contains this one.
    pub fn parent(&self) -> &[UnitKeyPart] {
        self.0.split_last().map_or(&[], |(_, parent)| parent)
    }

    /// Returns this key with another part.
    #[must_use]
    pub fn with(&self, part: UnitKeyPart) -> Self {
        let mut parts = self.0.clone();
        parts.push(part);
        Self(parts)
    }
}

impl fmt::Display for UnitKey {
    /// Writes the path with dots. A dot within a name is `\.`, a backslash `\\`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, part) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(".")?;
            }
            match part {
                UnitKeyPart::Name(name) => f.write_str(&name.replace('\\', r"\\").replace('.', r"\."))?,
                UnitKeyPart::Item(number) => write!(f, "{number}")?,
            }
        }
        Ok(())
    }
}
