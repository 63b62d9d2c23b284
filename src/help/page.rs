//! The help of a command: rendered by clap, with the examples before the options.
//!
//! A command declares its examples with `after_help`, one command line each. Longer explanations are the second and later
//! paragraphs of its doc comment. If a command declares common options, `-h` lists only these.

use std::fmt::Write as _;

use clap::builder::styling::{Effects, Style};
use clap::builder::{PossibleValue, Resettable, StyledStr};
use clap::{Arg, Command, ValueEnum};

use super::SettingList;
use crate::command::CommandSpec;

const WIDTH: usize = 100;
const EXAMPLES: usize = 2;
/// If a group has more commands than this, its `-h` has no examples.
const MAX_COMMANDS_WITH_EXAMPLES: usize = 12;
/// If an option has more values than this, `-h` lists only this many.
const MAX_LISTED_VALUES: usize = 3;
const SHARED_HEADING: &str = "Shared options";
/// Style of headings, the same as clap's.
pub const HEADING: Style = Style::new().effects(Effects::BOLD.insert(Effects::UNDERLINE));
/// Last line of `--help`.
pub const OPTIONS_POINTER: &str = "Options of every command, such as --server and --quiet: tulk help options\n";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpDetail {
    /// Half a screen, for `-h`.
    Short,
    /// Everything, for `--help`.
    Long,
}

/// Returns the help of a command. The tree must be built.
pub fn page(command: &Command, detail: HelpDetail) -> StyledStr {
    match detail {
        HelpDetail::Short => short(command),
        HelpDetail::Long => long(command),
    }
    .into()
}

fn short(command: &Command) -> String {
    let shown = if command.get_subcommands().count() > MAX_COMMANDS_WITH_EXAMPLES { 0 } else { EXAMPLES };
    let examples: Vec<String> = examples(command).lines().take(shown).map(str::to_owned).collect();
    let mut text = description_with_usage(&command.clone().after_help(examples.join("\n")));
    let arguments = common_arguments(command);
    if !arguments.is_empty() {
        let _ = write!(text, "\n{arguments}\n");
    }
    let name = command.get_bin_name().unwrap_or_default();
    let is_group = command.has_subcommands() && CommandSpec::of(command).is_none();
    let pointer = if is_group {
        format!("Options and examples: {name} COMMAND -h")
    } else {
        format!("All options: {name} --help")
    };
    text + "\n" + &pointer + "\n"
}

fn long(command: &Command) -> String {
    let about = command.get_long_about().or(command.get_about()).cloned().unwrap_or_default();
    let mut text = description_with_usage(&command.clone().about(about));
    let _ = write!(text, "\n{}\n", arguments(command, |arg| !arg.is_global_set()));
    let shared = shared_options(command);
    if !shared.is_empty() {
        let list = Command::new("tulk").disable_help_flag(true).disable_version_flag(true).args(shared);
        let _ = write!(text, "\n{}\n", arguments(&list, |_| true));
    }
    if let Some(list) = command.get::<SettingList>() {
        text.push_str(&list.text());
    }
    text + "\n" + OPTIONS_POINTER
}

/// Includes the examples.
pub fn description_with_usage(command: &Command) -> String {
    render(command.clone(), "{about}") + "\n\n" + &usage_and_examples(command)
}

/// Examples are never wrapped, so they can be copied.
pub fn usage_and_examples(command: &Command) -> String {
    let mut text = render(command.clone(), "{usage-heading} {usage}") + "\n";
    let examples = examples(command);
    if !examples.is_empty() {
        let title = if examples.contains('\n') { "Examples" } else { "Example" };
        let _ = write!(text, "\n{HEADING}{title}:{HEADING:#}\n  {}\n", examples.replace('\n', "\n  "));
    }
    text
}

pub fn examples(command: &Command) -> String {
    command.get_after_help().map(ToString::to_string).unwrap_or_default()
}

