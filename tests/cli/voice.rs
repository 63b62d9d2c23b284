//! `tulk voice` against the sandbox, over real WebSockets. The sandbox hears the same sentences whatever is said, a word
//! every quarter of a second: what was lost or sent twice shows in the transcript.

use std::io::{Read as _, Write as _};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{Bench, Run};

/// What is heard in 2.2 seconds.
const HEARD: &str = "Good morning. This is the sandbox speaking. It\n";

/// A WAV file of silence: 16 kHz, 16 bit, one channel.
fn wav(ms: u32) -> Vec<u8> {
    let size = ms * 32;
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((size + 36).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3E\0\0\0\x7D\0\0\x02\0\x10\0data");
    bytes.extend(size.to_le_bytes());
    bytes.resize(bytes.len() + usize::try_from(size).unwrap(), 0);
    bytes
}

/// A machine with a file of 2.2 seconds.
fn bench(flags: &[&str]) -> Bench {
    let bench = Bench::with(&[&["--engine", "echo"], flags].concat());
    bench.write("talk.wav", wav(2200));
    bench
}

fn stream(bench: &Bench, more: &[&str]) -> Run {
    bench.run([&["voice", "stream", "talk.wav"], more].concat())
}

/// Paths below the session, with their status.
fn paths(bench: &Bench) -> Vec<String> {
    bench
        .requests()
        .iter()
        .map(|r| format!("{} {} {}", r["method"].as_str().unwrap(), r["path"].as_str().unwrap(), r["status"]))
        .collect()
}

const OPENED: [&str; 2] = ["POST /v3/voice/realtime 200", "GET /v3/voice/realtime/connect 101"];
const REOPENED: [&str; 2] = ["GET /v3/voice/realtime 200", "GET /v3/voice/realtime/connect 101"];

#[test]
fn transcribes_and_translates_in_both_framings() {
    let bench = bench(&[]);
    stream(&bench, &[]).code(0).prints(HEARD);
    stream(&bench, &["--to", "de", "--message-format", "msgpack"]).code(0).prints(HEARD);
    let bodies: Vec<Value> = bench.requests().iter().map(|r| r["body"].clone()).filter(Value::is_object).collect();
    assert_eq!(
        bodies,
        [
            json!({"source_media_content_type": "audio/pcm;encoding=s16le;rate=16000"}),
            json!({
                "source_media_content_type": "audio/pcm;encoding=s16le;rate=16000",
                "message_format": "msgpack", "target_languages": ["de"],
            }),
        ]
    );
    assert_eq!(paths(&bench), [OPENED, OPENED].concat());
}

#[test]
fn every_flag_is_a_parameter() {
    let bench = bench(&[]);
    let id = "11111111-2222-4333-8444-555555555555";
    let run = bench.run([
        "voice",
        "session",
        "talk.wav",
        "-t",
        "de,zh-hant",
        "-f",
        "EN",
        "--source-mode",
        "fixed",
        "--formality",
        "informal",
        "--spoken-terms",
        id,
        "--message-format",
        "json",
        "--speak",
        "fr",
        "--audio-content-type",
        "audio/FLAC;",
        "--voice",
        "female",
        "--json",
    ]);
    let run = run.code(0);
    let session = run.json();
    assert!(session["streaming_url"].as_str().unwrap().starts_with("ws://127.0.0.1:"), "{run}");
    assert!(session["token"].is_string() && session["session_id"].is_string(), "{run}");
    assert_eq!(
        bench.sent(),
        [(
            "POST /v3/voice/realtime".to_owned(),
            json!({
                "source_media_content_type": "audio/pcm;encoding=s16le;rate=16000", "message_format": "json",
                "source_language": "en", "source_language_mode": "fixed", "target_languages": ["de", "zh-Hant"],
                "target_media_languages": ["fr"], "target_media_content_type": "audio/flac",
                "target_media_voice": "female", "spoken_terms_id": id, "formality": "informal",
            })
        )]
    );
}

#[test]
fn refuses_what_no_session_has_before_sending() {
    let bench = bench(&[]);
    stream(&bench, &["--to", "de,fr,es,it,nl", "--speak", "pl", "--audio-out", "x.ogg", "--format", "jsonl"])
        .code(2)
        .says("6 target languages, spoken ones included; a session has 5 at most");
    stream(&bench, &["--speak", "pl,de", "--audio-out", "x.ogg"]).code(2).says("2 spoken languages");
    stream(&bench, &["--to", "de,fr"]).code(2).says("-o 'talk.{lang}.txt', or take --format jsonl");
    stream(&bench, &["--to", "de", "--speak", "de"]).code(2).says("--audio-out");
    stream(&bench, &["--formality", "prefer_more"]).code(2);
    stream(&bench, &["--json"]).code(2).says("does not support the format `json`");
    bench.run(["voice", "session", "--to", "de"]).code(2);
    bench.write("stereo.raw", [0; 64]);
    bench.run(["voice", "stream", "stereo.raw"]).code(2).says("audio/pcm;encoding=s16le;rate=16000");
    assert_eq!(bench.requests(), Vec::<Value>::new());
}

#[test]
fn multi_channel_wav_gets_the_line_that_helps() {
    let bench = bench(&[]);
    let mut file = wav(100);
    file[22] = 2;
    bench.write("my talk.wav", file);
    bench
        .run(["voice", "stream", "my talk.wav"])
        .code(2)
        .says("my talk.wav: 16 bit, 16000 Hz, 2 channels in WAV")
        .says("ffmpeg -i 'my talk.wav' -ac 1 -ar 16000 -c:a pcm_s16le -f wav - | tulk voice stream -");
}

#[test]
fn dry_run_prints_the_request_and_sends_nothing() {
    let bench = bench(&[]).without("TULK_API_KEY");
    let run = stream(&bench, &["--to", "de", "-n", "-o", "de.txt"]).code(0);
    assert_eq!(run.json()["body"]["target_languages"], json!(["de"]));
    assert!(bench.requests().is_empty() && !bench.path("de.txt").exists());
}

#[test]
fn an_empty_input_is_no_error() {
    let bench = bench(&[]);
    bench.pipe("", ["voice", "stream", "-", "--to", "de"]).code(0).prints("");
    assert!(bench.requests().is_empty());
}

#[test]
fn five_targets_are_written_to_a_file_each() {
    let bench = Bench::with(&["--engine", "pseudo"]);
    bench.write("talk.wav", wav(700));
    let all = "de,fr,es,ja,pt-br";
    stream(&bench, &["--to", all, "--transcript", "--format", "srt", "-o", "out/{stem}.{lang}{ext}"])
        .code(0)
        .prints("");
    let english = "1\n00:00:00,000 --> 00:00:00,500\nGood morning.\n\n";
    assert_eq!(bench.read("out/talk.en.srt"), english);
    for language in ["de", "fr", "es", "ja", "pt-BR"] {
        let text = bench.read(&format!("out/talk.{language}.srt"));
        assert!(text.starts_with("1\n00:00:00,000 --> 00:00:00,500\n") && text != english, "{language}: {text}");
    }
}

#[test]
fn forms_are_exact() {
    let bench = bench(&[]);
    stream(&bench, &["--to", "de", "--transcript", "--format", "jsonl"]).code(0).prints(concat!(
        r#"{"language":"en","text":"Good morning.","start_time":0,"end_time":500}"#,
        "\n",
        r#"{"language":"de","text":"Good morning.","start_time":0,"end_time":500}"#,
        "\n",
        r#"{"language":"en","text":" This is the sandbox speaking.","start_time":500,"end_time":1750}"#,
        "\n",
        r#"{"language":"de","text":" This is the sandbox speaking.","start_time":500,"end_time":1750}"#,
        "\n",
        r#"{"language":"en","text":" It","start_time":1750,"end_time":2000}"#,
        "\n",
        r#"{"language":"de","text":" It","start_time":1750,"end_time":2000}"#,
        "\n",
    ));
    stream(&bench, &["--to", "de", "--format", "vtt"]).code(0).prints(concat!(
        "WEBVTT\n\n00:00:00.000 --> 00:00:00.500\nGood morning.\n\n",
        "00:00:00.500 --> 00:00:01.750\nThis is the sandbox speaking.\n\n",
        "00:00:01.750 --> 00:00:02.000\nIt\n\n",
    ));
}

#[test]
fn keeps_the_pace_that_is_allowed() {
    let bench = bench(&[]);
    let began = Instant::now();
    stream(&bench, &[]).code(0);
    let took = began.elapsed();
    assert!(took >= Duration::from_millis(1100), "2.2 s of audio in {took:?} is more than twice real time");
}

#[test]
fn a_live_pipe_is_heard_at_once() {
    let bench = bench(&[]);
    let mut child = bench
        .command()
        .args(["voice", "stream", "-", "--to", "de"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    // 520 ms of audio: the first sentence ends at 500. The pipe stays open.
    let mut file = wav(520);
    file[40..44].copy_from_slice(&u32::MAX.to_le_bytes());
    stdin.write_all(&file).unwrap();
    let mut first = [0; 13];
    stdout.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"Good morning.");
    drop(stdin);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "\n");
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_lost_connection_loses_and_repeats_nothing() {
    for format in ["json", "msgpack"] {
        let bench = bench(&["--voice-fault", "drop@600", "--voice-fault", "close@1500", "--voice-fault", "repeat"]);
        stream(&bench, &["--to", "de", "--message-format", format])
            .code(0)
            .prints(HEARD)
            .says("the voice connection was lost after")
            .says("of the audio were not concluded and may be missing");
        assert_eq!(paths(&bench), [OPENED, REOPENED, REOPENED].concat());
        let tokens: Vec<String> = bench.requests().iter().map(|r| r["query"].as_str().unwrap().to_owned()).collect();
        assert_eq!((&tokens[1], &tokens[3]), (&tokens[2], &tokens[4]), "the latest token asks for the next");
        assert_ne!(tokens[1], tokens[3]);
    }
}

#[test]
fn a_connection_lost_at_the_very_end_is_taken_up_too() {
    for fault in ["drop", "close"] {
        let bench = bench(&["--voice-fault", fault]);
        stream(&bench, &[]).code(0).prints(HEARD);
        assert_eq!(paths(&bench), [OPENED, REOPENED].concat(), "{fault}");
    }
}

#[test]
fn reconnects_are_counted() {
    let bench = bench(&["--voice-fault", "drop@300", "--voice-fault", "drop@600"]);
    stream(&bench, &["--reconnects", "1", "-o", "talk.txt"])
        .code(8)
        .says("the voice connection was lost")
        .says("--reconnects allows more");
    assert_eq!(paths(&bench), [OPENED, REOPENED].concat());
    assert!(!bench.path("talk.txt").exists());
    assert_eq!(bench.read("talk.txt.part"), "Good morning.\n");
}

#[test]
fn an_unknown_message_is_ignored_and_late_ones_count() {
    for format in ["json", "msgpack"] {
        let bench = bench(&["--voice-fault", "unknown", "--voice-fault", "late"]);
        let flags =
            ["--to", "de,fr", "--transcript", "--format", "text", "-o", "{lang}.txt", "--message-format", format];
        stream(&bench, &flags).code(0);
        for language in ["en", "de", "fr"] {
            assert_eq!(bench.read(&format!("{language}.txt")), HEARD, "{format} {language}");
        }
    }
}

#[test]
fn a_stream_error_ends_with_the_services_words() {
    let bench = bench(&["--voice-fault", "error@600"]);
    stream(&bench, &[])
        .code(5)
        .prints("Good morning.\n")
        .says("This fault was asked for. (error 400, reason 4000999 for source_media_chunk)");
    assert_eq!(paths(&bench), OPENED, "no reconnection after an error");
    let json = stream(&bench, &["--format", "jsonl"]).code(5);
    let line: Value = serde_json::from_str(json.stderr.lines().last().unwrap()).unwrap();
    assert_eq!((&line["error"]["status"], &line["error"]["code"]), (&json!(400), &json!("4000999")));
}

#[test]
fn of_two_errors_the_first_is_told() {
    let bench = bench(&["--voice-fault", "errors@600"]);
    stream(&bench, &[]).code(7).says("The first of two faults.").says_not("This fault was asked for.");
}

#[test]
fn the_service_judges_the_audio() {
    let bench = bench(&[]);
    bench.write("odd.bin", [7; 4000]);
    bench
        .run(["voice", "stream", "odd.bin", "--content-type", "audio/ogg"])
        .code(5)
        .says("Audio format not supported (error 400, reason 4000403");
}

#[cfg(unix)]
#[test]
fn ctrl_c_writes_what_was_said() {
    let bench = bench(&[]);
    let mut child = bench
        .command()
        .args(["voice", "stream", "-", "--to", "de", "-o", "talk.{lang}.txt"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut file = wav(800);
    file[40..44].copy_from_slice(&u32::MAX.to_le_bytes());
    stdin.write_all(&file).unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let began = Instant::now();
    let run = Run::from(child.wait_with_output().unwrap());
    assert!(began.elapsed() < Duration::from_secs(4));
    let run = run.code(130).says("stopped by Ctrl-C");
    // The end was told, so the tentative word is concluded.
    assert_eq!(bench.read("talk.de.txt"), "Good morning. This\n", "{run}");
}

#[test]
fn speech_is_written_as_a_file_that_plays() {
    let bench = bench(&[]);
    for (name, flags, start) in [
        ("a.wav", vec![], b"RIFF".as_slice()),
        ("b.ogg", vec![], b"OggS"),
        ("c.webm", vec![], b"\x1A\x45\xDF\xA3"),
        ("d.opus", vec!["--audio-content-type", "audio/opus"], b"OggS"),
        ("e.wav", vec!["--audio-content-type", "audio/pcm;encoding=alaw;rate=8000"], b"RIFF"),
        ("f.flac", vec!["--message-format", "msgpack"], b"fLaC"),
    ] {
        bench.write("short.wav", wav(600));
        let more = ["voice", "stream", "short.wav", "--speak", "de", "--audio-out", name];
        bench.run([more.as_slice(), &flags].concat()).code(0).prints("Good morning.\n");
        let bytes = std::fs::read(bench.path(name)).unwrap();
        assert!(bytes.starts_with(start) && bytes.len() > 600, "{name}: {} bytes", bytes.len());
    }
    // Half a second of 24 kHz, 16 bit.
    let wav = std::fs::read(bench.path("a.wav")).unwrap();
    assert_eq!((wav.len(), &wav[40..44]), (44 + 24_000, 24_000u32.to_le_bytes().as_slice()));
}

#[test]
fn secrets_of_the_stream_are_never_logged() {
    let bench = bench(&[]);
    let run = stream(&bench, &["-vv"]).code(0);
    for request in bench.requests() {
        if let Some((_, token)) = request["query"].as_str().unwrap().split_once("token=") {
            assert!(!run.stderr.contains(token), "{run}");
        }
    }
    assert!(run.stderr.contains("<streaming_url> 101"), "{run}");
}

#[test]
fn a_token_opens_one_connection() {
    let bench = bench(&[]);
    let session = bench.run(["voice", "session", "talk.wav", "--json"]).code(0).json();
    let token = session["token"].as_str().unwrap();
    let renewed = bench.run(["api", "GET", &format!("/v3/voice/realtime?token={token}")]).code(0).json();
    assert_ne!(renewed["token"], session["token"]);
    // An outdated token ends the session: the latest one is worth nothing any more.
    bench.run(["api", "GET", &format!("/v3/voice/realtime?token={token}")]).code(5).says("outdated");
    let latest = renewed["token"].as_str().unwrap();
    bench.run(["api", "GET", &format!("/v3/voice/realtime?token={latest}")]).code(5);
}

#[test]
fn streaming_is_billed_by_the_minute_begun() {
    let bench = bench(&[]);
    stream(&bench, &[]).code(0);
    std::thread::sleep(Duration::from_millis(400));
    let log = stream(&bench, &["--formality", "more"]).code(0);
    assert_eq!(log.out(), HEARD);
}

#[test]
fn the_profile_gives_defaults() {
    let bench = bench(&[]);
    bench.write(".config/tulk/config.toml", "[profiles.default]\ntarget_lang = \"fr\"\nformality = \"prefer_more\"\n");
    let flags = ["--config", ".config/tulk/config.toml", "-n"];
    let body = stream(&bench, &flags).code(0).json()["body"].clone();
    assert_eq!(body["target_languages"], json!(["fr"]));
    assert_eq!(body.get("formality"), None, "prefer_more means nothing to voice");
    let body = stream(&bench, &[&flags[..], &["--to", "none"]].concat()).code(0).json()["body"].clone();
    assert_eq!(body.get("target_languages"), None);
}

#[test]
fn the_embedded_sandbox_streams_too() {
    let bench = Bench::bare().env("TULK_SANDBOX_ENGINE", "upper");
    bench.write("talk.wav", wav(600));
    bench.run(["--sandbox", "voice", "stream", "talk.wav", "--to", "de"]).code(0).prints("GOOD MORNING.\n");
}
