//! Resources that have a name and an ID: glossaries, style rule lists, translation memories, developer keys and others.
//!
//! Input: a name or ID as typed. Output: an ID for a request. An ID is used without a look-up. A name that several
//! resources share is a usage error, and an unknown name is "not found"; the hints list the candidates or similar names.

pub mod known_names;
mod lookup;
mod resources;

use std::borrow::Cow;
use std::fmt::Write as _;

use tulk_base::error::{Failure, Kind};
use tulk_base::numbers::{counted, grouped};
use tulk_base::suggest;
use tulk_client::http::failures;

use crate::completion::ValueKind;

pub use self::lookup::{
    all_glossaries, all_glossaries_v2, all_memories, all_spoken_terms, all_style_profiles, all_styles, glossaries,
    glossary, glossary_v2, glossary_without_waiting, id_to_rename, memory, spoken_terms, style, style_profile,
    wait_for_glossary, wait_for_glossary_v2,
};

/// Maximum number of resources with the same name in a message.
const SHOWN_CANDIDATES: usize = 5;

pub trait Named {
    /// Noun for messages.
    const NOUN: &'static str;
    /// Command that lists all resources of this kind.
    const LIST: &'static str;
    /// Whether the ID is secret. Messages then contain only a part of it.
    const SECRET_ID: bool = false;

    fn id(&self) -> &str;
    /// Returns the name, label or title.
    fn name(&self) -> &str;

    /// Returns what distinguishes the resource from others with the same name, for messages.
    fn candidate(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.id())
    }

    fn is_id(text: &str) -> bool {
        is_uuid(text)
    }
}

/// Completes names of a resource with the names that the service listed before.
pub fn names<T: Named>() -> ValueKind {
    ValueKind::Names(T::NOUN)
}

/// Returns whether a text is a UUID with hyphens, in upper or lower case.
pub fn is_uuid(text: &str) -> bool {
    text.len() == uuid::fmt::Hyphenated::LENGTH && uuid::Uuid::try_parse(text).is_ok()
}

/// Returns the resource with this exact name or this ID. Fails with `Kind::Usage` if several resources match.
pub fn pick<T: Named>(all: Vec<T>, wanted: &str) -> Result<T, Failure> {
    let is_wanted = |item: &T| item.name() == wanted || (T::is_id(wanted) && item.id().eq_ignore_ascii_case(wanted));
    let (mut found, others): (Vec<T>, Vec<T>) = all.into_iter().partition(is_wanted);
    if found.len() > 1 {
        return Err(ambiguous_failure(&found, wanted));
    }
    found.pop().ok_or_else(|| {
        let hint = suggest::hint(wanted, others.iter().map(Named::name), T::LIST);
        Failure::new(Kind::NotFound, format!("no {} named `{wanted}`", T::NOUN)).hint(hint)
    })
}

/// Refuses a new name that another resource has: afterwards, neither could be used by its name.
pub fn check_new_name<T: Named>(all: &[T], name: &str, own_id: Option<&str>, hint: &str) -> Result<(), Failure> {
    let is_own = |item: &T| own_id.is_some_and(|id| item.id().eq_ignore_ascii_case(id));
    match all.iter().find(|item| item.name() == name && !is_own(item)) {
        None => Ok(()),
        Some(item) => Err(Failure::usage(format!(
            "a {} named `{name}` exists: {}",
            T::NOUN,
            failures::quotable(&item.candidate())
        ))
        .hint(hint)),
    }
}

/// Describes a resource in a question: the ID, and the name if a name was typed.
pub fn name_and_id(typed: &str, id: &str) -> String {
    if typed == id { id.to_owned() } else { format!("`{typed}` ({id})") }
}

