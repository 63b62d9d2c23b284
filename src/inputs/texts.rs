//! Input flags of the commands that translate or improve texts: arguments, `-i` files or stdin, and how they are read.

use std::fs::File;
use std::io::{Cursor, IsTerminal as _, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use tulk_base::error::Failure;
use tulk_base::stop::Stop;
use tulk_base::{files, shell};
use tulk_formats::input::source::{InputStart, Source, read_start};
use tulk_pipeline::output_path::{OutputCollisions, OutputTemplate};
use tulk_pipeline::{PROTECT_PRESETS, PipelineInput, Protector, SentForm};

use super::directories::{FileSelection, InputFiles};
use super::structure::{InputFormats, StructureArgs};
use crate::completion::ValueKind;
use crate::context::Context;
use crate::help::usage_and_examples;
use crate::outputs::OutputArgs;

/// Inputs, and how they are cut into entries.
#[allow(clippy::struct_excessive_bools)] // each is one flag
#[derive(Args, Debug, Default)]
pub struct TextInputArgs {
    /// Texts, one per argument (- for stdin)
    #[arg(value_name = "TEXT")]
    pub texts: Vec<String>,
    /// File or directory to read (- for stdin), repeatable
    #[arg(short, long, value_name = "FILE|DIR")]
    pub input: Vec<PathBuf>,
    /// Files to read from a directory: a pattern as in .gitignore, repeatable
    #[arg(long, value_name = "PATTERN", help_heading = "Input", requires = "input")]
    pub glob: Vec<String>,
    /// Treat each line as a text
    #[arg(long, help_heading = "Input", conflicts_with = "nul")]
    pub lines: bool,
    /// Treat each NUL-separated part as a text
    #[arg(short = '0', long, help_heading = "Input")]
    pub nul: bool,
    /// Replace invalid UTF-8 instead of refusing it
    #[arg(long, help_heading = "Input")]
    pub lossy: bool,
    /// Remove terminal escape sequences and overstrikes
    #[arg(long, help_heading = "Input")]
    pub strip_ansi: bool,
    /// Files found in directories.
    #[arg(skip)]
    pub found: InputFiles,
}

impl TextInputArgs {
    pub fn read_directories(
        &mut self,
        ctx: &Context,
        structure: &StructureArgs,
        outputs: &OutputArgs,
    ) -> Result<(), Failure> {
        let template = outputs.file().map(|output| OutputTemplate::parse("-o", output)).transpose()?;
        let mut found = InputFiles::find(
            ctx,
            &self.input,
            &FileSelection {
                globs: &self.glob,
                is_known: &|file| structure.accepts_from_directory(file),
                missing_property: "a format that tulk knows by its ending",
                template: template.as_ref(),
                extension: &|file| file.extension().unwrap_or_default().to_string_lossy().into_owned(),
            },
        )?;
        self.input = std::mem::take(&mut found.files);
        self.found = found;
        Ok(())
    }

    /// Returns whether the positional arguments are texts, and not the `-` for stdin.
    pub fn are_texts(&self) -> bool {
        !self.texts.is_empty() && self.texts != ["-"]
    }

    /// Returns whether stdin is read, because it is named or by default.
    pub fn reads_stdin(&self) -> bool {
        self.stdin_count() > 0 || (self.input.is_empty() && self.texts.is_empty())
    }

    pub fn is_only_stdin(&self) -> bool {
        !self.are_texts() && (self.input.is_empty() || self.input == [Path::new("-")])
    }

    fn stdin_count(&self) -> usize {
        let files = self.input.iter().filter(|path| *path == Path::new("-")).count();
        files + self.texts.iter().filter(|text| *text == "-").count()
    }

    /// Refuses inputs that exclude each other, and prints a hint if a TEXT is the path of a file. `verb` is what the command does with
    /// texts, such as `translates`.
    ///
    /// `files` are the other flags that may read stdin. If stdin is a terminal and the command has no arguments, it does not wait for
    /// input, but prints the usage and the examples of `command`.
    pub fn check(
        &self,
        ctx: &Context,
        files: &[(&'static str, Option<&Path>)],
        verb: &str,
        command: fn() -> clap::Command,
    ) -> Result<(), Failure> {
        if self.texts == ["-"] && !self.input.is_empty() {
            return Err(Failure::usage("TEXT `-` cannot be used with --input").hint("use -i - to read stdin as well"));
        }
        if self.texts.len() > 1 && self.texts.iter().any(|text| text == "-") {
            return Err(Failure::usage("`-` means stdin and cannot be used with other TEXT arguments")
                .hint("pass `-` alone to read stdin"));
        }
        if self.are_texts() && !self.input.is_empty() {
            return Err(Failure::usage("TEXT arguments cannot be used with --input")
                .hint("positional arguments are text, not files"));
        }
        if self.are_texts() && (self.lines || self.nul) {
            return Err(Failure::usage("--lines and --nul cannot be used with TEXT arguments")
                .hint("each argument is a text; use --lines or --nul with -i FILE or stdin"));
        }
        if let [first, second, ..] = self.stdin_readers(ctx, files)[..] {
            return Err(
                Failure::usage(format!("{first} and {second} both read stdin")).hint("read one of them from a file")
            );
        }
        let is_path = |text: &&String| text.contains(['.', '/']) && Path::new(text).is_file();
        if let Some(file) = self.texts.iter().find(is_path) {
            ctx.out.hint(&format!("{file} is a file here; -i {} {verb} its content", shell::quote_file(file)));
        }
        if self.reads_stdin() {
            files::check_stdin()?;
        }
        if self.stdin_count() == 0 && self.reads_stdin() && std::io::stdin().is_terminal() {
            let command = command();
            if ctx.words().len() == command.get_name().split(' ').count() {
                return Err(no_text_failure(ctx, &command));
            }
        }
        Ok(())
    }

    /// Returns whether the texts are arguments, or typed on a terminal.
    pub fn are_texts_typed(&self) -> bool {
        self.are_texts() || self.reads_terminal()
    }

    fn reads_terminal(&self) -> bool {
        self.reads_stdin() && std::io::stdin().is_terminal()
    }

    /// If the text is typed on a terminal, prints how to end it.
    pub fn announce_terminal(&self, ctx: &Context) {
        if self.reads_terminal() {
            let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
            ctx.out.status(&format!("reading from the terminal; end with {end}"));
        }
    }

    fn stdin_readers(&self, ctx: &Context, files: &[(&'static str, Option<&Path>)]) -> Vec<&'static str> {
        let dash = Some(Path::new("-"));
        let key_file = ("--key-file -", ctx.args.key_file.as_deref());
        let others = std::iter::once(&key_file).chain(files).filter(|(_, path)| *path == dash).map(|(flag, _)| *flag);
        let inputs = self.input.iter().filter(|path| Some(path.as_path()) == dash).map(|_| "-i -");
        let text = (self.input.is_empty() && !self.are_texts()).then_some("the text");
        others.chain(inputs).chain(text).collect()
    }
}

#[derive(Debug)]
pub struct TextInputs<'a> {
    pub args: &'a TextInputArgs,
    pub formats: InputFormats,
    protector: Arc<Protector>,
    /// The part of stdin that was read as lookahead.
    ahead: Option<InputStart>,
}

impl<'a> TextInputs<'a> {
    /// Creates inputs in these formats. Reads nothing yet.
    pub fn new(args: &'a TextInputArgs, formats: InputFormats, protector: Protector) -> Self {
        Self { args, formats, protector: Arc::new(protector), ahead: None }
    }

    /// Returns whether all inputs contain only whitespace, so nothing will be sent. Reads stdin up to its first text.
    pub async fn are_blank(&mut self, ctx: &Context) -> Result<bool, Failure> {
        if self.args.are_texts() {
            return Ok(self.args.texts.iter().all(|text| text.trim().is_empty()));
        }
        if let Some(start) = &self.ahead {
            return Ok(start.is_blank);
        }
        let terminator = self.args.nul.then_some('\0');
        for path in self.args.input.iter().filter(|path| *path != Path::new("-")) {
            // An unreadable file is reported when it is read for its text.
            let is_blank =
                || File::open(path).and_then(|file| read_start(file, terminator)).is_ok_and(|start| start.is_blank);
            if files::is_special(path) || !is_blank() {
                return Ok(false);
            }
        }
        if !self.args.reads_stdin() {
            return Ok(true);
        }
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let read = move || sender.send(read_start(std::io::stdin(), terminator));
        tulk_base::machine::spawn("look ahead", read)?;
        tokio::select! {
            biased;
            kind = ctx.stop.wait() => Err(Stop::failure(kind, None)),
            start = receiver => match start {
                Ok(Ok(start)) => Ok(self.ahead.insert(start).is_blank),
                _ => Ok(false),
            },
        }
    }

    fn lookahead_bytes(&self) -> Vec<u8> {
        self.ahead.as_ref().map(|start| start.bytes.clone()).unwrap_or_default()
    }

    /// Returns stdin from its start, including what was read as lookahead.
    pub fn stdin(&self) -> impl Read + Send + use<> {
        Cursor::new(self.lookahead_bytes()).chain(std::io::stdin())
    }

    /// Returns all inputs as one, in the format of the first file.
    pub fn all(&self) -> Result<PipelineInput, Failure> {
        let first = self.args.input.first().map_or(Path::new("-"), PathBuf::as_path);
        let source = if self.args.are_texts() {
            Source::texts(self.args.texts.clone())
        } else if self.args.input.is_empty() {
            Source::stdin()
        } else {
            Source::files(&self.args.input)?
        };
        Ok(self.read(source, first))
    }

    pub fn file(&self, path: &Path) -> Result<PipelineInput, Failure> {
        Ok(self.read(Source::files([path])?, path))
    }

    /// Returns each file as a separate input, for `--in-place`. Refuses stdin, special files, and a file that is named twice.
    pub fn each_in_place(&self) -> Result<Vec<(PathBuf, PipelineInput)>, Failure> {
        if self.args.reads_stdin() {
            return Err(Failure::usage("--in-place needs files, not stdin"));
        }
        let mut collisions = OutputCollisions::default();
        let input = |file: &PathBuf| {
            if files::is_special(file) {
                return Err(Failure::usage(format!("--in-place needs regular files; {} is not one", file.display()))
                    .hint("omit --in-place to write to stdout"));
            }
            collisions.add_replacement(file, &file.display().to_string())?;
            Ok((file.clone(), self.file(file)?))
        };
        self.args.input.iter().map(input).collect()
    }

    /// Returns the flags for reading inputs, besides the format. A resumed run must have the same ones as the earlier run.
    pub fn reading_flags(&self) -> String {
        let TextInputArgs { lossy, strip_ansi, .. } = self.args;
        format!("{lossy} {strip_ansi}{}", self.protector.identity())
    }

    /// Returns an input that reads `source` as the flags say, in the format of `file`; `-` is stdin.
    pub fn read(&self, source: Source, file: &Path) -> PipelineInput {
        let source = source.with_stdin_start(self.lookahead_bytes());
        let format = self.formats.of(file).clone();
        let source = source.lossy(self.args.lossy).strip_ansi(self.args.strip_ansi);
        let input = PipelineInput::new(source.in_any_encoding(format.takes_any_encoding()), format);
        input.protected(self.protector.clone())
    }
}

/// Prints the usage and the examples of a command, and returns the failure for missing input.
fn no_text_failure(ctx: &Context, command: &clap::Command) -> Failure {
    let name = command.get_name();
    ctx.out.status(&usage_and_examples(command).to_string());
    Failure::usage("no text given")
        .hint(format!("pass it as an argument, with -i FILE, or through a pipe; see `{name} --help`"))
}

/// Flags for the parts of texts that stay unchanged.
#[derive(Args, Debug, Default)]
pub struct ProtectArgs {
    /// Keep placeholders unchanged: preset or regular expression, repeatable
    #[arg(long, value_name = "PRESET|REGEX", help_heading = "Input", long_help = long_help())]
    #[arg(add = ValueKind::ProtectPresets)]
    pub protect: Vec<String>,
}

impl ProtectArgs {
    pub fn is_given(&self) -> bool {
        !self.protect.is_empty()
    }

    /// Returns the protector for the placeholders of a translation. Fails on a word that is not a preset, and on an invalid regular
    /// expression.
    pub fn protector(&self, formats: &InputFormats) -> Result<Protector, Failure> {
        protector(&self.protect, formats, SentForm::Tagged)
    }
}

/// Returns the protector for placeholders: those of the formats, and those that `values` of `--protect` select. Entries are sent in
/// `form` if they may contain placeholders.
pub fn protector(values: &[String], formats: &InputFormats, form: SentForm) -> Result<Protector, Failure> {
    let form = if formats.has_tokens() || !values.is_empty() { form } else { SentForm::Plain };
    Protector::new(values, form).map_err(|failure| Failure { what: format!("--{}", failure.what), ..failure })
}

fn long_help() -> String {
    format!("Keep placeholders unchanged: {}", protect_presets())
}

/// Describes the values of `--protect`, for its help.
pub fn protect_presets() -> String {
    let presets = PROTECT_PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ");
    format!("a preset ({presets}) or a regular expression, repeatable. re:WORD is always a regular expression")
}
