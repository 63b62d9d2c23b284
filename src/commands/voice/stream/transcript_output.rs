//! Where transcripts are written: stdout, a terminal with live text, one file, or a file per language.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::VoiceStreamArgs;
use super::formatter::{TranscriptFormatter, TranscriptLine};
use super::live::LiveDisplay;
use super::outcome::StreamOutcome;
use super::selection::{TranscriptId, TranscriptSelection};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::files::{AtomicFile, FileMode, with_suffix};
use crate::output::Output;
use crate::output_path::{OutputCollisions, OutputTemplate, Placeholder};

/// Language code of a source whose language is unknown.
pub const UNKNOWN_LANGUAGE: &str = "und";

/// Where transcripts will be written, checked but not opened.
pub struct OutputPlan {
    out: Arc<Output>,
    formatter: TranscriptFormatter,
    destination: PlannedDestination,
}

enum PlannedDestination {
    Live(LiveDisplay),
    Stdout,
    File(PathBuf),
    FilePerLanguage {
        naming: TranscriptNaming,
        writes_source: bool,
        /// `None` if the source is not written, or its language is unknown.
        source: Option<PathBuf>,
        targets: Vec<PathBuf>,
    },
}

/// Where transcripts are written.
pub struct TranscriptOutput {
    out: Arc<Output>,
    formatter: TranscriptFormatter,
    destination: OpenDestination,
}

enum OpenDestination {
    Live(LiveDisplay),
    Stdout,
    File(TranscriptFile),
    FilePerLanguage {
        naming: TranscriptNaming,
        writes_source: bool,
        /// Opened when the language is known.
        source: Option<TranscriptFile>,
        targets: Vec<TranscriptFile>,
    },
}

/// Names the file of each language.
struct TranscriptNaming {
    template: OutputTemplate,
    input: PathBuf,
    extension: &'static str,
    collisions: OutputCollisions,
}

impl TranscriptNaming {
    fn new(args: &VoiceStreamArgs, template: OutputTemplate, extension: &'static str) -> Result<Self, Failure> {
        let mut collisions = OutputCollisions::default();
        if let Some(input) = args.audio_file() {
            collisions.add_input(input);
        }
        if let Some(speech) = args.audio_out.as_deref().filter(|path| *path != Path::new("-")) {
            collisions.add_output(speech, "the speech")?;
        }
        let input = args.audio_file().unwrap_or(Path::new("stdin")).to_path_buf();
        Ok(Self { template, input, extension, collisions })
    }

    /// Returns the path for a language. Fails if it is an input or another output.
    fn path(&mut self, language: &str) -> Result<PathBuf, Failure> {
        let path = self.template.fill(&self.input, language, self.extension);
        self.collisions.add_output(&path, &format!("the transcript in {language}"))?;
        Ok(path)
    }
}

impl OutputPlan {
    /// Decides where each transcript goes. Fails if one stream or file would mix languages, or if paths collide.
    pub fn new(ctx: &Context, args: &VoiceStreamArgs, selection: &TranscriptSelection) -> Result<Self, Failure> {
        let out = Arc::clone(&ctx.out);
        let format = out.settings().format_or(OutputFormat::Text);
        let formatter = TranscriptFormatter::new(format);
        let count = selection.count();
        let mixes_languages = count > 1 && format != OutputFormat::Jsonl;
        let destination = if let Some(output) = args.output_template() {
            let template = OutputTemplate::parse("-o", output)?;
            let per_language = template.has(Placeholder::Lang);
            if mixes_languages && !per_language {
                return Err(
                    Failure::usage(format!("{count} transcripts cannot share {output}")).hint("use {lang} in -o")
                );
            }
            let mut naming = TranscriptNaming::new(args, template, formatter.extension())?;
            if per_language {
                PlannedDestination::per_language(naming, selection)?
            } else {
                PlannedDestination::File(naming.path(UNKNOWN_LANGUAGE)?)
            }
        } else if format == OutputFormat::Text && out.settings().stdout_is_terminal() {
            PlannedDestination::Live(LiveDisplay::new(&out, selection))
        } else if mixes_languages {
            return Err(Failure::usage(format!("{count} transcripts cannot share stdout in this format"))
                .hint("write a file for each with -o 'talk.{lang}.txt', or use --format jsonl"));
        } else {
            PlannedDestination::Stdout
        };
        Ok(Self { out, formatter, destination })
    }

