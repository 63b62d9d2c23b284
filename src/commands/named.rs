//! From a name or an ID to an ID: generic over everything that has both.
//!
//! What has the form of an ID is used as it is, without a look-up. A name held by several is wrong usage, with the list;
//! one that nobody holds is not found, with near names. Spec: command line, "Names, codes, limits".

use std::borrow::Cow;
use std::time::Duration;

use crate::api::glossary::v2::{GlossaryV2, ListGlossariesV2};
use crate::api::glossary::{GetGlossary, Glossary, ListGlossaries};
use crate::api::style::{CustomInstruction, ListStyleRules, StyleRule};
use crate::api::tm::{ListTranslationMemories, TranslationMemory};
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::json::Kept;
use crate::suggest;

/// First wait for a glossary that is not ready, then doubled.
const READY_FIRST: Duration = Duration::from_millis(250);
/// Longest wait between two questions after a glossary.
const READY_LONGEST: Duration = Duration::from_secs(10);

/// Something that people call by name or ID.
pub trait Named {
    /// What it is called in messages.
    const NOUN: &'static str;
    /// The command that lists all of them.
    const LIST: &'static str;
    /// Whether the ID may be a key itself, so that no message holds it whole.
    const SECRET_ID: bool = false;

    /// Its ID.
    fn id(&self) -> &str;
    /// Its name, label or title.
    fn name(&self) -> &str;

    /// What tells it from others of its name in a message.
    fn candidate(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.id())
    }

    /// Whether a text has the form of an ID.
    fn is_id(text: &str) -> bool {
        is_uuid(text)
    }
}

impl<T: Named> Named for Kept<T> {
    const NOUN: &'static str = T::NOUN;
    const LIST: &'static str = T::LIST;
    const SECRET_ID: bool = T::SECRET_ID;

    fn id(&self) -> &str {
        T::id(self)
    }

    fn name(&self) -> &str {
        T::name(self)
    }

    fn candidate(&self) -> Cow<'_, str> {
        T::candidate(self)
    }

    fn is_id(text: &str) -> bool {
        T::is_id(text)
    }
}

impl Named for Glossary {
    const NOUN: &'static str = "glossary";
    const LIST: &'static str = "tulk glossary list";

