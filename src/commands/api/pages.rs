//! `--paginate`: asks for every page and prints one answer with the elements of all.
//!
//! Everything but the list is as the first page has it. An answer that names a `next_page` is followed also on paths
//! that are not known.

use reqwest::Url;
use serde_json::value::RawValue;

use crate::api::known::{self, Paging};
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::http::client::Client;
use crate::http::object::Object;
use crate::http::reply::unusable;
use crate::http::request::{Answer, Method, Path, Request};

/// Asks for all pages.
pub async fn run(ctx: &Context, client: &Client, mut request: Request, silent: bool) -> Result<(), Failure> {
    if request.method != Method::GET {
        return Err(Failure::usage(format!("--paginate is for GET, not {}", request.method)));
    }
    let path = request.path.as_str().to_owned();
    let (plain, _) = path.split_once('?').unwrap_or((&path, ""));
    let paging = known::paging(plain);
    // The page is a field of the query, so all of that is taken out of the path.
    let address = Url::parse(&format!("http://service{path}")).map_err(|e| Failure::usage(format!("the path: {e}")))?;
    request.query.splice(0..0, address.query_pairs().into_owned());
    request.path = Path::raw(plain)?;
    if let Some(Paging::Index { largest }) = paging
        && value(&request, "page_size").is_none()
    {
        request.query.push(("page_size".to_owned(), largest.to_string()));
    }
    let size = value(&request, "page_size").and_then(|size| size.parse::<usize>().ok());
    let first = ask(ctx, client, &request).await?;
    let mut all = Pages::read(&first)?;
    let mut got = all.items.len();
    let mut next = all.next();
    if paging.is_none() && next.is_none() {
        ctx.out.warn(&format!("{plain} has no pages that tulk knows of; this is all of its one answer"));
    }
    loop {
        let page = match (paging, &next) {
            (_, Some(cursor)) => cursor.clone(),
            (Some(Paging::Index { .. }), None) if got > 0 && size.is_some_and(|size| got >= size) => {
                (value(&request, "page").and_then(|page| page.parse::<u64>().ok()).unwrap_or(0) + 1).to_string()
            }
            _ => break,
        };
        if next.is_some() && value(&request, "page") == Some(&page) {
            return Err(Failure::new(Kind::Network, "the service names the page it has just sent as the next one"));
        }
        request.query.retain(|(name, _)| name != "page");
        request.query.push(("page".to_owned(), page));
        let answer = ask(ctx, client, &request).await?;
        let more = Pages::read(&answer)?;
        got = more.items.len();
        next = more.next();
        all.items.extend(more.items);
    }
    if silent { Ok(()) } else { ctx.out.json_raw(&all.joined()?) }
}

fn value<'a>(request: &'a Request, name: &str) -> Option<&'a String> {
    request.query.iter().find(|(field, _)| field == name).map(|(_, value)| value)
}

/// One page; of a refusal the body goes to stdout as without `--paginate`.
async fn ask(ctx: &Context, client: &Client, request: &Request) -> Result<Answer, Failure> {
    let answer = client.exchange(request).await?;
    if (200..300).contains(&answer.status) {
        return Ok(answer);
    }
    ctx.out.text(&answer.body)?;
    Err(client.refused(request, &answer))
}

/// An answer, and the list in it that pages divide: a field of the answer, or of an object in it.
#[derive(Debug)]
struct Pages {
    answer: Object,
    /// The field that holds the object with the list, if the answer itself does not.
    inside: Option<String>,
    holder: Object,
    list: String,
    items: Vec<Box<RawValue>>,
}

impl Pages {
    fn read(answer: &Answer) -> Result<Self, Failure> {
        let text = std::str::from_utf8(&answer.body).map_err(|e| unusable(answer, &e.to_string()))?;
        Self::find(text).ok_or_else(|| unusable(answer, "it is no JSON object with a list"))
    }

    fn find(text: &str) -> Option<Self> {
        let answer = Object::parse(text)?;
        let inner = answer.fields().filter_map(|(name, value)| Some((Some(name), Object::parse(value.get())?)));
        let holders = std::iter::once((None, answer.clone())).chain(inner);
        let found = holders.into_iter().find_map(|(inside, holder)| {
            let list = holder.fields().find(|(_, value)| value.get().starts_with('['))?.0.to_owned();
            Some((inside.map(str::to_owned), holder, list))
        });
        let (inside, holder, list) = found?;
        let items = serde_json::from_str(holder.get(&list)?.get()).ok()?;
        Some(Self { answer, inside, holder, list, items })
    }

    /// What `next_page` holds, if not null.
    fn next(&self) -> Option<String> {
        let next = self.holder.get("next_page")?.get();
        (next != "null").then(|| next.trim_matches('"').to_owned())
    }

    /// The answer with the elements of all pages.
    fn joined(mut self) -> Result<String, Failure> {
        let internal = |e: serde_json::Error| Failure::internal(e.to_string());
        self.holder.set(&self.list, serde_json::value::to_raw_value(&self.items).map_err(internal)?);
        if self.holder.get("next_page").is_some() {
            self.holder.set("next_page", serde_json::value::to_raw_value(&()).map_err(internal)?);
        }
        if let Some(inside) = &self.inside {
            self.answer.set(inside, serde_json::value::to_raw_value(&self.holder).map_err(internal)?);
        } else {
            self.answer = self.holder;
        }
        serde_json::to_string(&self.answer).map_err(internal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_found_at_the_top_or_one_below() {
        let pages = Pages::find(r#"{"total_count":2,"list":[{"n":1.10},2]}"#).unwrap();
        assert_eq!((pages.list.as_str(), pages.items.len(), pages.next()), ("list", 2, None));
        assert_eq!(pages.joined().unwrap(), r#"{"total_count":2,"list":[{"n":1.10},2]}"#);
        let pages = Pages::find(r#"{"report":{"by":"day","next_page":7,"usage":[1]}}"#).unwrap();
        assert_eq!(pages.next().as_deref(), Some("7"));
        assert_eq!(pages.joined().unwrap(), r#"{"report":{"by":"day","next_page":null,"usage":[1]}}"#);
        assert!(Pages::find("[1]").is_none());
        assert!(Pages::find(r#"{"a":1}"#).is_none());
    }
}
