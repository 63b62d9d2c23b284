//! Kills of `tulk translate` with `--resume`: several outputs and languages, a single output, `--in-place`.

use fastrand::Rng;

use super::Scenario;
use super::leftovers::{check_end, check_state, files, mode};
use super::world::{Texts, World};
use crate::common::Bench;

pub const SCENARIO: Scenario =
    Scenario { name: "translate", sandbox: &["--engine", "upper", "--latency", "0ms-4ms"], round };

/// Input files with their numbers of lines: four requests, one, and one.
const FILES: [(&str, usize); 3] = [("a", 170), ("b", 1), ("c", 7)];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Several,
    Single,
    InPlace,
}

struct Output {
    path: String,
    file: &'static str,
    lang: &'static str,
}

fn lines(file: &str) -> Vec<String> {
    let (_, count) = FILES.iter().find(|(name, _)| *name == file).unwrap();
    (1..=*count).map(|line| format!("file {file} line {line}")).collect()
}

fn input(file: &str) -> String {
    lines(file).iter().map(|line| format!("{line}\n")).collect()
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Several => "several outputs",
            Self::Single => "one output",
            Self::InPlace => "in place",
        }
    }

    fn args(self) -> Vec<&'static str> {
        let mut args = vec!["translate", "--from", "en", "--lines", "--concurrency", "3", "-i", "a.txt"];
        args.extend(match self {
            Self::Several => &["-i", "b.txt", "-i", "c.txt", "--to", "de,fr", "-o", "out/{stem}.{lang}{ext}"][..],
            Self::Single => &["--to", "de", "-o", "out.txt"],
            Self::InPlace => &["-i", "b.txt", "-i", "c.txt", "--to", "de", "--in-place"],
        });
        args
    }

    fn outputs(self) -> Vec<Output> {
        match self {
            Self::Several => FILES
                .iter()
                .flat_map(|(file, _)| {
                    ["de", "fr"].map(|lang| Output { path: format!("out/{file}.{lang}.txt"), file, lang })
                })
                .collect(),
            Self::Single => vec![Output { path: "out.txt".into(), file: "a", lang: "de" }],
            Self::InPlace => {
                FILES.iter().map(|(file, _)| Output { path: format!("{file}.txt"), file, lang: "de" }).collect()
            }
        }
    }
}

fn prepare(bench: &Bench) {
    for (file, _) in FILES {
        bench.write(&format!("{file}.txt"), input(file));
    }
}

fn round(world: &mut World, rng: &mut Rng) {
    let kind = [Kind::Several, Kind::Single, Kind::InPlace][rng.usize(..3)];
    let args = kind.args();
    let resume: Vec<&str> = args.iter().copied().chain(["--resume"]).collect();
    world.measure(kind.name(), &args, prepare);
    prepare(&world.bench);
    // An old result must stay until the new one is complete.
    if kind == Kind::Several && rng.bool() {
        world.bench.write("out/a.fr.txt", "old\n");
    }
    let (_, mut code) = world.kill(&args, rng);
    loop {
        let run;
        let recorded = check_files(world, kind);
        assert!(matches!(code, None | Some(0)), "{}: exit code {code:?}", world.label());
        if code.is_some() || is_complete(world, kind) {
            break;
        }
        if rng.u8(0..3) == 0 {
            (run, code) = world.kill(&resume, rng);
        } else {
            (run, _) = world.run_ok(&resume);
            code = Some(0);
        }
        let again = world.texts(|sender| sender == run);
        let twice: Vec<_> = again.intersection(&recorded).collect();
        assert!(twice.is_empty(), "{}: recorded, but sent again: {twice:?}", world.label());
        world.count_sent_again(run);
    }
    for Output { path, file, .. } in kind.outputs() {
        assert_eq!(world.bench.read(&path), input(file).to_uppercase(), "{}: {path}", world.label());
    }
    check_end(&world.bench, world.label());
}

/// Returns the texts whose results are on disk.
fn check_files(world: &World, kind: Kind) -> Texts {
    let (bench, label) = (&world.bench, world.label());
    check_state(bench, label);
    let mut recorded = Texts::new();
    let mut known = Vec::new();
    let (mut finished, mut unfinished) = (Vec::new(), Vec::new());
    for Output { path, file, lang } in kind.outputs() {
        let results = input(file).to_uppercase();
        let text = std::fs::read_to_string(bench.path(&path)).unwrap_or_default();
        let is_old = matches!(text.as_str(), "" | "old\n") || (kind == Kind::InPlace && text == input(file));
        assert!(is_old || text == results, "{label}: {path} is half written: {text}");
        let part = std::fs::read_to_string(bench.path(&format!("{path}.part"))).unwrap_or_default();
        // `--in-place` exchanges the part with the input. After a kill at that moment, the part has the old content.
        let is_replaced = kind == Kind::InPlace && !is_old && part == input(file);
        assert!(is_replaced || results.starts_with(&part), "{label}: {path}.part: {part}");
        let rows = if is_old { part.matches('\n').count() } else { lines(file).len() };
        if !is_old {
            finished.push(file);
        } else if rows < lines(file).len() {
            unfinished.push((file, path.clone()));
        }
        recorded.extend(lines(file).into_iter().take(rows).map(|line| (lang.to_owned(), line)));
        let state = format!("{path}.part.state");
        if bench.path(&state).exists() {
            assert_eq!(mode(bench, &state), 0o600, "{label}: {state}");
            recorded.extend(
                early_rows(&bench.read(&state)).into_iter().map(|row| (lang.to_owned(), lines(file)[row].clone())),
            );
        }
        known.extend([format!("{path}.part"), state, path]);
    }
    // The outputs of a file are finished together: if one is finished, all results of the file are on disk.
    let lost: Vec<_> = unfinished.iter().filter(|(file, _)| finished.contains(file)).collect();
    assert!(lost.is_empty(), "{label}: finished outputs of {finished:?}, but not on disk: {lost:?}");
    let is_unknown = |name: &String| !known.contains(name) && !name.starts_with('.') && !is_input(name);
    let unknown: Vec<String> = files(bench, "").into_iter().filter(is_unknown).collect();
    assert!(unknown.is_empty(), "{label}: {unknown:?}");
    recorded
}

fn is_input(name: &str) -> bool {
    FILES.iter().any(|(file, _)| name == format!("{file}.txt"))
}

/// Returns the rows in a state file whose answers arrived before those of earlier rows.
fn early_rows(state: &str) -> Vec<usize> {
    let whole = state.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let rows = whole.lines().filter_map(|line| line.strip_prefix("a ")?.split(' ').next()?.parse().ok());
    rows.collect()
}

/// Returns whether all work was done and recorded before the kill.
fn is_complete(world: &mut World, kind: Kind) -> bool {
    let bench = &world.bench;
    let is_whole = |output: &Output| {
        std::fs::read_to_string(bench.path(&output.path)).is_ok_and(|text| text == input(output.file).to_uppercase())
    };
    let records = files(bench, ".local/state/tulk/runs").len();
    let states = files(bench, "").iter().filter(|name| name.ends_with(".state")).count();
    let complete = kind.outputs().iter().all(is_whole) && records == 0 && states == 0;
    world.kills.done_when_killed += usize::from(complete);
    complete
}
