//! Command-line errors: converts an error of clap into a [`Failure`] with clap's message and a hint for the next step.

use std::collections::BTreeSet;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, ValueEnum as _};
use tulk_base::error::Failure;
use tulk_base::value_error::ValueError;
use tulk_base::{shell, suggest};
use tulk_client::OpenSet;
use tulk_client::api::language_code::LangCode;

use super::synonyms;
use crate::command::CommandSpec;
use crate::config::{OutputFormat, number_error};
use crate::help;
use crate::inputs::structure::hint_instead_of_format;

/// If more commands than this are similar, the hint names none of them.
const MAX_SUGGESTIONS: usize = 3;

#[derive(Debug)]
pub struct CommandLineError {
    pub failure: Failure,
    /// Usage of the command, if that helps; may have several lines.
    pub usage: Option<String>,
}

impl CommandLineError {
    /// Converts an error of clap. `tree` is the command tree after `build`; `words` are the arguments, starting with the program.
    pub fn new(error: &clap::Error, tree: &Command, words: &[OsString]) -> Self {
        let shown = context_text(error, ContextKind::Usage);
        let (command, path) = command_of_usage(shown.as_deref().unwrap_or_default(), tree);
        let typed = named_command(tree, words);
        let refused = RefusedArguments { error, command, typed, path: &path, words };
        // clap's own usage line may contain a flag that it only suggests, so render the usage again.
        let usage = shown.map(|_| without_heading(&command.clone().render_usage().to_string()).to_owned());
        Self { failure: refused.failure(), usage }
    }
}

/// Returns the full name of the command that an error is about, such as `tulk glossary`.
pub fn command_path(error: &clap::Error, tree: &Command) -> String {
    command_of_usage(&context_text(error, ContextKind::Usage).unwrap_or_default(), tree).1
}

fn without_heading(usage: &str) -> &str {
    usage.trim().trim_start_matches("Usage:").trim()
}

/// Returns the command of a usage line, and its full name, such as `tulk glossary list`.
fn command_of_usage<'a>(usage: &str, tree: &'a Command) -> (&'a Command, String) {
    let (mut command, mut path) = (tree, "tulk".to_owned());
    for word in without_heading(usage).split(' ').skip(1) {
        let Some(next) = command.find_subcommand(word) else { break };
        command = next;
        path = format!("{path} {}", next.get_name());
    }
    (command, path)
}

/// Returns the name of a long option that was written with one hyphen, and its value if one follows. clap would read `-to` as
/// `-t o`, and `-output` would write to the file `utput`.
pub fn long_with_one_hyphen<'a>(command: &Command, words: &'a [OsString]) -> Option<(&'a str, Option<&'a str>)> {
    let words: Vec<&str> =
        words.iter().skip(1).map_while(|word| word.to_str()).take_while(|word| *word != "--").collect();
    words.iter().enumerate().find_map(|(at, word)| {
        let name = word.strip_prefix('-').filter(|name| name.len() > 1 && !name.starts_with('-') && *name != "help")?;
        let (name, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
        let arg = command.get_arguments().find(|arg| arg.get_long() == Some(name) && !arg.is_hide_set())?;
        let value = value.or_else(|| words.get(at + 1).copied()).filter(|_| arg.get_action().takes_values());
        Some((name, value.filter(|value| !value.contains(char::is_whitespace))))
    })
}

fn named_command<'a>(tree: &'a Command, words: &[OsString]) -> &'a Command {
    let words = words.iter().skip(1).take_while(|word| *word != "--");
    words.fold(tree, |command, word| command.find_subcommand(word).unwrap_or(command))
}

struct RefusedArguments<'a> {
    error: &'a clap::Error,
    command: &'a Command,
    /// The command that `words` seem to name. clap reports it only in some errors.
    typed: &'a Command,
    /// Full name of `command`, such as `tulk glossary list`.
    path: &'a str,
    words: &'a [OsString],
}

