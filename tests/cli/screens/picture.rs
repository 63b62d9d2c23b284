//! The picture in README: a terminal session, recorded here and drawn by `docs/pictures/draw.py`.
//!
//! The test fails if the picture differs from what the program prints now. Bars, spinners and times are replaced by fixed values.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::mask::mask;
use super::tmux::{END, Terminal, script};
use crate::common::tools::{has, python_with};
use crate::common::{Bench, wait_until};

const PICTURE: &str = "docs/pictures/session.svg";
const COMMANDS: [&str; 6] = [
    "tulk translate --to de,fr 'Good morning, {name}!'",
    "tulk doc translate letter.txt notes.txt --to de,fr",
    "tulk sync status",
    "tulk sync",
    "tulk sync status",
    "tulk translate --to german 'Close the lid.'",
];
const PHRASES: [[&str; 4]; 4] = [
    ["Good morning, {name}!", "Guten Morgen, {name}!", "Bonjour {name} !", "Buenos días, {name}"],
    ["Add to basket", "In den Warenkorb", "Ajouter au panier", "Añadir a la cesta"],
    ["Your basket is empty.", "Ihr Warenkorb ist leer.", "Votre panier est vide.", "Su cesta está vacía."],
    ["Free delivery", "Kostenlose Lieferung", "Livraison gratuite", "Envío gratuito"],
];

/// A machine with two documents and the catalogues of a shop. One language is complete, one has a single text, and one has no file.
fn bench() -> Bench {
    let bench = Bench::bare();
    bench.write("letter.txt", "Dear Sir or Madam.\n".repeat(64));
    bench.write("notes.txt", "Close the lid.\n".repeat(21));
    let rows = PHRASES.iter().flat_map(|[en, de, fr, es]| [("de", de), ("fr", fr), ("es", es)].map(|to| (en, to)));
    let phrases: String = rows.map(|(en, (lang, text))| format!("en\t{lang}\t{en}\t{text}\n")).collect();
    bench.write("phrases.tsv", phrases);
    let catalog = |lang: usize, texts: usize| {
        let keys = ["add", "empty", "delivery"].into_iter().zip(&PHRASES[1..]).take(texts);
        let lines: Vec<String> = keys.map(|(key, phrase)| format!("  \"{key}\": \"{}\"", phrase[lang])).collect();
        format!("{{\n{}\n}}\n", lines.join(",\n"))
    };
    bench.write("locales/en.json", catalog(0, 3));
    bench.write("locales/de.json", catalog(1, 3));
    bench.write("locales/fr.json", catalog(2, 1));
    let files = "[[sync.files]]\nsource = \"locales/en.json\"\ntarget = \"locales/{lang}.json\"\n";
    let languages = "source_lang = \"en\"\ntarget_langs = [\"de\", \"fr\", \"es\"]\n";
    bench.write("tulk.toml", format!("[sync]\n{languages}\n{files}"));
    bench.write(".config/tulk/config.toml", "[profiles.default]\nconcurrency = 2\n");
    bench
}

#[test]
fn the_readme_picture_shows_this_session() {
    let Some(python) = python_with("json").filter(|_| has("tmux")) else { return };
    let bench = bench();
    let phrases = bench.path("phrases.tsv").display().to_string();
    let times = ["--document-queue", "0s", "--document-translate", "3s"];
    let server = bench.serve(&[&["--engine", "echo", "--phrases", phrases.as_str()][..], &times].concat());
    let bench = bench.env("TULK_SERVER", &server.url).env("TULK_API_KEY", "sandbox");
    let terminal = Terminal::start(&bench, "picture", (84, 50), &script(&COMMANDS));
    let mut running = Vec::new();
    for finished in [0, 2] {
        let is_there = |screen: &str| screen.matches('✓').count() == finished && screen.matches(" s left").count() == 2;
        wait_until("two documents at work", || is_there(&terminal.capture(false)));
        running.push(terminal.capture(true));
    }
    terminal.wait_for_end();
    let screen = masked_screen(&terminal.capture(true));
    let mut frames = Vec::new();
    for (i, command) in screen.match_indices("$ ").map(|(start, _)| start).enumerate() {
        if i == 1 {
            for (second, screen) in running.iter().enumerate() {
                let second = 3 * second;
                frames.extend([1, 2, 3].map(|n| frame(0.4, &at_time(&masked_screen(screen), second + n, n))));
            }
        }
        let end = screen[command..].find("\n\n$ ").map_or(screen.len(), |end| command + end);
        let seconds = if end == screen.len() { 3.0 } else { 0.6 };
        frames.push(frame(seconds, &screen[..end]));
    }
    assert_eq!(frames.len(), COMMANDS.len() + 6);
    compare(&draw(&python, &Value::from(frames)));
}

fn frame(seconds: f64, screen: &str) -> Value {
    json!({"seconds": seconds, "screen": screen})
}

/// Returns the screen up to the end marker, masked and with the lines of documents sorted, because they finish in any order.
fn masked_screen(screen: &str) -> String {
    let screen = mask(screen.split(END).next().unwrap());
    let mut lines: Vec<&str> = screen.trim_end().lines().map(str::trim_end).collect();
    for group in lines.chunk_by_mut(|a, b| a.contains('✓') && b.contains('✓')) {
        group.sort_unstable();
    }
    // Documents take longer than the other commands.
    let total = regex::Regex::new("(document.*, )0.1 s").unwrap();
    total.replace_all(&lines.join("\n"), "${1}6.3 s").into_owned()
}

/// Sets the clock to `second` and the bars, spinners and remaining times of documents to step `n` of 3.
fn at_time(screen: &str, second: usize, n: usize) -> String {
    let (full, left) = (4 * n + 1, 4 - n);
    let bar = "█".repeat(full) + &"░".repeat(14 - full);
    let masks = [
        ("[█░]+", bar.as_str()),
        ("[⠀-⣿]", ["⠋", "⠙", "⠹"][n - 1]),
        ("about [0-9]+ s", &format!("about {left} s")),
        (r"\b0:[0-9]{2}\b", &format!("0:0{second}")),
    ];
    masks.iter().fold(screen.to_owned(), |text, (pattern, value)| {
        regex::Regex::new(pattern).unwrap().replace_all(&text, *value).into_owned()
    })
}

fn draw(python: &Path, frames: &Value) -> String {
    let mut child = Command::new(python)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures/draw.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(frames.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// Compares the drawing with the picture, or replaces the picture.
fn compare(drawn: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PICTURE);
    if std::env::var_os("TULK_BLESS").is_some() {
        return std::fs::write(&path, drawn).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let blessing = "look at the new picture, then: TULK_BLESS=1 cargo test --test cli screens::picture";
    assert!(kept == drawn, "{PICTURE} shows something else; {blessing}\n--- before\n{kept}--- now\n{drawn}");
    assert!(drawn.len() < 60_000, "the picture has {} bytes", drawn.len());
}
