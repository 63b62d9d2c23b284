//! Recognises a list that never ends: a service that ignores the number of the page sends the same page for ever.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};

use tulk_base::error::{Failure, Kind};

/// The elements of the pages received so far, as hashes of their identities.
#[derive(Default)]
pub struct SeenElements {
    hasher: RandomState,
    all: HashSet<u64>,
    /// The page before; `None` before the first one.
    last: Option<Vec<u64>>,
}

impl SeenElements {
    /// Adds a page. `has_more` is whether another page would be requested after it.
    ///
    /// Fails if the page is equal to the one before, or if it has nothing new and is not the last one.
    pub fn add<'a>(&mut self, identities: impl IntoIterator<Item = &'a str>, has_more: bool) -> Result<(), Failure> {
        let page: Vec<u64> = identities.into_iter().map(|identity| self.hasher.hash_one(identity)).collect();
        let mut is_new = false;
        for hash in &page {
            is_new |= self.all.insert(*hash);
        }
        let last = self.last.replace(page);
        let is_repeated = last.as_ref().is_some_and(|last| !last.is_empty()) && last == self.last;
        if last.is_some() && (is_repeated || (has_more && !is_new)) {
            return Err(Failure::new(Kind::Network, "the service returned the same page twice")
                .hint("the server seems to ignore page numbers: check its address (--server, `tulk auth status`)"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(pages: &[(&[&str], bool)]) -> Vec<bool> {
        let mut seen = SeenElements::default();
        pages.iter().map(|(page, has_more)| seen.add(page.iter().copied(), *has_more).is_ok()).collect()
    }

    #[test]
    fn a_page_with_something_new_is_accepted() {
        assert_eq!(outcome(&[(&["a", "b"], true), (&["b", "c"], true), (&["d"], false)]), [true, true, true]);
        assert_eq!(outcome(&[(&[], false)]), [true]);
        assert_eq!(outcome(&[(&["a"], true), (&[], false)]), [true, true]);
    }

    #[test]
    fn a_page_with_nothing_new_is_refused() {
        assert_eq!(outcome(&[(&["a", "b"], true), (&["a", "b"], true)]), [true, false]);
        assert_eq!(outcome(&[(&["a", "b"], true), (&["a", "b"], false)]), [true, false]);
        assert_eq!(outcome(&[(&["a", "b"], true), (&["c"], true), (&["b", "a"], true)]), [true, true, false]);
        assert_eq!(outcome(&[(&["a"], true), (&[], true)]), [true, false]);
        assert_eq!(outcome(&[(&[], true), (&[], true), (&[], true)]), [true, false, false], "empty from the start");
        assert_eq!(outcome(&[(&[], true), (&["a"], true), (&[], false)]), [true, true, true]);
    }

    #[test]
    fn an_element_that_moved_to_the_last_page_is_no_error() {
        assert_eq!(outcome(&[(&["a", "b"], true), (&["b"], false)]), [true, true]);
    }
}
