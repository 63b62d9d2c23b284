//! From the name or ID of a style rule list to its ID, and the choice among names that other look-ups share.

use crate::api::style::{ListStyleRules, StyleRules};
use crate::config::schema::nearest;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::http::reply::Kept;

/// The ID of a list. What has the form of an ID is used as it is; a name is looked for on all pages.
pub async fn style(ctx: &Context, text: &str) -> Result<String, Failure> {
    if is_uuid(text) {
        return Ok(text.to_owned());
    }
    let lists = ctx.client().await?.all(ListStyleRules::all(false), |_| false).await?;
    pick("style rule list", "tulk style list", text, &names(&lists))
}

/// IDs and names of lists.
pub fn names(lists: &Kept<StyleRules>) -> Vec<(&str, &str)> {
    lists.style_rules.iter().map(|list| (list.style_id.as_str(), list.name.as_str())).collect()
}

/// Whether a text has the form of a UUID.
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.char_indices().all(|(i, c)| if [8, 13, 18, 23].contains(&i) { c == '-' } else { c.is_ascii_hexdigit() })
}

/// The ID that bears a name. Several: `Kind::Usage` with all of them; none: `Kind::NotFound` with near names.
pub fn pick(what: &str, listing: &str, name: &str, known: &[(&str, &str)]) -> Result<String, Failure> {
    let ids: Vec<_> = known.iter().filter(|(_, n)| *n == name).map(|(id, _)| *id).collect();
    match ids.as_slice() {
        [id] => Ok((*id).to_owned()),
        [] => {
            let failure = Failure::new(Kind::NotFound, format!("there is no {what} named `{name}`"));
            Err(match nearest(name, known.iter().map(|(_, n)| *n)) {
                Some(near) => failure.hint(format!("did you mean `{near}`?")),
                None => failure.hint(format!("{listing} shows what there is")),
            })
        }
        several => Err(Failure::usage(format!(
            "{} bear the name `{name}`: {}",
            count(what, several.len()),
            several.join(", ")
        ))
        .hint("use the ID of the one you mean")),
    }
}

fn count(what: &str, count: usize) -> String {
    if let Some(stem) = what.strip_suffix('y') { format!("{count} {stem}ies") } else { format!("{count} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_the_one_that_bears_the_name() {
        let known = [("1", "Shop"), ("2", "Blog"), ("3", "Blog")];
        let pick = |name| pick("translation memory", "tulk tm list", name, &known);
        assert_eq!(pick("Shop").unwrap(), "1");
        let failure = pick("Blog").unwrap_err();
        assert_eq!(
            (failure.kind, failure.what.as_str()),
            (Kind::Usage, "2 translation memories bear the name `Blog`: 2, 3")
        );
        let failure = pick("shop").unwrap_err();
        assert_eq!((failure.kind, failure.hint.as_deref()), (Kind::NotFound, Some("did you mean `Shop`?")));
        assert_eq!(pick("zebra").unwrap_err().hint.as_deref(), Some("tulk tm list shows what there is"));
    }
}
