//! Decides which columns of a table fit into a width, and how wide each becomes.
//!
//! It knows only numbers. In this order: all columns; without the empty ones; with texts cut; without the columns of the
//! highest ranks; no table at all.

/// Blanks between two columns.
pub const GAP: usize = 2;

/// How much room a column takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ColumnRoom {
    /// Width of its widest value or header.
    pub natural: usize,
    /// Width that it can be cut to.
    pub minimum: usize,
    /// Width that it can be cut to if there is no other way.
    pub least: usize,
    /// 0 is never left out; the highest is left out first.
    pub rank: u8,
    /// Whether it has no value.
    pub is_empty: bool,
}

/// How a table fits.
#[derive(Debug, PartialEq, Eq)]
pub enum TableFit {
    /// As columns.
    Columns {
        /// Index and width of each column that is shown.
        shown: Vec<(usize, usize)>,
        /// Indices of columns that have values but no room.
        left_out: Vec<usize>,
    },
    /// Only as lines below each other.
    Blocks,
}

/// Fits columns into `width`. `keep_all`: whether every column must be shown.
pub fn fit(columns: &[ColumnRoom], width: usize, keep_all: bool) -> TableFit {
    let natural = |index: usize| columns.get(index).map_or(0, |column| column.natural);
    let all: Vec<usize> = (0..columns.len()).collect();
    if total(&all, natural) <= width {
        return TableFit::Columns { shown: all.iter().map(|&i| (i, natural(i))).collect(), left_out: Vec::new() };
    }
    let with_values = all.into_iter().filter(|&i| keep_all || columns.get(i).is_some_and(|column| !column.is_empty));
    let with_values: Vec<usize> = with_values.collect();
    let minima: [fn(&ColumnRoom) -> usize; 2] = [|column| column.minimum, |column| column.least];
    for minimum in minima {
        let minimum = |index: usize| columns.get(index).map_or(0, minimum);
        let (mut shown, mut left_out) = (with_values.clone(), Vec::new());
        while total(&shown, minimum) > width {
            let Some(at) = (if keep_all { None } else { last_ranked(&shown, columns) }) else { break };
            left_out.push(shown.remove(at));
        }
        if total(&shown, minimum) <= width {
            left_out.sort_unstable();
            return TableFit::Columns { shown: share(&shown, width, natural, minimum), left_out };
        }
    }
    TableFit::Blocks
}

/// Returns the width of a table with these columns.
fn total(shown: &[usize], width_of: impl Fn(usize) -> usize) -> usize {
    shown.iter().map(|&index| width_of(index)).sum::<usize>() + GAP * shown.len().saturating_sub(1)
}

/// Returns the position of the column that is left out next: the highest rank, of several the last.
fn last_ranked(shown: &[usize], columns: &[ColumnRoom]) -> Option<usize> {
    let rank = |index: usize| columns.get(index).map_or(0, |column| column.rank);
    let ranked = shown.iter().enumerate().filter(|&(_, &index)| rank(index) > 0 && shown.len() > 1);
    ranked.max_by_key(|&(at, &index)| (rank(index), at)).map(|(at, _)| at)
}

/// Shares out the width: the widest column is cut first, down to its minimum.
fn share(
    shown: &[usize],
    width: usize,
    natural: impl Fn(usize) -> usize,
    minimum: impl Fn(usize) -> usize,
) -> Vec<(usize, usize)> {
    // No column can have more than the whole width; the rest is cut one by one.
    let start = |index: usize| natural(index).min(width).max(minimum(index));
    let mut widths: Vec<(usize, usize)> = shown.iter().map(|&index| (index, start(index))).collect();
    let mut excess = total(shown, start).saturating_sub(width);
    while excess > 0 {
        let can_shrink = widths.iter_mut().filter(|(index, width)| *width > minimum(*index));
        let Some((_, widest)) = can_shrink.max_by_key(|(_, width)| *width) else { break };
        *widest -= 1;
        excess -= 1;
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(natural: usize, rank: u8) -> ColumnRoom {
        ColumnRoom { natural, minimum: natural, least: natural, rank, is_empty: false }
    }

    fn text(natural: usize, rank: u8) -> ColumnRoom {
        ColumnRoom { minimum: natural.min(12), least: natural.min(12), ..fixed(natural, rank) }
    }

    fn columns(shown: &[(usize, usize)], left_out: &[usize]) -> TableFit {
        TableFit::Columns { shown: shown.to_vec(), left_out: left_out.to_vec() }
    }

    #[test]
    fn narrow_tables_shrink_in_steps() {
        let empty = ColumnRoom { is_empty: true, ..fixed(7, 1) };
        let room = [fixed(32, 0), text(30, 0), fixed(2, 1), empty, text(20, 2)];
        let fit = |width| fit(&room, width, false);
        assert_eq!(fit(99), columns(&[(0, 32), (1, 30), (2, 2), (3, 7), (4, 20)], &[]));
        assert_eq!(fit(98), columns(&[(0, 32), (1, 30), (2, 2), (4, 20)], &[]));
        assert_eq!(fit(90), columns(&[(0, 32), (1, 30), (2, 2), (4, 20)], &[]));
        assert_eq!(fit(85), columns(&[(0, 32), (1, 25), (2, 2), (4, 20)], &[]));
        assert_eq!(fit(64), columns(&[(0, 32), (1, 12), (2, 2), (4, 12)], &[]));
        assert_eq!(fit(63), columns(&[(0, 32), (1, 25), (2, 2)], &[4]));
        assert_eq!(fit(50), columns(&[(0, 32), (1, 12), (2, 2)], &[4]));
        assert_eq!(fit(49), columns(&[(0, 32), (1, 15)], &[2, 4]));
        assert_eq!(fit(46), columns(&[(0, 32), (1, 12)], &[2, 4]));
        assert_eq!(fit(45), TableFit::Blocks);
    }

    #[test]
    fn columns_that_must_all_be_shown_are_not_left_out() {
        let empty = ColumnRoom { is_empty: true, ..fixed(7, 3) };
        let room = [fixed(10, 0), empty, text(30, 3)];
        assert_eq!(fit(&room, 33, true), columns(&[(0, 10), (1, 7), (2, 12)], &[]));
        assert_eq!(fit(&room, 32, true), TableFit::Blocks);
    }

    #[test]
    fn a_long_file_name_is_cut_before_the_table_is_given_up() {
        let name = ColumnRoom { natural: 60, minimum: 50, least: 12, rank: 0, is_empty: false };
        let room = [fixed(32, 0), name, fixed(2, 1)];
        assert_eq!(fit(&room, 84, false), columns(&[(0, 32), (1, 50)], &[2]));
        assert_eq!(fit(&room, 80, false), columns(&[(0, 32), (1, 42), (2, 2)], &[]));
    }

    #[test]
    fn one_column_remains() {
        assert_eq!(fit(&[fixed(10, 1), fixed(10, 1)], 15, false), columns(&[(0, 10)], &[1]));
        assert_eq!(fit(&[fixed(20, 1)], 15, false), TableFit::Blocks);
        assert_eq!(fit(&[text(2000, 1)], 15, false), columns(&[(0, 15)], &[]));
    }
}
