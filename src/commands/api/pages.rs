//! `--paginate`: finds the next page and merges all pages into one, without changing numbers or unknown fields.
//!
//! A cursor in an answer selects the next page. Otherwise pages are counted, for the lists that the service divides in this way and for
//! all requests with a `page_size`.

use std::fmt;

use serde_json::value::RawValue;
use tulk_base::error::{Failure, Kind};
use tulk_base::json::JsonObject;
use tulk_base::numbers::{counted, grouped};

use tulk_client::api::operations::{self};
use tulk_client::http::endpoint::Paging;
use tulk_client::http::pages::SeenElements;

/// Fields that select the next page, each with the parameter that takes their value.
const CURSORS: [(&str, &str); 2] = [("next_page", "page"), ("next_page_cursor", "page_cursor")];
const TOTAL: &str = "total_count";
const SIZE: &str = "page_size";

/// The pages received so far.
pub struct PageMerger {
    /// Elements in a full page, if pages are counted.
    size: Option<usize>,
    page: u64,
    received: usize,
    seen: SeenElements,
    merged: Option<String>,
    /// How many pages were added, and the cursor that selected the last of them.
    pages: usize,
    cursor: Option<&'static str>,
}

/// How to request the next page, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextPage {
    /// A page that is selected by a parameter of the query.
    Select(&'static str, String),
    /// Nothing.
    None(LastPage),
}

/// Why a page is the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastPage {
    /// It has no value in the field that selects the next one.
    NoCursor(&'static str),
    /// It has fewer elements than a full page.
    Short {
        /// Elements in a full page.
        size: usize,
    },
    /// All elements were received.
    Total(usize),
    /// Neither the answer nor the request says anything about pages.
    NotPaged,
}

impl fmt::Display for LastPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCursor(field) => write!(f, "the last one has no `{field}`"),
            Self::Short { size: ..=1 } => write!(f, "the last one is empty"),
            Self::Short { size } => write!(f, "the last one has fewer than {}", counted(size, "element")),
            Self::Total(total) => write!(f, "`{TOTAL}` is {}", grouped(total)),
            Self::NotPaged => write!(f, "the response names no next page"),
        }
    }
}

impl PageMerger {
    /// Reads `page` and `page_size` from the query. For a known list, adds the largest `page_size` if there is none.
    pub fn new(path: &str, query: &mut Vec<(String, String)>) -> Result<Self, Failure> {
        let number = |name: &str, query: &[(String, String)]| -> Result<Option<u64>, Failure> {
            let Some((_, text)) = query.iter().rev().find(|(key, _)| key == name) else { return Ok(None) };
            text.parse().map(Some).map_err(|_| Failure::usage(format!("{name} must be a whole number")))
        };
        if let Some(Paging::Index { largest }) = operations::paging(path)
            && number(SIZE, query)?.is_none()
        {
            query.push((SIZE.to_owned(), largest.to_string()));
        }
        let size = number(SIZE, query)?.map(|size| usize::try_from(size).unwrap_or(usize::MAX));
        // A cursor is not a number: only counted pages start from one.
        let page = if size.is_some() { number("page", query)?.unwrap_or(0) } else { 0 };
        Ok(Self { size, page, received: 0, seen: SeenElements::default(), merged: None, pages: 0, cursor: None })
    }

    /// Returns how many pages were added.
    pub fn count(&self) -> usize {
        self.pages
    }

    /// Adds a page.
    pub fn add(&mut self, text: &str) -> Result<NextPage, Failure> {
        self.pages += 1;
        let page = PageBody::parse(text);
        let count = page.as_ref().map_or(0, PageBody::count);
        let next = self.next(page.as_ref(), count);
        let identities = page.as_ref().map(PageBody::identities).unwrap_or_default();
        self.seen
            .add(identities.iter().map(String::as_str), matches!(next, NextPage::Select(..)))
            .map_err(|failure| failure.hint("the list may have no pages: try it without --paginate"))?;
        self.merged = Some(match (self.merged.take(), &page) {
            (None, _) => text.to_owned(),
            (Some(all), Some(page)) => page.append_to(&all).ok_or_else(different)?,
            (Some(_), None) => return Err(different()),
        });
        Ok(next)
    }

    /// Returns what follows a page with `count` elements.
    fn next(&mut self, page: Option<&PageBody>, count: usize) -> NextPage {
        self.received += count;
        for (field, parameter) in CURSORS {
            if let Some(value) = page.and_then(|page| page.cursor(field)) {
                self.cursor = Some(field);
                return NextPage::Select(parameter, value);
            }
        }
        // The last page may leave out the cursor that selected it.
        let without_value = || {
            CURSORS
                .into_iter()
                .map(|(field, _)| field)
                .find(|field| page.is_some_and(|page| page.field(field).is_some()))
        };
        if let Some(field) = self.cursor.or_else(without_value) {
            return NextPage::None(LastPage::NoCursor(field));
        }
        let total = page.and_then(|page| page.field(TOTAL)?.parse().ok());
        match (self.size, total) {
            (None, _) => NextPage::None(LastPage::NotPaged),
            (Some(size), _) if count == 0 || count < size => NextPage::None(LastPage::Short { size }),
            (_, Some(total)) if self.received >= total => NextPage::None(LastPage::Total(total)),
            _ => {
                self.page += 1;
                NextPage::Select("page", self.page.to_string())
            }
        }
    }