/// Returns the help of subcommands, arguments and common options, without a description of each possible value.
fn common_arguments(command: &Command) -> String {
    let common = CommandSpec::of(command).map_or(&[][..], CommandSpec::common_options);
    let is_common = |arg: &Arg| arg.is_positional() || common.is_empty() || common.contains(&name_of(arg));
    let command = command.clone().mut_args(|arg| {
        let is_wanted = !arg.is_global_set() && arg.get_id() != "help" && is_common(&arg);
        with_few_values(hide_unless(arg, is_wanted).help_heading(Resettable::Reset))
    });
    render(command, "{all-args}")
}

fn with_few_values(arg: Arg) -> Arg {
    let values = if arg.is_hide_possible_values_set() { Vec::new() } else { arg.get_possible_values() };
    if values.len() <= MAX_LISTED_VALUES {
        return arg;
    }
    let names: Vec<&str> = values.iter().take(MAX_LISTED_VALUES).map(PossibleValue::get_name).collect();
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    arg.help(format!("{help} [{}, ...]", names.join(", "))).hide_possible_values(true)
}

/// Returns the long flag of an option, or its field if it has none.
fn name_of(arg: &Arg) -> &str {
    arg.get_long().unwrap_or(arg.get_id().as_str())
}

/// Returns subcommands, arguments and wanted options under their headings, with their complete help.
pub fn arguments(command: &Command, is_wanted: impl Fn(&Arg) -> bool) -> String {
    let command = command.clone().mut_args(|arg| {
        let is_wanted = is_wanted(&arg);
        with_long_help(hide_unless(arg, is_wanted))
    });
    render(command, "{all-args}")
}

/// Hides an argument that is not wanted. Hidden arguments stay hidden.
fn hide_unless(arg: Arg, is_wanted: bool) -> Arg {
    let is_hidden = arg.is_hide_set() || !is_wanted;
    let arg = arg.hide(is_hidden).hide_env(true);
    // clap lists headings in the order in which they occur, so a hidden argument must not have one.
    let arg = if is_hidden { arg.help_heading(Resettable::Reset) } else { arg };
    // A switch with a value shows `<BOOL>` instead of its values.
    let is_switch = arg.get_possible_values().iter().any(|value| value.get_name() == "true");
    if is_switch { arg.hide_possible_values(true) } else { arg }
}

/// Returns the shared options that affect a command. `--format` lists only the formats that the command accepts.
pub fn shared_options(command: &Command) -> Vec<Arg> {
    let Some(spec) = CommandSpec::of(command) else { return Vec::new() };
    let uses = |arg: &&Arg| arg.is_global_set() && spec.uses(arg.get_id().as_str());
    let options = command.get_arguments().filter(uses).cloned().map(|arg| {
        let arg = arg.help_heading(SHARED_HEADING);
        if arg.get_id() != "format" {
            return arg;
        }
        let values = spec.accepted_formats().iter().filter_map(ValueEnum::to_possible_value);
        let names: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
        // `tulk help formats` explains them.
        arg.help(format!("Output format: {}", names.join(", "))).hide_possible_values(true)
    });
    options.collect()
}

/// Adds the long help of an option to its help, and its values with their help, one per line.
fn with_long_help(arg: Arg) -> Arg {
    if arg.get_id() == "help" {
        return arg.help("Print a summary with -h, everything with --help");
    }
    let mut help = arg.get_long_help().or(arg.get_help()).map(|help| help.ansi().to_string()).unwrap_or_default();
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

pub fn render(command: Command, template: &'static str) -> String {
    let mut command = command.help_template(template).max_term_width(WIDTH);
    command.render_help().ansi().to_string().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn the_common_options_exist() {
        fn check(command: &Command) {
            for name in CommandSpec::of(command).map_or(&[][..], CommandSpec::common_options) {
                let exists = command.get_arguments().any(|arg| name_of(arg) == *name);
                assert!(exists, "{} has no {name}", command.get_name());
            }
            command.get_subcommands().for_each(check);
        }
        let mut tree = Cli::command();
        tree.build();
        check(&tree);
    }
}
