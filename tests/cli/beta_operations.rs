//! Beta operations sent with `tulk api`: voice jobs, quality evaluation, language detection.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::common::tools::{has, skip_without};
use crate::common::{Bench, wait_until};
use crate::voice::{TRANSCRIPT, wav};

fn bench() -> Bench {
    Bench::with(&["--engine", "echo", "--document-queue", "0s", "--document-translate", "0s"])
}

fn create(bench: &Bench, content_type: &str, bytes: usize, target: &str) -> Value {
    let job = json!({
        "source_file": {"name": "talk", "content_type": content_type, "content_length": bytes},
        "targets": [{"language": "de", "type": target}],
    });
    bench.write("job.json", job.to_string());
    bench.run(["api", "POST", "/v1/jobs/voice/translate?include=signed_url", "--input", "job.json"]).code(0).json()
}

fn result(bench: &Bench, created: &Value) -> Value {
    let path = format!("/v1/jobs/voice/translate/{}?include=signed_url", created["job_id"].as_str().unwrap());
    bench.run(["api", "GET", &path]).code(0).json()["results"][0].clone()
}

fn signature(object: &Value) -> String {
    format!("Authorization: DeepL-Signature {}", object["signature"].as_str().unwrap())
}

#[test]
fn a_voice_job_is_uploaded_polled_and_downloaded() {
    let bench = bench();
    let audio = wav(2200);
    bench.write("talk.wav", &audio);
    let created = create(&bench, "audio/wav", audio.len(), "text/plain");
    let upload = ["api", "PUT", created["upload_url"].as_str().unwrap(), "--no-auth", "--input", "talk.wav"];
    let header = signature(&created);
    bench.run(upload).code(3).says("A signature is needed").says_not(created["signature"].as_str().unwrap());
    bench
        .run([&upload[..], &["-H", "Authorization: DeepL-Signature x"]].concat())
        .code(3)
        .says("does not belong to this file");
    bench.run([&upload[..], &["-H", &header]].concat()).code(0).prints("");
    bench.run([&upload[..], &["-H", &header]].concat()).code(5).says("uploaded before");
    let complete = result(&bench, &created);
    let download = ["api", "GET", complete["download_url"].as_str().unwrap(), "--no-auth", "-o", "talk.txt"];
    bench.run([&download[..], &["-H", &signature(&complete)]].concat()).code(0).prints("");
    assert_eq!(bench.read("talk.txt"), TRANSCRIPT);
    bench.run([&download[..], &["-H", &signature(&complete)]].concat()).code(4).says("not found");
    assert_eq!(bench.read("talk.txt"), TRANSCRIPT, "an error leaves the file as it was");
    let sent: Vec<_> =
        bench.requests().into_iter().filter(|r| r["path"].as_str().unwrap().contains("/files/")).collect();
    assert_eq!(sent.len(), 6);
    for request in sent {
        assert!(!request["headers"].to_string().contains("sandbox"), "the key was sent: {request}");
    }
}

#[test]
fn a_signed_upload_accepts_stdin_and_needs_no_header() {
    let bench = bench();
    let audio = wav(600);
    let created = create(&bench, "audio/wav", audio.len(), "application/x-subrip");
    let upload = ["api", "PUT", created["signed_upload_url"].as_str().unwrap(), "--no-auth", "--input", "-"];
    bench.pipe(audio, upload).code(0).prints("");
    let complete = result(&bench, &created);
    let download = ["api", "GET", complete["signed_download_url"].as_str().unwrap(), "--no-auth"];
    bench.run(download).code(0).prints("1\n00:00:00,000 --> 00:00:00,500\nGood morning.\n");
}

