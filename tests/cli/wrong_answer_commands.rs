//! The commands of `wrong_answers.rs`. `DOC_ID` and `TERMS_ID` stand for the IDs of what it prepares.

/// Commands that send no request to the service, or only to the sandbox that runs in the process.
const LOCAL: &[&str] = &[
    "auth login",
    "auth logout",
    "auth status",
    "auth token",
    "cache clear",
    "cache stats",
    "completions",
    "config edit",
    "config get",
    "config list",
    "config path",
    "config set",
    "config unset",
    "doc forget",
    "doc list",
    "glossary lint",
    "help",
    "man",
    "sandbox reset",
    "sandbox serve",
    "sandbox status",
    "style rules catalogue",
    "sync accept",
    "sync init",
    "sync status",
    "voice terms lint",
];

pub const TEXT: &[&str] = &[
    "translate --to de Hello",
    "translate --to de,fr -i in.txt -o out.{lang}.txt --force",
    "write rephrase Hello",
    "write correct -i in.txt",
    "usage",
    "langs list",
    "langs resources",
    "langs check --to de --feature formality",
    "langs v2 --target",
    "tm list",
    "sync",
    "api GET /v2/usage",
    "api GET /v3/style_rules --paginate",
];

pub const GLOSSARY: &[&str] = &[
    "glossary list",
    "glossary show K",
    "glossary entries K en:de",
    "glossary create new --dictionary en:de=k.tsv --wait",
    "glossary set K en:de k.tsv",
    "glossary merge K en:de k.tsv",
    "glossary add K en:de sky Himmel",
    "glossary remove K en:de sky",
    "glossary rename K K",
    "glossary diff K en:de k2.tsv",
    "glossary sync K en:de=k2.tsv --prune -y",
    "glossary export K exported --force",
    "glossary wait K",
    "glossary v2 list",
    "glossary v2 show V",
    "glossary v2 create W --dictionary en:de=k.tsv",
    "glossary v2 entries V",
    "glossary v2 pairs",
    "glossary v2 delete V -y",
    "glossary delete-dictionary K en:de -y",
    "glossary delete K -y",
];

pub const STYLE: &[&str] = &[
    "style list",
    "style show S",
    "style create new --language de",
    "style rename S S",
    "style rules show S",
    "style rules set S spelling_and_grammar.eszett=use",
    "style instruction list S",
    "style instruction add S --label new --prompt p",
    "style instruction show S I",
    "style instruction edit S I --prompt q",
    "style export S",
    "style apply s.toml -y",
    "style instruction remove S I -y",
    "style delete S -y",
];

pub const DOCUMENT_AND_VOICE: &[&str] = &[
    "doc translate a.txt --to de --force",
    "doc upload b.txt --to de",
    "doc status DOC_ID --document-key-file key",
    "doc wait DOC_ID --document-key-file key",
    "doc resume",
    "doc download DOC_ID --document-key-file key -o result.txt --force",
    "voice session --content-type audio/ogg --to de",
    "voice stream a.raw --content-type audio/pcm;encoding=s16le;rate=16000 --to de --reconnects 0",
];

pub const VOICE_TERMS: &[&str] = &[
    "voice terms list",
    "voice terms show T",
    "voice terms show TERMS_ID",
    "voice terms create new en=t.txt",
    "voice terms entries T",
    "voice terms entries T en",
    "voice terms set T en t.txt",
    "voice terms merge T en t2.txt",
    "voice terms rename T T",
    "voice terms sync T en=t2.txt",
    "voice terms sync T en=t2.txt --prune -y",
    "voice terms sync TERMS_ID en=t.txt",
    "voice terms sync unknown en=t.txt",
    "voice terms delete-list T de -y",
    "voice terms delete T -y",
];

pub const ADMIN: &[&str] = &[
    "admin keys list",
    "admin keys create new",
    "admin keys rename ci ci",
    "admin keys limit ci --characters 5",
    "admin usage --start 2026-01-01 --end 2026-01-02",
    "admin tags --start 2026-01-01 --end 2026-01-02",
    "admin keys deactivate ci -y",
];

/// The commands without subcommands of their own, such as `glossary v2 list`.
fn leaves(command: &clap::Command, path: &str, found: &mut Vec<String>) {
    let mut subcommands = command.get_subcommands().filter(|command| command.get_name() != "help").peekable();
    if subcommands.peek().is_none() {
        found.push(path.to_owned());
    }
    for command in subcommands {
        let name = command.get_name();
        leaves(command, &if path.is_empty() { name.to_owned() } else { format!("{path} {name}") }, found);
    }
}

#[test]
fn no_command_is_forgotten() {
    let mut tree = <tulk::cli::Cli as clap::CommandFactory>::command();
    tree.build();
    let mut all = Vec::new();
    leaves(&tree, "", &mut all);
    assert!(all.len() > 60, "{all:?}");
    let tried: Vec<&str> = [TEXT, GLOSSARY, STYLE, DOCUMENT_AND_VOICE, VOICE_TERMS, ADMIN].concat();
    for command in &all {
        let is_tried = tried.iter().any(|line| *line == command || line.starts_with(&format!("{command} ")));
        let is_local = LOCAL.contains(&command.as_str());
        assert!(is_tried != is_local, "list `{command}` in tests/cli/wrong_answer_commands.rs, once");
    }
    for name in LOCAL.iter().filter(|name| **name != "help") {
        assert!(all.iter().any(|command| command == name), "there is no command `{name}`");
    }
}
