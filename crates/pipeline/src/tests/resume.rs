//! Tests of resuming from a part: after failures and kills, and with another input or other options.

use std::path::Path;

use serde_json::Value;

use super::*;

pub(super) fn to_file(
    path: &Path,
    text: &str,
    existing: ExistingPart,
    format: &InputFormat,
    client: &impl Call,
) -> Result<PipelineReport, Failure> {
    let to = Destination::file(path, "server\noptions\nde", existing)?;
    let sink = Sink { targets: TargetIndex::all(1), writer: format.writer(&[]), to };
    let input = PipelineInput::new(pipe(text.as_bytes(), 1000), format.clone());
    Ok(block_on(run(input, &[job("de", batch_limit(3))], vec![sink], &RunOptions::default(), client, &Stop::default())))
}

#[test]
fn a_finished_file_leaves_no_part_or_state() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("deep/er/out.txt");
    assert_complete(&to_file(&path, "a\nb\n", ExistingPart::Refuse, &InputFormat::lines(), &service(upper)).unwrap());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "<A>\n<B>\n");
    assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn resume_sends_no_answered_entry_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out.txt");
    let text = numbered(100);
    // The sixth request fails while later ones are answered early.
    let mut client =
        service(|number, body| if number == 5 { Err(refusal(503, Kind::Busy)) } else { upper(number, body) });
    client.jitter = true;
    let report = to_file(&path, &text, ExistingPart::Refuse, &InputFormat::lines(), &client).unwrap();
    assert!(report.targets[0].leftover == Leftover::Resumable && report.targets[0].failure.is_some());
    assert_eq!(report.targets[0].next.clone().unwrap().line, 16);
    let first: Vec<String> = client.texts();
    let refuse = to_file(&path, &text, ExistingPart::Refuse, &InputFormat::lines(), &client).unwrap_err();
    assert!(refuse.hint.unwrap().contains("--resume"));
    let again = service(upper);
    let report = to_file(&path, &text, ExistingPart::Resume, &InputFormat::lines(), &again).unwrap();
    assert_complete(&report);
    assert_eq!(report.targets[0].written, 100);
    let expected: String = (1..=100).map(|n| format!("<LINE {n}>\n")).collect();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
    let twice: Vec<_> = again.texts().into_iter().filter(|t| first.contains(t)).collect();
    assert_eq!(twice, ["line 16", "line 17", "line 18"], "only what was refused");
}

#[test]
fn a_part_cut_anywhere_resumes_without_sending_a_written_entry_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out.txt");
    let (part, state) = (dir.path().join("out.txt.part"), dir.path().join("out.txt.part.state"));
    let text = numbered(12);
    let client = service(|number, body| if number == 3 { Err(refusal(503, Kind::Busy)) } else { upper(number, body) });
    to_file(&path, &text, ExistingPart::Refuse, &InputFormat::lines(), &client).unwrap();
    let (whole, notes) = (std::fs::read(&part).unwrap(), std::fs::read(&state).unwrap());
    assert_eq!(whole.len(), 9 * 9);
    let expected: String = (1..=12).map(|n| format!("<LINE {n}>\n")).collect();
    for length in 0..=whole.len() {
        std::fs::write(&part, &whole[..length]).unwrap();
        // A kill can cut off only the last line of the state.
        std::fs::write(&state, [&notes[..], b"w 11 0123"].concat()).unwrap();
        let again = service(upper);
        assert_complete(&to_file(&path, &text, ExistingPart::Resume, &InputFormat::lines(), &again).unwrap());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected, "{length}");
        assert_eq!(again.texts().len(), 12 - length / 9, "{length}");
    }
}

#[test]
fn resume_refuses_another_source_and_other_options() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out.txt");
    let fail = |number, body: &Value| if number == 3 { Err(refusal(503, Kind::Busy)) } else { upper(number, body) };
    to_file(&path, &numbered(30), ExistingPart::Refuse, &InputFormat::lines(), &service(fail)).unwrap();
    for other in [numbered(30).replace("line 2", "line two"), numbered(5)] {
        let client = service(upper);
        let report = to_file(&path, &other, ExistingPart::Resume, &InputFormat::lines(), &client).unwrap();
        let ended = report.ended_by.clone().unwrap_or_else(|| panic!("{report:?}"));
        assert_eq!((ended.kind, report.requests), (Kind::Usage, 0), "{ended}");
    }
    for (identity, what) in
        [("x\noptions\nde", "server"), ("server\nx\nde", "options"), ("server\noptions\nx", "target")]
    {
        let failure = Destination::file(&path, identity, ExistingPart::Resume).err().unwrap();
        assert_eq!(failure.kind, Kind::Usage);
        assert!(failure.what.contains(what), "{failure}");
    }
    let client = service(upper);
    assert_complete(&to_file(&path, "z\n", ExistingPart::Overwrite, &InputFormat::lines(), &client).unwrap());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "<Z>\n");
}

#[test]
fn a_run_that_wrote_nothing_leaves_only_the_old_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out.txt");
    std::fs::write(&path, "old").unwrap();
    let client = service(|_, _| Err(refusal(403, Kind::Key)));
    let report = to_file(&path, "a\n", ExistingPart::Refuse, &InputFormat::lines(), &client).unwrap();
    assert_eq!(report.targets[0].failure.clone().unwrap().kind, Kind::Key);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn replaced_files_keep_their_mode_and_links_while_devices_have_no_part() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let (path, link) = (dir.path().join("out.txt"), dir.path().join("link"));
    std::fs::write(&path, "old").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let held = Destination::file(&link, "a\nb\nc", ExistingPart::Refuse).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&dir.path().join("out.txt.part.state")), 0o600);
    let failure = Destination::file(&path, "a\nb\nc", ExistingPart::Resume).err().unwrap();
    assert!(failure.what.contains("another process"), "{failure}");
    drop(held);
    assert_complete(&to_file(&link, "a\n", ExistingPart::Refuse, &InputFormat::lines(), &service(upper)).unwrap());
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!((std::fs::read_to_string(&path).unwrap().as_str(), mode(&path)), ("<A>\n", 0o640));
    assert_complete(
        &to_file(Path::new("/dev/null"), "a\n", ExistingPart::Refuse, &InputFormat::lines(), &service(upper)).unwrap(),
    );
    assert!(!Path::new("/dev/null.part").exists());
}