    /// Opens the files whose names are known, so that an unwritable path is found before any audio is sent.
    pub fn open(self) -> Result<TranscriptOutput, Failure> {
        let formatter = self.formatter;
        let open = |path: PathBuf| TranscriptFile::open(path, &formatter);
        let destination = match self.destination {
            PlannedDestination::Live(display) => OpenDestination::Live(display),
            PlannedDestination::Stdout => OpenDestination::Stdout,
            PlannedDestination::File(path) => OpenDestination::File(open(path)?),
            PlannedDestination::FilePerLanguage { naming, writes_source, source, targets } => {
                OpenDestination::FilePerLanguage {
                    naming,
                    writes_source,
                    source: source.map(open).transpose()?,
                    targets: targets.into_iter().map(open).collect::<Result<_, _>>()?,
                }
            }
        };
        Ok(TranscriptOutput { out: self.out, formatter, destination })
    }
}

impl PlannedDestination {
    fn per_language(mut naming: TranscriptNaming, selection: &TranscriptSelection) -> Result<Self, Failure> {
        let targets = selection.targets.iter().map(|language| naming.path(language)).collect::<Result<_, _>>()?;
        let source = match &selection.source_language {
            Some(language) if selection.source => Some(
                naming
                    .path(language)
                    .map_err(|failure| failure.hint("omit --transcript, or remove the source language from --to"))?,
            ),
            _ => None,
        };
        Ok(Self::FilePerLanguage { naming, writes_source: selection.source, source, targets })
    }
}

impl TranscriptOutput {
    /// Returns whether text is shown live.
    pub fn is_live(&self) -> bool {
        matches!(self.destination, OpenDestination::Live(_))
    }

    /// Writes a final segment.
    pub fn write_segment(&mut self, transcript: TranscriptId, line: &TranscriptLine) -> Result<(), Failure> {
        match &mut self.destination {
            OpenDestination::Live(display) => display.push(transcript, &line.text),
            OpenDestination::Stdout => self.out.text(self.formatter.segment(line)),
            OpenDestination::File(file) => file.write_segment(line),
            OpenDestination::FilePerLanguage { naming, writes_source, source, targets } => match transcript {
                TranscriptId::Target(at) => targets.get_mut(at).map_or(Ok(()), |file| file.write_segment(line)),
                TranscriptId::Source if !*writes_source => Ok(()),
                TranscriptId::Source => {
                    let file = match source {
                        Some(file) => file,
                        empty => {
                            let path = naming.path(&line.language).or_else(|_| naming.path(UNKNOWN_LANGUAGE))?;
                            empty.insert(TranscriptFile::open(path, &self.formatter)?)
                        }
                    };
                    file.write_segment(line)
                }
            },
        }
    }

    /// Replaces the tentative text of a transcript, if text is shown live.
    pub fn show_tentative(&mut self, transcript: TranscriptId, text: &str) -> Result<(), Failure> {
        match &mut self.destination {
            OpenDestination::Live(display) => display.set_tentative(transcript, text),
            _ => Ok(()),
        }
    }

    /// Finishes every file.
    pub fn finish(self, outcome: StreamOutcome) -> Result<(), Failure> {
        match self.destination {
            OpenDestination::Live(mut display) => display.finish(),
            OpenDestination::Stdout => match self.out.text(self.formatter.end()) {
                Err(failure) if failure.kind == Kind::PipeClosed => Ok(()),
                other => other,
            },
            OpenDestination::File(file) => file.finish(outcome, &self.out),
            OpenDestination::FilePerLanguage { mut naming, writes_source, mut source, targets } => {
                if writes_source && source.is_none() {
                    source = Some(TranscriptFile::open(naming.path(UNKNOWN_LANGUAGE)?, &self.formatter)?);
                }
                source.into_iter().chain(targets).try_for_each(|file| file.finish(outcome, &self.out))
            }
        }
    }
}

/// The file of one or all transcripts.
struct TranscriptFile {
    path: PathBuf,
    file: AtomicFile,
    formatter: TranscriptFormatter,
}

impl TranscriptFile {
    fn open(path: PathBuf, formatter: &TranscriptFormatter) -> Result<Self, Failure> {
        let file = AtomicFile::create(&path, FileMode::Inherit)?;
        Ok(Self { path, file, formatter: formatter.clone() })
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.file.write_all(text.as_bytes()).map_err(|e| Failure::file("write", &self.path, &e))
    }

    fn write_segment(&mut self, line: &TranscriptLine) -> Result<(), Failure> {
        let text = self.formatter.segment(line);
        self.write(&text)
    }

    fn finish(mut self, outcome: StreamOutcome, out: &Output) -> Result<(), Failure> {
        self.write(self.formatter.end())?;
        if outcome == StreamOutcome::Complete {
            return self.file.commit();
        }
        let part = with_suffix(&self.path, ".part");
        self.file.keep_as(&part)?;
        out.status(&format!("the transcript before the failure is in {}", part.display()));
        Ok(())
    }
}
