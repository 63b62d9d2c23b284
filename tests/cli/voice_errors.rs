//! Lost connections, errors and unexpected messages of voice streams.

use serde_json::{Value, json};

use crate::voice::{OPENED, TRANSCRIPT, bench, paths, stream, wav};

const REOPENED: [&str; 2] = ["GET /v3/voice/realtime 200", "GET /v3/voice/realtime/connect 101"];

#[test]
#[ignore = "long; .ci/run includes it"]
fn a_lost_connection_neither_drops_nor_repeats_text() {
    for format in ["json", "msgpack"] {
        let bench = bench(&["--voice-fault", "drop@600", "--voice-fault", "close@1500", "--voice-fault", "repeat"]);
        // Audio that was sent while the loss was not yet noticed is missing, so more than the words below is recorded.
        bench.write("talk.wav", wav(2400));
        let run = stream(&bench, &["--to", "de", "--message-format", format]).code(0);
        let run = run.says("the stream was interrupted after 0.").says("was not final and may be missing");
        assert!(run.out().starts_with(TRANSCRIPT.trim_end()), "{run}");
        assert_eq!(paths(&bench), [OPENED, REOPENED, REOPENED].concat());
        let tokens: Vec<String> = bench.requests().iter().map(|r| r["query"].as_str().unwrap().to_owned()).collect();
        assert_eq!((&tokens[1], &tokens[3]), (&tokens[2], &tokens[4]), "the latest token requests the next one");
        assert_ne!(tokens[1], tokens[3]);
    }
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn reopens_a_connection_lost_at_the_end() {
    for fault in ["drop", "close"] {
        let bench = bench(&["--voice-fault", fault]);
        stream(&bench, &[]).code(0).prints(TRANSCRIPT);
        assert_eq!(paths(&bench), [OPENED, REOPENED].concat(), "{fault}");
    }
}

#[test]
fn the_number_of_reconnections_is_limited() {
    let bench = bench(&["--voice-fault", "drop@300", "--voice-fault", "drop@600"]);
    stream(&bench, &["--reconnects", "1", "-o", "talk.txt"])
        .code(8)
        .says("the voice connection was lost")
        .says("allow more with --reconnects");
    assert_eq!(paths(&bench), [OPENED, REOPENED].concat());
    assert!(!bench.path("talk.txt").exists());
    assert_eq!(bench.read("talk.txt.part"), "Good morning.\n");
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn ignores_unknown_messages_but_not_late_ones() {
    for format in ["json", "msgpack"] {
        let bench = bench(&["--voice-fault", "unknown", "--voice-fault", "late"]);
        let flags =
            ["--to", "de,fr", "--transcript", "--format", "text", "-o", "{lang}.txt", "--message-format", format];
        stream(&bench, &flags).code(0);
        for language in ["en", "de", "fr"] {
            assert_eq!(bench.read(&format!("{language}.txt")), TRANSCRIPT, "{format} {language}");
        }
    }
}

#[test]
fn a_stream_error_is_reported_with_the_message_of_the_service() {
    let bench = bench(&["--voice-fault", "error@600"]);
    stream(&bench, &[]).code(5).prints("Good morning.\n").says(
        "error: the service ended the stream: This fault was requested. (400, source_media_chunk, code 4000999)\n",
    );
    assert_eq!(paths(&bench), OPENED, "no reconnection after an error");
    let json = stream(&bench, &["--format", "jsonl"]).code(5);
    let line: Value = serde_json::from_str(json.stderr.lines().last().unwrap()).unwrap();
    assert_eq!((&line["error"]["status"], &line["error"]["code"]), (&json!(400), &json!("4000999")));
}

#[test]
fn reports_the_first_of_two_errors() {
    let bench = bench(&["--voice-fault", "errors@600"]);
    stream(&bench, &[]).code(7).says("The first of two faults.").says_not("This fault was requested.");
}

#[test]
fn the_service_refuses_invalid_audio() {
    let bench = bench(&[]);
    bench.write("invalid.bin", [7; 4000]);
    bench
        .run(["voice", "stream", "invalid.bin", "--content-type", "audio/ogg"])
        .code(5)
        .says("Audio format not supported (400, source_media_chunk, code 4000403)");
}

#[test]
fn a_language_that_the_service_refuses_gets_a_hint() {
    let bench = bench(&[]);
    let hint =
        |side: &str| format!("hint: `tulk langs list --resource voice --{side}` lists the supported languages\n");
    stream(&bench, &["--to", "xx"]).code(5).says(&hint("target"));
    let session = ["voice", "session", "--content-type", "audio/ogg", "--from"];
    bench.run([&session[..], &["xx"]].concat()).code(5).says(&hint("source"));
    let unknown = ["en", "--spoken-terms", "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69"];
    bench.run([&session[..], &unknown].concat()).code(4).says("hint: `tulk voice terms list`").says_not("tulk langs");
}