impl RefusedArguments<'_> {
    fn failure(&self) -> Failure {
        if let Some((name, value)) = long_with_one_hyphen(self.typed, self.words) {
            let value = value.map(|value| format!(" {}", shell::quote(value))).unwrap_or_default();
            // Only this kind of error tells which command refused the option.
            let is_unknown = self.error.kind() == ErrorKind::UnknownArgument;
            let hint = is_unknown.then(|| self.later_option_hint(&format!("--{name}"), name)).flatten();
            return Failure::usage(format!("unexpected argument '-{name}' found"))
                .hint(hint.unwrap_or_else(|| format!("did you mean `--{name}{value}`?")));
        }
        let arg = context_text(self.error, ContextKind::InvalidArg).unwrap_or_default();
        let value = context_text(self.error, ContextKind::InvalidValue).unwrap_or_default();
        match self.error.kind() {
            ErrorKind::UnknownArgument => self.unknown_argument(&arg),
            ErrorKind::InvalidSubcommand => self.clap_failure().hint(self.suggested_command()),
            ErrorKind::InvalidValue if !value.is_empty() => self.invalid_value(flag_name(&arg), &value),
            ErrorKind::ValueValidation => self.refused_value(flag_name(&arg), &value),
            ErrorKind::InvalidValue => {
                self.wrong_list_failure(flag_name(&arg), "").unwrap_or_else(|| self.clap_failure())
            }
            ErrorKind::ArgumentConflict => self.clap_failure(),
            ErrorKind::MissingRequiredArgument => self.clap_failure().hint(self.example_hint()),
            ErrorKind::MissingSubcommand => self.clap_failure().hint(self.help_hint("commands")),
            _ => self.clap_failure().hint(self.help_hint("options")),
        }
    }

    /// Returns a hint to the help that lists `what`. `-h` lists only common options, and omits global ones.
    fn help_hint(&self, what: &str) -> String {
        let help = if what == "options" { "--help" } else { "-h" };
        format!("`{} {help}` lists the {what}", self.path)
    }

    /// Returns a failure with clap's own message: the first paragraph of its output, before tips and usage.
    fn clap_failure(&self) -> Failure {
        let rendered = self.error.render().to_string();
        let message: Vec<&str> = rendered.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        Failure::usage(message.join(" ").trim_start_matches("error: "))
    }

    /// Returns a hint with the first example of the command that contains the missing flags.
    fn example_hint(&self) -> String {
        let missing = context_texts(self.error, ContextKind::InvalidArg);
        let flags: Vec<&str> = missing.iter().map(|arg| flag_name(arg)).filter(|name| name.starts_with('-')).collect();
        let examples = help::examples(self.command);
        let example = examples.lines().find(|line| flags.iter().all(|flag| line.contains(flag)));
        example.map_or_else(|| self.help_hint("options"), |line| format!("for example: {line}"))
    }

    fn unknown_argument(&self, arg: &str) -> Failure {
        let failure = self.clap_failure();
        if !arg.starts_with('-') {
            return failure.hint(self.help_hint("arguments"));
        }
        if let Some(hint) = self.meant_option_hint(arg) {
            return failure.hint(hint);
        }
        let listed = self.help_hint("options");
        let (word, before) = self.typed_argument(arg);
        if let Some(flag) = before.filter(|before| self.takes_value(before)) {
            return Failure::usage(format!("{flag} needs a value"))
                .hint(format!("write {flag}={} if that is the value", shell::quote(word)));
        }
        if arg.starts_with("--") || self.command.get_positionals().next().is_none() {
            return failure.hint(listed);
        }
        let as_argument = format!("write `-- {}` to pass it as an argument", shell::quote(word));
        failure.hint(if looks_like_text(word) { as_argument } else { format!("{listed}; {as_argument}") })
    }

    /// Returns a hint if another command has the option, or if the option has another name here.
    fn meant_option_hint(&self, arg: &str) -> Option<String> {
        let word = if arg.starts_with("--") { arg } else { self.typed_argument(arg).0 };
        let wanted = word.trim_start_matches('-').split('=').next().unwrap_or_default().replace('_', "-");
        let is_own = || self.typed.get_arguments().any(|arg| arg.get_long() == Some(&wanted));
        if synonyms::is_key_option(&wanted) && !is_own() {
            return Some("`tulk auth login` stores a key; --key-file FILE reads it from a file".to_owned());
        }
        let has_method = || self.command.get_positionals().any(|arg| arg.get_id() == "method");
        if ["X", "method", "request"].contains(&&*wanted) && has_method() {
            return Some("write the method before the path: tulk api GET /v2/usage".to_owned());
        }
        if let Some(hint) = self.later_option_hint(arg, &wanted) {
            return Some(hint);
        }
        if wanted == "evaluate" && self.path == "tulk translate" {
            return Some("the service evaluates documents only: `tulk doc translate --evaluate FILE`".to_owned());
        }
        if let Some(near) = synonyms::matching_option(&wanted, self.command) {
            return Some(format!("did you mean `--{near}`?"));
        }
        let is_file =
            |arg: &Arg| arg.get_value_names().is_some_and(|names| names.iter().any(|name| name.contains("FILE")));
        if synonyms::is_file_option(&wanted) && self.command.get_positionals().any(is_file) {
            return Some(format!("omit {word}: files are arguments of `{}`", self.path));
        }
        Some(format!("did you mean `--{}`?", self.suggested_flag(arg)?))
    }

    /// Returns a hint if the option belongs to a subcommand: it must follow the name of the subcommand, which is missing or comes later.
    fn later_option_hint(&self, arg: &str, wanted: &str) -> Option<String> {
        let is_short =
            |a: &Arg| a.get_short().is_some_and(|short| arg.strip_prefix('-') == Some(short.encode_utf8(&mut [0; 4])));
        let option = |command: &Command| {
            let mut args = command.get_arguments();
            let exact = args.find(|a| a.get_long() == Some(wanted) || is_short(a)).and_then(Arg::get_long);
            exact.or_else(|| synonyms::matching_option(wanted, command)).map(str::to_owned)
        };
        if option(self.command).is_some() {
            return None;
        }
        let mut commands = std::iter::once(self.typed).chain(self.typed.get_subcommands());
        let named = |command| CommandSpec::of(command).and(Some((command, option(command)?)));
        let (command, long) = commands.find_map(named)?;
        let name = command.get_bin_name().unwrap_or_default();
        let examples = help::examples(command);
        let example = examples.lines().find(|line| line.starts_with(name) && line.contains(&format!("--{long} ")));
        let example = example.map(|line| format!(", as in: {line}")).unwrap_or_default();
        Some(format!("--{long} comes after `{name}`{example}"))
    }

    /// Returns the long name, without hyphens, of the visible flag that is probably meant: the only flag that starts with the word, or
    /// else clap's suggestion if it looks like a typo. clap also suggests flags with another meaning.
    fn suggested_flag(&self, arg: &str) -> Option<String> {
        let wanted = arg.trim_start_matches('-').split('=').next().unwrap_or_default().replace('_', "-");
        let is_start = |long: &&str| wanted.len() > 4 && long.starts_with(&wanted);
        let mut begins = self.command.get_arguments().filter_map(Arg::get_long).filter(is_start);
        if let (Some(only), None) = (begins.next(), begins.next()) {
            return Some(only.to_owned());
        }
        let suggested = context_text(self.error, ContextKind::SuggestedArg)?;
        let name = suggested.trim_start_matches('-');
        let is_right = suggest::is_typo(&wanted, name) || name.starts_with(&wanted);
        let has_name =
            |arg: &&Arg| arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|all| all.contains(&name));
        let flag = self.command.get_arguments().filter(|_| is_right).find(has_name)?;
        flag.get_long().map(str::to_owned)
    }

    /// Returns the word of the command line that starts with the unknown flag `arg`, and the word before it.
    fn typed_argument<'b>(&'b self, arg: &'b str) -> (&'b str, Option<&'b str>) {
        let word = |at: usize| self.words.get(at).and_then(|word| word.to_str());
        let at = (0..self.words.len()).find(|at| word(*at).is_some_and(|word| word.starts_with(arg)));
        (at.and_then(word).unwrap_or(arg), at.and_then(|at| at.checked_sub(1)).and_then(word))
    }

    fn takes_value(&self, word: &str) -> bool {
        let short = word.strip_prefix('-').and_then(|rest| rest.parse::<char>().ok());
        let is_named = |arg: &&Arg| match word.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long) || arg.get_all_aliases().is_some_and(|all| all.contains(&long)),
            None => short.is_some() && arg.get_short() == short,
        };
        self.command.get_arguments().find(is_named).is_some_and(|arg| arg.get_action().takes_values())
    }

    fn suggested_command(&self) -> String {
        let wanted = context_text(self.error, ContextKind::InvalidSubcommand).unwrap_or_default();
        if wanted == "version" {
            return "`tulk --version` prints the version".to_owned();
        }
        let near = context_texts(self.error, ContextKind::SuggestedSubcommand);
        let near = near.iter().map(String::as_str).filter(|name| suggest::is_typo(&wanted, name));
        let visible = self.command.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name);
        let mut names: BTreeSet<&str> = near.chain(suggest::with_prefix(&wanted, visible)).collect();
        names.extend(synonyms::matching_subcommand(&wanted, self.command));
        let mut near: Vec<String> = names.iter().map(|name| format!("{} {name}", self.path)).collect();
        if near.is_empty() {
            let groups = self.command.get_subcommands().filter(|group| group.find_subcommand(&wanted).is_some());
            near.extend(groups.map(|group| format!("{} {} {wanted}", self.path, group.get_name())));
        }
        match near.as_slice() {
            near if near.is_empty() || near.len() > MAX_SUGGESTIONS => self.help_hint("commands"),
            near => format!("did you mean {}?", suggest::one_of(&near.iter().map(String::as_str).collect::<Vec<_>>())),
        }
    }

    /// Returns the failure for a value that is not in the list of valid values. For `--format`, that list depends on the command.
    fn invalid_value(&self, flag: &str, value: &str) -> Failure {
        let formats = CommandSpec::of(self.typed).map_or(OutputFormat::value_variants(), CommandSpec::accepted_formats);
        let of_command = |word: &String| formats.iter().any(|f| OutputFormat::from_str(word, false).as_ref() == Ok(f));
        let mut valid = context_texts(self.error, ContextKind::ValidValue);
        valid.retain(|word| flag != "--format" || of_command(word));
        let failure = Failure::usage(format!("{flag}: invalid value `{value}`"));
        let near = suggest::similar(value, valid.iter().map(String::as_str));
        let question = match near.as_slice() {
            [] => String::new(),
            near => format!("did you mean {}? ", suggest::one_of(near)),
        };
        let is_open = self.typed.get_arguments().filter(|arg| arg.get::<OpenSet>().is_some());
        let is_open = is_open.filter_map(Arg::get_long).any(|long| flag.strip_prefix("--") == Some(long));
        let has_tags = self.typed.get_arguments().any(|arg| arg.get_long() == Some("tag-handling"));
        if let Some(hint) = hint_instead_of_format(value, has_tags).filter(|_| flag == "--as") {
            return failure.hint(hint);
        }
        let unchecked = if is_open { "; --no-check sends any other word" } else { "" };
        failure.hint(format!("{question}valid values: {}{unchecked}", valid.join(", ")))
    }

    /// Returns the failure for a list of languages that has an empty item or is not separated by commas.
    fn wrong_list_failure(&self, flag: &str, value: &str) -> Option<Failure> {
        let is_list = |arg: &&Arg| arg.get_long() == flag.strip_prefix("--") && arg.get_value_delimiter() == Some(',');
        self.typed.get_arguments().find(is_list).filter(|arg| format!("{arg}").contains("LANG"))?;
        let codes: Vec<&str> = value.split(|c: char| c.is_whitespace() || ";/|".contains(c)).collect();
        let is_code = |word: &&str| (word.len() < 4 || word.contains('-')) && word.parse::<LangCode>().is_ok();
        if codes.len() > 1 && codes.iter().all(is_code) {
            return Some(
                Failure::usage(format!("{flag}: `{value}` is not a language code"))
                    .hint(format!("separate languages with commas: {flag} {}", codes.join(","))),
            );
        }
        let lists = self.words.iter().filter_map(|word| word.to_str()).filter(|_| value.is_empty());
        let lists = lists.map(|word| word.strip_prefix(&format!("{flag}=")).unwrap_or(word));
        let list = lists.filter(|word| word.contains(',')).find(|word| word.split(',').any(str::is_empty))?;
        let place = if list.ends_with(',') { "after the comma" } else { "next to a comma" };
        let codes: Vec<&str> = list.split(',').filter(|code| !code.is_empty()).collect();
        let codes = if codes.is_empty() { "de,fr".to_owned() } else { codes.join(",") };
        Some(
            Failure::usage(format!("{flag}: a language is missing {place}"))
                .hint(format!("write `{flag} {codes}`; commas separate languages, without spaces")),
        )
    }

    fn refused_value(&self, flag: &str, value: &str) -> Failure {
        if let Some(failure) = self.wrong_list_failure(flag, value) {
            return failure;
        }
        let source = std::error::Error::source(self.error);
        let own = source.and_then(|cause| cause.downcast_ref::<ValueError>()).cloned();
        let error = own.unwrap_or_else(|| {
            let cause = source.map(ToString::to_string).unwrap_or_default();
            match number_error(value, &cause) {
                Some(what) => ValueError::new(value, what),
                None => ValueError::new("", cause),
            }
        });
        let failure = Failure::usage(match error.what {
            what if error.quoted != value => format!("{flag}: invalid value `{value}`: {what}"),
            what if flag.starts_with('-') => format!("{flag}: {what}"),
            what => what,
        });
        Failure { hint: error.hint, ..failure }
    }
}

/// Returns whether a word that starts with a hyphen is probably a number, a file name or a sentence.
fn looks_like_text(word: &str) -> bool {
    word.contains(char::is_whitespace) || word.contains('.') || word.chars().nth(1).is_some_and(|c| c.is_ascii_digit())
}

/// Returns the flag or the value name of an argument: `--to` of `--to <LANG>`, `--prune` of `--prune[=<COUNT>]`, `NAME` of `<NAME>`.
fn flag_name(arg: &str) -> &str {
    if arg.starts_with('-') {
        arg.split([' ', '=', '[']).next().unwrap_or(arg)
    } else {
        arg.trim_matches(['<', '>', '[', ']', '.'])
    }
}

fn context_texts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        Some(ContextValue::StyledStr(text)) => vec![text.to_string()],
        _ => Vec::new(),
    }
}

fn context_text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    context_texts(error, kind).into_iter().next()
}

#[cfg(test)]
mod tests;
