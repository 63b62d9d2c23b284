//! `tulk voice`: real-time transcription, translation and speech, and the spoken terms that help to recognise it.
//!
//! Input: audio and the options of a session. Output: transcripts, speech, or the session itself for another program.
//! The messages and the session are described in `tulk_client::api::voice`, the connection in `tulk_client::http::websocket`.

mod session;
mod stream;
mod terms;

use crate::command::command_group;

command_group! {
    /// Transcribe and translate speech in real time
    #[command(after_help = "tulk voice stream talk.wav --to de\n\
                            tulk voice terms list")]
    pub struct VoiceArgs;

    /// The subcommands of `voice`.
    pub enum VoiceCommand {
        Stream(Box<stream::VoiceStreamArgs>),
        Session(Box<session::VoiceSessionArgs>),
        Terms(terms::VoiceTermsArgs),
    }
}
