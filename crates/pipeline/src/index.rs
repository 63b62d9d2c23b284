//! Index types of a run, so the compiler tells targets, sinks and rows apart.

/// Index of a target among the jobs of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TargetIndex(pub usize);

impl TargetIndex {
    /// Returns the indices of all targets of a run with `count` jobs.
    pub fn all(count: usize) -> Vec<Self> {
        (0..count).map(Self).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinkIndex(pub usize);

/// Number of a record in the input, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowNumber(pub u64);

impl RowNumber {
    /// Returns the number of the next row.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// A slot of a row, which receives one result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotPosition {
    /// The row.
    pub row: RowNumber,
    /// Index of the slot in the row's record.
    pub slot: usize,
}
