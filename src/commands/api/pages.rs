//! `--paginate`: requests page after page and merges them while they arrive, keeping numbers and unknown fields
//! unchanged.
//!
//! A cursor in the response selects the next page. Without cursors, pages are requested by number if the list is known to have
//! numbered pages, or if the request has a `page_size`.

use std::fmt::{self, Write as _};

use indexmap::IndexMap;
use serde_json::value::RawValue;
use tulk_base::error::{Failure, Kind};
use tulk_base::limits::LISTING_PAGES;
use tulk_base::numbers::{counted, grouped};
use tulk_base::shell;

use tulk_client::api::operations;
use tulk_client::http::answer_size::AnswerSize;
use tulk_client::http::endpoint::Paging;
use tulk_client::http::pages::{SeenCursors, SeenElements};

/// Response fields that select the next page, with the query parameter that takes their value.
const CURSORS: [(&str, &str); 2] = [("next_page", "page"), ("next_page_cursor", "page_cursor")];
const TOTAL: &str = "total_count";
const SIZE: &str = "page_size";
/// Maximum number of elements in all pages. Their hashes stay in memory to detect repeated elements.
const STREAMED_ELEMENTS: usize = 1_000_000;

/// Merges pages; writes the elements of the longest list as they arrive.
pub struct PageMerger {
    /// The `page_size`. `None` if there is none, or if the list is known to have cursors.
    full_page_len: Option<usize>,
    /// Whether only `total_count` tells if there are more pages.
    ends_at_total: bool,
    page: u64,
    received: usize,
    seen: SeenElements,
    cursors: SeenCursors,
    merged: Option<MergedPages>,
    pages: usize,
    cursor: Option<&'static str>, // field of the cursor that selected the latest page
}

