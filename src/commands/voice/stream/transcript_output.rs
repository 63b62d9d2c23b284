//! Destinations of transcripts: stdout, a terminal with live text, one file, or one file per language.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tulk_base::error::{Failure, Kind};
use tulk_client::api::language_code::LangCode;
use tulk_pipeline::output_path::{OutputTemplate, Placeholder};

use super::VoiceStreamArgs;
use super::formatter::{TranscriptFormatter, TranscriptLine};
use super::live::LiveDisplay;
use super::output_files::{OutputFiles, ResultFile, StreamOutcome};
use super::transcripts::{TranscriptId, TranscriptSelection};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::output::Output;

pub const UNKNOWN_LANGUAGE: &str = "und";

/// `F` is a path while the output is planned, and a [`TranscriptFile`] once it is open.
pub struct TranscriptOutput<F = TranscriptFile> {
    out: Arc<Output>,
    formatter: TranscriptFormatter,
    files: OutputFiles,
    destination: Destination<F>,
}

enum Destination<F> {
    Live(LiveDisplay),
    Stdout,
    File(F),
    FilePerLanguage {
        naming: TranscriptNaming,
        writes_source: bool,
        /// `None` if the source is not written, or until its language is known.
        source: Option<F>,
        targets: Vec<F>,
    },
}

struct TranscriptNaming {
    template: OutputTemplate,
    input: PathBuf,
    extension: &'static str,
}

impl TranscriptNaming {
    fn new(args: &VoiceStreamArgs, template: OutputTemplate, extension: &'static str) -> Self {
        let input = args.audio_file().unwrap_or(Path::new("stdin")).to_path_buf();
        Self { template, input, extension }
    }

    fn path(&self, language: &str) -> PathBuf {
        self.template.fill(&self.input, language, self.extension)
    }

    fn add(&self, language: &str, files: &mut OutputFiles) -> Result<PathBuf, Failure> {
        let path = self.path(language);
        files.add(&path, &format!("the transcript in {language}"))?;
        Ok(path)
    }
}

impl TranscriptOutput<PathBuf> {
    /// Plans the destination of each transcript. Fails if one output would mix languages that it does not label, or if paths collide.
    pub fn plan(ctx: &Context, args: &VoiceStreamArgs, selection: &TranscriptSelection) -> Result<Self, Failure> {
        let out = Arc::clone(&ctx.out);
        let format = out.settings().format_or(OutputFormat::Text);
        let formatter = TranscriptFormatter::new(format);
        let count = selection.count();
        let mixes_languages = count > 1 && format != OutputFormat::Jsonl;
        let mut files = OutputFiles::new(args)?;
        let destination = if let Some(output) = args.output_template() {
            let template = OutputTemplate::parse("-o", output)?;
            let per_language = template.has(Placeholder::Lang);
            if mixes_languages && !per_language {
                return Err(
                    Failure::usage(format!("{count} transcripts cannot share {output}")).hint("use {lang} in -o")
                );
            }
            let naming = TranscriptNaming::new(args, template, formatter.extension());
            if per_language {
                Destination::per_language(naming, selection, &mut files)?
            } else {
                let path = naming.path(UNKNOWN_LANGUAGE);
                files.add(&path, "the transcript")?;
                Destination::File(path)
            }
        } else if format == OutputFormat::Text && out.settings().stdout_is_terminal {
            Destination::Live(LiveDisplay::new(&out, selection))
        } else if mixes_languages {
            return Err(Failure::usage(format!("{count} transcripts cannot share stdout in this format"))
                .hint("write a file for each with -o 'talk.{lang}.txt', or use --format jsonl"));
        } else {
            Destination::Stdout
        };
        Ok(Self { out, formatter, files, destination })
    }

    /// Includes the speech file.
    pub fn files(&self) -> &OutputFiles {
        &self.files
    }

    /// Opens the files whose names are known, to report unwritable paths before any audio is sent.
    pub fn open(self) -> Result<TranscriptOutput, Failure> {
        let (formatter, files) = (self.formatter, self.files);
        let open = |path: PathBuf| TranscriptFile::open(&path, &files, &formatter);
        let destination = match self.destination {
            Destination::Live(display) => Destination::Live(display),
            Destination::Stdout => Destination::Stdout,
            Destination::File(path) => Destination::File(open(path)?),
            Destination::FilePerLanguage { naming, writes_source, source, targets } => Destination::FilePerLanguage {
                naming,
                writes_source,
                source: source.map(open).transpose()?,
                targets: targets.into_iter().map(open).collect::<Result<_, _>>()?,
            },
        };
        Ok(TranscriptOutput { out: self.out, formatter, files, destination })
    }
}