    /// Returns all pages as one; a single page unchanged.
    pub fn merged(self) -> String {
        self.merged.unwrap_or_default()
    }
}

fn different() -> Failure {
    Failure::new(Kind::Network, "the pages have different structures and cannot be merged")
        .hint("request each one with -F page=N")
}

/// A page by its structure.
enum PageBody {
    /// A list.
    List(Vec<Box<RawValue>>),
    /// An object with lists.
    Object(JsonObject),
    /// An object with a field of this name that contains the lists.
    Nested(String, JsonObject, JsonObject),
}

impl PageBody {
    fn parse(text: &str) -> Option<Self> {
        if let Ok(items) = serde_json::from_str(text) {
            return Some(Self::List(items));
        }
        let outer: JsonObject = serde_json::from_str(text).ok()?;
        let has_cursor = |object: &JsonObject| CURSORS.iter().any(|(field, _)| object.contains_key(*field));
        if has_cursor(&outer) {
            return Some(Self::Object(outer));
        }
        let inside = outer.iter().find_map(|(name, value)| {
            let inner: JsonObject = serde_json::from_str(value.get()).ok()?;
            has_cursor(&inner).then(|| (name.clone(), inner))
        });
        Some(match inside {
            Some((name, inner)) => Self::Nested(name, outer, inner),
            None => Self::Object(outer),
        })
    }

    fn body(&self) -> Option<&JsonObject> {
        match self {
            Self::List(_) => None,
            Self::Object(object) | Self::Nested(_, _, object) => Some(object),
        }
    }

    fn field(&self, name: &str) -> Option<&str> {
        self.body()?.get(name).map(|value| value.get())
    }

    /// Returns a cursor as text for the query; `None` if it is null or empty.
    fn cursor(&self, name: &str) -> Option<String> {
        let text = self.field(name)?;
        match serde_json::from_str(text).ok()? {
            serde_json::Value::Null => None,
            serde_json::Value::String(text) => Some(text).filter(|text| !text.is_empty()),
            _ => Some(text.to_owned()),
        }
    }

    /// Returns the number of elements, those of the longest list.
    fn count(&self) -> usize {
        self.lists().iter().map(Vec::len).max().unwrap_or(0)
    }

    fn lists(&self) -> Vec<Vec<Box<RawValue>>> {
        match self {
            Self::List(items) => vec![items.clone()],
            Self::Object(object) | Self::Nested(_, _, object) => {
                object.values().filter_map(|value| list(value)).collect()
            }
        }
    }

    /// Returns the identity of each element: the text of its ID, else all of its text.
    fn identities(&self) -> Vec<String> {
        let identity = |item: Box<RawValue>| {
            let is_id = |name: &str| name == "id" || name.ends_with("_id");
            let object = serde_json::from_str::<JsonObject>(item.get()).ok();
            let id = object.as_ref().and_then(|object| object.iter().find(|(name, _)| is_id(name)));
            id.map_or_else(|| item.get().to_owned(), |(_, id)| id.get().to_owned())
        };
        self.lists().into_iter().flatten().map(identity).collect()
    }

    /// Appends this page to the pages before: joins lists, and takes other fields from this page.
    fn append_to(&self, all: &str) -> Option<String> {
        match (Self::parse(all)?, self) {
            (Self::List(mut items), Self::List(more)) => {
                items.extend(more.iter().cloned());
                serde_json::to_string(&items).ok()
            }
            (Self::Object(mut all), Self::Object(page)) => {
                join(&mut all, page)?;
                serde_json::to_string(&all).ok()
            }
            (Self::Nested(name, mut outer, mut all), Self::Nested(same, _, page)) if name == *same => {
                join(&mut all, page)?;
                outer.insert(name, serde_json::value::to_raw_value(&all).ok()?);
                serde_json::to_string(&outer).ok()
            }
            _ => None,
        }
    }
}

fn list(value: &RawValue) -> Option<Vec<Box<RawValue>>> {
    serde_json::from_str(value.get()).ok()
}

