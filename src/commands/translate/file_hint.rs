//! The hint for a file that is translated as plain text although there is a flag for its format.

use std::path::PathBuf;

use tulk_formats::NamedFormat;

/// The flags for files that `--as` does not know, by the endings of the files.
const RECORD_FLAGS: &[(&[&str], &str)] = &[
    (&["csv"], "--csv --column NAME translates only that column"),
    (&["tsv"], "--tsv --column NAME translates only that column"),
    (&["jsonl", "ndjson"], "--jsonl --field /NAME translates only that field"),
];

/// The name of the file with the texts of an Android app. Other files in XML are often no catalogue.
const ANDROID_FILE: &str = "strings.xml";

/// Returns the hint for the first file whose ending tells its format.
pub fn file_hint(files: &[PathBuf]) -> Option<String> {
    files.iter().find_map(|file| {
        let ending = file.extension()?.to_string_lossy().to_lowercase();
        let has = |endings: &[&str]| endings.contains(&ending.as_str());
        let record_flag = RECORD_FLAGS.iter().find(|(endings, _)| has(endings)).map(|(_, what)| (*what).to_owned());
        let what = record_flag.or_else(|| {
            let format = if ending == "xml" {
                NamedFormat::named("android").filter(|_| file.ends_with(ANDROID_FILE))?
            } else {
                NamedFormat::all().find(|format| has(format.endings()))?
            };
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
        let android = "values/strings.xml is translated as plain text; --as android keeps its keys and placeholders";
        assert_eq!(hint(&["values/strings.xml"]).as_deref(), Some(android));
        assert_eq!(hint(&["values/colors.xml"]), None);
        let php = "en/app.php is translated as plain text; --as php keeps its keys and placeholders";
        assert_eq!(hint(&["en/app.php"]).as_deref(), Some(php));
        let jsonl = "c.ndjson is translated as plain text; --jsonl --field /NAME translates only that field";
        assert_eq!(hint(&["c.ndjson"]).as_deref(), Some(jsonl));
    }
}
