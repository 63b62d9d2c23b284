//! The files of `tulk voice stream`: nothing is overwritten without `--force`, no result replaces the input or another result, and a
//! stopped stream keeps the old file.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::common::{Bench, Run, wait_until};
use crate::voice::{bench, stream, wav};

/// Fails unless nothing was sent and the recording is unchanged.
#[track_caller]
fn assert_untouched(bench: &Bench) {
    assert_eq!(bench.requests(), Vec::<Value>::new());
    assert!(std::fs::read(bench.path("talk.wav")).unwrap() == wav(2200), "the recording was changed");
}

#[test]
fn never_writes_to_the_recording() {
    let bench = bench(&[]);
    let both = "both an input and an output";
    for output in ["talk.wav", "./talk.wav", "{dir}/{stem}.wav"] {
        stream(&bench, &["-o", output, "--force"]).code(2).says(both);
    }
    stream(&bench, &["--speak", "de", "--audio-out", "talk.wav", "--force"]).code(2).says(both);
    stream(&bench, &["--speak", "de", "--audio-out", "talk.wav"]).code(2);
    stream(&bench, &["-o", "talk.wav", "-n"]).code(2);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("talk.wav", bench.path("link.wav")).unwrap();
        std::fs::hard_link(bench.path("talk.wav"), bench.path("hard.wav")).unwrap();
        for name in ["link.wav", "hard.wav"] {
            stream(&bench, &["-o", name, "--force"]).code(2).says(both);
            stream(&bench, &["--speak", "de", "--audio-out", name, "--force"]).code(2).says(both);
        }
        for script in [
            "tulk voice stream - -o talk.wav --force < talk.wav",
            "tulk voice stream --speak de --audio-out hard.wav --force < talk.wav",
        ] {
            bench.bash(script).code(2).says(both);
        }
    }
    assert_untouched(&bench);
}

#[test]
fn refuses_two_results_in_one_file() {
    let bench = bench(&[]);
    let speak = ["--speak", "de", "--audio-out", "x.wav"];
    stream(&bench, &[&speak[..], &["-o", "x.wav"]].concat()).code(2).says("two results have the same path: x.wav");
    stream(&bench, &[&speak[..], &["-o", "./x.wav"]].concat()).code(2).says("two results have the same path");
    stream(&bench, &["--to", "de,fr", "-o", "x.txt"]).code(2).says("2 transcripts cannot share x.txt");
    stream(&bench, &["--to", "de,fr", "--speak", "fr", "-o", "{lang}.x", "--audio-out", "fr.x"])
        .code(2)
        .says("(the speech and the transcript in fr)");
    stream(&bench, &["--to", "de,en", "--from", "en", "--transcript", "-o", "{lang}.txt"])
        .code(2)
        .says("en.txt would contain both the source and its translation");
    // The `.part` file of the speech has the path of the transcript.
    stream(&bench, &[&speak[..], &["-o", "x.wav.part"]].concat()).code(2).says("two results have the same path");
    #[cfg(unix)]
    {
        bench.write("old.txt", "old");
        std::os::unix::fs::symlink("old.txt", bench.path("link.txt")).unwrap();
        stream(&bench, &["--speak", "de", "--audio-out", "link.txt", "-o", "old.txt", "--force"]).code(2);
        std::os::unix::fs::symlink("missing.txt", bench.path("dangling.txt")).unwrap();
        stream(&bench, &["--speak", "de", "--audio-out", "dangling.txt", "-o", "missing.txt"]).code(2);
    }
    assert_untouched(&bench);
}

#[test]
fn an_existing_file_is_replaced_only_with_force() {
    let bench = bench(&[]);
    bench.write("short.wav", wav(600));
    bench.write("de.txt", "old");
    bench.write("de.wav", "old");
    let run = |more: &[&str]| bench.run([&["voice", "stream", "short.wav", "--to", "de"], more].concat());
    run(&["-o", "{lang}.txt"]).code(2).says("de.txt already exists").says("--force");
    run(&["-o", "{lang}.txt", "-n"]).code(2);
    run(&["--speak", "de", "--audio-out", "de.wav"]).code(2).says("de.wav already exists").says("--force");
    assert_eq!((bench.requests(), bench.read("de.txt"), bench.read("de.wav")), (vec![], "old".into(), "old".into()));
    run(&["-o", "{lang}.txt", "--speak", "de", "--audio-out", "de.wav", "--force"]).code(0);
    assert_eq!(bench.read("de.txt"), "Good morning.\n");
    assert!(std::fs::read(bench.path("de.wav")).unwrap().starts_with(b"RIFF"));
    assert!(!bench.path("de.txt.part").exists() && !bench.path("de.wav.part").exists());
    run(&["-o", "/dev/null"]).code(0);
}

