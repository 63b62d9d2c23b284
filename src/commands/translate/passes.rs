//! Which inputs are translated together, and where their results go.

use std::path::{Path, PathBuf};

use super::args::TranslateArgs;
use crate::api::translate::TranslateText;
use crate::commands::result_form::ResultForm;
use crate::error::Failure;
use crate::output_path::{OutputCollisions, OutputTemplate, Placeholder};
use crate::pipeline::{PipelineInput, TargetIndex};

/// One run of the pipeline: an input with all its targets.
pub struct TranslatePass {
    /// Its name in messages: the input file, the output if the input has no name, or `stdout`.
    pub name: String,
    /// What is read.
    pub input: PipelineInput,
    /// Where results go.
    pub outputs: Vec<PassOutput>,
}

/// One output of a pass.
pub struct PassOutput {
    /// The targets in it.
    pub targets: Vec<TargetIndex>,
    /// The file; `None` for stdout.
    pub path: Option<PathBuf>,
}

/// Returns the passes: one per file if each has outputs of its own, else one over all inputs.
///
/// Fails if a result would replace an input or another result.
pub fn passes(
    args: &TranslateArgs,
    requests: &[TranslateText],
    form: ResultForm,
) -> Result<Vec<TranslatePass>, Failure> {
    if args.in_place {
        return in_place(args, requests.len());
    }
    if let Some(output) = args.output.as_deref().filter(|output| *output != "-") {
        return to_files(args, output, requests, form);
    }
    let outputs = vec![PassOutput { targets: TargetIndex::all(requests.len()), path: None }];
    Ok(vec![TranslatePass { name: "stdout".to_owned(), input: args.inputs.all()?, outputs }])
}

fn in_place(args: &TranslateArgs, targets: usize) -> Result<Vec<TranslatePass>, Failure> {
    if targets > 1 {
        return Err(Failure::usage("--in-place takes one target").hint("use -o '{stem}.{lang}{ext}' for several"));
    }
    let pass = |(file, input): (PathBuf, PipelineInput)| {
        let name = file.display().to_string();
        TranslatePass { name, input, outputs: vec![PassOutput { targets: TargetIndex::all(1), path: Some(file) }] }
    };
    Ok(args.inputs.each_in_place()?.into_iter().map(pass).collect())
}

fn to_files(
    args: &TranslateArgs,
    output: &str,
    requests: &[TranslateText],
    form: ResultForm,
) -> Result<Vec<TranslatePass>, Failure> {
    let template = OutputTemplate::parse("-o", output)?;
    let mut collisions = OutputCollisions::default();
    args.inputs.input.iter().for_each(|file| collisions.add_input(file));
    if args.inputs.are_texts() || args.inputs.is_only_stdin() {
        let outputs = outputs(&template, Path::new("stdin"), requests, form, &mut collisions)?;
        return Ok(vec![TranslatePass { name: output.to_owned(), input: args.inputs.all()?, outputs }]);
    }
    let files = args.inputs.input.iter();
    let with_outputs: Vec<_> = files
        .map(|file| Ok((file, outputs(&template, file, requests, form, &mut collisions)?)))
        .collect::<Result<_, Failure>>()?;
    let pass = |(file, outputs): (&PathBuf, Vec<PassOutput>)| {
        Ok(TranslatePass { name: file.display().to_string(), input: args.inputs.file(file)?, outputs })
    };
    with_outputs.into_iter().map(pass).collect()
}

/// Returns the outputs of one input: one for all targets if the format lists them and the template has no `{lang}`, else one
/// per target.
fn outputs(
    template: &OutputTemplate,
    file: &Path,
    requests: &[TranslateText],
    form: ResultForm,
    collisions: &mut OutputCollisions,
) -> Result<Vec<PassOutput>, Failure> {
    let ext = file.extension().unwrap_or_default().to_string_lossy();
    let mut output = |targets: Vec<TargetIndex>, request: &TranslateText| {
        let lang = request.target_lang.bcp47();
        let path = template.fill(file, lang, &ext);
        collisions.add_output(&path, &format!("{} to {lang}", file.display()))?;
        Ok(PassOutput { targets, path: Some(path) })
    };
    if form.is_list() && !template.has(Placeholder::Lang) {
        let all = TargetIndex::all(requests.len());
        return requests.first().map(|request| output(all, request)).into_iter().collect();
    }
    let each = TargetIndex::all(requests.len()).into_iter().zip(requests);
    each.map(|(target, request)| output(vec![target], request)).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct TestCommand {
        #[command(flatten)]
        args: TranslateArgs,
    }

    fn requests(targets: &[&str]) -> Vec<TranslateText> {
        let request = |target: &&str| TranslateText {
            target_lang: target.parse().unwrap(),
            source_lang: None,
            assets: crate::api::assets::AssetIds::default(),
            options: crate::api::translate::TranslateOptions::default(),
            params: Vec::new(),
            reporting_tag: None,
        };
        targets.iter().map(request).collect()
    }

    #[test]
    fn every_input_and_target_has_an_output_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            std::fs::write(dir.path().join(name), "x").unwrap();
            dir.path().join(name).display().to_string()
        };
        let (a, b) = (file("a.txt"), file("b"));
        let args = ["tulk", "-i", &a, "-i", &b, "-o", "out/{stem}.{lang}{ext}"];
        let args = TestCommand::parse_from(args).args;
        let form = ResultForm::text();
        let passes = passes(&args, &requests(&["de", "pt-br"]), form).unwrap();
        let paths = |pass: &TranslatePass| -> Vec<String> {
            pass.outputs.iter().map(|output| output.path.as_ref().unwrap().display().to_string()).collect()
        };
        assert_eq!(paths(&passes[0]), ["out/a.de.txt", "out/a.pt-BR.txt"]);
        assert_eq!(paths(&passes[1]), ["out/b.de", "out/b.pt-BR"]);
    }

    #[test]
    fn one_file_for_two_targets_is_refused_as_text() {
        let args = TestCommand::parse_from(["tulk", "-o", "out.txt", "hello"]).args;
        let failure = passes(&args, &requests(&["de", "fr"]), ResultForm::text()).err().unwrap();
        assert!(failure.what.starts_with("two results have the same path: out.txt"), "{failure}");
    }
}
