//! `tulk voice` against the sandbox, over real WebSockets. The sandbox transcribes any audio as the same sentences, one word
//! every quarter of a second, so lost or repeated audio is visible in the transcript.

use std::io::{Read as _, Write as _};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{Bench, Run};

/// The transcript of 2.2 seconds of audio.
pub const TRANSCRIPT: &str = "Good morning. This is the sandbox speaking. It\n";

/// Returns a WAV file with silence: 16 kHz, 16 bit, one channel.
pub fn wav(ms: u32) -> Vec<u8> {
    let size = ms * 32;
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((size + 36).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3E\0\0\0\x7D\0\0\x02\0\x10\0data");
    bytes.extend(size.to_le_bytes());
    bytes.resize(bytes.len() + usize::try_from(size).unwrap(), 0);
    bytes
}

/// Starts a sandbox and writes an audio file of 2.2 seconds.
pub fn bench(flags: &[&str]) -> Bench {
    let bench = Bench::with(&[&["--engine", "echo"], flags].concat());
    bench.write("talk.wav", wav(2200));
    bench
}

pub fn stream(bench: &Bench, more: &[&str]) -> Run {
    bench.run([&["voice", "stream", "talk.wav"], more].concat())
}

pub fn paths(bench: &Bench) -> Vec<String> {
    bench
        .requests()
        .iter()
        .map(|r| format!("{} {} {}", r["method"].as_str().unwrap(), r["path"].as_str().unwrap(), r["status"]))
        .collect()
}

pub const OPENED: [&str; 2] = ["POST /v3/voice/realtime 200", "GET /v3/voice/realtime/connect 101"];

#[test]
fn transcribes_and_translates_in_both_message_formats() {
    let bench = bench(&[]);
    stream(&bench, &[]).code(0).prints(TRANSCRIPT);
    stream(&bench, &["--to", "de", "--message-format", "msgpack"]).code(0).prints(TRANSCRIPT);
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
fn every_flag_sets_a_request_field() {
    let bench = bench(&[]);
    let terms = r#"{"name": "Talk", "term_lists": [{"lang": "en", "entries": "Helm"}]}"#;
    let created = bench.pipe(terms, ["api", "POST", "/v3/spoken-terms", "--input", "-"]).code(0).json();
    let id = created["spoken_terms_id"].as_str().unwrap();
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
        bench.sent()[1..],
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
fn refuses_invalid_sessions_before_sending() {
    let bench = bench(&[]);
    stream(&bench, &["--to", "de,fr,es,it,nl", "--speak", "pl", "--audio-out", "x.ogg", "--format", "jsonl"])
        .code(2)
        .says("6 target languages including spoken ones; the limit is 5");
    stream(&bench, &["--speak", "pl,de", "--audio-out", "x.ogg"]).code(2).says("2 spoken languages");
    stream(&bench, &["--to", "de,fr"]).code(2).says("-o 'talk.{lang}.txt', or use --format jsonl");
    stream(&bench, &["--to", "de", "--speak", "de"]).code(2).says("--audio-out");
    stream(&bench, &["--formality", "prefer_more"]).code(2);
    stream(&bench, &["--json"]).code(2).says("does not support the format `json`");
    bench.run(["voice", "session", "--to", "de"]).code(2);
    bench.write("stereo.raw", [0; 64]);
    bench.run(["voice", "stream", "stereo.raw"]).code(2).says("audio/pcm;encoding=s16le;rate=16000");
    assert_eq!(bench.requests(), Vec::<Value>::new());
}

#[test]
fn refusing_a_wav_file_prints_a_command_that_converts_it() {
    let bench = bench(&[]);
    let mut file = wav(100);
    file[20] = 2;
    bench.write("my talk.wav", file);
    bench
        .run(["voice", "stream", "my talk.wav"])
        .code(2)
        .says("my talk.wav: unsupported WAV (format 2, 16000 Hz, 1 channel)")
        .says("ffmpeg -i 'my talk.wav' -ac 1 -ar 16000 -c:a pcm_s16le -f wav - | tulk voice stream -");
}

#[test]
fn converts_a_wav_file_of_another_rate_unless_no_check() {
    let bench = bench(&[]);
    // 2.2 seconds with two channels at 22050 Hz.
    let mut file = wav(2200);
    file.resize(44 + 2 * 2 * 48_510, 0);
    file[22] = 2;
    file[24..28].copy_from_slice(&22_050u32.to_le_bytes());
    file[40..44].copy_from_slice(&(2 * 2 * 48_510u32).to_le_bytes());
    bench.write("stereo.wav", &file);
    let note = "stereo.wav (16 bits, 22050 Hz, 2 channels) is converted to 16 bits, 16000 Hz, 1 channel";
    bench.run(["voice", "stream", "stereo.wav"]).code(0).prints(TRANSCRIPT).says(note);
    bench.run(["voice", "stream", "stereo.wav", "--quiet"]).code(0).prints(TRANSCRIPT).says_nothing();
    bench.bash("cat stereo.wav | tulk voice stream -").code(0).prints(TRANSCRIPT).says("stdin (16 bits, 22050 Hz");
    let session = bench.run(["voice", "stream", "stereo.wav", "-n"]).code(0);
    assert!(session.out().contains("audio/pcm;encoding=s16le;rate=16000"), "{session}");
    file[22] = 1;
    bench.write("mono.wav", &file);
    let session = bench.run(["voice", "stream", "mono.wav", "-n", "--no-check"]).code(0);
    assert!(session.out().contains("audio/pcm;encoding=s16le;rate=22050"), "{session}");
}

#[test]
fn dry_run_prints_the_request_and_sends_nothing() {
    let bench = bench(&[]).without("TULK_API_KEY");
    let run = stream(&bench, &["--to", "de", "-n", "-o", "de.txt"]).code(0);
    assert_eq!(run.json()["body"]["target_languages"], json!(["de"]));
    assert!(bench.requests().is_empty() && !bench.path("de.txt").exists());
}

#[test]
fn refuses_an_input_without_audio() {
    let bench = bench(&[]);
    let stream = ["voice", "stream", "-", "--to", "de"];
    let hint = "  hint: --no-check accepts it\n";
    bench.pipe("", stream).code(2).prints("").says(&format!("error: stdin is empty\n{hint}"));
    bench.write("empty.wav", "");
    let stream_file = |file| bench.run(["voice", "stream", file, "--to", "de"]);
    stream_file("empty.wav").code(2).prints("").says(&format!("error: empty.wav is empty\n{hint}"));
    bench.write("none.wav", wav(0));
    stream_file("none.wav").code(2).prints("").says(&format!("error: none.wav has no audio\n{hint}"));
    assert!(bench.requests().is_empty());
    bench.pipe("", stream.into_iter().chain(["--no-check"])).code(0).prints("");
    bench.run(["voice", "stream", "none.wav", "--to", "de", "--no-check"]).code(0).prints("");
    assert!(!bench.requests().is_empty());
}

#[test]
fn writes_five_translations_to_a_file_each() {
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
fn writes_jsonl_and_vtt() {
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
fn never_sends_faster_than_twice_the_speed_of_speech() {
    let bench = bench(&[]);
    let start = Instant::now();
    stream(&bench, &[]).code(0);
    let streaming_time = start.elapsed();
    assert!(
        streaming_time >= Duration::from_millis(1100),
        "2.2 s of audio in {streaming_time:?} is more than twice real time"
    );
}

#[test]
fn transcribes_a_live_pipe_as_it_arrives() {
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
fn speech_is_written_as_a_playable_file() {
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
        assert!(bytes.starts_with(start) && bytes.len() > 50, "{name}: {} bytes", bytes.len());
    }
    // Half a second of 24 kHz, 16 bit.
    let wav = std::fs::read(bench.path("a.wav")).unwrap();
    assert_eq!((wav.len(), &wav[40..44]), (44 + 24_000, 24_000u32.to_le_bytes().as_slice()));
}

#[test]
fn never_logs_the_secrets_of_a_stream() {
    let bench = bench(&[]);
    let run = stream(&bench, &["-vv"]).code(0);
    let requests = bench.requests();
    let queries = requests.iter().map(|request| request["query"].as_str().unwrap());
    let tokens: Vec<&str> = queries.filter_map(|query| Some(query.split_once("token=")?.1)).collect();
    assert_eq!(tokens.len(), 1, "{requests:?}");
    assert!(!run.stderr.contains(tokens[0]), "{run}");
    assert!(run.stderr.contains("<streaming_url> 101"), "{run}");
}

#[test]
fn a_token_opens_only_one_connection() {
    let bench = bench(&[]);
    let session = bench.run(["voice", "session", "talk.wav", "--json"]).code(0).json();
    let token = session["token"].as_str().unwrap();
    let renewed = bench.run(["api", "GET", &format!("/v3/voice/realtime?token={token}")]).code(0).json();
    assert_ne!(renewed["token"], session["token"]);
    // Using an outdated token ends the session, so its latest token is refused too.
    bench.run(["api", "GET", &format!("/v3/voice/realtime?token={token}")]).code(5).says("outdated");
    let latest = renewed["token"].as_str().unwrap();
    bench.run(["api", "GET", &format!("/v3/voice/realtime?token={latest}")]).code(5);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn bills_each_stream_by_started_minutes() {
    let bench = bench(&[]);
    let billed = || bench.run(["usage", "--json"]).code(0).json()["speech_to_text_milliseconds_count"].clone();
    assert_eq!(billed(), json!(0));
    for milliseconds in [60_000, 120_000] {
        stream(&bench, &["--to", "de,fr", "--format", "jsonl"]).code(0);
        assert_eq!(billed(), json!(milliseconds), "2.2 s of audio are billed as a minute, for all languages together");
    }
}

#[test]
fn profile_defaults_apply_unless_a_flag_has_the_value_none() {
    let bench = bench(&[]);
    bench.write(".config/tulk/config.toml", "[profiles.default]\ntarget_lang = \"fr\"\nformality = \"prefer_more\"\n");
    let flags = ["--config", ".config/tulk/config.toml", "-n"];
    let body = stream(&bench, &flags).code(0).json()["body"].clone();
    assert_eq!(body["target_languages"], json!(["fr"]));
    assert_eq!(body.get("formality"), None, "voice has no prefer_more");
    let body = stream(&bench, &[&flags[..], &["--to", "none"]].concat()).code(0).json()["body"].clone();
    assert_eq!(body.get("target_languages"), None);
}

#[test]
fn the_embedded_sandbox_supports_streams() {
    let bench = Bench::bare().env("TULK_SANDBOX_ENGINE", "upper");
    bench.write("talk.wav", wav(600));
    bench.run(["--sandbox", "voice", "stream", "talk.wav", "--to", "de"]).code(0).prints("GOOD MORNING.\n");
}
