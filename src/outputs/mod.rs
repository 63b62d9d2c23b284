//! Destinations of the results of translate and write: the flags, one plan of all inputs and outputs, and the results of an earlier run.
//!
//! Input: the flags, the inputs and the targets. Output: passes over the inputs with their outputs, checked before anything
//! is sent; then the sinks of each pass, without those that an earlier run finished. A run with several outputs records the
//! finished ones in `tulk_store::runs`.

mod earlier_run;
mod output_run;
mod passes;
mod up_to_date;

pub use self::output_run::OutputArgs;
pub use self::output_run::{OpenPass, OutputRun, OutputSetup};
pub use self::passes::{PassSource, TextPass, passes, with_input_name};
pub use self::up_to_date::is_up_to_date;