type PageWriter<'a> = dyn FnMut(&str) -> Result<(), Failure> + 'a;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextPage {
    /// Set this query parameter to this value.
    Select(&'static str, String),
    None(LastPage),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastPage {
    /// The cursor field of the page is missing or empty.
    NoCursor(&'static str),
    /// The page has fewer elements than a full page.
    Short { size: usize },
    /// `total_count` elements were received.
    Total(usize),
    /// The response names no next page.
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
    /// Reads `page` and `page_size` from the query. Adds the largest `page_size` of a known list if none is given.
    pub fn new(path: &str, query: &mut Vec<(String, String)>) -> Result<Self, Failure> {
        let number = |name: &str, query: &[(String, String)]| -> Result<Option<u64>, Failure> {
            let Some((_, text)) = query.iter().rev().find(|(key, _)| key == name) else { return Ok(None) };
            text.parse().map(Some).map_err(|_| Failure::usage(format!("{name} must be a whole number")))
        };
        let paging = operations::paging(path);
        if let Some(Paging::Index { largest } | Paging::PageCursor { largest }) = paging
            && number(SIZE, query)?.is_none()
        {
            query.push((SIZE.to_owned(), largest.to_string()));
        }
        let has_cursor = matches!(paging, Some(Paging::Cursor | Paging::PageCursor { .. }));
        let full_page_len = number(SIZE, query)?.filter(|_| !has_cursor);
        let full_page_len = full_page_len.map(|full_page_len| usize::try_from(full_page_len).unwrap_or(usize::MAX));
        // Without the length of a full page, `page` may be a cursor.
        let page = if full_page_len.is_some() { number("page", query)?.unwrap_or(0) } else { 0 };
        let ends_at_total = paging == Some(Paging::UntilTotal);
        let (seen, cursors) = (SeenElements::default(), SeenCursors::default());
        Ok(Self {
            full_page_len,
            ends_at_total,
            page,
            received: 0,
            seen,
            cursors,
            merged: None,
            pages: 0,
            cursor: None,
        })
    }

    pub fn count(&self) -> usize {
        self.pages
    }

    /// Adds a page and writes what is final: a single page unchanged, otherwise the list elements as they arrive.
    pub fn add(&mut self, text: &str, write: &mut PageWriter<'_>) -> Result<NextPage, Failure> {
        self.pages += 1;
        let page = PageBody::parse(text);
        let next = self.next(page.as_ref(), page.as_ref().map_or(0, PageBody::longest_list_len));
        let has_more = matches!(next, NextPage::Select(..));
        let identities = page.as_ref().map(PageBody::identities).unwrap_or_default();
        self.seen
            .add(identities, has_more)
            .map_err(|failure| failure.hint("the list may have no pages: try it without --paginate"))?;
        if let (NextPage::Select(_, cursor), Some(_)) = (&next, self.cursor) {
            self.cursors.add(cursor)?;
        }
        if self.merged.is_none() && !has_more {
            write(text)?;
            return Ok(next);
        }
        let page = page.ok_or_else(structure_failure)?;
        let merged = match &mut self.merged {
            Some(merged) => merged,
            None => self.merged.insert(MergedPages::start(&page, write)?),
        };
        merged.add(page, write)?;
        match &next {
            NextPage::Select(parameter, value) => self.check_length(parameter, value)?,
            NextPage::None(_) => merged.end(write)?,
        }
        Ok(next)
    }

    fn check_length(&self, parameter: &str, value: &str) -> Result<(), Failure> {
        let what = if self.pages >= LISTING_PAGES {
            counted(LISTING_PAGES, "page")
        } else if self.received >= STREAMED_ELEMENTS {
            counted(STREAMED_ELEMENTS, "element")
        } else {
            return Ok(());
        };
        Err(Failure::new(Kind::Network, format!("the list has more than {what}")).hint(format!(
            "-F {parameter}={} requests the rest; a larger page_size needs fewer pages",
            shell::quote(value)
        )))
    }

    fn next(&mut self, page: Option<&PageBody>, count: usize) -> NextPage {
        self.received += count;
        for (field, parameter) in CURSORS {
            if let Some(value) = page.and_then(|page| page.cursor(field)) {
                self.cursor = Some(field);
                return NextPage::Select(parameter, value);
            }
        }
        let without_value = || {
            CURSORS
                .into_iter()
                .map(|(field, _)| field)
                .find(|field| page.is_some_and(|page| page.field(field).is_some()))
        };
        // The last page may omit the cursor field, so use the field that selected this page.
        if let Some(field) = self.cursor.or_else(without_value) {
            return NextPage::None(LastPage::NoCursor(field));
        }
        let total = page.and_then(|page| page.field(TOTAL)?.parse().ok());
        match (self.full_page_len, total) {
            (None, total) if !self.ends_at_total || total.is_none() || count == 0 => NextPage::None(LastPage::NotPaged),
            (Some(size), _) if count == 0 || count < size => NextPage::None(LastPage::Short { size }),
            (_, Some(total)) if self.received >= total => NextPage::None(LastPage::Total(total)),
            _ => {
                self.page += 1;
                NextPage::Select("page", self.page.to_string())
            }
        }
    }
}

fn structure_failure() -> Failure {
    Failure::new(Kind::Network, "the pages have different structures and cannot be merged")
        .hint("request each one with -F page=N")
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum PageShape {
    /// A top-level list. It is stored as a field with an empty name.
    List,
    Object,
    /// The object with the lists is nested in this field of an outer object.
    Nested(String),
}

/// A parsed page: the fields of the object that has the lists, as raw JSON.
struct PageBody<'a> {
    shape: PageShape,
    fields: IndexMap<String, PageField<'a>>,
    outer: IndexMap<String, &'a RawValue>,
}

enum PageField<'a> {
    List(Vec<&'a RawValue>),
    Value(&'a RawValue),
}

impl<'a> PageBody<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        if let Ok(items) = serde_json::from_str(text) {
            let fields = IndexMap::from([(String::new(), PageField::List(items))]);
            return Some(Self { shape: PageShape::List, fields, outer: IndexMap::new() });
        }
        let outer: IndexMap<String, &RawValue> = serde_json::from_str(text).ok()?;
        let has_cursor =
            |object: &IndexMap<String, &RawValue>| CURSORS.iter().any(|(field, _)| object.contains_key(*field));
        let nested = || {
            outer.iter().find_map(|(name, value)| {
                let inner: IndexMap<String, &RawValue> = serde_json::from_str(value.get()).ok()?;
                has_cursor(&inner).then(|| (name.clone(), inner))
            })
        };
        let inside = if has_cursor(&outer) { None } else { nested() };
        Some(match inside {
            Some((name, inner)) => Self { shape: PageShape::Nested(name), fields: with_lists(inner), outer },
            None => Self { shape: PageShape::Object, fields: with_lists(outer), outer: IndexMap::new() },
        })
    }

    /// Returns the raw JSON of a field that is not a list.
    fn field(&self, name: &str) -> Option<&'a str> {
        match self.fields.get(name)? {
            PageField::Value(value) => Some(value.get()),
            PageField::List(_) => None,
        }
    }

    /// Returns a cursor as query text; `None` if it is null or empty.
    fn cursor(&self, name: &str) -> Option<String> {
        let text = self.field(name)?;
        match serde_json::from_str(text).ok()? {
            serde_json::Value::Null => None,
            serde_json::Value::String(text) => Some(text).filter(|text| !text.is_empty()),
            _ => Some(text.to_owned()),
        }
    }

    fn longest_list_len(&self) -> usize {
        self.lists().map(|(_, items)| items.len()).max().unwrap_or(0)
    }

    fn lists(&self) -> impl Iterator<Item = (&str, &[&'a RawValue])> {
        self.fields.iter().filter_map(|(name, field)| match field {
            PageField::List(items) => Some((name.as_str(), items.as_slice())),
            PageField::Value(_) => None,
        })
    }

    /// Returns what identifies each element: its ID if it has one, else its complete JSON.
    fn identities(&self) -> Vec<&'a str> {
        let identity = |item: &&'a RawValue| {
            let is_id = |name: &str| name == "id" || name.ends_with("_id");
            let object: Option<IndexMap<String, &'a RawValue>> = serde_json::from_str(item.get()).ok();
            let id = object.as_ref().and_then(|object| object.iter().find(|(name, _)| is_id(name)));
            id.map_or_else(|| item.get(), |(_, id)| id.get())
        };
        self.lists().flat_map(|(_, items)| items).map(identity).collect()
    }
}

