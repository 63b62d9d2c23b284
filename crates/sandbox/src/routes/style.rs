//! `/v3/style_rules`: style rule lists with their configured rules and custom instructions. The structure of the rules is always
//! checked, their names only with `--strict`, because the service may add new ones. See docs/service.md, "Style rules".

mod stored;

pub(super) use self::stored::applied_instructions;
pub(crate) use self::stored::{SeededInstruction, seeded_style};

use axum::Router;
use axum::extract::Path;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::{get, put};
use serde::{Deserialize, Serialize};
use serde_json::json;

use self::stored::{InstructionBody, StoredInstruction, StoredRules, StoredStyle};
use super::fields::{check_uuid, page_items, unsupported};
use super::json_body::JsonBody;
use crate::app::App;
use crate::auth::Caller;
use crate::ids;
use crate::query::QueryParams;
use crate::reply::{self, Refusal};
use crate::sessions::Sessions;
use crate::state::{StateTables, kind};
use crate::strict::check_rules;

const LISTS: &str = "/v3/style_rules";
const LIST: &str = "/v3/style_rules/{style_id}";
const RULES: &str = "/v3/style_rules/{style_id}/configured_rules";
const INSTRUCTIONS: &str = "/v3/style_rules/{style_id}/custom_instructions";
const INSTRUCTION: &str = "/v3/style_rules/{style_id}/custom_instructions/{instruction_id}";

const INSTRUCTIONS_MAX: usize = 200;

pub(super) fn routes() -> Router<Sessions> {
    Router::new()
        .route(LISTS, get(list).post(create))
        .route(LIST, get(show).patch(rename).delete(delete))
        .route(RULES, put(replace_rules))
        .route(INSTRUCTIONS, axum::routing::post(add_instruction))
        .route(INSTRUCTION, get(show_instruction).put(replace_instruction).delete(delete_instruction))
}

#[derive(Deserialize)]
struct CreateStyleBody {
    name: Option<String>,
    language: Option<String>,
    #[serde(default)]
    configured_rules: Option<StoredRules>,
    #[serde(default)]
    custom_instructions: Option<Vec<InstructionBody>>,
}

#[derive(Deserialize)]
struct RenameStyleBody {
    name: Option<String>,
}

/// The fields of the list, with the new instruction beside them: some clients read the list, others the instruction.
#[derive(Serialize)]
struct AddedInstruction {
    #[serde(flatten)]
    style: StoredStyle,
    #[serde(flatten)]
    instruction: StoredInstruction,
}

async fn list(_: Caller, app: App, uri: Uri) -> Result<Response, Refusal> {
    #[derive(Serialize)]
    struct StylePage<T> {
        style_rules: Vec<T>,
    }
    let query = QueryParams::parse(&uri)?;
    let page = query.page()?;
    let detailed = match query.get("detailed") {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => return Err(unsupported("detailed")),
    };
    let objects = app.state.list(kind::STYLE)?;
    let styles: Vec<StoredStyle> =
        page_items(objects, page).map(|object| StoredStyle::from_body(object.body)).collect::<Result<_, _>>()?;
    Ok(if detailed {
        reply::ok(&StylePage { style_rules: styles })
    } else {
        reply::ok(&StylePage { style_rules: styles.into_iter().map(|style| style.summary).collect() })
    })
}

async fn create(caller: Caller, app: App, JsonBody(body): JsonBody<CreateStyleBody>) -> Result<Response, Refusal> {
    let name = stored::check_name(body.name)?;
    let language = stored::check_language(app.options.rules, body.language)?;
    let bodies = body.custom_instructions.unwrap_or_default();
    if bodies.len() > INSTRUCTIONS_MAX {
        return Err(too_many_instructions());
    }
    let instructions = bodies.into_iter().map(InstructionBody::check).collect::<Result<_, _>>()?;
    let rules = body.configured_rules.unwrap_or_default();
    check_known_rules(&app, &rules)?;
    let style = StoredStyle::new(ids::uuid(), name, language, rules, instructions);
    app.state.put(kind::STYLE, &style.summary.style_id, &caller.key, &json!(style))?;
    Ok(reply::created(&style))
}

async fn show(_: Caller, app: App, Path(id): Path<String>) -> Result<Response, Refusal> {
    let style = app.state.with_tables(|store| find(store, &id))?;
    Ok(reply::ok(&style))
}

