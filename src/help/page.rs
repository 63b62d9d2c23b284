//! The help of a command, as clap prints it, with its examples in front.
//!
//! A command declares its examples with `after_help`, one command line each, and what needs more than a sentence in the second
//! and later paragraphs of its doc comment. Options that `-h` leaves out are marked `hide_short_help`.

use std::fmt::Write as _;

use clap::builder::styling::{Effects, Style};
use clap::builder::{PossibleValue, PossibleValuesParser, Resettable, StyledStr};
use clap::{Arg, Command, ValueEnum};

use crate::command::CommandSpec;

/// The widest line of a help text.
const WIDTH: usize = 100;
/// Headings look like those of clap.
pub const HEADING: Style = Style::new().effects(Effects::BOLD.insert(Effects::UNDERLINE));

/// How much of the help is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpDetail {
    /// One screen, for `-h`.
    Short,
    /// Everything, for `--help`.
    Long,
}

/// Returns the help of a command. The tree must be built.
pub fn page(command: &Command, detail: HelpDetail) -> StyledStr {
    let is_long = detail == HelpDetail::Long;
    let about = command.get_long_about().filter(|_| is_long).or(command.get_about()).cloned().unwrap_or_default();
    let is_own = |arg: &Arg| !arg.is_global_set();
    let mut text = start(&command.clone().about(about));
    let _ = write!(text, "\n{}\n", arguments(command, detail, is_own));
    if is_long {
        return format!("{text}\n{}", global_options(command)).into();
    }
    let is_left_out = |arg: &Arg| is_own(arg) && !arg.is_hide_set() && arg.is_hide_short_help_set();
    if command.get_long_about().is_some() || command.get_arguments().any(is_left_out) {
        let _ = write!(text, "\nAll options: {} --help", command.get_bin_name().unwrap_or_default());
    }
    text.push_str("\nGlobal options: tulk help global\n");
    text.into()
}

/// Returns what a command is for, its usage and its examples.
pub fn start(command: &Command) -> String {
    rendered(command.clone(), "{about}") + "\n\n" + &usage_and_examples(command)
}

/// Returns usage and examples of a command. Examples are never wrapped, so that they can be copied.
pub fn usage_and_examples(command: &Command) -> String {
    let mut text = rendered(command.clone(), "{usage-heading} {usage}") + "\n";
    let examples = examples(command);
    if !examples.is_empty() {
        let title = if examples.contains('\n') { "Examples" } else { "Example" };
        let _ = write!(text, "\n{HEADING}{title}:{HEADING:#}\n  {}\n", examples.replace('\n', "\n  "));
    }
    text
}

/// Returns the command lines that a command declares as its examples.
pub fn examples(command: &Command) -> String {
    command.get_after_help().map(ToString::to_string).unwrap_or_default()
}

/// Returns subcommands, arguments and options under their headings, those that are wanted.
pub fn arguments(command: &Command, detail: HelpDetail, is_wanted: impl Fn(&Arg) -> bool) -> String {
    let command = command.clone().mut_args(|arg| {
        let is_hidden = arg.is_hide_set() || !is_wanted(&arg);
        let arg = arg.hide(is_hidden).hide_env(true);
        // Headings have the order in which they occur.
        let arg = if is_hidden { arg.help_heading(Resettable::Reset) } else { arg };
        let arg =
            if arg.get_id() == "help" { arg.help("Print a summary with -h, everything with --help") } else { arg };
        // A switch with a value shows `<BOOL>`.
        let is_switch = arg.get_possible_values().iter().any(|value| value.get_name() == "true");
        let arg = if is_switch { arg.hide_possible_values(true) } else { arg };
        if detail == HelpDetail::Long { explained(arg) } else { arg }
    });
    rendered(command, "{all-args}")
}

/// Returns the global options that a command uses. A group has all, which may be given before the name of its command. `--format` has
/// only the formats that the command accepts.
pub fn global_options(command: &Command) -> String {
    let spec = CommandSpec::of(command).filter(|_| !command.has_subcommands());
    let uses = |arg: &Arg| arg.is_global_set() && spec.is_none_or(|spec| spec.uses(arg.get_id().as_str()));
    let options = command.get_arguments().filter(|arg| uses(arg)).cloned().map(|arg| {
        let arg = arg.help_heading("Global options");
        let Some(spec) = spec.filter(|_| arg.get_id() == "format") else { return arg };
        let values = spec.accepted_formats().iter().filter_map(ValueEnum::to_possible_value);
        arg.value_parser(PossibleValuesParser::new(values.collect::<Vec<PossibleValue>>()))
    });
    let list = Command::new("tulk").disable_help_flag(true).disable_version_flag(true).args(options);
    arguments(&list, HelpDetail::Long, |_| true) + "\n"
}

/// Adds everything about an option to its help: the long one, and its values with their meanings, one a line.
fn explained(arg: Arg) -> Arg {
    if arg.get_id() == "help" {
        return arg;
    }
    let mut help = arg.get_long_help().or(arg.get_help()).map(|help| help.ansi().to_string()).unwrap_or_default();
    let arg = arg.hide_short_help(false);
    let values = if arg.is_hide_possible_values_set() { Vec::new() } else { arg.get_possible_values() };
    let values: Vec<_> = values.iter().filter(|value| !value.is_hide_set()).collect();
    if values.iter().all(|value| value.get_help().is_none()) {
        return arg.help(help);
    }
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !defaults.is_empty() && !arg.is_hide_default_value_set() {
        let _ = write!(help, " [default: {}]", defaults.join(","));
    }
    let width = values.iter().map(|value| value.get_name().len()).max().unwrap_or_default();
    for value in values {
        let meaning = value.get_help().map(ToString::to_string).unwrap_or_default();
        let _ = write!(help, "\n  {:width$}  {meaning}", value.get_name());
    }
    arg.help(help).hide_possible_values(true).hide_default_value(true)
}

/// Returns what clap makes of a template.
pub fn rendered(command: Command, template: &'static str) -> String {
    let mut command = command.help_template(template).max_term_width(WIDTH);
    command.render_help().ansi().to_string().trim_end().to_owned()
}
