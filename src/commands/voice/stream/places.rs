//! Where transcripts go: stdout, a terminal with live text, or a file for each language.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::form::{Form, Line};
use super::live::Live;
use super::{Ending, Shown, StreamArgs};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::files::{AtomicFile, FileMode};
use crate::output::Output;

/// The language's name where none is known.
const UNKNOWN: &str = "und";

/// What was decided, before anything is opened.
pub struct Places {
    out: Arc<Output>,
    form: Form,
    plan: Plan,
}

enum Plan {
    Live(Live),
    Stdout,
    /// One file for all.
    File(PathBuf),
    /// One file for each transcript; the source's is named when its language is known.
    Files {
        template: String,
        input: PathBuf,
        #[allow(clippy::option_option)] // shown or not; if so, named or not yet
        source: Option<Option<PathBuf>>,
        targets: Vec<PathBuf>,
    },
}

/// The places, open.
pub struct Opened {
    out: Arc<Output>,
    form: Form,
    to: To,
}

enum To {
    Live(Live),
    Stdout,
    File(Target),
    Files {
        template: String,
        input: PathBuf,
        #[allow(clippy::option_option)] // shown or not; if so, open or not yet
        source: Option<Option<Target>>,
        targets: Vec<Target>,
    },
}

struct Target {
    path: PathBuf,
    file: AtomicFile,
    form: Form,
}

impl Target {
    fn open(path: &Path, form: &Form) -> Result<Self, Failure> {
        Ok(Self { path: path.to_path_buf(), file: AtomicFile::create(path, FileMode::Inherit)?, form: form.clone() })
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.file.write_all(text.as_bytes()).map_err(|e| Failure::file("write", &self.path, &e))
    }

    fn line(&mut self, line: &Line) -> Result<(), Failure> {
        let text = self.form.line(line);
        self.write(&text)
    }

    fn end(mut self, ending: Ending, out: &Output) -> Result<(), Failure> {
        self.write(self.form.end())?;
        if ending == Ending::Whole {
            return self.file.commit();
        }
        let mut part = self.path.clone().into_os_string();
        part.push(".part");
        let part = PathBuf::from(part);
        self.file.keep_as(&part)?;
        out.status(&format!("what came in before the failure is in {}", part.display()));
        Ok(())
    }
}

impl Places {
    /// Decides, and refuses what would mix languages or files.
    pub fn plan(ctx: &Context, args: &StreamArgs, shown: &Shown) -> Result<Self, Failure> {
        let out = Arc::clone(&ctx.out);
        let format = out.settings().format_or(OutputFormat::Text);
        let form = match format {
            OutputFormat::Jsonl => Form::Jsonl,
            OutputFormat::Srt => Form::Srt(0),
            OutputFormat::Vtt => Form::Vtt(false),
            _ => Form::Text(false),
        };
        let several = shown.count() > 1;
        let output = args.output.as_deref().filter(|output| *output != "-");
        let Some(output) = output else {
            if form == Form::Text(false) && out.settings().stdout_is_terminal() {
                return Ok(Self { plan: Plan::Live(Live::new(&out, shown)), form, out });
            }
            if several && form != Form::Jsonl {
                return Err(Failure::usage(format!(
                    "{} transcripts in one stream cannot be told apart",
                    shown.count()
                ))
                .hint("write a file for each: -o 'talk.{lang}.txt', or take --format jsonl"));
            }
            return Ok(Self { plan: Plan::Stdout, form, out });
        };
        let input = args.input().unwrap_or(Path::new("stdin")).to_path_buf();
        let path = |language: &str| expand(output, &input, language, &form);
        let plan = if output.contains("{lang}") {
            let targets: Vec<PathBuf> = shown.targets.iter().map(|l| path(l)).collect();
            let source = shown.source.as_ref().map(|language| language.as_deref().map(path));
            if let Some(Some(source)) = source.as_ref().filter(|s| s.as_ref().is_some_and(|p| targets.contains(p))) {
                return Err(Failure::usage(format!("two transcripts would be {}", source.display()))
                    .hint("leave --transcript out, or the source's language among the targets"));
            }
            Plan::Files { template: output.to_owned(), input, source, targets }
        } else if several && form != Form::Jsonl {
            return Err(Failure::usage(format!("{} transcripts would be written to {output}", shown.count()))
                .hint("use {lang} in -o"));
        } else {
            Plan::File(path(UNKNOWN))
        };
        Ok(Self { out, form, plan })
    }

