//! What a person sees after commands ran in a terminal: their bytes applied to a screen, as a terminal does.
//!
//! It knows what tulk uses: line ends, moves up, and clearing of lines. Colors leave no trace. A character is one column wide.

use std::fs::File;
use std::io::Read as _;

use super::common::{Bench, terminal};

/// Runs a script in a terminal of this width, and returns the lines that it shows.
pub fn screen_of(bench: &Bench, columns: u16, script: &str) -> Vec<String> {
    let (master, slave) = terminal::open(columns, 50);
    let mut command = bench.shell(script);
    command.env("TERM", "xterm-256color");
    let copy = || slave.try_clone().unwrap();
    let mut child = command.stdin(copy()).stdout(copy()).stderr(copy()).spawn().unwrap();
    // Only the script has the terminal now, so that reading ends with it.
    drop((command, slave));
    let (mut master, mut bytes) = (File::from(master), Vec::new());
    // A terminal whose other side is closed is an error, not an end.
    let _ = master.read_to_end(&mut bytes);
    child.wait().unwrap();
    shown(&String::from_utf8(bytes).unwrap())
}

/// Returns the lines that a terminal shows after it received `text`.
pub fn shown(text: &str) -> Vec<String> {
    let (mut lines, mut row, mut column) = (vec![Vec::new()], 0_usize, 0_usize);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' => column = 0,
            '\n' => row += 1,
            '\u{1b}' if characters.next_if_eq(&'[').is_some() => {
                let mut number = String::new();
                while let Some(digit) = characters.next_if(|c| !c.is_ascii_alphabetic()) {
                    number.push(digit);
                }
                match (characters.next(), number.as_str()) {
                    (Some('A'), _) => row = row.saturating_sub(number.parse().unwrap_or(1)),
                    (Some('K'), "2") => lines[row].clear(),
                    (Some('K'), _) => lines[row].truncate(column),
                    (Some('J'), _) => {
                        lines[row].truncate(column);
                        lines.truncate(row + 1);
                    }
                    _ => {}
                }
            }
            _ => {
                let line: &mut Vec<char> = &mut lines[row];
                line.resize(line.len().max(column + 1), ' ');
                line[column] = character;
                column += 1;
            }
        }
        lines.resize(lines.len().max(row + 1), Vec::new());
    }
    lines.iter().map(|line| line.iter().collect::<String>().trim_end().to_owned()).collect()
}

/// Replaces IDs, dates and times of day, and sorts the lines of finished documents, whose order depends on the service.
pub fn without_chance(lines: impl Iterator<Item = String>) -> Vec<String> {
    let is_made_of =
        |word: &str, length: usize, class: fn(char) -> bool| word.len() == length && word.chars().all(class);
    let mask = |word: &str| match word {
        _ if is_made_of(word, 36, |c| c.is_ascii_hexdigit() || c == '-') => "ID".to_owned(),
        _ if is_made_of(word, 10, |c| c.is_ascii_digit() || c == '-') => "DATE".to_owned(),
        _ if is_made_of(word, 5, |c| c.is_ascii_digit() || c == ':') => "TIME".to_owned(),
        _ => word.to_owned(),
    };
    let mut lines: Vec<String> =
        lines.map(|line| line.split(' ').map(mask).collect::<Vec<_>>().join(" ").trim_end().to_owned()).collect();
    for group in lines.chunk_by_mut(|a, b| a.starts_with('✓') && b.starts_with('✓')) {
        group.sort();
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}
