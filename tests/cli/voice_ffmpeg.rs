//! Audio files made by ffmpeg, and speech read by ffprobe. The tests make the files, so none is committed.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::Bench;
use crate::common::tools::{has, skip_without};
use crate::voice::{TRANSCRIPT, bench, wav};

/// The ffmpeg options for each file: a tone of 2.1 seconds, to which MP3 adds a little.
const FILES: [(&str, &str); 16] = [
    ("opus.ogg", "-c:a libopus"),
    ("quiet.ogg", "-c:a libopus -b:a 6k -page_duration 5000000"),
    ("small.ogg", "-c:a libopus -page_duration 20000"),
    ("flac.ogg", "-c:a flac -ar 48000"),
    ("opus.webm", "-c:a libopus"),
    ("live.webm", "-c:a libopus -live 1"),
    ("opus.mka", "-c:a libopus"),
    ("aac.mka", "-c:a aac"),
    ("flac.mka", "-c:a flac"),
    ("mp3.mka", "-c:a libmp3lame"),
    ("last.m4a", "-c:a aac"),
    ("first.m4a", "-c:a aac -movflags +faststart"),
    ("parts.mp4", "-c:a aac -movflags frag_keyframe+empty_moov -frag_duration 500000"),
    ("mp3.mp4", "-c:a libmp3lame"),
    ("constant.mp3", "-c:a libmp3lame"),
    ("variable.mp3", "-c:a libmp3lame -q:a 5"),
];

/// Returns false if this ffmpeg lacks the encoder.
fn make(bench: &Bench, name: &str, options: &str) -> bool {
    let tone = "-v error -nostdin -f lavfi -i sine=frequency=440:sample_rate=48000:duration=2.1 -ac 1";
    let made = Command::new("ffmpeg")
        .current_dir(bench.dir())
        .args(tone.split(' ').chain(options.split(' ')))
        .arg(name)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&made.stderr);
    if !made.status.success() && error.contains("Unknown encoder") {
        skip_without(&format!("ffmpeg with an encoder for {name}"));
        return false;
    }
    assert!(made.status.success(), "{name}: {error}");
    true
}

#[test]
fn transcribes_ffmpeg_files_at_their_own_pace() {
    if !has("ffmpeg") {
        return;
    }
    let bench = bench(&[]);
    let files: Vec<_> = FILES.iter().filter(|(name, options)| make(&bench, name, options)).collect();
    std::thread::scope(|scope| {
        for (name, _) in files {
            let bench = &bench;
            scope.spawn(move || {
                let start = Instant::now();
                let run = bench.run(["voice", "stream", name]);
                assert_eq!((run.code, run.out(), run.stderr.as_str()), (0, TRANSCRIPT, ""), "{name}\n{run}");
                // Sent at 1.6 times the pace of speech. A wrong bit rate would make this much longer or shorter.
                assert!(start.elapsed() > Duration::from_millis(800), "{name} took {:?}", start.elapsed());
            });
        }
    });
}

#[test]
fn an_index_at_the_end_works_for_files_but_not_for_pipes() {
    if !has("ffmpeg") {
        return;
    }
    let bench = bench(&[]);
    if !make(&bench, "last.m4a", "-c:a aac") {
        return;
    }
    let note = "stdin: the times are at the end of the MP4 stream; sending at 128 kbit/s; set the actual bit rate with --bitrate";
    bench.bash("tulk voice stream - < last.m4a").code(0).prints(TRANSCRIPT).says_not("kbit/s");
    let run = bench.bash("cat last.m4a | tulk voice stream -").code(0).prints(TRANSCRIPT).says(note);
    assert_eq!(run.stderr.lines().count(), 1, "{run}");
    bench.bash("cat last.m4a | tulk voice stream - --bitrate 70").code(0).says_not("kbit/s");
    bench.run(["voice", "stream", "last.m4a", "--bitrate", "70"]).code(0).says("--bitrate has no effect");
}

/// The content types of speech, each with an extension.
const SPEECH: [(&str, &str); 16] = [
    ("audio/flac", "flac"),
    ("video/mp2t;codecs=aac", "ts"),
    ("video/mp2t;codecs=opus", "ts"),
    ("audio/ogg", "ogg"),
    ("audio/ogg;codecs=opus", "ogg"),
    ("audio/ogg;codecs=flac", "ogg"),
    ("audio/opus", "opus"),
    ("audio/pcm;encoding=alaw;rate=8000", "wav"),
    ("audio/pcm;encoding=ulaw;rate=8000", "wav"),
    ("audio/pcm;encoding=s16le;rate=16000", "wav"),
    ("audio/pcm;encoding=s16le;rate=24000", "wav"),
    ("audio/webm", "webm"),
    ("audio/webm;codecs=opus", "webm"),
    ("audio/x-matroska;codecs=aac", "mka"),
    ("audio/x-matroska;codecs=flac", "mka"),
    ("audio/x-matroska;codecs=opus", "mka"),
];

#[test]
fn ffprobe_finds_no_errors_in_speech() {
    if !has("ffprobe") {
        return;
    }
    let bench = bench(&[]);
    bench.write("short.wav", wav(1000));
    std::thread::scope(|scope| {
        for (at, (content_type, extension)) in SPEECH.iter().enumerate() {
            let bench = &bench;
            scope.spawn(move || {
                let name = format!("{at}.{extension}");
                let speak = ["--speak", "de", "--audio-out", &name, "--audio-content-type", content_type];
                let run = bench.run(["voice", "stream", "short.wav"].iter().chain(&speak));
                assert_eq!(run.code, 0, "{content_type}\n{run}");
                let probe = Command::new("ffprobe")
                    .current_dir(bench.dir())
                    .args(["-v", "warning", "-show_entries", "packet=size,duration_time", "-of", "csv=p=0", &name])
                    .output()
                    .unwrap();
                let packets = String::from_utf8(probe.stdout).unwrap();
                let problems = String::from_utf8(probe.stderr).unwrap();
                assert!(probe.status.success() && problems.is_empty(), "{content_type}: {problems}");
                let sizes: Vec<u64> = packets
                    .lines()
                    .filter(|line| !line.is_empty())
                    .map(|line| line.split(',').nth(1).unwrap_or_default().parse().unwrap_or_default())
                    .collect();
                assert!(!sizes.is_empty() && sizes.iter().all(|size| *size > 0), "{content_type}: {packets}");
            });
        }
    });
}
