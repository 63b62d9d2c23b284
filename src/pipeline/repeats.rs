//! Equal entries with equal context are sent once, within a bounded window: one map from hash to who waits or what came.

use std::cell::RefCell;
use std::collections::hash_map::RandomState;
use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasher;
use std::rc::Rc;
use std::sync::Arc;

use crate::error::Failure;
use crate::formats::{Record, Translated};

/// Where a result goes: a slot of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the row.
    pub row: u64,
    /// Slot in the row's record.
    pub slot: u32,
}

/// An entry that was sent, or is about to be.
pub struct Known {
    record: Arc<Record>,
    /// The place it was sent for.
    pub place: Place,
    state: RefCell<State>,
}

enum State {
    Waiting(Vec<Place>),
    Done(Arc<Translated>),
    Refused(Failure),
}

/// What an equal entry came to.
pub enum Joined {
    /// It is under way: the place waits with it.
    Waits,
    /// Its result.
    Result(Arc<Translated>),
    /// It was refused by itself.
    Refused(Failure),
}

impl Known {
    /// An entry whose result is awaited.
    pub fn new(record: Arc<Record>, place: Place) -> Rc<Self> {
        Rc::new(Self { record, place, state: RefCell::new(State::Waiting(Vec::new())) })
    }

    /// The text that is sent.
    pub fn text(&self) -> &str {
        self.record.sent(self.place.slot as usize).unwrap_or_default()
    }

    /// Code points of the text.
    pub fn chars(&self) -> u64 {
        self.text().chars().count() as u64
    }

    /// The record it was sent for.
    pub fn record(&self) -> &Arc<Record> {
        &self.record
    }

    /// Gives an equal entry what this one came to, or lets its place wait too.
    pub fn join(&self, place: Place) -> Joined {
        match &mut *self.state.borrow_mut() {
            State::Done(result) => Joined::Result(result.clone()),
            State::Refused(failure) => Joined::Refused(failure.clone()),
            State::Waiting(places) => {
                places.push(place);
                Joined::Waits
            }
        }
    }

    /// Notes the result and gives the places that waited besides its own.
    pub fn done(&self, result: &Arc<Translated>) -> Vec<Place> {
        self.settle(State::Done(result.clone()))
    }

    /// Notes that the service refused it and gives the places that waited besides its own.
    pub fn refused(&self, failure: &Failure) -> Vec<Place> {
        self.settle(State::Refused(failure.clone()))
    }

    fn settle(&self, state: State) -> Vec<Place> {
        match self.state.replace(state) {
            State::Waiting(places) => places,
            State::Done(_) | State::Refused(_) => Vec::new(),
        }
    }

    #[cfg(test)]
    pub(super) fn alone(text: &str) -> Rc<Self> {
        let slot = crate::formats::Slot::new(text.as_bytes(), 0..text.len()).into_iter().collect();
        let record = Record { bytes: text.as_bytes().to_vec(), slots: slot, ..Record::default() };
        Self::new(Arc::new(record), Place { row: 0, slot: 0 })
    }
}

/// The window of what was sent lately.
pub struct Repeats {
    hasher: RandomState,
    known: HashMap<u64, Rc<Known>>,
    order: VecDeque<(u64, usize)>,
    bytes: usize,
    bound: usize,
}

impl Repeats {
    /// An empty window of `bound` bytes of text.
    pub fn new(bound: usize) -> Self {
        Self { hasher: RandomState::new(), known: HashMap::new(), order: VecDeque::new(), bytes: 0, bound }
    }

    /// The hash of a text under a context.
    pub fn hash(&self, context: &str, text: &str) -> u64 {
        if context.is_empty() { self.hasher.hash_one(text) } else { self.hasher.hash_one((context, text)) }
    }

    /// An entry with this text, if the window has one.
    pub fn find(&self, hash: u64, text: &str) -> Option<&Rc<Known>> {
        self.known.get(&hash).filter(|known| known.text() == text)
    }

    /// Takes an entry in; the oldest make room for it.
    pub fn insert(&mut self, hash: u64, known: &Rc<Known>) {
        let bytes = known.text().len() + 32;
        // A text that would push out most of the window is left out.
        if bytes > self.bound / 4 {
            return;
        }
        self.known.insert(hash, known.clone());
        self.order.push_back((hash, bytes));
        self.bytes += bytes;
        while self.bytes > self.bound {
            let Some((hash, bytes)) = self.order.pop_front() else { break };
            self.bytes -= bytes;
            self.known.remove(&hash);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_for_what_is_under_way_and_takes_what_is_there() {
        let mut repeats = Repeats::new(1000);
        let hash = repeats.hash("", "a");
        assert!(repeats.find(hash, "a").is_none());
        repeats.insert(hash, &Known::alone("a"));
        let place = Place { row: 7, slot: 0 };
        assert!(matches!(repeats.find(hash, "a").unwrap().join(place), Joined::Waits));
        let result = Arc::new(Translated { text: Some("A".into()), ..Translated::default() });
        assert_eq!(repeats.find(hash, "a").unwrap().done(&result), [place]);
        let Joined::Result(found) = repeats.find(hash, "a").unwrap().join(place) else { panic!("no result") };
        assert_eq!(found.text.as_deref(), Some("A"));
    }

    #[test]
    fn another_context_is_another_entry_and_a_collision_is_seen() {
        let mut repeats = Repeats::new(1000);
        assert_ne!(repeats.hash("", "a"), repeats.hash("x", "a"));
        repeats.insert(5, &Known::alone("a"));
        assert!(repeats.find(5, "b").is_none());
    }

    #[test]
    fn the_window_is_bounded() {
        let mut repeats = Repeats::new(1000);
        for n in 0..10_000 {
            let text = n.to_string();
            repeats.insert(repeats.hash("", &text), &Known::alone(&text));
        }
        assert!(repeats.known.len() <= 1000 / 33, "{}", repeats.known.len());
        assert!(repeats.order.len() <= 1000 / 33);
    }
}
