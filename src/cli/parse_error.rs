//! How errors of the command line are worded: what the argument parser refused becomes a failure with a hint.
//!
//! The parser is clap. Its suggestions are not used: they are often flags of another meaning.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, ValueEnum as _};
use tulk_base::error::Failure;
use tulk_base::value_error::ValueError;
use tulk_base::{shell, suggest};

use crate::command::CommandSpec;
use crate::config::{OutputFormat, number_error};

/// A wrong command line, in words.
#[derive(Debug)]
pub struct CommandLineError {
    /// What is wrong, and what to write instead.
    pub failure: Failure,
    /// How the command is used, if that helps; may have several lines.
    pub usage: Option<String>,
}

impl CommandLineError {
    /// Words an error of the parser. `tree` is the command tree, built; `words` are the arguments, beginning with the program.
    pub fn new(error: &clap::Error, tree: &Command, words: &[OsString]) -> Self {
        let shown = text(error, ContextKind::Usage);
        let (command, path) = command_of(shown.as_deref().unwrap_or_default(), tree);
        let formats = CommandSpec::of(command_in(tree, words));
        let formats = formats.map_or(OutputFormat::value_variants(), CommandSpec::accepted_formats);
        let refused = RefusedArguments { error, command, path: &path, words, formats };
        // The line of the parser may name a flag that it suggests.
        let usage = shown.map(|_| without_heading(&command.clone().render_usage().to_string()).to_owned());
        Self { failure: refused.failure(), usage }
    }
}

fn without_heading(usage: &str) -> &str {
    usage.trim().trim_start_matches("Usage:").trim()
}

/// Returns the command that a usage line is for, and the line's start that names it.
fn command_of<'a>(usage: &str, tree: &'a Command) -> (&'a Command, String) {
    let (mut command, mut path) = (tree, "tulk".to_owned());
    for word in without_heading(usage).split(' ').skip(1) {
        let Some(next) = command.find_subcommand(word) else { break };
        command = next;
        path = format!("{path} {}", next.get_name());
    }
    (command, path)
}

/// Returns the command that a command line seems to name.
fn command_in<'a>(tree: &'a Command, words: &[OsString]) -> &'a Command {
    let words = words.iter().skip(1).take_while(|word| *word != "--");
    words.fold(tree, |command, word| command.find_subcommand(word).unwrap_or(command))
}

/// An error of the parser with what is needed to word it.
struct RefusedArguments<'a> {
    error: &'a clap::Error,
    command: &'a Command,
    /// The command as it is typed, such as `tulk glossary list`.
    path: &'a str,
    words: &'a [OsString],
    /// The output formats of the command.
    formats: &'static [OutputFormat],
}

