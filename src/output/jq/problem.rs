//! Errors of an expression, with their positions, and errors at run time.

use jaq_core::compile::Undefined;
use jaq_core::load::lex::{self, Lexer};
use jaq_core::load::{self, parse};
use jaq_core::{Exn, compile};
use jaq_json::Val;
use tulk_base::error::{Failure, Origin};

use super::value::to_json;

/// Maximum number of characters in a message that quotes a value.
const MESSAGE_CHARS: usize = 200;

/// Refuses modules, because they would be read from files.
pub fn refuse_modules(code: &str) -> Result<(), Failure> {
    let first = Lexer::new(code).lex().ok().and_then(|tokens| tokens.first().map(|token| token.0));
    match first {
        Some(word @ ("import" | "include" | "module")) => Err(failure_at(code, word, "modules are not supported")),
        _ => Ok(()),
    }
}

pub fn syntax_failure(code: &str, errors: load::Errors<&str, ()>) -> Failure {
    let failure = errors.into_iter().next().and_then(|(_, error)| match error {
        load::Error::Lex(errors) => errors.into_iter().next().map(|error| lexer_failure(code, error)),
        load::Error::Parse(errors) => errors.into_iter().next().map(|error| parser_failure(code, error)),
        load::Error::Io(_) => None,
    });
    failure.unwrap_or_else(|| Failure::usage("--jq: invalid expression"))
}

fn lexer_failure(code: &str, (expected, rest): lex::Error<&str>) -> Failure {
    use lex::Expect;
    let what = match expected {
        Expect::Delim(open) => {
            let close = match open {
                "(" => ")",
                "[" => "]",
                "{" => "}",
                quote => quote,
            };
            return failure_at(code, open, &format!("`{open}` without `{close}`"));
        }
        Expect::Token => "unexpected character".to_owned(),
        other => format!("expected {}", other.as_str()),
    };
    failure_at(code, rest, &what)
}

fn parser_failure(code: &str, (expected, found): parse::Error<&str>) -> Failure {
    use parse::Expect;
    let found_text = if found.is_empty() { "the end".to_owned() } else { format!("`{found}`") };
    let what = match expected {
        Expect::Nothing => format!("unexpected {found_text}"),
        Expect::Term => format!("expected a filter, found {found_text}"),
        Expect::Just(word) => format!("expected `{word}`, found {found_text}"),
        other => format!("expected {}, found {found_text}", other.as_str()),
    };
    failure_at(code, found, &what)
}

pub fn unknown_name_failure(code: &str, errors: compile::Errors<&str, ()>) -> Failure {
    let first = errors.into_iter().flat_map(|(_, errors)| errors).next();
    let Some((name, undefined)) = first else { return Failure::usage("--jq: invalid expression") };
    let what = match undefined {
        Undefined::Filter(0) => format!("unknown function `{name}`"),
        Undefined::Filter(1) => format!("unknown function `{name}` with 1 argument"),
        Undefined::Filter(count) => format!("unknown function `{name}` with {count} arguments"),
        other => format!("unknown {} `{name}`", other.as_str()),
    };
    let failure = failure_at(code, name, &what);
    let is_outside = matches!(name, "env" | "$ENV" | "input" | "inputs" | "debug" | "stderr" | "halt" | "halt_error");
    if is_outside {
        failure.hint("a filter sees only the result: it has no environment, input or exit code")
    } else {
        failure
    }
}

pub fn run_message(exception: Exn<'_, Val>) -> String {
    match exception.get_err() {
        Ok(error) => match error.into_val() {
            Val::TStr(text) => shorten(&String::from_utf8_lossy(&text)),
            value => shorten(&to_json(&value)),
        },
        Err(_) => "the expression ended unexpectedly".to_owned(),
    }
}

fn shorten(message: &str) -> String {
    match message.char_indices().nth(MESSAGE_CHARS) {
        Some((end, _)) => format!("{}…", message.get(..end).unwrap_or_default()),
        None => message.to_owned(),
    }
}

/// Returns a failure at a part of the code. `part` is a slice of `code`; any other text means the end of the code.
fn failure_at(code: &str, part: &str, what: &str) -> Failure {
    let offset = part.as_ptr().addr().wrapping_sub(code.as_ptr().addr());
    let before = code.get(..offset).unwrap_or(code);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    Failure::usage(what).at(Origin::at("--jq", line as u64, column as u64))
}
