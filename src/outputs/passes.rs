//! One plan of all inputs and outputs: which inputs are read together, and where their results go.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use tulk_base::error::{Failure, Kind, Origin};
use tulk_base::files::{FileIdentity, canonical, is_special, sha256_hex};
use tulk_pipeline::output_path::{OutputCollisions, OutputTemplate, Placeholder};
use tulk_pipeline::{PipelineInput, PipelineReport, TargetIndex};
use tulk_store::part::{PartPaths, ResumePoint};
use tulk_store::runs::OutputKey;

use super::output_run::OutputArgs;
use crate::inputs::texts::TextInputs;
use crate::runs::result_form::ResultForm;

/// One run of the pipeline: an input with all its targets.
pub struct TextPass {
    /// The input, for messages and records.
    pub source: PassSource,
    /// The same input, ready to be read.
    pub input: PipelineInput,
    pub outputs: Vec<PassOutput>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PassSource {
    /// All inputs, with results to stdout. Contains the files, if there are any.
    All(Vec<PathBuf>),
    Stdin,
    Texts(Vec<String>),
    File(PathBuf),
}

pub struct PassOutput {
    pub targets: Vec<TargetIndex>,
    /// The file; `None` for stdout.
    pub path: Option<PathBuf>,
    /// Key in records of runs, if the output is a regular file.
    pub key: Option<OutputKey>,
    /// Position at which an earlier run stopped.
    pub resume_point: Option<Box<ResumePoint>>,
}

impl PassOutput {
    fn new(targets: Vec<TargetIndex>, path: Option<PathBuf>) -> Self {
        Self { targets, path, key: None, resume_point: None }
    }
}

impl PassSource {
    /// Returns a file as a source; `-` is stdin.
    pub fn of_file(file: &Path) -> Self {
        if file == Path::new("-") { Self::Stdin } else { Self::File(file.to_owned()) }
    }

    pub fn name(&self) -> Option<String> {
        match self {
            Self::Stdin => Some("stdin".to_owned()),
            Self::File(path) => Some(path.display().to_string()),
            Self::All(_) | Self::Texts(_) => None,
        }
    }

    pub fn reads_stdin(&self) -> bool {
        match self {
            Self::Stdin => true,
            Self::All(files) => files.is_empty() || files.iter().any(|file| file == Path::new("-")),
            Self::Texts(_) | Self::File(_) => false,
        }
    }

    /// Returns whether other files can be processed after a failure that ended a pass.
    pub fn concerns_only_its_file(&self, failure: &Failure) -> bool {
        matches!(self, Self::File(_)) && matches!(failure.kind, Kind::Usage | Kind::Partly)
    }

    pub fn inputs_not_reached(&self, report: &PipelineReport) -> Vec<String> {
        let (Self::All(files), [target]) = (self, &report.targets[..]) else { return Vec::new() };
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let at = target.next.as_ref().and_then(|next| names.iter().position(|name| **name == *next.source));
        at.map_or(Vec::new(), |at| names.into_iter().skip(at + 1).collect())
    }

    /// Returns how many files were read, not counting stdin.
    pub fn files_reached(&self, report: &PipelineReport) -> u64 {
        match self {
            Self::File(_) => 1,
            Self::All(files) => {
                let files = files.iter().filter(|file| *file != Path::new("-")).count();
                (files - self.inputs_not_reached(report).len().min(files)) as u64
            }
            Self::Stdin | Self::Texts(_) => 0,
        }
    }

