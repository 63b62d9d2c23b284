//! Stops listings that would never end: a service may ignore page numbers and always send the same page, or always have another page.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};

use tulk_base::error::{Failure, Kind};
use tulk_base::limits::LISTING_PAGES;
use tulk_base::numbers::grouped;

use super::answer_size::AnswerSize;

/// The elements received so far, as hashes of their identities.
#[derive(Default)]
pub struct SeenElements {
    hasher: RandomState,
    all: HashSet<u64>,
    /// The previous page, as hashes. `None` before the first page.
    last: Option<Vec<u64>>,
}

impl SeenElements {
    /// Adds a page. `has_more` says whether another page would be requested after it. Any first page is accepted. Fails on a later page
    /// that equals the previous one and is not empty, or that contains nothing new and is not the last.
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

/// The cursors received so far, as hashes. A service that repeats a cursor would send the same pages forever.
#[derive(Default)]
pub struct SeenCursors {
    hasher: RandomState,
    all: HashSet<u64>,
}

impl SeenCursors {
    /// Adds the cursor of the next page. Fails if an earlier page had the same cursor.
    pub fn add(&mut self, cursor: &str) -> Result<(), Failure> {
        if self.all.insert(self.hasher.hash_one(cursor)) {
            return Ok(());
        }
        Err(Failure::new(Kind::Network, "the service returned the same page cursor twice; the list would never end")
            .hint("try again later; the server may also be wrong (--server, `tulk auth status`)"))
    }
}

/// Limits the number of pages of a listing, and their total size.
pub struct ListingBounds {
    size: AnswerSize,
    pages: usize,
    most_pages: usize,
}

impl ListingBounds {
    /// Creates the usual limits, raised if `wanted` elements need more.
    pub fn new(wanted: Option<usize>) -> Self {
        let wanted = wanted.unwrap_or_default();
        Self { size: AnswerSize::of_listing(wanted), pages: 1, most_pages: LISTING_PAGES.max(wanted) }
    }

    /// Adds a page. Fails if all pages together are too large.
    pub fn add(&mut self, page: &[u8]) -> Result<(), Failure> {
        self.size.add_page(page).map_err(|excess| listing_too_long(&format!("the list {excess}")))
    }

    /// Counts the page that is requested next. Fails if there are too many pages.
    pub fn next_page(&mut self) -> Result<(), Failure> {
        if self.pages >= self.most_pages {
            return Err(listing_too_long(&format!("the list has more than {} pages", grouped(self.most_pages))));
        }
        self.pages += 1;
        Ok(())
    }
}

fn listing_too_long(what: &str) -> Failure {
    Failure::new(Kind::Network, what)
        .hint("use an ID instead of a name, --limit N in a listing, or fewer days in a report; the server may also be wrong (--server, `tulk auth status`)")
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
    fn a_cursor_is_accepted_once() {
        let mut seen = SeenCursors::default();
        assert_eq!(["a", "b", "c", "b"].map(|cursor| seen.add(cursor).is_ok()), [true, true, true, false]);
    }

    #[test]
    fn more_wanted_elements_raise_the_limit_of_1000_pages() {
        let pages = |wanted| {
            let mut bounds = ListingBounds::new(wanted);
            (1..9999).find(|_| bounds.next_page().is_err()).unwrap()
        };
        assert_eq!((pages(None), pages(Some(3)), pages(Some(5000))), (1000, 1000, 5000));
        let mut bounds = ListingBounds::new(None);
        let failure = (0..9999).find_map(|_| bounds.next_page().err()).unwrap();
        assert_eq!((failure.kind, failure.what.as_str()), (Kind::Network, "the list has more than 1,000 pages"));
        let failure = bounds.add("[".repeat(100_001).as_bytes()).unwrap_err();
        assert_eq!(failure.what, "the list has more than 50,000 objects and lists");
    }

    #[test]
    fn accepts_an_element_that_moved_to_the_last_page() {
        assert_eq!(outcome(&[(&["a", "b"], true), (&["b"], false)]), [true, true]);
    }
}
