//! `/v3/style_rules` and what is below it. Spec: "Style rule lists"; C23 to C26.
//!
//! Rules and options are an open set: their shape is checked, their names are not.

mod stored;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::routing::{get, put};
use serde::{Deserialize, Serialize};

use crate::sandbox::app::App;
use crate::sandbox::body;
use crate::sandbox::caller::Caller;
use crate::sandbox::ids;
use crate::sandbox::query::QueryParams;
use crate::sandbox::reply::{self, Refusal};
use crate::sandbox::state::{StateTables, kind};

use stored::{InstructionBody, List, Rules};

const LISTS: &str = "/v3/style_rules";
const LIST: &str = "/v3/style_rules/{style_id}";
const RULES: &str = "/v3/style_rules/{style_id}/configured_rules";
const INSTRUCTIONS: &str = "/v3/style_rules/{style_id}/custom_instructions";
const INSTRUCTION: &str = "/v3/style_rules/{style_id}/custom_instructions/{instruction_id}";

/// Custom instructions in one list.
const INSTRUCTIONS_MAX: usize = 200;

/// This resource's routes.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route(LISTS, get(list).post(create))
        .route(LIST, get(show).patch(rename).delete(delete))
        .route(RULES, put(replace_rules))
        .route(INSTRUCTIONS, axum::routing::post(add_instruction))
        .route(INSTRUCTION, get(show_instruction).put(replace_instruction).delete(delete_instruction))
}

#[derive(Deserialize)]
struct CreateBody {
    name: Option<String>,
    language: Option<String>,
    #[serde(default)]
    configured_rules: Option<Rules>,
    #[serde(default)]
    custom_instructions: Option<Vec<InstructionBody>>,
}

#[derive(Deserialize)]
struct RenameBody {
    name: Option<String>,
}

async fn list(_: Caller, State(app): State<App>, uri: Uri) -> Result<Response, Refusal> {
    #[derive(Serialize)]
    struct Page<T> {
        style_rules: Vec<T>,
    }
    let query = QueryParams::parse(&uri)?;
    let (page, size) = query.page()?;
    let detailed = match query.get("detailed") {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => return Err(Refusal::bad("Value for 'detailed' not supported.")),
    };
    let objects = app.state.list(kind::STYLE)?;
    let lists: Vec<List> = objects
        .into_iter()
        .skip(page.saturating_mul(size))
        .take(size)
        .map(|object| stored::read(object.body))
        .collect::<Result<_, _>>()?;
    Ok(if detailed {
        reply::ok(&Page { style_rules: lists })
    } else {
        reply::ok(&Page { style_rules: lists.iter().map(List::short).collect() })
    })
}

async fn create(caller: Caller, State(app): State<App>, headers: HeaderMap, body: Bytes) -> Result<Response, Refusal> {
    let body: CreateBody = body::json(&headers, &body)?;
    let name = stored::name(body.name)?;
    let language = stored::language(body.language)?;
    let bodies = body.custom_instructions.unwrap_or_default();
    if bodies.len() > INSTRUCTIONS_MAX {
        return Err(too_many());
    }
    let instructions = bodies.into_iter().map(InstructionBody::check).collect::<Result<_, _>>()?;
    let list = List::new(name, language, body.configured_rules.unwrap_or_default(), instructions);
    app.state.put(kind::STYLE, &list.style_id, &caller.key, &list.stored()?)?;
    Ok(reply::created(&list))
}

async fn show(_: Caller, State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let list = app.state.with(|store| find(store, &id))?;
    Ok(reply::ok(&list))
}

async fn rename(
    caller: Caller,
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let body: RenameBody = body::json(&headers, &body)?;
    let name = stored::name(body.name)?;
    let list = change(&app, &caller, &id, |list| {
        list.name = name;
        Ok(())
    })?;
    Ok(reply::ok(&list))
}

async fn replace_rules(
    caller: Caller,
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let rules: Rules = body::json(&headers, &body)?;
    let list = change(&app, &caller, &id, |list| {
        list.configured_rules = rules;
        Ok(())
    })?;
    Ok(reply::ok(&list))
}

async fn delete(_: Caller, State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    if app.state.delete(kind::STYLE, &uuid("style_id", &id)?)? { Ok(reply::empty()) } else { Err(unknown(&id)) }
}

async fn add_instruction(
    caller: Caller,
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let instruction = body::json::<InstructionBody>(&headers, &body)?.check()?;
    let list = change(&app, &caller, &id, |list| {
        if list.custom_instructions.len() >= INSTRUCTIONS_MAX {
            return Err(too_many());
        }
        list.custom_instructions.push(instruction);
        Ok(())
    })?;
    Ok(reply::created(&list))
}

async fn show_instruction(
    _: Caller,
    State(app): State<App>,
    Path((id, instruction)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let list = app.state.with(|store| find(store, &id))?;
    let at = position(&list, &instruction)?;
    list.custom_instructions.get(at).map(reply::ok).ok_or_else(|| unknown_instruction(&instruction))
}

async fn replace_instruction(
    caller: Caller,
    State(app): State<App>,
    Path((id, instruction)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let text = body::json::<InstructionBody>(&headers, &body)?.check()?;
    let mut replaced = None;
    change(&app, &caller, &id, |list| {
        let at = position(list, &instruction)?;
        if let Some(old) = list.custom_instructions.get_mut(at) {
            let id = std::mem::take(&mut old.id);
            *old = text;
            old.id = id;
            replaced = Some(old.clone());
        }
        Ok(())
    })?;
    replaced.as_ref().map(reply::ok).ok_or_else(|| unknown_instruction(&instruction))
}

async fn delete_instruction(
    caller: Caller,
    State(app): State<App>,
    Path((id, instruction)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    change(&app, &caller, &id, |list| {
        let at = position(list, &instruction)?;
        list.custom_instructions.remove(at);
        Ok(())
    })?;
    Ok(reply::empty())
}

/// Changes a list as one step, and counts its version up.
fn change(
    app: &App,
    caller: &Caller,
    id: &str,
    work: impl FnOnce(&mut List) -> Result<(), Refusal>,
) -> Result<List, Refusal> {
    app.state.change(|store| {
        let mut list = find(store, id)?;
        work(&mut list)?;
        list.changed();
        store.put(kind::STYLE, &list.style_id, &caller.key, &list.stored()?)?;
        Ok(list)
    })
}

fn find(store: &StateTables, id: &str) -> Result<List, Refusal> {
    let object = store.get(kind::STYLE, &uuid("style_id", id)?)?.ok_or_else(|| unknown(id))?;
    stored::read(object.body)
}

fn position(list: &List, id: &str) -> Result<usize, Refusal> {
    let id = uuid("instruction_id", id)?;
    list.custom_instructions.iter().position(|known| known.id == id).ok_or_else(|| unknown_instruction(&id))
}

fn uuid(what: &str, id: &str) -> Result<String, Refusal> {
    if ids::is_uuid(id) {
        Ok(id.to_ascii_lowercase())
    } else {
        Err(Refusal::bad(format!("Value for '{what}' not supported: '{id}' is no UUID.")))
    }
}

fn unknown(id: &str) -> Refusal {
    Refusal::not_found("Style rule list not found.").detail(format!("style_id {id}"))
}

fn unknown_instruction(id: &str) -> Refusal {
    Refusal::not_found("Custom instruction not found.").detail(format!("instruction_id {id}"))
}

fn too_many() -> Refusal {
    Refusal::bad(format!("A style rule list holds at most {INSTRUCTIONS_MAX} custom instructions."))
        .code("out_of_range")
}
