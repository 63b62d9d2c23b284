//! Subtitles: numbers and times stay, the lines of each cue are translated.

use std::path::Path;

use super::Trouble;
use super::params::Order;
use super::text::{one, read, refuse_same_language, translator};
use crate::sandbox::app::App;
use crate::sandbox::markup::{MarkupSyntax, characters};

/// Where in a cue a line is.
#[derive(PartialEq)]
enum At {
    /// Before its number.
    Between,
    /// Between number and times.
    Numbered,
    /// After the times.
    Words,
}

/// Translates an `srt` file; gives its characters.
pub(super) fn srt(app: &App, order: &Order, source: &Path, result: &Path) -> Result<Option<u64>, Trouble> {
    let text = read(source)?;
    let translator = translator(app, order, MarkupSyntax::Html);
    let mut out = String::with_capacity(text.len() * 2);
    let (mut count, mut cues, mut words) = (0, 0, String::new());
    let mut at = At::Between;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let content = line.trim_end_matches(['\n', '\r']);
        let (content, end) = line.split_at(content.len());
        let bare = content.trim().trim_start_matches('\u{feff}');
        at = match at {
            _ if bare.is_empty() => At::Between,
            At::Between if bare.bytes().all(|b| b.is_ascii_digit()) => At::Numbered,
            At::Between | At::Numbered if bare.contains("-->") => {
                cues += 1;
                out.push_str(line);
                at = At::Words;
                continue;
            }
            At::Words => {
                count += characters(content, MarkupSyntax::Html);
                words.push_str(content);
                words.push('\n');
                out.push_str(&one(app, order, &translator, content));
                out.push_str(end);
                continue;
            }
            At::Between | At::Numbered => {
                return Err(Trouble::document(format!("Line {} is no part of a subtitle.", number + 1)));
            }
        };
        out.push_str(line);
    }
    if cues == 0 {
        return Err(Trouble::document("The file holds no subtitles."));
    }
    refuse_same_language(order, &words)?;
    std::fs::write(result, out)?;
    Ok(Some(count))
}
