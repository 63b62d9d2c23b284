//! How characters are spelled in a file: a translation has the references and escapes of its source.

use std::collections::{HashMap, VecDeque};

/// The spellings of the characters that have a reference or an escape in a text.
pub(super) struct Spellings<'a>(HashMap<char, VecDeque<&'a str>>);

impl<'a> Spellings<'a> {
    /// Collects the spellings of a text. `chars` are its characters with their spellings, in order.
    pub(super) fn new(chars: impl Iterator<Item = (char, &'a str)> + Clone) -> Self {
        let is_plain = |c: char, spelling: &str| spelling.chars().eq([c]);
        let special = chars.clone().filter(|(c, spelling)| !is_plain(*c, spelling));
        let mut spellings: HashMap<char, VecDeque<&str>> = special.map(|(c, _)| (c, VecDeque::new())).collect();
        for (c, spelling) in chars {
            if let Some(list) = spellings.get_mut(&c) {
                list.push_back(spelling);
            }
        }
        Self(spellings)
    }

    /// Returns how the next `c` of the translation is spelled; `None` if the source never spells it specially.
    ///
    /// Each occurrence has the spelling of the same occurrence in the source, and further ones the last spelling.
    pub(super) fn next(&mut self, c: char) -> Option<&'a str> {
        let list = self.0.get_mut(&c)?;
        if list.len() > 1 { list.pop_front() } else { list.front().copied() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurrences_keep_their_spellings() {
        let chars = [('>', ">"), ('>', "&gt;"), ('é', "é"), ('>', "&#62;")];
        let mut spellings = Spellings::new(chars.into_iter());
        let spelled = [(); 4].map(|()| spellings.next('>'));
        assert_eq!(spelled, [Some(">"), Some("&gt;"), Some("&#62;"), Some("&#62;")]);
        assert_eq!(spellings.next('é'), None);
    }
}