    /// Returns a text that identifies the source among all sources.
    pub(super) fn identity(&self) -> String {
        match self {
            Self::File(path) => format!("file {}", path_identity(path)),
            Self::Texts(texts) => format!("texts {}", sha256_hex(format!("{texts:?}").as_bytes())),
            Self::Stdin | Self::All(_) => "stdin".to_owned(),
        }
    }
}

/// Returns a text that identifies a file by its path, whether or not it exists.
pub(super) fn path_identity(path: &Path) -> String {
    sha256_hex(canonical(path).as_os_str().as_encoded_bytes())
}

/// Adds the name of the input to a failure, unless the failure has a position.
pub fn with_input_name(failure: Failure, source: &PassSource) -> Failure {
    match source.name() {
        Some(name) if failure.at.is_none() => failure.at(Origin::whole(&name)),
        _ => failure,
    }
}

/// Returns the passes: one per file if each file has its own outputs or the formats differ, otherwise one over all inputs. `targets` are
/// the languages of the results in BCP 47; an empty one is unknown.
///
/// Fails if a result would replace an input or another result.
pub fn passes(
    inputs: &TextInputs<'_>,
    args: &OutputArgs,
    targets: &[String],
    form: ResultForm,
) -> Result<Vec<TextPass>, Failure> {
    let passes = unchecked_passes(inputs, args, targets, form)?;
    check_parts(inputs, &passes)?;
    Ok(passes)
}

fn unchecked_passes(
    inputs: &TextInputs<'_>,
    args: &OutputArgs,
    targets: &[String],
    form: ResultForm,
) -> Result<Vec<TextPass>, Failure> {
    if args.in_place {
        if targets.len() > 1 && !inputs.formats.adds_results() {
            return Err(Failure::usage("--in-place takes one target").hint("use -o '{stem}.{lang}{ext}' for several"));
        }
        let pass = |(file, input): (PathBuf, PipelineInput)| {
            let outputs = vec![PassOutput::new(TargetIndex::all(targets.len()), Some(file.clone()))];
            TextPass { source: PassSource::File(file), input, outputs }
        };
        return Ok(inputs.each_in_place()?.into_iter().map(pass).collect());
    }
    if let Some(output) = args.file() {
        return passes_to_files(inputs, output, targets, form);
    }
    let outputs = || vec![PassOutput::new(TargetIndex::all(targets.len()), None)];
    if let Some([first, other]) = inputs.formats.files_of_different_formats(&inputs.args.input) {
        if !form.can_be_concatenated() {
            let what = format!("{first} and {other} have different formats and cannot be listed in one result");
            return Err(Failure::usage(what)
                .hint("use --format jsonl, write a file for each with -o, or read all as plain text with --as text"));
        }
        let pass = |file: &PathBuf| {
            Ok(TextPass { source: PassSource::of_file(file), input: inputs.file(file)?, outputs: outputs() })
        };
        return inputs.args.input.iter().map(pass).collect();
    }
    Ok(vec![TextPass { source: PassSource::All(inputs.args.input.clone()), input: inputs.all()?, outputs: outputs() }])
}

/// Fails if an input or an output has the path of a part file.
fn check_parts(inputs: &TextInputs<'_>, passes: &[TextPass]) -> Result<(), Failure> {
    let outputs = passes.iter().flat_map(|pass| &pass.outputs).filter_map(|output| output.path.as_deref());
    let outputs: Vec<&Path> = outputs.filter(|path| !is_special(path)).collect();
    let inputs = inputs.args.input.iter().map(PathBuf::as_path);
    let used: HashSet<FileIdentity> = inputs.chain(outputs.iter().copied()).map(FileIdentity::new).collect();
    for output in outputs {
        for part in PartPaths::new(output)?.parts() {
            if used.contains(&FileIdentity::new(part)) {
                let what = format!("{} is an input or output", part.display());
                return Err(Failure::usage(format!(
                    "{what}, but {} is kept there until it is finished",
                    output.display()
                ))
                .hint("choose another name with -o"));
            }
        }
    }
    Ok(())
}

fn passes_to_files(
    inputs: &TextInputs<'_>,
    output: &str,
    targets: &[String],
    form: ResultForm,
) -> Result<Vec<TextPass>, Failure> {
    let template = OutputTemplate::parse("-o", output)?;
    if template.has(Placeholder::Lang) && targets.iter().any(String::is_empty) {
        return Err(Failure::usage("{lang} in -o needs --to").hint("pass the language of the text with --to"));
    }
    let has_all_targets = form.has_all_targets(&inputs.formats);
    let mut collisions = OutputCollisions::default();
    inputs.args.input.iter().for_each(|file| collisions.add_input(file));
    if inputs.args.are_texts() || inputs.args.is_only_stdin() {
        let outputs = outputs(&template, Path::new("stdin"), Path::new(""), targets, has_all_targets, &mut collisions)?;
        let source =
            if inputs.args.are_texts() { PassSource::Texts(inputs.args.texts.clone()) } else { PassSource::Stdin };
        return Ok(vec![TextPass { source, input: inputs.all()?, outputs }]);
    }
    let files = inputs.args.input.iter();
    let with_outputs: Vec<_> = files
        .map(|file| {
            let below = inputs.args.found.below(file);
            Ok((file, outputs(&template, file, below, targets, has_all_targets, &mut collisions)?))
        })
        .collect::<Result<_, Failure>>()?;
    let pass = |(file, outputs): (&PathBuf, Vec<PassOutput>)| {
        Ok(TextPass { source: PassSource::of_file(file), input: inputs.file(file)?, outputs })
    };
    with_outputs.into_iter().map(pass).collect()
}

/// Returns the outputs of one input: one for all targets if the format allows that and the template has no `{lang}`, otherwise one
/// per target.
fn outputs(
    template: &OutputTemplate,
    file: &Path,
    below: &Path,
    targets: &[String],
    has_all_targets: bool,
    collisions: &mut OutputCollisions,
) -> Result<Vec<PassOutput>, Failure> {
    let ext = file.extension().unwrap_or_default().to_string_lossy();
    let mut output = |indices: Vec<TargetIndex>, lang: &str| {
        let path = template.fill_below(file, below, lang, &ext);
        let name = file.display();
        let result_of = if lang.is_empty() { name.to_string() } else { format!("{name} to {lang}") };
        collisions.add_output(&path, &result_of)?;
        Ok(PassOutput::new(indices, Some(path)))
    };
    if has_all_targets && !template.has(Placeholder::Lang) {
        let all = TargetIndex::all(targets.len());
        return targets.first().map(|lang| output(all, lang)).into_iter().collect();
    }
    let each = TargetIndex::all(targets.len()).into_iter().zip(targets);
    each.map(|(target, lang)| output(vec![target], lang)).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use tulk_pipeline::Protector;

    use super::*;
    use crate::inputs::structure::{FormatLanguages, StructureArgs};
    use crate::inputs::texts::TextInputArgs;

    #[derive(Parser)]
    struct TestArgs {
        #[command(flatten)]
        inputs: TextInputArgs,
        #[command(flatten)]
        outputs: OutputArgs,
    }

    fn plan(args: &[&str], targets: &[&str]) -> Result<Vec<TextPass>, Failure> {
        let args = TestArgs::parse_from([&["tulk"], args].concat());
        let targets: Vec<String> = targets.iter().map(ToString::to_string).collect();
        let formats = StructureArgs::default().formats(&args.inputs, &FormatLanguages::default()).unwrap();
        let inputs = TextInputs::new(&args.inputs, formats, Protector::default());
        passes(&inputs, &args.outputs, &targets, ResultForm::text())
    }

    #[test]
    fn every_input_and_target_has_its_own_output() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let file = |name: &str| {
            std::fs::write(dir.path().join(name), "x").unwrap();
            dir.path().join(name).display().to_string()
        };
        let (a, b) = (file("a.txt"), file("b"));
        let passes = plan(&["-i", &a, "-i", &b, "-o", "out/{stem}.{lang}{ext}"], &["de", "pt-BR"]).unwrap();
        let paths = |pass: &TextPass| -> Vec<String> {
            pass.outputs.iter().map(|output| output.path.as_ref().unwrap().display().to_string()).collect()
        };
        assert_eq!(paths(&passes[0]), ["out/a.de.txt", "out/a.pt-BR.txt"]);
        assert_eq!(paths(&passes[1]), ["out/b.de", "out/b.pt-BR"]);
    }