async fn rename(
    caller: Caller,
    app: App,
    Path(id): Path<String>,
    JsonBody(body): JsonBody<RenameStyleBody>,
) -> Result<Response, Refusal> {
    let name = stored::check_name(body.name)?;
    let style = change(&app, &caller, &id, |style| {
        style.summary.name = name;
        Ok(())
    })?;
    Ok(reply::ok(&style))
}

async fn replace_rules(
    caller: Caller,
    app: App,
    Path(id): Path<String>,
    JsonBody(rules): JsonBody<StoredRules>,
) -> Result<Response, Refusal> {
    check_known_rules(&app, &rules)?;
    let style = change(&app, &caller, &id, |style| {
        style.configured_rules = rules;
        Ok(())
    })?;
    Ok(reply::ok(&style))
}

async fn delete(_: Caller, app: App, Path(id): Path<String>) -> Result<Response, Refusal> {
    if app.state.delete(kind::STYLE, &check_uuid("style_id", &id)?)? {
        Ok(reply::no_content())
    } else {
        Err(stored::unknown_style(&id))
    }
}

async fn add_instruction(
    caller: Caller,
    app: App,
    Path(id): Path<String>,
    JsonBody(body): JsonBody<InstructionBody>,
) -> Result<Response, Refusal> {
    let instruction = body.check()?;
    let style = change(&app, &caller, &id, |style| {
        if style.custom_instructions.len() >= INSTRUCTIONS_MAX {
            return Err(too_many_instructions());
        }
        style.custom_instructions.push(instruction.clone());
        Ok(())
    })?;
    Ok(reply::created(&AddedInstruction { style, instruction }))
}

async fn show_instruction(
    _: Caller,
    app: App,
    Path((id, instruction)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let style = app.state.with_tables(|store| find(store, &id))?;
    let at = instruction_index(&style, &instruction)?;
    style.custom_instructions.get(at).map(reply::ok).ok_or_else(|| unknown_instruction(&instruction))
}

async fn replace_instruction(
    caller: Caller,
    app: App,
    Path((id, instruction)): Path<(String, String)>,
    JsonBody(body): JsonBody<InstructionBody>,
) -> Result<Response, Refusal> {
    let new = body.check()?;
    let mut replaced = None;
    change(&app, &caller, &id, |style| {
        let at = instruction_index(style, &instruction)?;
        if let Some(old) = style.custom_instructions.get_mut(at) {
            let id = std::mem::take(&mut old.id);
            *old = new;
            old.id = id;
            replaced = Some(old.clone());
        }
        Ok(())
    })?;
    replaced.as_ref().map(reply::ok).ok_or_else(|| unknown_instruction(&instruction))
}

async fn delete_instruction(
    caller: Caller,
    app: App,
    Path((id, instruction)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    change(&app, &caller, &id, |style| {
        let at = instruction_index(style, &instruction)?;
        style.custom_instructions.remove(at);
        Ok(())
    })?;
    Ok(reply::no_content())
}

fn check_known_rules(app: &App, rules: &StoredRules) -> Result<(), Refusal> {
    if app.options.strict { check_rules(rules) } else { Ok(()) }
}

/// Changes a style rule list in one transaction and increments its version.
fn change(
    app: &App,
    caller: &Caller,
    id: &str,
    work: impl FnOnce(&mut StoredStyle) -> Result<(), Refusal>,
) -> Result<StoredStyle, Refusal> {
    app.state.in_transaction(|store| {
        let mut style = find(store, id)?;
        work(&mut style)?;
        style.increment_version();
        store.put(kind::STYLE, &style.summary.style_id, &caller.key, &json!(style))?;
        Ok(style)
    })
}

fn find(store: &StateTables, id: &str) -> Result<StoredStyle, Refusal> {
    let object = store.get(kind::STYLE, &check_uuid("style_id", id)?)?.ok_or_else(|| stored::unknown_style(id))?;
    StoredStyle::from_body(object.body)
}

fn instruction_index(style: &StoredStyle, id: &str) -> Result<usize, Refusal> {
    let id = check_uuid("instruction_id", id)?;
    style.custom_instructions.iter().position(|known| known.id == id).ok_or_else(|| unknown_instruction(&id))
}

fn unknown_instruction(id: &str) -> Refusal {
    Refusal::not_found("Custom instruction not found.").detail(format!("instruction_id {id}"))
}

fn too_many_instructions() -> Refusal {
    Refusal::bad_request(format!("A style rule list has at most {INSTRUCTIONS_MAX} custom instructions."))
        .code("out_of_range")
}
