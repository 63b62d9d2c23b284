//! The jq language of `--jq`: an expression is compiled once and run on JSON texts.
//!
//! Modules, `input`, `env`, `halt` and `debug` are not supported, because a filter sees only the result. Where jq and the jaq
//! library differ, `definitions.jq` and `functions` implement the behaviour of jq.

mod functions;
mod interpolation;
mod problem;
mod value;

use jaq_core::data::JustLut;
use jaq_core::load::parse::Def;
use jaq_core::load::{Arena, File, Loader, parse};
use jaq_core::{Compiler, Ctx, Filter, Vars};
use jaq_json::Val;
use tulk_base::error::Failure;

pub use self::value::to_json;

type Data = JustLut<Val>;

/// Definitions of the library that are omitted: an expression has access only to the result, and `tostring` is a function here.
const OMITTED_DEFINITIONS: &[&str] = &["debug", "halt", "halt_error", "stderr", "tostring"];

/// Functions of the library that are omitted: they reach beyond the result, or are replaced.
const OMITTED_FUNCTIONS: &[&str] =
    &["debug_empty", "env", "fromjson", "halt", "matches", "split_", "split_matches", "stderr_empty", "tojson"];

/// A compiled expression.
pub struct JqProgram {
    filter: Filter<Data>,
}

impl JqProgram {
    /// Compiles an expression. The failure contains the position of the error.
    pub fn compile(code: &str) -> Result<Self, Failure> {
        problem::refuse_modules(code)?;
        let own = parse(include_str!("definitions.jq"), |parser| parser.defs()).unwrap_or_default();
        let library = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
        let library = library.filter(|definition| !OMITTED_DEFINITIONS.contains(&definition.name));
        let mut definitions: Vec<Def<&str>> = library.chain(own).collect();
        let functions = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
        let functions = functions.filter(|(name, ..)| !OMITTED_FUNCTIONS.contains(name)).chain(functions::all());
        let arena = Arena::default();
        // Code that cannot be parsed is loaded unchanged, so that the loader reports its errors.
        let main = interpolation::definition(code);
        let code_or_call = if main.is_some() { interpolation::NAME } else { code };
        definitions.extend(main);
        let modules = Loader::new(definitions).load(&arena, File { code: code_or_call, path: () });
        let modules = modules.map_err(|errors| problem::syntax_failure(code, errors))?;
        let compiled = Compiler::default().with_funs(functions).compile(modules);
        let filter = compiled.map_err(|errors| problem::unknown_name_failure(code, errors))?;
        Ok(Self { filter })
    }

    /// Runs the program on a JSON text, and passes each output to `each`. Stops at the first error of the program or of `each`.
    pub fn run(&self, json: &str, mut each: impl FnMut(&Val) -> Result<(), Failure>) -> Result<(), JqRunError> {
        let input = value::parse(json).map_err(|error| JqRunError::Program(format!("the result {error}")))?;
        let context = Ctx::<Data>::new(&self.filter.lut, Vars::new([]));
        for output in self.filter.id.run((context, input)) {
            match output {
                Ok(value) => each(&value).map_err(JqRunError::Output)?,
                Err(exception) => return Err(JqRunError::Program(problem::run_message(exception))),
            }
        }
        Ok(())
    }
}

/// Reason why a run ended early.
pub enum JqRunError {
    /// The program failed, with this message.
    Program(String),
    /// An output could not be handled.
    Output(Failure),
}

#[cfg(test)]
mod tests;