#[test]
fn replaces_a_leftover_part_only_with_force() {
    let bench = bench(&[]);
    bench.write("short.wav", wav(600));
    bench.write("de.txt.part", "paid");
    let run = |more: &[&str]| bench.run([&["voice", "stream", "short.wav", "-o", "de.txt"], more].concat());
    run(&[]).code(2).says("de.txt.part was left by an earlier run").says("--force");
    assert_eq!((bench.requests(), bench.read("de.txt.part")), (vec![], "paid".into()));
    run(&["--force"]).code(0);
    assert!(bench.read("de.txt") == "Good morning.\n" && !bench.path("de.txt.part").exists());
    #[cfg(unix)]
    {
        bench.write("target.txt", "target");
        std::os::unix::fs::symlink("target.txt", bench.path("de.txt.part")).unwrap();
        run(&["--force"]).code(0);
        assert_eq!((bench.read("target.txt").as_str(), bench.read("de.txt").as_str()), ("target", "Good morning.\n"));
    }
}

#[test]
fn a_stream_that_fails_to_start_leaves_no_part() {
    let bench = bench(&[]);
    stream(&bench, &["-o", "talk.txt", "--glossary", "missing"]).code(4);
    let bench = bench.env("TULK_API_KEY", "wrong");
    stream(&bench, &["-o", "talk.txt", "--format", "vtt", "--speak", "de", "--audio-out", "talk.de.wav"]).code(3);
    let names: Vec<_> = std::fs::read_dir(bench.dir()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!names.iter().any(|name| name.to_string_lossy().contains("part")), "{names:?}");
}

#[cfg(unix)]
#[test]
fn a_stopped_stream_leaves_the_old_file_and_names_the_part() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let bench = bench(&[]);
        bench.write("talk.de.txt", "old");
        let mut child = bench
            .command()
            .args(["voice", "stream", "-", "--to", "de", "-o", "talk.{lang}.txt", "--force", "-q"])
            .args(["--speak", "de", "--audio-out", "talk.de.ogg"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // 520 ms of audio: the first sentence ends at 500. The pipe stays open.
        let mut file = wav(520);
        file[40..44].copy_from_slice(&u32::MAX.to_le_bytes());
        stdin.write_all(&file).unwrap();
        let part = bench.path("talk.de.txt.part");
        wait_until("the first sentence", || std::fs::read(&part).is_ok_and(|bytes| bytes == b"Good morning."));
        let killed = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let run = Run::from(child.wait_with_output().unwrap()).code(code);
        let run = run.says("the output so far is in talk.de.txt.part and talk.de.ogg.part");
        assert_eq!(
            (bench.read("talk.de.txt").as_str(), bench.read("talk.de.txt.part").as_str()),
            ("old", "Good morning.\n")
        );
        assert!(std::fs::read(bench.path("talk.de.ogg.part")).unwrap().starts_with(b"OggS"), "{run}");
        assert!(!bench.path("talk.de.ogg").exists());
    }
}

#[cfg(unix)]
#[test]
fn a_killed_stream_leaves_the_concluded_text() {
    let bench = bench(&[]);
    let mut child =
        bench.command().args(["voice", "stream", "-", "-o", "talk.txt"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut file = wav(520);
    file[40..44].copy_from_slice(&u32::MAX.to_le_bytes());
    stdin.write_all(&file).unwrap();
    let part = bench.path("talk.txt.part");
    wait_until("the first sentence", || std::fs::read(&part).is_ok_and(|bytes| bytes == b"Good morning."));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(bench.read("talk.txt.part"), "Good morning.");
}

#[test]
fn the_profile_chooses_languages_and_glossary() {
    let bench = bench(&[]);
    bench.write("de.tsv", "Good morning\tMoin");
    let create = ["glossary", "create", "terms", "--dictionary", "en:de=de.tsv", "--format", "json"];
    let id = bench.run(create).code(0).json()["glossary_id"].clone();
    let body = |profile: &str, more: &[&str]| {
        bench.write("c.toml", format!("[profiles.default]\nsource_lang = \"en\"\n{profile}\n"));
        stream(&bench, &[&["--config", "c.toml", "-n"], more].concat()).code(0).json()["body"].clone()
    };
    let german = "target_lang = \"de\"\n";
    for glossary in ["glossary = \"terms\"", "glossary = [\"terms\"]"] {
        let sent = body(&format!("{german}{glossary}"), &[]);
        assert_eq!((&sent["glossary_id"], &sent["target_languages"]), (&id, &json!(["de"])), "{glossary}");
    }
    let none = body(&format!("{german}glossary = \"terms\""), &["--glossary", "none"]);
    assert_eq!(none.get("glossary_id"), None);
    bench.write("c.toml", format!("[profiles.default]\n{german}glossary = [\"a\", \"b\"]\n"));
    stream(&bench, &["--config", "c.toml"])
        .code(2)
        .says("c.toml:3:1: 2 glossaries; a voice session takes one")
        .says("--glossary none");
}

#[test]
#[cfg(unix)]
fn never_writes_speech_to_a_terminal() {
    let bench = bench(&[]);
    let stream = ["voice", "stream", "talk.wav", "--to", "de", "--speak", "de", "--audio-out", "-", "-o", "text"];
    bench
        .on_terminal(80, stream)
        .code(2)
        .says("stdout is a terminal, and speech may not be text")
        .says("--force")
        .prints("");
    assert_untouched(&bench);
}
