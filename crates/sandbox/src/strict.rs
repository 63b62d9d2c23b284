//! Checks of a strict sandbox (`--strict`), which refuses unknown fields, parameters and style rules that the service
//! ignores.
//!
//! The known fields of a body are those of the type it is parsed into, so they are not listed again. The parameters of
//! queries are listed here, and the known style rules in `style_rules.tsv`. The service has a single list of style
//! rules and does not document which of them apply to which language. See docs/service.md, "Style rules".

use std::collections::BTreeMap;

use axum::extract::{MatchedPath, Request};
use axum::http::request::Parts;
use axum::http::{Extensions, Method};
use serde::{Deserialize, Deserializer};
use serde_ignored::Path;

use super::app::App;
use super::query::QueryParams;
use super::reply::Refusal;

/// Query parameters by operation. Operations without parameters are not listed.
const QUERY_PARAMETERS: &[(&str, &[&str])] = &[
    ("DELETE /v3/glossaries/{glossary_id}/dictionaries", &["source_lang", "target_lang"]),
    ("DELETE /v3/spoken-terms/{spoken_terms_id}/term-lists", &["lang"]),
    ("GET /v1/jobs/files/{job}/results/{number}", &["signature"]),
    ("GET /v1/jobs/voice/translate/{job_id}", &["include", "include[]"]),
    ("GET /v2/admin/analytics", &["start_date", "end_date", "group_by"]),
    ("GET /v2/admin/analytics/custom-tags", &["start_date", "end_date", "aggregate_by", "page"]),
    ("GET /v2/admin/analytics/language-pairs", &["start_date", "end_date", "group_by", "aggregate_by", "page"]),
    ("GET /v2/languages", &["type"]),
    ("GET /v3/glossaries/{glossary_id}/entries", &["source_lang", "target_lang"]),
    ("GET /v3/languages", &["resource", "include", "product"]),
    ("GET /v3/spoken-terms/{spoken_terms_id}/entries", &["lang"]),
    ("GET /v3/style_profiles", &["page", "page_size"]),
    ("GET /v3/style_rules", &["detailed", "page", "page_size"]),
    ("GET /v3/translation_memories", &["page", "page_size"]),
    (
        "GET /v3/translation_memories/{translation_memory_id}/segments",
        &["page_size", "page_cursor", "filter_text", "filter_case_sensitive"],
    ),
    ("GET /v3/voice/realtime", &["token"]),
    ("GET /v3/voice/realtime/connect", &["token"]),
    ("POST /v1/jobs/voice/translate", &["include", "include[]"]),
    ("PUT /v1/jobs/files/{job}/source", &["signature"]),
];

/// How to treat fields of a body that its operation does not know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum UnknownFields {
    /// Ignore them, like the service.
    #[default]
    Ignored,
    /// Refuse them, with the name of the operation in the message, such as `POST /v2/translate`.
    Refused(String),
}

impl UnknownFields {
    pub fn of(request: &Request) -> Self {
        match request.extensions().get::<App>() {
            Some(app) if app.options.strict => Self::Refused(operation(request.method(), request.extensions())),
            _ => Self::Ignored,
        }
    }

    /// Reads a value and returns it with the names of unknown fields, which are collected only if they are refused.
    pub fn read<'de, T, D>(&self, deserializer: D) -> Result<(T, Vec<String>), D::Error>
    where
        T: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        let mut unknown = Vec::new();
        let value = match self {
            Self::Ignored => T::deserialize(deserializer)?,
            Self::Refused(_) => serde_ignored::deserialize(deserializer, |path| unknown.push(field_name(&path)))?,
        };
        Ok((value, unknown))
    }

    /// Refuses unknown fields with 400, unless they are ignored.
    pub fn check<T: AsRef<str>>(&self, unknown: &[T]) -> Result<(), Refusal> {
        match self {
            Self::Refused(operation) if !unknown.is_empty() => Err(refusal(operation, "field", unknown)),
            _ => Ok(()),
        }
    }
}

/// Refuses unknown query parameters with 400.
pub(super) fn check_query(parts: &Parts) -> Result<(), Refusal> {
    if parts.uri.query().is_none_or(str::is_empty) {
        return Ok(());
    }
    let operation = operation(&parts.method, &parts.extensions);
    let known = QUERY_PARAMETERS.iter().find(|(name, _)| *name == operation).map_or(&[][..], |(_, names)| names);
    let query = QueryParams::parse(&parts.uri)?;
    let unknown: Vec<&str> = query.iter().map(|(name, _)| name).filter(|name| !known.contains(name)).collect();
    if unknown.is_empty() { Ok(()) } else { Err(refusal(&operation, "query parameter", &unknown)) }
}

/// Returns the name of an operation: the method and the path with placeholders.
fn operation(method: &Method, extensions: &Extensions) -> String {
    let method = if method == Method::HEAD { &Method::GET } else { method };
    let path = extensions.get::<MatchedPath>().map_or("this address", MatchedPath::as_str);
    format!("{method} {path}")
}

fn refusal<T: AsRef<str>>(operation: &str, what: &str, unknown: &[T]) -> Refusal {
    let names: Vec<String> = unknown.iter().map(|name| format!("'{}'", name.as_ref())).collect();
    let message = match names.as_slice() {
        [one] => format!("Parameter {one} not supported."),
        several => format!("Parameters {} not supported.", several.join(", ")),
    };
    let plural = if names.len() == 1 { "" } else { "s" };
    Refusal::bad_request(message)
        .detail(format!("{operation} has no such {what}{plural} (--strict)"))
        .code("unknown_parameter")
}