#[test]
fn transcribes_ffmpeg_files_with_their_own_times() {
    if !has("ffmpeg") {
        return;
    }
    let bench = bench();
    for (name, codec, content_type) in [
        ("talk.mp3", "libmp3lame", "audio/mpeg"),
        ("talk.wav", "pcm_s16le", "audio/wav"),
        ("talk.ogg", "libopus", "audio/ogg"),
        ("talk.flac", "flac", "audio/flac"),
        ("talk.m4a", "aac", "audio/mp4"),
        ("talk.webm", "libopus", "audio/webm"),
    ] {
        let tone = "-v error -nostdin -f lavfi -i sine=frequency=440:sample_rate=48000:duration=2.1 -ac 1 -c:a";
        let mut ffmpeg = Command::new("ffmpeg");
        let made = ffmpeg.current_dir(bench.dir()).args(tone.split(' ')).args([codec, name]).output().unwrap();
        let error = String::from_utf8_lossy(&made.stderr);
        if !made.status.success() && error.contains("Unknown encoder") {
            skip_without(&format!("ffmpeg with an encoder for {name}"));
            continue;
        }
        let bytes = std::fs::metadata(bench.path(name)).unwrap().len();
        let created = create(&bench, content_type, usize::try_from(bytes).unwrap(), "text/plain");
        let url = created["signed_upload_url"].as_str().unwrap();
        bench.run(["api", "PUT", url, "--no-auth", "--input", name]).code(0);
        let complete = result(&bench, &created);
        assert_eq!(complete["status"], "complete", "{name}: {complete}");
        let url = complete["signed_download_url"].as_str().unwrap();
        assert_eq!(bench.run(["api", "GET", url, "--no-auth"]).code(0).out(), TRANSCRIPT, "{name}");
    }
}

#[test]
fn a_job_survives_a_kill_of_the_sandbox() {
    let bench = bench();
    let audio = wav(600);
    let serve = || {
        let output = bench.path("address.txt");
        let _ = std::fs::remove_file(&output);
        let stdout = std::fs::File::create(&output).unwrap();
        let mut command = bench.command();
        command.args(["sandbox", "serve", "-q", "--port", "0", "--engine", "echo", "--document-translate", "0s"]);
        let child = command.stdin(Stdio::null()).stdout(stdout).spawn().unwrap();
        wait_until("the sandbox has printed its address", || bench.read("address.txt").ends_with('\n'));
        (child, bench.read("address.txt").trim().to_owned())
    };
    let (mut first, server) = serve();
    let job = json!({
        "source_file": {"name": "talk", "content_type": "audio/wav", "content_length": audio.len()},
        "targets": [{"language": "de", "type": "text/plain"}],
    });
    bench.write("job.json", job.to_string());
    let post = ["api", "POST", "/v1/jobs/voice/translate", "--server", &server, "--input", "job.json"];
    let created = bench.run(post).code(0).json();
    let url = created["upload_url"].as_str().unwrap();
    bench.pipe(audio, ["api", "PUT", url, "--no-auth", "--input", "-", "-H", &signature(&created)]).code(0);
    first.kill().unwrap();
    first.wait().unwrap();
    let (mut second, server) = serve();
    let path = format!("/v1/jobs/voice/translate/{}", created["job_id"].as_str().unwrap());
    let mut complete = Value::Null;
    wait_until("the job is complete", || {
        complete = bench.run(["api", "GET", &path, "--server", &server]).code(0).json()["results"][0].clone();
        complete["status"] == "complete"
    });
    let url = complete["download_url"].as_str().unwrap();
    bench.run(["api", "GET", url, "--no-auth", "-H", &signature(&complete)]).code(0).prints("Good morning.\n");
    second.kill().unwrap();
    second.wait().unwrap();
}

#[test]
fn a_quality_evaluation_is_submitted_and_polled() {
    let bench = bench();
    let fields = ["-F", "metadata[source_language]=en", "-F", "metadata[target_language]=de"];
    let segment = ["-F", "segments[][source]=Two apples.", "-F", "segments[][target]=Drei Äpfel."];
    let submit = [&["api", "POST", "/v1/quality-evaluation"], &fields[..], &segment[..]].concat();
    let created = bench.run(submit).code(0).json();
    let poll = ["api", "GET", created["poll_url"].as_str().unwrap(), "--jq", ".segments[0].errors[0].sub_type"];
    bench.run(poll).code(0).prints("Mistranslation\n");
    let refused = [&["api", "POST", "/v1/quality-evaluation", "--silent"], &fields[..]].concat();
    bench.run(refused).code(5).says("segments is required.");
}

#[test]
fn a_language_is_detected_from_json_and_from_a_form() {
    let bench = bench();
    let expected = json!({"results": [
        {"detection_status": "success", "detected_language": "de"},
        {"detection_status": "no_language_detected"},
    ]});
    let texts = ["-F", "text[]=Wo ist der Bahnhof?", "-f", "text[]=123"];
    let detect = [&["api", "POST", "/v3/detect/language"], &texts[..]].concat();
    assert_eq!(bench.run(&detect).code(0).json(), expected);
    assert_eq!(bench.run([&detect[..], &["--form"]].concat()).code(0).json(), expected);
}