fn ambiguous_failure<T: Named>(found: &[T], wanted: &str) -> Failure {
    let shown = found.iter().take(SHOWN_CANDIDATES).map(|item| failures::quotable(&item.candidate()));
    let mut candidates = shown.collect::<Vec<_>>().join(", ");
    if found.len() > SHOWN_CANDIDATES {
        let _ = write!(candidates, " and {} more", grouped(found.len() - SHOWN_CANDIDATES));
    }
    let where_to_look = if T::SECRET_ID { format!(" (`{}` shows them in full)", T::LIST) } else { String::new() };
    Failure::usage(format!("{} are named `{wanted}`", counted(found.len(), T::NOUN)))
        .hint(format!("use one of their IDs{where_to_look}: {candidates}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct NamedSample(&'static str, &'static str);

    impl Named for NamedSample {
        const NOUN: &'static str = "memory";
        const LIST: &'static str = "tulk tm list";

        fn id(&self) -> &str {
            self.0
        }

        fn name(&self) -> &str {
            self.1
        }
    }

    const ID: &str = "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69";

    fn samples() -> Vec<NamedSample> {
        [("1", "Kitchen"), ("2", "Tea"), ("3", "Tea"), (ID, "Garden tools")]
            .map(|(id, name)| NamedSample(id, name))
            .into()
    }

    fn failure(wanted: &str) -> Failure {
        pick(samples(), wanted).map(|sample| sample.0).unwrap_err()
    }

    #[test]
    fn finds_an_exact_name_or_an_id() {
        assert_eq!(pick(samples(), "Kitchen").unwrap().0, "1");
        assert_eq!(pick(samples(), &ID.to_uppercase()).unwrap().0, ID);
    }

    #[test]
    fn lists_the_ids_of_an_ambiguous_name() {
        let failure = failure("Tea");
        assert_eq!((failure.kind, failure.what.as_str()), (Kind::Usage, "2 memories are named `Tea`"));
        assert_eq!(failure.hint.unwrap(), "use one of their IDs: 2, 3");
    }

    #[test]
    fn an_ambiguous_name_lists_five_ids_and_a_count() {
        let many = |count: usize| (0..count).map(|_| NamedSample("7", "Tea")).collect::<Vec<_>>();
        let hint = |count| pick(many(count), "Tea").map(|sample| sample.0).unwrap_err().hint.unwrap();
        assert_eq!(hint(5), "use one of their IDs: 7, 7, 7, 7, 7");
        assert_eq!(hint(100_000), "use one of their IDs: 7, 7, 7, 7, 7 and 99,995 more");
        let long = Box::leak("7".repeat(1_000_000).into_boxed_str());
        let samples = vec![NamedSample(long, "Tea"), NamedSample("8", "Tea")];
        assert!(pick(samples, "Tea").map(|sample| sample.0).unwrap_err().hint.unwrap().len() < 1000);
    }

    #[test]
    fn suggests_names_similar_to_an_unknown_one() {
        for (wanted, suggested) in [("kitchen", "`Kitchen`"), ("Kitchn", "`Kitchen`"), ("Garden", "`Garden tools`")] {
            let failure = failure(wanted);
            assert_eq!(failure.kind, Kind::NotFound);
            assert!(failure.hint.unwrap().starts_with(&format!("did you mean {suggested}?")), "{wanted}");
        }
        assert!(failure("Xyzzy plugh").hint.unwrap().contains("`tulk tm list`"));
    }

    #[test]
    fn a_uuid_has_hyphens_and_36_characters() {
        assert!(is_uuid(ID) && is_uuid(&ID.to_uppercase()));
        let [simple, braced, urn] = [ID.replace('-', ""), format!("{{{ID}}}"), format!("urn:uuid:{ID}")];
        for text in
            ["", "Kitchen", &simple, &braced, &urn, ID.trim_end_matches('9'), &format!("{ID}0"), &ID.replace('b', "g")]
        {
            assert!(!is_uuid(text), "{text}");
        }
        assert!(!is_uuid("5b0c8f0e6-d1a-4a3b-9c2f-1e2d3c4b5a69"), "hyphens must be in their places");
    }
}
