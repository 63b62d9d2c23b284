//! Finds the parts of entries that must not be translated, and puts them into tags.
//!
//! Input: the records of a format, which may have marked tokens of its own. Output: the same records with the form in which their
//! entries are sent. The stage belongs to the reader, so that limits are checked on what is sent.

use crate::error::Failure;
use crate::formats::Record;
use crate::formats::inline::TaggedText;

/// What stays as it is in entries.
#[derive(Debug, Default)]
pub struct Protector {
    form: SentForm,
}

/// The form in which entries are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SentForm {
    /// As they are, and nothing is verified.
    #[default]
    Plain,
    /// As XML, with tags around tokens.
    Tagged,
}

impl Protector {
    /// Entries are sent in this form.
    pub fn new(form: SentForm) -> Self {
        Self { form }
    }

    /// Sets the form in which the entries of a record are sent.
    pub fn protect(&self, record: &mut Record) -> Result<(), Failure> {
        if self.form == SentForm::Plain {
            return Ok(());
        }
        for slot in 0..record.slots.len() {
            let Some(text) = record.text(slot) else { continue };
            let tokens = record.slots.get(slot).map(|slot| slot.tokens.as_slice()).unwrap_or_default();
            let tagged = TaggedText::new(text, tokens);
            if let Some(slot) = record.slots.get_mut(slot) {
                slot.tagged = Some(Box::new(tagged));
            }
        }
        Ok(())
    }

    /// Returns what a later run that resumes must have in common.
    pub fn identity(&self) -> String {
        String::new()
    }
}
