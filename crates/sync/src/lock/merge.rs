//! What version control systems leave in a merged file: markers, and sides that contradict each other.

/// Returns the lines with their numbers from 1, without empty ones, merge markers and the common ancestor of a conflict.
pub fn significant_lines(text: &str) -> impl Iterator<Item = (u64, &str)> {
    let mut is_ancestor = false;
    (1..).zip(text.split('\n')).filter_map(move |(number, line)| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match marker(line) {
            Some('|') => is_ancestor = true,
            Some(_) => is_ancestor = false,
            None if is_ancestor || line.is_empty() => {}
            None => return Some((number, line)),
        }
        None
    })
}

/// Returns the character of a merge marker.
fn marker(line: &str) -> Option<char> {
    ['<', '|', '=', '>'].into_iter().find(|c| {
        let marks = line.chars().take_while(|other| other == c).count();
        marks == 7 && line.get(7..).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}