fn join(all: &mut JsonObject, page: &JsonObject) -> Option<()> {
    all.retain(|name, _| page.contains_key(name) || !CURSORS.iter().any(|(field, _)| field == name));
    for (name, value) in page {
        let before = all.get(name).and_then(|value| list(value));
        let value = match (before, list(value)) {
            (Some(mut items), Some(more)) => {
                items.extend(more);
                serde_json::value::to_raw_value(&items).ok()?
            }
            _ => value.to_owned(),
        };
        all.insert(name.clone(), value);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(value: &str) -> NextPage {
        NextPage::Select("page", value.to_owned())
    }

    #[test]
    fn counts_pages_until_one_is_short() {
        let mut query = Vec::new();
        let mut pages = PageMerger::new("/v3/style_rules", &mut query).unwrap();
        assert_eq!(query, [("page_size".to_owned(), "25".to_owned())]);
        let full = format!(r#"{{"style_rules":[{}]}}"#, vec!["1.10"; 25].join(","));
        assert_eq!(pages.add(&full).unwrap(), page("1"));
        let end = pages.add(r#"{"style_rules":[2]}"#).unwrap();
        assert_eq!(end, NextPage::None(LastPage::Short { size: 25 }));
        assert_eq!(pages.merged(), format!(r#"{{"style_rules":[{},2]}}"#, vec!["1.10"; 25].join(",")));
    }

    #[test]
    fn stops_at_the_total_and_can_start_at_any_page() {
        let mut query = vec![("page".to_owned(), "3".to_owned()), ("page_size".to_owned(), "1".to_owned())];
        let mut pages = PageMerger::new("/v9/new", &mut query).unwrap();
        assert_eq!(pages.add(r#"{"things":[1],"total_count":2}"#).unwrap(), page("4"));
        let end = pages.add(r#"{"things":[2],"total_count":2}"#).unwrap();
        assert_eq!(end, NextPage::None(LastPage::Total(2)));
        assert_eq!(pages.merged(), r#"{"things":[1,2],"total_count":2}"#);
    }

    #[test]
    fn follows_a_cursor_at_any_level() {
        let mut pages = PageMerger::new("/v2/admin/analytics/custom-tags", &mut Vec::new()).unwrap();
        assert_eq!(pages.add(r#"{"r":{"next_page":7,"usage":[1]},"x":1}"#).unwrap(), page("7"));
        let end = pages.add(r#"{"r":{"next_page":null,"usage":[2]},"x":2}"#).unwrap();
        assert_eq!(end, NextPage::None(LastPage::NoCursor("next_page")));
        assert_eq!(pages.merged(), r#"{"r":{"next_page":null,"usage":[1,2]},"x":1}"#);
    }

    #[test]
    fn a_cursor_with_a_value_counts_beside_one_without() {
        let mut pages = PageMerger::new("/v9/new", &mut Vec::new()).unwrap();
        let next = NextPage::Select("page_cursor", "A".to_owned());
        assert_eq!(pages.add(r#"{"items":[1],"next_page":null,"next_page_cursor":"A"}"#).unwrap(), next);
        let end = pages.add(r#"{"items":[2],"next_page":null,"next_page_cursor":""}"#).unwrap();
        assert_eq!(end, NextPage::None(LastPage::NoCursor("next_page_cursor")));
        assert_eq!(pages.merged(), r#"{"items":[1,2],"next_page":null,"next_page_cursor":""}"#);
    }

    #[test]
    fn an_empty_cursor_is_the_end() {
        for (field, body) in [
            ("next_page", r#"{"items":[1],"next_page":""}"#),
            ("next_page_cursor", r#"{"items":[1],"next_page_cursor":""}"#),
        ] {
            let mut pages = PageMerger::new("/v9/new", &mut Vec::new()).unwrap();
            assert_eq!(pages.add(body).unwrap(), NextPage::None(LastPage::NoCursor(field)));
        }
    }

    #[test]
    fn a_last_page_without_elements_is_empty() {
        let why = |size| LastPage::Short { size }.to_string();
        assert_eq!(
            (why(1).as_str(), why(2).as_str()),
            ("the last one is empty", "the last one has fewer than 2 elements")
        );
    }

    #[test]
    fn a_repeated_page_is_an_error() {
        let mut pages = PageMerger::new("/v9/new", &mut vec![("page_size".into(), "1".into())]).unwrap();
        pages.add("[1]").unwrap();
        assert!(pages.add("[1]").is_err());
        let mut pages = PageMerger::new("/v9/new", &mut Vec::new()).unwrap();
        pages.add(r#"{"next_page":"a","l":[1]}"#).unwrap();
        assert!(pages.add(r#"{"next_page":"b","l":[1]}"#).is_err());
        let mut pages = PageMerger::new("/v9/new", &mut vec![("page_size".into(), "1".into())]).unwrap();
        pages.add(r#"{"l":[{"thing_id":7,"read":1}],"time":1}"#).unwrap();
        assert!(pages.add(r#"{"l":[{"thing_id":7,"read":2}],"time":2}"#).is_err());
    }

    #[test]
    fn a_list_without_pages_stays_unchanged() {
        let mut pages = PageMerger::new("/v3/glossaries", &mut Vec::new()).unwrap();
        let end = pages.add("{\"glossaries\": [ 1,2 ]}\n").unwrap();
        assert_eq!(end, NextPage::None(LastPage::NotPaged));
        assert_eq!(pages.merged(), "{\"glossaries\": [ 1,2 ]}\n");
    }
}