fn with_lists<'a>(fields: IndexMap<String, &'a RawValue>) -> IndexMap<String, PageField<'a>> {
    let field = |value: &'a RawValue| match serde_json::from_str(value.get()) {
        Ok(items) => PageField::List(items),
        Err(_) => PageField::Value(value),
    };
    fields.into_iter().map(|(name, value)| (name, field(value))).collect()
}

/// Merged pages: the longest list of the first page is streamed; the other fields of its object follow at the end, with the values of
/// the last page. Fields outside a nested object have the values of the first page.
struct MergedPages {
    shape: PageShape,
    /// Name of the streamed list, if the first page has a list.
    list: Option<String>,
    has_elements: bool,
    /// The other fields. Lists are joined.
    others: IndexMap<String, HeldField>,
    held_size: AnswerSize,
    /// JSON after the nested object: the remaining outer fields and the closing brace.
    outer_tail: String,
}

enum HeldField {
    List(Vec<Box<RawValue>>),
    Value(Box<RawValue>),
}

impl MergedPages {
    fn start(first: &PageBody<'_>, write: &mut PageWriter<'_>) -> Result<Self, Failure> {
        let longest = first.lists().max_by_key(|(_, items)| items.len());
        let list = longest.map(|(name, _)| name.to_owned());
        let mut outer_tail = String::new();
        if let PageShape::Nested(name) = &first.shape {
            write("{")?;
            let at = first.outer.get_index_of(name).unwrap_or_default();
            for (name, value) in first.outer.iter().take(at) {
                write(&format!("{}:{},", serde_json::to_string(name)?, value.get()))?;
            }
            write(&format!("{}:", serde_json::to_string(name)?))?;
            for (name, value) in first.outer.iter().skip(at + 1) {
                let _ = write!(outer_tail, ",{}:{}", serde_json::to_string(name)?, value.get());
            }
            outer_tail.push('}');
        }
        match &list {
            Some(_) if first.shape == PageShape::List => write("[")?,
            Some(name) => write(&format!("{{{}:[", serde_json::to_string(name)?))?,
            None => write("{")?,
        }
        let (others, held_size) = (IndexMap::new(), AnswerSize::default());
        Ok(Self { shape: first.shape.clone(), list, has_elements: false, others, held_size, outer_tail })
    }