impl Destination<PathBuf> {
    fn per_language(
        naming: TranscriptNaming,
        selection: &TranscriptSelection,
        files: &mut OutputFiles,
    ) -> Result<Self, Failure> {
        let targets = selection.targets.iter().map(|language| naming.add(language, files));
        let targets: Vec<_> = targets.collect::<Result<_, _>>()?;
        let mut source = None;
        if selection.source {
            let language = selection.source_language.as_deref();
            let path = naming.path(language.unwrap_or(UNKNOWN_LANGUAGE));
            if targets.contains(&path) {
                return Err(Failure::usage(format!(
                    "{} would contain both the source and its translation",
                    path.display()
                ))
                .hint("omit --transcript, or remove the source language from --to"));
            }
            let path = naming.add(language.unwrap_or(UNKNOWN_LANGUAGE), files)?;
            source = language.map(|_| path);
        }
        Ok(Self::FilePerLanguage { naming, writes_source: selection.source, source, targets })
    }
}

impl TranscriptOutput {
    pub fn is_live(&self) -> bool {
        matches!(self.destination, Destination::Live(_))
    }

    pub fn streams_to_stdout(&self) -> bool {
        matches!(self.destination, Destination::Stdout)
    }

    pub fn write_segment(&mut self, transcript: TranscriptId, line: &TranscriptLine) -> Result<(), Failure> {
        match &mut self.destination {
            Destination::Live(display) => display.push(transcript, &line.text),
            Destination::Stdout => self.out.stdout().json_lines(&self.formatter.format_segment(line)),
            Destination::File(file) => file.write_segment(line),
            Destination::FilePerLanguage { naming, writes_source, source, targets } => match transcript {
                TranscriptId::Target(at) => targets.get_mut(at).map_or(Ok(()), |file| file.write_segment(line)),
                TranscriptId::Source if !*writes_source => Ok(()),
                TranscriptId::Source => {
                    let file = match source {
                        Some(file) => file,
                        empty => empty.insert(open_source(naming, &line.language, &mut self.files, &self.formatter)?),
                    };
                    file.write_segment(line)
                }
            },
        }
    }

    pub fn show_tentative(&mut self, transcript: TranscriptId, text: &str) -> Result<(), Failure> {
        match &mut self.destination {
            Destination::Live(display) => display.set_tentative(transcript, text),
            _ => Ok(()),
        }
    }

    /// Returns the partial files that stay.
    pub fn finish(self, outcome: StreamOutcome) -> Result<Vec<PathBuf>, Failure> {
        match self.destination {
            Destination::Live(mut display) => display.finish().map(|()| Vec::new()),
            Destination::Stdout => match self.out.text(self.formatter.end()) {
                Err(failure) if failure.kind != Kind::PipeClosed => Err(failure),
                _ => Ok(Vec::new()),
            },
            Destination::File(file) => Ok(file.finish(outcome)?.into_iter().collect()),
            Destination::FilePerLanguage { naming, writes_source, mut source, targets } => {
                if writes_source && source.is_none() {
                    let path = naming.path(UNKNOWN_LANGUAGE);
                    source = Some(TranscriptFile::open(&path, &self.files, &self.formatter)?);
                }
                let finished: Vec<_> = source.into_iter().chain(targets).map(|file| file.finish(outcome)).collect();
                let parts: Vec<_> = finished.into_iter().collect::<Result<_, _>>()?;
                Ok(parts.into_iter().flatten().collect())
            }
        }
    }
}

fn open_source(
    naming: &TranscriptNaming,
    language: &str,
    files: &mut OutputFiles,
    formatter: &TranscriptFormatter,
) -> Result<TranscriptFile, Failure> {
    // The language becomes part of a path, so accept only a valid code from the service.
    let code = language.parse::<LangCode>().ok();
    let detected = code.and_then(|code| naming.add(code.bcp47(), files).ok());
    TranscriptFile::open(&detected.unwrap_or_else(|| naming.path(UNKNOWN_LANGUAGE)), files, formatter)
}

pub struct TranscriptFile {
    file: ResultFile,
    formatter: TranscriptFormatter,
}

impl TranscriptFile {
    fn open(path: &Path, files: &OutputFiles, formatter: &TranscriptFormatter) -> Result<Self, Failure> {
        Ok(Self { file: files.open(path)?, formatter: formatter.clone() })
    }

    fn write_segment(&mut self, line: &TranscriptLine) -> Result<(), Failure> {
        let text = self.formatter.format_segment(line);
        self.file.write(text.as_bytes())
    }

    fn finish(mut self, outcome: StreamOutcome) -> Result<Option<PathBuf>, Failure> {
        if outcome == StreamOutcome::Complete || !self.file.is_empty() {
            self.file.write(self.formatter.end().as_bytes())?;
        }
        self.file.finish(outcome)
    }
}