impl RefusedArguments<'_> {
    fn failure(&self) -> Failure {
        let arg = text(self.error, ContextKind::InvalidArg);
        let flag = arg.as_deref().map(flag_name).unwrap_or_default();
        match self.error.kind() {
            ErrorKind::UnknownArgument => self.unknown_argument(&arg.unwrap_or_default()),
            ErrorKind::InvalidSubcommand => self.unknown_command(),
            ErrorKind::MissingSubcommand => {
                Failure::usage(format!("`{}` needs a command", self.path)).hint(self.where_listed("commands"))
            }
            ErrorKind::InvalidValue => self.invalid_value(flag),
            ErrorKind::ValueValidation => self.refused_value(flag),
            ErrorKind::NoEquals => Failure::usage(format!("{flag} needs a value after `=`"))
                .hint(format!("write {flag}=VALUE without spaces")),
            ErrorKind::ArgumentConflict => self.conflict(if flag.is_empty() { "a command" } else { flag }),
            ErrorKind::MissingRequiredArgument => self.missing(),
            ErrorKind::TooManyValues => {
                let value = text(self.error, ContextKind::InvalidValue).unwrap_or_default();
                Failure::usage(format!("unexpected value `{value}` for {flag}")).hint(self.where_listed("options"))
            }
            _ => self.as_worded_by_the_parser(),
        }
    }

    /// Names the help that lists something. `-h` has only common options, and no global ones.
    fn where_listed(&self, what: &str) -> String {
        let help = if what == "options" { "--help" } else { "-h" };
        format!("`{} {help}` lists the {what}", self.path)
    }

    fn as_worded_by_the_parser(&self) -> Failure {
        let rendered = self.error.render().to_string();
        // What follows the first paragraph are tips and usage.
        let message: Vec<&str> = rendered.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        Failure::usage(message.join(" ").trim_start_matches("error: ")).hint(self.where_listed("options"))
    }

    fn unknown_argument(&self, arg: &str) -> Failure {
        if !arg.starts_with('-') {
            return Failure::usage(format!("unexpected argument `{arg}`")).hint(self.where_listed("arguments"));
        }
        let failure = Failure::usage(format!("unknown option `{arg}`"));
        if let Some(near) = similar_flag(arg, self.command).or_else(|| self.long_flag_with_one_hyphen(arg)) {
            return failure.hint(format!("did you mean `--{near}`?"));
        }
        let listed = self.where_listed("options");
        let (word, before) = self.typed(arg);
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

    /// Returns the word on the command line that begins with an unknown flag, and the word before it.
    fn typed<'b>(&'b self, arg: &'b str) -> (&'b str, Option<&'b str>) {
        let words: Vec<&str> = self.words.iter().filter_map(|word| word.to_str()).collect();
        let at = words.iter().position(|word| word.starts_with(arg));
        let word = at.and_then(|at| words.get(at)).copied().unwrap_or(arg);
        (word, at.and_then(|at| at.checked_sub(1)).and_then(|at| words.get(at)).copied())
    }

    /// Returns whether a word is a flag of the command that takes a value.
    fn takes_value(&self, word: &str) -> bool {
        let short = word.strip_prefix('-').and_then(|rest| rest.parse::<char>().ok());
        let is_named = |arg: &&Arg| match word.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long) || arg.get_all_aliases().is_some_and(|all| all.contains(&long)),
            None => short.is_some() && arg.get_short() == short,
        };
        self.command.get_arguments().find(is_named).is_some_and(|arg| arg.get_action().takes_values())
    }

    /// Returns the flag that was written with one hyphen: `-json` is read as `-j`, `-s` and so on.
    fn long_flag_with_one_hyphen(&self, arg: &str) -> Option<String> {
        let typed = self.words.iter().filter_map(|word| word.to_str());
        let letter = arg.trim_start_matches('-');
        let longs = typed.filter(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(letter));
        let names = longs.map(|word| word.trim_start_matches('-').split('=').next().unwrap_or_default());
        names.filter(|name| name.len() > 1).find_map(|name| {
            let is_flag = |arg: &&Arg| arg.get_long() == Some(name) && !arg.is_hide_set();
            self.command.get_arguments().find(is_flag).map(|_| name.to_owned())
        })
    }

    fn unknown_command(&self) -> Failure {
        let wanted = text(self.error, ContextKind::InvalidSubcommand).unwrap_or_default();
        let listed = self.command.get_subcommands().filter(|command| !command.is_hide_set());
        let hint = match suggest::closest(&wanted, listed.flat_map(Command::get_name_and_visible_aliases)) {
            Some(near) => format!("did you mean `{} {near}`?", self.path),
            None if wanted == "version" => "`tulk --version` prints the version".to_owned(),
            None => self.where_listed("commands"),
        };
        Failure::usage(format!("unknown command `{} {wanted}`", self.path)).hint(hint)
    }

    fn invalid_value(&self, flag: &str) -> Failure {
        let value = text(self.error, ContextKind::InvalidValue).unwrap_or_default();
        let of_command =
            |word: &String| self.formats.iter().any(|f| OutputFormat::from_str(word, false).as_ref() == Ok(f));
        let mut valid = texts(self.error, ContextKind::ValidValue);
        valid.retain(|word| flag != "--format" || of_command(word));
        let failure = match value.as_str() {
            "" => Failure::usage(format!("{flag} needs a value")),
            value if flag.starts_with('-') => Failure::usage(format!("{flag}: invalid value `{value}`")),
            value => Failure::usage(format!("invalid value `{value}` for {flag}")),
        };
        if valid.is_empty() {
            let arg = text(self.error, ContextKind::InvalidArg).unwrap_or_default();
            return failure.hint(format!("write {}", plain(&arg)));
        }
        let near = suggest::similar(&value, valid.iter().map(String::as_str));
        let question = match near.as_slice() {
            [] => String::new(),
            near => format!("did you mean {}? ", suggest::one_of(near)),
        };
        failure.hint(format!("{question}valid values: {}", valid.join(", ")))
    }

    /// A value that its own parser refused.
    fn refused_value(&self, flag: &str) -> Failure {
        let value = text(self.error, ContextKind::InvalidValue).unwrap_or_default();
        let source = std::error::Error::source(self.error);
        let own = source.and_then(|cause| cause.downcast_ref::<ValueError>()).cloned();
        let error = own.unwrap_or_else(|| {
            let cause = source.map(ToString::to_string).unwrap_or_default();
            match number_error(&value, &cause) {
                Some(what) => ValueError::new(&value, what),
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

    fn conflict(&self, flag: &str) -> Failure {
        let others = texts(self.error, ContextKind::PriorArg);
        let others: Vec<&str> = others.iter().map(|other| flag_name(other)).collect();
        match others.as_slice() {
            [] => Failure::usage(format!("{flag} cannot be used with other arguments")),
            [other] if *other == flag => Failure::usage(format!("{flag} was given more than once")),
            others => Failure::usage(format!("{flag} cannot be used with {}", others.join(" or "))),
        }
    }

    fn missing(&self) -> Failure {
        let missing: Vec<String> =
            texts(self.error, ContextKind::InvalidArg).iter().map(|arg| alternatives(arg)).collect();
        let noun = if missing.len() == 1 { "argument" } else { "arguments" };
        Failure::usage(format!("missing {noun}: {}", missing.join(", "))).hint(self.where_listed("arguments"))
    }
}

/// Returns whether a word that begins with a hyphen is a number, a file name or a sentence.
fn looks_like_text(word: &str) -> bool {
    word.contains(char::is_whitespace) || word.contains('.') || word.chars().nth(1).is_some_and(|c| c.is_ascii_digit())
}

/// Minimum length of the first letters of a flag that stand for it. Shorter ones are rather another word.
const FLAG_START: usize = 5;

/// Returns the visible flag that is probably meant, without its hyphens: also for a typo in a hidden alias, and for the first
/// words or letters of a flag if no other flag begins with them.
fn similar_flag(arg: &str, command: &Command) -> Option<String> {
    let wanted = arg.trim_start_matches('-').split('=').next().unwrap_or_default().replace('_', "-");
    let flags: Vec<(&str, &str)> = command
        .get_arguments()
        .filter(|arg| !arg.is_hide_set())
        .filter_map(|arg| arg.get_long().map(|long| (arg, long)))
        .flat_map(|(arg, long)| {
            let aliases = arg.get_all_aliases().unwrap_or_default();
            std::iter::once(long).chain(aliases).map(move |name| (name, long))
        })
        .collect();
    for (start, is_long_enough) in [
        (format!("{wanted}-"), wanted.len() > 3),
        (wanted.clone(), arg.starts_with("--") && wanted.len() >= FLAG_START),
    ] {
        let begins = flags.iter().filter(|(name, _)| is_long_enough && name.starts_with(&start));
        let mut begins: Vec<&str> = begins.map(|(_, long)| *long).collect();
        begins.dedup();
        if let [only] = begins.as_slice() {
            return Some((*only).to_owned());
        }
    }
    if arg.starts_with("--") && wanted.chars().count() > 2 {
        let near = flags.iter().filter(|(name, _)| suggest::is_typo(&wanted, name));
        return near.min_by_key(|(name, _)| strsim::osa_distance(name, &wanted)).map(|(_, long)| (*long).to_owned());
    }
    None
}

/// Returns the flag or the value name of an argument: `--to` of `--to <LANG>`, `NAME` of `<NAME>`.
fn flag_name(arg: &str) -> &str {
    if arg.starts_with('-') {
        arg.split([' ', '=']).next().unwrap_or(arg)
    } else {
        arg.trim_matches(['<', '>', '[', ']', '.'])
    }
}

/// Returns an argument without the brackets of its value: `--to LANG` for `--to <LANG>`.
fn plain(arg: &str) -> String {
    arg.replace(['<', '>'], "")
}

/// Returns a missing argument; for a group such as `<--from <LANG>|--to <LANG>>` its members.
fn alternatives(arg: &str) -> String {
    match arg.strip_prefix("<-").and_then(|rest| rest.strip_suffix('>')) {
        Some(members) => plain(&format!("-{members}").replace("|-", " or -")),
        None => plain(arg),
    }
}

fn texts(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        Some(ContextValue::StyledStr(text)) => vec![text.to_string()],
        _ => Vec::new(),
    }
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    texts(error, kind).into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Command {
        let flag = |name: &'static str| Arg::new(name).long(name);
        Command::new("tulk").subcommand(
            Command::new("translate")
                .arg(flag("to").alias("target-lang").value_name("LANG"))
                .arg(flag("from").alias("source-lang"))
                .arg(flag("formality").value_parser(["more", "less"]))
                .arg(flag("tag-handling"))
                .arg(flag("tag-handling-version"))
                .arg(flag("split-sentences").conflicts_with("to"))
                .arg(flag("quiet").short('q').num_args(0))
                .arg(flag("rate").value_parser(|text: &str| match text {
                    "1" => Ok(text.to_owned()),
                    _ => Err(ValueError::new(text, format!("the rate `{text}` is too low")).hint("the limit is 1/d")),
                }))
                .arg(Arg::new("text").value_name("TEXT").required(true)),
        )
    }

    /// The message, the hint and the usage line of a command line.
    fn worded(line: &str) -> [String; 3] {
        let words: Vec<OsString> = shlex::split(line).unwrap().into_iter().map(Into::into).collect();
        let mut tree = tree();
        tree.build();
        let error = tree.clone().try_get_matches_from(&words).unwrap_err();
        let CommandLineError { failure, usage } = CommandLineError::new(&error, &tree, &words);
        [failure.what, failure.hint.unwrap_or_default(), usage.unwrap_or_default()]
    }

    fn hint(line: &str) -> String {
        let [_, hint, _] = worded(line);
        hint
    }

    #[test]
    fn an_unknown_option_gets_a_suggestion_if_it_is_probably_right() {
        assert_eq!(
            worded("tulk translate --tow de x"),
            ["unknown option `--tow`", "did you mean `--to`?", "tulk translate [OPTIONS] <TEXT>"]
        );
        let unknown = "`tulk translate --help` lists the options";
        for (flag, expected) in [
            ("--quite", "did you mean `--quiet`?"),
            ("--target-lnag", "did you mean `--to`?"),
            ("--target_lnag=de", "did you mean `--to`?"),
            ("--source", "did you mean `--from`?"),
            ("--split", "did you mean `--split-sentences`?"),
            ("-quiet", "did you mean `--quiet`?"),
            ("--tag", unknown),
            ("--form", "did you mean `--from`?"),
            ("--formal more", "did you mean `--formality`?"),
            ("--frame", unknown),
            ("--no-such-flag", unknown),
            ("-x", "`tulk translate --help` lists the options; write `-- -x` to pass it as an argument"),
            ("-x.txt", "write `-- -x.txt` to pass it as an argument"),
            ("'-5 degrees'", "write `-- '-5 degrees'` to pass it as an argument"),
            ("--rate -5", "write --rate=-5 if that is the value"),
            ("--target-lang -x", "write --target-lang=-x if that is the value"),
        ] {
            assert_eq!(hint(&format!("tulk translate {flag}")), expected, "{flag}");
        }
    }

    #[test]
    fn an_unknown_command_gets_a_suggestion_if_it_is_probably_right() {
        assert_eq!(
            worded("tulk trasnlate"),
            ["unknown command `tulk trasnlate`", "did you mean `tulk translate`?", "tulk [COMMAND]"]
        );
        assert_eq!(hint("tulk status"), "`tulk -h` lists the commands");
    }

    #[test]
    fn a_wrong_value_names_the_option_and_the_valid_values() {
        let [what, hint, _] = worded("tulk translate --formality mroe x");
        assert_eq!(
            [what.as_str(), hint.as_str()],
            ["--formality: invalid value `mroe`", "did you mean `more`? valid values: more, less"]
        );
        let [what, hint, _] = worded("tulk translate --rate 0 x");
        assert_eq!([what.as_str(), hint.as_str()], ["--rate: the rate `0` is too low", "the limit is 1/d"]);
        let [what, hint, _] = worded("tulk translate x --to");
        assert_eq!([what.as_str(), hint.as_str()], ["--to needs a value", "write --to LANG"]);
    }

    #[test]
    fn conflicts_and_missing_arguments_are_named_without_brackets() {
        let [what, ..] = worded("tulk translate --split-sentences 1 --to de x");
        assert_eq!(what, "--split-sentences cannot be used with --to");
        let [what, ..] = worded("tulk translate --to de --to fr x");
        assert_eq!(what, "--to was given more than once");
        let [what, hint, _] = worded("tulk translate");
        assert_eq!(
            [what.as_str(), hint.as_str()],
            ["missing argument: TEXT", "`tulk translate -h` lists the arguments"]
        );
        assert_eq!(alternatives("<--from <LANG>|--to <LANG>>"), "--from LANG or --to LANG");
        assert_eq!(alternatives("--characters <N|none>"), "--characters N|none");
    }
}