/// Formats the path of a field as in forms: `dictionaries[0].entries`.
fn field_name(path: &Path) -> String {
    match path {
        Path::Root => String::new(),
        Path::Seq { parent, index } => format!("{}[{index}]", field_name(parent)),
        Path::Map { parent, key } => match field_name(parent) {
            parent if parent.is_empty() => key.clone(),
            parent => format!("{parent}.{key}"),
        },
        Path::Some { parent } | Path::NewtypeStruct { parent } | Path::NewtypeVariant { parent } => field_name(parent),
    }
}

/// Category, rule and options of each style rule, sorted.
const STYLE_RULES: &str = include_str!("style_rules.tsv");

/// Refuses unknown style rule categories, rules and options with 400.
pub(crate) fn check_rules(rules: &BTreeMap<String, BTreeMap<String, String>>) -> Result<(), Refusal> {
    for (category, rules) in rules {
        if !style_rules().any(|(known, ..)| known == category) {
            let mut known: Vec<&str> = style_rules().map(|(category, ..)| category).collect();
            known.dedup();
            return Err(unknown_style("category", category, &known.join(", ")));
        }
        for (rule, option) in rules {
            let found = style_rules().find(|(in_category, known, _)| in_category == category && known == rule);
            let Some((.., options)) = found else {
                let known = style_rules().filter(|(in_category, ..)| in_category == category).map(|(_, rule, _)| rule);
                return Err(unknown_style(
                    "rule",
                    &format!("{category}.{rule}"),
                    &known.collect::<Vec<_>>().join(", "),
                ));
            };
            let options: Vec<&str> = options.split('\t').collect();
            if !options.contains(&option.as_str()) {
                return Err(unknown_style("option", &format!("{category}.{rule}={option}"), &options.join(", ")));
            }
        }
    }
    Ok(())
}

fn style_rules() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    STYLE_RULES.lines().filter_map(|line| {
        let (category, rest) = line.split_once('\t')?;
        let (rule, options) = rest.split_once('\t')?;
        Some((category, rule, options))
    })
}

fn unknown_style(what: &str, name: &str, known: &str) -> Refusal {
    Refusal::bad_request(format!("Style {what} '{name}' not supported."))
        .detail(format!("known (--strict): {known}"))
        .code("unknown_style_rule")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Collects the names in all calls `query.get("name")` of the routes.
    fn names_in_routes(dir: &std::path::Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.ends_with("control") {
                // The sandbox's own routes always refuse unknown parameters.
            } else if path.is_dir() {
                names_in_routes(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let calls = text.split("query.get(\"").skip(1);
                found.extend(calls.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
            }
        }
    }

    #[test]
    fn every_query_parameter_of_the_routes_is_listed() {
        let mut names = Vec::new();
        names_in_routes(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/routes"), &mut names);
        assert!(names.len() > 5, "{names:?}");
        for name in names {
            assert!(QUERY_PARAMETERS.iter().any(|(_, known)| known.contains(&name.as_str())), "{name}");
        }
    }

    #[test]
    fn names_fields_by_their_path() {
        #[derive(Deserialize)]
        struct Known {
            #[allow(dead_code)]
            name: String,
            #[allow(dead_code)]
            list: Option<Vec<Inner>>,
        }
        #[derive(Deserialize)]
        struct Inner {
            #[allow(dead_code)]
            a: u8,
        }
        let body = r#"{"name": "n", "colour": {"x": 1}, "list": [{"a": 1}, {"a": 2, "b": 3}]}"#;
        let policy = UnknownFields::Refused("POST /x".to_owned());
        let (_, unknown) = policy.read::<Known, _>(&mut serde_json::Deserializer::from_str(body)).unwrap();
        assert_eq!(unknown, ["colour", "list[1].b"]);
        let refusal = policy.check(&unknown).unwrap_err();
        assert_eq!(
            (refusal.status, refusal.message.as_str()),
            (400, "Parameters 'colour', 'list[1].b' not supported.")
        );
        assert_eq!(UnknownFields::Ignored.check(&unknown), Ok(()));
    }

    fn rules(category: &str, rule: &str, option: &str) -> BTreeMap<String, BTreeMap<String, String>> {
        BTreeMap::from([(category.to_owned(), BTreeMap::from([(rule.to_owned(), option.to_owned())]))])
    }

    #[test]
    fn the_table_is_complete_sorted_and_without_repetition() {
        let all: Vec<_> = style_rules().collect();
        assert_eq!(all.len(), STYLE_RULES.lines().count());
        assert_eq!(all.len(), 159);
        assert!(all.is_sorted_by_key(|(category, rule, _)| (*category, *rule)));
        assert!(all.windows(2).all(|pair| (pair[0].0, pair[0].1) != (pair[1].0, pair[1].1)));
        let mut options = 0;
        for (_, rule, list) in all {
            let list: Vec<&str> = list.split('\t').collect();
            assert!(list.is_sorted() && list.windows(2).all(|pair| pair[0] != pair[1]), "{rule}");
            options += list.len();
        }
        assert_eq!(options, 518);
    }

    #[test]
    fn refuses_what_is_not_in_the_table() {
        assert_eq!(check_rules(&rules("punctuation", "serial_comma", "use")), Ok(()));
        assert_eq!(check_rules(&BTreeMap::new()), Ok(()));
        for (category, rule, option, message) in [
            ("colours", "x", "y", "Style category 'colours' not supported."),
            ("punctuation", "x", "y", "Style rule 'punctuation.x' not supported."),
            ("punctuation", "serial_comma", "y", "Style option 'punctuation.serial_comma=y' not supported."),
            ("numbers", "serial_comma", "use", "Style rule 'numbers.serial_comma' not supported."),
        ] {
            let refusal = check_rules(&rules(category, rule, option)).unwrap_err();
            assert_eq!((refusal.status, refusal.message.as_str()), (400, message));
        }
    }
}