    fn add(&mut self, page: PageBody<'_>, write: &mut PageWriter<'_>) -> Result<(), Failure> {
        if page.shape != self.shape {
            return Err(structure_failure());
        }
        self.others.retain(|name, _| page.fields.contains_key(name) || !CURSORS.iter().any(|(field, _)| field == name));
        for (name, field) in page.fields {
            match (field, self.others.get_mut(&name)) {
                (PageField::List(items), _) if self.list.as_ref() == Some(&name) => {
                    for item in items {
                        if std::mem::replace(&mut self.has_elements, true) {
                            write(",")?;
                        }
                        write(item.get())?;
                    }
                }
                (PageField::Value(_), _) if self.list.as_ref() == Some(&name) => return Err(structure_failure()),
                (PageField::List(items), Some(HeldField::List(held))) => {
                    items.iter().try_for_each(|item| count_held(&mut self.held_size, item.get()))?;
                    held.extend(items.into_iter().map(ToOwned::to_owned));
                }
                (PageField::List(items), _) => {
                    items.iter().try_for_each(|item| count_held(&mut self.held_size, item.get()))?;
                    let items = items.into_iter().map(ToOwned::to_owned).collect();
                    self.others.insert(name, HeldField::List(items));
                }
                (PageField::Value(value), before) => {
                    // The value replaces the one from the previous page, so count its size only once.
                    if before.is_none() {
                        let field = format!("{{{}:{}", serde_json::to_string(&name)?, value.get());
                        count_held(&mut self.held_size, &field)?;
                    }
                    self.others.insert(name, HeldField::Value(value.to_owned()));
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, write: &mut PageWriter<'_>) -> Result<(), Failure> {
        if self.list.is_some() {
            write("]")?;
        }
        let mut separator = if self.list.is_some() { "," } else { "" };
        for (name, field) in self.others.drain(..) {
            let value = match field {
                HeldField::List(items) => serde_json::value::to_raw_value(&items)?,
                HeldField::Value(value) => value,
            };
            write(&format!("{separator}{}:{}", serde_json::to_string(&name)?, value.get()))?;
            separator = ",";
        }
        if self.shape != PageShape::List {
            write("}")?;
        }
        write(&self.outer_tail)
    }
}

/// Counts JSON that is held until the last page. Fails if the total exceeds the limits of a response.
fn count_held(size: &mut AnswerSize, json: &str) -> Result<(), Failure> {
    size.add_page(json.as_bytes()).map_err(|excess| {
        Failure::new(Kind::Network, format!("the data outside the longest list of the pages {excess}"))
            .hint("request each page with -F page=N")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Written(PageMerger, String);

    impl Written {
        fn new(path: &str, query: &mut Vec<(String, String)>) -> Self {
            Self(PageMerger::new(path, query).unwrap(), String::new())
        }

        fn add(&mut self, text: &str) -> Result<NextPage, Failure> {
            let Self(pages, written) = self;
            pages.add(text, &mut |chunk| {
                written.push_str(chunk);
                Ok(())
            })
        }
    }

    fn page(value: &str) -> NextPage {
        NextPage::Select("page", value.to_owned())
    }

    #[test]
    fn counts_pages_until_one_is_short() {
        let mut query = Vec::new();
        let mut pages = Written::new("/v3/style_rules", &mut query);
        assert_eq!(query, [("page_size".to_owned(), "25".to_owned())]);
        let full = format!(r#"{{"style_rules":[{}]}}"#, vec!["1.10"; 25].join(","));
        assert_eq!(pages.add(&full).unwrap(), page("1"));
        let end = pages.add(r#"{"style_rules":[2]}"#).unwrap();
        assert_eq!(end, NextPage::None(LastPage::Short { size: 25 }));
        assert_eq!(pages.1, format!(r#"{{"style_rules":[{},2]}}"#, vec!["1.10"; 25].join(",")));
    }

    #[test]
    fn stops_at_the_total_and_can_start_at_any_page() {
        let mut query = vec![("page".to_owned(), "3".to_owned()), ("page_size".to_owned(), "1".to_owned())];
        let mut pages = Written::new("/v9/new", &mut query);
        assert_eq!(pages.add(r#"{"things":[1],"total_count":2}"#).unwrap(), page("4"));
        let end = pages.add(r#"{"things":[2],"total_count":2}"#).unwrap();
        assert_eq!(end, NextPage::None(LastPage::Total(2)));
        assert_eq!(pages.1, r#"{"things":[1,2],"total_count":2}"#);
    }

    #[test]
    fn follows_a_cursor_at_any_level() {
        let mut pages = Written::new("/v2/admin/analytics/custom-tags", &mut Vec::new());
        assert_eq!(pages.add(r#"{"r":{"next_page":7,"usage":[1]},"x":1}"#).unwrap(), page("7"));
        let end = pages.add(r#"{"r":{"next_page":null,"usage":[2]},"x":2}"#).unwrap();
        assert_eq!(end, NextPage::None(LastPage::NoCursor("next_page")));
        assert_eq!(pages.1, r#"{"r":{"usage":[1,2],"next_page":null},"x":1}"#);
    }

    #[test]
    fn a_list_with_cursors_has_no_page_numbers_and_refuses_a_repeated_cursor() {
        let path = "/v3/translation_memories/m/segments";
        let mut query = Vec::new();
        let mut pages = Written::new(path, &mut query);
        assert_eq!(query, [("page_size".to_owned(), "100".to_owned())]);
        let full = format!(r#"{{"segments":[{}]}}"#, vec!["1"; 100].join(","));
        assert_eq!(pages.add(&full).unwrap(), NextPage::None(LastPage::NotPaged));
        let mut pages = Written::new(path, &mut vec![("page_size".into(), "1".into())]);
        pages.add(r#"{"segments":[1],"next_page_cursor":"A"}"#).unwrap();
        pages.add(r#"{"segments":[2],"next_page_cursor":"B"}"#).unwrap();
        let failure = pages.add(r#"{"segments":[3],"next_page_cursor":"A"}"#).unwrap_err();
        assert_eq!(
            (failure.kind, failure.what.as_str()),
            (Kind::Network, "the service returned the same page cursor twice; the list would never end")
        );
    }

    #[test]
    fn follows_the_cursor_that_has_a_value() {
        let mut pages = Written::new("/v9/new", &mut Vec::new());
        let next = NextPage::Select("page_cursor", "A".to_owned());
        assert_eq!(pages.add(r#"{"items":[1],"next_page":null,"next_page_cursor":"A"}"#).unwrap(), next);
        let end = pages.add(r#"{"items":[2],"next_page":null,"next_page_cursor":""}"#).unwrap();
        assert_eq!(end, NextPage::None(LastPage::NoCursor("next_page_cursor")));
        assert_eq!(pages.1, r#"{"items":[1,2],"next_page":null,"next_page_cursor":""}"#);
    }

    #[test]
    fn fields_that_are_new_in_each_page_are_limited() {
        let mut pages = Written::new("/v9/new", &mut Vec::new());
        let page = |n: usize| {
            let fields: String = (0..1000).map(|field| format!(r#","{n}-{field}":1"#)).collect();
            format!(r#"{{"items":[{n}],"next_page":{}{fields}}}"#, n + 1)
        };
        let failure = (0..100).find_map(|n| pages.add(&page(n)).err()).unwrap();
        assert_eq!(
            failure.what,
            "the data outside the longest list of the pages has more than 50,000 objects and lists"
        );
        let mut same = Written::new("/v9/new", &mut Vec::new());
        let same_fields = |n: usize| {
            let start = format!(r#"{{"items":[{n}],"next_page":{}"#, n + 1);
            page(0).replacen(r#"{"items":[0],"next_page":1"#, &start, 1)
        };
        assert!((0..100).all(|n| same.add(&same_fields(n)).is_ok()));
    }

    #[test]
    fn an_empty_cursor_is_the_end() {
        for (field, body) in [
            ("next_page", r#"{"items":[1],"next_page":""}"#),
            ("next_page_cursor", r#"{"items":[1],"next_page_cursor":""}"#),
        ] {
            let mut pages = Written::new("/v9/new", &mut Vec::new());
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
        let mut pages = Written::new("/v9/new", &mut vec![("page_size".into(), "1".into())]);
        pages.add("[1]").unwrap();
        assert!(pages.add("[1]").is_err());
        let mut pages = Written::new("/v9/new", &mut Vec::new());
        pages.add(r#"{"next_page":"a","l":[1]}"#).unwrap();
        assert!(pages.add(r#"{"next_page":"b","l":[1]}"#).is_err());
        let mut pages = Written::new("/v9/new", &mut vec![("page_size".into(), "1".into())]);
        pages.add(r#"{"l":[{"thing_id":7,"read":1}],"time":1}"#).unwrap();
        assert!(pages.add(r#"{"l":[{"thing_id":7,"read":2}],"time":2}"#).is_err());
    }

    #[test]
    fn a_list_that_may_have_pages_ends_at_its_total() {
        let profiles = |ids: &str| format!(r#"{{"style_profiles":[{ids}],"total_count":3}}"#);
        let mut query = Vec::new();
        let mut pages = Written::new("/v3/style_profiles", &mut query);
        assert_eq!(query, [], "no page is requested");
        assert_eq!(pages.add(&profiles("1,2,3")).unwrap(), NextPage::None(LastPage::Total(3)));
        let mut pages = Written::new("/v3/style_profiles", &mut query);
        assert_eq!(pages.add(&profiles("1,2")).unwrap(), NextPage::Select("page", "1".to_owned()));
        assert_eq!(pages.add(&profiles("3")).unwrap(), NextPage::None(LastPage::Total(3)));
        assert_eq!(pages.1, r#"{"style_profiles":[1,2,3],"total_count":3}"#);
        let mut pages = Written::new("/v3/style_profiles", &mut query);
        assert_eq!(pages.add(r#"{"style_profiles":[1]}"#).unwrap(), NextPage::None(LastPage::NotPaged));
    }

    #[test]
    fn a_list_without_pages_stays_unchanged() {
        let mut pages = Written::new("/v3/glossaries", &mut Vec::new());
        let end = pages.add("{\"glossaries\": [ 1,2 ]}\n").unwrap();
        assert_eq!(end, NextPage::None(LastPage::NotPaged));
        assert_eq!(pages.1, "{\"glossaries\": [ 1,2 ]}\n");
    }

    #[test]
    fn elements_are_written_as_they_arrive_and_other_fields_at_the_end() {
        let mut pages = Written::new("/v9/new", &mut Vec::new());
        pages.add(r#"{"v":0,"r":{"time":1,"ids":[],"next_page":"a","l":[1, {"x": 1.10}]},"w":[0]}"#).unwrap();
        assert_eq!(pages.1, r#"{"v":0,"r":{"l":[1,{"x": 1.10}"#);
        pages.add(r#"{"v":1,"r":{"time":2,"ids":[5],"next_page":"b","l":[2],"new":true},"w":[1]}"#).unwrap();
        pages.add(r#"{"v":2,"r":{"ids":[6],"l":[3],"next_page":null}}"#).unwrap();
        assert_eq!(
            pages.1,
            r#"{"v":0,"r":{"l":[1,{"x": 1.10},2,3],"time":2,"ids":[5,6],"next_page":null,"new":true},"w":[0]}"#
        );
    }

    #[test]
    fn pages_without_a_list_are_merged_too() {
        let mut pages = Written::new("/v9/new", &mut Vec::new());
        pages.add(r#"{"next_page":"a","total":1}"#).unwrap();
        pages.add(r#"{"next_page":null,"l":[1]}"#).unwrap();
        assert_eq!(pages.1, r#"{"next_page":null,"total":1,"l":[1]}"#);
        let mut pages = Written::new("/v9/new", &mut vec![("page_size".into(), "1".into())]);
        pages.add("[1]").unwrap();
        pages.add("[]").unwrap();
        assert_eq!(pages.1, "[1]");
        let mut pages = Written::new("/v9/new", &mut vec![("page_size".into(), "1".into())]);
        pages.add("[1]").unwrap();
        assert!(pages.add(r#"{"l":[2]}"#).unwrap_err().what.contains("different structures"));
    }

    #[test]
    fn an_endless_list_ends_at_the_limit_of_pages() {
        let mut pages = Written::new("/v9/new", &mut Vec::new());
        let mut add = |n: usize| pages.add(&format!(r#"{{"l":[{n}],"next_page":"a {n}"}}"#)).err();
        let (count, failure) = (1..2000).find_map(|n| add(n).map(|failure| (n, failure))).unwrap();
        assert_eq!(
            (count, failure.kind, failure.what.as_str()),
            (1000, Kind::Network, "the list has more than 1,000 pages")
        );
        let hint = "-F page='a 1000' requests the rest; a larger page_size needs fewer pages";
        assert_eq!(failure.hint.as_deref(), Some(hint));
    }

    #[test]
    fn refuses_too_many_elements_in_lists_that_are_kept_until_the_last_page() {
        let mut pages = Written::new("/v9/new", &mut Vec::new());
        let (long, short) = (vec!["{}"; 30_000].join(","), vec!["[0]"; 24_000].join(","));
        let page = |n: usize| format!(r#"{{"l":[{long},{n}],"other":[{short}],"next_page":{n}}}"#);
        pages.add(&page(1)).unwrap();
        pages.add(&page(2)).unwrap();
        assert!(pages.add(&page(3)).unwrap_err().what.ends_with("has more than 50,000 objects and lists"));
    }
}
