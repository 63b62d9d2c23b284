//! The messages that report progress to the client: transcripts, translations and speech.

use serde_json::{Value, json};

use super::client_socket::{ClientSocket, Disconnected};
use super::live_sessions::StreamProgress;
use super::parameters::SessionParameters;
use super::transcript::{ScriptedSegment, ScriptedUpdate};
use crate::app::App;
use crate::translator::Translator;

pub struct UpdateSender<'a> {
    pub app: &'a App,
    pub parameters: &'a SessionParameters,
}

impl UpdateSender<'_> {
    pub async fn send_all(
        &self,
        socket: &mut ClientSocket,
        progress: &mut StreamProgress,
        update: &ScriptedUpdate,
    ) -> Result<(), Disconnected> {
        self.send_transcript(socket, progress, update).await?;
        for target in &self.parameters.targets {
            self.send_translation(socket, progress, target, update).await?;
        }
        self.send_speech(socket, progress, &update.concluded).await
    }

    pub async fn send_transcript(
        &self,
        socket: &mut ClientSocket,
        progress: &mut StreamProgress,
        update: &ScriptedUpdate,
    ) -> Result<(), Disconnected> {
        let language = &self.parameters.source;
        let segment = |segment: &ScriptedSegment| {
            json!({
                "language": language,
                "text": with_separator(&segment.text, segment),
                "start_time": segment.time.start,
                "end_time": segment.time.end,
            })
        };
        let body = json!({
            "concluded": update.concluded.iter().map(segment).collect::<Vec<_>>(),
            "tentative": update.tentative.iter().map(segment).collect::<Vec<_>>(),
        });
        if !update.concluded.is_empty() {
            progress.last_concluded = vec![("source_transcript_update", without_tentative(&body))];
        }
        socket.send("source_transcript_update", &body).await
    }

    pub async fn send_translation(
        &self,
        socket: &mut ClientSocket,
        progress: &mut StreamProgress,
        target: &str,
        update: &ScriptedUpdate,
    ) -> Result<(), Disconnected> {
        let segment = |segment: &ScriptedSegment| {
            let text = with_separator(&self.translate(&segment.text, target), segment);
            json!({ "text": text, "start_time": segment.time.start, "end_time": segment.time.end })
        };
        let body = json!({
            "language": target,
            "concluded": update.concluded.iter().map(segment).collect::<Vec<_>>(),
            "tentative": update.tentative.iter().map(segment).collect::<Vec<_>>(),
        });
        if !update.concluded.is_empty() {
            progress.last_concluded.push(("target_transcript_update", without_tentative(&body)));
        }
        socket.send("target_transcript_update", &body).await
    }

    /// Sends one message with speech for each concluded segment.
    pub async fn send_speech(
        &self,
        socket: &mut ClientSocket,
        progress: &mut StreamProgress,
        concluded: &[ScriptedSegment],
    ) -> Result<(), Disconnected> {
        let (Some(encoder), Some((language, content_type))) = (&mut progress.speech, &self.parameters.spoken) else {
            return Ok(());
        };
        for segment in concluded {
            let text = with_separator(&self.translate(&segment.text, language), segment);
            let speech = encoder.encode(segment.time.end - segment.time.start);
            let mut body = json!({ "language": language, "duration": speech.duration_ms, "text": text });
            if let (true, Some(fields)) = (speech.is_first, body.as_object_mut()) {
                let headers = Some(speech.headers.len()).filter(|count| *count > 0);
                fields.insert("content_type".to_owned(), json!(content_type));
                fields.insert("headers".to_owned(), json!(headers));
            }
            socket.send_audio(body, [speech.headers, speech.data].concat()).await?;
        }
        Ok(())
    }

    /// Sends the blocks that end the container, without text, if there are any.
    pub async fn finish_speech(
        &self,
        socket: &mut ClientSocket,
        progress: &mut StreamProgress,
    ) -> Result<(), Disconnected> {
        let (Some(encoder), Some((language, _))) = (&mut progress.speech, &self.parameters.spoken) else {
            return Ok(());
        };
        let data = encoder.finish();
        if data.is_empty() {
            return Ok(());
        }
        socket.send_audio(json!({ "language": language, "duration": 0, "text": null }), data).await
    }

    fn translate(&self, text: &str, target: &str) -> String {
        let Self { app, parameters } = self;
        let glossary_id = parameters.glossary_id.as_ref();
        let names = app.glossaries.names(glossary_id.filter(|_| app.phrases.have_glossaries).into_iter());
        let names = names.unwrap_or_default();
        let scope = app.phrases.scope(Some(&parameters.source), target);
        if let Some(found) = scope.formality(parameters.formality.as_deref()).glossaries(&names).find(text) {
            return found.text.to_owned();
        }
        let terms = glossary_id.and_then(|id| app.glossaries.dictionary(id, &parameters.source, target).ok());
        Translator::new(app.options.engine, target).terms(terms.as_deref()).translate(text)
    }
}

/// Adds a leading space if another sentence precedes the segment.
fn with_separator(text: &str, segment: &ScriptedSegment) -> String {
    if segment.follows_another { format!(" {text}") } else { text.to_owned() }
}

fn without_tentative(body: &Value) -> Value {
    let mut body = body.clone();
    if let Some(fields) = body.as_object_mut() {
        fields.insert("tentative".to_owned(), json!([]));
    }
    body
}
