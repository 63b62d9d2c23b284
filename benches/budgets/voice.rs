//! Delay of live speech, from the audio that ends a sentence to its text, against a client that only sends and receives. The service
//! is the sandbox, which concludes a sentence when a known amount of audio has arrived.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use base64::Engine as _;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio_tungstenite::tungstenite::Message;

use super::process::median;
use super::setup::Setup;
use super::table::Figure;

const CONTENT_TYPE: &str = "audio/pcm;encoding=s16le;rate=16000";
/// Duration of one step of audio.
const STEP: Duration = Duration::from_millis(20);
/// Bytes per step, at 16,000 samples of 2 bytes per second.
const STEP_BYTES: usize = 640;
/// Sentences of the sandbox, with the steps at which they end.
const SENTENCES: [(&str, usize); 4] = [
    ("Good morning.", 25),
    ("This is the sandbox speaking.", 88),
    ("It hears time, not words.", 150),
    ("Every sentence comes back after a while.", 238),
];

pub fn measure(setup: &Setup) -> Vec<Figure> {
    let sandbox = Sandbox::start(setup);
    let rounds = setup.rounds.div_ceil(SENTENCES.len());
    let tulk: Vec<f64> = (0..rounds).flat_map(|_| delays_of_tulk(setup, &sandbox.url)).collect();
    let bare: Vec<f64> = (0..rounds).flat_map(|_| delays_of_bare_client(setup, &sandbox.url)).collect();
    let most = tulk.iter().copied().fold(0.0, f64::max);
    vec![
        Figure::amount("audio from a pipe to text: delay, median", median(tulk), "ms"),
        Figure::amount("audio from a pipe to text: delay, longest", most, "ms"),
        Figure::amount("the sandbox's part of the delay", median(bare), "ms"),
    ]
}

struct Sandbox {
    child: Child,
    url: String,
}

impl Sandbox {
    fn start(setup: &Setup) -> Self {
        let flags = ["sandbox", "serve", "--port", "0", "--ephemeral", "--engine", "echo", "--any-key"];
        let mut command = setup.command(&setup.program, &flags);
        let mut child = command.stderr(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the sandbox");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its stdout")).read_line(&mut line).expect("its address");
        Self { child, url: line.trim().to_owned() }
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Milliseconds from the end of each sentence to its text.
fn delays(sent: &[Instant], seen: &[Instant]) -> Vec<f64> {
    assert_eq!((sent.len(), seen.len()), (SENTENCES.len(), SENTENCES.len()), "sentences");
    sent.iter().zip(seen).map(|(sent, seen)| seen.saturating_duration_since(*sent).as_secs_f64() * 1000.0).collect()
}

fn steps() -> impl Iterator<Item = usize> {
    1..=SENTENCES[SENTENCES.len() - 1].1
}

fn ends_sentence(step: usize) -> bool {
    SENTENCES.iter().any(|(_, end)| *end == step)
}

fn delays_of_tulk(setup: &Setup, url: &str) -> Vec<f64> {
    let mut command = setup.tulk(url, &["voice", "stream", "-", "--to", "de", "--content-type", CONTENT_TYPE]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a process");
    let (mut stdin, mut stdout) = (child.stdin.take().expect("stdin"), child.stdout.take().expect("stdout"));
    let (found, sentences) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let (mut text, mut some, mut next) = (String::new(), [0; 4096], 0);
        while let Ok(count @ 1..) = stdout.read(&mut some) {
            text.push_str(&String::from_utf8_lossy(&some[..count]));
            while SENTENCES.get(next).is_some_and(|(sentence, _)| text.contains(sentence)) {
                let _ = found.send(Instant::now());
                next += 1;
            }
        }
    });
    // Let the connection open first, so that the first delay includes only the audio.
    std::thread::sleep(Duration::from_millis(300));
    let (mut sent, start) = (Vec::new(), Instant::now());
    for step in steps() {
        let due = start + STEP * u32::try_from(step).unwrap_or_default();
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        stdin.write_all(&[0; STEP_BYTES]).expect("audio");
        if ends_sentence(step) {
            sent.push(Instant::now());
        }
    }
    // Wait for the last sentence before closing the audio.
    let seen: Vec<Instant> = SENTENCES.iter().map(|_| sentences.recv().expect("a sentence")).collect();
    drop(stdin);
    assert!(child.wait().expect("its end").success());
    let _ = reader.join();
    delays(&sent, &seen)
}

fn delays_of_bare_client(setup: &Setup, url: &str) -> Vec<f64> {
    let mut command: Command = setup.tulk(url, &["voice", "session", "--to", "de", "--content-type", CONTENT_TYPE]);
    let output = command.args(["--format", "json"]).stdout(Stdio::piped()).output().expect("a session");
    let session: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let field = |name: &str| session[name].as_str().unwrap_or_default().to_owned();
    let address = format!("{}?token={}", field("streaming_url"), field("token"));
    let host = url.trim_start_matches("http://").to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async move {
        let socket = tokio::net::TcpStream::connect(host).await.expect("a connection");
        socket.set_nodelay(true).expect("an option");
        let (socket, _) = tokio_tungstenite::client_async(address, socket).await.expect("a stream");
        let (mut writer, mut reader) = socket.split();
        let audio = base64::engine::general_purpose::STANDARD.encode([0; STEP_BYTES]);
        let chunk = format!(r#"{{"source_media_chunk":{{"data":"{audio}"}}}}"#);
        let feed = async {
            let (mut sent, mut ticks) = (Vec::new(), tokio::time::interval(STEP));
            for step in steps() {
                ticks.tick().await;
                writer.send(Message::text(chunk.clone())).await.expect("audio");
                if ends_sentence(step) {
                    sent.push(Instant::now());
                }
            }
            sent
        };
        let receive = async {
            let mut seen = Vec::new();
            while seen.len() < SENTENCES.len() {
                let message = reader.next().await.expect("a message").expect("a message");
                let text = message.into_text().expect("text");
                let is_final = text.contains("target_transcript_update") && !text.contains(r#""concluded":[]"#);
                if is_final && text.contains(SENTENCES[seen.len()].0) {
                    seen.push(Instant::now());
                }
            }
            seen
        };
        let (sent, seen) = tokio::join!(feed, receive);
        delays(&sent, &seen)
    })
}
