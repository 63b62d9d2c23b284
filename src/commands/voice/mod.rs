//! `tulk voice`: transcribes, translates and speaks in real time, and manages the spoken terms for speech recognition.
//!
//! Input: audio and the options of a session. Output: transcripts, speech, or the session itself for another program.
//! The messages and the session are described in `tulk_client::api::voice`, the connection in
//! `tulk_client::http::websocket`.

mod session;
mod stream;
mod terms;

use crate::command::command_group;

command_group! {
    /// Transcribe and translate speech in real time
    #[command(after_help = "tulk voice stream talk.wav --to de\n\
                            tulk voice terms list")]
    pub struct VoiceArgs;

    pub enum VoiceCommand {
        Stream(Box<stream::VoiceStreamArgs>),
        Session(Box<session::VoiceSessionArgs>),
        Terms(terms::VoiceTermsArgs),
    }
}
