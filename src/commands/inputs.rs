//! Which texts a command reads: arguments, `-i` files or stdin. What goes together is the same for all that translate or write.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use crate::context::Context;
use crate::error::Failure;

/// The inputs that were named.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// Positional arguments: texts, or one `-` for stdin.
    pub texts: &'a [String],
    /// Files of `-i`; `-` is stdin.
    pub files: &'a [PathBuf],
    /// Whether `--lines` or `--nul` says how an input is divided.
    pub divided: bool,
}

impl Inputs<'_> {
    /// Whether the positional arguments are texts, not the `-` that stands for stdin.
    pub fn are_texts(&self) -> bool {
        !self.texts.is_empty() && self.texts != ["-"]
    }

    /// Whether stdin is read, named or not.
    pub fn read_stdin(&self) -> bool {
        self.dashes() > 0 || (self.files.is_empty() && self.texts.is_empty())
    }

    fn dashes(&self) -> usize {
        let files = self.files.iter().filter(|path| *path == Path::new("-")).count();
        files + self.texts.iter().filter(|text| *text == "-").count()
    }

    /// Refuses inputs that do not go together. Nothing is waited for at a terminal: `command`'s usage and examples are shown.
    pub fn check(&self, ctx: &Context, command: clap::Command) -> Result<(), Failure> {
        if self.are_texts() && !self.files.is_empty() {
            return Err(Failure::usage("TEXT arguments and --input exclude each other")
                .hint("a positional is text, never a file name"));
        }
        if self.are_texts() && self.divided {
            return Err(Failure::usage("TEXT arguments are one entry each: --lines and --nul are for files and stdin"));
        }
        if self.dashes() > 1 {
            return Err(Failure::usage("stdin is named twice as input").hint("give - once"));
        }
        if self.read_stdin() && ctx.args.key_file.as_deref() == Some(Path::new("-")) {
            return Err(Failure::usage("--key-file - and the text both read stdin").hint("put one of them into a file"));
        }
        if self.dashes() == 0 && self.read_stdin() && std::io::stdin().is_terminal() {
            let name = command.get_name().to_owned();
            let mut command = command;
            let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            ctx.out.status(&format!("{}\n\n{examples}\n", command.render_usage()));
            return Err(Failure::usage("there is no text: name it, or a file with -i, or pipe it in")
                .hint(format!("`{name} --help` tells more")));
        }
        Ok(())
    }
}