    /// Opens what can be opened now: a place that cannot be written shows before any audio is sent.
    pub fn open(self) -> Result<Opened, Failure> {
        let form = &self.form;
        let to = match self.plan {
            Plan::Live(live) => To::Live(live),
            Plan::Stdout => To::Stdout,
            Plan::File(path) => To::File(Target::open(&path, form)?),
            Plan::Files { template, input, source, targets } => To::Files {
                targets: targets.iter().map(|path| Target::open(path, form)).collect::<Result<_, _>>()?,
                source: match source {
                    Some(Some(path)) => Some(Some(Target::open(&path, form)?)),
                    Some(None) => Some(None),
                    None => None,
                },
                template,
                input,
            },
        };
        Ok(Opened { out: self.out, form: self.form, to })
    }
}

impl Opened {
    /// Whether text is shown live.
    pub fn is_live(&self) -> bool {
        matches!(self.to, To::Live(_))
    }

    /// Takes a concluded segment of a transcript: `None` is the source, else the place among the targets.
    pub fn concluded(&mut self, target: Option<usize>, line: &Line) -> Result<(), Failure> {
        match &mut self.to {
            To::Live(screen) => screen.concluded(target, &line.text),
            To::Stdout => self.out.text(self.form.line(line)),
            To::File(file) => file.line(line),
            To::Files { template, input, source, targets } => match (target, source) {
                (Some(at), _) => targets.get_mut(at).map_or(Ok(()), |file| file.line(line)),
                (None, Some(source)) => {
                    if source.is_none() {
                        let path = expand(template, input, &line.language, &self.form);
                        let is_taken = targets.iter().any(|target| target.path == path);
                        let path = if is_taken { expand(template, input, UNKNOWN, &self.form) } else { path };
                        *source = Some(Target::open(&path, &self.form)?);
                    }
                    source.as_mut().map_or(Ok(()), |file| file.line(line))
                }
                (None, None) => Ok(()),
            },
        }
    }

    /// Takes the tentative text of a transcript, which replaces what it had.
    pub fn tentative(&mut self, target: Option<usize>, text: &str) -> Result<(), Failure> {
        match &mut self.to {
            To::Live(live) => live.tentative(target, text),
            _ => Ok(()),
        }
    }

    /// Ends every file.
    pub fn end(self, ending: Ending) -> Result<(), Failure> {
        match self.to {
            To::Live(mut live) => live.end(),
            To::Stdout => match self.out.text(self.form.end()) {
                Err(failure) if failure.kind == Kind::PipeClosed => Ok(()),
                other => other,
            },
            To::File(file) => file.end(ending, &self.out),
            To::Files { template, input, source, targets } => {
                let source = match source {
                    Some(None) => Some(Target::open(&expand(&template, &input, UNKNOWN, &self.form), &self.form)?),
                    Some(open) => open,
                    None => None,
                };
                source.into_iter().chain(targets).try_for_each(|file| file.end(ending, &self.out))
            }
        }
    }
}

/// Fills a template in.
fn expand(template: &str, input: &Path, language: &str, form: &Form) -> PathBuf {
    let part = |part: Option<&std::ffi::OsStr>| part.map(|p| p.to_string_lossy().into_owned()).unwrap_or_default();
    let dir =
        input.parent().filter(|p| !p.as_os_str().is_empty()).map_or(".".into(), |p| p.to_string_lossy().into_owned());
    let ext = match form {
        Form::Text(_) => "txt",
        Form::Jsonl => "jsonl",
        Form::Srt(_) => "srt",
        Form::Vtt(_) => "vtt",
    };
    // `{stem}{ext}` and `{stem}.{ext}` are both what people write.
    let text = template
        .replace(".{ext}", "{ext}")
        .replace("{ext}", &format!(".{ext}"))
        .replace("{dir}", &dir)
        .replace("{stem}", &part(input.file_stem()))
        .replace("{lang}", language);
    PathBuf::from(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_templates_in() {
        for (template, path) in [
            ("talk.{lang}.srt", "talk.pt-BR.srt"),
            ("{dir}/{stem}.{lang}{ext}", "a/b.c.pt-BR.srt"),
            ("{stem}.{ext}", "b.c.srt"),
        ] {
            assert_eq!(expand(template, Path::new("a/b.c.wav"), "pt-BR", &Form::Srt(0)), Path::new(path));
        }
        assert_eq!(expand("{dir}/{stem}.txt", Path::new("b.wav"), "x", &Form::Jsonl), Path::new("./b.txt"));
    }
}
