//! Subtitles written by ffmpeg, and results read by ffmpeg.

use std::process::Command;

use crate::common::Bench;
use crate::common::tools::has;

const ASS: &str = "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, \
    Underline, Alignment\nStyle: Default,Arial,20,&H00FFFFFF,0,0,0,2\nStyle: Top,Arial,20,&H0000FFFF,1,0,0,8\n\n[Events]\n\
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n\
    Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\i1}Good morning,\\Neveryone.{\\i0}\n\
    Dialogue: 0,0:00:03.00,0:00:04.00,Top,,0,0,0,,- Where are {\\b1}you{\\b0} going?\\N- Home & <away>.\n\
    Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,1984\n\
    Dialogue: 0,0:00:07.00,0:00:08.00,Default,,0,0,0,,Q&A\n";

fn ffmpeg(bench: &Bench, args: &str) -> Vec<u8> {
    let mut command = Command::new("ffmpeg");
    command.current_dir(bench.dir()).args(["-v", "error", "-y"]).args(args.split(' '));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Returns times and texts of the cues in a file, as parsed by ffmpeg.
fn cues(bench: &Bench, name: &str) -> Vec<(String, String)> {
    let srt = ffmpeg(bench, &format!("-i {name} -f srt -"));
    let srt = String::from_utf8(srt).unwrap();
    let cue = |block: &str| {
        let mut lines = block.lines().skip(1);
        (lines.next().unwrap_or_default().to_owned(), lines.collect::<Vec<_>>().join("\n"))
    };
    srt.split("\n\n").filter(|block| !block.trim().is_empty()).map(cue).collect()
}

#[test]
fn keeps_cues_and_times_of_ffmpeg_subtitles() {
    if !has("ffmpeg") {
        return;
    }
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("a.ass", ASS);
    ffmpeg(&bench, "-i a.ass a.srt");
    ffmpeg(&bench, "-i a.srt a.vtt");
    ffmpeg(&bench, "-i a.srt -c:s mov_text a.mp4");
    ffmpeg(&bench, "-i a.mp4 b.srt");
    for (name, syntax) in [("a.srt", "srt"), ("a.vtt", "vtt"), ("b.srt", "srt")] {
        let out = format!("out.{syntax}");
        bench
            .run(["translate", "--to", "de", "--as", syntax, "-i", name, "-o", &out, "--force"])
            .code(0)
            .says_nothing();
        let (before, after) = (cues(&bench, name), cues(&bench, &out));
        assert_eq!(before.len(), 4, "{before:?}");
        let times = |cues: &[(String, String)]| cues.iter().map(|(time, _)| time.clone()).collect::<Vec<_>>();
        assert_eq!(times(&after), times(&before), "{name}");
        for ((_, before), (_, after)) in before.iter().zip(&after) {
            assert_eq!(after.to_uppercase(), before.to_uppercase(), "{name}");
            assert_eq!(after.lines().count(), before.lines().count(), "{name}");
        }
        assert!(after[1].1.contains("- WHERE ARE ") && after[1].1.contains("\n- HOME & "), "{after:?}");
    }
}
