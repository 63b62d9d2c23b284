//! The entries of one dictionary, in order.

/// One dictionary: entries in order, kept as the TSV that is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dictionary {
    tsv: String,
    count: usize,
}

impl Dictionary {
    /// Creates a dictionary of entries that are known to be valid.
    pub fn from_entries<'a>(entries: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut dictionary = Self::default();
        for (source, target) in entries {
            dictionary.push(source, target);
        }
        dictionary
    }

    /// Creates an empty dictionary with room for some bytes of TSV.
    pub(super) fn with_capacity(bytes: usize) -> Self {
        let mut dictionary = Self::default();
        dictionary.tsv.reserve_exact(bytes);
        dictionary
    }

    /// Returns the entries as TSV, separated by line feeds, without one at the end.
    pub fn tsv(&self) -> &str {
        &self.tsv
    }

    /// Returns the entries as the text of a TSV file, with a line feed after each.
    pub fn to_file_text(&self) -> String {
        // A first entry that begins with the character of a byte-order mark would lose it to the reader.
        let mark = if self.tsv.starts_with('\u{feff}') { "\u{feff}" } else { "" };
        if self.tsv.is_empty() { String::new() } else { [mark, &self.tsv, "\n"].concat() }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns source and target of each entry, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tsv.split('\n').filter_map(|line| line.split_once('\t'))
    }

    /// Adds an entry. Neither phrase may contain a tab or line feed.
    pub(super) fn push(&mut self, source: &str, target: &str) {
        if self.count > 0 {
            self.tsv.push('\n');
        }
        self.tsv.push_str(source);
        self.tsv.push('\t');
        self.tsv.push_str(target);
        self.count += 1;
    }
}