    #[test]
    fn refuses_one_text_file_for_two_targets() {
        let failure = plan(&["-o", "out.txt", "hello"], &["de", "fr"]).err().unwrap();
        assert!(failure.what.starts_with("two results have the same path: out.txt"), "{failure}");
    }

    #[test]
    fn a_file_is_not_replaced_by_two_results() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let file = dir.path().join("a.txt").display().to_string();
        std::fs::write(&file, "x").unwrap();
        let failure = plan(&["-i", &file, "--in-place"], &["de", "fr"]).err().unwrap();
        assert_eq!(failure.what, "--in-place takes one target");
        let passes = plan(&["-i", &file, "--in-place"], &["de"]).unwrap();
        assert_eq!(passes[0].outputs[0].path.as_deref(), Some(Path::new(&file)));
    }

    #[test]
    fn refuses_an_input_with_the_path_of_a_part_file() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let at = |name: &str| dir.path().join(name).display().to_string();
        std::fs::write(at("a.part"), "x").unwrap();
        let failure = plan(&["-i", &at("a.part"), "-o", &at("a")], &["de"]).err().unwrap();
        assert!(failure.what.contains("a.part is an input or output"), "{failure}");
        std::fs::write(at("a.part.state"), "x").unwrap();
        let failure = plan(&["-i", &at("a.part"), "-i", &at("a.part.state"), "--in-place"], &["de"]).err();
        assert!(failure.is_none(), "the part of a.part.state is another file");
    }

    #[test]
    fn only_a_file_and_stdin_have_names() {
        let all = |files: &[&str]| PassSource::All(files.iter().map(PathBuf::from).collect());
        let (file, texts) = (PassSource::File("a.txt".into()), PassSource::Texts(vec!["hello".to_owned()]));
        // Columns: source, its name, whether it reads stdin.
        let table = [
            (PassSource::Stdin, Some("stdin"), true),
            (file.clone(), Some("a.txt"), false),
            (texts.clone(), None, false),
            (all(&[]), None, true),
            (all(&["a.txt"]), None, false),
            (all(&["a.txt", "-"]), None, true),
        ];
        for (source, name, reads_stdin) in table {
            assert_eq!((source.name().as_deref(), source.reads_stdin()), (name, reads_stdin), "{source:?}");
        }
        let identities =
            [PassSource::Stdin, file, PassSource::File("b.txt".into()), texts].map(|source| source.identity());
        for (n, identity) in identities.iter().enumerate() {
            assert!(!identities[..n].contains(identity), "{identity}");
        }
        assert_eq!(all(&["a.txt"]).identity(), "stdin");
    }

    #[test]
    fn a_failure_without_a_position_gets_the_name_of_the_input() {
        let file = PassSource::File("a.txt".into());
        assert_eq!(with_input_name(Failure::usage("empty"), &file).to_string(), "a.txt: empty");
        assert_eq!(
            with_input_name(Failure::usage("empty").at(Origin::at("b", 2, 1)), &file).to_string(),
            "b:2:1: empty"
        );
        assert_eq!(with_input_name(Failure::usage("empty"), &PassSource::All(Vec::new())).to_string(), "empty");
    }

    #[test]
    fn lists_the_inputs_that_a_stopped_run_did_not_reach() {
        use tulk_pipeline::TargetReport;
        let not_reached = |at: Option<&str>| {
            let next = at.map(|source| Origin::at(source, 1, 1));
            let targets = vec![TargetReport { next, ..TargetReport::default() }];
            let source = PassSource::All(["a", "b", "c", "d"].map(PathBuf::from).to_vec());
            source.inputs_not_reached(&PipelineReport { targets, ..PipelineReport::default() })
        };
        assert_eq!(not_reached(Some("a")), ["b", "c", "d"]);
        assert_eq!(not_reached(Some("b")), ["c", "d"]);
        assert!(not_reached(Some("d")).is_empty());
        assert!(not_reached(Some("x")).is_empty() && not_reached(None).is_empty());
    }

    #[test]
    fn a_template_with_lang_needs_a_known_language() {
        let failure = plan(&["-o", "out.{lang}.txt", "hello"], &[""]).err().unwrap();
        assert_eq!(failure.what, "{lang} in -o needs --to");
        assert_eq!(plan(&["-o", "{stem}.txt", "hello"], &[""]).unwrap().len(), 1);
    }
}
