//! Plain text, piece by piece, and HTML as a whole.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::Arc;

use super::Trouble;
use super::params::Order;
use crate::sandbox::app::App;
use crate::sandbox::detect::detect;
use crate::sandbox::languages;
use crate::sandbox::markup::{MarkupSyntax, characters};
use crate::sandbox::translator::Translator;

/// The most bytes of one piece of plain text: longer lines are cut.
const PIECE: u64 = 64 * 1024;

/// Translates one text of a document: an exact answer if there is one, else what the engine makes of it.
pub(super) fn one<'t>(app: &App, order: &Order, translator: &Translator, text: &'t str) -> Cow<'t, str> {
    let inner = text.trim();
    if inner.is_empty() {
        return Cow::Borrowed(text);
    }
    let source = order.source.map(str::to_ascii_uppercase);
    match app.phrases.find(inner, source.as_deref(), order.target) {
        Some(found) => Cow::Owned(text.replacen(inner, found.text, 1)),
        None => Cow::Owned(translator.translate(text)),
    }
}

/// The engine for a document.
pub(super) fn translator<'a>(app: &App, order: &'a Order, tags: MarkupSyntax) -> Translator<'a> {
    let terms = order.dictionaries.iter().map(Arc::as_ref);
    Translator::new(app.options.engine, order.target).markup(tags, &[]).terms(terms)
}

/// A document whose language is found to be the target's fails.
pub(super) fn refuse_same_language(order: &Order, sample: &str) -> Result<(), Trouble> {
    if order.source.is_none() && languages::same_base(detect(sample), order.target) {
        return Err(Trouble::document("Source and target language are equal."));
    }
    Ok(())
}

/// Reads a whole file as text.
pub(super) fn read(source: &Path) -> Result<String, Trouble> {
    String::from_utf8(std::fs::read(source)?).map_err(|_| Trouble::document("The file is not valid UTF-8."))
}

/// Translates plain text; gives its characters.
pub(super) fn plain(app: &App, order: &Order, source: &Path, result: &Path) -> Result<Option<u64>, Trouble> {
    let translator = translator(app, order, MarkupSyntax::None);
    let mut reader = BufReader::with_capacity(256 * 1024, File::open(source)?);
    let mut writer = BufWriter::with_capacity(256 * 1024, File::create(result)?);
    let mut piece = Vec::new();
    let (mut count, mut is_first) = (0, true);
    loop {
        // What is left of a character that the last piece ended in.
        let before = piece.len();
        reader.by_ref().take(PIECE).read_until(b'\n', &mut piece)?;
        if piece.is_empty() {
            break;
        }
        let at_end = piece.len() == before;
        let whole = match std::str::from_utf8(&piece) {
            Ok(_) => piece.len(),
            Err(e) if e.error_len().is_none() && !at_end => e.valid_up_to(),
            Err(_) => return Err(Trouble::document("The file is not valid UTF-8.")),
        };
        let rest = piece.split_off(whole);
        let text = std::str::from_utf8(&piece).map_err(|_| Trouble::document("The file is not valid UTF-8."))?;
        if std::mem::take(&mut is_first) {
            refuse_same_language(order, text)?;
        }
        count += text.chars().count() as u64;
        let content = text.trim_end_matches(['\n', '\r']);
        let (content, end) = text.split_at(content.len());
        writer.write_all(one(app, order, &translator, content).as_bytes())?;
        writer.write_all(end.as_bytes())?;
        piece = rest;
    }
    writer.flush()?;
    Ok(Some(count))
}

/// Translates the words of an HTML page: tags, comments, scripts and styles stay.
pub(super) fn html(app: &App, order: &Order, source: &Path, result: &Path) -> Result<Option<u64>, Trouble> {
    let text = read(source)?;
    refuse_same_language(order, &text)?;
    let translator = translator(app, order, MarkupSyntax::Html);
    std::fs::write(result, translator.translate(&text))?;
    Ok(Some(characters(&text, MarkupSyntax::Html)))
}
