//! Advice for audio that the service may not accept.

use tulk_base::shell;

/// Returns the command that converts any audio to a format that the service accepts. Its user adds the options, such as
/// `--to`: other code parses them.
pub fn ffmpeg_command(name: &str) -> String {
    let input = if name == "stdin" { "-".into() } else { shell::quote_file(name) };
    format!("ffmpeg -i {input} -ac 1 -ar 16000 -c:a pcm_s16le -f wav - | tulk voice stream -")
}

/// Returns the hint for audio that the service does not accept.
pub fn conversion_hint(name: &str) -> String {
    format!("convert it, with your options at the end: {}", ffmpeg_command(name))
}

/// Returns the notice for a container with more than one channel.
pub fn channels_notice(name: &str, channels: u8) -> Vec<String> {
    if channels <= 1 {
        return Vec::new();
    }
    let command = ffmpeg_command(name);
    vec![format!(
        "{name} has {channels} channels, but the service asks for one; if it is refused, convert it, with your \
         options at the end: {command}"
    )]
}
