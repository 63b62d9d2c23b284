//! `tulk voice stream` against a scripted WebSocket server that sends unexpected messages, or none.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use crate::common::{Bench, Run};
use crate::voice::wav;

/// What the server does after the end of the audio.
#[derive(Clone)]
enum Script {
    Say(Vec<Message>),
    Repeat(Message),
}

fn serve(script: Script) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let script = Arc::new(script);
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let listener = TcpListener::from_std(listener).unwrap();
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(answer(client, port, Arc::clone(&script)));
            }
        });
    });
    format!("http://127.0.0.1:{port}")
}

async fn answer(mut client: TcpStream, port: u16, script: Arc<Script>) {
    let mut start = [0; 4];
    if client.peek(&mut start).await.unwrap_or(0) == 4 && &start == b"GET " {
        let socket = tokio_tungstenite::accept_async(client).await.unwrap();
        play(socket, &script).await;
        return;
    }
    let mut request = Vec::new();
    while !request.ends_with(b"}") {
        let mut bytes = [0; 4096];
        let n = client.read(&mut bytes).await.unwrap();
        assert!(n > 0, "the request ended early");
        request.extend_from_slice(&bytes[..n]);
    }
    let body = format!(r#"{{"streaming_url":"ws://127.0.0.1:{port}/c","token":"t"}}"#);
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len());
    client.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
}

/// Reads the audio, then follows the script until the client disconnects.
async fn play(mut socket: WebSocketStream<TcpStream>, script: &Script) {
    while let Some(Ok(message)) = socket.next().await {
        if String::from_utf8_lossy(&message.into_data()).contains("end_of_source_media") {
            break;
        }
    }
    match script {
        Script::Say(messages) => {
            for message in messages {
                let _ = socket.send(message.clone()).await;
            }
            // Reading answers the pings of the client.
            while let Some(Ok(_)) = socket.next().await {}
        }
        Script::Repeat(message) => {
            while socket.send(message.clone()).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
    }
}

fn text(text: &str) -> Message {
    Message::Text(text.into())
}

const CONCLUDED: &str =
    r#"{"source_transcript_update":{"concluded":[{"text":"Hello.","start_time":0,"end_time":100}]}}"#;
const END: &str = r#"{"end_of_stream":{}}"#;

fn stream(script: Script, more: &[&str]) -> (Bench, Run) {
    let bench = Bench::bare().env("TULK_SERVER", &serve(script)).env("TULK_API_KEY", "k");
    bench.write("a.wav", wav(100));
    let run = bench.run([&["voice", "stream", "a.wav"], more].concat());
    (bench, run)
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn gives_up_on_a_silent_service_after_the_timeout() {
    let scripts = [
        Script::Say(vec![text(CONCLUDED)]),
        Script::Repeat(Message::Ping("".into())),
        Script::Repeat(text(r#"{"something_new":{}}"#)),
    ];
    for (script, output) in scripts.into_iter().zip(["Hello.\n", "", ""]) {
        let start = Instant::now();
        let (_, run) = stream(script.clone(), &["--timeout", "3"]);
        run.code(8).prints(output).says("no message for 3 s after the end of the audio").says("--timeout");
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }
    let (bench, run) = stream(Script::Say(vec![text(CONCLUDED)]), &["--timeout", "3", "-o", "a.txt"]);
    run.code(8).says("the output so far is in a.txt.part");
    assert_eq!(bench.read("a.txt.part"), "Hello.\n");
    assert!(!bench.path("a.txt").exists());
}

#[test]
fn malformed_messages_end_the_stream() {
    for wrong in [
        "",
        "null",
        "[1]",
        r#"{"source_transcript_update":7}"#,
        r#"{"source_transcript_update":{"concluded":[{"text":5}]}}"#,
        r#"{"source_transcript_update":{"concluded":[{"text":"a","start_time":"soon"}]}}"#,
        r#"{"target_media_chunk":{"data":["?"]}}"#,
        r#"{"end_of_stream":"#,
    ] {
        let (_, run) = stream(Script::Say(vec![text(CONCLUDED), text(wrong), text(END)]), &[]);
        run.code(8).prints("Hello.\n").says("cannot decode a message from the service");
    }
    let (_, run) = stream(Script::Say(vec![Message::Binary(vec![0xC1; 9].into())]), &["--message-format", "msgpack"]);
    run.code(8).says("cannot decode a message from the service");
}

#[test]
fn tolerates_extreme_times() {
    let times = [("18446744073709551615", "5"), ("1e300", "-1e300"), ("-7", "null"), ("900", "100")];
    let segments: Vec<_> =
        times.iter().map(|(start, end)| format!(r#"{{"text":" a","start_time":{start},"end_time":{end}}}"#)).collect();
    let update = format!(r#"{{"source_transcript_update":{{"concluded":[{}]}}}}"#, segments.join(","));
    let error = r#"{"error":{"error_code":1e300,"reason_code":-1,"error_message":"no","request_type":null}}"#;
    for format in ["text", "jsonl", "srt", "vtt"] {
        let (_, run) = stream(Script::Say(vec![text(&update), text(END)]), &["--format", format]);
        let run = run.code(0);
        assert!(
            format != "srt"
                || run.out().contains("3\n00:00:00,000 --> 00:00:00,000\na\n\n4\n00:00:00,900 --> 00:00:00,900\n"),
            "{run}"
        );
    }
    let (_, run) = stream(Script::Say(vec![text(error)]), &[]);
    run.code(5).says("the service ended the stream: no (code 0)");
}

#[test]
fn a_detected_language_cannot_lead_outside_the_directory() {
    let update = r#"{"source_transcript_update":{"concluded":[{"language":"../../x","text":"Hello."}]}}"#;
    let (bench, run) = stream(Script::Say(vec![text(update), text(END)]), &["-o", "out/{lang}.txt"]);
    run.code(0);
    assert_eq!(bench.read("out/und.txt"), "Hello.\n");
}

#[test]
fn reports_text_in_an_unrequested_language_once() {
    let update = r#"{"target_transcript_update":{"language":"xx","concluded":[{"text":"a"}]}}"#;
    let (_, run) = stream(Script::Say(vec![text(update), text(update), text(END)]), &["--to", "de"]);
    let run = run.code(0).prints("");
    assert_eq!(run.stderr.matches("ignored text in xx").count(), 1, "{run}");
}
