//! Index types of a run, so that a target cannot be taken for a sink, or a row for either.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// Position of a target among the jobs of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TargetIndex(pub usize);

impl TargetIndex {
    /// Returns the indices of all targets of a run with `count` jobs.
    pub fn all(count: usize) -> Vec<Self> {
        (0..count).map(Self).collect()
    }
}

/// Position of a sink among the outputs of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinkIndex(pub usize);

/// Number of a record in the input, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowNumber(pub u64);

impl RowNumber {
    /// Returns the number of the following row.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// A slot of a row: where one result goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotPosition {
    /// The row.
    pub row: RowNumber,
    /// The slot in the row's record.
    pub slot: usize,
}

/// An index type of [`IndexedVec`].
pub trait Position: Copy {
    /// Makes an index from a position.
    fn new(position: usize) -> Self;
    /// Returns the position.
    fn position(self) -> usize;
}

impl Position for TargetIndex {
    fn new(position: usize) -> Self {
        Self(position)
    }

    fn position(self) -> usize {
        self.0
    }
}

impl Position for SinkIndex {
    fn new(position: usize) -> Self {
        Self(position)
    }

    fn position(self) -> usize {
        self.0
    }
}

/// A list with an index type of its own.
///
/// Indexing panics if the index is out of range, like a slice. The lists of a run are complete before it starts and never
/// change their length, so an index of the right type is always in range.
#[derive(Clone, Debug)]
pub struct IndexedVec<I, T> {
    items: Vec<T>,
    index: PhantomData<I>,
}

impl<I: Position, T> IndexedVec<I, T> {
    /// Returns an item, or `None` if the index is out of range.
    pub fn get(&self, index: I) -> Option<&T> {
        self.items.get(index.position())
    }

    /// Returns all indices.
    pub fn indices(&self) -> impl Iterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    /// Returns the items in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// Returns the items in order, to change them.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }
}

impl<I, T> FromIterator<T> for IndexedVec<I, T> {
    fn from_iter<A: IntoIterator<Item = T>>(items: A) -> Self {
        Self { items: items.into_iter().collect(), index: PhantomData }
    }
}

impl<I: Position, T> Index<I> for IndexedVec<I, T> {
    type Output = T;

    fn index(&self, index: I) -> &T {
        &self.items[index.position()]
    }
}

impl<I: Position, T> IndexMut<I> for IndexedVec<I, T> {
    fn index_mut(&mut self, index: I) -> &mut T {
        &mut self.items[index.position()]
    }
}
