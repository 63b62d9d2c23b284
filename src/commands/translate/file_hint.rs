//! The hint for a file that is translated as plain text although there is a flag for its format.

use std::path::PathBuf;

use crate::formats::NamedFormat;

/// The flags for files that `--as` does not know, by the endings of the files.
const RECORD_FLAGS: &[(&[&str], &str)] = &[
    (&["csv"], "--csv --column NAME translates only that column"),
    (&["tsv"], "--tsv --column NAME translates only that column"),
    (&["jsonl", "ndjson"], "--jsonl --field /NAME translates only that field"),
];

/// Endings of files that are often something else than a catalogue.
const AMBIGUOUS_ENDINGS: &[&str] = &["xml", "php"];

/// Returns the hint for the first file whose ending tells its format.
pub fn file_hint(files: &[PathBuf]) -> Option<String> {
    files.iter().find_map(|file| {
        let ending = file.extension()?.to_string_lossy().to_lowercase();
        let has = |endings: &[&str]| endings.contains(&ending.as_str());
        let record_flag = RECORD_FLAGS.iter().find(|(endings, _)| has(endings)).map(|(_, what)| (*what).to_owned());
        let what = record_flag.or_else(|| {
            let is_known = !AMBIGUOUS_ENDINGS.contains(&ending.as_str());
            let format = NamedFormat::all().find(|format| is_known && has(format.endings()))?;
            Some(format!("--as {} keeps {}", format.name(), format.keeps()))
        })?;
        Some(format!("{} is translated as plain text; {what}", file.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_file_with_a_known_ending_gets_a_hint() {
        let hint = |files: &[&str]| file_hint(&files.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(hint(&["a.txt", "-", "csv"]), None);
        let srt = "d/b.SRT is translated as plain text; --as srt keeps its timings";
        assert_eq!(hint(&["a.txt", "d/b.SRT", "c.csv"]).as_deref(), Some(srt));
        let jsonl = "c.ndjson is translated as plain text; --jsonl --field /NAME translates only that field";
        assert_eq!(hint(&["c.ndjson"]).as_deref(), Some(jsonl));
    }
}
