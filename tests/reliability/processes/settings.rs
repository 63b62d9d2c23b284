//! 32 processes change one settings file and the keys beside it: no change is lost, and readers never see a partial file.

use std::io::Write as _;
use std::process::{Child, Stdio};

use super::{PROCESSES, end, run_concurrently, start};
use crate::common::Bench;

const SETTINGS: &str = "# Settings of the team\n\n[profiles.work] # everyone\nformality = \"more\" # in German\n";
const FILE: &str = ".config/tulk/config.toml";

#[test]
fn keeps_comments_and_all_changes_of_32_processes() {
    let bench = Bench::bare();
    bench.write(FILE, SETTINGS);
    let runs = run_concurrently(&bench, |n| match n % 4 {
        0 => "config list".to_owned(),
        1 => "config set profiles.work.target_lang fr".to_owned(),
        _ => format!("config set profiles.p{n}.target_lang de"),
    });
    for (n, run) in runs.into_iter().enumerate() {
        let run = run.code(0).says_nothing();
        if n % 4 == 0 {
            assert!(run.out().contains("profiles.work.formality\tmore"), "a reader sees a whole file\n{run}");
        }
    }
    let text = bench.read(FILE);
    let work = SETTINGS.to_owned() + "target_lang = \"fr\"\n";
    assert!(text.starts_with(&work), "{text}");
    let added: usize =
        (0..PROCESSES).filter(|n| n % 4 > 1).filter(|n| text.contains(&format!("[profiles.p{n}]\n"))).count();
    assert_eq!((added, text.matches("target_lang").count()), (16, 17), "{text}");
    let runs = run_concurrently(&bench, |n| match n % 4 {
        0 => "config get profiles.work.formality".to_owned(),
        1 => "config list --json".to_owned(),
        _ => format!("config unset profiles.p{n}.target_lang"),
    });
    for run in runs {
        run.code(0).says_nothing();
    }
    let text = bench.read(FILE);
    assert!(text.starts_with(&work) && text.matches("target_lang").count() == 1, "{text}");
    assert_eq!(std::fs::read_dir(bench.path(".config/tulk")).unwrap().count(), 1, "no temporary file is left");
}

fn login(bench: &Bench, n: usize) -> Child {
    let mut command = bench.command();
    command.args(["-p", &format!("p{n}"), "auth", "login", "--server", "http://127.0.0.1:9", "--no-verify"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(format!("key-of-profile-{n}-\n").as_bytes()).unwrap();
    child
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn keys_of_32_profiles_are_stored_and_removed_concurrently() {
    let bench = Bench::bare();
    let children: Vec<Child> = (0..PROCESSES).map(|n| login(&bench, n)).collect();
    for (n, child) in children.into_iter().enumerate() {
        end(child).code(0).prints("").says(&format!("profile p{n}: stored the key for http://127.0.0.1:9"));
    }
    let expected = |n: usize| format!("key-of-profile-{n}-\n");
    for n in 0..PROCESSES {
        bench.run(["-p", &format!("p{n}"), "auth", "token"]).code(0).prints(expected(n));
    }
    // Half of them log out while the others log in again.
    let children: Vec<Child> = (0..PROCESSES)
        .map(|n| if n % 2 == 0 { login(&bench, n) } else { start(&bench, &["-p", &format!("p{n}"), "auth", "logout"]) })
        .collect();
    for child in children {
        end(child).code(0);
    }
    let keys = bench.read(".config/tulk/credentials.toml");
    assert_eq!(keys.matches("key-of-profile-").count(), 16, "{keys}");
    for n in (0..PROCESSES).step_by(2) {
        assert!(keys.contains(expected(n).trim()), "p{n}: {keys}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(bench.path(".config/tulk/credentials.toml")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