    fn id(&self) -> &str {
        &self.glossary_id
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for GlossaryV2 {
    const NOUN: &'static str = "v2 glossary";
    const LIST: &'static str = "tulk glossary v2 list";

    fn id(&self) -> &str {
        &self.glossary_id
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for StyleRule {
    const NOUN: &'static str = "style rule list";
    const LIST: &'static str = "tulk style list";

    fn id(&self) -> &str {
        &self.style_id
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for CustomInstruction {
    const NOUN: &'static str = "custom instruction";
    const LIST: &'static str = "tulk style instruction list";

    fn id(&self) -> &str {
        &self.id
    }

    fn name(&self) -> &str {
        &self.label
    }
}

impl Named for TranslationMemory {
    const NOUN: &'static str = "translation memory";
    const LIST: &'static str = "tulk tm list";

    fn id(&self) -> &str {
        &self.translation_memory_id
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// Whether a text has the form of a UUID, in any case.
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.char_indices().all(|(i, c)| if [8, 13, 18, 23].contains(&i) { c == '-' } else { c.is_ascii_hexdigit() })
}

/// The one thing that has this exact name, or this ID.
///
/// `Kind::Usage` when several have the name, `Kind::NotFound` when none has.
pub fn pick<T: Named>(all: Vec<T>, wanted: &str) -> Result<T, Failure> {
    let found = all.iter().filter(|one| fits(*one, wanted)).count();
    if found == 1 {
        return all
            .into_iter()
            .find(|one| fits(one, wanted))
            .ok_or_else(|| Failure::internal("a look-up lost its find"));
    }
    if found > 1 {
        let several: Vec<_> = all.iter().filter(|one| fits(*one, wanted)).map(Named::candidate).collect();
        let whole = if T::SECRET_ID { format!(", which `{}` shows whole", T::LIST) } else { String::new() };
        return Err(Failure::usage(format!("{found} {} are called `{wanted}`", plural(T::NOUN)))
            .hint(format!("name one by its ID{whole}: {}", several.join(", "))));
    }
    let hint = suggest::hint(wanted, all.iter().map(Named::name), T::LIST);
    Err(Failure::new(Kind::NotFound, format!("there is no {} called `{wanted}`", T::NOUN)).hint(hint))
}

fn fits<T: Named>(one: &T, wanted: &str) -> bool {
    one.name() == wanted || (T::is_id(wanted) && one.id().eq_ignore_ascii_case(wanted))
}

fn plural(noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{noun}s"),
    }
}

/// All glossaries.
pub async fn all_glossaries(ctx: &Context) -> Result<Vec<Kept<Glossary>>, Failure> {
    Ok(ctx.client().await?.send(&ListGlossaries {}).await?.into_typed().glossaries)
}

/// The ID of a glossary, for requests that use it: a name is looked up once and awaited if it is not ready.
pub async fn glossary(ctx: &Context, text: &str) -> Result<String, Failure> {
    let ids = glossaries(ctx, std::slice::from_ref(&text)).await?;
    ids.into_iter().next().ok_or_else(|| Failure::internal("a look-up lost its find"))
}

/// The IDs of several glossaries, with one look-up for all names.
pub async fn glossaries<S: AsRef<str>>(ctx: &Context, texts: &[S]) -> Result<Vec<String>, Failure> {
    let mut known: Option<Vec<Kept<Glossary>>> = None;
    let mut ids = Vec::new();
    for text in texts.iter().map(AsRef::as_ref) {
        if is_uuid(text) {
            ids.push(text.to_owned());
            continue;
        }
        let all = match &known {
            Some(all) => all.clone(),
            None => known.insert(all_glossaries(ctx).await?).clone(),
        };
        let found = pick(all, text)?;
        if !found.is_ready() && !ctx.args.dry_run {
            await_glossary(ctx, &found.glossary_id).await?;
        }
        ids.push(found.into_typed().glossary_id);
    }
    Ok(ids)
}

/// The ID of a glossary, ready or not: for commands that show, rename or delete it.
pub async fn glossary_as_it_is(ctx: &Context, text: &str) -> Result<String, Failure> {
    if is_uuid(text) {
        return Ok(text.to_owned());
    }
    Ok(pick(all_glossaries(ctx).await?, text)?.into_typed().glossary_id)
}

/// The ID of a v2 glossary.
pub async fn glossary_v2(ctx: &Context, text: &str) -> Result<String, Failure> {
    if is_uuid(text) {
        return Ok(text.to_owned());
    }
    let all = ctx.client().await?.send(&ListGlossariesV2 {}).await?.into_typed().glossaries;
    Ok(pick(all, text)?.into_typed().glossary_id)
}

/// Asks until a glossary is ready, within `--max-wait`.
pub async fn await_glossary(ctx: &Context, glossary_id: &str) -> Result<Kept<Glossary>, Failure> {
    let client = ctx.client().await?;
    let mut wait = READY_FIRST;
    loop {
        let glossary = client.send(&GetGlossary { glossary_id: glossary_id.to_owned() }).await?;
        if glossary.is_ready() {
            return Ok(glossary);
        }
        if wait == READY_FIRST {
            ctx.out.status(&format!("waiting for glossary {glossary_id} to be ready"));
        }
        client.pause_for(wait, None).await.map_err(|failure| match failure.kind {
            Kind::Unfinished => Failure {
                what: format!("glossary {glossary_id} is not ready yet: {}", failure.what),
                ..failure.hint(format!("go on with `tulk glossary wait {glossary_id}`"))
            },
            _ => failure,
        })?;
        wait = (wait * 2).min(READY_LONGEST);
    }
}

/// The ID of a style rule list.
pub async fn style(ctx: &Context, text: &str) -> Result<String, Failure> {
    if is_uuid(text) {
        return Ok(text.to_owned());
    }
    let all = ctx.client().await?.send_all(ListStyleRules::all(false), |_| false).await?.into_typed().style_rules;
    Ok(pick(all, text)?.into_typed().style_id)
}

/// The ID of a translation memory.
pub async fn memory(ctx: &Context, text: &str) -> Result<String, Failure> {
    if is_uuid(text) {
        return Ok(text.to_owned());
    }
    let all = ctx.client().await?.send_all(ListTranslationMemories::all(), |_| false).await?;
    Ok(pick(all.into_typed().translation_memories, text)?.into_typed().translation_memory_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Thing(&'static str, &'static str);

    impl Named for Thing {
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

    fn things() -> Vec<Thing> {
        vec![Thing("1", "Kitchen"), Thing("2", "Tea"), Thing("3", "Tea"), Thing(ID, "Garden tools")]
    }

    fn failed(wanted: &str) -> Failure {
        pick(things(), wanted).map(|thing| thing.0).unwrap_err()
    }

    #[test]
    fn an_exact_name_or_an_id_is_found() {
        assert_eq!(pick(things(), "Kitchen").unwrap().0, "1");
        assert_eq!(pick(things(), &ID.to_uppercase()).unwrap().0, ID);
    }

    #[test]
    fn a_name_of_several_lists_their_ids() {
        let failure = failed("Tea");
        assert_eq!((failure.kind, failure.what.as_str()), (Kind::Usage, "2 memories are called `Tea`"));
        assert_eq!(failure.hint.unwrap(), "name one by its ID: 2, 3");
    }

    #[test]
    fn an_unknown_name_gets_near_ones() {
        for (wanted, near) in [("kitchen", "`Kitchen`"), ("Kitchn", "`Kitchen`"), ("Garden", "`Garden tools`")] {
            let failure = failed(wanted);
            assert_eq!(failure.kind, Kind::NotFound);
            assert!(failure.hint.unwrap().starts_with(&format!("did you mean {near}?")), "{wanted}");
        }
        assert_eq!(failed("Xyzzy plugh").hint.unwrap(), "`tulk tm list` shows them all");
    }
}
