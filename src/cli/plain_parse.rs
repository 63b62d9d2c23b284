//! Parses the plainest translations by hand: for them, the parser would take longer than everything else before the request.
//!
//! Knows a few flags of [`TranslateArgs`] and [`GlobalArgs`], in their plainest forms. Whatever it is not sure about is left to
//! the parser, and so is everything that is wrong.

use std::ffi::OsString;
use std::path::PathBuf;

use super::quick_parse::without_server;
use super::{Cli, Command};
use crate::commands::translate::TranslateArgs;
use crate::config::{DEFAULTED_VARIABLES, GlobalArgs, env};

/// Parses `tulk translate --to LANG TEXT...` with the flags that most translations have, if any.
pub fn parse_plainly(words: &[OsString]) -> Option<Cli> {
    let mut words = words.iter().skip(1);
    if words.next()? != "translate" || DEFAULTED_VARIABLES.iter().any(|(_, name)| env::get(name).is_some()) {
        return None;
    }
    let mut plain = PlainTranslation::default();
    while let Some(word) = words.next() {
        let word = word.to_str()?;
        if word.is_empty() {
            return None;
        }
        if is_value(word) {
            plain.args.inputs.texts.push(word.to_owned());
        } else if !plain.switch(word)? {
            let (flag, value) = match word.split_once('=') {
                Some((flag, value)) if flag.starts_with("--") => (flag, value),
                Some(_) => return None,
                None => (word, words.next()?.to_str().filter(|value| is_value(value))?),
            };
            if value.is_empty() {
                return None;
            }
            plain.set(flag, value)?;
        }
    }
    plain.finish()
}

/// Returns whether a word is a value, not a flag. `-` is stdin or stdout.
fn is_value(word: &str) -> bool {
    word == "-" || !word.starts_with('-')
}

#[derive(Default)]
struct PlainTranslation {
    global: GlobalArgs,
    args: TranslateArgs,
}

impl PlainTranslation {
    /// Sets a flag without a value. Returns whether the word is one; `None` if it was given before.
    fn switch(&mut self, word: &str) -> Option<bool> {
        let switch = match word {
            "--lines" => &mut self.args.inputs.lines,
            "--stats" => &mut self.args.running.stats,
            "--json" => &mut self.global.json,
            "--sandbox" => &mut self.global.sandbox,
            "--quiet" | "-q" => &mut self.global.quiet,
            _ => return Some(false),
        };
        (!std::mem::replace(switch, true)).then_some(true)
    }

    /// Sets a flag with a value; `None` if that is not possible.
    fn set(&mut self, flag: &str, value: &str) -> Option<()> {
        match flag {
            "--to" | "-t" => {
                for code in value.split(',') {
                    self.args.languages.to.push(code.parse().ok()?);
                }
                Some(())
            }
            "--input" | "-i" => {
                self.args.inputs.input.push(value.into());
                Some(())
            }
            "--from" | "-f" => set_once(&mut self.args.languages.from, value.parse().ok()?),
            "--output" | "-o" => set_once(&mut self.args.outputs.output, value.to_owned()),
            "--server" => set_once(&mut self.global.server, value.to_owned()),
            "--profile" | "-p" => set_once(&mut self.global.profile, value.to_owned()),
            _ => None,
        }
    }

    /// Adds what the variables of flags say, and returns the command line.
    fn finish(self) -> Option<Cli> {
        let Self { mut global, args } = self;
        let from_variable = |name| env::get(name).map(|value| value.into_string().ok());
        global.config = env::get("TULK_CONFIG").map(PathBuf::from);
        if global.profile.is_none()
            && let Some(profile) = from_variable("TULK_PROFILE")
        {
            global.profile = Some(profile?);
        }
        let mut is_variable = false;
        if global.server.is_none()
            && let Some(server) = from_variable("TULK_SERVER")
        {
            (global.server, is_variable) = (Some(server?), true);
        }
        let formatted = global.json.then(|| "translate".to_owned());
        Some(Cli {
            global: without_server(global, is_variable),
            command: Command::Translate(Box::new(args)),
            formatted,
        })
    }
}

/// Sets a value that can be given once.
fn set_once<T>(field: &mut Option<T>, value: T) -> Option<()> {
    field.replace(value).is_none().then_some(())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;
    use proptest::prelude::*;

    use super::super::quick_parse::from_matches;
    use super::*;

    fn whole(words: &[OsString]) -> Result<String, String> {
        let matches = Cli::command().try_get_matches_from(words).map_err(|error| error.to_string())?;
        from_matches(&matches).map(|cli| format!("{cli:?}")).map_err(|error| error.to_string())
    }

    fn words<'a>(rest: impl IntoIterator<Item = &'a str>) -> Vec<OsString> {
        ["tulk", "translate"].into_iter().chain(rest).map(OsString::from).collect()
    }

    #[test]
    fn plain_translations_are_parsed_as_by_the_parser() {
        for line in [
            "--to de Hello",
            "Hello --to=de,en-us -t pt_BR - --from en",
            "--to de --lines -i a.txt -i - -o - -q --stats",
            "-t de --input=b --output=c={lang} --server http://x.example --json x",
            "-p work -f de --sandbox -t fr x",
        ] {
            let words = words(line.split(' '));
            let plain = parse_plainly(&words).map(|cli| format!("{cli:?}"));
            assert_eq!(plain, Some(whole(&words).unwrap()), "{line}");
        }
    }

    #[test]
    fn everything_else_is_left_to_the_parser() {
        for line in [
            "--to de --formality more x",
            "--to de -- x",
            "--to d/e x",
            "--to",
            "--to -q x",
            "--to= x",
            "-tde x",
            "-t=de x",
            "--lines --lines",
            "--json=yes",
            "--from de --from en",
            "-qn",
            "--help",
        ] {
            assert!(parse_plainly(&words(line.split(' '))).is_none(), "{line}");
        }
        assert!(parse_plainly(&words(["--to", "de", ""])).is_none());
        assert!(parse_plainly(&["tulk".into(), "t".into()]).is_none());
    }

    const VOCABULARY: &[&str] = &[
        "--to",
        "-t",
        "de",
        "--to=fr",
        "--to=de,en-US",
        "en,",
        ",",
        "--from",
        "-f",
        "--from=en",
        "-i",
        "--input",
        "a.txt",
        "--input=",
        "--output",
        "-o",
        "-o=x",
        "--lines",
        "--lines=true",
        "--json",
        "--stats",
        "-q",
        "--quiet",
        "-qq",
        "--sandbox",
        "--server",
        "--server=http://x.example",
        "http://x.example",
        "-p",
        "--profile=work",
        "work",
        "-",
        "--",
        "Hello, world",
        "",
        "=",
        "-x",
        "--nul",
        "--csv",
        "--as",
        "srt",
        "translate",
        "-1",
        "none",
        "--formality",
        "more",
        "--header",
        "--in-place",
    ];

    proptest! {
        #[test]
        fn never_differs_from_the_parser(picked in prop::collection::vec(prop::sample::select(VOCABULARY), 0..8)) {
            let words = words(picked);
            if let Some(plain) = parse_plainly(&words) {
                prop_assert_eq!(Ok(format!("{plain:?}")), whole(&words));
            }
        }
    }
}
