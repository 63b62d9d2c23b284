//! Wrong command lines against a small command tree: message, hint and usage.

use super::*;

fn tree() -> Command {
    let flag = |name: &'static str| Arg::new(name).long(name);
    Command::new("tulk").subcommand(
        Command::new("translate")
            .after_help("tulk translate --to de Hello")
            .arg(flag("to").alias("target-lang").value_name("LANG"))
            .arg(flag("from").alias("source-lang"))
            .arg(flag("formality").value_parser(["more", "less"]))
            .arg(flag("split-sentences").conflicts_with("to"))
            .arg(flag("quiet").short('q').num_args(0))
            .arg(flag("header").num_args(0).requires("quiet"))
            .arg(flag("rate").value_parser(|text: &str| match text {
                "1" => Ok(text.to_owned()),
                _ => Err(ValueError::new(text, format!("the rate `{text}` is too low")).hint("the limit is 1/d")),
            }))
            .arg(Arg::new("text").value_name("TEXT").required(true)),
    )
}

fn error_of(line: &str) -> [String; 3] {
    let words: Vec<OsString> = shlex::split(line).unwrap().into_iter().map(Into::into).collect();
    let mut tree = tree();
    tree.build();
    let error = tree.clone().try_get_matches_from(&words).unwrap_err();
    let CommandLineError { failure, usage } = CommandLineError::new(&error, &tree, &words);
    [failure.what, failure.hint.unwrap_or_default(), usage.unwrap_or_default()]
}

#[test]
fn an_unknown_option_gets_a_suggestion_if_it_is_probably_right() {
    assert_eq!(
        error_of("tulk translate --tow de x"),
        ["unexpected argument '--tow' found", "did you mean `--to`?", "tulk translate [OPTIONS] <TEXT>"]
    );
    let unknown = "`tulk translate --help` lists the options";
    for (flag, expected) in [
        ("--quite", "did you mean `--quiet`?"),
        ("--target-lnag", "did you mean `--to`?"),
        ("--source", "did you mean `--from`?"),
        ("--split", "did you mean `--split-sentences`?"),
        ("-quiet", "did you mean `--quiet`?"),
        ("--formal more", "did you mean `--formality`?"),
        ("--no-such-flag", unknown),
        ("-x", "`tulk translate --help` lists the options; write `-- -x` to pass it as an argument"),
        ("-x.txt", "write `-- -x.txt` to pass it as an argument"),
        ("'-5 degrees'", "write `-- '-5 degrees'` to pass it as an argument"),
        ("--rate -5", "write --rate=-5 if that is the value"),
        ("--target-lang -x", "write --target-lang=-x if that is the value"),
    ] {
        let [_, hint, _] = error_of(&format!("tulk translate {flag}"));
        assert_eq!(hint, expected, "{flag}");
    }
}

#[test]
fn other_errors_have_the_message_of_clap_and_a_hint() {
    for (line, message, hint) in [
        ("tulk trasnlate", "unrecognized subcommand 'trasnlate'", "did you mean `tulk translate`?"),
        ("tulk trans", "unrecognized subcommand 'trans'", "did you mean `tulk translate`?"),
        ("tulk xyz", "unrecognized subcommand 'xyz'", "`tulk -h` lists the commands"),
        (
            "tulk translate --formality mroe x",
            "--formality: invalid value `mroe`",
            "did you mean `more`? valid values: more, less",
        ),
        ("tulk translate --rate 0 x", "--rate: the rate `0` is too low", "the limit is 1/d"),
        ("tulk translate x --to", "a value is required for '--to <LANG>' but none was supplied", ""),
        ("tulk translate --to de --to fr x", "the argument '--to <LANG>' cannot be used multiple times", ""),
        (
            "tulk translate",
            "the following required arguments were not provided: <TEXT>",
            "for example: tulk translate --to de Hello",
        ),
        (
            "tulk translate --header x",
            "the following required arguments were not provided: --quiet",
            "`tulk translate --help` lists the options",
        ),
    ] {
        let [what, found, _] = error_of(line);
        assert_eq!([what.as_str(), found.as_str()], [message, hint], "{line}");
    }
}
